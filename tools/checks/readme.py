#!/usr/bin/env python3
"""Runs the commands of README.md, top to bottom, against the server that it starts.

usage: readme.py ROOT PROGRAMS      PROGRAMS is the folder of the built programs
       readme.py --self-test        checks that wrong documents are found

A block is a group of lines that are indented by four spaces. In a block with prompts ("$ "), the
lines after a command are its output, and they must be what the command prints. In a block without
prompts each line is a command. A block runs in one shell with all others; `tools/run` runs in a
shell of its own, as the README says. A command fails the check if its exit code is not 0, unless it
prints its exit code itself or feeds a pipe.

Three things of the output differ from run to run and are compared by their form only: times in
milliseconds, join codes, and words between angle brackets.

The check runs in an empty folder with links to the files of the repository, and with a network of
its own where the system allows that. Programs are not built a second time: `swift build` finds the
programs in PROGRAMS, and fails for one that is not there.
"""
import ctypes
import fcntl
import os
import re
import select
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

MAXIMUM_LINE_COUNT = 120
COMMAND_SECONDS = 180
# An objective may be missed, or the generator be late, on a slow machine.
LOAD_CODES = (0, 1, 3)
REQUIRED_LINKS = (
    "docs/operations.md", "clients/python/README.md", "Protos/PROTOCOL.md",
    "Sources/Archery/Quiver/Quiver.docc", "docs/load-testing.md")


class Mismatch(Exception):
    pass


def blocks(text):
    """The blocks as lists of (line number, line without its indent)."""
    found, current, is_fenced = [], [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            is_fenced = not is_fenced
        if line.startswith("    ") and not is_fenced:
            current.append((number, line[4:]))
        elif current:
            found.append(current)
            current = []
    return found + [current] if current else found


def commands(block):
    """Each command with its line number and its expected output; None: any output."""
    if not any(line.startswith("$ ") for _, line in block):
        return [(number, line, None) for number, line in block if not line.startswith("#")]
    result = []
    for number, line in block:
        if line.startswith("$ "):
            result.append((number, line[2:], []))
        elif result:
            result[-1][2].append(line)
        else:
            raise Mismatch(f"README.md:{number}: output before the first command")
    return result


def form(line):
    """The line without what differs from run to run."""
    line = re.sub(r"\b1[0-9]{12}\b", "<time>", line)
    line = re.sub(r"\b[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}\b", "<code>", line)
    return line.rstrip()


def check_document(text, root):
    """Its length, and its links to files."""
    count = len(text.rstrip("\n").split("\n"))
    if count > MAXIMUM_LINE_COUNT:
        raise Mismatch(f"README.md has {count} lines, more than {MAXIMUM_LINE_COUNT}")
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text)
    for target in targets:
        if "://" not in target and not os.path.exists(os.path.join(root, target)):
            raise Mismatch(f"README.md links {target}, which does not exist")
    for target in REQUIRED_LINKS:
        if target not in targets:
            raise Mismatch(f"README.md does not link {target}")


class Shell:
    """One bash in which commands run one after the other."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile"], cwd=folder, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.mark = "readme-command-ended"
        self.is_replaced = False

    def run(self, command, seconds=COMMAND_SECONDS):
        """The exit code and the lines that the command prints."""
        text = f"{command}\nprintf '\\n%s %d\\n' {self.mark} $?\n"
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        output, end = b"", time.monotonic() + seconds
        pattern = re.compile(rb"\n" + self.mark.encode() + rb" ([0-9]+)\n")
        while True:
            match = pattern.search(output)
            if match:
                printed = output[: match.start()].decode().removesuffix("\n")
                return int(match.group(1)), printed.split("\n") if printed else []
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise Mismatch(f"{command}: does not end within {seconds} s")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise Mismatch(f"{command}: ended the shell: {output.decode()}")
            output += data

    def replace(self, command):
        """Runs a command in place of the shell."""
        self.is_replaced = True
        self.process.stdin.write(f"exec {command}\n".encode())
        self.process.stdin.flush()

    def end(self):
        """Ends the shell's processes, its own session and no other; returns the exit code."""
        if not self.is_replaced:
            try:
                self.run("kill $(jobs -p) 2>/dev/null; wait", 20)
            except (Mismatch, BrokenPipeError):
                pass
        try:
            self.process.terminate()
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()


def check_command(shell, number, command, expected):
    status, printed = shell.run(command)
    place = f"README.md:{number}: {command}"
    shown = "\n".join(printed)
    codes = LOAD_CODES if command.startswith("quiver-load") else (0,)
    if status not in codes:
        raise Mismatch(f"{place}\nended with {status}:\n{shown}")
    if expected is None:
        return
    if [form(line) for line in printed] != [form(line) for line in expected]:
        wanted = "\n".join(expected)
        raise Mismatch(f"{place}\nprinted:\n{shown}\nnot:\n{wanted}")


