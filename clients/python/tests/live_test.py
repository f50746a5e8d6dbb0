"""The client against a real quiverd."""

from __future__ import annotations

import asyncio
import logging
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
from collections.abc import AsyncIterator
from typing import ClassVar

import quiver
import quiver.sync
from quiver import CallOptions, RPCError, StatusCode, v1
from quiver._connection import Address

from server import Server

# Slow callbacks on a busy machine, and handshakes that the proxy of TLSTests is meant to see fail.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)


class LiveTests(unittest.IsolatedAsyncioTestCase):
    server: ClassVar[Server]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()

    @classmethod
    def tearDownClass(cls) -> None:
        code = cls.server.end()
        assert code == 0, f"quiverd ended with {code}"

    def connect(self, **arguments: object) -> quiver.Client:
        return quiver.connect(
            self.server.address, token_file=self.server.token_file, **arguments  # type: ignore[arg-type]
        )

    async def test_unary_calls(self) -> None:
        async with self.connect() as client:
            riser = await client.equipment.create_riser(
                riser=v1.Riser(brand="Hoyt", model="Formula XD", length_in=25)
            )
            self.assertGreater(riser.id, 0)
            again = await client.equipment.get_riser(id=riser.id)
            self.assertEqual(again, riser)
            answers = await asyncio.gather(
                *(client.diagnostics.echo(number=number) for number in range(1000))
            )
            self.assertEqual([one.number for one in answers], list(range(1000)))

    async def test_large_messages_pass_the_windows_both_ways(self) -> None:
        payload = os.urandom(1_000_000)
        async with self.connect() as client:
            answers = await asyncio.gather(
                *(client.diagnostics.echo(payload=payload) for _ in range(5))
            )
            self.assertTrue(all(one.payload == payload for one in answers))
            with self.assertRaises(RPCError) as caught:
                await client.diagnostics.echo(payload=bytes(5 << 20))
            self.assertEqual(caught.exception.code, StatusCode.RESOURCE_EXHAUSTED)
            self.assertTrue(caught.exception.not_processed)

    async def test_compressed_messages(self) -> None:
        text = "ten and nine and " * 20_000
        async with self.connect(compression=True) as client:
            await client.health.check()
            for _ in range(3):
                answer = await client.diagnostics.echo(text=text)
                self.assertEqual(answer.text, text)

    async def test_server_streams(self) -> None:
        async with self.connect() as client:
            stream = client.diagnostics.source(sizes=[31415, 9, 265_358, 0])
            sizes = [len(one.payload) async for one in stream]
            self.assertEqual(sizes, [31415, 9, 265_358, 0])
            numbers = [one.number async for one in client.diagnostics.source(count=20_000)]
            self.assertEqual(numbers, list(range(1, 20_001)))

    async def test_a_reader_that_stops_gets_no_more_than_its_window(self) -> None:
        async with self.connect() as client:
            async with client.diagnostics.source(count=10_000, size=1000) as stream:
                async for _ in stream:
                    break
                await asyncio.sleep(0.5)
                assert stream._opened is not None
                held = sum(len(data) for data, _ in stream._opened[1].messages)
                self.assertLessEqual(held, 65536)
            self.assertEqual((await client.diagnostics.echo(number=7)).number, 7)

    async def test_client_streams(self) -> None:
        sizes = [27182, 8, 1828, 459_045]

        async def messages() -> AsyncIterator[v1.EchoMessage]:
            for size in sizes:
                yield v1.EchoMessage(payload=bytes(size))

        async with self.connect() as client:
            answer = await client.diagnostics.sink(messages())
            self.assertEqual((answer.message_count, answer.payload_bytes), (4, sum(sizes)))
            empty = await client.diagnostics.sink([])
            self.assertEqual(empty.message_count, 0)

    async def test_bidirectional_streams(self) -> None:
        async with self.connect() as client:
            async with client.diagnostics.echo_stream() as talk:
                for number in range(1, 20):
                    await talk.send(v1.EchoMessage(number=number, payload=bytes(number * 5000)))
                    answer = await talk.__anext__()
                    self.assertEqual(answer.number, number)
                await talk.done_sending()
                self.assertEqual([one async for one in talk], [])

    async def test_statuses_details_and_metadata(self) -> None:
        detail = v1.Detail(type="quiver.v1.Riser", value=b"\x08\x01")
        async with self.connect() as client:
            for code in range(1, 17):
                with self.assertRaises(RPCError) as caught:
                    await client.diagnostics.fail(code=code, message="as asked", details=[detail])
                error = caught.exception
                self.assertEqual((error.code, error.message), (code, "as asked"))
                self.assertEqual(error.details[0].type, "quiver.v1.Riser")
                self.assertEqual(error.origin, "server")
            from quiver.services import DIAGNOSTICS_ECHO_METADATA

            options = CallOptions(metadata=[("a", b"\x00"), ("a", b"b")])
            reply = await client.call(
                DIAGNOSTICS_ECHO_METADATA, v1.EchoMessage(text="x"), options
            )
            self.assertEqual(list(reply.initial_metadata), [("a", b"\x00"), ("a", b"b")])
            self.assertEqual(list(reply.trailing_metadata), [("a", b"\x00"), ("a", b"b")])
            with self.assertRaises(RPCError) as caught:
                await client.diagnostics.echo(options=CallOptions(metadata={"Bad": b""}))
            self.assertEqual(caught.exception.code, StatusCode.INVALID_ARGUMENT)

    async def test_deadlines_and_cancelling(self) -> None:
        async with self.connect() as client:
            with self.assertRaises(RPCError) as caught:
                await client.diagnostics.delay(delay_ms=60_000, options=CallOptions(timeout=0.05))
            self.assertEqual(caught.exception.code, StatusCode.DEADLINE_EXCEEDED)
            task = asyncio.create_task(client.diagnostics.delay(delay_ms=60_000))
            await asyncio.sleep(0.05)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            stream = client.diagnostics.source(
                count=1000, interval_ms=1000, options=CallOptions(timeout=0.2)
            )
            with self.assertRaises(RPCError) as caught:
                [one async for one in stream]
            self.assertEqual(caught.exception.code, StatusCode.DEADLINE_EXCEEDED)
            self.assertEqual((await client.diagnostics.echo(number=7)).number, 7)

    async def test_a_key_gives_one_effect(self) -> None:
        async with self.connect() as client:
            options = CallOptions(key=os.urandom(16))
            made = [
                await client.equipment.create_riser(riser=v1.Riser(brand="W&W", model="X"), options=options)
                for _ in range(3)
            ]
            self.assertEqual(made[0], made[1])
            self.assertEqual(made[0], made[2])
            with self.assertRaises(RPCError) as caught:
                await client.equipment.create_riser(riser=v1.Riser(brand="Gillo", model="X"), options=options)
            self.assertEqual(caught.exception.code, StatusCode.ALREADY_EXISTS)

    async def test_a_stale_revision_brings_the_object(self) -> None:
        async with self.connect() as client:
            made = await client.equipment.create_riser(riser=v1.Riser(brand="Fivics", model="X"))
            await client.equipment.update_riser(
                riser=v1.Riser(id=made.id, revision=1, notes="a"), update_mask=["notes"]
            )
            with self.assertRaises(RPCError) as caught:
                await client.equipment.update_riser(
                    riser=v1.Riser(id=made.id, revision=1, notes="b"), update_mask=["notes"]
                )
            self.assertEqual(caught.exception.code, StatusCode.ABORTED)
            detail = caught.exception.details[0]
            self.assertEqual(detail.type, "quiver.v1.Riser")
            self.assertEqual(v1.Riser.FromString(detail.value).notes, "a")

    async def test_a_call_states_the_epoch_of_what_it_names(self) -> None:
        async with self.connect() as client:
            epoch = (await client.account.who_am_i()).store_epoch
            made = await client.equipment.create_riser(riser=v1.Riser(brand="Border", model="X"))
            with self.assertRaises(RPCError) as caught:
                await client.equipment.archive_riser(id=made.id, options=CallOptions(store_epoch=epoch ^ 1))
            self.assertEqual(caught.exception.code, StatusCode.ABORTED)
            archived = await client.equipment.archive_riser(
                id=made.id, options=CallOptions(store_epoch=epoch)
            )
            self.assertTrue(archived.archived)

    async def test_a_wrong_token_and_no_server(self) -> None:
        async with quiver.connect(self.server.address, token="qv_" + "A" * 43) as client:
            with self.assertRaises(RPCError) as caught:
                await client.diagnostics.echo()
            self.assertEqual(caught.exception.code, StatusCode.UNAUTHENTICATED)
        async with quiver.connect("unix:/nonexistent/socket") as client:
            with self.assertRaises(RPCError) as caught:
                await client.health.check()
            self.assertEqual(caught.exception.code, StatusCode.UNAVAILABLE)
            self.assertTrue(caught.exception.not_processed)
        async with quiver.connect(self.server.address) as client:
            self.assertEqual((await client.health.check()).status, v1.SERVING_STATUS_SERVING)
            with self.assertRaises(RPCError) as caught:
                await client.equipment.get_hub()
            self.assertEqual(caught.exception.code, StatusCode.UNAUTHENTICATED)
        with self.assertRaises(RPCError) as caught:
            quiver.connect("archery.example:7450", token="qv_x")
        self.assertEqual(caught.exception.code, StatusCode.FAILED_PRECONDITION)

    def test_the_synchronous_client(self) -> None:
        with quiver.sync.connect(
            self.server.address, token_file=self.server.token_file
        ) as client:
            riser = client.equipment.create_riser(riser=v1.Riser(brand="Hoyt", model="X"))
            self.assertEqual(client.equipment.get_riser(id=riser.id), riser)
            self.assertEqual([one.number for one in client.diagnostics.source(count=5)],
                             [1, 2, 3, 4, 5])  # fmt: skip
            answer = client.diagnostics.sink([v1.EchoMessage(payload=b"abc")])
            self.assertEqual(answer.payload_bytes, 3)
            with self.assertRaises(RPCError) as caught:
                client.diagnostics.fail(code=9, message="so")
            self.assertEqual(caught.exception.code, StatusCode.FAILED_PRECONDITION)
            with client.equipment.watch_items() as watch:
                self.assertTrue(next(iter(watch)).span.snapshot)
                self.assertIsNotNone(watch.position)


class RestartTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_watch_is_at_most_one_state_ahead_of_its_reader(self) -> None:
        server = Server()
        self.addCleanup(server.end)
        async with (
            quiver.connect(server.address, token_file=server.token_file) as client,
            client.equipment.watch_items() as watch,
        ):
            self.assertTrue((await anext(watch)).span.snapshot)
            for _ in range(3):
                wanted = set()
                for _ in range(20):
                    riser = await client.equipment.create_riser(
                        riser=v1.Riser(brand="Hoyt", model="X")
                    )
                    wanted.add(riser.id)
                messages = 0
                while wanted:
                    wanted -= {item.id for item in (await anext(watch)).changed}
                    messages += 1
                self.assertLessEqual(messages, 2)

    async def test_a_watch_goes_on_over_kills_without_gap_or_repeat(self) -> None:
        server = Server()
        self.addCleanup(server.end)
        seen: dict[int, str] = {}
        repeats: list[int] = []
        async with (
            quiver.connect(server.address, token_file=server.token_file) as client,
            quiver.connect(server.address, token_file=server.token_file) as writer,
        ):
            wanted: set[str] = set()

            async def watch() -> None:
                last = 0
                async with client.equipment.watch_items(type=v1.EQUIPMENT_TYPE_RISER) as items:
                    async for message in items:
                        span = message.span
                        if not span.snapshot and span.after != last:
                            repeats.append(span.after)
                        if not span.incomplete:
                            last = span.upto
                        for item in changed(message):
                            seen[item.id] = item.display_brand

            task = asyncio.create_task(watch())
            for turn in range(4):
                for number in range(20):
                    brand = f"brand {turn} {number}"
                    # The key that the client gives makes this safe over the kill.
                    await writer.equipment.create_riser(
                        riser=v1.Riser(brand=brand, model="X"), options=CallOptions(key=os.urandom(16))
                    )
                    wanted.add(brand)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            for _ in range(200):
                if wanted <= set(seen.values()):
                    break
                await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self.assertLessEqual(wanted, set(seen.values()))
            self.assertEqual(len(seen), len(wanted))
            self.assertEqual(repeats, [])

    async def test_calls_with_a_key_survive_a_restart(self) -> None:
        server = Server()
        self.addCleanup(server.end)
        options = quiver.ChannelOptions(retries=quiver.RetryPolicy(tokens=1000, max_attempts=50))
        async with quiver.connect(
            server.address, token_file=server.token_file, options=options
        ) as client:

            async def create(number: int) -> v1.Riser:
                call = CallOptions(key=os.urandom(16), wait_for_ready=True, timeout=60)
                return await client.equipment.create_riser(
                    riser=v1.Riser(brand=f"brand {number}", model="X"), options=call
                )

            tasks = [asyncio.create_task(create(number)) for number in range(300)]
            await asyncio.sleep(0.02)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            made = await asyncio.gather(*tasks)
            self.assertEqual(len({one.id for one in made}), 300)
            hub = await client.equipment.get_hub()
            self.assertEqual(hub.total, 300)
            count, token = 0, ""
            while True:
                page = await client.equipment.list_items(page_token=token)
                count += len(page.items)
                token = page.next_page_token
                if not token:
                    break
            self.assertEqual(count, 300)


