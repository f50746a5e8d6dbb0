"""The vectors of Protos/vectors and the examples of Protos/PROTOCOL.md: made, and held.

usage: quiver_vectors.py write    makes them anew
       quiver_vectors.py check    exits 1 unless what is there is what is made, and the reader agrees
"""

import json
import re
import sys

from quiver_frames import (
    GOAWAY_NAMES, PAYLOADS, PREFACE, PROTOS, ConnectionError_, Frame, Messages, as_json, cut,
    encode, frame, header, check_header, varint,
)  # fmt: skip
from quiver_client_conversations import client_conversations, pattern
from quiver_conversations import conversations
from quiver_receiver import Receiver

M = Messages()


def request(stream, method=4097, message=b"", flags=("END",), **fields):
    head = encode(M.RequestHead(method_id=method, **fields))
    return frame("REQUEST", varint(len(head)) + head + message, flags, stream)


def credit(stream, allowance):
    return frame("CREDIT", allowance.to_bytes(8, "big"), (), stream)


def ping(number, flags=()):
    return frame("PING", number.to_bytes(8, "big"), flags)


def control(kind, stream=0, **fields):
    return frame(kind, encode(getattr(M, PAYLOADS[kind])(**fields)), (), stream)


def described(name, sender, data):
    """A valid frame with what it says."""
    (read,), rest = cut(data)
    assert not rest
    entry = {
        "name": name, "from": sender, "hex": data.hex(), "length": read.length,
        "type": read.type or read.number, "flags": read.flags, "stream": read.stream,
    }  # fmt: skip
    if read.type in PAYLOADS:
        entry["payload"] = as_json(getattr(M, PAYLOADS[read.type]).FromString(read.payload))
    elif read.type == "REQUEST":
        head, message = read.head_and_message()
        entry["head"] = as_json(M.RequestHead.FromString(head))
        entry["message"] = message.hex()
    elif read.type in ("DATA", "RESPONSE"):
        entry["message"] = read.payload.hex()
    elif read.type == "CREDIT":
        entry["number"] = str(int.from_bytes(read.payload, "big"))
    return entry


