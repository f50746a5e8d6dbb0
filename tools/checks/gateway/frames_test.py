"""The cases of h2spec's list, played with raw frames.

The names follow the sections of RFC 9113 and, behind "hpack", RFC 7541. h2spec itself is a program
in Go that Debian does not have; its list of cases is followed, its code is not."""

from __future__ import annotations

import dataclasses
import socket
import struct
import time
import unittest
from collections.abc import Callable

import kit
from running import Running

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, PRIORITY_FLAG, ACK = 1, 4, 8, 32, 1
PROTOCOL, FLOW, TIMEOUT, CLOSED, SIZE, REFUSED, COMPRESSION, ENHANCE = 1, 3, 4, 5, 6, 7, 9, 11
INITIAL_WINDOW, MAX_FRAME = 4, 5
BOARD = "/board/ABCD"
# Stands between two parts that are sent half a second apart.
PAUSE = b"--pause--"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", length: int | None = None) -> bytes:
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name: str, value: str, first: int = 0) -> bytes:
    """A field that is not indexed, in HPACK without Huffman's code."""
    return (bytes([first, len(name)]) + name.encode() + bytes([len(value)]) + value.encode())


def block(*fields: tuple[str, str]) -> bytes:
    return b"".join(literal(*field) for field in fields)


GOOD = [(":method", "GET"), (":scheme", "http"), (":path", BOARD), (":authority", "localhost")]
POST = [(":method", "POST"), (":scheme", "http"), (":path", "/quiver.v1.Health/Check"),
        (":authority", "localhost"), ("content-type", "application/json")]  # fmt: skip


def get(stream: int = 1, flags: int = END_STREAM | END_HEADERS) -> bytes:
    return frame(HEADERS, flags, stream, block(*GOOD))


def post(stream: int = 1, flags: int = END_HEADERS, *more: tuple[str, str]) -> bytes:
    return frame(HEADERS, flags, stream, block(*POST, *more))


def without(name: str) -> bytes:
    return frame(HEADERS, 5, 1, block(*[field for field in GOOD if field[0] != name]))


def fields(*more: tuple[str, str]) -> bytes:
    return frame(HEADERS, 5, 1, block(*GOOD, *more))


def setting(name: int, value: int) -> bytes:
    return frame(SETTINGS, 0, 0, struct.pack(">HI", name, value))


def window(stream: int, increment: int) -> bytes:
    return frame(WINDOW, 0, stream, struct.pack(">I", increment))


@dataclasses.dataclass
class Frame:
    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self) -> int:
        return int.from_bytes(self.payload[4:8] if self.kind == GOAWAY else self.payload[:4], "big")


class Wire:
    """A connection that has greeted and been greeted."""

    def __init__(self, running: Running, greeting: bytes = PREFACE + frame(SETTINGS, 0, 0)) -> None:
        self.raw = running.connect()
        self.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.send(greeting)

    def send(self, data: bytes) -> None:
        try:
            for index, part in enumerate(data.split(PAUSE)):
                time.sleep(0.5 * min(index, 1))
                self.raw.sendall(part)
        except ConnectionError:
            pass  # what it answered before can still be read

    def read(self, seconds: float = 10) -> Frame | None:
        """The next frame; nil at the end of the connection."""
        end = time.monotonic() + seconds
        while True:
            if len(self.buffer) >= 9:
                length = int.from_bytes(self.buffer[:3], "big")
                if len(self.buffer) >= 9 + length:
                    found = Frame(
                        self.buffer[3], self.buffer[4],
                        int.from_bytes(self.buffer[5:9], "big"), self.buffer[9 : 9 + length])  # fmt: skip
                    self.buffer = self.buffer[9 + length :]
                    return found
            self.raw.settimeout(max(0.01, end - time.monotonic()))
            try:
                part = self.raw.recv(65_536)
            except ConnectionError:
                return None
            if not part:
                return None
            self.buffer += part

    def until(self, isWanted: Callable[[Frame], bool]) -> Frame | None:
        while (found := self.read()) is not None:
            if found.kind == GOAWAY or isWanted(found):
                return found
        return None


