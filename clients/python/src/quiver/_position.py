"""The latest position of the servers' store that a client has seen (PROTOCOL.md, section 7.7)."""

from __future__ import annotations

import re

from . import _frames as f
from .errors import Metadata

KEY = "quiver-position"
_FORM = re.compile(rb"([0-9a-f]{16})-([1-9][0-9]{0,18})")
_LARGEST = 2**63 - 1


class KnownPosition:
    """What a client states in its calls, so that no server answers from an older state."""

    __slots__ = ("_epoch", "_sequence")

    def __init__(self) -> None:
        self._epoch = 0
        self._sequence = 0
        """0: no server has stated one."""

    def stated(self, metadata: Metadata) -> Metadata:
        """The metadata of a call with the position, unless the caller states one itself."""
        if not self._sequence or any(name == KEY for name, _ in metadata):
            return metadata
        text = f"{self._epoch:016x}-{self._sequence}".encode()
        stating = [*metadata, (KEY, text)]
        return metadata if f.metadata_fault(stating) else stating

    def received(self, metadata: Metadata) -> None:
        """A call has ended OK with this trailing metadata."""
        found = _position(metadata)
        if found is not None and (found[0] != self._epoch or found[1] > self._sequence):
            self._epoch, self._sequence = found

    def failed(self, metadata: Metadata) -> None:
        """A call has failed for good. If it states a position, the store was set back to it."""
        found = _position(metadata)
        if found is not None:
            self._epoch, self._sequence = found

    def watched(self, sequence: int, epoch: int) -> None:
        """A watch has shown the changes up to a position."""
        if self._sequence and epoch == self._epoch:
            self._sequence = max(self._sequence, sequence)


def _position(metadata: Metadata) -> tuple[int, int] | None:
    for name, value in metadata:
        if name == KEY:
            found = _FORM.fullmatch(value)
            if found is None or int(found[2]) > _LARGEST:
                return None
            return int(found[1], 16), int(found[2])
    return None
