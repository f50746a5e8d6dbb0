"""A small client of the Quiver protocol, written from Protos/PROTOCOL.md and the .proto files alone.

usage: quiver_client.py HOST:PORT TOKEN-FILE

Calls a server that runs with --diagnostics: all four kinds of call, large messages both ways against
the windows, statuses, deadlines and cancelling. Prints a line for each and exits 1 where one is wrong.
"""

import pathlib
import socket
import sys

from quiver_frames import FRAME_CHARGE, PREFACE, Messages, cut, encode, frame, varint

M = Messages("quiver/v1/wire.proto", "quiver/v1/diagnostics.proto", "quiver/v1/health.proto")
ECHO, DELAY, FAIL, ECHO_METADATA, ECHO_STREAM, SINK, SOURCE = 769, 771, 772, 773, 774, 775, 776
STREAM_WINDOW, CONNECTION_WINDOW = 65536, 1048576
LARGEST_FRAME, SMALLEST_PART = 16384, 1024


class Call:
    def __init__(self, number):
        self.number = number
        self.sent = 0
        self.may_send = STREAM_WINDOW
        self.received = 0
        self.part = b""
        self.messages = []
        self.headers = None
        self.status = None
        self.single = False


class Client:
    """One connection; blocking, one thing after the other."""

    def __init__(self, address, token):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.calls = {}
        self.next = 1
        self.sent = 0
        self.may_send = CONNECTION_WINDOW
        self.received = 0
        hello = M.Hello(version_min=1, version_max=1, software="a client in Python", auth_token=token)
        self.socket.sendall(PREFACE + frame("HELLO", encode(hello)))
        while len(self.data) < 8:
            self.data += self.socket.recv(65536)
        assert self.data[:8] == PREFACE
        self.data = self.data[8:]
        first = self.read()
        assert first.type == "HELLO", first.type
        self.server = M.Hello.FromString(first.payload)

    # -- Frames in

    def read(self):
        while True:
            frames, rest = cut(self.data)
            if frames:
                self.data = self.data[len(frames[0].bytes) :]
                return frames[0]
            more = self.socket.recv(65536)
            if not more:
                raise EOFError("the server has closed")
            self.data += more

    def turn(self):
        """Takes one frame, and gives credit back for what it brought."""
        one = self.read()
        if one.type == "PING" and "END" not in one.flags:
            self.socket.sendall(frame("PING", one.payload, ("END",)))
        elif one.type == "GOAWAY":
            raise EOFError(str(M.GoAway.FromString(one.payload)))
        elif one.type == "CREDIT":
            allowance = int.from_bytes(one.payload, "big")
            target = self.calls.get(one.stream) if one.stream else self
            if target:
                target.may_send = max(target.may_send, allowance)
        elif one.stream in self.calls:
            self.take(self.calls[one.stream], one)

    def take(self, call, one):
        if one.type == "HEADERS":
            call.headers = M.ResponseHead.FromString(one.payload)
        elif one.type == "STATUS":
            call.status = M.Status.FromString(one.payload)
        elif one.type == "CANCEL":
            call.status = M.Status(code=M.Cancel.FromString(one.payload).code or 1)
        elif one.type in ("DATA", "RESPONSE"):
            charge = one.length + FRAME_CHARGE
            call.received += charge
            self.received += charge
            call.part += one.payload
            call.single = call.single or one.type == "RESPONSE"
            self.credit(0, CONNECTION_WINDOW + self.received)
            self.credit(call.number, STREAM_WINDOW + call.received)
            if "MORE" not in one.flags:
                call.messages.append(call.part)
                call.part = b""
                if call.single:
                    call.status = M.Status()

    def credit(self, stream, allowance):
        self.socket.sendall(frame("CREDIT", allowance.to_bytes(8, "big"), (), stream))

    # -- Frames out

    def charged(self, call, kind, payload, flags):
        charge = len(payload) + FRAME_CHARGE
        call.sent += charge
        self.sent += charge
        self.socket.sendall(frame(kind, payload, flags, call.number))

    def room(self, call):
        room = min(call.may_send - call.sent, self.may_send - self.sent) - FRAME_CHARGE
        return min(room, LARGEST_FRAME)

    def start(self, method, message=None, **fields):
        """Begins a call; without a message its request side stays open."""
        call = Call(self.next)
        self.next += 2
        self.calls[call.number] = call
        head = encode(M.RequestHead(method_id=method, **fields))
        payload = varint(len(head)) + head
        if message is None:
            self.charged(call, "REQUEST", payload, ())
        elif len(payload) + len(message) <= self.room(call):
            self.charged(call, "REQUEST", payload + message, ("END",))
        else:
            self.charged(call, "REQUEST", payload, ("MORE",))
            self.send(call, message, "END")
        return call

    def send(self, call, message, *last):
        place = 0
        while True:
            left = len(message) - place
            while self.room(call) < min(left, SMALLEST_PART) and call.status is None:
                self.turn()
            part = min(left, self.room(call))
            place += part
            is_last = place == len(message)
            self.charged(call, "DATA", message[place - part : place], last if is_last else ("MORE",))
            if is_last:
                return

    def close(self, call):
        self.socket.sendall(frame("CLOSE", b"", (), call.number))

    def cancel(self, call):
        self.socket.sendall(frame("CANCEL", b"", (), call.number))
        del self.calls[call.number]

    def finish(self, call):
        while call.status is None:
            self.turn()
        del self.calls[call.number]
        return call