# Each case: what is sent after the greeting, and the codes with which the connection may end.
CONNECTION_ERRORS: dict[str, tuple[bytes, tuple[int, ...]]] = {
    "4.2 DATA above the largest frame": (
        post() + frame(DATA, 0, 1, bytes(16_385)), (SIZE,)),
    "4.2 HEADERS above the largest frame": (
        frame(HEADERS, 5, 1, block(*GOOD) + literal("a", "b" * 100) * 200), (SIZE,)),
    "4.3 a block that is no HPACK": (frame(HEADERS, 5, 1, b"\x40"), (COMPRESSION,)),
    "4.3 PRIORITY within a block": (
        get(1, END_STREAM) + frame(PRIORITY, 0, 1, bytes(5)), (PROTOCOL,)),
    "4.3 HEADERS of another stream within a block": (get(1, END_STREAM) + get(3), (PROTOCOL,)),
    "5.1 idle: DATA": (frame(DATA, END_STREAM, 1, b"x"), (PROTOCOL,)),
    "5.1 idle: RST_STREAM": (frame(RESET, 0, 1, bytes(4)), (PROTOCOL,)),
    "5.1 idle: WINDOW_UPDATE": (window(1, 100), (PROTOCOL,)),
    "5.1 idle: CONTINUATION": (frame(CONTINUATION, 4, 1, block(*GOOD)), (PROTOCOL,)),
    "5.1 half closed: CONTINUATION": (
        get() + frame(CONTINUATION, 4, 1, block(("a", "b"))), (PROTOCOL, CLOSED)),
    "5.1 closed by RST_STREAM: CONTINUATION": (
        post() + frame(RESET, 0, 1, bytes(4)) + frame(CONTINUATION, 4, 1, block(("a", "b"))),
        (PROTOCOL, CLOSED)),
    "5.1.1 an even number": (get(2), (PROTOCOL,)),
    "5.1.1 a smaller number": (get(5) + get(3), (PROTOCOL, CLOSED)),
    "5.5 an unknown frame within a block": (
        get(1, END_STREAM) + frame(22, 0, 1, bytes(8)), (PROTOCOL,)),
    "6.1 DATA on stream 0": (frame(DATA, END_STREAM, 0, b"x"), (PROTOCOL,)),
    "6.1 padding above the payload": (
        post() + frame(DATA, END_STREAM | PADDED, 1, b"\x06abcde"), (PROTOCOL,)),
    "6.2 HEADERS on stream 0": (get(0), (PROTOCOL,)),
    "6.2 padding above the payload": (
        frame(HEADERS, 5 | PADDED, 1, b"\xff" + block(*GOOD)), (PROTOCOL,)),
    "6.3 PRIORITY on stream 0": (frame(PRIORITY, 0, 0, bytes(5)), (PROTOCOL,)),
    "6.4 RST_STREAM on stream 0": (frame(RESET, 0, 0, bytes(4)), (PROTOCOL,)),
    "6.4 RST_STREAM of three bytes": (post() + frame(RESET, 0, 1, bytes(3)), (SIZE,)),
    "6.5 an acknowledgement with settings": (frame(SETTINGS, ACK, 0, bytes(6)), (SIZE,)),
    "6.5 SETTINGS on a stream": (frame(SETTINGS, 0, 1, bytes(6)), (PROTOCOL,)),
    "6.5 SETTINGS of three bytes": (frame(SETTINGS, 0, 0, bytes(3)), (SIZE,)),
    "6.5.2 push that is neither 0 nor 1": (setting(2, 2), (PROTOCOL,)),
    "6.5.2 a window above 2^31 - 1": (setting(INITIAL_WINDOW, 2**31), (FLOW,)),
    "6.5.2 a frame below 2^14": (setting(MAX_FRAME, 2**14 - 1), (PROTOCOL,)),
    "6.5.2 a frame above 2^24 - 1": (setting(MAX_FRAME, 2**24), (PROTOCOL,)),
    "6.7 PING on a stream": (frame(PING, 0, 1, bytes(8)), (PROTOCOL,)),
    "6.7 PING of six bytes": (frame(PING, 0, 0, bytes(6)), (SIZE,)),
    "6.8 GOAWAY on a stream": (frame(GOAWAY, 0, 1, bytes(8)), (PROTOCOL,)),
    "6.9 WINDOW_UPDATE of 0": (window(0, 0), (PROTOCOL,)),
    "6.9 WINDOW_UPDATE of three bytes": (frame(WINDOW, 0, 0, bytes(3)), (SIZE,)),
    "6.9.1 a window of the connection above 2^31 - 1": (window(0, 2**31 - 1) * 2, (FLOW,)),
    "5.1 closed by both sides: HEADERS": (
        get(1) + frame(PING, 0, 0, bytes(8)) + PAUSE + get(1), (CLOSED,)),
    "6.10 another frame between CONTINUATIONs": (
        get(1, END_STREAM) + frame(CONTINUATION, 0, 1, block(("a", "b"))) + frame(DATA, 1, 1, b"x"),
        (PROTOCOL,)),
    "6.10 CONTINUATION on stream 0": (
        get(1, END_STREAM) + frame(CONTINUATION, 4, 0, block(("a", "b"))), (PROTOCOL,)),
    "6.10 CONTINUATION behind a whole HEADERS": (
        post() + frame(CONTINUATION, 4, 1, block(("a", "b"))), (PROTOCOL,)),
    "6.10 CONTINUATION behind the last CONTINUATION": (
        post(1, 0) + frame(CONTINUATION, 4, 1, block(("a", "b"))) * 2, (PROTOCOL,)),
    "6.10 CONTINUATION behind DATA": (
        post() + frame(DATA, 0, 1, b"x") + frame(CONTINUATION, 4, 1, block(("a", "b"))), (PROTOCOL,)),
    "8.4 PUSH_PROMISE from a client": (
        frame(PUSH, 4, 1, struct.pack(">I", 2) + block(*GOOD)), (PROTOCOL,)),
    "hpack 2.3.3 an index beyond the tables": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\xc6"), (COMPRESSION,)),
    "hpack 2.3.3 a literal whose name is beyond the tables": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\x7f\x7f\x01x"), (COMPRESSION,)),
    "hpack 4.2 a change of the table's size at the end of a block": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\x20"), (COMPRESSION,)),
    "hpack 5.2 padding of Huffman's code above seven bits": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\x00\x01a\x82\x1f\xff"), (COMPRESSION,)),
    "hpack 5.2 padding of Huffman's code with zeros": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\x00\x01a\x81\x18"), (COMPRESSION,)),
    "hpack 5.2 the end of the string in Huffman's code": (
        frame(HEADERS, 5, 1, block(*GOOD) + b"\x00\x01a\x84\xff\xff\xff\xff"), (COMPRESSION,)),
    "hpack 6.1 the index 0": (frame(HEADERS, 5, 1, block(*GOOD) + b"\x80"), (COMPRESSION,)),
    "hpack 6.3 a table above the agreed size": (
        frame(HEADERS, 5, 1, b"\x3f\xe2\x1f" + block(*GOOD)), (COMPRESSION,)),
}  # fmt: skip

