"""The gateway under HTTP that is broken, ambiguous, slow or hostile, over plain and TLS sockets."""

from __future__ import annotations

import gzip
import json
import os
import random
import socket
import struct
import subprocess
import threading
import time
import unittest

import h2.config
import h2.connection
import h2.errors
import h2.events

import kit
from running import Running, wait_until

ECHO = "/quiver.v1.Diagnostics/Echo"


def resident(process: subprocess.Popen) -> int:
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def read_all(raw: socket.socket) -> bytes:
    received = b""
    while True:
        try:
            part = raw.recv(65_536)
        except ConnectionError:
            return received
        if not part:
            return received
        received += part


class Base(unittest.TestCase):
    running: Running
    arguments = ["--max-connections-per-address", "300"]

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running(*cls.arguments)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def tearDown(self) -> None:
        """Whatever a case has sent, the next caller is answered."""
        self.assertIsNone(self.running.gateway.poll(), "the gateway has ended")
        self.assertEqual(self.echo("x"), "x")

    def echo(self, text: str) -> str:
        body = json.dumps({"text": text}).encode()
        with self.running.connect() as raw:
            raw.sendall(self.head(len(body)) + body)
            return json.loads(read_all(raw).partition(b"\r\n\r\n")[2])["text"]

    def head(self, length: int, more: str = "connection: close\r\n") -> bytes:
        return (
            f"POST {ECHO} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {self.running.token}\r\n"
            f"content-type: application/json\r\ncontent-length: {length}\r\n{more}\r\n"
        ).encode()


