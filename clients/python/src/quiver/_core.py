"""The client's end of one connection, without I/O: bytes in, bytes and outcomes out.

The clock and the timers come from a `Clock`, which an asyncio event loop is. The same class serves
the asyncio transport and the tests that run the vectors of Protos/vectors on a virtual clock.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from . import _frames as f
from ._compression import Compressor
from ._frames import ConnectionFault, frame
from .errors import Detail, Metadata, RPCError, StatusCode
from .v1 import wire_pb2 as wire


class Clock(Protocol):
    """What the core needs of an event loop."""

    def time(self) -> float: ...

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any) -> Any: ...


@dataclass(frozen=True)
class Limits:
    """The limits of one connection. Bytes and seconds."""

    max_frame_bytes: int = 16384
    max_message_bytes: int = 4 << 20
    stream_credit: int = 65536
    connection_credit: int = 1 << 20
    keepalive_interval: float = 20.0
    keepalive_timeout: float = 10.0
    frame_timeout: float = 30.0
    reassembly_timeout: float = 60.0
    handshake_timeout: float = 10.0
    output_stall: float = 10.0
    output_high_water: int = 65536
    stream_output_bytes: int = 65536
    max_queued_answers: int = 1024


class Call:
    """One call on a connection. Subclasses receive what comes of it."""

    __slots__ = (
        "allowance", "body", "body_at", "body_flags", "close_sent", "credit_at_once",
        "has_headers", "has_message",
        "head", "is_ended", "is_ready", "is_written", "method_id", "outbox",
        "outbox_bytes", "part_compressed", "part_time", "parts", "part_bytes", "reassembly",
        "received", "reply_begun", "reply_streams", "request_done", "request_streams", "sent",
        "stated", "stream", "taken", "waiting",
    )  # fmt: skip

    def __init__(
        self, method_id: int, head: bytes, *, request_streams: bool, reply_streams: bool,
        credit_at_once: bool = False,
    ) -> None:  # fmt: skip
        self.method_id = method_id
        self.credit_at_once = credit_at_once
        self.head = head
        self.request_streams = request_streams
        self.reply_streams = reply_streams
        self.stream = 0
        self.is_written = self.is_ended = self.is_ready = False
        self.request_done = self.close_sent = False
        # The request side: messages that wait, and the one that is being sent.
        self.outbox: deque[bytes] = deque()
        self.outbox_bytes = 0
        self.body: bytes | None = None
        self.body_at = 0
        self.body_flags = 0
        self.sent = 0
        self.allowance = 0
        # The reply side.
        self.received = self.taken = self.reassembly = self.waiting = 0
        self.stated = 0
        self.parts: list[bytes] | None = None
        self.part_bytes = 0
        self.part_compressed = False
        self.part_time = 0.0
        self.has_headers = self.has_message = self.reply_begun = False

    def on_headers(self, metadata: Metadata) -> None:
        """Initial metadata has come."""

    def on_message(self, message: bytes, charge: int) -> None:
        """A message has come. A streaming reply returns its charge by `Core.took`."""

    def on_end(self, error: RPCError | None, metadata: Metadata) -> None:
        """The call is over: OK, or the error."""

    def on_room(self) -> None:
        """The request stream has room for more messages."""


class Core:
    """The state of one connection."""

    def __init__(
        self,
        clock: Clock,
        limits: Limits,
        *,
        token: bytes = b"",
        software: str = "quiver-python",
        compressor: Compressor | None = None,
        wants_flush: Callable[[], None] = lambda: None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.clock = clock
        self.limits = limits
        self.compressor = compressor
        self.wants_flush = wants_flush
        self.on_change = on_change
        self.calls: dict[int, Call] = {}
        self.out: list[bytes] = []
        self.out_bytes = 0
        self.is_paused = False
        self.fault: ConnectionFault | None = None
        self.ending: RPCError | None = None
        self.is_closed = False
        self.is_greeted = False
        self.is_draining = False
        self.is_foreign = False  # what answers speaks another protocol
        self.last_id = f.LARGEST_STREAM
        self.has_goaway = False
        self.answered_calls = 0
        self._software = software
        self._next = 1
        self._has_token = bool(token)
        self._compresses = False
        self._ready: deque[Call] = deque()
        self._answers = 0
        # What the peer takes: before its HELLO the defaults, or the small limits without a token.
        self.peer_frame = 16384 if token else 4096
        self.peer_message = 4 << 20 if token else 4096
        self.max_streams = 100 if token else 1
        self._peer_stream_credit = 65536 if token else 16384
        self._sent = 0
        self._allowance = 1048576 if token else 16384
        self._received = 0
        self._stated = limits.connection_credit
        self._buffer = bytearray()
        self._buffer_since = 0.0
        self._preface_seen = 0
        now = clock.time()
        self._started = self._last_input = now
        self._ping_sent = 0.0
        self._stalled_since = 0.0
        self._timer: Any = None
        self._due = 0.0
        hello = wire.Hello(version_min=1, version_max=1, software=software, auth_token=token)
        defaults = Limits()
        if limits.max_frame_bytes != defaults.max_frame_bytes:
            hello.max_frame_bytes = limits.max_frame_bytes
        if limits.max_message_bytes != defaults.max_message_bytes:
            hello.max_message_bytes = limits.max_message_bytes
        if limits.stream_credit != defaults.stream_credit:
            hello.initial_stream_credit = limits.stream_credit
        if limits.connection_credit != defaults.connection_credit:
            hello.initial_connection_credit = limits.connection_credit
        if compressor is not None:
            hello.compression.append("zstd")
        self._write(f.PREFACE + frame(f.HELLO, 0, 0, hello.SerializeToString()))
        self._arm(now + limits.handshake_timeout)

    # ---- Calls

    def has_room(self) -> bool:
        """Whether another call may start here."""
        return (
            not self.is_draining and self.ending is None and len(self.calls) < self.max_streams
        )

    def start(self, call: Call, message: bytes | None) -> None:
        """Starts a call; the caller has asked `has_room`. Without a message the request streams."""
        self.calls[self._next] = call
        call.stream = self._next
        self._next += 2
        if self._next > f.LARGEST_STREAM:
            self.is_draining = True
        call.allowance = self._peer_stream_credit
        call.stated = self.limits.stream_credit
        if len(self.calls) == 1:
            # The keepalive counts from here on.
            self._arm(max(self._last_input, self._started) + self.limits.keepalive_interval)
        head = call.head
        if len(head) > self.peer_frame:
            self._drop(call, _refused(StatusCode.RESOURCE_EXHAUSTED, "the head of the call"
                                      " is larger than a frame of the server"))  # fmt: skip
            return
        if message is None:
            call.body = None
        else:
            if len(message) > self.peer_message:
                self._drop(call, _refused(StatusCode.RESOURCE_EXHAUSTED, "the request is larger"
                                          f" than the server's {self.peer_message} bytes"))  # fmt: skip
                return
            size = len(head) + len(message)
            charge = size + f.FRAME_CHARGE
            if (
                not self._ready
                and not self.is_paused
                and size <= self.peer_frame
                and charge <= call.allowance
                and charge <= self._allowance - self._sent
                and not (self._compresses and len(message) >= 1024)
            ):
                call.sent = charge
                self._sent += charge
                call.is_written = call.request_done = True
                self._write(b"%b\x21%b%b%b" % (
                    size.to_bytes(3, "big"), call.stream.to_bytes(4, "big"), head, message
                ))  # fmt: skip
                return
            self._load(call, message)
        self._enqueue(call)
        self.pump()

    def send(self, call: Call, message: bytes) -> bool:
        """Queues a message of a request stream; False if its sender should wait for `on_room`."""
        if len(message) > self.peer_message:
            raise _refused(StatusCode.RESOURCE_EXHAUSTED, "a message is larger than the server's"
                           f" {self.peer_message} bytes")  # fmt: skip
        if call.is_ended:
            return True
        call.outbox.append(message)
        call.outbox_bytes += len(message)
        self._enqueue(call)
        self.pump()
        return call.outbox_bytes < self.limits.stream_output_bytes

    def finish_request(self, call: Call) -> None:
        """No more messages of a request stream follow."""
        if call.is_ended or call.request_done:
            return
        call.request_done = True
        self._enqueue(call)
        self.pump()

    def took(self, call: Call, charge: int) -> None:
        """The application has taken a message of a streaming reply."""
        call.waiting -= 1
        call.taken += charge
        if not call.is_ended:
            self._credit(call)
            if self.out:
                self.wants_flush()

    def cancel(self, call: Call, error: RPCError, code: int = 0) -> None:
        """Ends a call from this side: with CANCEL if its REQUEST was written."""
        if call.is_ended:
            return
        if call.is_written and self.ending is None:
            payload = b"" if code == 0 else b"\x08" + f.varint(code)
            self._write(frame(f.CANCEL, 0, call.stream, payload))
        elif not call.is_written:
            error.not_processed = True
        self._end(call, error, ())

    # ---- Output

    def _write(self, data: bytes) -> None:
        self.out.append(data)
        self.out_bytes += len(data)
        self.wants_flush()

    def take_output(self) -> bytes:
        """The bytes to write now."""
        if not self.out:
            return b""
        data = self.out[0] if len(self.out) == 1 else b"".join(self.out)
        self.out.clear()
        self.out_bytes = 0
        self._answers = 0
        return data

    def pause(self) -> None:
        """The transport takes no more for the moment."""
        self.is_paused = True
        self._stalled_since = self.clock.time()
        self._arm(self._stalled_since + self.limits.output_stall)

    def resume(self) -> None:
        """The transport takes more again."""
        self.is_paused = False
        self._stalled_since = 0.0
        self.pump()

    def _enqueue(self, call: Call) -> None:
        if not call.is_ready and not call.is_ended:
            call.is_ready = True
            self._ready.append(call)

    def _load(self, call: Call, message: bytes) -> None:
        """Makes a message the one that is being sent."""
        call.body_flags = 0
        if self._compresses and self.compressor is not None:
            packed = self.compressor.compress(message)
            if packed is not None:
                message = packed
                call.body_flags = f.COMPRESSED
        call.body = message
        call.body_at = 0

    def pump(self) -> None:
        """Frames what may go: a frame of each stream in turn."""
        ready = self._ready
        while ready and not self.is_paused and self.out_bytes < self.limits.output_high_water:
            call = ready[0]
            if call.is_ended:
                ready.popleft()
                continue
            step = self._frame(call)
            if step == "connection":
                return
            ready.popleft()
            if step == "more":
                ready.append(call)
            else:
                call.is_ready = False

    def _frame(self, call: Call) -> str:
        """Frames one frame of a call: `more`, `done`, or who has no room (`stream`, `connection`)."""
        if call.body is None and call.outbox and call.is_written:
            message = call.outbox.popleft()
            call.outbox_bytes -= len(message)
            self._load(call, message)
            if call.outbox_bytes <= self.limits.stream_output_bytes // 2:
                call.on_room()
        on_stream = call.allowance - call.sent - f.FRAME_CHARGE
        on_connection = self._allowance - self._sent - f.FRAME_CHARGE
        room = min(on_stream, on_connection, self.peer_frame)
        blocked = "connection" if on_connection <= on_stream else "stream"
        if not call.is_written:
            return self._frame_request(call, room, blocked)
        body = call.body
        if body is None:
            if call.request_done and call.request_streams and not call.close_sent:
                call.close_sent = True
                self._write(frame(f.CLOSE, 0, call.stream))
            return "done"
        left = len(body) - call.body_at
        flags = call.body_flags if call.body_at == 0 else 0
        if left <= room:
            if not call.request_streams:
                flags |= f.END
            self._charge(call, f.DATA, flags, body[call.body_at :])
            call.body = None
            is_more = call.request_streams and (bool(call.outbox) or call.request_done)
            return "more" if is_more else "done"
        if room < f.SMALLEST_PART:
            return blocked
        part = body[call.body_at : call.body_at + room]
        call.body_at += room
        self._charge(call, f.DATA, flags | f.MORE, part)
        return "more"

    def _frame_request(self, call: Call, room: int, blocked: str) -> str:
        head = call.head
        if len(head) > room:
            return blocked
        call.is_written = True
        body = call.body
        if body is None:
            self._charge(call, f.REQUEST, 0, head)
            return "more" if call.outbox or call.request_done else "done"
        if len(head) + len(body) <= room:
            self._charge(call, f.REQUEST, f.END | call.body_flags, head + body)
            call.body = None
            return "done"
        call.body_at = room - len(head)
        flags = f.MORE | call.body_flags
        self._charge(call, f.REQUEST, flags, head + body[: call.body_at])
        return "more"

    def _charge(self, call: Call, kind: int, flags: int, payload: bytes) -> None:
        charge = len(payload) + f.FRAME_CHARGE
        call.sent += charge
        self._sent += charge
        self._write(frame(kind, flags, call.stream, payload))

    # ---- Input

    def receive(self, data: bytes) -> None:
        """Takes bytes of the peer; a violation ends the connection."""
        if self.ending is not None:
            return
        now = self._last_input = self.clock.time()
        self._ping_sent = 0.0
        try:
            if self._buffer:
                self._buffer += data
                rest = self._parse(bytes(self._buffer))
                if rest:
                    # The time of a frame counts from its first byte.
                    if rest < len(self._buffer):
                        self._buffer_since = now
                    del self._buffer[: len(self._buffer) - rest]
                else:
                    self._buffer.clear()
            else:
                rest = self._parse(data)
                if rest:
                    self._buffer += data[len(data) - rest :]
                    self._buffer_since = now
                    self._arm(now + self.limits.frame_timeout)
            if self._received + self.limits.connection_credit - self._stated >= (
                self.limits.connection_credit // 2
            ):
                self._stated = self._received + self.limits.connection_credit
                self._write(frame(f.CREDIT, 0, 0, self._stated.to_bytes(8, "big")))
        except ConnectionFault as fault:
            self.fail(fault)

    def _parse(self, data: bytes) -> int:
        """Takes the whole frames in `data`; the number of bytes that are left over."""
        at = 0
        size = len(data)
        if self._preface_seen < 8:
            while self._preface_seen < 8 and at < size:
                if data[at] != f.PREFACE[self._preface_seen]:
                    if self._preface_seen == 7:
                        raise ConnectionFault(
                            f.UNSUPPORTED_VERSION, f"the server speaks version {data[at]}"
                        )
                    raise self._foreign(data[at:])
                self._preface_seen += 1
                at += 1
        while size - at >= 8:
            length = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
            head = data[at + 3]
            stream = int.from_bytes(data[at + 4 : at + 8], "big")
            if head == 0x50 and self.is_greeted and length <= self.limits.max_frame_bytes:
                end = at + 8 + length
                if end > size:
                    break
                call = self.calls.get(stream)
                if call is not None and not call.reply_begun and not call.reply_streams:
                    # The usual reply: one whole RESPONSE.
                    charge = length + f.FRAME_CHARGE
                    self._received += charge
                    if self._received > self._stated:
                        raise ConnectionFault(
                            f.FLOW_CONTROL_ERROR, "more than the connection's allowance"
                        )
                    call.received += charge
                    if call.received > call.stated:
                        raise ConnectionFault(
                            f.FLOW_CONTROL_ERROR, "more than the stream's allowance"
                        )
                    if length > self.limits.max_message_bytes:
                        self._too_large(call)
                    else:
                        call.on_message(data[at + 8 : end], 0)
                        self._end(call, None, ())
                    at = end
                    continue
            self._check(length, head >> 4, head & 15)
            end = at + 8 + length
            if end > size:
                break
            self._frame_in(head >> 4, head & 15, stream, data[at + 8 : end])
            at = end
            if self.ending is not None:
                return 0
        return size - at

    def _foreign(self, data: bytes) -> ConnectionFault:
        """The fault of a server that begins with other bytes than a preface."""
        self.is_foreign = True
        text = "what answers is not a Quiver server"
        name = f.protocol_of(data) if self._preface_seen == 0 else None
        if name is not None:
            text += f": it speaks {name}" + (" (use tls://)" if name == "TLS" else "")
        return ConnectionFault(f.PROTOCOL_ERROR, text)

    def _check(self, length: int, kind: int, flags: int) -> None:
        """Validates a header before its payload is waited for."""
        if kind == 0 or kind > f.CLOSE:
            if length > f.MAX_CONTROL:
                raise ConnectionFault(f.FRAME_SIZE_ERROR, "a frame is longer than its limit")
            if kind == 0 or not flags & f.IGNORABLE or not self.is_greeted:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a frame of an unknown type")
            return
        if kind in (f.REQUEST, f.DATA, f.RESPONSE):
            fits = length <= self.limits.max_frame_bytes
        elif kind in (f.CREDIT, f.PING):
            fits = length == 8
        elif kind == f.CLOSE:
            fits = length == 0
        elif kind == f.HEADERS:
            fits = length <= f.MAX_HEADERS
        else:
            fits = length <= (f.MAX_STATUS if kind == f.STATUS else f.MAX_CONTROL)
        if not fits:
            raise ConnectionFault(
                f.FRAME_SIZE_ERROR, "a frame's length is not what its type allows"
            )
        if kind in (f.REQUEST, f.CLOSE):
            raise ConnectionFault(f.PROTOCOL_ERROR, "a frame that only the other side sends")
        allowed = 0
        if kind in (f.DATA, f.RESPONSE):
            allowed = f.MORE | f.COMPRESSED
        elif kind == f.PING:
            allowed = f.END
        if flags & ~allowed:
            raise ConnectionFault(
                f.PROTOCOL_ERROR, "a flag that the frame's type does not have"
            )
        if flags & f.COMPRESSED and self.compressor is None:
            raise ConnectionFault(
                f.PROTOCOL_ERROR, "a compressed message that was not negotiated"
            )
        if not self.is_greeted and kind != f.HELLO:
            raise ConnectionFault(f.PROTOCOL_ERROR, "HELLO must be the first frame")
        if self.is_greeted and kind == f.HELLO:
            raise ConnectionFault(f.PROTOCOL_ERROR, "a second HELLO")

    def _frame_in(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind in (f.DATA, f.RESPONSE, f.STATUS, f.HEADERS, f.CANCEL):
            self._stream_frame(kind, flags, stream, payload)
        elif kind == f.CREDIT:
            self._credit_frame(stream, int.from_bytes(payload, "big"))
        elif kind == f.PING:
            if stream:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a PING on a stream")
            if not flags & f.END:
                self._answers += 1
                if self._answers > self.limits.max_queued_answers:
                    raise ConnectionFault(f.ENHANCE_YOUR_CALM, "too many PINGs at once")
                self._write(frame(f.PING, f.END, 0, payload))
        elif kind == f.GOAWAY:
            if stream:
                raise ConnectionFault(f.PROTOCOL_ERROR, "GOAWAY belongs to no stream")
            self._goaway(payload)
        elif kind == f.HELLO:
            if stream:
                raise ConnectionFault(f.PROTOCOL_ERROR, "HELLO belongs to no stream")
            self._hello(payload)

    def _hello(self, payload: bytes) -> None:
        hello = wire.Hello()
        try:
            hello.ParseFromString(payload)
        except Exception:
            raise ConnectionFault(f.PROTOCOL_ERROR, "a HELLO that does not decode") from None
        for low in (
            hello.max_frame_bytes, hello.max_message_bytes, hello.initial_stream_credit,
            hello.initial_connection_credit,
        ):  # fmt: skip
            if 0 < low < f.SMALLEST_BYTES:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a limit of HELLO is too low")
        if (
            hello.max_frame_bytes > f.LARGEST_FRAME
            or hello.initial_stream_credit > f.LARGEST_CREDIT
            or hello.initial_connection_credit > f.LARGEST_CREDIT
        ):
            raise ConnectionFault(f.PROTOCOL_ERROR, "a limit of HELLO is too high")
        self.is_greeted = True
        self.peer_frame = max(self.peer_frame, hello.max_frame_bytes)
        self.peer_message = max(self.peer_message, hello.max_message_bytes)
        self.max_streams = max(self.max_streams, hello.max_concurrent_streams)
        gain = hello.initial_stream_credit - self._peer_stream_credit
        if gain > 0:
            self._peer_stream_credit += gain
            for call in self.calls.values():
                call.allowance += gain
                self._enqueue(call)
        self._allowance = max(self._allowance, hello.initial_connection_credit)
        self._compresses = self.compressor is not None and "zstd" in hello.compression
        self.on_change()
        self.pump()

    def _goaway(self, payload: bytes) -> None:
        goaway = wire.GoAway()
        try:
            goaway.ParseFromString(payload)
        except Exception:
            raise ConnectionFault(f.PROTOCOL_ERROR, "a GOAWAY that does not decode") from None
        if self.has_goaway and goaway.last_stream_id > self.last_id:
            raise ConnectionFault(f.PROTOCOL_ERROR, "GOAWAY's last stream may not rise")
        self.has_goaway = self.is_draining = True
        self.last_id = goaway.last_stream_id
        if goaway.code != f.NO_ERROR:
            name = (
                f.CONNECTION_CODES[goaway.code]
                if goaway.code < len(f.CONNECTION_CODES)
                else f"error {goaway.code}"
            )
            # So does a port of another protocol say what it speaks.
            self.is_foreign = (
                goaway.code == f.PROTOCOL_ERROR
                and goaway.last_stream_id == 0
                and not self.answered_calls
            )
            code = (
                StatusCode.UNAUTHENTICATED
                if goaway.code == f.UNAUTHENTICATED
                else StatusCode.UNAVAILABLE
            )
            text = f"the server ended the connection: {name}: {goaway.reason}"
            self._close(RPCError(code, text, origin="connection"))
            return
        for stream in [stream for stream in self.calls if stream > self.last_id]:
            self._end(
                self.calls[stream],
                RPCError(
                    StatusCode.UNAVAILABLE, "the server is draining and did not process the call",
                    not_processed=True, origin="connection",
                ),  # fmt: skip
                (),
            )
        self.on_change()

    def _credit_frame(self, stream: int, allowance: int) -> None:
        if stream and self._was_never_used(stream):
            raise ConnectionFault(
                f.PROTOCOL_ERROR, "a frame on a stream that was never opened"
            )
        if allowance > f.LARGEST_CREDIT:
            raise ConnectionFault(f.PROTOCOL_ERROR, "a CREDIT above 2^63 - 1")
        if stream == 0:
            if allowance > self._allowance:
                self._allowance = allowance
                self.pump()
        elif (call := self.calls.get(stream)) is not None and allowance > call.allowance:
            call.allowance = allowance
            if call.body is not None or call.outbox or not call.is_written:
                self._enqueue(call)
            self.pump()

    def _was_never_used(self, stream: int) -> bool:
        return stream % 2 == 0 or stream >= self._next

    def _stream_frame(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if self._was_never_used(stream):
            raise ConnectionFault(
                f.PROTOCOL_ERROR, "a frame on a stream that was never opened"
            )
        call = self.calls.get(stream)
        if kind in (f.DATA, f.RESPONSE):
            if flags & f.MORE and len(payload) < f.SMALLEST_PART:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a part of a message under 1024 bytes")
            self._received += len(payload) + f.FRAME_CHARGE
            if self._received > self._stated:
                raise ConnectionFault(
                    f.FLOW_CONTROL_ERROR, "more than the connection's allowance"
                )
            if call is not None:
                self._message_frame(call, kind, flags, payload)
        elif kind == f.HEADERS:
            if call is not None:
                self._headers(call, payload)
        elif kind == f.STATUS:
            if call is not None:
                self._status(call, payload)
        elif call is not None:
            cancel = wire.Cancel()
            try:
                cancel.ParseFromString(payload)
            except Exception:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a CANCEL that does not decode") from None
            code = StatusCode.of(cancel.code or StatusCode.CANCELLED)
            self._end(call, RPCError(code, cancel.reason, origin="server"), ())

    def _message_frame(self, call: Call, kind: int, flags: int, payload: bytes) -> None:
        charge = len(payload) + f.FRAME_CHARGE
        call.received += charge
        if call.received > call.stated:
            raise ConnectionFault(f.FLOW_CONTROL_ERROR, "more than the stream's allowance")
        if call.parts is not None:
            if kind == f.RESPONSE:
                raise ConnectionFault(f.PROTOCOL_ERROR, "a RESPONSE inside a message")
            if flags & f.COMPRESSED:
                raise ConnectionFault(f.PROTOCOL_ERROR, "COMPRESSED inside a message")
        elif kind == f.RESPONSE and (call.reply_streams or call.reply_begun):
            self._misfit(call, "a single reply, where it is none or not the first")
            return
        elif call.has_message and not call.reply_streams:
            self._misfit(call, "a second message of a single reply")
            return
        if call.parts is None:
            call.part_compressed = bool(flags & f.COMPRESSED)
            call.part_bytes = 0
            call.parts = []
            if kind == f.RESPONSE:
                call.has_message = True
        call.reply_begun = True
        call.reassembly += charge
        call.part_bytes += len(payload)
        if call.part_bytes > self.limits.max_message_bytes:
            self._too_large(call)
            return
        call.parts.append(payload)
        if flags & f.MORE:
            call.part_time = self.clock.time()
            self._arm(call.part_time + self.limits.reassembly_timeout)
            self._credit(call)
            return
        message = payload if len(call.parts) == 1 else b"".join(call.parts)
        call.parts = None
        charge, call.reassembly = call.reassembly, 0
        if call.part_compressed and self.compressor is not None:
            try:
                message = self.compressor.decompress(message, self.limits.max_message_bytes)
            except RPCError as error:
                self.cancel(call, error)
                return
        is_single = kind == f.RESPONSE or call.has_message and not call.reply_streams
        if is_single or not call.reply_streams:
            call.on_message(message, 0)
            if is_single:
                self._end(call, None, ())
                return
            call.has_message = True
            call.taken += charge
            return
        call.waiting += 1
        call.on_message(message, charge)

    def _misfit(self, call: Call, what: str) -> None:
        self.cancel(call, RPCError(StatusCode.UNIMPLEMENTED, f"the server sent {what}"))

    def _too_large(self, call: Call) -> None:
        call.parts = None
        text = f"the reply is larger than {self.limits.max_message_bytes} bytes"
        self.cancel(call, RPCError(StatusCode.RESOURCE_EXHAUSTED, text))

    def _headers(self, call: Call, payload: bytes) -> None:
        if call.has_headers or call.reply_begun:
            raise ConnectionFault(f.PROTOCOL_ERROR, "HEADERS must come first, and once")
        head = wire.ResponseHead()
        try:
            head.ParseFromString(payload)
        except Exception:
            raise ConnectionFault(f.PROTOCOL_ERROR, "HEADERS that do not decode") from None
        call.has_headers = True
        metadata = [(entry.key, entry.value) for entry in head.metadata]
        if error := _metadata_error(metadata):
            self.cancel(call, error)
        else:
            call.on_headers(metadata)

    def _status(self, call: Call, payload: bytes) -> None:
        status = wire.Status()
        try:
            status.ParseFromString(payload)
        except Exception:
            raise ConnectionFault(f.PROTOCOL_ERROR, "a STATUS that does not decode") from None
        code = StatusCode.of(status.code)
        metadata = [(entry.key, entry.value) for entry in status.metadata]
        if code == StatusCode.OK:
            if call.parts is not None:
                raise ConnectionFault(f.PROTOCOL_ERROR, "STATUS OK inside a message")
            if not call.reply_streams and not call.has_message:
                text = "the server sent OK without a reply"
                self._end(call, RPCError(StatusCode.UNIMPLEMENTED, text), ())
            elif error := _metadata_error(metadata):
                self._end(call, error, ())
            else:
                self._end(call, None, metadata)
            return
        retry = status.retry_after_ms
        self._end(
            call,
            RPCError(
                code,
                status.message,
                details=[Detail(one.type, one.value) for one in status.details],
                metadata=() if _metadata_error(metadata) else metadata,
                not_processed=status.not_processed and not (call.has_headers or call.reply_begun),
                retry_after=None if retry == 0 else retry / 1000 if retry > 0 else -1,
                origin="server",
            ),
            (),
        )

    def _credit(self, call: Call) -> None:
        """States a stream's allowance where it has grown by half a window, and of a watch where the
        application has taken every message that has come."""
        window = self.limits.stream_credit
        allowance = window + call.taken + (0 if call.waiting else call.reassembly)
        is_all_taken = call.credit_at_once and call.waiting == 0 and call.parts is None
        if allowance - call.stated >= (1 if is_all_taken else window // 2):
            call.stated = allowance
            self._write(frame(f.CREDIT, 0, call.stream, allowance.to_bytes(8, "big")))

    # ---- Ends

    def _drop(self, call: Call, error: RPCError) -> None:
        """Ends a call that was never written; its id is used up."""
        self._end(call, error, ())

    def _end(self, call: Call, error: RPCError | None, metadata: Metadata) -> None:
        if call.is_ended:
            return
        call.is_ended = True
        self.calls.pop(call.stream, None)
        call.outbox.clear()
        call.outbox_bytes = 0
        call.body = None
        call.parts = None
        if error is None or error.origin == "server":
            self.answered_calls += 1
        call.on_end(error, metadata)
        self.on_change()

    def fail(self, fault: ConnectionFault) -> None:
        """Ends the connection for a fault of the peer, with GOAWAY."""
        if self.ending is not None:
            return
        self.fault = fault
        goaway = wire.GoAway(code=fault.code, reason=fault.reason)
        if self._preface_seen == 8:
            self._write(frame(f.GOAWAY, 0, 0, goaway.SerializeToString()))
        name = f.CONNECTION_CODES[fault.code]
        text = f"the connection failed: {name}: {fault.reason}"
        self._close(RPCError(StatusCode.UNAVAILABLE, text, origin="connection"))

    @property
    def has_input(self) -> bool:
        """Whether anything of a Quiver server has come."""
        return self._preface_seen > 0

    def lost(self, reason: str) -> None:
        """The transport has gone."""
        self._close(RPCError(StatusCode.UNAVAILABLE, reason, origin="connection"))

    def goodbye(self) -> None:
        """Says that no more calls come."""
        if self.ending is None and not self.is_draining:
            self.is_draining = True
            self._write(frame(f.GOAWAY, 0, 0))

    def _close(self, error: RPCError) -> None:
        if self.ending is not None:
            return
        self.ending = error
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for call in list(self.calls.values()):
            mine = RPCError(error.code, error.message, origin="connection")
            mine.not_processed = not call.is_written or (
                self.has_goaway and call.stream > self.last_id
            )
            self._end(call, mine, ())
        self.on_change()

    # ---- Time

    def _arm(self, due: float) -> None:
        """Has `_tick` called at `due` or before."""
        if self.ending is not None or (self._timer is not None and self._due <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = self.clock.call_later(max(0.0, due - self.clock.time()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        now = self.clock.time()
        limits = self.limits
        due: list[float] = []

        def check(since: float, span: float, what: str) -> None:
            if now >= since + span:
                raise ConnectionFault(f.TIMEOUT, what)
            due.append(since + span)

        try:
            if not self.is_greeted:
                check(self._started, limits.handshake_timeout, "the server sent no HELLO in time")
            if self._buffer:
                check(self._buffer_since, limits.frame_timeout, "a frame was not finished in time")
            if self._stalled_since:
                check(self._stalled_since, limits.output_stall, "output made no progress")
            if self._ping_sent:
                check(self._ping_sent, limits.keepalive_timeout, "a PING was not answered")
            elif self.calls and self.is_greeted:
                if now >= self._last_input + limits.keepalive_interval:
                    self._ping_sent = now
                    self._write(frame(f.PING, 0, 0, os.urandom(8)))
                    due.append(now + limits.keepalive_timeout)
                else:
                    due.append(self._last_input + limits.keepalive_interval)
            for call in [call for call in self.calls.values() if call.parts is not None]:
                if now >= call.part_time + limits.reassembly_timeout:
                    text = "the reply received nothing for too long"
                    self.cancel(call, RPCError(StatusCode.RESOURCE_EXHAUSTED, text))
                else:
                    due.append(call.part_time + limits.reassembly_timeout)
        except ConnectionFault as fault:
            self.fail(fault)
            return
        if due:
            self._arm(min(due))


def _refused(code: StatusCode, message: str) -> RPCError:
    return RPCError(code, message, not_processed=True)


def _metadata_error(entries: Metadata) -> RPCError | None:
    if fault := f.metadata_fault(entries):
        return RPCError(StatusCode.RESOURCE_EXHAUSTED, "reply " + fault)
    if f.has_bad_key(entries):
        return RPCError(StatusCode.INTERNAL, "reply metadata with an invalid key")
    return None
