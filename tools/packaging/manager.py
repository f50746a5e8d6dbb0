"""Plays systemd for one unit of the packages in a bare system: user, command line, socket, notices.

Prints the process id once the program has said READY=1, and leaves it running.
"""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import sys
import time

READY_SECONDS = 60


def setting(unit: pathlib.Path, name: str) -> str:
    lines = [line for line in unit.read_text().splitlines() if line.startswith(name + "=")]
    if not lines:
        raise SystemExit(f"{unit.name} has no {name}")
    return lines[-1].partition("=")[2]


def main() -> None:
    bare, name, user, log = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    units = bare / "lib/systemd/system"
    unit = units / f"{name}.service"
    command = setting(unit, "ExecStart").split()
    assert setting(unit, "Type") == "notify" and setting(unit, "User") == user
    ids = next(
        line.split(":") for line in (bare / "etc/passwd").read_text().splitlines()
        if line.startswith(user + ":")
    )  # fmt: skip
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    place = bare / f"run/notify.{name}"
    place.unlink(missing_ok=True)
    notices.bind(str(place))
    place.chmod(0o666)
    listener = None
    passed = units / f"{name}.socket"
    if passed.exists():
        host, _, port = setting(passed, "ListenStream").rpartition(":")
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, int(port)))
        listener.listen(128)
    child = os.fork()
    if child == 0:
        become(bare, command, ids, name, log, listener)
    deadline = time.monotonic() + READY_SECONDS
    try:
        while True:
            notices.settimeout(max(0.001, deadline - time.monotonic()))
            if b"READY=1" in notices.recv(4096).split(b"\n"):
                break
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    print(child, flush=True)


def become(bare, command, ids, name, log, listener) -> None:
    """Runs the unit's program in place of this process."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open("/dev/null", os.O_RDWR)
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "NOTIFY_SOCKET": f"/run/notify.{name}",
        "WATCHDOG_USEC": "30000000",
    }  # fmt: skip
    os.setsid()
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(output, 2)
    first = 3
    if listener is not None:
        environment |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
        os.dup2(listener.fileno(), first)
        os.set_inheritable(first, True)
        first += 1
    os.closerange(first, 1024)
    os.chroot(bare)
    os.chdir("/")
    os.umask(0o077)
    os.setgroups([])
    os.setgid(int(ids[3]))
    os.setuid(int(ids[2]))
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    try:
        main()
    except TimeoutError:
        raise SystemExit("no READY=1 in time") from None
