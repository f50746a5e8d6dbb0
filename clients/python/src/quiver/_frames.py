"""Frames, limits and payload encoding of the protocol (Protos/PROTOCOL.md)."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import Metadata, RPCError, StatusCode

PREFACE = bytes.fromhex("915156520d0a1a01")

HELLO, REQUEST, HEADERS, DATA, RESPONSE, STATUS = 1, 2, 3, 4, 5, 6
CANCEL, CREDIT, PING, GOAWAY, CLOSE = 7, 8, 9, 10, 11

END, MORE, COMPRESSED, IGNORABLE = 1, 2, 4, 8

FRAME_CHARGE = 32
LARGEST_STREAM = 2**31 - 1
LARGEST_CREDIT = 2**63 - 1
LARGEST_TIMEOUT = 2**31 - 1
SMALLEST_PART = 1024
SMALLEST_BYTES = 4096
LARGEST_FRAME = 1 << 20
MAX_CONTROL, MAX_HEADERS, MAX_STATUS = 4096, 16384, 81920
MAX_METADATA_ENTRIES, MAX_METADATA_BYTES, MAX_METADATA_KEY = 64, 8192, 64
METADATA_KEY_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
KEY_BYTES = 16

NO_ERROR, PROTOCOL_ERROR, FRAME_SIZE_ERROR, FLOW_CONTROL_ERROR = 0, 1, 2, 3
UNSUPPORTED_VERSION, UNAUTHENTICATED, ENHANCE_YOUR_CALM, TIMEOUT = 4, 5, 6, 7
CONNECTION_CODES = (
    "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR", "UNSUPPORTED_VERSION",
    "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT", "INTERNAL_ERROR", "TOO_MANY_CONNECTIONS",
)  # fmt: skip


_FIRST_BYTES = (
    (b"HTTP/", "HTTP"), (b"<!DOCTYPE", "HTTP"), (b"<html", "HTTP"), (b"SSH-", "SSH"),
    (b"\x14\x03", "TLS"), (b"\x15\x03", "TLS"), (b"\x16\x03", "TLS"),
    (PREFACE[:7], "Quiver without TLS"),
)  # fmt: skip


def protocol_of(data: bytes) -> str | None:
    """The protocol whose first bytes these are; None: none of the usual ones, or no bytes."""
    if not data:
        return None
    for first, name in _FIRST_BYTES:
        if data.startswith(first) or first.startswith(data):
            return name
    # HTTP/2 begins with SETTINGS, a frame of type 4 without flags.
    return "HTTP" if data[:1] == b"\0" and data[3:5] == b"\x04\0" else None


class ConnectionFault(Exception):
    """A violation of the protocol that ends the connection with GOAWAY."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A whole frame."""
    return b"%b%c%b%b" % (
        len(payload).to_bytes(3, "big"),
        kind << 4 | flags,
        stream.to_bytes(4, "big"),
        payload,
    )


def varint(number: int) -> bytes:
    """A base-128 varint in its shortest form."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def encode_head(
    method_id: int,
    timeout_ms: int,
    key: bytes | None,
    attempt: int,
    after_sequence: int,
    store_epoch: int,
    metadata: Metadata,
    credit_at_once: bool = False,
) -> bytes:
    """The `RequestHead` of a call, with its length in front."""
    out = bytearray(b"\x08" + varint(method_id))
    if timeout_ms:
        out += b"\x18" + varint(min(timeout_ms, LARGEST_TIMEOUT))
    if key is not None:
        out += b"\x22\x10" + key
    if attempt:
        out += b"\x30" + varint(attempt)
    if after_sequence:
        out += b"\x38" + varint(after_sequence)
    for name, value in metadata:
        text = name.encode()
        entry = b"\x0a" + varint(len(text)) + text
        if value:
            entry += b"\x12" + varint(len(value)) + value
        out += b"\x42" + varint(len(entry)) + entry
    if store_epoch:
        out += b"\x49" + store_epoch.to_bytes(8, "little")
    if credit_at_once:
        out += b"\x50\x01"
    return varint(len(out)) + bytes(out)


def metadata_fault(entries: Metadata) -> str | None:
    """What is wrong with metadata; None if nothing is."""
    if len(entries) > MAX_METADATA_ENTRIES:
        return f"metadata: at most {MAX_METADATA_ENTRIES} entries"
    if sum(len(key) + len(value) for key, value in entries) > MAX_METADATA_BYTES:
        return f"metadata: at most {MAX_METADATA_BYTES} bytes"
    return None


def has_bad_key(entries: Iterable[tuple[str, bytes]]) -> bool:
    """Whether a key has a character or a length that the protocol does not allow."""
    return any(
        not 1 <= len(key) <= MAX_METADATA_KEY or not METADATA_KEY_CHARACTERS.issuperset(key)
        for key, _ in entries
    )


def check_metadata(entries: Metadata) -> None:
    """Raises RPCError for metadata that a request may not carry."""
    if has_bad_key(entries):
        raise RPCError(
            StatusCode.INVALID_ARGUMENT,
            "metadata: a key is 1 to 64 characters of a-z 0-9 . _ -",
            not_processed=True,
        )
    if fault := metadata_fault(entries):
        raise RPCError(StatusCode.RESOURCE_EXHAUSTED, fault, not_processed=True)
