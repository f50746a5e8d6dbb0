"""What a receiver makes of frames, by sections 2 to 7 of Protos/PROTOCOL.md: an independent model.

It keeps no application: it answers which error a frame leads to, of the connection or of a call.
"""

from google.protobuf.message import DecodeError

from quiver_frames import (
    CHARGED, FRAME_CHARGE, LARGEST_STREAM, PAYLOADS, ConnectionError_, Frame, Messages, cut,
    check_header, read_varint,
)  # fmt: skip

KINDS = {
    4097: "unary", 4098: "client streaming", 4099: "server streaming", 4100: "bidirectional",
    4101: "unary", 4102: "unary", 4103: "unary", 4104: "unary",
}  # fmt: skip
METHODS = {
    "vectors.Talk/" + name: 4097 + place
    for place, name in enumerate(
        ["Echo", "Concatenate", "Split", "Each", "Fail", "Hold", "Open", "Reflect"]
    )
}


class CallError(Exception):
    """What ends a call alone: a status code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Stream:
    def __init__(self, kind):
        self.kind = kind
        self.half_closed = False
        self.in_message = False
        self.messages = 0
        self.in_response = False
        self.headers = False
        self.size = 0
        self.charged = 0
        self.answers = False


class Receiver:
    """One side of a connection behind the handshake; frames are those of the other side."""

    def __init__(self, role, messages, token=True):
        self.role = role
        self.sender = "client" if role == "server" else "server"
        self.messages = messages
        self.streams = {}
        self.highest = 0
        self.goaway_last = None
        self.charged = 0
        self.frame_limit = 16384 if token else 4096
        self.stream_credit = 65536 if token else 16384
        self.connection_credit = 1048576 if token else 16384

    def open(self, kinds):
        """A client's calls, each with one empty request."""
        for place, kind in enumerate(kinds):
            self.highest = 2 * place + 1
            self.streams[self.highest] = Stream(kind)

    def feed(self, data):
        """Takes bytes; answers the (stream, code) of calls that ended by them."""
        ended = []
        while data:
            if len(data) < 8:
                return ended
            check_header(data[:8], self.sender, self.frame_limit)
            frames, _ = cut(data)
            if not frames:
                return ended
            try:
                self.take(frames[0])
            except CallError as error:
                self.streams.pop(frames[0].stream, None)
                ended.append((frames[0].stream, error.code))
            data = data[len(frames[0].bytes) :]
        return ended

    def hear(self, data):
        """What this side itself has said: it ends streams too."""
        for frame in cut(data)[0]:
            ends = frame.type in ("STATUS", "CANCEL")
            stream = self.streams.get(frame.stream)
            if stream and frame.type == "RESPONSE":
                stream.answers = True
            if ends or stream and stream.answers and "MORE" not in frame.flags:
                self.streams.pop(frame.stream, None)

    def fault(self, condition=True, name="PROTOCOL_ERROR"):
        if condition:
            raise ConnectionError_(name)

    def take(self, frame: Frame):
        kind = frame.type
        if kind is None:
            return
        self.fault(kind == "HELLO")
        if kind in ("PING", "GOAWAY"):
            self.fault(frame.stream != 0)
        if kind == "REQUEST":
            return self.request(frame)
        if kind != "CREDIT" and kind not in ("PING", "GOAWAY") or kind == "CREDIT" and frame.stream:
            self.fault(frame.stream % 2 == 0 or frame.stream > self.highest)
        if kind == "CREDIT":
            self.fault(int.from_bytes(frame.payload, "big") >= 2**63)
        if kind == "GOAWAY":
            last = self.decode(frame).last_stream_id
            self.fault(self.goaway_last is not None and last > self.goaway_last)
            self.goaway_last = last
        if kind in CHARGED:
            self.charge(frame, self.streams.get(frame.stream))
            self.fault("MORE" in frame.flags and frame.length < 1024)
        if kind == "CANCEL":
            self.decode(frame)
            self.streams.pop(frame.stream, None)
        if kind in ("HEADERS", "STATUS"):
            payload = self.decode(frame)
        stream = self.streams.get(frame.stream)
        if stream is None:
            return
        if kind == "CLOSE":
            self.fault(stream.half_closed or stream.in_message)
            stream.half_closed = True
            if stream.messages == 0 and not stream.kind.startswith(("client", "bidi")):
                raise CallError(12)
        elif kind == "HEADERS":
            self.fault(stream.headers or stream.messages > 0)
            stream.headers = True
        elif kind == "STATUS":
            self.fault(payload.code == 0 and stream.in_message)
            single = stream.kind in ("unary", "client streaming")
            self.streams.pop(frame.stream)
            if payload.code == 0 and single and stream.messages == 0:
                raise CallError(12)
        elif kind in ("DATA", "RESPONSE"):
            self.message(stream, frame)

    def charge(self, frame, stream):
        charge = frame.length + FRAME_CHARGE
        self.charged += charge
        self.fault(self.charged > self.connection_credit, "FLOW_CONTROL_ERROR")
        if stream:
            stream.charged += charge
            self.fault(stream.charged > self.stream_credit, "FLOW_CONTROL_ERROR")

    def message(self, stream, frame):
        if self.role == "server":
            self.fault(stream.half_closed)
            many = stream.kind in ("client streaming", "bidirectional")
        else:
            many = stream.kind in ("server streaming", "bidirectional")
            if frame.type == "RESPONSE":
                self.fault(stream.in_message)
                if many or stream.messages:
                    raise CallError(12)
        if not stream.in_message:
            if stream.messages and not many:
                raise CallError(12)
            stream.messages += 1
        stream.in_message = "MORE" in frame.flags
        if "END" in frame.flags:
            stream.half_closed = True
        if frame.type == "RESPONSE" or stream.in_response:
            stream.in_response = stream.in_message
            if not stream.in_message:
                self.streams.pop(frame.stream)

    def decode(self, frame):
        try:
            return getattr(self.messages, PAYLOADS[frame.type]).FromString(frame.payload)
        except DecodeError:
            raise ConnectionError_("PROTOCOL_ERROR") from None

    def request(self, frame):
        self.fault(frame.stream % 2 == 0 or frame.stream > LARGEST_STREAM)
        self.fault(frame.stream <= self.highest)
        self.highest = frame.stream
        self.charge(frame, None)
        head_bytes, message = frame.head_and_message()
        self.fault(bool(message) and not frame.bits & 3)
        try:
            head = self.messages.RequestHead.FromString(head_bytes)
        except DecodeError:
            raise CallError(3) from None
        if len(head.idempotency_key) not in (0, 16):
            raise CallError(3)
        size = sum(len(entry.key.encode()) + len(entry.value) for entry in head.metadata)
        if len(head.metadata) > 64 or size > 8192:
            raise CallError(8)
        for entry in head.metadata:
            if not valid_key(entry.key):
                raise CallError(3)
        if (head.method_id != 0) == (head.method_name != ""):
            raise CallError(3)
        method = head.method_id or METHODS.get(head.method_name)
        if method not in KINDS:
            raise CallError(12)
        if head.idempotency_key and KINDS[method] != "unary":
            raise CallError(3)
        stream = Stream(KINDS[method])
        stream.charged = frame.length + FRAME_CHARGE
        stream.messages = 1 if frame.bits & 3 else 0
        stream.in_message = "MORE" in frame.flags
        stream.half_closed = "END" in frame.flags
        self.streams[frame.stream] = stream


def valid_key(key):
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    return 1 <= len(key) <= 64 and set(key) <= allowed


__all__ = ["Receiver", "CallError", "KINDS", "METHODS", "Messages", "read_varint"]
