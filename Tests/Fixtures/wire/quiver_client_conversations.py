"""The conversations of Protos/vectors/clients.json: what a whole client does, with its channel."""

from quiver_frames import encode, frame, varint

UNARY, MUTATE, UPLOAD, DOWNLOAD, TALK, WATCH = 65282, 65281, 65283, 65284, 65285, 4100
KEY = bytes(range(16))
HEAD = ["timeout_ms"]
PATTERNS = {}


def echo(payload):
    """An EchoMessage: field 1, the payload."""
    return b"" if not payload else b"\x0a" + varint(len(payload)) + payload


def pattern(count):
    """Bytes that do not compress."""
    if count not in PATTERNS:
        state, made = 7, bytearray()
        for _ in range(count):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            made.append(state >> 24)
        PATTERNS[count] = bytes(made)
    return PATTERNS[count]


def written(data, key="hex"):
    """Bytes as the file has them: long ones that end with a pattern name its length instead."""
    for count in sorted(PATTERNS, reverse=True):
        if count >= 4000 and data.endswith(PATTERNS[count]):
            return {key: data[: len(data) - count].hex(), "pattern": count}
    return {key: data.hex()}


def raw_zstd(content):
    """One zstd frame of one raw block: a form that every decoder takes and that needs no encoder."""
    head = b"\x28\xb5\x2f\xfd" + bytes([0x60]) + (len(content) - 256).to_bytes(2, "little")
    return head + (len(content) << 3 | 1).to_bytes(3, "little") + content


class Talk:
    """A conversation while it is written."""

    def __init__(self, M, name, about, **fields):
        self.M = M
        self.entry = {"name": name, "about": about, "roles": ["client"]} | fields
        self.steps = self.entry["steps"] = []

    def step(self, **fields):
        self.steps.append(fields)
        return self

    def accept(self, **hello):
        """Both HELLOs on the next connection."""
        return self.step(accept=hello)

    def call(self, number, method, payload=b"", **fields):
        return self.step(call=number, method=method, **written(payload, "payload"), **fields)

    def client(self, *frames):
        return self.step(client=list(frames))

    def server(self, *frames):
        return self.step(server=[written(one) for one in frames])

    def request(self, stream, method, payload=None, free=(), end=True, parts=False, **fields):
        """Expects a REQUEST; without a payload it carries no message."""
        fields = {k: v for k, v in fields.items() if v}
        head = encode(self.M.RequestHead(method_id=method, **fields))
        body = b"" if payload is None else payload if isinstance(payload, Raw) else echo(payload)
        flags = ("END",) if end and payload is not None else ()
        one = written(frame("REQUEST", varint(len(head)) + head + body, flags, stream))
        one["free"] = HEAD + list(free)
        if parts:
            one["parts"] = True
        return self.client(one)

    def upload(self, stream, method, payloads, ends=False):
        """Expects a request stream: how it is cut into frames and ended is the client's choice."""
        head = encode(self.M.RequestHead(method_id=method))
        return self.step(
            upload=frame("REQUEST", varint(len(head)) + head, (), stream).hex(), free=HEAD,
            payloads=[written(one, "payload") for one in payloads], **({"ends": True} if ends else {}),
        )  # fmt: skip

    def answer(self, stream, payload):
        return self.server(frame("RESPONSE", echo(payload), (), stream))

    def status(self, stream, code=0, **fields):
        return self.server(frame("STATUS", encode(self.M.Status(code=code, **fields)), (), stream))

    def message(self, number, payload):
        return self.step(message=number, **written(payload, "payload"))

    def outcome(self, number, code=0, **fields):
        return self.step(outcome=number, code=code, **fields)

    def span(self, number, after, upto, epoch=77, snapshot=False, incomplete=False):
        return self.step(span=number, after=after, upto=upto, store_epoch=epoch, snapshot=snapshot,
                         incomplete=incomplete)  # fmt: skip

    def watch_frame(self, stream, after, upto, epoch=77, snapshot=False, incomplete=False):
        numbers = [(1, after), (2, upto), (4, snapshot), (5, incomplete)]
        body = b"".join(varint(field << 3) + varint(int(one)) for field, one in numbers if one)
        body += b"\x19" + epoch.to_bytes(8, "little")
        return self.server(frame("DATA", b"\x0a" + varint(len(body)) + body, (), stream))


class Raw(bytes):
    """A message as it stands, not an EchoMessage."""