# What is sent, and the codes with which the stream, or the connection, may end.
STREAM_ERRORS: dict[str, tuple[bytes, tuple[int, ...]]] = {
    "5.1 half closed: DATA": (get() + frame(DATA, END_STREAM, 1, b"x"), (CLOSED,)),
    "5.1 half closed: HEADERS": (get() + get(), (CLOSED, PROTOCOL)),
    "5.1 closed by RST_STREAM: HEADERS": (
        post() + frame(RESET, 0, 1, bytes(4)) + get(1), (CLOSED, PROTOCOL)),
    "5.3.1 HEADERS that depends on itself": (
        frame(HEADERS, 5 | PRIORITY_FLAG, 1, struct.pack(">IB", 1, 15) + block(*GOOD)), (PROTOCOL,)),
    "6.3 PRIORITY of four bytes": (post() + frame(PRIORITY, 0, 1, bytes(4)), (SIZE,)),
    "6.9 WINDOW_UPDATE of 0 on a stream": (post() + window(1, 0), (PROTOCOL,)),
    # The RFC wants the connection to end; libnghttp2 resets the stream.
    "6.9.2 a setting that makes a window too large": (
        post() + window(1, 2**31 - 1 - 65_535) + setting(INITIAL_WINDOW, 65_536), (FLOW,)),
    "6.9.1 a window of a stream above 2^31 - 1": (post() + window(1, 2**31 - 1) * 2, (FLOW,)),
    "8.1 HEADERS behind HEADERS without the end": (post() + post(), (PROTOCOL,)),
    "8.2.1 a name in upper case": (fields(("Gold", "1")), (PROTOCOL,)),
    "8.2.1 a line feed in a value": (fields(("a", "b\nc: d")), (PROTOCOL,)),
    "8.2.1 a NUL in a value": (fields(("a", "b\0")), (PROTOCOL,)),
    "8.2.1 a space in a name": (fields(("a b", "c")), (PROTOCOL,)),
    "8.2.2 connection": (fields(("connection", "keep-alive")), (PROTOCOL,)),
    "8.2.2 te that is not trailers": (fields(("te", "trailers, deflate")), (PROTOCOL,)),
    "8.2.2 transfer-encoding": (fields(("transfer-encoding", "chunked")), (PROTOCOL,)),
    "8.2.2 upgrade": (fields(("upgrade", "h2c")), (PROTOCOL,)),
    "8.3 an unknown pseudo field": (
        frame(HEADERS, 5, 1, block((":test", "ok"), *GOOD)), (PROTOCOL,)),
    "8.3 the pseudo field of a response": (
        frame(HEADERS, 5, 1, block((":status", "200"), *GOOD)), (PROTOCOL,)),
    "8.3 a pseudo field behind others": (
        frame(HEADERS, 5, 1, block(("a", "b"), *GOOD)), (PROTOCOL,)),
    "8.3 a pseudo field in trailers": (
        post() + frame(HEADERS, 5, 1, block((":method", "POST"))), (PROTOCOL,)),
    "8.3.1 an empty path": (
        frame(HEADERS, 5, 1, block(*[(n, "" if n == ":path" else v) for n, v in GOOD])), (PROTOCOL,)),
    "8.3.1 no method": (without(":method"), (PROTOCOL,)),
    "8.3.1 no scheme": (without(":scheme"), (PROTOCOL,)),
    "8.3.1 no path": (without(":path"), (PROTOCOL,)),
    "8.3.1 two methods": (frame(HEADERS, 5, 1, block(GOOD[0], *GOOD)), (PROTOCOL,)),
    "8.3.1 two schemes": (frame(HEADERS, 5, 1, block(GOOD[1], *GOOD)), (PROTOCOL,)),
    "8.3.1 two paths": (frame(HEADERS, 5, 1, block(GOOD[2], *GOOD)), (PROTOCOL,)),
    "8.1.1 a length above the body": (
        post(1, 4, ("content-length", "8")) + frame(DATA, END_STREAM, 1, b"{}"), (PROTOCOL,)),
    "8.1.1 a length that several frames exceed": (
        post(1, 4, ("content-length", "3")) + frame(DATA, 0, 1, b"{}") + frame(DATA, 1, 1, b"{}"),
        (PROTOCOL,)),
}  # fmt: skip

