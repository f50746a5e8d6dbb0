"""The checks of section 4.1 of PROTOCOL.md over the bytes of a message, before it is decoded.

They keep a server from making a small message take many times its memory. What the protobuf library
checks itself (UTF-8) is left to it, and so are messages of at most `UNCHECKED_BYTES`: these cannot
take much.
"""

from __future__ import annotations

from typing import Any

UNCHECKED_BYTES = 16_384
DEEPEST = 16
MOST_FIELDS = 262_144
MOST_PACKED = 1_048_576
MOST_UNKNOWN = 16_384
FREE_MEMORY = 65_536
MEMORY_PER_BYTE = 32
MOST_MEMORY = 64 << 20
# What an object, an entry of a list, and a text beside its bytes are estimated to take.
OBJECT_BYTES = 64
ENTRY_BYTES = 16
STRING_BYTES = 48

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_FIXED = {FIXED64: 8, FIXED32: 4}
# By the numbers of FieldDescriptor.type.
_WIRE_TYPES = {1: FIXED64, 6: FIXED64, 16: FIXED64, 2: FIXED32, 7: FIXED32, 15: FIXED32,
               9: BYTES, 11: BYTES, 12: BYTES}  # fmt: skip
_MESSAGE = 11

_Table = dict[int, tuple[int, bool, Any]]
_tables: dict[str, _Table] = {}


class _Rejected(Exception):
    """The message fails a check."""


def passes(data: bytes, descriptor: Any) -> bool:
    """Whether a message of this type may be decoded."""
    if len(data) <= UNCHECKED_BYTES:
        return True
    scan = _Scan(data)
    try:
        scan.message(descriptor, 0, len(data), 1)
    except (_Rejected, IndexError):
        return False
    return True


def _is_repeated(field: Any) -> bool:
    # Newer libraries have no `label`.
    found = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED if found is None else found)


def _table(descriptor: Any) -> _Table:
    table = _tables.get(descriptor.full_name)
    if table is None:
        table = {
            field.number: (
                _WIRE_TYPES.get(field.type, VARINT), _is_repeated(field),
                field.message_type if field.type == _MESSAGE else None,
            )
            for field in descriptor.fields
        }  # fmt: skip
        _tables[descriptor.full_name] = table
    return table


class _Scan:
    __slots__ = ("data", "fields", "left", "packed", "unknown")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.fields = MOST_FIELDS
        self.packed = MOST_PACKED
        self.unknown = MOST_UNKNOWN
        self.left = min(MOST_MEMORY, FREE_MEMORY + MEMORY_PER_BYTE * len(data))

    def varint(self, at: int, most: int) -> tuple[int, int]:
        data = self.data
        value = shift = 0
        for place in range(at, at + most):
            one = data[place]
            value |= (one & 127) << shift
            if one < 128:
                return value, place + 1
            shift += 7
        raise _Rejected

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise _Rejected

    def message(self, descriptor: Any, at: int, end: int, depth: int) -> None:
        if depth > DEEPEST:
            raise _Rejected
        self.take(OBJECT_BYTES)
        table = _table(descriptor)
        data = self.data
        seen = set()
        while at < end:
            tag = data[at]
            at += 1
            if tag >= 128:
                tag, at = self.varint(at - 1, 5)
            number, wire_type = tag >> 3, tag & 7
            self.fields -= 1
            if not 0 < number <= 536_870_911 or self.fields < 0:
                raise _Rejected
            field = table.get(number)
            if field is None:
                self.unknown -= 1
                if self.unknown < 0:
                    raise _Rejected
                self.take(STRING_BYTES)
                at = self.skip(wire_type, at, end)
                continue
            wanted, repeated, kind = field
            if repeated:
                self.take(ENTRY_BYTES)
            if wire_type != wanted and not (repeated and wire_type == BYTES):
                raise _Rejected
            if wire_type != BYTES:
                at = self.skip(wire_type, at, end)
                continue
            length, at = self.varint(at, 5)
            last = at + length
            if last > end:
                raise _Rejected
            if kind is not None:
                if not repeated:
                    if number in seen:
                        raise _Rejected
                    seen.add(number)
                self.message(kind, at, last, depth + 1)
            elif wanted != BYTES:
                self.elements(wanted, at, last)
            else:
                self.take(STRING_BYTES + length)
            at = last
        if at != end:
            raise _Rejected

    def elements(self, wire_type: int, at: int, last: int) -> None:
        """Packed numbers."""
        size = _FIXED.get(wire_type)
        if size is not None:
            if (last - at) % size:
                raise _Rejected
            count = (last - at) // size
        else:
            part = self.data[at:last]
            # The last byte of each number is below 128.
            if part and part[-1] >= 128:
                raise _Rejected
            count = sum(one < 128 for one in part)
        self.packed -= count
        if self.packed < 0:
            raise _Rejected
        self.take(8 * count)

    def skip(self, wire_type: int, at: int, end: int) -> int:
        if wire_type == VARINT:
            _, at = self.varint(at, 10)
        elif wire_type == BYTES:
            length, at = self.varint(at, 5)
            self.take(length)
            at += length
        elif wire_type in _FIXED:
            at += _FIXED[wire_type]
        else:
            raise _Rejected
        if at > end:
            raise _Rejected
        return at
