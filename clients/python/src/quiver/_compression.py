"""zstd for messages, within the limits of section 4.2; needs the package `zstandard`."""

from __future__ import annotations

import io
from typing import Any, Protocol

from .errors import RPCError, StatusCode

WINDOW = 1 << 20
ANY_RATIO_BYTES = 65536
SAFE_RATIO = 100
COMPRESS_FROM = 1024


class Compressor(Protocol):
    """Compresses and decompresses whole messages."""

    def compress(self, message: bytes) -> bytes | None:
        """The compressed message; None if it should be sent as it is."""

    def decompress(self, data: bytes, limit: int) -> bytes:
        """The message; raises RPCError."""


class ZstdCompressor:
    """One zstd frame for each message."""

    def __init__(self) -> None:
        import zstandard

        self._zstd: Any = zstandard
        parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=20)
        self._compressor = zstandard.ZstdCompressor(compression_params=parameters)
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)

    def compress(self, message: bytes) -> bytes | None:
        if len(message) < COMPRESS_FROM:
            return None
        data: bytes = self._compressor.compress(message)
        if len(data) > len(message) * 7 // 8:
            return None
        if len(message) > max(ANY_RATIO_BYTES, SAFE_RATIO * len(data)):
            return None
        return data

    def decompress(self, data: bytes, limit: int) -> bytes:
        limit = min(limit, max(ANY_RATIO_BYTES, 256 * len(data)))
        try:
            if data[:4] != b"\x28\xb5\x2f\xfd":
                raise ValueError("no zstd frame")
            parameters = self._zstd.get_frame_parameters(data)
            if parameters.dict_id or parameters.window_size > WINDOW:
                raise ValueError("a dictionary or a large window")
            decoder = self._decompressor.stream_reader(
                io.BytesIO(data), read_across_frames=False, closefd=False
            )
            message: bytes = decoder.read(limit + 1)
            if len(message) > limit:
                raise RPCError(
                    StatusCode.RESOURCE_EXHAUSTED,
                    "a compressed message is larger than the limit",
                    origin="client",
                )
            check = self._decompressor.decompressobj()
            check.decompress(data)
            if not check.eof or check.unused_data:
                raise ValueError("not exactly one zstd frame")
            return message
        except (ValueError, self._zstd.ZstdError) as error:
            raise RPCError(
                StatusCode.INTERNAL, f"a compressed message does not decompress: {error}"
            ) from None