class HTTP1Tests(Base):
    def status(self, request: bytes) -> int:
        with self.running.connect() as raw:
            raw.sendall(request)
            raw.shutdown(socket.SHUT_WR)
            answer = read_all(raw)
            return int(answer.split()[1]) if answer else 0

    def test_ambiguous_requests_are_refused(self) -> None:
        post = f"POST {ECHO} HTTP/1.1\r\n".encode()
        host = b"host: localhost\r\n"
        cases = {
            "two lengths": (post + host + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}", 400),
            "a list of lengths": (post + host + b"content-length: 2, 2\r\n\r\n{}", 400),
            "a signed length": (post + host + b"content-length: +2\r\n\r\n{}", 400),
            "a hexadecimal length": (post + host + b"content-length: 0x2\r\n\r\n{}", 400),
            "length and chunks": (post + host + b"content-length: 2\r\ntransfer-encoding: chunked\r\n"
                                  b"\r\n0\r\n\r\n", 400),
            "chunked twice": (post + host + b"transfer-encoding: chunked\r\n"
                              b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n", 501),
            "another encoding": (post + host + b"transfer-encoding: gzip, chunked\r\n\r\n", 501),
            "an encoding with a tab": (post + host + b"transfer-encoding:\x0bchunked\r\n\r\n", 400),
            "chunked with the Kelvin sign": (post + host + "transfer-encoding: chun\u212aed\r\n\r\n"
                                             "0\r\n\r\n".encode(), 501),
            "a list of encodings with a Kelvin sign": (
                post + host + "transfer-encoding: \u212a, chunked\r\n\r\n0\r\n\r\n".encode(), 501),
            "a length of other digits": (
                post + host + "content-length: \u0662\r\n\r\n{}".encode(), 400),
            "chunks in HTTP/1.0": (f"POST {ECHO} HTTP/1.0\r\n".encode() + host
                                   + b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            "a space before the colon": (post + host + b"content-length : 2\r\n\r\n{}", 400),
            "a folded field": (post + host + b"a: b\r\n c: d\r\n\r\n", 400),
            "a bare line feed": (post + b"host: localhost\n\r\n\r\n", 400),
            "a bare carriage return": (post + b"host: localhost\ry: z\r\n\r\n", 400),
            "a NUL in a field": (post + host + b"a: b\x00c\r\n\r\n", 400),
            "no host": (post + b"\r\n", 400),
            "two hosts": (post + host + host + b"\r\n", 400),
            "no version": (f"POST {ECHO}\r\n\r\n".encode(), 400),
            "another version": (f"POST {ECHO} HTTP/3.0\r\n\r\n".encode() + host, 505),
            "a space in the target": (b"GET /a b HTTP/1.1\r\n" + host + b"\r\n", 400),
            "a target without a slash": (b"GET quiver HTTP/1.1\r\n" + host + b"\r\n", 400),
            "CONNECT": (b"CONNECT x:443 HTTP/1.1\r\n" + host + b"\r\n", 400),
            "an expectation": (post + host + b"expect: gold\r\n\r\n", 417),
            "too many fields": (post + host + b"a: b\r\n" * 200 + b"\r\n", 431),
            "a head that is too large": (post + host + b"a: " + b"b" * 20_000 + b"\r\n\r\n", 431),
            "a head without an end": (post + host + b"a: " + b"b" * 40_000, 431),
        }  # fmt: skip
        for name, (request, expected) in cases.items():
            with self.subTest(name):
                self.assertEqual(self.status(request), expected)

    def test_chunks_that_are_no_chunks_are_refused(self) -> None:
        head = (
            f"POST {ECHO} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            "transfer-encoding: chunked\r\n\r\n"
        ).encode()
        bad = [b"x\r\n", b"-1\r\n", b"1 \r\n", b"fffffffff\r\n", b"1\na", b"1\r\nab\r\n",
               b"2\r\n{}\n", b"0x1\r\n", b"\r\n", b"1;" + b"a" * 300 + b"\r\n",
               b"0\r\n" + b"a: b\r\n" * 2_000]  # fmt: skip
        for chunk in bad:
            with self.subTest(chunk[:20]):
                self.assertIn(self.status(head + chunk), (400, 401))

    def test_trailers_are_neither_fields_nor_requests(self) -> None:
        body = b'{"text":"a"}'
        chunked = self.head(0, "").replace(b"content-length: 0", b"transfer-encoding: chunked")
        trailers = b"content-length: 99\r\ntransfer-encoding: x\r\nauthorization: Bearer x\r\n"
        with self.running.connect() as raw:
            raw.sendall(
                chunked + b"%x;a=b\r\n" % len(body) + body + b"\r\n0\r\n" + trailers + b"\r\n"
                + self.head(len(body)) + body)  # fmt: skip
            answers = read_all(raw)
        self.assertEqual(answers.count(b"HTTP/1.1 200 OK"), 2, answers)
        self.assertEqual(answers.count(b"HTTP/1.1"), 2, answers)

    def test_requests_that_are_not_read_wait_in_bounded_memory(self) -> None:
        before = resident(self.running.gateway)
        request = b"GET /board/assets/board.js HTTP/1.1\r\nhost: localhost\r\n\r\n"
        with self.running.connect() as raw:
            raw.settimeout(1)
            sent = 0
            try:
                while sent < 500_000:
                    raw.sendall(request * 500)
                    sent += 500
            except TimeoutError:
                pass  # it is not read any more
            self.assertLess(resident(self.running.gateway) - before, 20_000)
            self.assertLess(sent, 500_000)
        self.running.expect_nothing_kept()

    def test_requests_behind_each_other_are_answered_in_order(self) -> None:
        with self.running.connect() as raw:
            bodies = [json.dumps({"text": str(number)}).encode() for number in range(20)]
            raw.sendall(b"".join(
                self.head(len(body), "" if index < 19 else "connection: close\r\n") + body
                for index, body in enumerate(bodies)))
            answers = read_all(raw)
        texts = [json.loads(part.partition(b"\r\n")[0])["text"]
                 for part in answers.split(b"\r\n\r\n")[1:]
                 for part in [part.replace(b"HTTP/1.1", b"\r\nHTTP/1.1")]]  # fmt: skip
        self.assertEqual(texts, [str(number) for number in range(20)])

    def test_a_body_that_never_comes_holds_nobody_up(self) -> None:
        waiting = [self.running.connect() for _ in range(50)]
        for raw in waiting:
            raw.sendall(self.head(1_000))
        self.assertEqual(self.echo("gold"), "gold")
        for raw in waiting:
            raw.close()

    def test_incomplete_messages_of_one_address_cost_bounded_memory(self) -> None:
        before = resident(self.running.gateway)
        length = 4_000_000
        head = (
            "POST /quiver.v1.Diagnostics/Sink HTTP/1.1\r\nhost: localhost\r\ncontent-type: "
            f"application/grpc-web\r\nauthorization: Bearer {self.running.token}\r\n"
            f"content-length: {length + 5}\r\n\r\n"
        ).encode() + b"\0" + struct.pack(">I", length)
        waiting = []
        for _ in range(200):
            raw = self.running.connect()
            raw.settimeout(2)
            try:
                raw.sendall(head + bytes(length - 1_000))
            except (ConnectionError, TimeoutError):
                pass  # it was refused
            waiting.append(raw)
        after = resident(self.running.gateway)
        with socket.create_connection(
            ("127.0.0.1", self.running.port), timeout=20, source_address=("127.0.0.2", 0)
        ) as other:
            other.sendall(self.head(2) + b"{}")
            self.assertIn(b"200 OK", read_all(other))
        for raw in waiting:
            raw.close()
        time.sleep(0.5)
        self.assertLess(after - before, 250_000)

    def test_decompressed_messages_of_one_address_count_as_held(self) -> None:
        # Each is 20 KB of gzip for 4 MB, a field that no message has. Its call waits at the server.
        body = gzip.compress(
            b"\x08\xa0\x9c\x01\x7a\x80\x92\xf4\x01" + random.Random(1).randbytes(16_000) + bytes(3_984_000))
        more = "content-encoding: gzip\r\nconnect-timeout-ms: 8000\r\nconnection: close\r\n"
        head = self.head(len(body), more)
        head = head.replace(b"/Echo ", b"/Delay ").replace(b"application/json", b"application/proto")
        before = resident(self.running.gateway)
        waiting = []
        for _ in range(60):
            raw = self.running.connect()
            raw.sendall(head + body)
            waiting.append(raw)
        time.sleep(2)
        after = resident(self.running.gateway)
        answers = [read_all(raw) for raw in waiting]
        refused = sum(b"the address of the caller holds" in answer for answer in answers)
        self.assertGreater(refused, 30, answers[-1])
        self.assertLess(after - before, 250_000)
        for _ in range(100):
            try:
                self.assertEqual(self.echo("x"), "x")
                return
            except (AssertionError, KeyError):
                time.sleep(0.2)
        self.fail("the address is still refused")

    def test_a_bomb_of_gzip_is_refused(self) -> None:
        bomb = gzip.compress(bytes(200_000_000))
        before = resident(self.running.gateway)
        with self.running.connect() as raw:
            raw.sendall(self.head(len(bomb), "content-encoding: gzip\r\nconnection: close\r\n") + bomb)
            answer = read_all(raw)
        self.assertIn(b"resource_exhausted", answer)
        self.assertLess(resident(self.running.gateway) - before, 60_000)

    def test_cut_requests_leave_nothing_behind(self) -> None:
        seed = int(os.environ.get("QUIVER_SEED", "1"))
        generator = random.Random(seed)
        whole = self.head(13) + b'{"text":"abc"}'
        for number in range(300):
            cut = bytearray(whole)
            for _ in range(generator.randrange(4)):
                cut[generator.randrange(len(cut))] = generator.randrange(256)
            with self.subTest(seed=seed, number=number), self.running.connect() as raw:
                raw.sendall(bytes(cut[: generator.randrange(len(cut))]))

    def test_an_address_has_a_limit_of_connections(self) -> None:
        held = []
        refused = 0
        for _ in range(400):
            raw = self.running.connect()
            held.append(raw)
        for raw in held:
            raw.settimeout(0.05)
            try:
                refused += raw.recv(1) == b""
            except TimeoutError:
                pass
            except ConnectionError:
                refused += 1
        for raw in held:
            raw.close()
        self.assertGreaterEqual(refused, 100)
        for _ in range(100):
            with self.running.connect() as raw:
                raw.sendall(b"GET /board/ABC HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                if read_all(raw).startswith(b"HTTP/1.1 200"):
                    return
            time.sleep(0.1)
        self.fail("a caller is still refused")


class EndlessBodyTests(Base):
    """Calls that end before the bodies of their requests, which never end."""

    arguments = ["--max-open-requests", "200"]

    def post(self, raw: socket.socket, path: str, body: bytes, more: str = "") -> None:
        raw.sendall((
            f"POST /quiver.v1.{path} HTTP/1.1\r\nhost: localhost\r\n{more}"
            "content-type: application/connect+json\r\ntransfer-encoding: chunked\r\n\r\n"
            f"{len(body) + 5:x}\r\n").encode() + b"\0" + struct.pack(">I", len(body)) + body
            + b"\r\n")  # fmt: skip

    def expect_room(self) -> None:
        self.running.expect_nothing_kept()
        self.assertTrue(wait_until(lambda: self.running.probe("/readyz") == (200, "ok\n")))
        self.assertEqual(self.echo("x"), "x")

    def test_streams_that_are_refused_are_released(self) -> None:
        for _ in range(300):
            with self.running.connect() as raw:
                self.post(raw, "Tournament/SyncOperations", b"{}")
                self.assertIn(b"unauthenticated", read_all(raw))
        self.expect_room()

    def test_streams_that_fail_are_released(self) -> None:
        cases = [
            ("Logbook/ImportSets", b'{"sets": 1}', b"invalid_argument"),
            ("Diagnostics/FailStream", b'{"code": 9}', b"failed_precondition"),
        ]
        for number in range(300):
            path, body, expected = cases[number % 2]
            with self.running.connect() as raw:
                self.post(raw, path, body, f"authorization: Bearer {self.running.token}\r\n")
                self.assertIn(expected, read_all(raw))
        self.expect_room()

    def test_callers_that_leave_are_released(self) -> None:
        paths = ["Tournament/SyncOperations", "Diagnostics/EchoStream", "Diagnostics/Sink"]
        for number in range(300):
            with self.running.connect() as raw:
                self.post(raw, paths[number % 3], b"{}",
                          f"authorization: Bearer {self.running.token}\r\n")  # fmt: skip
        self.expect_room()

    def test_a_gateway_that_can_take_nothing_is_not_ready(self) -> None:
        held = [self.running.connect() for _ in range(201)]
        for raw in held:
            raw.sendall(self.head(1_000))
        # A gateway that has just begun is not ready for another reason.
        self.assertTrue(wait_until(lambda: "200 open requests" in self.running.probe("/readyz")[1]))
        self.assertEqual(self.running.probe("/readyz")[0], 503)
        for raw in held:
            raw.close()
        self.expect_room()


class HTTP2Base(Base):
    def connection(self) -> tuple[socket.socket, h2.connection.H2Connection]:
        raw = self.running.connect()
        config = h2.config.H2Configuration(client_side=True, validate_outbound_headers=False)
        connection = h2.connection.H2Connection(config)
        connection.initiate_connection()
        raw.sendall(connection.data_to_send())
        return raw, connection

    def request(self, **changes: str) -> list[tuple[str, str]]:
        fields = {
            ":method": "POST", ":scheme": "http", ":authority": "localhost", ":path": ECHO,
            "content-type": "application/json",
            "authorization": "Bearer " + self.running.token, **changes,
        }  # fmt: skip
        return list(fields.items())

    def events(self, raw, connection, until, seconds: float = 20):
        """Events until one is of a kind, or the connection ends."""
        found = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                data = raw.recv(65_536)
            except ConnectionError:
                return found
            if not data:
                return found
            new = connection.receive_data(data)
            found += new
            raw.sendall(connection.data_to_send())
            if any(isinstance(event, until) for event in new):
                return found
        self.fail(f"no {until} within {seconds} s")


class OpenRequestTests(HTTP2Base):
    arguments = ["--max-open-requests-per-address", "250"]

    def test_an_address_has_a_limit_of_open_requests(self) -> None:
        held = []
        for _ in range(4):
            raw, connection = self.connection()
            self.events(raw, connection, h2.events.RemoteSettingsChanged)
            for index in range(90):
                # A head alone: the body never comes.
                connection.send_headers(2 * index + 1, self.request())
            raw.sendall(connection.data_to_send())
            held.append((raw, connection))
        raw, connection = held[-1]
        refusal = self.events(raw, connection, h2.events.StreamEnded)
        body = b"".join(
            event.data for event in refusal if isinstance(event, h2.events.DataReceived))
        self.assertIn(b"250 open requests", body)
        with socket.create_connection(
            ("127.0.0.1", self.running.port), timeout=20, source_address=("127.0.0.3", 0)
        ) as other:
            other.sendall(
                b"POST /quiver.v1.Health/Check HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
                b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{}")
            self.assertIn(b"200 OK", read_all(other))
        for raw, _ in held:
            raw.close()
        for _ in range(100):
            try:
                self.assertEqual(self.echo("x"), "x")
                return
            except (AssertionError, KeyError):
                time.sleep(0.1)
        self.fail("the address is still refused")


class HTTP2Tests(HTTP2Base):
    def test_a_thousand_calls_at_once_are_answered(self) -> None:
        raw, connection = self.connection()
        self.events(raw, connection, h2.events.RemoteSettingsChanged)
        answered = 0
        opened = 0
        while answered < 1_000:
            while opened < 1_000 and connection.open_outbound_streams < 90:
                stream = connection.get_next_available_stream_id()
                connection.send_headers(stream, self.request())
                connection.send_data(stream, b'{"text":"x"}', end_stream=True)
                opened += 1
            raw.sendall(connection.data_to_send())
            for event in self.events(raw, connection, h2.events.StreamEnded):
                answered += isinstance(event, h2.events.StreamEnded)
        raw.close()

    def test_more_streams_than_allowed_are_refused(self) -> None:
        raw, connection = self.connection()
        connection.remote_settings.max_concurrent_streams = 1_000
        for _ in range(101):
            connection.send_headers(connection.get_next_available_stream_id(), self.request())
        raw.sendall(connection.data_to_send())
        found = self.events(raw, connection, (h2.events.StreamReset, h2.events.ConnectionTerminated))
        codes = [event.error_code for event in found if isinstance(event, h2.events.StreamReset)]
        self.assertEqual(codes, [h2.errors.ErrorCodes.REFUSED_STREAM])
        raw.close()

    def test_a_rapid_reset_ends_the_connection(self) -> None:
        raw, connection = self.connection()
        try:
            for _ in range(5_000):
                stream = connection.get_next_available_stream_id()
                connection.send_headers(stream, self.request())
                connection.reset_stream(stream)
                raw.sendall(connection.data_to_send())
            found = self.events(raw, connection, h2.events.ConnectionTerminated)
            self.assertTrue(any(isinstance(e, h2.events.ConnectionTerminated) for e in found))
        except ConnectionError:
            pass  # it is closed already
        raw.close()

    def frames_end_it(self, frames: bytes) -> None:
        raw, connection = self.connection()
        self.events(raw, connection, h2.events.RemoteSettingsChanged)
        try:
            raw.sendall(frames)
            found = self.events(raw, connection, h2.events.ConnectionTerminated)
            codes = [e.error_code for e in found if isinstance(e, h2.events.ConnectionTerminated)]
            self.assertNotIn(h2.errors.ErrorCodes.NO_ERROR, codes)
        except ConnectionError:
            pass
        raw.close()

    @staticmethod
    def frame(kind: int, flags: int, stream: int, payload: bytes, length: int | None = None) -> bytes:
        size = len(payload) if length is None else length
        return struct.pack(">I", size)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

    def test_frames_that_break_the_protocol_end_the_connection(self) -> None:
        cases = {
            "DATA on stream 0": self.frame(0, 0, 0, b"x"),
            "DATA on an idle stream": self.frame(0, 0, 1, b"x"),
            "HEADERS on stream 0": self.frame(1, 4, 0, b"\x82"),
            "HEADERS on an even stream": self.frame(1, 5, 2, b"\x82\x87\x84"),
            "a block that is no HPACK": self.frame(1, 5, 1, b"\xff\xff\xff\xff\xff\xff"),
            "CONTINUATION without HEADERS": self.frame(9, 4, 1, b"\x82"),
            "another frame within a block": self.frame(1, 1, 1, b"\x82") + self.frame(6, 0, 0, bytes(8)),
            "RST_STREAM on an idle stream": self.frame(3, 0, 1, bytes(4)),
            "RST_STREAM of a wrong length": self.frame(3, 0, 1, bytes(3)),
            "SETTINGS on a stream": self.frame(4, 0, 1, b""),
            "SETTINGS of a wrong length": self.frame(4, 0, 0, bytes(5)),
            "an acknowledgement with settings": self.frame(4, 1, 0, bytes(6)),
            "a window above 2^31": self.frame(4, 0, 0, struct.pack(">HI", 4, 2**31)),
            "a frame size below 16384": self.frame(4, 0, 0, struct.pack(">HI", 5, 100)),
            "PUSH_PROMISE from a client": self.frame(5, 4, 1, bytes(4) + b"\x82"),
            "PING of a wrong length": self.frame(6, 0, 0, bytes(7)),
            "PING on a stream": self.frame(6, 0, 1, bytes(8)),
            "GOAWAY on a stream": self.frame(7, 0, 1, bytes(8)),
            "WINDOW_UPDATE of 0": self.frame(8, 0, 0, bytes(4)),
            "a window that overflows": self.frame(8, 0, 0, struct.pack(">I", 2**31 - 1)) * 2,
            "a frame above the limit": self.frame(0, 0, 1, b"", length=16_777_215) + bytes(70_000),
            "a flood of SETTINGS": self.frame(4, 0, 0, b"") * 20_000,
            "a flood of PING": self.frame(6, 0, 0, bytes(8)) * 200_000,
            "a flood of CONTINUATION": self.frame(1, 1, 1, b"\x82")
            + self.frame(9, 0, 1, b"\x00\x01a\x01b" * 1_000) * 200,
        }  # fmt: skip
        for name, frames in cases.items():
            with self.subTest(name):
                self.frames_end_it(frames)

    def stream_error(self, fields: list[tuple[str, str]]) -> bool:
        """Whether a request is reset, or answered by a status of 400 or more."""
        raw, connection = self.connection()
        connection.config.normalize_outbound_headers = False
        stream = connection.get_next_available_stream_id()
        connection.send_headers(stream, fields, end_stream=True)
        raw.sendall(connection.data_to_send())
        found = self.events(
            raw, connection,
            (h2.events.StreamReset, h2.events.ResponseReceived, h2.events.ConnectionTerminated))
        raw.close()
        for event in found:
            if isinstance(event, h2.events.ResponseReceived):
                status = dict((bytes(k), bytes(v)) for k, v in event.headers)[b":status"]
                return int(status) >= 400
        return True

    def test_malformed_requests_are_refused(self) -> None:
        good = self.request()
        cases = {
            "no method": [field for field in good if field[0] != ":method"],
            "no path": [field for field in good if field[0] != ":path"],
            "an empty path": [(n, "" if n == ":path" else v) for n, v in good],
            "two paths": [(":path", "/")] + good,
            "an unknown pseudo field": [(":gold", "1")] + good,
            "a pseudo field behind the others": good[1:] + [good[0]],
            "a name in upper case": good + [("Gold", "1")],
            "connection": good + [("connection", "close")],
            "te other than trailers": good + [("te", "gzip")],
            "transfer-encoding": good + [("transfer-encoding", "chunked")],
            "a head that is too large": good + [("a" + str(n), "b" * 1_000) for n in range(30)],
        }  # fmt: skip
        for name, fields in cases.items():
            with self.subTest(name):
                self.assertTrue(self.stream_error(fields))

    def test_a_reader_that_gives_no_window_costs_bounded_memory(self) -> None:
        before = resident(self.running.gateway)
        connections = []
        body = b'{"count":100000,"size":100000}'
        message = b"\x00" + struct.pack(">I", len(body)) + body
        for _ in range(10):
            raw, connection = self.connection()
            connection.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
            for _ in range(50):
                stream = connection.get_next_available_stream_id()
                connection.send_headers(stream, self.request(**{
                    ":path": "/quiver.v1.Diagnostics/Source",
                    "content-type": "application/connect+json"}))  # fmt: skip
                connection.send_data(stream, message, end_stream=True)
            raw.sendall(connection.data_to_send())
            connections.append(raw)
        time.sleep(2)
        self.assertEqual(self.echo("gold"), "gold")
        after = resident(self.running.gateway)
        for raw in connections:
            raw.close()
        # Of each of the 500 streams one message of 133 kB waits here, and one of 100 kB before it.
        self.assertLess(after - before, 200_000)


class TLSTests(unittest.TestCase):
    def test_both_versions_over_tls(self) -> None:
        folder = os.environ["QUIVER_CERTIFICATES"]
        running = Running(tls=(f"{folder}/server.pem", f"{folder}/server.key"))
        for version, shown in (("--http1.1", "1.1"), ("--http2", "2")):
            answer = subprocess.run(
                ["curl", "--silent", "--show-error", version, "--cacert", f"{folder}/ca.pem",
                 "--connect-to", f"localhost:{running.tls_port}:127.0.0.1:{running.tls_port}",
                 "-H", "authorization: Bearer " + running.token, "-H",
                 "content-type: application/json", "-d", '{"text":"x"}', "-w", " %{http_version}",
                 f"https://localhost:{running.tls_port}{ECHO}"],
                check=True, stdout=subprocess.PIPE, text=True).stdout  # fmt: skip
            self.assertEqual(answer, '{"text":"x"} ' + shown)
        with running.connect(tls=True) as raw:
            raw.sendall(b"nonsense\r\n\r\n")
            self.assertIn(b"400", read_all(raw))
        running.end()


class DescriptionTests(unittest.TestCase):
    """A gateway without a token of its own reads the methods of the server with its callers' tokens."""

    def test_the_refusal_of_one_caller_is_not_the_answer_to_another(self) -> None:
        running = Running()
        wrong = "qv_" + "A" * 43
        for _ in range(5):
            running.gateway.terminate()
            self.assertEqual(running.gateway.wait(30), 0)
            running.start_gateway(has_token=False)
            barrier = threading.Barrier(24)
            statuses: dict[str, list[int]] = {wrong: [], running.token: []}

            def call(token: str) -> None:
                with running.connect() as raw:
                    barrier.wait()
                    raw.sendall((
                        f"POST {ECHO} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n"
                        "content-type: application/json\r\ncontent-length: 2\r\n"
                        "connection: close\r\n\r\n{}").encode())  # fmt: skip
                    statuses[token].append(int(read_all(raw).split()[1]))

            tokens = [wrong] * 16 + [running.token] * 8
            callers = [threading.Thread(target=call, args=(token,)) for token in tokens]
            for caller in callers:
                caller.start()
            for caller in callers:
                caller.join()
            self.assertEqual(statuses[running.token], [200] * 8)
            self.assertEqual(len(statuses[wrong]), 16)
            # 429: too many wrong tokens of one address.
            self.assertLessEqual(set(statuses[wrong]), {401, 429})
        running.end()


class DrainTests(unittest.TestCase):
    def test_open_calls_end_well_when_the_gateway_is_ended(self) -> None:
        running = Running()
        body = b'{"delayMs":8000}'
        with running.connect() as raw, running.connect() as idle:
            raw.sendall((
                f"POST /quiver.v1.Diagnostics/Delay HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer "
                f"{running.token}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
                "\r\n\r\n").encode() + body)
            running.wait_for_calls(2)
            running.gateway.terminate()
            self.assertEqual(read_all(idle), b"")
            self.assertTrue(read_all(raw).startswith(b"HTTP/1.1 200"))
        self.assertEqual(running.gateway.wait(30), 0)
        running.start_gateway()
        running.end()


if __name__ == "__main__":
    kit.main()
