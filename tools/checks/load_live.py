#!/usr/bin/env python3
"""Runs the load tester on a pseudo-terminal and beside a scraper.

usage: load_live.py PROGRAM DIRECTORY      the server and the token are in the environment
"""
import fcntl
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
import urllib.request

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
METHOD = ["--method", "Equipment/GetHub"]


def on_terminal(program, arguments, size, act=None, environment=None):
    """What the program writes to a terminal of this size, and its exit code."""
    master, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    variables = {**os.environ, "TERM": "xterm", **(environment or {})}
    process = subprocess.Popen(
        [program, *arguments], stdin=other, stdout=subprocess.PIPE, stderr=other, env=variables)
    os.close(other)
    written, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([master], [], [], 0.1)
        if ready:
            try:
                data = os.read(master, 65536)
            except OSError:
                break
            if not data:
                break
            written += data
        if act and act(written.decode(errors="replace"), process, master):
            act = None
    output = process.stdout.read().decode()
    process.wait()
    os.close(master)
    return written.decode(errors="replace"), output, process.returncode


def frames(written):
    """The screens that were drawn, as lists of lines."""
    inside = written.split(ENTER, 1)[1].rsplit(LEAVE, 1)[0]
    inside = re.sub(r"\x1b\[\?25[lh]", "", inside)
    return [
        frame.replace("\x1b[J", "").replace("\x1b[K", "").replace("\r", "").split("\n")
        for frame in inside.split("\x1b[H")[1:]]


def check_view(program):
    written, output, code = on_terminal(
        program, [*METHOD, "--rate", "50", "--duration", "4s", "--warm-up", "0"], (70, 20))
    assert code in (0, 3), (code, written[-500:])
    assert written.count(ENTER) == 1 and written.count(LEAVE) == 1, written[:200]
    assert written.index(LEAVE) > written.index(ENTER) and written.rstrip().find("\x1b[?25h") >= 0
    drawn = frames(written)
    assert len(drawn) >= 3, len(drawn)
    for frame in drawn:
        assert len(frame) <= 20, f"{len(frame)} lines"
        assert all(len(line) <= 70 for line in frame), [line for line in frame if len(line) > 70]
    last = "\n".join(drawn[-1])
    for text in ("answered", "in flight", "p99", "latency over time", "lag p99", "errors   none"):
        assert text in last, (text, last)
    assert "answered" in output and "latency" in output, output

    # A terminal that becomes smaller gets a smaller view.
    def shrink(text, process, master):
        if text.count("\x1b[H") < 1:
            return False
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 40, 0, 0))
        return True

    written, _, _ = on_terminal(
        program, [*METHOD, "--rate", "20", "--duration", "4s", "--warm-up", "0"], (100, 40), shrink)
    last = frames(written)[-1]
    assert len(last) <= 10 and all(len(line) <= 40 for line in last), last

    # ^C leaves the terminal as it was, and prints what was measured until then.
    def interrupt(text, process, master):
        if text.count("\x1b[H") < 1:
            return False
        process.send_signal(signal.SIGINT)
        return True

    written, output, code = on_terminal(
        program, [*METHOD, "--rate", "20", "--duration", "60s", "--warm-up", "0"], (80, 24), interrupt)
    assert code == 130, code
    view, left, said = written.rpartition(LEAVE)
    assert left and "\x1b" not in said and "interrupted" in said, written[-200:]
    assert "interrupted before its time" in output, output

    # Lines where a view is not wanted, or not possible.
    for arguments, environment in ((["--lines"], {}), ([], {"TERM": "dumb"}), (["--quiet"], {})):
        written, _, _ = on_terminal(
            program,
            [*METHOD, "--rate", "20", "--duration", "2s", "--warm-up", "0", *arguments], (80, 24),
            environment=environment)
        assert ENTER not in written, arguments
        assert (" open " in written) == (arguments != ["--quiet"]), written

    scenario = os.path.join(os.path.dirname(__file__), "..", "load", "scenarios", "smoke.json")
    written, output, code = on_terminal(program, ["run", scenario], (120, 50))
    assert code in (0, 1), (code, output)
    assert any("scorers: RecordEnd" in line for line in frames(written)[-1]), frames(written)[-1]


def check_exports(program, folder):
    lines = os.path.join(folder, "seconds.jsonl")
    process = subprocess.Popen(
        [program, *METHOD, "--rate", "50", "--duration", "5s", "--warm-up", "0", "--quiet",
         "--json-lines", lines, "--metrics", "127.0.0.1:0", "--agents", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = process.stderr.readline()
    port = int(re.search(r"metrics on 127\.0\.0\.1:([0-9]+)", told).group(1))
    counts, end = [], time.monotonic() + 30
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
                text = answer.read().decode()
        except OSError:
            break
        counts.append(int(re.search(r'calls_total{code="OK"} ([0-9]+)', text).group(1)))
        buckets = [int(n) for n in re.findall(r"seconds_bucket{[^}]*} ([0-9]+)", text)]
        assert buckets == sorted(buckets) and buckets[-1] == counts[-1], text
        time.sleep(0.3)
    output, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 3), (process.returncode, errors)
    assert counts == sorted(counts) and counts[-1] > 0, counts
    seconds = [json.loads(line) for line in open(lines)]
    assert [one["second"] for one in seconds] == sorted({one["second"] for one in seconds})
    assert len(seconds) >= 3, seconds
    # Two agents send 25 a second each, of which those of a second without a processor come later.
    total = int(re.search(r"answered +([0-9]+)", output).group(1))
    assert 150 <= total <= 250, output
    told = sum(one["succeeded"] + one["failed"] for one in seconds)
    assert 0.6 * total <= told <= 250, (total, seconds)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    check_view(sys.argv[1])
    check_exports(sys.argv[1], sys.argv[2])