def valid_frames():
    key = bytes(range(16))
    trace = bytes(range(100, 125))
    status = M.Status(code=6, message="exists: 世界 \t\r\n😀", not_processed=True, retry_after_ms=-1)
    status.details.add(type="quiver.v1.Riser", value=b"\x08\x01")
    status.metadata.add(key="a", value=b"\x00\xff")
    head = M.RequestHead(timeout_ms=1000, method_name="quiver.v1.Equipment/GetHub", attempt=1)
    head.idempotency_key, head.traceparent = key, trace
    head.after_sequence, head.store_epoch = 9, 0x0102030405060708
    head.metadata.add(key="user", value=b"x")
    head.metadata.add(key="user", value=b"")
    named = encode(head)
    full = M.Hello(
        version_min=1, version_max=1, software="vectors", instance_id=b"\x01\x02\x03\x04",
        max_frame_bytes=32768, max_message_bytes=8388608, max_concurrent_streams=7,
        initial_stream_credit=131072, initial_connection_credit=2097152, ping_floor_ms=5000,
        idle_timeout_ms=60000, compression=["zstd"], schema_fingerprint=b"\xaa" * 32,
        auth_token=b"good",
    )  # fmt: skip
    cases = [
        ("HELLO without anything", "both", frame("HELLO")),
        ("HELLO with every field", "both", frame("HELLO", encode(full))),
        ("REQUEST of 47 bytes that the specification shows, empty-handed", "client",
         request(1, timeout_ms=1000)),
        ("REQUEST with a message", "client", request(3, message=b"\x0a\x01a", timeout_ms=1000)),
        ("REQUEST with an empty head and an empty message", "client",
         frame("REQUEST", b"\x00", ("END",), 5)),
        ("REQUEST without a message", "client", request(7, 4098, flags=())),
        ("REQUEST whose message goes on", "client", request(9, message=b"abc", flags=("MORE",))),
        ("REQUEST with every field", "client",
         frame("REQUEST", varint(len(named)) + named + b"m", ("END",), 2**31 - 1)),
        ("HEADERS, empty", "server", frame("HEADERS", b"", (), 1)),
        ("HEADERS with metadata", "server",
         frame("HEADERS", encode(M.ResponseHead(metadata=[M.Metadata(key="k", value=b"v")])), (), 1)),
        ("DATA", "both", frame("DATA", b"abc", (), 1)),
        ("DATA, an empty message", "both", frame("DATA", b"", (), 1)),
        ("DATA that ends the request side", "client", frame("DATA", b"abc", ("END",), 1)),
        ("DATA that goes on", "both", frame("DATA", b"x" * 1024, ("MORE",), 1)),
        ("RESPONSE", "server", frame("RESPONSE", b"abc", (), 1)),
        ("RESPONSE, an empty message", "server", frame("RESPONSE", b"", (), 1)),
        ("RESPONSE that goes on", "server", frame("RESPONSE", b"x" * 1024, ("MORE",), 1)),
        ("RESPONSE that is compressed", "server",
         frame("RESPONSE", bytes.fromhex("28b52ffd2003190000616263"), ("COMPRESSED",), 1)),
        ("STATUS, empty: OK", "server", frame("STATUS", b"", (), 1)),
        ("STATUS with every field", "server", frame("STATUS", encode(status), (), 1)),
        ("CANCEL, empty: CANCELLED", "both", frame("CANCEL", b"", (), 1)),
        ("CANCEL with code and reason", "both", control("CANCEL", 1, code=4, reason="late")),
        ("CREDIT of the connection", "both", credit(0, 1048576)),
        ("CREDIT of a stream, the largest", "both", credit(1, 2**63 - 1)),
        ("PING", "both", ping(1)),
        ("PING, an answer", "both", ping(1, ("END",))),
        ("GOAWAY, empty: NO_ERROR", "both", frame("GOAWAY")),
        ("GOAWAY with every field", "both",
         control("GOAWAY", code=0, reason="drain", last_stream_id=2**31 - 1, drain_ms=30000)),
        ("CLOSE", "client", frame("CLOSE", b"", (), 1)),
        ("an unknown type that may be skipped", "both", header(3, 14, ("IGNORABLE", "MORE"), 77) + b"abc"),
    ]  # fmt: skip
    return [described(*case) for case in cases]