def changed(message: v1.WatchItemsResponse) -> list[v1.EquipmentItem]:
    return list(message.changed)


def make_certificate(folder: str) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", f"{folder}/key", "-out", f"{folder}/certificate"],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class TLSTests(unittest.IsolatedAsyncioTestCase):
    async def test_tls_to_quiverd(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            make_certificate(folder)
            port = free_port()
            server = Server(
                "--listen", f"tls://127.0.0.1:{port}", "--tls-certificate",
                f"{folder}/certificate", "--tls-key", f"{folder}/key",
            )  # fmt: skip
            self.addCleanup(server.end)
            async with quiver.connect(
                f"tls://localhost:{port}", token_file=server.token_file,
                trusted_roots=f"{folder}/certificate",
            ) as client:  # fmt: skip
                payload = os.urandom(300_000)
                self.assertEqual((await client.diagnostics.echo(payload=payload)).payload, payload)
                numbers = [one.number async for one in client.diagnostics.source(count=3000)]
                self.assertEqual(len(numbers), 3000)
            for arguments, words in (
                ({}, "certificate"),
                ({"trusted_roots": f"{folder}/certificate", "server_name": "a.example"}, "a.example"),
            ):
                async with quiver.connect(
                    f"tls://localhost:{port}", token_file=server.token_file, **arguments
                ) as client:
                    with self.assertRaises(RPCError) as caught:
                        await client.diagnostics.echo()
                    self.assertIn(words, caught.exception.message)

    async def test_a_server_without_the_protocol_is_refused(self) -> None:
        server = Server()
        self.addCleanup(server.end)
        with tempfile.TemporaryDirectory() as folder:
            make_certificate(folder)
            for protocols in (["quiver/1"], ["h2"], []):
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(f"{folder}/certificate", f"{folder}/key")
                context.set_alpn_protocols(protocols)
                await self.through(server, folder, context, bool(protocols == ["quiver/1"]))

    async def through(
        self, server: Server, folder: str, context: ssl.SSLContext, is_good: bool
    ) -> None:
        path = server.address.removeprefix("unix:")

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            back, forth = await asyncio.open_unix_connection(path)

            async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
                try:
                    while data := await source.read(65536):
                        sink.write(data)
                        await sink.drain()
                except OSError:
                    pass
                finally:
                    sink.close()

            await asyncio.gather(copy(reader, forth), copy(back, writer))

        proxy = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
        port = proxy.sockets[0].getsockname()[1]
        address = f"tls://localhost:{port}"
        token = pathlib.Path(server.token_file).read_text()
        async with quiver.connect(
            address, token=token, trusted_roots=f"{folder}/certificate"
        ) as client:
            if is_good:
                payload = os.urandom(300_000)
                self.assertEqual((await client.diagnostics.echo(payload=payload)).payload, payload)
            else:
                with self.assertRaises(RPCError) as caught:
                    await client.diagnostics.echo()
                self.assertEqual(caught.exception.code, StatusCode.UNAVAILABLE)
        async with quiver.connect(address, token=token) as client:
            with self.assertRaises(RPCError) as caught:
                await client.diagnostics.echo()
            self.assertIn("certificate" if is_good else "", caught.exception.message)
        proxy.close()


class AddressTests(unittest.TestCase):
    def test_addresses(self) -> None:
        self.assertEqual(Address.parse("a.example:7450"), Address("a.example", 7450, None, False))
        self.assertEqual(Address.parse("[::1]:1"), Address("::1", 1, None, False))
        self.assertEqual(Address.parse("unix:/a/b"), Address("", 0, "/a/b", False))
        self.assertTrue(Address.parse("tls://h:1").is_tls)
        for wrong in ("", "host", "host:", "host:0", "host:65536", "::1:80", "unix:", "tls://unix:/a",
                      ":80", "h:\u0663"):  # fmt: skip
            with self.subTest(wrong), self.assertRaises(ValueError):
                Address.parse(wrong)


if __name__ == "__main__":
    unittest.main()
