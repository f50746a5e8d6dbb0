"""Status codes and the error that every failed call raises."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Metadata = Sequence[tuple[str, bytes]]

Origin = Literal["server", "client", "connection"]


class StatusCode(enum.IntEnum):
    """The status codes of gRPC."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16

    @classmethod
    def of(cls, number: int) -> StatusCode:
        """The code with a number; any other number reads as UNKNOWN."""
        return cls(number) if 0 <= number <= 16 else cls.UNKNOWN


@dataclass(frozen=True)
class Detail:
    """A detail of a status: the full name of a message, and the encoded message."""

    type: str
    value: bytes


class RPCError(Exception):
    """A call that did not end OK.

    `origin` tells which side ended the call. `not_processed` promises that the call had no effect.
    `retry_after` is in seconds; negative: do not retry; None: not stated.
    """

    def __init__(
        self,
        code: StatusCode,
        message: str,
        *,
        details: Sequence[Detail] = (),
        metadata: Metadata = (),
        not_processed: bool = False,
        retry_after: float | None = None,
        origin: Origin = "client",
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.details = tuple(details)
        self.metadata = tuple(metadata)
        self.not_processed = not_processed
        self.retry_after = retry_after
        self.origin: Origin = origin

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"