# What is sent before a GET on stream 101 that must be answered.
HARMLESS: dict[str, bytes] = {
    "3.4 a preface alone": b"",
    "4.1 an unknown frame": frame(22, 0, 0, bytes(8)),
    "4.1 unknown flags": frame(PING, 0x16, 0, bytes(8)),
    "4.1 the reserved bit": frame(PING, 0, 2**31, bytes(8)),
    "4.2 DATA of 2^14 bytes": post(99) + frame(DATA, END_STREAM, 99, b" " * 16_384),
    "5.1 idle: PRIORITY": frame(PRIORITY, 0, 1, bytes(4) + b"\xff"),
    "5.1 half closed: WINDOW_UPDATE": get(99) + window(99, 1),
    "5.1 half closed: PRIORITY": get(99) + frame(PRIORITY, 0, 99, bytes(4) + b"\xff"),
    "5.1 half closed: RST_STREAM": get(99) + frame(RESET, 0, 99, struct.pack(">I", 8)),
    "5.5 an unknown frame on a stream": get(99) + frame(200, 0, 99, bytes(100)),
    "6.1 DATA with padding": post(99) + frame(DATA, END_STREAM | PADDED, 99, b"\x04{}" + bytes(4)),
    "6.1 an empty DATA": post(99) + frame(DATA, END_STREAM, 99),
    "6.2 HEADERS with padding": frame(HEADERS, 5 | PADDED, 99, b"\x08" + block(*GOOD) + bytes(8)),
    "6.2 HEADERS with a priority": frame(
        HEADERS, 5 | PRIORITY_FLAG, 99, struct.pack(">IB", 0, 200) + block(*GOOD)),
    "6.3 a circle of priorities": frame(PRIORITY, 0, 95, struct.pack(">IB", 97, 1))
    + frame(PRIORITY, 0, 97, struct.pack(">IB", 95, 1)),
    "6.5 several SETTINGS": setting(INITIAL_WINDOW, 100) + setting(INITIAL_WINDOW, 65_535),
    "6.5.2 an unknown setting": setting(0x99, 1),
    "6.5.3 the same setting twice": frame(
        SETTINGS, 0, 0, struct.pack(">HIHI", INITIAL_WINDOW, 1, INITIAL_WINDOW, 65_535)),
    "6.7 an acknowledgement of no PING": frame(PING, ACK, 0, bytes(8)),
    "6.9 windows of the connection and a stream": window(0, 100) + post(99) + window(99, 100),
    "6.10 several CONTINUATIONs": frame(HEADERS, END_STREAM, 99, block(*GOOD))
    + frame(CONTINUATION, 0, 99, block(("a", "b"))) + frame(CONTINUATION, 4, 99, block(("c", "d"))),
    "7 RST_STREAM with an unknown code": post(99) + frame(RESET, 0, 99, b"\0\0\0\xff"),
    "8.1 a body with trailers": post(99) + frame(DATA, 0, 99, b"{}")
    + frame(HEADERS, 5, 99, block(("checksum", "1"))),
    "hpack 4.2 a smaller table": frame(HEADERS, 5, 99, b"\x20" + block(*GOOD)),
    "hpack 6.1 fields by their index": frame(HEADERS, 5, 99, b"\x82\x86\x84"),
    "hpack 6.2.1 a field that is added to the table": frame(
        HEADERS, 5, 97, block(*GOOD) + literal("gold", "1", 0x40))
    + frame(HEADERS, 5, 99, block(*GOOD) + b"\xbe"),
    "hpack 6.2.3 a field that is never indexed": frame(
        HEADERS, 5, 99, block(*GOOD) + literal("gold", "1", 0x10)),
    "hpack 5.2 a value in Huffman's code": frame(
        HEADERS, 5, 99, block(*GOOD) + b"\x00\x01a\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff"),
}  # fmt: skip


