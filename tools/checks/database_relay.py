"""Passes connections on to a database of PostgreSQL, and disturbs them.

usage: database_relay.py SOCKET

SOCKET is the Unix socket of the database. It prints the port of 127.0.0.1 on which it listens, then
reads lines, and repeats each one when it is in force:

  pass     passes everything on, also what it held
  hold     holds everything, also new connections: the network is cut
  mute     passes statements on and holds their answers
  reset    resets all connections, and new ones
  cut N    drops the next N answers to a COMMIT of a transaction that may change something, each with
           its connection: nobody there knows whether it is committed
  lose T   drops the answer to the COMMIT behind the next statement that has the text T, then resets
           all connections
"""

import asyncio
import socket
import struct
import sys

COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"


class Relay:
    def __init__(self, target):
        self.target = target
        self.mode = "pass"
        self.cuts = 0
        self.text = b""
        self.changed = asyncio.Event()
        self.pairs = set()

    def set(self, words):
        self.mode = words[0] if words[0] not in ("cut", "lose") else "pass"
        if words[0] == "cut":
            self.cuts = int(words[1])
        if words[0] == "lose":
            self.text = words[1].encode()
        if self.mode == "reset":
            for pair in list(self.pairs):
                self.abort(pair)
        self.changed.set()
        self.changed = asyncio.Event()

    async def until_open(self, answers):
        while self.mode == "hold" or (answers and self.mode == "mute"):
            await self.changed.wait()

    def abort(self, pair):
        self.pairs.discard(pair)
        for writer in pair:
            end = writer.get_extra_info("socket")
            if end is not None and end.family == socket.AF_INET:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def pump(self, reader, writer, pair, state, answers):
        tail = b""
        while True:
            await self.until_open(answers)
            data = await reader.read(65536)
            if not data:
                break
            await self.until_open(answers)
            text = tail + data
            tail = text[-32:]
            if not answers and b"SERIALIZABLE" in text:
                state["writes"] = True
            if not answers and self.text and self.text in text:
                self.text = b""
                state["loses"] = True
            if answers and state["loses"] and COMMITTED in text:
                return self.set(["reset"])
            if answers and self.cuts > 0 and state["writes"] and COMMITTED in text:
                self.cuts -= 1
                return self.abort(pair)
            writer.write(data)
            await writer.drain()

    async def serve(self, reader, writer):
        if self.mode == "reset":
            return self.abort((writer,))
        await self.until_open(False)
        try:
            other_reader, other_writer = await asyncio.open_unix_connection(self.target)
        except OSError:
            return self.abort((writer,))
        pair = (writer, other_writer)
        self.pairs.add(pair)
        state = {"writes": False, "loses": False}
        pumps = [
            asyncio.ensure_future(self.pump(reader, other_writer, pair, state, False)),
            asyncio.ensure_future(self.pump(other_reader, writer, pair, state, True)),
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        if pair in self.pairs:
            self.pairs.discard(pair)
            for end in pair:
                end.close()


async def main():
    relay = Relay(sys.argv[1])
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    lines = asyncio.StreamReader()
    await asyncio.get_event_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while True:
        line = (await lines.readline()).decode().strip()
        if not line:
            break
        relay.set(line.split())
        print(line, flush=True)


asyncio.run(main())
