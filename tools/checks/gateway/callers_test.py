"""Who calls the server through the gateway: nobody by mistake, by which address, and beside how many others."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import socket
import ssl
import struct
import subprocess
import threading
import time
import unittest
import uuid

import h2.config
import h2.connection
import h2.events
import kit
from running import PROGRAMS, Running, free_port, wait_until

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
GATEWAY = 2
"""The id of the gateway's principal: the first one is the administrator."""


def proxy_header(address: str) -> bytes:
    """A header of PROXY protocol version 2 for a caller with this IPv4 address."""
    addresses = socket.inet_aton(address) + socket.inet_aton("127.0.0.1")
    return SIGNATURE + b"\x21\x11" + struct.pack("!H", 12) + addresses + struct.pack("!HH", 4000, 1)


class Stream:
    """A stream of Connect in JSON from an address."""

    def __init__(self, running: Running, address: str, method: str, request: dict, token: str | None) -> None:
        self.raw = running.connect()
        body = json.dumps(request).encode()
        body = b"\0" + struct.pack(">I", len(body)) + body
        fields = f"authorization: Bearer {token}\r\n" if token else ""
        self.raw.sendall(
            proxy_header(address)
            + (f"POST /quiver.v1.{method} HTTP/1.1\r\nhost: localhost\r\n{fields}"
               "content-type: application/connect+json\r\n"
               f"content-length: {len(body)}\r\n\r\n").encode() + body)  # fmt: skip
        self.reply: http.client.HTTPResponse | None = None

    def read(self) -> dict:
        """The next message, or what the last envelope says."""
        if not self.reply:
            self.reply = http.client.HTTPResponse(self.raw)
            self.reply.begin()
        head = self.reply.read(5)
        return json.loads(self.reply.read(struct.unpack(">I", head[1:])[0]))

    def close(self) -> None:
        self.raw.close()


class Base(unittest.TestCase):
    """A server with a gateway that it knows, behind a proxy that names the addresses of callers."""

    server_arguments: list[str] = []
    arguments: list[str] = []

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running()
        cls.gateway_file = f"{cls.running.folder}/gateway.token"
        cls.gateway_id = 0
        cls.restart()

    @classmethod
    def restart(cls) -> None:
        """Starts both again, with the gateway's own credential."""
        running = cls.running
        secret = running.quiver(
            "token", "create", "--name", "gateway", "--kind", "service", "--scope", "read", "--label", "test")
        with open(cls.gateway_file, "w") as file:
            file.write(secret)
        running.stop()
        running.server_arguments = list(cls.server_arguments)
        running.arguments = ["--trusted-proxies", "127.0.0.0/8", *cls.arguments]
        running.gateway_token_file = cls.gateway_file
        running.start_server()
        running.start_gateway()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def call(
        self, method: str, address: str = "192.0.2.1", token: str | None = None, host: str = "localhost",
        seconds: float = 20, fields: dict[str, str] | None = None, **request: object,
    ) -> tuple[int, dict]:  # fmt: skip
        """The HTTP status and the JSON of the answer."""
        raw = self.running.connect()
        raw.settimeout(seconds)
        body = json.dumps(request).encode()
        more = dict(fields or {})
        if token:
            more["authorization"] = "Bearer " + token
        lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
        with raw:
            raw.sendall(
                proxy_header(address)
                + (f"POST /quiver.v1.{method} HTTP/1.1\r\nhost: {host}\r\n{lines}connection: close\r\n"
                   f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n").encode() + body)  # fmt: skip
            reply = http.client.HTTPResponse(raw)
            reply.begin()
            text = reply.read()
        return reply.status, self.answer(text)

    def call2(
        self, method: str, address: str = "192.0.2.1", token: str | None = None, host: str = "localhost",
        seconds: float = 20, fields: dict[str, str] | None = None, **request: object,
    ) -> tuple[int, dict]:  # fmt: skip
        """The same over HTTP/2."""
        head = {":method": "POST", ":scheme": "http", ":authority": host, ":path": f"/quiver.v1.{method}",
                "content-type": "application/json", **(fields or {})}  # fmt: skip
        if token:
            head["authorization"] = "Bearer " + token
        connection = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=True, header_encoding="utf-8", validate_outbound_headers=False))
        connection.initiate_connection()
        connection.send_headers(1, list(head.items()))
        connection.send_data(1, json.dumps(request).encode(), end_stream=True)
        raw = self.running.connect()
        raw.settimeout(seconds)
        status, text = 0, b""
        with raw:
            raw.sendall(proxy_header(address) + connection.data_to_send())
            while data := raw.recv(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.ResponseReceived):
                        status = int(dict(event.headers)[":status"])
                    elif isinstance(event, h2.events.DataReceived):
                        text += event.data
                    elif isinstance(event, h2.events.StreamEnded):
                        return status, self.answer(text)
                raw.sendall(connection.data_to_send())
        self.fail(f"{method} has no whole answer: {status} {text!r}")

    @staticmethod
    def answer(text: bytes) -> dict:
        try:
            return json.loads(text)
        except ValueError:
            return {"text": text.decode()}

    def stream(self, method: str, request: dict, address: str = "192.0.2.1", token: str | None = None) -> Stream:
        stream = Stream(self.running, address, method, request, token)
        self.addCleanup(stream.close)
        return stream

    def key(self) -> dict[str, str]:
        return {"idempotency-key": str(uuid.uuid4())}

    def event(self, archers: int = 3) -> tuple[dict, list[str]]:
        token = self.running.token
        status, event = self.call(
            "Tournament/CreateTournament", token=token, fields=self.key(), name="Watched", isPublic=True,
            format={"codename": "wa18"})
        self.assertEqual(status, 200, event)
        status, entries = self.call(
            "Tournament/AddEntries", token=token, fields=self.key(), tournamentId=event["id"],
            entries=[{"clientId": identity(), "name": f"Archer {n}"} for n in range(archers)])
        self.assertEqual(status, 200, entries)
        self.call("Tournament/StartTournament", token=token, fields=self.key(), id=event["id"])
        return event, [guest["id"] for guest in entries["participants"]]

    def spectator(self, event: dict, address: str = "192.0.2.1") -> str:
        status, answer = self.call("Tournament/GetSpectatorToken", address, joinCode=event["joinCode"])
        self.assertEqual(status, 200, answer)
        return answer["token"]