def invalid_to_server():
    two = "PROTOCOL_ERROR"
    open_call = request(1, 4098, flags=())
    half = request(1, 4102)
    cases = [
        (two, "type 0", header(0, 0, ("IGNORABLE",), 0)),
        (two, "a critical unknown type", header(0, 13, (), 0)),
        (two, "HEADERS to a server", frame("HEADERS", b"", (), 1)),
        (two, "RESPONSE to a server", frame("RESPONSE", b"", (), 1)),
        (two, "STATUS to a server", frame("STATUS", b"", (), 1)),
        (two, "END with MORE", request(1, flags=("END", "MORE"))),
        (two, "IGNORABLE on a known type", request(1, flags=("END", "IGNORABLE"))),
        (two, "COMPRESSED that was not negotiated", request(1, flags=("END", "COMPRESSED"))),
        (two, "END on CANCEL", frame("CANCEL", b"", ("END",), 1)),
        (two, "MORE on PING", ping(1, ("MORE",))),
        (two, "END on CLOSE", frame("CLOSE", b"", ("END",), 1)),
        (two, "MORE on GOAWAY", frame("GOAWAY", b"", ("MORE",))),
        (two, "END on CREDIT", frame("CREDIT", b"\0" * 8, ("END",))),
        (two, "a second HELLO", control("HELLO", version_min=1, version_max=1)),
        (two, "REQUEST on stream 0", request(0)),
        (two, "REQUEST on an even stream", request(2)),
        (two, "REQUEST above 2^31 - 1", request(2**31 + 1)),
        (two, "REQUEST on a stream that was used", request(5), request(5)),
        (two, "REQUEST below the highest", request(3), request(5)),
        (two, "DATA on an idle stream", frame("DATA", b"", (), 1)),
        (two, "CLOSE on an idle stream", frame("CLOSE", b"", (), 1)),
        (two, "CANCEL on an idle stream", frame("CANCEL", b"", (), 1)),
        (two, "CREDIT on an idle stream", credit(1, 1 << 20)),
        (two, "DATA on stream 0", frame("DATA", b"", (), 0)),
        (two, "CREDIT on an even stream", credit(2, 1 << 20), request(5)),
        (two, "CREDIT above 2^63 - 1", credit(0, 2**63)),
        (two, "PING on a stream", frame("PING", b"\0" * 8, (), 1)),
        (two, "GOAWAY on a stream", frame("GOAWAY", b"", (), 1)),
        (two, "GOAWAY that is not protobuf", frame("GOAWAY", b"\xff")),
        (two, "GOAWAY whose last stream rises", control("GOAWAY", last_stream_id=2), frame("GOAWAY")),
        (two, "CANCEL that is not protobuf", frame("CANCEL", b"\xff", (), 1), half),
        (two, "a REQUEST without even the head's length", frame("REQUEST", b"", ("END",), 1)),
        (two, "a head longer than its REQUEST", frame("REQUEST", b"\x05\x08\x01", ("END",), 1)),
        (two, "a head's length that is not its shortest form", frame("REQUEST", b"\x80\x00", ("END",), 1)),
        (two, "a head's length that does not end", frame("REQUEST", b"\xff" * 12, ("END",), 1)),
        (two, "bytes behind the head of a REQUEST without a message", request(1, message=b"a", flags=())),
        (two, "DATA when half-closed", frame("DATA", b"", (), 1), half),
        (two, "CLOSE when half-closed", frame("CLOSE", b"", (), 1), half),
        (two, "CLOSE inside a message", frame("CLOSE", b"", (), 1), request(1, 4098, b"", ("MORE",))),
        (two, "a part under 1 KiB", frame("DATA", b"x" * 1023, ("MORE",), 1), open_call),
        ("FRAME_SIZE_ERROR", "REQUEST one over", header(16385, "REQUEST", ("END",), 1)),
        ("FRAME_SIZE_ERROR", "DATA of 2^24 - 1", header(2**24 - 1, "DATA", (), 1)),
        ("FRAME_SIZE_ERROR", "CANCEL one over", header(4097, "CANCEL", (), 1)),
        ("FRAME_SIZE_ERROR", "GOAWAY one over", header(4097, "GOAWAY", (), 0)),
        ("FRAME_SIZE_ERROR", "CREDIT of 7", header(7, "CREDIT", (), 0)),
        ("FRAME_SIZE_ERROR", "CREDIT of 9", header(9, "CREDIT", (), 0)),
        ("FRAME_SIZE_ERROR", "PING of 0", header(0, "PING", (), 0)),
        ("FRAME_SIZE_ERROR", "PING of 9", header(9, "PING", (), 0)),
        ("FRAME_SIZE_ERROR", "CLOSE with a payload", header(1, "CLOSE", (), 1)),
        ("FRAME_SIZE_ERROR", "an ignorable frame one over", header(4097, 12, ("IGNORABLE",), 0)),
        ("FRAME_SIZE_ERROR", "the length is checked before the type", header(4097, 0, (), 0)),
    ]  # fmt: skip
    return [
        {"name": name, "to": "server", "before": rest[0].hex() if rest else "", "hex": data.hex(), "error": error}
        for error, name, data, *rest in cases
    ]