def client_conversations(M):
    talks = []

    def talk(name, about, **fields):
        made = Talk(M, name, about, **fields)
        talks.append(made)
        return made

    def data(stream, payload, *flags):
        return frame("DATA", payload, flags, stream)

    def credit(stream, allowance):
        return frame("CREDIT", allowance.to_bytes(8, "big"), (), stream)

    def goaway(last, code=0):
        return frame("GOAWAY", encode(M.GoAway(code=code, last_stream_id=last, reason="drain")))

    def opened(name, about, method, payload=b"\x01", fields={}, **options):
        made = talk(name, about, **options).call(1, method, payload, **fields).accept()
        if method == WATCH:
            return made.request(1, WATCH, Raw(), credit_at_once=True)
        free = ["idempotency_key"] if method == MUTATE else []
        return made.request(1, method, payload, free)

    # Streams.
    opened("a-reply-stream", "HEADERS, three messages, STATUS(OK).", DOWNLOAD).server(
        frame("HEADERS", b"", (), 1), *(data(1, echo(bytes([n]))) for n in range(3))
    ).status(1).step(read=1, count=0).message(1, b"\0").message(1, b"\1").message(1, b"\2").outcome(1)
    opened("a-reply-stream-without-headers", "DATA may come first; an empty DATA is a message.",
           DOWNLOAD).server(data(1, b""), data(1, echo(b"a"))).status(1).step(read=1, count=0) \
        .message(1, b"").message(1, b"a").outcome(1)  # fmt: skip
    opened("an-empty-reply-stream", "STATUS(OK) alone ends a reply stream.", DOWNLOAD).status(
        1).step(read=1, count=0).outcome(1)
    opened("an-error-behind-messages", "The messages are delivered, then the error.", DOWNLOAD) \
        .server(data(1, echo(b"a"))).status(1, 9, message="no more").step(read=1, count=0) \
        .message(1, b"a").outcome(1, 9)  # fmt: skip
    payloads = [b"", b"one", pattern(40000), b"last"]
    made = talk("a-request-stream", "Four messages, one of them larger than a frame, and their end.")
    made.call(1, UPLOAD)
    for one in payloads:
        made.step(send=1, **written(one, "payload"))
    made.step(finish=1).accept().upload(1, UPLOAD, payloads, ends=True).answer(1, b"\4").message(
        1, b"\4").outcome(1)
    made = talk("both-sides-stream", "Each message is answered before the next is sent.")
    made.call(1, TALK).step(read=1, count=0).step(send=1, payload="61").accept()
    made.upload(1, TALK, [b"a"]).server(data(1, echo(b"A"))).message(1, b"A")
    made.step(send=1, payload="62").step(more=1, payloads=[{"payload": "62"}])
    made.server(data(1, echo(b"B"))).message(1, b"B").step(finish=1).step(more=1, payloads=[], ends=True).status(1).outcome(1)
    talk("a-request-stream-is-refused", "STATUS ends the call whatever the client still sends.") \
        .call(1, UPLOAD).step(send=1, payload="61").accept().step(
            upload=frame("REQUEST", b"\4" + encode(M.RequestHead(method_id=UPLOAD)), (), 1).hex(),
            free=HEAD, payloads=[{"payload": "61"}]).status(1, 7).outcome(1, 7)  # fmt: skip

    # Watches that resume.
    opened("a-watch-resumes", "On a new connection it asks for what follows its last message.",
           WATCH).watch_frame(1, 0, 5, snapshot=True).watch_frame(1, 5, 8).step(read=1, count=0) \
        .span(1, 0, 5, snapshot=True).span(1, 5, 8).step(cut=True).accept() \
        .request(1, WATCH, Raw(), credit_at_once=True, after_sequence=8, store_epoch=77) \
        .watch_frame(1, 8, 9).span(1, 8, 9)  # fmt: skip
    opened("a-snapshot-in-parts", "An incomplete part is no position: the snapshot begins again.",
           WATCH).watch_frame(1, 0, 5, snapshot=True, incomplete=True).step(read=1, count=0) \
        .span(1, 0, 5, snapshot=True, incomplete=True).step(cut=True).accept() \
        .request(1, WATCH, Raw(), credit_at_once=True).watch_frame(1, 0, 6, snapshot=True) \
        .span(1, 0, 6, snapshot=True)  # fmt: skip
    talk("a-position-that-is-gone", "OUT_OF_RANGE: the watch asks for a snapshot.").call(
        1, WATCH, after=40, epoch="76").accept().request(
        1, WATCH, Raw(), credit_at_once=True, after_sequence=40, store_epoch=76).step(
        read=1, count=0).status(1, 11).request(3, WATCH, Raw(), credit_at_once=True).watch_frame(
        3, 0, 3, epoch=78, snapshot=True).span(1, 0, 3, epoch=78, snapshot=True)  # fmt: skip
    opened("a-drain-under-a-watch", "UNAVAILABLE while the server drains: resumed elsewhere.", WATCH) \
        .watch_frame(1, 0, 5, snapshot=True).step(read=1, count=0).span(1, 0, 5, snapshot=True) \
        .server(goaway(2**31 - 1)).status(1, 14).accept() \
        .request(1, WATCH, Raw(), credit_at_once=True, after_sequence=5, store_epoch=77)  # fmt: skip
    opened("a-watch-states-credit-at-once", "CREDIT as soon as its message was taken.", WATCH) \
        .watch_frame(1, 0, 5, snapshot=True).step(read=1, count=0).span(1, 0, 5, snapshot=True) \
        .step(credit=1, at_least=65537, at_most=65536 + 100)  # fmt: skip

    # Credit in both directions.
    large = pattern(100000)
    talk("a-request-waits-for-credit", "It fills the window, and goes on with CREDIT.").call(
        1, UNARY, large).accept().step(fills=1, allowance=65536).server(credit(1, 110000)).request(
        1, UNARY, large, parts=True).answer(1, b"\1").message(1, b"\1").outcome(1)  # fmt: skip
    talk("a-request-waits-for-credit-of-the-connection", "The allowance of stream 0 holds too.").call(
        1, UNARY, pattern(1200000)).accept(initial_stream_credit=1 << 21).step(
        fills=1, allowance=1 << 20).server(credit(0, 1400000)).request(
        1, UNARY, pattern(1200000), parts=True).answer(1, b"\1").message(1, b"\1").outcome(1)  # fmt: skip
    made = opened("credit-follows-the-application", "Nothing is stated before messages are taken.",
                  DOWNLOAD)  # fmt: skip
    for _ in range(10):
        made.server(data(1, echo(pattern(4000))))
    made.step(nothing_ms=150, credits=[1]).step(read=1, count=10)
    for _ in range(10):
        made.message(1, pattern(4000))
    size = len(echo(pattern(4000))) + 32
    made.step(credit=1, at_least=65536 + 32768, at_most=65536 + 10 * size).status(1).step(
        read=1, count=0).outcome(1)
    made = opened("credit-for-the-connection", "Frames of a call that has ended are counted.", UNARY)
    made.step(cancel=1).outcome(1, 1).client({"hex": frame("CANCEL", b"", (), 1).hex(),
                                              "free": ["code", "reason"]})  # fmt: skip
    for _ in range(35):
        made.server(data(1, pattern(16000), "MORE"))
    made.step(credit=0, at_least=(1 << 20) + 524288, at_most=(1 << 20) + 35 * 16032)

    # Messages of several frames.
    whole = echo(pattern(9000))
    opened("a-reply-of-three-frames", "RESPONSE and DATA with MORE, then DATA.", UNARY).server(
        frame("RESPONSE", whole[:1024], ("MORE",), 1), data(1, whole[1024:8000], "MORE"),
        data(1, whole[8000:])).message(1, pattern(9000)).outcome(1)  # fmt: skip
    opened("parts-of-two-streams", "Frames of two messages may alternate.", UNARY).call(
        2, UNARY, b"\2").request(3, UNARY, b"\2").server(
        frame("RESPONSE", whole[:2000], ("MORE",), 3), frame("RESPONSE", whole[:3000], ("MORE",), 1),
        data(3, whole[2000:]), data(1, whole[3000:])).message(2, pattern(9000)).outcome(2).message(
        1, pattern(9000)).outcome(1)  # fmt: skip
    opened("a-status-discards-a-part", "A failing STATUS inside a message ends the call.", UNARY) \
        .server(frame("RESPONSE", whole[:2000], ("MORE",), 1)).status(1, 13).outcome(1, 13)  # fmt: skip
    opened("a-message-in-a-stream-of-parts", "The parts of one message, then a whole one.", DOWNLOAD) \
        .server(data(1, whole[:1024], "MORE"), data(1, whole[1024:]), data(1, echo(b"z"))).status(1) \
        .step(read=1, count=0).message(1, pattern(9000)).message(1, b"z").outcome(1)  # fmt: skip

    # Compression.
    content = echo(b"compressed " * 100)
    packed = raw_zstd(content)
    for name, about, frames in [
        ("a-compressed-reply", "One zstd frame, of one raw block.",
         [frame("RESPONSE", packed, ("COMPRESSED",), 1)]),
        ("a-compressed-reply-in-parts", "COMPRESSED is on the first frame only.",
         [frame("RESPONSE", packed[:1024], ("COMPRESSED", "MORE"), 1), data(1, packed[1024:])]),
    ]:  # fmt: skip
        talk(name, about, compression=True).call(1, UNARY, b"\1").accept(
            compression=["zstd"]).request(1, UNARY, b"\1").server(*frames).message(
            1, b"compressed " * 100).outcome(1)  # fmt: skip
    talk("a-reply-that-does-not-decompress", "INTERNAL, and the connection stays.", compression=True) \
        .call(1, UNARY, b"\1").accept(compression=["zstd"]).request(1, UNARY, b"\1").server(
        frame("RESPONSE", b"\x28\xb5\x2f\xfd" + b"\xff" * 20, ("COMPRESSED",), 1)).outcome(1, 13) \
        .call(2, UNARY, b"\2").request(3, UNARY, b"\2").answer(3, b"\2").message(2, b"\2").outcome(2)  # fmt: skip

    # Metadata.
    opened("metadata-of-a-reply", "Initial in HEADERS, trailing in STATUS; values are bytes.", UNARY) \
        .server(frame("HEADERS", encode(M.ResponseHead(
            metadata=[M.Metadata(key="first", value=b"\0\xff")])), (), 1), data(1, echo(b"r"))) \
        .status(1, metadata=[M.Metadata(key="last", value=b"\1")]).message(1, b"r") \
        .outcome(1, initial="first=00ff", trailing="last=01")  # fmt: skip
    entries = [M.Metadata(key="a", value=b"\0"), M.Metadata(key="a", value=b"\xff"),
               M.Metadata(key="b-c.d_9", value=b"ab")]  # fmt: skip
    talk("metadata-of-a-request", "Keys repeat and keep their order.").call(
        1, UNARY, b"\1", metadata="a=00,a=ff,b-c.d_9=6162").accept().request(
        1, UNARY, b"\1", metadata=entries).answer(1, b"").message(1, b"").outcome(1)  # fmt: skip
    opened("an-error-with-everything", "Text, details, trailing metadata and push-back.", UNARY) \
        .status(1, 9, message="no", details=[M.Detail(type="quiver.v1.Riser", value=b"\x08\1")],
                metadata=[M.Metadata(key="last", value=b"\1")], retry_after_ms=-1) \
        .outcome(1, 9, text="no", details="quiver.v1.Riser=0801", trailing="last=01",
                 not_processed=False, retry_after_ms=-1)  # fmt: skip

    # Retries.
    opened("not-processed-is-sent-again", "With attempt 1 and the same request.", UNARY).status(
        1, 14, not_processed=True).request(3, UNARY, b"\1", attempt=1).answer(3, b"r").message(
        1, b"r").outcome(1)  # fmt: skip
    talk("a-key-is-kept", "A call that may have run is sent again under its key.").call(
        1, MUTATE, b"\1", key=KEY.hex()).accept().request(
        1, MUTATE, b"\1", idempotency_key=KEY).status(1, 14).request(
        3, MUTATE, b"\1", idempotency_key=KEY, attempt=1).answer(3, b"r").message(1, b"r").outcome(1)  # fmt: skip
    talk("a-key-over-a-lost-connection", "The same key on the next connection.").call(
        1, MUTATE, b"\1", key=KEY.hex(), wait_for_ready=True).accept().request(
        1, MUTATE, b"\1", idempotency_key=KEY).step(cut=True).accept().request(
        1, MUTATE, b"\1", idempotency_key=KEY, attempt=1).answer(1, b"r").message(1, b"r").outcome(1)  # fmt: skip
    opened("a-push-back-is-waited-for", "RESOURCE_EXHAUSTED with retry_after_ms is sent again.",
           UNARY).status(1, 8, not_processed=True, retry_after_ms=1000).step(nothing_ms=300) \
        .request(3, UNARY, b"\1", attempt=1).answer(3, b"r").message(1, b"r").outcome(1)  # fmt: skip
    opened("no-retry-without-push-back", "RESOURCE_EXHAUSTED alone is the outcome.", UNARY).status(
        1, 8, not_processed=True).outcome(1, 8, not_processed=True).step(nothing_ms=200)  # fmt: skip
    opened("above-the-last-stream", "GOAWAY: what is above last_stream_id goes elsewhere.", UNARY) \
        .call(2, UNARY, b"\2").request(3, UNARY, b"\2").server(goaway(2**31 - 1), goaway(1)) \
        .accept().request(1, UNARY, b"\2", attempt=1).answer(1, b"s").message(2, b"s").outcome(2)  # fmt: skip
    opened("never-retry", "A push-back of -1 forbids it.", UNARY).status(
        1, 14, not_processed=True, retry_after_ms=-1).outcome(
        1, 14, not_processed=True, retry_after_ms=-1).step(nothing_ms=200)  # fmt: skip

    # Positions.
    def position(epoch, sequence):
        text = f"{epoch:016x}-{sequence}"
        return [M.Metadata(key="quiver-position", value=text.encode())]

    def trailing(epoch, sequence):
        return "quiver-position=" + position(epoch, sequence)[0].value.hex()

    made = talk("a-position-is-stated", "The latest one, in every later call; another epoch replaces it.")
    made.call(1, UNARY, b"\1").accept().request(1, UNARY, b"\1")
    known = None
    steps = [(7, 20), (7, 19), (7, 2**63 - 1), (0xFEDCBA9876543210, 3), None]
    for number, stated in enumerate(steps, 1):
        stream = 2 * number - 1
        if number > 1:
            made.call(number, UNARY, bytes([number])).request(
                stream, UNARY, bytes([number]), metadata=known)  # fmt: skip
        if stated is None:
            made.answer(stream, b"r").message(number, b"r").outcome(number)
            continue
        made.server(data(stream, echo(b"r"))).status(stream, metadata=position(*stated))
        made.message(number, b"r").outcome(number, trailing=trailing(*stated))
        known = known if stated == (7, 19) else position(*stated)

    def known_at(name, about, epoch, sequence):
        return opened(name, about, UNARY).server(data(1, echo(b"r"))).status(
            1, metadata=position(epoch, sequence)).message(1, b"r").outcome(
            1, trailing=trailing(epoch, sequence))  # fmt: skip

    known_at("a-failure-states-a-position", "A final failure sets the position back, a retry does not.",
             7, 100) \
        .call(2, UNARY, b"\2").request(3, UNARY, b"\2", metadata=position(7, 100)) \
        .status(3, 14, not_processed=True, metadata=position(7, 50)) \
        .request(5, UNARY, b"\2", attempt=1, metadata=position(7, 100)).answer(5, b"s") \
        .message(2, b"s").outcome(2) \
        .call(3, UNARY, b"\3").request(7, UNARY, b"\3", metadata=position(7, 100)) \
        .status(7, 14, not_processed=True, retry_after_ms=-1, metadata=position(7, 50)) \
        .outcome(3, 14, not_processed=True, retry_after_ms=-1, trailing=trailing(7, 50)) \
        .call(4, UNARY, b"\4").request(9, UNARY, b"\4", metadata=position(7, 50)).answer(9, b"t") \
        .message(4, b"t").outcome(4)  # fmt: skip
    known_at("a-watch-moves-the-position", "What it has shown counts, where replies state positions.",
             77, 4) \
        .call(2, WATCH).request(3, WATCH, Raw(), credit_at_once=True, metadata=position(77, 4)) \
        .watch_frame(3, 0, 9, snapshot=True).step(read=2, count=0).span(2, 0, 9, snapshot=True) \
        .call(3, UNARY, b"\3").request(5, UNARY, b"\3", metadata=position(77, 9)).answer(5, b"r") \
        .message(3, b"r").outcome(3)  # fmt: skip
    own = "0000000000000007-5"
    known_at("a-position-of-the-caller", "What the caller states itself is sent as it is.", 7, 20) \
        .call(2, UNARY, b"\2", metadata="quiver-position=" + own.encode().hex()) \
        .request(3, UNARY, b"\2", metadata=position(7, 5)).answer(3, b"r").message(2, b"r").outcome(2)  # fmt: skip
    known_at("a-malformed-position", "A reply with no position in this form changes nothing.", 7, 20) \
        .call(2, UNARY, b"\2").request(3, UNARY, b"\2", metadata=position(7, 20)) \
        .server(data(3, echo(b"r"))) \
        .status(3, metadata=[M.Metadata(key="quiver-position", value=b"0000000000000007-021")]) \
        .message(2, b"r").outcome(
            2, trailing="quiver-position=" + b"0000000000000007-021".hex()) \
        .call(3, UNARY, b"\3").request(5, UNARY, b"\3", metadata=position(7, 20)).answer(5, b"r") \
        .message(3, b"r").outcome(3)  # fmt: skip

    for number, one in enumerate(talks, 1):
        one.entry["id"] = f"N{number:02}"
    return [one.entry for one in talks]