def main(address, token_file):
    client = Client(address, pathlib.Path(token_file).read_text().strip().encode())
    failed = []

    def check(name, holds):
        print("ok" if holds else "FAIL", name)
        if not holds:
            failed.append(name)

    big = encode(M.EchoMessage(payload=bytes(271828)))
    call = client.finish(client.start(ECHO, encode(M.EchoMessage(text="hello")), timeout_ms=1000))
    check("unary", M.EchoMessage.FromString(call.messages[0]).text == "hello")
    call = client.finish(client.start(ECHO, big))
    check("271,828 bytes up and down", call.messages == [big])
    entries = [M.Metadata(key="a", value=b"\x00"), M.Metadata(key="a", value=b"b")]
    call = client.finish(client.start(ECHO_METADATA, b"", metadata=entries))
    check("metadata", list(call.headers.metadata) == entries and list(call.status.metadata) == entries)
    sizes = [31415, 9, 2653, 58979]
    call = client.finish(client.start(SOURCE, encode(M.SourceRequest(sizes=sizes))))
    found = [len(M.EchoMessage.FromString(one).payload) for one in call.messages]
    check("server stream", found == sizes and call.status.code == 0)
    call = client.start(SINK)
    for size in (27182, 8, 1828, 45904):
        client.send(call, encode(M.EchoMessage(payload=bytes(size))))
    client.close(call)
    client.finish(call)
    check("client stream", M.SinkResponse.FromString(call.messages[0]).payload_bytes == 74922)
    call = client.start(ECHO_STREAM)
    for number in range(1, 11):
        client.send(call, encode(M.EchoMessage(number=number, payload=bytes(number * 1000))))
        while len(call.messages) < number:
            client.turn()
    client.close(call)
    client.finish(call)
    numbers = [M.EchoMessage.FromString(one).number for one in call.messages]
    check("both sides stream", numbers == list(range(1, 11)) and call.status.code == 0)
    call = client.finish(client.start(FAIL, encode(M.FailRequest(code=9, message="so"))))
    check("a status", call.status.code == 9 and call.status.message == "so")
    call = client.finish(client.start(DELAY, encode(M.DelayRequest(delay_ms=60000)), timeout_ms=20))
    check("a deadline", call.status.code == 4)
    client.cancel(client.start(DELAY, encode(M.DelayRequest(delay_ms=60000))))
    call = client.finish(client.start(ECHO, b""))
    check("after a cancel", call.messages == [b""])
    call = client.finish(client.start(255, b""))
    check("an unknown method", call.status.code == 12 and call.status.not_processed)
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