def call_errors():
    over = [M.Metadata(key="k", value=b"")] * 65
    big = [M.Metadata(key="k", value=b"x" * 8192)]
    once = request(1, 4097, flags=())
    cases = [
        (12, "an unknown method id", request(1, 255)),
        (12, "an unknown method name", request(1, 0, method_name="vectors.Talk/None")),
        (3, "neither id nor name", request(1, 0)),
        (3, "id and name", request(1, 4097, method_name="vectors.Talk/Echo")),
        (3, "a head that is not protobuf", frame("REQUEST", b"\x01\xff", ("END",), 1)),
        (3, "a group in the head", frame("REQUEST", b"\x02\x53\x54", ("END",), 1)),
        (3, "a name that is not UTF-8", frame("REQUEST", b"\x03\x12\x01\xff", ("END",), 1)),
        (3, "a key of 15 bytes", request(1, idempotency_key=b"x" * 15)),
        (3, "a key of 17 bytes", request(1, idempotency_key=b"x" * 17)),
        (3, "a key on a streaming method", request(1, 4098, idempotency_key=b"x" * 16)),
        (3, "a metadata key in capitals", request(1, metadata=[M.Metadata(key="K")])),
        (3, "an empty metadata key", request(1, metadata=[M.Metadata(key="")])),
        (3, "a metadata key of 65 bytes", request(1, metadata=[M.Metadata(key="k" * 65)])),
        (8, "65 entries of metadata", request(1, metadata=over)),
        (8, "metadata of 8,193 bytes", request(1, metadata=big)),
        (12, "no message where one is taken", frame("CLOSE", b"", (), 1), once),
        (12, "two messages where one is taken", frame("DATA", b"b", (), 1),
         once + frame("DATA", b"a", (), 1)),
    ]  # fmt: skip
    return [
        {
            "name": name, "to": "server", "before": rest[0].hex() if rest else "",
            "hex": data.hex(), "status": {"stream": 1, "code": code, "not_processed": True},
        }
        for code, name, data, *rest in cases
    ]  # fmt: skip


def invalid_to_client():
    one, streams = ["unary"], ["server streaming"]
    data = frame("DATA", b"a", (), 1)
    started = frame("RESPONSE", b"x" * 1024, ("MORE",), 1)
    cases = [
        (one, "PROTOCOL_ERROR", "REQUEST to a client", request(2)),
        (one, "PROTOCOL_ERROR", "CLOSE to a client", frame("CLOSE", b"", (), 1)),
        (one, "PROTOCOL_ERROR", "END on DATA of a server", frame("DATA", b"", ("END",), 1)),
        (one, "PROTOCOL_ERROR", "END on RESPONSE", frame("RESPONSE", b"", ("END",), 1)),
        (one, "PROTOCOL_ERROR", "MORE on STATUS", frame("STATUS", b"", ("MORE",), 1)),
        (one, "PROTOCOL_ERROR", "a second HELLO", frame("HELLO")),
        (one, "PROTOCOL_ERROR", "RESPONSE on a stream that was never used", frame("RESPONSE", b"", (), 3)),
        (one, "PROTOCOL_ERROR", "STATUS on an even stream", frame("STATUS", b"", (), 2)),
        (one, "PROTOCOL_ERROR", "HEADERS on stream 0", frame("HEADERS", b"", (), 0)),
        (one, "PROTOCOL_ERROR", "HEADERS twice", frame("HEADERS", b"", (), 1) * 2),
        (one, "PROTOCOL_ERROR", "HEADERS behind DATA", data + frame("HEADERS", b"", (), 1)),
        (one, "PROTOCOL_ERROR", "HEADERS that are not protobuf", frame("HEADERS", b"\xff", (), 1)),
        (one, "PROTOCOL_ERROR", "STATUS that is not protobuf", frame("STATUS", b"\xff", (), 1)),
        (one, "PROTOCOL_ERROR", "CANCEL that is not protobuf", frame("CANCEL", b"\xff", (), 1)),
        (one, "PROTOCOL_ERROR", "GOAWAY that is not protobuf", frame("GOAWAY", b"\xff")),
        (one, "PROTOCOL_ERROR", "RESPONSE inside a message", started + frame("RESPONSE", b"", (), 1)),
        (one, "PROTOCOL_ERROR", "STATUS OK inside a message", started + frame("STATUS", b"", (), 1)),
        (one, "PROTOCOL_ERROR", "a part under 1 KiB", frame("RESPONSE", b"x" * 1023, ("MORE",), 1)),
        (one, "PROTOCOL_ERROR", "GOAWAY whose last stream rises",
         control("GOAWAY", last_stream_id=1) + control("GOAWAY", last_stream_id=3)),
        (one, "PROTOCOL_ERROR", "a critical unknown type", header(0, 15, (), 0)),
        (one, "FRAME_SIZE_ERROR", "STATUS one over", header(81921, "STATUS", (), 1)),
        (one, "FRAME_SIZE_ERROR", "HEADERS one over", header(16385, "HEADERS", (), 1)),
        (one, "FRAME_SIZE_ERROR", "RESPONSE one over", header(16385, "RESPONSE", (), 1)),
        (one, "FRAME_SIZE_ERROR", "CREDIT of 4", header(4, "CREDIT", (), 1)),
        (one, {"stream": 1, "code": 12}, "STATUS OK without a reply", frame("STATUS", b"", (), 1)),
        (one, {"stream": 1, "code": 12}, "two single replies", data + data),
        (one, {"stream": 1, "code": 12}, "RESPONSE behind DATA", data + frame("RESPONSE", b"", (), 1)),
        (streams, {"stream": 1, "code": 12}, "RESPONSE for a streaming reply", frame("RESPONSE", b"", (), 1)),
    ]  # fmt: skip
    return [
        {"name": name, "to": "client", "calls": calls, "before": "", "hex": data.hex()}
        | ({"error": end} if isinstance(end, str) else {"status": end | {"not_processed": False}})
        for calls, end, name, data in cases
    ]


