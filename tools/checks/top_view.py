#!/usr/bin/env python3
"""Runs quiver top on a pseudo-terminal and elsewhere, and the views of quiver admin.

usage: top_view.py PROGRAMS      the server and the token are in the environment
"""
import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"


def quiver(programs, *arguments):
    run = subprocess.run(
        [f"{programs}/quiver", *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, (arguments, run.returncode, run.stderr)
    return run.stdout


class View:
    """A program on a terminal of its own."""

    def __init__(self, command, width, height):
        self.master, other = pty.openpty()
        self.resize(width, height, other)
        self.before = termios.tcgetattr(other)
        self.other = other
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other,
            env={**os.environ, "TERM": "xterm"}, start_new_session=True)
        self.text = ""

    def resize(self, width, height, descriptor=None):
        fcntl.ioctl(
            descriptor if descriptor is not None else self.master, termios.TIOCSWINSZ,
            struct.pack("HHHH", height, width, 0, 0))

    def wait(self, condition, what):
        end = time.monotonic() + 60
        while not condition(self.frames()):
            assert time.monotonic() < end, (what, self.text[-2000:])
            ready, _, _ = select.select([self.master], [], [], 0.1)
            if ready:
                self.text += os.read(self.master, 65536).decode(errors="replace")

    def frames(self):
        """The screens that were drawn whole, as lists of lines."""
        screens = self.text.split("\x1b[H")[1:]
        whole = [screen for screen in screens if "\x1b[J" in screen]
        return [re.sub(r"\x1b\[\?*[0-9]*[a-zA-Z]", "", one.split("\x1b[J")[0])
                .replace("\r", "").split("\n") for one in whole]

    def end(self):
        # Read meanwhile: a program cannot end while its terminal takes no output.
        end = time.monotonic() + 60
        while self.process.poll() is None or select.select([self.master], [], [], 0.2)[0]:
            assert time.monotonic() < end, self.text[-2000:]
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 65536).decode(errors="replace")
        code = self.process.returncode
        after = termios.tcgetattr(self.other)
        assert self.text.count(ENTER) == 1 and self.text.count(LEAVE) == 1, self.text[-500:]
        assert self.text.rstrip().endswith(LEAVE), self.text[-200:]
        assert after[3] == self.before[3], "the terminal's settings are not restored"
        os.close(self.master)
        os.close(self.other)
        return code


def check_terminal(programs):
    command = [f"{programs}/quiver", "top", "--interval", "300ms"]
    view = View(command, 100, 20)
    view.wait(lambda frames: any("Admin/GetServerStatus" in line
                                 for frame in frames[1:] for line in frame), "methods")
    first = "\n".join(view.frames()[-1])
    for text in ("serving", "calls", "connections", "store", "memory", "backup", "METHOD"):
        assert text in first, (text, first)
    view.resize(50, 9)
    count = len(view.frames())
    view.wait(lambda frames: any(max(map(len, frame)) <= 50 and len(frame) <= 9
                                 for frame in frames[count:]), "a smaller screen")
    os.write(view.master, b"x")
    os.write(view.master, b"q")
    assert view.end() == 0
    for frame in view.frames():
        assert len(frame) <= 20 and all(len(line) <= 100 for line in frame), frame

    # Ctrl-C ends it, and so does SIGTERM; the terminal is restored both times.
    view = View(command, 80, 24)
    view.wait(lambda frames: len(frames) > 0, "a screen")
    os.write(view.master, b"\x03")
    assert view.end() == 0
    view = View(command, 80, 24)
    view.wait(lambda frames: len(frames) > 0, "a screen")
    view.process.send_signal(signal.SIGTERM)
    assert view.end() == 128 + signal.SIGTERM


def check_lines(programs):
    load = subprocess.Popen(
        [f"{programs}/quiver-load", "--method", "Diagnostics/Echo", "--rate", "100", "--duration",
         "5s", "--warm-up", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = [json.loads(line) for line in quiver(
        programs, "top", "--json", "--interval", "500ms", "--count", "6").splitlines()]
    load.wait(timeout=120)
    assert len(lines) == 6, len(lines)
    assert all(line["serving"] and line["seconds"] > 0 for line in lines), lines
    echoes = [method for line in lines for method in line["methods"]
              if method["method"] == "Diagnostics/Echo" and method["callsPerSecond"] > 0]
    assert echoes and all(method["p99Ms"] > 0 for method in echoes), lines
    assert lines[-1]["residentBytes"] > 0 and lines[-1]["backupIntervalSeconds"] == 86400
    # What is no terminal gets lines without the flag.
    assert json.loads(quiver(programs, "top", "--interval", "100ms", "--count", "1"))["serving"]


def check_views(programs):
    made = quiver(programs, "principal", "add", "Robin", "--kind", "user", "--json")
    robin = json.loads(made)["id"]
    quiver(programs, "principal", "disable", robin)
    rows = [json.loads(line) for line in quiver(
        programs, "admin", "audit", "--object", robin, "--kind", "principal", "--json")
        .splitlines()]
    assert [row["action"] for row in rows] == ["principal.disable", "principal.create"], rows
    assert "secret" not in json.dumps(rows)
    table = list(csv.DictReader(io.StringIO(quiver(
        programs, "admin", "audit", "--since", "1h", "--action", "principal.", "--output", "csv"))))
    assert {row["ACTION"] for row in table} >= {"principal.disable", "principal.create"}, table
    assert quiver(programs, "admin", "audit", "--until", "2020-01-01", "--json") == ""
    for name, key in (("connections", "connections"), ("principals", "principals"),
                      ("tokens", "tokens"), ("grants", "grants"), ("limits", "limits"),
                      ("work", "work"), ("backups", "backups")):
        assert isinstance(json.loads(quiver(programs, "admin", name, "--json"))[key], list), name
        quiver(programs, "admin", name)
    limits = {row["name"]: row for row in json.loads(
        quiver(programs, "admin", "limits", "--json"))["limits"]}
    assert int(limits["maxConnections"]["used"]) >= 1, limits["maxConnections"]
    assert "qv_" not in quiver(programs, "admin", "tokens", "--json")
    for _ in range(600):
        backups = json.loads(quiver(programs, "admin", "backups", "--json"))
        if backups["backups"]:
            break
        time.sleep(0.1)
    assert len(backups["backups"]) == 1 and backups["madeCount"] == "1", backups


def main():
    programs = sys.argv[1]
    check_lines(programs)
    check_terminal(programs)
    check_views(programs)


main()