def identity() -> str:
    """A UUIDv7."""
    import base64

    tail = bytearray(uuid.uuid4().bytes[6:])
    tail[0] = 0x70 | tail[0] & 0x0F
    tail[2] = 0x80 | tail[2] & 0x3F
    return base64.b64encode(int(time.time() * 1000).to_bytes(6, "big") + tail).decode()


class NobodyTests:
    """Calls without a token through a gateway whose connection is somebody's for the server."""

    def test_a_call_without_a_token_is_nobodys(self) -> None:
        for version, call in (("HTTP/1.1", self.call), ("HTTP/2", self.call2)):
            with self.subTest(version):
                status, answer = call("Account/WhoAmI")
                self.assertEqual((status, answer.get("code")), (401, "unauthenticated"), answer)
                status, answer = call(
                    "Admin/CreateToken", fields=self.key(), principalId="1", label="stolen",
                    scopes=["TOKEN_SCOPE_ADMIN"])
                self.assertEqual((status, answer.get("code")), (401, "unauthenticated"), answer)
                # What needs nobody is answered, and a token is its owner's.
                self.assertEqual(call("Health/Check")[0], 200)
                status, answer = call("Account/WhoAmI", token=self.running.token)
                self.assertEqual((status, answer["principal"]["id"]), (200, "1"))

    def test_a_refusal_of_nobodys_call_has_its_code_and_status(self) -> None:
        _, event = self.call(
            "Tournament/CreateTournament", token=self.running.token, fields=self.key(), name="Closed",
            isPublic=False, format={"codename": "wa18"})
        for version, call in (("HTTP/1.1", self.call), ("HTTP/2", self.call2)):
            with self.subTest(version):
                status, answer = call("Tournament/GetSpectatorToken", joinCode=event["joinCode"])
                self.assertEqual((status, answer.get("code")), (400, "failed_precondition"), answer)
                self.assertIn("the event is private", answer["message"])