def frames_file():
    return {
        "format": 1,
        "valid": valid_frames(),
        "invalid": invalid_to_server() + call_errors() + invalid_to_client(),
    }


# ---- The reader: what the model of PROTOCOL.md makes of them.


def check_frames(made):
    for entry in made["valid"]:
        data = bytes.fromhex(entry["hex"])
        for sender in ("client", "server"):
            if entry["from"] in (sender, "both") and "COMPRESSED" not in entry["flags"]:
                check_header(data[:8], sender)
    for entry in made["invalid"]:
        receiver = Receiver(entry["to"], M)
        if entry["to"] == "client":
            receiver.open(entry["calls"])
        before = receiver.feed(bytes.fromhex(entry["before"]))
        assert before == [], f"{entry['name']}: what comes before is answered by {before}"
        try:
            ended = receiver.feed(bytes.fromhex(entry["hex"]))
            said = [{"stream": stream, "code": code} for stream, code in ended]
            expected = entry.get("status", {})
            agrees = said == [{key: expected.get(key) for key in ("stream", "code")}]
        except ConnectionError_ as error:
            said = error.name
            agrees = said == entry.get("error")
        assert agrees, f"{entry['name']}: the reader says {said}"


def check_conversations(made):
    """Both directions are cut and checked; the server's GOAWAY is what the model says, if any."""
    for talk in made["conversations"]:
        said = b"".join(
            bytes.fromhex(one["hex"]) for step in talk["steps"] for one in step.get("server", [])
        )
        goaway = None
        if said:
            assert said.startswith(PREFACE), talk["name"]
            frames, rest = cut(said[8:])
            assert not rest and frames[0].type == "HELLO", talk["name"]
            for one in frames:
                check_header(one.bytes, "server")
            ends = [M.GoAway.FromString(one.payload) for one in frames if one.type == "GOAWAY"]
            goaway = ends[-1].code if ends else None
        found = checked(talk["steps"])
        if "server" in talk["roles"]:
            expected = GOAWAY_NAMES[goaway] if goaway in (1, 2, 3) else None
            assert found == expected, f"{talk['name']}: the reader says {found}"


def check_client_conversations(made):
    """Each frame is one that its sender may send."""
    for talk in made["conversations"]:
        for step in talk["steps"]:
            for sender in ("client", "server"):
                for one in step.get(sender, []):
                    data = bytes.fromhex(one["hex"]) + pattern(one.get("pattern", 0))
                    frames, rest = cut(data)
                    assert len(frames) == 1 and not rest, talk["name"]
                    # A whole message in one frame, however the client divides it.
                    largest = 1 << 24 if one.get("parts") else 16384
                    if "COMPRESSED" not in frames[0].flags:
                        check_header(frames[0].bytes, sender, largest)


