"""The conversations of Protos/vectors/conversations.json."""

from quiver_frames import LARGEST_STREAM, PREFACE, encode, frame, varint

FREE = {
    "HELLO": ["software", "instance_id"], "STATUS": ["message"], "GOAWAY": ["reason"],
    "CANCEL": ["reason"],
}  # fmt: skip


class Talk:
    """A conversation while it is written."""

    def __init__(self, name, id, about, roles=("server",), example=False):
        self.entry = {"name": name, "id": id, "about": about, "roles": list(roles)}
        if example:
            self.entry["example"] = True
        self.steps = self.entry["steps"] = []

    def c(self, *parts):
        self.steps.append({"client": b"".join(parts).hex()})
        return self

    def s(self, *frames):
        listed = []
        for kind, data in frames:
            one = {"hex": data.hex()}
            if kind in FREE:
                one["free"] = FREE[kind]
            listed.append(one)
        self.steps.append({"server": listed})
        return self

    def step(self, **fields):
        self.steps.append(fields)
        return self


def conversations(M, request, credit, ping, control):
    def client_hello(**fields):
        fields = {"version_min": 1, "version_max": 1, "software": "vectors", "auth_token": b"good"} | fields
        return PREFACE + frame("HELLO", encode(M.Hello(**{k: v for k, v in fields.items() if v})))

    def server_hello(**fields):
        hello = M.Hello(
            version_min=1, version_max=1, software="vectors", instance_id=b"\x01\x02\x03\x04",
            ping_floor_ms=10000, **fields,
        )  # fmt: skip
        return "HELLO", PREFACE + frame("HELLO", encode(hello))

    def data(stream, message, *flags):
        return "DATA", frame("DATA", message, flags, stream)

    def response(stream, message, *flags):
        return "RESPONSE", frame("RESPONSE", message, flags, stream)

    def status(stream, code=0, message="", **fields):
        payload = M.Status(code=code, message=message, **fields)
        return "STATUS", frame("STATUS", encode(payload), (), stream)

    def refused(stream, code, message):
        return status(stream, code, message, not_processed=True)

    def goaway(code, reason, last=0, **fields):
        return "GOAWAY", control("GOAWAY", code=code, reason=reason, last_stream_id=last, **fields)

    def headers(stream, *entries):
        payload = M.ResponseHead(metadata=[M.Metadata(key=k, value=v) for k, v in entries])
        return "HEADERS", frame("HEADERS", encode(payload), (), stream)

    talks = []

    def talk(*arguments, **options):
        talks.append(Talk(*arguments, **options))
        return talks[-1]

    def greeted(*arguments, hello=None, **options):
        return talk(*arguments, **options).c(client_hello(**(hello or {}))).s(server_hello())

    cancelled = frame("CANCEL", b"", (), 1)
    both = ("server", "client")
    calm = 6

    # -- Calls
    forty = encode_blob(40)
    greeted(
        "a-unary-call", "C01", "A unary call of 40 bytes with a deadline of 1 s, and its answer of 40:"
        " 103 bytes on the wire.", roles=both, example=True,
    ).step(call=1, method=4097, message=forty.hex(), timeout_ms=1000).c(
        request(1, message=forty, timeout_ms=1000)
    ).s(response(1, forty)).step(outcome=1, reply=forty.hex())  # fmt: skip
    talk(
        "calls-without-waiting", "H04", "0-RTT: two calls come with the HELLO, and are answered behind"
        " the server's.", example=True,
    ).c(client_hello(), request(1, message=b"a"), request(3, message=b"b")).s(
        server_hello(), response(1, b"a"), response(3, b"b")
    )  # fmt: skip
    greeted("an-empty-message", "U01", "An empty message goes up and comes down.", roles=both).step(
        call=1, method=4097, message="", timeout_ms=0
    ).c(request(1)).s(response(1, b"")).step(outcome=1, reply="")
    greeted("by-name", "U10", "A method is named by its name.").c(
        request(1, 0, b"a", method_name="vectors.Talk/Echo")
    ).s(response(1, b"a"))
    greeted("numbers-with-gaps", "U01", "Stream ids rise, gaps are allowed.").c(
        request(5, message=b"a"), request(2**31 - 1, message=b"b")
    ).s(response(5, b"a"), response(2**31 - 1, b"b"))
    greeted("a-server-stream", "U03", "One message up, three down, then STATUS(OK).", example=True).c(
        request(1, 4099, b"abc")
    ).s(data(1, b"a"), data(1, b"b"), data(1, b"c"), status(1))
    greeted(
        "a-client-stream", "U04", "A REQUEST without a message, two messages, the end by CLOSE, one"
        " answer.", example=True,
    ).c(request(1, 4098, flags=())).s(headers(1)).c(data(1, b"ab")[1]).c(data(1, b"cd")[1], frame("CLOSE", b"", (), 1)).s(
        response(1, b"abcd")
    )  # fmt: skip
    greeted("a-client-stream-ended-by-its-last-message", "U04", "The same, ended by END on a message.").c(
        request(1, 4098, flags=()), data(1, b"ab")[1], data(1, b"", "END")[1]
    ).s(response(1, b"ab"))
    greeted("a-client-stream-in-its-request", "U04", "A REQUEST that carries the only message.").c(
        request(1, 4098, b"abc")
    ).s(response(1, b"abc"))
    greeted("a-client-stream-of-nothing", "U06", "A client stream without a message.").c(
        request(1, 4098, flags=()), frame("CLOSE", b"", (), 1)
    ).s(response(1, b""))
    greeted("ping-pong", "U05", "Both sides stream, message by message.", example=True).c(
        request(1, 4100, flags=())
    ).s(headers(1)).c(data(1, b"one")[1]).s(data(1, b"one")).c(data(1, b"two")[1]).s(data(1, b"two")).c(
        data(1, b"", "END")[1]
    ).s(data(1, b""), status(1))
    greeted("an-empty-server-stream", "U06", "A reply without a message.").c(request(1, 4099)).s(status(1))
    greeted("an-error-after-messages", "U09", "Two messages, then a status that is not OK.", example=True).c(
        request(1, 4100, flags=()), data(1, b"a")[1], data(1, b"b")[1]
    ).s(data(1, b"a"), data(1, b"b")).c(data(1, b"\xff\x0a")[1]).s(status(1, 10, "as asked"))
    part = b"x" * 1024
    greeted("a-message-in-parts", "C11", "A message in three frames; the answer fits in one.").c(
        request(1, 4097, b"", ("MORE",)), data(1, part, "MORE")[1]
    ).c(data(1, b"y", "END")[1]).s(response(1, part + b"y"))
    greeted("a-unary-message-ended-by-close", "C11", "REQUEST, DATA and CLOSE make a unary call too.").c(
        request(1, 4097, flags=()), data(1, b"a")[1], frame("CLOSE", b"", (), 1)
    ).s(response(1, b"a"))
    greeted(
        "a-large-answer-in-parts", "U02", "An answer larger than the client's frames goes on in DATA.",
        hello={"max_frame_bytes": 4096},
    ).c(request(1, message=b"z" * 5000)).s(
        response(1, b"z" * 4096, "MORE"), data(1, b"z" * 904)
    )  # fmt: skip
    for code in range(1, 17):
        greeted(f"status-{code}", "U08", f"A unary call that ends with code {code}.", roles=both).step(
            call=1, method=4101, message=bytes([code]).hex() + b"no".hex(), timeout_ms=0
        ).c(request(1, 4101, bytes([code]) + b"no")).s(status(1, code, "no")).step(
            outcome=1, code=code, not_processed=False
        )
    special = "\t\r\n ß 世界 😀"
    greeted("a-status-text", "U07", "Tab, line ends and characters of all planes in a status text.").c(
        request(1, 4101, b"\x05" + special.encode())
    ).s(status(1, 5, special))
    entries = [("user", b"a"), ("user", b""), ("bytes", bytes(range(256)))]
    metadata = [M.Metadata(key=k, value=v) for k, v in entries]
    greeted(
        "metadata-around-a-reply", "U15", "Metadata repeats, holds bytes and keeps its order; a single"
        " reply with trailing metadata is DATA and STATUS.",
    ).c(request(1, 4104, b"a", metadata=metadata)).s(
        headers(1, *entries), data(1, b"a"), status(1, metadata=metadata)
    )  # fmt: skip

    # -- Refusals
    greeted("an-unknown-method", "U10", "An id and a name that nobody has.").c(
        request(1, 255), request(3, 0, method_name="vectors.Talk/None")
    ).s(
        refused(1, 12, "no method has the id 255"),
        refused(3, 12, "no method has the name that was asked for"),
    )
    greeted("too-few-and-too-many-messages", "U11", "A unary method with no message, and with two.").c(
        request(1, 4097, flags=()), frame("CLOSE", b"", (), 1)
    ).s(refused(1, 12, "this method takes one message")).c(
        request(3, 4097, flags=()), data(3, b"a")[1], data(3, b"b")[1]
    ).s(refused(3, 12, "this method takes one message, not more"))
    many = [M.Metadata(key="k", value=b"")] * 65
    greeted("too-much-metadata", "U13", "65 entries of metadata; the connection goes on.").c(
        request(1, metadata=many), request(3, message=b"a")
    ).s(refused(1, 8, "metadata: at most 64 entries and 8192 bytes"), response(3, b"a"))
    greeted("a-reply-over-the-client's-limit", "U16", "The caller takes 4,096 bytes, the reply has more.",
            hello={"max_message_bytes": 4096}).c(request(1, message=b"z" * 4097)).s(
        status(1, 8, "the reply has 4097 bytes, the caller takes 4096"))  # fmt: skip
    greeted("keys", "U11", "A key of a wrong length, and one on a streaming method.").c(
        request(1, idempotency_key=b"x" * 15), request(3, 4098, idempotency_key=b"x" * 16)
    ).s(
        refused(1, 3, "idempotency_key: must be 16 bytes"),
        refused(3, 3, "idempotency_key: only unary calls take one"),
    )

    # -- Deadlines and cancelling
    greeted("a-deadline-passes", "D01", "A handler is cancelled at the deadline, and then the call ends.",
            example=True).c(request(1, 4102, timeout_ms=100)).step(wait_ms=99).s().step(wait_ms=1).s(
        status(1, 4, "the call's deadline passed while its handler ran"))  # fmt: skip
    greeted("a-deadline-before-the-request-has-come", "D03", "Nothing is started.").c(
        request(1, 4097, b"", ("MORE",), timeout_ms=100)
    ).step(wait_ms=100).s(refused(1, 4, "the call's deadline passed before its handler could start"))
    greeted("the-client's-deadline", "D06", "The client ends the call by its own clock, and says so.",
            roles=("client",)).step(call=1, method=4102, message="", timeout_ms=100).c(
        request(1, 4102, timeout_ms=100)).step(wait_ms=100).c(control("CANCEL", 1, code=4)).step(
        outcome=1, code=4, not_processed=False)  # fmt: skip
    greeted("a-call-is-cancelled", "K01", "CANCEL is not answered; the connection goes on.", roles=both,
            example=True).step(call=1, method=4102, message="", timeout_ms=0).c(request(1, 4102)).step(
        cancel=1).c(cancelled).step(outcome=1, code=1, not_processed=False).step(
        call=3, method=4097, message=b"a".hex(), timeout_ms=0).c(request(3, message=b"a")).s(
        response(3, b"a")).step(outcome=3, reply=b"a".hex())  # fmt: skip
    greeted("late-frames", "K10", "DATA, CANCEL, CREDIT and CLOSE of calls that are over are dropped.").c(
        request(3, message=b"a")
    ).s(response(3, b"a")).c(
        data(3, b"x")[1], frame("CANCEL", b"", (), 3), credit(3, 1 << 30), frame("CLOSE", b"", (), 1), ping(7)
    ).s(("PING", ping(7, ("END",))))
    greeted("cancel-of-an-unknown-stream", "K10", "A stream that was never opened cannot be cancelled.").c(
        cancelled
    ).s(goaway(1, "a frame on a stream that was never opened")).step(closed=True)

    # -- Handshake
    talk("another-protocol", "H01", "A client of an unknown protocol receives nothing.").c(
        b"EHLO archery\r\n"
    ).s().step(closed=True)
    talk("a-late-hello", "H02", "A HELLO that does not come in 5 s: closed, and nothing said.").c(
        PREFACE
    ).step(wait_ms=5000).s().step(closed=True)
    talk("another-version", "H03", "A client of version 2 is told what there is.", example=True).c(
        PREFACE[:7] + b"\x02"
    ).s(server_hello(), goaway(4, "this server speaks version 1")).step(closed=True)
    greeted("hello-twice", "H05", "HELLO comes once.").c(client_hello()[8:]).s(
        goaway(1, "a second HELLO")
    ).step(closed=True)
    unknown = client_hello()[16:] + bytes.fromhex("f80705fa07020101")
    talk("hello-of-the-future", "H06", "Unknown fields of HELLO are skipped.").c(
        PREFACE + frame("HELLO", unknown), request(1, message=b"a")
    ).s(server_hello(), response(1, b"a"))
    talk("hello-first", "H05", "A call before HELLO.").c(PREFACE + request(1)).s(
        server_hello(), goaway(1, "HELLO must be the first frame")
    ).step(closed=True)
    talk("a-limit-too-low", "H06", "No byte field of HELLO is under 4 KiB.").c(
        client_hello(max_frame_bytes=4095)
    ).s(server_hello(), goaway(1, "a limit of HELLO is too low")).step(closed=True)
    talk("no-token", "H08", "Without a token one method in three answers.", example=True).c(
        client_hello(auth_token=b"")
    ).s(server_hello()).c(request(1, 4097), request(3, 4103, b"a")).s(
        refused(1, 16, "this call needs a token"), response(3, b"a")
    )
    talk("a-bad-token", "H08", "A token that nobody knows ends the connection.").c(
        client_hello(auth_token=b"bad")
    ).s(server_hello(), goaway(5, "the token is not known")).step(closed=True)
    talk("small-limits-without-a-token", "H04", "A frame of 4,097 bytes without a token.").c(
        client_hello(auth_token=b""), request(1, 4103, b"x" * 4093)
    ).s(server_hello(), goaway(2, "a frame's length is not what its type allows")).step(closed=True)

    # -- Flow control
    greeted("a-window-of-4-kib", "F01", "The reply waits for CREDIT, and goes on where it was cut.",
            hello={"initial_stream_credit": 4096}).c(request(1, message=b"z" * 5000)).s(
        response(1, b"z" * 4064, "MORE")).c(credit(1, 4096), credit(1, 4000)).s().c(
        credit(1, 8192)).s(data(1, b"z" * 936))  # fmt: skip
    greeted("credit-for-a-message-in-reassembly", "F01", "Bytes in reassembly are returned once they make"
            " half a window.").c(request(1, 4097, b"", ("MORE",)), data(1, b"x" * 16000, "MORE")[1]).s().c(
        data(1, b"x" * 16000, "MORE")[1], data(1, b"x" * 1024, "MORE")[1]).s(
        ("CREDIT", credit(1, 65536 + 33156))).c(cancelled, ping(1)).s(("PING", ping(1, ("END",)))
    )  # fmt: skip
    talk("more-than-the-connection's-allowance", "F05", "An anonymous client overruns 16 KiB with calls that"
         " are refused, before the server could raise it.").c(
        client_hello(auth_token=b""),
        *(request(2 * n + 1, 4097, b"x" * 4000) for n in range(5)),
    ).s(server_hello(), *(refused(2 * n + 1, 16, "this call needs a token") for n in range(4)),
        goaway(3, "more than the connection's allowance", 9)).step(closed=True)  # fmt: skip
    # In several writes CREDIT would come between.
    talks[-1].entry["whole"] = True

    # -- Life
    greeted("ping", "C09", "A PING comes back with END and its bytes.", example=True).c(
        frame("PING", b"\x01\x02\x03\x04\x05\x06\x07\x08")
    ).s(("PING", frame("PING", b"\x01\x02\x03\x04\x05\x06\x07\x08", ("END",))))
    greeted("skipped-frames", "C06", "Unknown frames with IGNORABLE are skipped.").c(
        bytes.fromhex("000002ea00000005") + b"ab", request(1, message=b"a")
    ).s(response(1, b"a"))
    greeted("keepalive", "L06", "The server pings after 60 s without a byte, and gives up 10 s later.").step(
        wait_ms=59999
    ).s().step(wait_ms=1).s(("PING", ping(1))).step(wait_ms=10000).s(
        goaway(7, "no answer to a PING")
    ).step(closed=True)
    greeted("an-unfinished-frame", "C03", "A frame that is begun ends within 30 s.").c(
        request(1, message=b"a")[:-1]
    ).step(wait_ms=30000).s(goaway(7, "a frame was begun and not finished")).step(closed=True)
    greeted(
        "drain", "L01", "GOAWAY in two steps around a PING; the open call ends, then the server closes.",
        example=True,
    ).c(request(1, 4102, timeout_ms=100)).step(drain=True).s(
        goaway(0, "the server is draining", LARGEST_STREAM, drain_ms=30000), ("PING", ping(1))
    ).c(ping(1, ("END",))).s(
        goaway(0, "the server is draining", 1, drain_ms=30000)
    ).c(request(3, message=b"a")).s().step(wait_ms=100).s(
        status(1, 4, "the call's deadline passed while its handler ran")
    ).step(closed=True)  # fmt: skip
    greeted("the-end-of-a-drain", "L02", "Calls that do not end in time are cancelled.").c(
        request(1, 4102)
    ).step(drain=True).s(
        goaway(0, "the server is draining", LARGEST_STREAM, drain_ms=30000), ("PING", ping(1))
    ).c(ping(1, ("END",))).s(goaway(0, "the server is draining", 1, drain_ms=30000)).step(wait_ms=30000).s(
        ("CANCEL", control("CANCEL", 1, code=14, reason="the server stops"))
    ).step(closed=True)
    greeted("a-drain-as-the-client-sees-it", "L03", "What is above the last id was not processed.",
            roles=("client",)).step(call=1, method=4102, message="", timeout_ms=0).c(request(1, 4102)).step(
        call=3, method=4097, message=b"a".hex(), timeout_ms=0).c(request(3, message=b"a")).s(
        goaway(0, "drain", LARGEST_STREAM, drain_ms=30000), ("PING", ping(1))).c(ping(1, ("END",))).s(
        goaway(0, "drain", 1, drain_ms=30000)).step(outcome=3, code=14, not_processed=True).s(
        response(1, b"")).step(outcome=1, reply="")  # fmt: skip
    greeted("the-server-gives-up", "L06", "GOAWAY for cause: what is open is UNAVAILABLE.",
            roles=("client",)).step(call=1, method=4102, message="", timeout_ms=0).c(request(1, 4102)).s(
        goaway(8, "sorry", 1)).step(outcome=1, code=14, not_processed=False)  # fmt: skip
    greeted("a-token-is-revoked", "H08", "After GOAWAY(UNAUTHENTICATED) calls end so.",
            roles=("client",)).step(call=1, method=4102, message="", timeout_ms=0).c(request(1, 4102)).s(
        goaway(5, "revoked", 1)).step(outcome=1, code=16, not_processed=False)  # fmt: skip

    # -- Abuse
    greeted("rapid-reset", "A01", "201 calls that are cancelled at once.").c(
        *(request(2 * n + 1, 4102) + frame("CANCEL", b"", (), 2 * n + 1) for n in range(201))
    ).s(goaway(calm, "too many calls were cancelled", 401)).step(closed=True)
    greeted("provoked-resets", "A02", "201 calls that cannot be answered.").c(
        *(request(2 * n + 1, 255) for n in range(201))
    ).s(
        *(refused(2 * n + 1, 12, "no method has the id 255") for n in range(200)),
        goaway(calm, "too many calls that cannot be answered", 401),
    ).step(closed=True)
    greeted("ping-flood", "A03", "PINGs below the floor: ten are borne in a minute.").c(
        *(ping(n) for n in range(1, 13))
    ).s(
        *(("PING", ping(n, ("END",))) for n in range(1, 12)),
        goaway(calm, "more PINGs than ping_floor_ms allows"),
    ).step(closed=True)
    return [one.entry for one in talks]


def encode_blob(size):
    """A protobuf message of `size` bytes: field 1 with bytes 0, 1, 2 …"""
    length = size - 2
    return b"\x0a" + varint(length) + bytes(place & 255 for place in range(length))
