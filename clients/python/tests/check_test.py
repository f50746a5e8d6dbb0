"""Tests of the checks before decoding: hostile messages are rejected, others are not."""

import random
import unittest

from quiver import _check, v1


def varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


ITEMS = v1.WatchItemsResponse.DESCRIPTOR
SPAN = next(one for one in ITEMS.fields if one.name == "span").number
LIST = next(one for one in ITEMS.fields if _check._is_repeated(one) and one.message_type).number
PADDING = 20_000


class CheckTest(unittest.TestCase):
    def test_messages_that_the_library_makes_pass(self) -> None:
        chosen = random.Random(1)
        for _ in range(20):
            message = v1.EchoMessage(payload=chosen.randbytes(chosen.randrange(100_000)))
            self.assertTrue(_check.passes(message.SerializeToString(), v1.EchoMessage.DESCRIPTOR))

    def test_many_empty_objects_are_rejected(self) -> None:
        data = field(LIST, b"") * (2 << 20)
        self.assertEqual(len(data), 4 << 20)
        self.assertFalse(_check.passes(data, ITEMS))

    def test_each_fault_is_rejected(self) -> None:
        padding = field(15, b"x" * PADDING)
        faults = {
            "a group": b"\x0b\x0c",
            "an unknown wire type": b"\x0f",
            "another wire type": varint(SPAN << 3) + b"\x01",
            "field number 0": b"\x02\x00",
            "a length beyond the end": varint(SPAN << 3 | 2) + b"\x7f",
            "a tag of six bytes": b"\x8a\x80\x80\x80\x80\x00",
            "a varint of eleven bytes": b"\x78" + b"\x80" * 10 + b"\x00",
            "a singular object twice": field(SPAN, b"") * 2,
            "too many unknown fields": b"\x78\x00" * (_check.MOST_UNKNOWN + 1),
        }
        self.assertTrue(_check.passes(padding, ITEMS))
        for name, data in faults.items():
            with self.subTest(name):
                self.assertFalse(_check.passes(padding + data, ITEMS))


if __name__ == "__main__":
    unittest.main()