class FrameTests(unittest.TestCase):
    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def tearDown(self) -> None:
        self.assertIsNone(self.running.gateway.poll(), "the gateway has ended")

    def test_errors_of_the_connection_end_it_with_their_code(self) -> None:
        for name, (sent, codes) in CONNECTION_ERRORS.items():
            with self.subTest(name):
                wire = Wire(self.running)
                wire.send(sent)
                found = wire.until(lambda _: False)
                assert found is not None, "the connection closed without GOAWAY"
                self.assertIn(found.code, codes)
                while (more := wire.read()) is not None:
                    self.assertEqual(more.kind, GOAWAY, "a frame behind GOAWAY")
                wire.raw.close()

    def test_errors_of_a_stream_end_it_with_their_code(self) -> None:
        for name, (sent, codes) in STREAM_ERRORS.items():
            with self.subTest(name):
                wire = Wire(self.running)
                wire.send(sent)
                found = wire.until(lambda frame: frame.kind == RESET)
                assert found is not None, "the connection closed without a word"
                self.assertIn(found.code, codes)
                wire.raw.close()

    def test_what_is_allowed_does_no_harm(self) -> None:
        for name, sent in HARMLESS.items():
            with self.subTest(name):
                wire = Wire(self.running)
                wire.send(sent + get(101))
                found = wire.until(lambda frame: frame.kind == HEADERS and frame.stream == 101)
                assert found is not None, "the connection closed"
                self.assertEqual(found.kind, HEADERS, f"GOAWAY with the code {found.code}")
                wire.raw.close()

    def test_a_wrong_preface_is_answered_as_http_1(self) -> None:
        wire = Wire(self.running, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\rX" + frame(SETTINGS, 0, 0))
        wire.raw.settimeout(10)
        answer = b""
        while part := wire.raw.recv(65_536):
            answer += part
        self.assertRegex(answer, rb"^HTTP/1.1 [45]\d\d ")
        wire.raw.close()

    def test_settings_and_pings_are_acknowledged(self) -> None:
        wire = Wire(self.running)
        first = wire.read()
        assert first is not None
        self.assertEqual(first.kind, SETTINGS)
        wire.send(setting(INITIAL_WINDOW, 70_000))
        for _ in range(2):
            found = wire.until(lambda frame: frame.kind == SETTINGS and frame.flags == ACK)
            assert found is not None and found.kind == SETTINGS
        wire.send(frame(PING, 0, 0, b"quiver!!"))
        found = wire.until(lambda frame: frame.kind == PING)
        assert found is not None
        self.assertEqual((found.flags, found.payload), (ACK, b"quiver!!"))
        wire.raw.close()

    def body(self, wire: Wire, wanted: int) -> bytes:
        received = b""
        while len(received) < wanted:
            found = wire.until(lambda frame: frame.kind == DATA)
            assert found is not None and found.kind == DATA
            received += found.payload
        return received

    def test_windows_are_kept_to_the_byte(self) -> None:
        wire = Wire(self.running, PREFACE + setting(INITIAL_WINDOW, 1))
        wire.send(get())
        self.assertEqual(len(self.body(wire, 1)), 1)
        # 6.9.2: a larger setting opens the window of an open stream.
        wire.send(setting(INITIAL_WINDOW, 11))
        self.assertEqual(len(self.body(wire, 10)), 10)
        # A smaller one makes it negative: what follows must first fill that.
        wire.send(setting(INITIAL_WINDOW, 3) + window(1, 8))
        wire.send(frame(PING, 0, 0, bytes(8)))
        found = wire.until(lambda frame: frame.kind in (PING, DATA))
        assert found is not None
        self.assertEqual(found.kind, PING, "DATA without a window")
        wire.send(window(1, 2))
        self.assertEqual(len(self.body(wire, 2)), 2)
        wire.raw.close()

    def test_base64_in_small_parts_keeps_the_windows(self) -> None:
        text = [("content-type", "application/grpc-web-text")]
        head = block(*[field for field in POST if field[0] != "content-type"], *text)
        wire = Wire(self.running)
        # Another stream of the connection, which must not be harmed.
        wire.send(post(1))
        # Each group that the last character completes has more bytes than the part.
        sizes = [16_384, 16_379, 8, 1] + [1] * 2_000 + [16_384, 16_384] + [5, 3, 2, 1] * 50
        for stream in (3, 5, 7):
            wire.send(frame(HEADERS, END_HEADERS, stream, head))
            for size in sizes[:4]:
                wire.send(frame(DATA, 0, stream, b"A" * size))
                time.sleep(0.05)
            wire.send(b"".join(frame(DATA, 0, stream, b"A" * size) for size in sizes[4:]))
            wire.send(frame(RESET, 0, stream, struct.pack(">I", CLOSED + 3)))
        wire.send(frame(PING, 0, 0, b"quiver!!"))
        found = wire.until(lambda frame: frame.kind == PING)
        assert found is not None
        self.assertEqual((found.kind, found.payload), (PING, b"quiver!!"))
        wire.send(frame(DATA, END_STREAM, 1, b"{}"))
        found = wire.until(lambda frame: frame.kind == HEADERS and frame.stream == 1)
        assert found is not None
        self.assertEqual(found.kind, HEADERS)
        wire.raw.close()

    def test_a_client_that_says_goodbye_gets_its_answer(self) -> None:
        wire = Wire(self.running)
        wire.send(get() + frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0xFF)))
        found = wire.until(lambda frame: frame.kind == HEADERS)
        assert found is not None
        self.assertEqual(found.kind, HEADERS)
        wire.raw.close()


