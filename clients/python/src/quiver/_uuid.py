"""Identifiers that a client makes, as `client_id` of equipment and of operations."""

from __future__ import annotations

import os
import time


def uuid7() -> bytes:
    """A new UUIDv7 (RFC 9562) as 16 bytes: the time in milliseconds, then 74 random bits."""
    raw = bytearray((time.time_ns() // 1_000_000).to_bytes(6, "big") + os.urandom(10))
    raw[6] = raw[6] & 0x0F | 0x70
    raw[8] = raw[8] & 0x3F | 0x80
    return bytes(raw)
