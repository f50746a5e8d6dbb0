"""A server and a gateway of a test's own."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable
from typing import Any

PROGRAMS = pathlib.Path(os.environ["QUIVER_PROGRAMS"])
# What a test asks is on this machine: a proxy of the user's is for others. Browsers and curl read it, too.
os.environ["no_proxy"] = os.environ["NO_PROXY"] = "*"
# The user's time zone and language, for suites that are started by themselves.
os.environ |= {"TZ": "UTC", "LC_ALL": "C.UTF-8"}

# All tests of pages use this module: a page may take as long on a machine that is slow and loaded.
if importlib.util.find_spec("playwright"):
    from playwright.sync_api import expect

    expect.set_options(timeout=120_000)


def free_port() -> int:
    """A port that nothing uses, below those that the system gives to connections: none of these can take it later."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether a condition held within a time, which is enough on a machine that is slow and loaded."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return holds()
        time.sleep(0.05)
    return True


def kept_of(log: str) -> list[str]:
    """What gateways say in a log that they keep of requests at their end, without connections: that is a defect."""
    return re.findall(r"event=requests-kept .*", log)


class Running:
    """quiverd on a Unix socket, quiver-gateway on a port, their data in a folder of their own."""

    def __init__(self, *arguments: str, tls: tuple[str, str] | None = None) -> None:
        self.folder = tempfile.mkdtemp(prefix="quiver-gateway")
        self.server_address = f"unix:{self.folder}/socket"
        self.token_file = f"{self.folder}/data/admin.token"
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.arguments = list(arguments)
        if "--metrics" not in arguments:
            self.arguments += ["--metrics", "127.0.0.1:0"]
        self.server_arguments: list[str] = []
        self.gateway_token_file = self.token_file
        # Where the gateway finds the server.
        self.gateway_server = self.server_address
        self.gateway_program = PROGRAMS / "quiver-gateway"
        if tls:
            self.tls_port = free_port()
            self.arguments += ["--listen", f"tls://127.0.0.1:{self.tls_port}",
                               "--tls-certificate", tls[0], "--tls-key", tls[1]]  # fmt: skip
        self.start_server()
        self.token = pathlib.Path(self.token_file).read_text().strip()
        self.start_gateway()

    def start_server(self) -> None:
        command = [str(PROGRAMS / "quiverd"), "--init", "--data", f"{self.folder}/data", "--listen",
                   self.server_address, "--diagnostics", *self.server_arguments]  # fmt: skip
        command += os.environ.get("QUIVERD_ARGUMENTS", "").split()
        path = pathlib.Path(self.folder, "server.log")
        before = path.stat().st_size if path.exists() else 0
        with open(path, "ab") as log:
            self.server = subprocess.Popen(command, stderr=log)

        def said() -> str:
            return path.read_bytes()[before:].decode(errors="replace")

        wait_until(lambda: " event=serving" in said() or self.server.poll() is not None, 300)
        if self.server.poll() is not None or " event=serving" not in said():
            self.server.kill()
            raise RuntimeError(f"quiverd does not serve: {said()}")
        if not wait_until(lambda: os.path.exists(self.token_file), 60):
            raise RuntimeError("quiverd wrote no token")

    def start_gateway(self, has_token: bool = True) -> None:
        command = [str(self.gateway_program), "--listen", self.address, "--server",
                   self.gateway_server, *self.arguments]  # fmt: skip
        if has_token:
            command += ["--token-file", self.gateway_token_file]
        before = len(self.log()) if os.path.exists(f"{self.folder}/gateway.log") else 0
        with open(f"{self.folder}/gateway.log", "ab") as log:
            self.gateway = subprocess.Popen(command, stderr=log)
        # Its own word: something else could listen on the port.
        wait_until(
            lambda: " event=serving" in self.log()[before:] or self.gateway.poll() is not None, 300)
        if self.gateway.poll() is not None or " event=serving" not in self.log()[before:]:
            raise RuntimeError(f"the gateway does not serve: {self.log()[before:]}")

    def log(self) -> str:
        with open(f"{self.folder}/gateway.log") as log:
            return log.read()

    def probe(self, path: str) -> tuple[int, str]:
        """The status and the text of a path of the metrics."""
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port(), timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def value(self, series: str) -> float:
        for line in self.probe("/metrics")[1].splitlines():
            if line.startswith(series + " "):
                return float(line.split()[-1])
        return 0

    def kept(self) -> dict[str, float]:
        """What the gateway keeps for its callers, where that is not nothing."""
        names = ["connections", "open_requests", "held_bytes", "tasks"]
        found = {name: self.value("quiver_gateway_" + name) for name in names}
        return {name: value for name, value in found.items() if value != 0}

    def expect_nothing_kept(self) -> None:
        """Waits until nothing is kept. The test has closed its connections."""
        if not wait_until(lambda: self.kept() == {}):
            raise AssertionError(f"the gateway keeps {self.kept()} for nobody")

    def metrics_port(self) -> int:
        """The port of the metrics."""
        return int(re.findall(r" event=metrics-listening address=\S*:([0-9]+)", self.log())[-1])

    def wait_for_calls(self, count: int) -> None:
        """Waits until the server has so many open calls, the one that asks included."""

        def found() -> int:
            reply = self.call("Diagnostics/Connections")
            return sum(int(entry.get("openCalls", 0)) for entry in reply["connections"])

        if not wait_until(lambda: found() == count):
            raise AssertionError(f"the server has {found()} open calls, not {count}")

    def call(self, method: str, /, **request: object) -> Any:
        """A call as the administrator, through the gateway: a process of the command line would cost more."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        fields = {"content-type": "application/json", "authorization": "Bearer " + self.token,
                  "idempotency-key": str(uuid.uuid4())}  # fmt: skip
        try:
            connection.request("POST", "/quiver.v1." + method, json.dumps(request), fields)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status != 200:
            raise AssertionError(f"{method}: {text}")
        return json.loads(text)

    def quiver(self, *arguments: str, text: str | None = None) -> str:
        done = self.attempt(*arguments, text=text)
        if done.returncode != 0:
            raise AssertionError(f"quiver {arguments} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def attempt(self, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs the command line, which may fail."""
        environment = {
            **os.environ, "QUIVER_SERVER": self.server_address,
            "QUIVER_TOKEN_FILE": self.token_file,
        }  # fmt: skip
        return subprocess.run(
            [str(PROGRAMS / "quiver"), *arguments], env=environment, text=True, input=text,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def connect(self, tls: bool = False) -> socket.socket:
        port = self.tls_port if tls else self.port
        raw = socket.create_connection(("127.0.0.1", port), timeout=20)
        if not tls:
            return raw
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(raw)

    def end(self) -> None:
        """Ends both by SIGTERM and removes what they have stored; an exit code other than 0 is an error."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self) -> None:
        """Ends both by SIGTERM; an exit code other than 0 is an error."""
        failures = []
        for process in (self.gateway, self.server):
            process.send_signal(signal.SIGTERM)
            try:
                code = process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
            if code != 0:
                failures.append(f"{process.args[0]} ended with {code}")
        failures += kept_of(self.log())
        assert not failures, failures


def scanned(text: str) -> str:
    """What zbar reads of a QR code on a terminal: half blocks, of which light modules are drawn."""
    lines = [line for line in text.split("\n") if line and not line.strip("█▀▄ ")]
    size = 6
    width = max(map(len, lines)) * size
    rows = []
    for line in lines:
        for light in ("█▀", "█▄"):
            row = b"".join((b"\xff" if c in light else b"\0") * size for c in line)
            rows += [row.ljust(width, b"\xff")] * size
    picture = b"P5 %d %d 255\n" % (width, len(rows)) + b"".join(rows)
    with tempfile.NamedTemporaryFile(suffix=".pgm") as file:
        file.write(picture)
        file.flush()
        done = subprocess.run(["zbarimg", "--quiet", "--raw", file.name], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)  # fmt: skip
    return done.stdout.decode().strip()
