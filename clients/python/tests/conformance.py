"""The Python client under test: makes the calls that it reads as lines of JSON.

docs/client-conformance.md describes the lines; quiver-conformance --client runs this program.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

import quiver
from quiver import CallOptions, RPCError, v1
from quiver._channel import DuplexStream, Method, Position, ReplyStream, WatchStream
from quiver._core import Limits
from quiver.services import EQUIPMENT_WATCH_ITEMS

PEER = "quiver.conformance.Peer/"
ECHO = v1.EchoMessage
MUTATE = Method(65281, PEER + "Mutate", ECHO, ECHO, is_mutating=True)
UNARY = Method(65282, PEER + "Unary", ECHO, ECHO)
UPLOAD = Method(65283, PEER + "Upload", ECHO, ECHO, request_streams=True)
DOWNLOAD = Method(65284, PEER + "Download", ECHO, ECHO, reply_streams=True)
TALK = Method(65285, PEER + "Talk", ECHO, ECHO, request_streams=True, reply_streams=True)


def write(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def pairs(entries: Sequence[tuple[str, bytes]]) -> str:
    return ",".join(f"{key}={value.hex()}" for key, value in entries)


def write_end(number: int, error: RPCError | None = None, initial: Any = (), trailing: Any = ()) -> None:
    if error is None:
        write(event="end", id=number, code=0, initial=pairs(initial), trailing=pairs(trailing))
        return
    retry = error.retry_after
    write(
        event="end", id=number, code=int(error.code), text=error.message,
        not_processed=error.not_processed,
        retry_after_ms=0 if retry is None else -1 if retry < 0 else round(retry * 1000),
        details=pairs([(one.type, one.value) for one in error.details]),
        trailing=pairs(error.metadata),
    )  # fmt: skip


class Running:
    """One call: a task for its reply, a task for its requests, and what the runner wants of it."""

    def __init__(self, client: quiver.Client, fields: dict[str, Any]) -> None:
        self.id = fields["id"]
        self.client = client
        self.counts: asyncio.Queue[int] = asyncio.Queue()
        self.requests: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.stream: Any = None
        self.sender: asyncio.Task[None] | None = None
        self.task = asyncio.create_task(self.run(fields))

    def options(self, fields: dict[str, Any]) -> CallOptions:
        timeout = fields.get("timeout_ms")
        entries = [one.split("=") for one in fields.get("metadata", "").split(",") if one]
        return CallOptions(
            timeout=None if timeout is None else timeout / 1000,
            metadata=[(key, bytes.fromhex(value)) for key, value in entries],
            key=bytes.fromhex(fields["key"]) if "key" in fields else None,
            wait_for_ready=fields.get("wait_for_ready", False),
        )

    async def run(self, fields: dict[str, Any]) -> None:
        options, method = self.options(fields), fields["method"]
        request = ECHO(payload=bytes.fromhex(fields["payload"]))
        try:
            if method in ("unary", "mutate"):
                one = UNARY if method == "unary" else MUTATE
                reply = await self.client.call(one, request, options)
                write(event="message", id=self.id, payload=reply.message.payload.hex())
                write_end(self.id, None, reply.initial_metadata, reply.trailing_metadata)
            elif method == "upload":
                self.stream = self.client.duplex(UPLOAD, options)
                self.sender = asyncio.create_task(self.send())
                async for message in self.stream:
                    write(event="message", id=self.id, payload=message.payload.hex())
                write_end(self.id)
            elif method == "watch":
                position = None
                if "after" in fields:
                    position = Position(fields["after"], int(fields["epoch"]))
                await self.read(self.client.watch(
                    EQUIPMENT_WATCH_ITEMS, v1.WatchItemsRequest(), options, position
                ))  # fmt: skip
            elif method == "download":
                await self.read(self.client.stream(DOWNLOAD, request, options))
            else:
                stream = self.client.duplex(TALK, options)
                self.stream = stream
                self.sender = asyncio.create_task(self.send())
                await self.read(stream)
        except RPCError as error:
            write_end(self.id, error)
        except asyncio.CancelledError:
            write(event="end", id=self.id, code=1, text="cancelled")
        finally:
            if self.sender is not None:
                self.sender.cancel()
                await asyncio.wait([self.sender])

    async def send(self) -> None:
        try:
            while (payload := await self.requests.get()) is not None:
                await self.stream.send(ECHO(payload=payload))
            await self.stream.done_sending()
        except RPCError:
            pass  # The reader of the reply reports it.

    async def read(self, stream: ReplyStream[Any] | DuplexStream[Any, Any] | WatchStream[Any]) -> None:
        # The call opens before the first read of the runner; that message waits.
        iterator = aiter(stream)
        if isinstance(stream, ReplyStream):
            await stream._open()
        pending = asyncio.ensure_future(anext(iterator)) if isinstance(stream, WatchStream) else None
        try:
            while True:
                count = await self.counts.get()
                number = 0
                while count == 0 or number < count:
                    message = await (pending or anext(iterator))
                    pending = None
                    number += 1
                    if isinstance(stream, WatchStream):
                        span = message.span
                        write(event="span", id=self.id, after=span.after, upto=span.upto,
                              epoch=str(span.store_epoch), snapshot=span.snapshot,
                              incomplete=span.incomplete)  # fmt: skip
                    else:
                        write(event="message", id=self.id, payload=message.payload.hex())
        except StopAsyncIteration:
            write_end(self.id, None, (), getattr(stream, "trailing_metadata", ()))
        except asyncio.CancelledError:
            stream.cancel()
            raise


LIMITS = {
    "keepalive_ms": "keepalive_interval", "keepalive_timeout_ms": "keepalive_timeout",
    "frame_timeout_ms": "frame_timeout", "message_timeout_ms": "reassembly_timeout",
    "hello_timeout_ms": "handshake_timeout",
}  # fmt: skip


def limits(fields: dict[str, Any]) -> Limits:
    given = {mine: fields[name] / 1000 for name, mine in LIMITS.items() if name in fields}
    return Limits(**given)


async def main() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=64 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    client: quiver.Client | None = None
    calls: dict[int, Running] = {}
    write(event="ready", compression=True, time_limits=True)
    while line := await reader.readline():
        fields = json.loads(line)
        call = calls.get(fields.get("id", 0))
        match fields["op"]:
            case "connect":
                if client is not None:
                    await client.close()
                client = quiver.connect(
                    fields["server"], token=fields["token"] or None, compression=fields["compression"],
                    trusted_roots=fields.get("ca"), server_name=fields.get("server_name"),
                    certificate=fields.get("certificate"), private_key=fields.get("key"),
                    limits=limits(fields),
                )  # fmt: skip
            case "call":
                assert client is not None
                calls[fields["id"]] = Running(client, fields)
            case "send" if call is not None:
                call.requests.put_nowait(bytes.fromhex(fields["payload"]))
            case "finish" if call is not None:
                call.requests.put_nowait(None)
            case "read" if call is not None:
                call.counts.put_nowait(fields["count"])
            case "cancel" if call is not None:
                call.task.cancel()
            case "close":
                if client is not None:
                    await client.close()
                client = None
                for one in calls.values():
                    one.task.cancel()
                await asyncio.gather(*(one.task for one in calls.values()), return_exceptions=True)
                calls = {}
                write(event="closed")


asyncio.run(main())
