// Ports at which another protocol is spoken than HTTP.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { connect, QuiverError } from "../src/index.js";
import { envelope } from "../src/envelopes.js";

/** Far more time than an answer takes. */
const timeout = 60_000;
/** A watch that goes on asks again without much waiting. */
const times = { answer: 30_000, quiet: 30_000, again: 20, firstWait: 1, longestWait: 5 };

/** A port that answers each connection with some bytes and closes it. */
class Port {
  count = 0;

  static async start(bytes) {
    const port = new Port();
    port.server = createServer((socket) => {
      port.count += 1;
      socket.on("error", () => {});
      socket.end(bytes);
      socket.resume();
    });
    port.server.listen(0, "127.0.0.1");
    await once(port.server, "listening");
    port.number = port.server.address().port;
    return port;
  }

  async end() {
    this.server.close();
    await once(this.server, "close");
  }
}

const failed = async (call) => {
  const error = await call.then(() => null, (one) => one);
  assert.ok(error instanceof QuiverError, `it ended with ${error}`);
  return error;
};

const wrong = [
  ["http", "SSH-2.0-OpenSSH_9.2p1\r\n", /it speaks SSH$/],
  ["http", Buffer.from([0x15, 3, 3, 0, 2, 2, 10]), /it speaks TLS$/],
  ["http", Buffer.concat([Buffer.from([0x91]), Buffer.from("QVR\r\n\x1a\x01")]), /it speaks Quiver$/],
  ["http", "220 mail.example ESMTP\r\n", /does not speak HTTP\/1\.1$/],
  ["https", "HTTP/1.1 400 Bad Request\r\n\r\n", /does not speak TLS/],
  ["https", Buffer.from([0x15, 3, 3, 0, 2, 2, 10]), /does not use TLS on this port/],
];

for (const [scheme, bytes, words] of wrong) {
  test(`a call and a watch end where ${JSON.stringify(String(bytes))} answers ${scheme}, and name it`, async () => {
    const port = await Port.start(bytes);
    const client = connect(`${scheme}://127.0.0.1:${port.number}`, { token: "qv_test" });
    for (const end of [() => client.call("Tournament/GetTournament", {}, { timeout }),
      () => client.watch("Equipment/WatchItems", {}, { times })[Symbol.asyncIterator]().next()]) {
      const error = await failed(end());
      assert.equal(error.code, "UNAVAILABLE");
      assert.match(error.message, words);
      assert.ok(error.isOtherProtocol && error.notProcessed);
    }
    assert.equal(port.count, 2);
    await port.end();
  });
}

test("a client that a gateway has answered goes on where another program answers for a moment", async () => {
  const counts = { call: 0, watch: 0 };
  const head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/";
  const replies = {
    call: () => `${head}json\r\n\r\n{}`,
    watch: (count) => Buffer.concat([Buffer.from(`${head}connect+json\r\n\r\n`),
      envelope(JSON.stringify({ span: { upto: String(count), storeEpoch: "7" } }))]),
    probe: () => `${head}json\r\n\r\n`,
  };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const kind = /^POST .*WatchItems /.test(bytes) ? "watch" : /^POST /.test(bytes) ? "call" : "probe";
      counts[kind] += 1;
      socket.end(counts[kind] === 2 ? "SSH-2.0-OpenSSH_9.2p1\r\n" : replies[kind](counts[kind]));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${server.address().port}`, { token: "qv_test" });
  await client.call("Tournament/GetTournament");
  assert.deepEqual(await client.call("Tournament/GetTournament", {}, { timeout }), {});
  assert.equal(counts.call, 3);
  const loop = client.watch("Equipment/WatchItems", {}, { times })[Symbol.asyncIterator]();
  assert.equal((await loop.next()).value.message.span.upto, "1");
  assert.equal((await loop.next()).value.message.span.upto, "3");
  await loop.return();
  server.close();
});