def checked(steps):
    """What the model says to everything that a client sends; it receives what the server answers."""
    receiver = None
    waiting = b""
    try:
        for step in steps:
            waiting += bytes.fromhex(step.get("client", ""))
            if receiver is None and waiting.startswith(PREFACE):
                first = Frame(waiting[8:16], b"") if len(waiting) >= 16 else None
                if first is None or len(waiting) < 16 + first.length:
                    continue
                if first.type != "HELLO":
                    return "PROTOCOL_ERROR"
                end = 16 + first.length
                receiver = greet(waiting[16:end])
                waiting = waiting[end:]
            if receiver is not None:
                receiver.feed(waiting)
                waiting = b""
                for one in step.get("server", []):
                    receiver.hear(bytes.fromhex(one["hex"]).removeprefix(PREFACE))
    except ConnectionError_ as error:
        return error.name
    return None


def greet(payload):
    hello = M.Hello.FromString(payload)
    sizes = [hello.max_frame_bytes, hello.max_message_bytes]
    sizes += [hello.initial_stream_credit, hello.initial_connection_credit]
    if any(0 < size < 4096 for size in sizes) or hello.max_frame_bytes > 2**20:
        raise ConnectionError_("PROTOCOL_ERROR")
    return Receiver("server", M, bool(hello.auth_token))


# ---- Files.


def spaced(data):
    text = " ".join(f"{byte:02X}" for byte in data)
    return text


def example(talk):
    """A conversation as it stands in section 13."""
    lines = [f"### {talk['name']}", "", talk["about"], "", "```"]
    for step in talk["steps"]:
        if "client" in step:
            lines += example_lines("C", bytes.fromhex(step["client"]))
        for one in step.get("server", []):
            lines += example_lines("S", bytes.fromhex(one["hex"]))
        if "wait_ms" in step:
            lines.append(f"  {step['wait_ms']} ms pass")
        if "drain" in step:
            lines.append("  S is told to drain")
        if "closed" in step:
            lines.append("  S closes")
    return lines + ["```", ""]


def example_lines(side, data):
    lines = []
    if data.startswith(PREFACE):
        lines.append((PREFACE, "preface"))
        data = data[8:]
    frames, rest = cut(data)
    for one in frames:
        words = " ".join([one.type or "?"] + one.flags + ([str(one.stream)] if one.stream else []))
        lines.append((one.bytes, words))
    if rest:
        lines.append((rest, ""))
    out = []
    for data, words in lines:
        rows = [data[:8]] + [data[place : place + 24] for place in range(8, len(data), 24)]
        for number, row in enumerate(rows):
            tail = f"   # {words}" if number == 0 and words else ""
            out.append(f"{side if number == 0 else ' '} {spaced(row)}{tail}")
    return out


def document(made, text):
    shown = [line for talk in made["conversations"] if talk.get("example") for line in example(talk)]
    mark, end = "<!-- examples -->", "<!-- end of examples -->"
    return re.sub(
        re.escape(mark) + ".*" + re.escape(end),
        lambda _: mark + "\n" + "\n".join(shown) + end, text, flags=re.DOTALL,
    )  # fmt: skip


def main():
    frames = frames_file()
    talks = {"format": 1, "conversations": conversations(M, request, credit, ping, control)}
    clients = {"format": 1, "conversations": client_conversations(M)}
    check_frames(frames)
    check_conversations(talks)
    check_client_conversations(clients)
    specification = PROTOS / "PROTOCOL.md"
    files = {
        PROTOS / "vectors/frames.json": json.dumps(frames, indent=1, ensure_ascii=False) + "\n",
        PROTOS / "vectors/conversations.json": json.dumps(talks, indent=1, ensure_ascii=False) + "\n",
        PROTOS / "vectors/clients.json": json.dumps(clients, indent=1, ensure_ascii=False) + "\n",
        specification: document(talks, specification.read_text()),
    }
    for path, text in files.items():
        if sys.argv[1:] == ["write"]:
            path.write_text(text)
        elif sys.argv[1:] != ["check"]:
            sys.exit(__doc__)
        elif path.read_text() != text:
            sys.exit(f"{path.name} is not what {sys.argv[0]} write makes")
    print(f"{len(frames['valid'])} valid frames, {len(frames['invalid'])} invalid, "
          f"{len(talks['conversations'])} conversations, "
          f"{len(clients['conversations'])} of clients")  # fmt: skip


main()
