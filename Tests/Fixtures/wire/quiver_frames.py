"""Frames of the Quiver protocol, written from Protos/PROTOCOL.md alone: made, cut, checked.

Nothing here knows the Swift sources; protobuf is Google's, fed by protoc with Protos/quiver/v1.
"""

import pathlib
import struct
import subprocess

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROTOS = ROOT / "Protos"

PREFACE = bytes.fromhex("915156520D0A1A01")
NAMES = {
    1: "HELLO", 2: "REQUEST", 3: "HEADERS", 4: "DATA", 5: "RESPONSE", 6: "STATUS",
    7: "CANCEL", 8: "CREDIT", 9: "PING", 10: "GOAWAY", 11: "CLOSE",
}  # fmt: skip
TYPES = {name: number for number, name in NAMES.items()}
FLAGS = {"END": 1, "MORE": 2, "COMPRESSED": 4, "IGNORABLE": 8}
PAYLOADS = {
    "HELLO": "Hello", "HEADERS": "ResponseHead", "STATUS": "Status", "CANCEL": "Cancel",
    "GOAWAY": "GoAway",
}  # fmt: skip
CHARGED = {"REQUEST", "DATA", "RESPONSE"}
FRAME_CHARGE = 32
LARGEST_STREAM = 2**31 - 1

GOAWAY_NAMES = [
    "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR", "UNSUPPORTED_VERSION",
    "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT", "INTERNAL_ERROR", "TOO_MANY_CONNECTIONS",
]  # fmt: skip
STATUS_NAMES = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
]  # fmt: skip


class ConnectionError_(Exception):
    """What ends a connection: the name of the GOAWAY's code."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


def descriptors(*files):
    """A pool of the named files, by protoc."""
    made = subprocess.run(
        ["protoc", "--include_imports", "--descriptor_set_out=/dev/stdout", "-I", str(PROTOS), *files],
        check=True, capture_output=True,
    )  # fmt: skip
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(made.stdout).file:
        pool.Add(file)
    return pool


class Messages:
    """Messages of quiver.v1 by their short names."""

    def __init__(self, *files):
        self.pool = descriptors(*(files or ["quiver/v1/wire.proto"]))

    def __getattr__(self, name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName("quiver.v1." + name))


def encode(message):
    return message.SerializeToString(deterministic=True)


def as_json(message):
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def read_varint(data):
    """A number and how many bytes it took; None if it is cut or too long."""
    value = 0
    for place, byte in enumerate(data[:10]):
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, place + 1
    return None


def header(length, kind, flags, stream):
    number = TYPES[kind] if isinstance(kind, str) else kind
    bits = sum(FLAGS[flag] for flag in flags) if not isinstance(flags, int) else flags
    return struct.pack(">I", length << 8 | number << 4 | bits) + struct.pack(">I", stream)


def frame(kind, payload=b"", flags=(), stream=0):
    return header(len(payload), kind, flags, stream) + payload


class Frame:
    """A frame as it came."""

    def __init__(self, head, payload):
        self.length = int.from_bytes(head[:3], "big")
        self.number = head[3] >> 4
        self.bits = head[3] & 15
        self.stream = int.from_bytes(head[4:8], "big")
        self.payload = payload
        self.bytes = head + payload

    @property
    def type(self):
        return NAMES.get(self.number)

    @property
    def flags(self):
        return [name for name, bit in FLAGS.items() if self.bits & bit]

    def head_and_message(self):
        """Of a REQUEST: the head's bytes, and the message's."""
        found = read_varint(self.payload)
        if found is None or found[0] > len(self.payload) - found[1] or len(varint(found[0])) != found[1]:
            raise ConnectionError_("PROTOCOL_ERROR")
        end = found[1] + found[0]
        return self.payload[found[1] : end], self.payload[end:]


def cut(data):
    """The whole frames at the front of the data, and the rest."""
    frames = []
    while len(data) >= 8:
        length = int.from_bytes(data[:3], "big")
        if len(data) < 8 + length:
            break
        frames.append(Frame(data[:8], data[8 : 8 + length]))
        data = data[8 + length :]
    return frames, data


LONGEST = {"HELLO": 4096, "HEADERS": 16384, "STATUS": 81920, "CANCEL": 4096, "GOAWAY": 4096}
FIXED = {"CREDIT": 8, "PING": 8, "CLOSE": 0}
ALLOWED = {
    ("REQUEST", "client"): 7, ("DATA", "client"): 7, ("DATA", "server"): 6,
    ("RESPONSE", "server"): 6, ("PING", "client"): 1, ("PING", "server"): 1,
}  # fmt: skip
FROM_CLIENT = {"HELLO", "REQUEST", "DATA", "CANCEL", "CREDIT", "PING", "GOAWAY", "CLOSE"}
FROM_SERVER = {"HELLO", "HEADERS", "DATA", "RESPONSE", "STATUS", "CANCEL", "CREDIT", "PING", "GOAWAY"}


def check_header(head, sender, max_frame_bytes=16384):
    """Section 2: length, type, sender and flags by the header alone."""
    read = Frame(head[:8], b"")
    kind = read.type
    if kind in FIXED:
        fits = read.length == FIXED[kind]
    elif kind in LONGEST:
        fits = read.length <= LONGEST[kind]
    else:
        fits = read.length <= (max_frame_bytes if kind else 4096)
    if not fits:
        raise ConnectionError_("FRAME_SIZE_ERROR")
    if kind is None:
        if read.number == 0 or not read.bits & 8:
            raise ConnectionError_("PROTOCOL_ERROR")
        return read
    if kind not in (FROM_CLIENT if sender == "client" else FROM_SERVER):
        raise ConnectionError_("PROTOCOL_ERROR")
    if read.bits & ~ALLOWED.get((kind, sender), 0) or read.bits & 3 == 3 or read.bits & 4:
        # COMPRESSED was never negotiated in the vectors.
        raise ConnectionError_("PROTOCOL_ERROR")
    return read