def script(number: int) -> bytes:
    """A request for a file."""
    return frame(HEADERS, 5, 2 * number + 1, block(
        (":method", "GET"), (":scheme", "http"), (":path", "/board/assets/board.js"),
        (":authority", "localhost")))  # fmt: skip


class FloodTests(unittest.TestCase):
    """Frames that cost the gateway more than their sender."""

    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running("--settings-milliseconds", "2000", "--stalled-milliseconds", "2000")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.expect_nothing_kept()
        cls.running.end()

    def setUp(self) -> None:
        self.before = {name: self.count(name) for name in ("refused-streams", "resets", "settings")}

    def tearDown(self) -> None:
        self.assertIsNone(self.running.gateway.poll(), "the gateway has ended")

    def count(self, limit: str) -> float:
        return self.running.value(f'quiver_gateway_limits_reached_total{{limit="{limit}"}}')

    def resident(self) -> int:
        with open(f"/proc/{self.running.gateway.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def flood(self, parts: Callable[[int], bytes], seconds: float = 4) -> None:
        """Sends parts without reading anything, until the peer takes no more, or for a time."""
        end = time.monotonic() + seconds
        number = 0
        with socket.socket() as raw:
            # Set before the connection is made, so that little of the output fits between.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            raw.settimeout(1)
            raw.connect(("127.0.0.1", self.running.port))
            try:
                raw.sendall(PREFACE + setting(INITIAL_WINDOW, 2**31 - 1) + window(0, 2**30))
                # Responses fill what lies between; those of 100 streams wait then.
                while number < 640:
                    raw.sendall(b"".join(script(number + index) for index in range(80)))
                    number += 80
                    time.sleep(0.1)
                while time.monotonic() < end:
                    raw.sendall(b"".join(parts(number + index) for index in range(5_000)))
                    number += 5_000
            except (ConnectionError, TimeoutError):
                pass

    def growth(self, parts: Callable[[int], bytes]) -> int:
        """The KiB that a flood adds to those which a shorter one before it has made the gateway use once."""
        self.flood(parts, 2)
        before = self.resident()
        self.flood(parts)
        return self.resident() - before

    def goodbye(self, *parts: bytes) -> Frame | None:
        """The GOAWAY that answers parts, which are sent behind each other."""
        wire = Wire(self.running)
        for part in parts:
            wire.send(part)
            time.sleep(0.02)
        found = wire.until(lambda _: False)
        wire.raw.close()
        return found

    def expect_limit(self, name: str) -> None:
        self.assertGreater(self.count(name), self.before[name])

    def test_streams_that_are_refused_to_a_peer_that_does_not_read_cost_bounded_memory(self) -> None:
        small = b"\x82\x86\x84"
        self.assertLess(self.growth(lambda number: frame(HEADERS, 5, 2 * number + 1, small)), 12_000)
        self.expect_limit("refused-streams")

    def test_refused_streams_above_the_budget_end_the_connection(self) -> None:
        found = self.goodbye(b"".join(post(2 * number + 1) for number in range(1_200)))
        assert found is not None, "the connection closed without GOAWAY"
        self.assertEqual(found.code, ENHANCE)
        self.expect_limit("refused-streams")

    def test_errors_of_streams_count_with_resets(self) -> None:
        cases = {
            "a window above 2^31 - 1": lambda stream: post(stream) + window(stream, 2**31 - 1),
            "resets": lambda stream: post(stream) + frame(RESET, 0, stream, bytes(4)),
            "HEADERS behind HEADERS": lambda stream: post(stream) * 2,
            "a length that is exceeded": lambda stream: post(
                stream, END_HEADERS, ("content-length", "1")) + frame(DATA, 1, stream, b"{}"),
            "a name in upper case": lambda stream: frame(
                HEADERS, 5, stream, block(*GOOD, ("Gold", "1"))),
        }  # fmt: skip
        for name, sent in cases.items():
            with self.subTest(name):
                before = self.count("resets")
                # At most 100 streams are open at once; more would be refused.
                found = self.goodbye(*[
                    b"".join(sent(2 * number + 1) for number in range(first, first + 50))
                    for first in range(0, 500, 50)])  # fmt: skip
                assert found is not None, "the connection closed without GOAWAY"
                self.assertEqual(found.code, ENHANCE)
                self.assertEqual(self.count("resets"), before + 1)

    def test_errors_of_streams_of_a_peer_that_does_not_read_cost_bounded_memory(self) -> None:
        self.assertLess(
            self.growth(lambda number: post(2 * number + 1) + window(2 * number + 1, 2**31 - 1)), 12_000)

    def test_settings_that_are_not_acknowledged_end_the_connection(self) -> None:
        found = self.goodbye(get())
        assert found is not None, "the connection closed without GOAWAY"
        self.assertEqual(found.code, TIMEOUT)
        self.expect_limit("settings")
        wire = Wire(self.running)
        wire.send(frame(SETTINGS, ACK, 0))
        time.sleep(2.5)
        wire.send(get())
        answered = wire.until(lambda frame: frame.kind == HEADERS)
        assert answered is not None, "the connection closed"
        self.assertEqual(answered.kind, HEADERS)
        wire.raw.close()

    def test_pings_and_settings_of_a_peer_that_does_not_read_cost_bounded_memory(self) -> None:
        for sent in (frame(PING, 0, 0, bytes(8)), setting(INITIAL_WINDOW, 70_000)):
            self.assertLess(self.growth(lambda _, sent=sent: sent), 12_000)


if __name__ == "__main__":
    kit.main()
