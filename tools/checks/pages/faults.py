"""A proxy between a phone and the gateway, which fails as networks do."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Coroutine
from typing import Any

from phones import free_port


class Faults:
    """The thread in which the proxies of a test run."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, body: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(body, self.loop).result(60)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(20)


class Proxy:
    """Passes bytes on, on a port of its own, and therefore for an origin of its own.

    `cut_after(n)`: the first n bytes from then on, both ways together, are passed on, then all connections are reset, and
    what comes afterwards passes. `lose_answers`: requests are passed on, and each reply ends in a reset. `close`: nothing is accepted."""

    def __init__(self, faults: Faults, target: int) -> None:
        self.faults = faults
        self.target = target
        self.port = free_port()
        self.left: int | None = None
        self.is_losing = False
        self.is_closed = False
        # How many bytes have been passed on, and how often connections were reset.
        self.passed = 0
        self.resets = 0
        self.writers: set[asyncio.StreamWriter] = set()
        self.server: Any = None
        faults.run(self.start())

    async def start(self) -> None:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_closed or self.left == 0:
            self.left = None if self.left == 0 else self.left
            self.reset(writer)
            return
        try:
            near, far = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            self.reset(writer)
            return
        self.writers |= {writer, far}
        try:
            await asyncio.gather(self.pass_on(reader, far, False), self.pass_on(near, writer, True))
        finally:
            self.writers -= {writer, far}
            for one in (writer, far):
                one.close()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_reply: bool) -> None:
        with contextlib.suppress(OSError):
            while part := await reader.read(65_536):
                if self.is_losing and is_reply:
                    return self.reset_all()
                if self.left is not None:
                    self.left -= len(part)
                    if self.left <= 0:
                        part = part[: len(part) + self.left]
                        self.left = None
                        if part:
                            self.passed += len(part)
                            writer.write(part)
                            await writer.drain()
                        return self.reset_all()
                self.passed += len(part)
                writer.write(part)
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()

    def reset(self, writer: asyncio.StreamWriter) -> None:
        self.resets += 1
        transport: Any = writer.transport
        with contextlib.suppress(OSError):
            # Without waiting for what is not sent.
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        transport.abort()

    def reset_all(self) -> None:
        for writer in list(self.writers):
            self.reset(writer)

    async def change(self, left: int | None, is_losing: bool, is_closed: bool) -> None:
        self.left, self.is_losing, self.is_closed = left, is_losing, is_closed
        if is_closed:
            self.reset_all()

    def cut_after(self, count: int) -> None:
        self.faults.run(self.change(count, False, False))

    def lose_answers(self) -> None:
        self.faults.run(self.change(None, True, False))

    def close(self) -> None:
        self.faults.run(self.change(None, False, True))

    def open(self) -> None:
        self.faults.run(self.change(None, False, False))
