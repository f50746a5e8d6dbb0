"""What goes with a call, and what a client is configured with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ._uuid import uuid7
from .errors import Metadata


@dataclass(frozen=True)
class CallOptions:
    """Options of one call.

    `timeout` is in seconds; None means the default of the client for unary calls, and no deadline
    for streams. `key` is an idempotency key of 16 bytes; a method that changes data gets a new one
    where none is given. `wait_for_ready` waits for a connection instead of failing during back-off.
    `store_epoch`, of a unary call, is the epoch of the store in which the key was made, and in which
    what the call names was read; 0 states none.
    """

    timeout: float | None = None
    metadata: Mapping[str, bytes | str] | Iterable[tuple[str, bytes]] = ()
    key: bytes | None = None
    wait_for_ready: bool = False
    store_epoch: int = 0

    def entries(self) -> Metadata:
        """The metadata as the wire has it."""
        given = self.metadata
        if isinstance(given, Mapping):
            return [(k, v.encode() if isinstance(v, str) else v) for k, v in given.items()]
        return list(given)


NO_OPTIONS = CallOptions()


@dataclass(frozen=True)
class RetryPolicy:
    """When and how often a call is sent again (PROTOCOL.md, section 7.6). Seconds."""

    max_attempts: int = 4
    first_wait: float = 0.1
    multiplier: float = 2.0
    longest_wait: float = 5.0
    jitter: float = 0.2
    tokens: float = 10.0
    tokens_per_success: float = 0.1


@dataclass(frozen=True)
class ChannelOptions:
    """How a client keeps its connections. Seconds."""

    max_connections: int = 4
    max_waiting_calls: int = 10_000
    idle_timeout: float = 300.0
    first_reconnect: float = 0.25
    reconnect_multiplier: float = 1.6
    longest_reconnect: float = 30.0
    reconnect_jitter: float = 0.2
    default_timeout: float = 30.0
    retries: RetryPolicy = field(default_factory=RetryPolicy)


def random_key() -> bytes:
    """A new idempotency key: a UUIDv7, whose time tells a server that was set back when the call was made."""
    return uuid7()
