"""What the client does at its edges, against a server of the test that answers as each test says."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
import unittest
from collections.abc import AsyncIterator, Callable
from typing import Any

import quiver
from quiver import RPCError, StatusCode, v1
from quiver import _frames as f
from quiver._channel import Method
from quiver._connection import Address, loopback_addresses
from quiver.options import ChannelOptions
from quiver.services import EQUIPMENT_WATCH_ITEMS
from quiver.v1 import wire_pb2 as wire

PATIENCE = 30
ECHO = v1.EchoMessage
UNARY = Method(65282, "quiver.test.Peer/Unary", ECHO, ECHO)
UPLOAD = Method(65283, "quiver.test.Peer/Upload", ECHO, ECHO, request_streams=True)
# Without a token, and with these limits, a client takes the least that it may.
LARGEST_MESSAGE = 4096


class Peer:
    """A server that greets, and lets `answer` write to each call."""

    def __init__(self, path: str, answer: Callable[[Peer, int], None]) -> None:
        self.path = path
        self.answer = answer
        self.times: list[float] = []
        self.cancelled = asyncio.Event()

    async def __aenter__(self) -> Peer:
        self.server = await asyncio.start_unix_server(self.serve, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        hello = wire.Hello(version_min=1, version_max=1, max_concurrent_streams=1)
        writer.write(f.PREFACE + f.frame(f.HELLO, 0, 0, hello.SerializeToString()))
        try:
            await reader.readexactly(len(f.PREFACE))
            while True:
                head = await reader.readexactly(8)
                self.payload = await reader.readexactly(int.from_bytes(head[:3], "big"))
                if head[3] >> 4 == f.REQUEST:
                    self.times.append(asyncio.get_running_loop().time())
                    self.answer(self, int.from_bytes(head[4:], "big"))
                elif head[3] >> 4 == f.CANCEL:
                    self.cancelled.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def write(self, kind: int, stream: int, payload: bytes) -> None:
        self.writer.write(f.frame(kind, 0, stream, payload))

    def reply(self, stream: int, position: str) -> None:
        """A reply that states a position, if any."""
        self.write(f.DATA, stream, ECHO(number=7).SerializeToString())
        self.write(f.STATUS, stream, _stating(0, position).SerializeToString())

    def status(self, stream: int, code: StatusCode, retry_after_ms: int) -> None:
        status = wire.Status(code=int(code), message="as asked", retry_after_ms=retry_after_ms)
        self.write(f.STATUS, stream, status.SerializeToString())


def _stating(code: int, position: str) -> wire.Status:
    status = wire.Status(code=code, message="as asked", not_processed=code != 0)
    if position:
        status.metadata.add(key="quiver-position", value=position.encode())
    return status


def silent(peer: Peer, stream: int) -> None:
    """Answers nothing."""


def failing(times: int, code: StatusCode, retry_after_ms: int) -> Callable[[Peer, int], None]:
    """Fails so many watches, then sends one message."""

    def answer(peer: Peer, stream: int) -> None:
        if len(peer.times) <= times:
            peer.status(stream, code, retry_after_ms)
        else:
            span = v1.WatchSpan(upto=1, store_epoch=1, snapshot=True)
            peer.write(f.DATA, stream, v1.WatchItemsResponse(span=span).SerializeToString())

    return answer


class EdgeTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = f"{folder.name}/socket"

    def connect(self, **arguments: Any) -> quiver.Client:
        return quiver.connect(f"unix:{self.path}", **arguments)

    async def fails(self, body: Any) -> RPCError:
        with self.assertRaises(RPCError) as caught:
            await asyncio.wait_for(body, PATIENCE)
        return caught.exception

    # ---- Request streams

    async def test_an_upload_above_the_message_limit_fails(self) -> None:
        large = ECHO(payload=bytes(LARGEST_MESSAGE))
        async with Peer(self.path, silent) as peer, self.connect() as client:
            error = await self.fails(client.upload(UPLOAD, [ECHO(), large]))
            self.assertEqual(error.code, StatusCode.RESOURCE_EXHAUSTED)
            await asyncio.wait_for(peer.cancelled.wait(), PATIENCE)

    async def test_a_message_above_the_limit_ends_the_call(self) -> None:
        large = ECHO(payload=bytes(LARGEST_MESSAGE))
        async with Peer(self.path, silent), self.connect() as client:
            call = client.duplex(UPLOAD)
            error = await self.fails(call.send(large))
            self.assertEqual(error.code, StatusCode.RESOURCE_EXHAUSTED)
            error = await self.fails(call.reply())
            self.assertEqual(error.code, StatusCode.RESOURCE_EXHAUSTED)

    async def test_requests_that_fail_before_the_first_end_the_call(self) -> None:
        async def requests() -> AsyncIterator[v1.EchoMessage]:
            raise ValueError("no file")
            yield ECHO()

        async with Peer(self.path, silent), self.connect() as client:
            error = await self.fails(client.upload(UPLOAD, requests()))
            self.assertEqual(error.code, StatusCode.CANCELLED)
            self.assertIn("no file", error.message)

    async def test_a_call_that_was_not_opened_is_not_opened_by_its_reader(self) -> None:
        options = ChannelOptions(first_reconnect=0.001, longest_reconnect=0.001)
        async with self.connect(options=options) as client, client.duplex(UPLOAD) as call:
            call.feed([ECHO()])
            assert call._feeder is not None
            await asyncio.wait([call._feeder], timeout=PATIENCE)
            async with Peer(self.path, silent) as peer:
                await asyncio.sleep(0.1)  # The client connects again.
                for _ in range(2):
                    error = await self.fails(anext(call))
                    self.assertEqual(error.code, StatusCode.UNAVAILABLE)
                self.assertEqual(peer.times, [])

    # ---- Calls that wait

    async def test_a_cancelled_call_passes_its_wake_up_on(self) -> None:
        def all_but_the_first(peer: Peer, stream: int) -> None:
            if len(peer.times) > 1:
                peer.write(f.RESPONSE, stream, ECHO(number=7).SerializeToString())

        # Which of the two waits in front is the client's affair.
        options = ChannelOptions(max_connections=1)
        for cancelled, waiting in ((1, 2), (2, 1)):
            async with (
                Peer(self.path, all_but_the_first) as peer, self.connect(options=options) as client
            ):  # fmt: skip
                calls = [asyncio.create_task(client.call(UNARY, ECHO())) for _ in range(3)]
                while not peer.times:
                    await asyncio.sleep(0.001)
                # The end of the first call wakes another one, which is cancelled before it runs.
                calls[0].cancel()
                asyncio.get_running_loop().call_soon(calls[cancelled].cancel)
                reply = await asyncio.wait_for(calls[waiting], PATIENCE)
                self.assertEqual(reply.message.number, 7)
                self.assertTrue(calls[0].cancelled() and calls[cancelled].cancelled())

    async def test_a_server_that_closes_each_connection_is_not_connected_to_at_once(self) -> None:
        connections = 0
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen()

        def refuse() -> None:
            nonlocal connections
            while True:
                try:
                    listener.accept()[0].close()
                except OSError:
                    return
                connections += 1

        # A thread, so that a connection is closed before a call takes it.
        threading.Thread(target=refuse, daemon=True).start()
        self.addCleanup(listener.close)
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
        began = asyncio.get_running_loop().time()
        async with self.connect() as client:
            options = quiver.CallOptions(timeout=1.5, wait_for_ready=True)
            await self.fails(client.call(UNARY, ECHO(), options))
        # The first wait is 250 ms, and 20 % less by jitter.
        self.assertLessEqual(connections, 2 + (asyncio.get_running_loop().time() - began) / 0.19)

    # ---- Watches

    async def watched(self, answer: Callable[[Peer, int], None]) -> list[float]:
        """The times at which a watch was opened until its first message."""
        async with Peer(self.path, answer) as peer, self.connect() as client:
            watch = client.watch(EQUIPMENT_WATCH_ITEMS, v1.WatchItemsRequest())
            try:
                message = await asyncio.wait_for(anext(watch), PATIENCE)
                self.assertTrue(message.span.snapshot)
            finally:
                watch.cancel()
                self.times = peer.times
            return peer.times

    async def test_a_watch_ends_where_the_server_forbids_another_try(self) -> None:
        for code in (StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED):
            with self.subTest(code):
                error = await self.fails(self.watched(failing(1, code, -1)))
                self.assertEqual((error.code, len(self.times)), (code, 1))

    async def test_a_watch_waits_as_long_as_the_server_asks(self) -> None:
        for code in (StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED):
            with self.subTest(code):
                times = await self.watched(failing(6, code, 300))
                self.assertEqual(len(times), 7)
                gaps = [after - before for before, after in zip(times, times[1:], strict=False)]
                self.assertGreaterEqual(min(gaps), 0.29)

    async def test_a_watch_ends_where_a_quota_is_reached(self) -> None:
        error = await self.fails(self.watched(failing(1, StatusCode.RESOURCE_EXHAUSTED, 0)))
        self.assertEqual((error.code, len(self.times)), (StatusCode.RESOURCE_EXHAUSTED, 1))

    # ---- Positions

    async def stated(self, *replies: str | wire.Status) -> list[str]:
        """What calls state that get these replies one after the other: positions, or failures."""
        stated: list[str] = []
        left = list(replies)

        def answer(peer: Peer, stream: int) -> None:
            head = wire.RequestHead.FromString(peer.payload[1 : 1 + peer.payload[0]])
            found = [entry.value.decode() for entry in head.metadata]
            stated.append(",".join(found))
            reply = left.pop(0)
            if isinstance(reply, str):
                peer.reply(stream, reply)
            else:
                peer.write(f.STATUS, stream, reply.SerializeToString())

        async with Peer(self.path, answer), self.connect() as client:
            while left:
                try:
                    await asyncio.wait_for(client.call(UNARY, ECHO()), PATIENCE)
                except RPCError as error:
                    self.assertEqual(error.code, StatusCode.UNAVAILABLE)
        return stated

    async def test_calls_state_the_latest_position_that_replies_have_stated(self) -> None:
        epoch = "0000000000000007-"
        stated = await self.stated(
            "", epoch + "20", epoch + "19", "garbage", epoch + "0", epoch + "9223372036854775808",
            epoch + "100", "", "00000000000000ff-3", "",
        )  # fmt: skip
        late = epoch + "20"
        self.assertEqual(
            stated, ["", "", *[late] * 5, epoch + "100", epoch + "100", "00000000000000ff-3"]
        )

    async def test_a_final_failure_that_states_a_position_sets_it_back(self) -> None:
        first, lower = "0000000000000007-100", "0000000000000007-50"
        retried = _stating(int(StatusCode.UNAVAILABLE), lower)
        final = _stating(int(StatusCode.UNAVAILABLE), lower)
        final.retry_after_ms = -1
        stated = await self.stated(first, retried, "", final, "")
        self.assertEqual(stated, ["", first, first, first, lower])

    async def test_a_caller_can_state_a_position_itself(self) -> None:
        known = quiver._channel.KnownPosition()
        own = [("quiver-position", b"0000000000000007-5")]
        self.assertEqual(known.stated(own), own)
        known.received([("quiver-position", b"0000000000000007-9")])
        self.assertEqual(known.stated(own), own)
        other = [("key", b"value")]
        self.assertEqual(
            known.stated(other), [*other, ("quiver-position", b"0000000000000007-9")]
        )
        full = [("key", b"")] * 64
        self.assertEqual(known.stated(full), full)

    async def test_what_a_watch_has_shown_counts_where_replies_state_positions(self) -> None:
        heads: list[wire.RequestHead] = []

        def answer(peer: Peer, stream: int) -> None:
            head = wire.RequestHead.FromString(peer.payload[1 : 1 + peer.payload[0]])
            heads.append(head)
            if head.method_id == UNARY.id:
                peer.reply(stream, "0000000000000007-3")
                return
            span = v1.WatchSpan(upto=len(heads) + 10, store_epoch=7)
            message = v1.WatchItemsResponse(span=span)
            peer.write(f.DATA, stream, message.SerializeToString())
            peer.write(f.STATUS, stream, _stating(0, "").SerializeToString())

        async with Peer(self.path, answer), self.connect() as client:
            for _ in range(2):
                async with client.watch(EQUIPMENT_WATCH_ITEMS, v1.WatchItemsRequest()) as watch:
                    await asyncio.wait_for(anext(watch), PATIENCE)
                await asyncio.wait_for(client.call(UNARY, ECHO()), PATIENCE)
        stated = [[entry.value for entry in head.metadata] for head in heads]
        self.assertEqual(
            stated, [[], [], [b"0000000000000007-3"], [b"0000000000000007-13"]]
        )

    # ---- Addresses

    def test_only_addresses_of_this_machine_are_local(self) -> None:
        for one in ("127.0.0.1", "127.9.8.7", "[::1]", "[0:0:0:0:0:0:0:1]", "localhost"):
            with self.subTest(one):
                self.assertTrue(Address.parse(f"{one}:1").is_local)
        for one in ("127.evil.example", "127.0.0.1.evil.example", "127.0.0.999", "127.", "[::2]",
                    "192.0.2.1", "localhost.evil.example"):  # fmt: skip
            with self.subTest(one):
                self.assertFalse(Address.parse(f"{one}:1").is_local)
                with self.assertRaises(RPCError):
                    quiver.connect(f"{one}:1", token="qv_x")

    async def test_localhost_is_this_machine_only(self) -> None:
        kind = socket.SOCK_STREAM
        here = (socket.AF_INET, kind, 0, "", ("127.0.0.1", 1))
        there = (socket.AF_INET, kind, 0, "", ("192.0.2.1", 1))
        here6 = (socket.AF_INET6, kind, 0, "", ("::1", 1, 0, 0))
        self.assertEqual(loopback_addresses([there, here6, here]), ["::1", "127.0.0.1"])
        with self.assertRaisesRegex(OSError, "localhost"):
            loopback_addresses([there])
        # Over the resolver of this machine.
        reached = asyncio.Event()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            reached.set()
            writer.close()

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with quiver.connect(f"localhost:{port}", token="qv_x") as client:
            await self.fails(client.call(UNARY, ECHO()))
        self.assertTrue(reached.is_set())
        server.close()


if __name__ == "__main__":
    unittest.main()
