"""The synchronous client: the asyncio client on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ._channel import Channel, Position, Response, WatchStream
from ._core import Limits
from .client import make_channel
from .options import ChannelOptions
from .services import SyncServices

Result = TypeVar("Result")


class SyncStream(Generic[Response]):
    """The messages of a stream, as an iterator."""

    def __init__(self, loop: asyncio.AbstractEventLoop, stream: Any) -> None:
        self._loop = loop
        self._stream = stream
        self._iterator: AsyncIterator[Response] = stream.__aiter__()

    def __enter__(self) -> SyncStream[Response]:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()

    def __iter__(self) -> Iterator[Response]:
        return self

    def __next__(self) -> Response:
        async def step() -> Response:
            return await self._iterator.__anext__()

        try:
            return asyncio.run_coroutine_threadsafe(step(), self._loop).result()
        except StopAsyncIteration:
            raise StopIteration from None

    def cancel(self) -> None:
        """Ends the call."""
        self._loop.call_soon_threadsafe(self._stream.cancel)

    @property
    def position(self) -> Position | None:
        """Of a watch: behind the last message."""
        stream = self._stream
        return stream.position if isinstance(stream, WatchStream) else None


class SyncRunner:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="quiver", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine on the loop and waits for it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stream(self, make: Any) -> SyncStream[Any]:
        """A stream that is made on the loop."""

        async def build() -> Any:
            return make()

        return SyncStream(self._loop, self.run(build()))

    def stop(self) -> None:
        """Ends the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Client(SyncServices):
    """A client whose methods block. May be used from any thread."""

    def __init__(self, runner: SyncRunner, channel: Channel) -> None:
        super().__init__(runner, channel)
        self._runner = runner
        self._channel = channel

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all calls and connections."""
        self._runner.run(self._channel.close())
        self._runner.stop()


def connect(
    server: str | Sequence[str] | None = None,
    *,
    context: str | None = None,
    token: str | None = None,
    token_file: str | None = None,
    allow_plaintext: bool = False,
    trusted_roots: str | None = None,
    certificate: str | None = None,
    private_key: str | None = None,
    server_name: str | None = None,
    compression: bool = False,
    limits: Limits | None = None,
    options: ChannelOptions | None = None,
) -> Client:
    """A blocking client; the arguments are those of `quiver.connect`."""
    channel = make_channel(
        server, context=context, token=token, token_file=token_file, allow_plaintext=allow_plaintext,
        trusted_roots=trusted_roots, certificate=certificate, private_key=private_key,
        server_name=server_name, compression=compression, limits=limits, options=options,
    )  # fmt: skip
    return Client(SyncRunner(), channel)
