"""A quiverd of a test's own, with its data in a folder that goes with it."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = pathlib.Path(
    os.environ.get(
        "QUIVER_PROGRAMS", str(pathlib.Path(__file__).resolve().parents[3] / ".build" / "debug")
    )
)


class Server:
    """Starts quiverd on a Unix socket; `kill` and `start` again keep the data."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments
        self.folder = tempfile.mkdtemp(prefix="quiver")
        self.address = f"unix:{self.folder}/socket"
        self.token_file = f"{self.folder}/data/admin.token"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        arguments = [str(PROGRAMS / "quiverd"), "--init", "--data", f"{self.folder}/data", "--listen",
                     self.address, "--diagnostics", *self._arguments]  # fmt: skip
        arguments += os.environ.get("QUIVERD_ARGUMENTS", "").split()
        self._log = open(f"{self.folder}/log", "ab")  # noqa: SIM115
        self._process = subprocess.Popen(arguments, stderr=self._log)
        environment = {
            **os.environ, "QUIVER_SERVER": self.address, "QUIVER_TOKEN_FILE": self.token_file
        }  # fmt: skip
        subprocess.run(
            [str(PROGRAMS / "quiver"), "health", "--wait", "60"], env=environment, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(600):
            if pathlib.Path(self.token_file).exists():
                return
            time.sleep(0.1)
        raise RuntimeError("quiverd wrote no token")

    def kill(self, sig: signal.Signals = signal.SIGKILL) -> int:
        assert self._process is not None
        self._process.send_signal(sig)
        code = self._process.wait()
        self._log.close()
        return code

    def end(self) -> int:
        code = self.kill(signal.SIGTERM)
        shutil.rmtree(self.folder, ignore_errors=True)
        return code
