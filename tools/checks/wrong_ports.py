#!/usr/bin/env python3
"""Has a client call what is no Quiver server, or the wrong port of one, through the driver of its
conformance test: the error must name the protocol that answered, and not be that of a deadline.

usage: wrong_ports.py [--waits] DRIVER CERTIFICATES QUIVER QUIVER_TLS [HTTP]
HOST:PORT of quiverd without and with TLS, and of quiver-gateway. The program quiver, which has no
driver, is named as --command PATH instead. With --waits, as of quiver, calls that wait until a server
is ready, and watches, may end at their deadline.
"""

import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable

# Far more than an answer takes, and less than the time limits of connections.
TIMEOUT_MS = 5_000
# The time of those that wait.
WAIT_MS = 3_000
HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
PAGE = b"<!DOCTYPE HTML>\n<html><head><title>Error response</title></head></html>\n"
SETTINGS = b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64"
# What a port of quiverd answers to a client of TLS, and one of another protocol to a client of Quiver.
ALERT = b"\x15\x03\x03\0\x02\x02\x0a"
REASON = b"this port speaks TLS"
REFUSAL = (
    b"\x91QVR\r\n\x1a\x01" + b"\0\0\0\x10\0\0\0\0"
    + bytes([0, 0, 4 + len(REASON), 0xA0, 0, 0, 0, 0, 8, 1, 0x12, len(REASON)]) + REASON
)  # fmt: skip
Serve = Callable[[socket.socket], None]


def listen(serve: Serve) -> str:
    """An address where each connection is served by a thread."""
    listener = socket.create_server(("127.0.0.1", 0))

    def one(link: socket.socket) -> None:
        try:
            with link:
                serve(link)
                link.shutdown(socket.SHUT_WR)
                while link.recv(65536):
                    pass
        except OSError:
            pass  # The client has gone.

    def run() -> None:
        while True:
            threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()
    return f"127.0.0.1:{listener.getsockname()[1]}"


def answers(data: bytes, at_once: bool = False) -> Serve:
    """Sends these bytes, by itself or when something has come."""

    def serve(link: socket.socket) -> None:
        if not at_once:
            link.recv(65536)
        link.sendall(data)

    return serve


def speaks_tls(certificates: pathlib.Path) -> Serve:
    """A server of TLS that is none of Quiver: it agrees on no protocol."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.pem", certificates / "server.key")

    def serve(link: socket.socket) -> None:
        try:
            # Another descriptor, whose closing does not reset the connection before the alert was read.
            context.wrap_socket(link.dup(), server_side=True).recv(1)
        except ssl.SSLError:
            pass  # Its alert has been sent.

    return serve


class Driver:
    """The program around a client (docs/client-conformance.md)."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.wait_for("ready")

    def say(self, **fields: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(fields, separators=(",", ":")) + "\n")
        self.process.stdin.flush()

    def wait_for(self, event: str) -> dict[str, object]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found: dict[str, object] = json.loads(line)
            if found["event"] == event:
                return found
        sys.exit(f"the driver ended before: {event}")

    def end_of_call(self, server: str, ca: str, **options: object) -> dict[str, object]:
        """How a call of a new client ends."""
        self.say(op="connect", server=server, token="", compression=False, ca=ca, server_name="localhost")
        self.say(op="call", id=1, payload="", **{"timeout_ms": TIMEOUT_MS, **options})
        if options["method"] == "watch":
            self.say(op="read", id=1, count=0)
        return self.wait_for("end")


class Command:
    """The program quiver."""

    def __init__(self, path: str) -> None:
        self.path = path

    def end_of_call(self, server: str, ca: str, **options: object) -> dict[str, object]:
        """How a command ends that makes a call."""
        kind = ["call", "Health/Watch"] if options["method"] == "watch" else ["health"]
        if options.get("wait_for_ready"):
            kind += ["--wait", str(WAIT_MS // 1_000)]
        address = ["--server", server]
        if server.startswith("tls://"):
            address += ["--ca", ca, "--server-name", "localhost"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("QUIVER_")}
        done = subprocess.run([self.path, *kind, *address], env=environment, text=True, capture_output=True)
        # The exit code is 64 above that of the status.
        return {"code": done.returncode - 64, "text": done.stderr.strip()}


def main() -> None:
    make: type[Driver] | type[Command] = Driver
    words = sys.argv[1:]
    waits = words[:1] == ["--waits"]
    if waits:
        words = words[1:]
    if words[:1] == ["--command"]:
        make, waits, words = Command, True, words[1:]
    if len(words) not in (4, 5):
        sys.exit(__doc__)
    certificates = pathlib.Path(words[1])
    quiver, quiver_tls = words[2], words[3]
    http, page = listen(answers(HTTP)), listen(answers(PAGE))
    settings, ssh = listen(answers(SETTINGS, at_once=True)), listen(answers(b"SSH-2.0-OpenSSH_9.2p1\r\n", at_once=True))
    silent, mail = listen(lambda link: None), listen(answers(b"220 mail.example ESMTP\r\n", at_once=True))
    tls = listen(speaks_tls(certificates))
    alert, refusal = listen(answers(ALERT)), listen(answers(REFUSAL))
    cases = [
        (http, "HTTP"), (page, "HTTP"), (settings, "HTTP"), (ssh, "SSH"), (tls, "TLS"), (quiver_tls, "TLS"),
        (silent, "TLS"), (mail, "not a Quiver server"),
        (f"tls://{http}", "HTTP"), (f"tls://{page}", "HTTP"), (f"tls://{settings}", "HTTP"),
        (f"tls://{ssh}", "SSH"), (f"tls://{quiver}", "TLS"), (f"tls://{silent}", "TLS"),
        (refusal, "speaks TLS"), (f"tls://{alert}", "TLS"), (f"tls://{mail}", "not speak TLS"), (f"tls://{tls}", "ALPN"),
    ]  # fmt: skip
    for other in words[4:]:
        cases += [(other, "HTTP"), (f"tls://{other}", "HTTP")]
    client = make(words[0])
    failures = 0
    for server, wanted in cases:
        ca = str(certificates / "ca.pem")
        found = [(client.end_of_call(server, ca, method="unary"), [14])]
        # What only closes the connection may come up; what speaks another protocol does not.
        if waits and server in (http, ssh, f"tls://{settings}"):
            for options in ({"method": "unary", "wait_for_ready": True}, {"method": "watch"}):
                found.append((client.end_of_call(server, ca, timeout_ms=WAIT_MS, **options), [4, 14]))
        elif not waits and server not in (silent, f"tls://{silent}") and wanted in ("HTTP", "SSH"):
            for options in ({"method": "unary", "wait_for_ready": True}, {"method": "watch"}):
                found.append((client.end_of_call(server, ca, **options), [14]))
        for end, codes in found:
            text = str(end.get("text", ""))
            print(f"{server}: {end['code']} {text}")
            if end["code"] not in codes or wanted not in text:
                print(f"  must say {wanted}", file=sys.stderr)
                failures += 1
    sys.exit(1 if failures else 0)


main()
