#!/usr/bin/env python3
"""Has a client call what is no Quiver server, or the wrong port of one, through the driver of its
conformance test: the error must name the protocol that answered, and not be that of a deadline. Calls
that wait until a server is ready, and watches, end in the same way. The seconds of each are printed.

usage: wrong_ports.py [--gateway] DRIVER CERTIFICATES QUIVER QUIVER_TLS [HTTP]
HOST:PORT of quiverd without and with TLS, and of quiver-gateway. The program quiver, which has no
driver, is named as --command PATH instead. With --gateway the client speaks HTTP to a gateway, and
Quiver's ports are wrong for it too.
"""

import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable

# A call has far more time than an answer takes, and must end long before that on a busy machine too.
TIMEOUT_MS = 60_000
LONGEST_SECONDS = 10.0
# What does not end is killed.
HANG_SECONDS = 90
HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
INTERNAL, UNAVAILABLE = 13, 14
BANNER = b"SSH-2.0-OpenSSH_9.2p1\r\n"
MAIL = b"220 mail.example ESMTP\r\n"
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
        # The watches of some clients have no deadline.
        guard = threading.Timer(HANG_SECONDS, self.process.kill)
        guard.start()
        try:
            return self.wait_for("end")
        finally:
            guard.cancel()


class Command:
    """The program quiver."""

    def __init__(self, path: str) -> None:
        self.path = path

    def end_of_call(self, server: str, ca: str, **options: object) -> dict[str, object]:
        """How a command ends that makes a call."""
        kind = ["call", "Health/Watch"] if options["method"] == "watch" else ["health"]
        if options.get("wait_for_ready"):
            kind += ["--wait", str(TIMEOUT_MS // 1_000)]
        address = ["--server", server]
        if server.startswith("tls://"):
            address += ["--ca", ca, "--server-name", "localhost"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("QUIVER_")}
        done = subprocess.run(
            [self.path, *kind, *address], env=environment, text=True, capture_output=True, timeout=HANG_SECONDS
        )
        # The exit code is 64 above that of the status.
        return {"code": done.returncode - 64, "text": done.stderr.strip()}


def wrong_for_quiver(certificates: pathlib.Path, words: list[str]) -> list[tuple[str, str, bool]]:
    """Addresses that are wrong for a client of Quiver, what its error says of each, and whether it can
    be certain: what only closes the connection may be a server that ends."""
    quiver, quiver_tls = words[:2]
    http, page = listen(answers(HTTP)), listen(answers(PAGE))
    settings, ssh = listen(answers(SETTINGS, at_once=True)), listen(answers(BANNER, at_once=True))
    silent, mail = listen(lambda link: None), listen(answers(MAIL, at_once=True))
    tls = listen(speaks_tls(certificates))
    alert, refusal = listen(answers(ALERT)), listen(answers(REFUSAL))
    cases = [
        (http, "HTTP"), (page, "HTTP"), (settings, "HTTP"), (ssh, "SSH"), (tls, "TLS"), (quiver_tls, "TLS"),
        (silent, "TLS"), (mail, "not a Quiver server"),
        (f"tls://{http}", "HTTP"), (f"tls://{page}", "HTTP"), (f"tls://{settings}", "HTTP"),
        (f"tls://{ssh}", "SSH"), (f"tls://{quiver}", "TLS"), (f"tls://{silent}", "TLS"),
        (refusal, "speaks TLS"), (f"tls://{alert}", "TLS"), (f"tls://{mail}", "not speak TLS"), (f"tls://{tls}", "ALPN"),
    ]  # fmt: skip
    for other in words[2:]:
        cases += [(other, "HTTP"), (f"tls://{other}", "HTTP")]
    uncertain = (silent, f"tls://{silent}", tls, f"tls://{tls}")
    return [(server, wanted, server not in uncertain) for server, wanted in cases]


def wrong_for_http(certificates: pathlib.Path, words: list[str]) -> list[tuple[str, str, bool]]:
    """The same for a client of the gateway."""
    quiver, quiver_tls = words[:2]
    ssh, mail = listen(answers(BANNER, at_once=True)), listen(answers(MAIL, at_once=True))
    tls, alert = listen(speaks_tls(certificates)), listen(answers(ALERT))
    refusal = listen(answers(REFUSAL, at_once=True))
    return [
        (quiver, "Quiver", True), (quiver_tls, "TLS", True), (tls, "TLS", False), (alert, "TLS", True),
        (ssh, "SSH", True), (refusal, "Quiver", True), (mail, "not speak HTTP", True),
        (f"tls://{quiver}", "TLS", True), (f"tls://{ssh}", "TLS", True), (f"tls://{mail}", "TLS", True),
        (f"tls://{listen(answers(HTTP))}", "TLS", True),
    ]  # fmt: skip


def main() -> None:
    make: type[Driver] | type[Command] = Driver
    words = sys.argv[1:]
    wrong = wrong_for_quiver
    codes: tuple[int, ...] = (UNAVAILABLE,)
    if words[:1] == ["--gateway"]:
        # Quiver's ports answer HTTP with status 400, which is INTERNAL by the table of Connect.
        wrong, words, codes = wrong_for_http, words[1:], (INTERNAL, UNAVAILABLE)
    elif words[:1] == ["--command"]:
        make, words = Command, words[1:]
    if len(words) not in (4, 5):
        sys.exit(__doc__)
    certificates = pathlib.Path(words[1])
    client = make(words[0])
    failures, longest, count = 0, 0.0, 0
    for server, wanted, is_certain in wrong(certificates, words[2:]):
        kinds: list[dict[str, object]] = [{"method": "unary"}]
        if is_certain:
            kinds += [{"method": "unary", "wait_for_ready": True}, {"method": "watch"}]
        for options in kinds:
            begun = time.monotonic()
            end = client.end_of_call(server, str(certificates / "ca.pem"), **options)
            seconds = time.monotonic() - begun
            longest, count = max(longest, seconds), count + 1
            kind = "waits" if "wait_for_ready" in options else options["method"]
            text = str(end.get("text", ""))
            print(f"{server} {kind}: {seconds:.2f} s, {end['code']} {text}")
            if end["code"] not in codes or wanted not in text or seconds > LONGEST_SECONDS:
                print(f"  must say {wanted}, at once", file=sys.stderr)
                failures += 1
    name = words[0].split("/")[-1]
    print(f"{name}: {count} calls at wrong ports, the longest took {longest:.2f} s", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