class BorrowedIdentityTests(NobodyTests, Base):
    """The user of a Unix socket is a principal."""

    server_arguments = ["--unix-principal", f"{os.getuid()}=1"]
    arguments = ["--allow-host", "club.test"]

    def test_a_stream_without_a_token_is_nobodys_too(self) -> None:
        answer = self.stream("Equipment/WatchItems", {}).read()
        self.assertEqual(answer.get("error", {}).get("code"), "unauthenticated", answer)

    def test_no_caller_says_so_for_itself(self) -> None:
        """The fields of HTTP with the names of the gateway's own metadata are its alone."""
        status, _ = self.call(
            "Account/WhoAmI", token=self.running.token, fields={"quiver-anonymous": "1"})
        self.assertEqual(status, 200)

    def test_only_addresses_localhost_and_configured_names_are_served(self) -> None:
        port = self.running.port
        for host in (f"127.0.0.1:{port}", "localhost", f"LocalHost:{port}", "[::1]", f"[2001:db8::1]:{port}",
                     "192.0.2.7", "club.test", f"Club.Test.:{port}"):  # fmt: skip
            for call in (self.call, self.call2):
                self.assertEqual(call("Health/Check", host=host)[0], 200, host)
        for host in ("evil.example", f"rebind.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example",
                     "club.test.evil.example", "[::1].evil.example", "1", "[", ""):  # fmt: skip
            for call in (self.call, self.call2) if host else (self.call,):
                status, answer = call("Health/Check", host=host)
                self.assertEqual(status, 421, host)
                self.assertIn("--allow-host", answer["text"])
        raw = self.running.connect()
        with raw:
            raw.sendall(proxy_header("192.0.2.1") + b"GET /board/X HTTP/1.1\r\nhost: evil.example\r\n\r\n")
            self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 421 "))

    def test_the_host_of_a_target_counts_like_the_field(self) -> None:
        def status(target: str, host: str) -> bytes:
            with self.running.connect() as raw:
                raw.sendall(proxy_header("192.0.2.1") + f"GET {target} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
                return raw.recv(100).split(b" ", 2)[1]

        for target in ("http://evil.example/board/X", "HTTPS://evil.example:443?a", "http://localhost@evil.example/",
                       "http://evil.example", "http:///board/X"):  # fmt: skip
            self.assertEqual(status(target, "localhost"), b"421", target)
        self.assertEqual(status("http://localhost/board/X", "evil.example"), b"421")
        for target in ("http://localhost/board/X", f"http://127.0.0.1:{self.running.port}/board/X"):
            self.assertEqual(status(target, "localhost"), status("/board/X", "localhost"), target)


class Sidecar:
    """Stands beside a gateway and gives its connections to a server with TLS a certificate."""

    def __init__(self, port: int, folder: pathlib.Path) -> None:
        self.target = port
        self.context = ssl.create_default_context(cafile=folder / "ca.pem")
        self.context.load_cert_chain(folder / "client.pem", folder / "client.key")
        self.context.set_alpn_protocols(["quiver/1"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(near,), daemon=True).start()

    def carry(self, near: socket.socket) -> None:
        """A TLS object is for one thread at a time: what comes from either side is passed on in turns."""
        with near:
            try:
                raw = socket.create_connection(("127.0.0.1", self.target))
                with self.context.wrap_socket(raw, server_hostname="localhost") as far:
                    far.settimeout(0.02)
                    near.settimeout(0.02)
                    while True:
                        for source, sink in ((near, far), (far, near)):
                            try:
                                part = source.recv(65_536)
                            except TimeoutError:
                                continue
                            if not part:
                                return
                            sink.sendall(part)
            except OSError:
                pass

    def end(self) -> None:
        self.listener.close()


class BorrowedCertificateTests(NobodyTests, Base):
    """The certificate of the gateway's connections is bound to the administrator."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        running = cls.running
        running.quiver("certificate", "bind", "1", "quiver:user/archer", "--kind", "uri")
        folder = pathlib.Path(os.environ["QUIVER_CERTIFICATES"])
        port = free_port()
        running.stop()
        running.server_arguments = [
            "--listen", f"tls://127.0.0.1:{port}", "--tls-certificate", f"{folder}/server.pem", "--tls-key",
            f"{folder}/server.key", "--tls-client-ca", f"{folder}/ca.pem", "--tls-client", "required"]  # fmt: skip
        cls.sidecar = Sidecar(port, folder)
        running.gateway_server = cls.sidecar.address
        running.start_server()
        running.start_gateway()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.sidecar.end()
        super().tearDownClass()

    def test_the_connection_of_the_gateway_is_the_administrators(self) -> None:
        """Without this the other tests would say nothing."""
        folder = os.environ["QUIVER_CERTIFICATES"]
        seen = subprocess.run(
            [str(PROGRAMS / "quiver"), "call", "Account/WhoAmI", "--server",
             f"tls://localhost:{self.sidecar.target}", "--ca", f"{folder}/ca.pem", "--certificate",
             f"{folder}/client.pem", "--key", f"{folder}/client.key"],
            text=True, capture_output=True, env={"HOME": self.running.folder}, cwd="/")  # fmt: skip
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertEqual(json.loads(seen.stdout)["principal"]["id"], "1")


class SharedRoom:
    """What streams of nobody take from others."""

    def test_streams_of_nobody_leave_the_calls_of_others_alone(self) -> None:
        refused = 0
        streams = [self.stream("Health/Watch", {}, "198.51.100.9") for _ in range(60)]
        for stream in streams:
            answer = stream.read()
            refused += answer.get("error", {}).get("code") == "resource_exhausted"
        self.assertEqual(refused, 40)
        for _ in range(10):
            self.assertEqual(self.call("Health/Check", "198.51.100.10")[0], 200)
        watch = self.stream("Health/Watch", {}, "198.51.100.10")
        self.assertEqual(watch.read().get("status"), "SERVING_STATUS_SERVING")


class UnknownGatewayTests(SharedRoom, Base):
    """The server does not know the gateway (no --gateway-principal): all callers have its address."""

    arguments = ["--max-anonymous-streams-per-address", "20"]


class AddressTests(SharedRoom, Base):
    server_arguments = ["--gateway-principal", f"{GATEWAY}"]
    arguments = ["--max-anonymous-streams-per-address", "20", "--server-idle-milliseconds", "2000"]

    def test_wrong_codes_are_counted_by_the_address_of_the_caller(self) -> None:
        def attempt(address: str, **fields: str) -> str:
            named = {name.replace("_", "-"): value for name, value in fields.items()}
            answer = self.call(
                "Tournament/GetSpectatorToken", address, fields=named, joinCode="WRONG-CODE-WRONG")[1]
            return answer["code"]

        for number in range(12):
            # The address is the connection's, whatever the caller says.
            last = attempt("198.51.100.1", quiver_caller_address=f"203.0.113.{number}")
        self.assertEqual(last, "resource_exhausted")
        self.assertEqual(attempt("198.51.100.2"), "not_found")
        self.assertEqual(attempt("203.0.113.1"), "not_found")

    def test_a_token_of_a_spectator_repeats_within_a_minute_at_an_address(self) -> None:
        event, _ = self.event()
        wait_until(lambda: time.time() % 60 < 50, 20)
        tokens = {self.spectator(event, "198.51.100.20") for _ in range(20)}
        self.assertEqual(len(tokens), 1)
        self.assertNotIn(self.spectator(event, "198.51.100.21"), tokens)
        self.assertNotIn(self.spectator(self.event()[0], "198.51.100.20"), tokens)

    def test_one_spectator_takes_no_window_of_the_board_or_of_others(self) -> None:
        event, guests = self.event(8)
        token = self.spectator(event, "198.51.100.30")

        def watch(address: str, token: str, **window: object) -> dict:
            return self.stream("Tournament/WatchLeaderboard", {"tournamentId": event["id"], **window}, address, token).read()

        refused = 0
        for guest in guests:
            for around in range(1, 101):
                answer = watch("198.51.100.30", token, aroundParticipantId=guest, around=around)
                refused += "error" in answer
            if refused > 10:
                break
        self.assertGreater(refused, 10)
        for address in ("198.51.100.30", "198.51.100.31"):
            other = self.spectator(event, address)
            for top in (200, 50, 10):
                self.assertIn("rows", watch(address, other, top=top))
            answer = self.call("Events/ListEventCategories", address, other, tournamentId=event["id"])
            for category in answer[1]["categories"]:
                self.assertIn("rows", watch(address, other, top=200, categoryId=category["id"]))
        other = self.spectator(event, "198.51.100.31")
        self.assertIn("rows", watch("198.51.100.31", other, aroundParticipantId=guests[-1], around=77))

    def test_idle_connections_to_the_server_are_closed(self) -> None:
        def descriptors() -> int:
            return len(os.listdir(f"/proc/{self.running.gateway.pid}/fd"))

        event, _ = self.event()
        before = descriptors()
        tokens = {self.spectator(event, f"198.51.100.{100 + number}") for number in range(40)}
        self.assertGreater(len(tokens), 30)
        for token in tokens:
            answer = self.call("Tournament/GetStandings", "198.51.100.40", token, tournamentId=event["id"])
            self.assertEqual(answer[0], 200, answer)
        self.assertTrue(wait_until(lambda: descriptors() <= before + 4, 20), descriptors() - before)


if __name__ == "__main__":
    kit.main()