def check_blocks(text, main, server):
    """Runs all blocks; returns the number of commands and of those with output."""
    count = compared = 0
    for block in blocks(text):
        for number, command, expected in commands(block):
            command = re.sub(r"\s+#\s.*$", "", command)
            count += 1
            compared += expected is not None and len(expected) > 0
            if command.split()[0] == "tools/run":
                server(command)
            else:
                check_command(main, number, command, expected)
    return count, compared


def own_network():
    """Moves this process to a network of its own, with a loopback device that is up."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(0x40000000) != 0:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        request = struct.pack("16sh14x", b"lo", 0x1)
        fcntl.ioctl(device, 0x8914, request)
    return True


SWIFT = """#!/usr/bin/env bash
# Stands for the toolchain: the programs exist already.
product= previous=
for word in "$@"; do
  [[ $previous != --product ]] || product=$word
  previous=$word
done
[[ ${1:-} == build && -n $product && -x PROGRAMS/$product ]] ||
  { echo "swift $*: no such program was built" >&2; exit 1; }
grep -q "\\"$product\\"" ROOT/Package.swift || { echo "no product $product" >&2; exit 1; }
"""


def prepare(root, programs, folder):
    """Links the repository into the folder; returns the environment of the commands."""
    for name in os.listdir(root):
        if name not in (".build", "data", "certificates", ".git"):
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
    os.makedirs(os.path.join(folder, ".build"))
    os.symlink(os.path.abspath(programs), os.path.join(folder, ".build", "release"))
    os.makedirs(os.path.join(folder, ".toolchain"))
    swift = os.path.join(folder, ".toolchain", "swift")
    with open(swift, "w") as file:
        file.write(
            SWIFT.replace("PROGRAMS", shlex.quote(os.path.abspath(programs))).replace(
                "ROOT", shlex.quote(root)))
    os.chmod(swift, 0o755)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("QUIVER_")}
    kept["PATH"] = os.path.join(folder, ".toolchain") + ":" + kept["PATH"]
    kept["HOME"] = folder
    kept.pop("XDG_CONFIG_HOME", None)
    return kept


def run(root, programs):
    root = os.path.abspath(root)
    with open(os.path.join(root, "README.md")) as file:
        text = file.read()
    check_document(text, root)
    own_network()
    with tempfile.TemporaryDirectory() as folder:
        environment = prepare(root, programs, folder)
        shells = [Shell(folder, environment)]

        def server(command):
            shell = Shell(folder, environment)
            shells.append(shell)
            shell.replace(f"{command} >server.log 2>&1")
            program = os.path.join(folder, ".build", "release", "quiver")
            status, printed = shells[0].run(f"{shlex.quote(program)} health --wait 60")
            if status != 0:
                with open(os.path.join(folder, "server.log")) as log:
                    raise Mismatch(f"{command} does not serve: {printed}\n{log.read()}")

        try:
            count, compared = check_blocks(text, shells[0], server)
        finally:
            codes = [shell.end() for shell in shells]
        if codes[1:] != [0]:
            raise Mismatch(f"the servers ended with {codes[1:]} after SIGTERM, not one with 0")
    if count < 18 or compared < 10:
        raise Mismatch(f"README.md has only {count} commands, {compared} with output")
    print(f"README.md: {count} commands ran, the output of {compared} was compared")


def self_test():
    """Wrong documents are found."""
    environment = dict(os.environ)

    def finds(text):
        with tempfile.TemporaryDirectory() as folder:
            shell = Shell(folder, environment)
            try:
                check_blocks(text, shell, lambda command: None)
                return False
            except Mismatch:
                return True
            finally:
                shell.end()

    assert not finds("Text\n\n    $ echo 1795327996638\n    1795327996999\n    $ X=3\n\n    test $X = 3\n")
    assert finds("    $ echo one\n    two\n")
    assert finds("    $ echo one\n")
    assert finds("    false\n")
    assert finds("    no-such-program\n")
    assert finds("    one\n    $ true\n")
    assert not finds("```\n    false\n```\n")
    for wrong in ("x\n" * 121, "[a](no/such/file.md)", "no link"):
        try:
            check_document(wrong, os.getcwd())
            raise AssertionError(f"nothing is wrong with {wrong[:20]}")
        except Mismatch:
            pass


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif len(sys.argv) == 3:
        try:
            run(sys.argv[1], sys.argv[2])
        except Mismatch as mismatch:
            sys.exit(str(mismatch))
    else:
        sys.exit(__doc__)
