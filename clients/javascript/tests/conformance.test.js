// The cases of quiver-conformance for clients, as far as HTTP carries them: a scripted gateway plays each.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectSocket, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connect, QuiverError, uuid7 } from "../src/index.js";
import { envelope } from "../src/envelopes.js";

/** What the gateway does for this client, or the browser does, or HTTP does not have; a letter: all others of it. */
const leftOut = new Map(Object.entries({
  "streams of requests, which browsers do not send": "C05 C07 K20",
  "HELLO, limits, drains and errors of connections, which the gateway answers":
    "C09 C11 C12 C13 D02 D03 D06 G01 G02 G04 G06 W08 X05 X06",
  "fields of replies that the gateway makes": "C02 C03 C10 K18 K21 K22 K23",
  "a deadline of a watch, which it does not have, and closing a client, which keeps nothing": "D04 D09",
  "the look-up of names and TLS, which are the browser's": "D10 T",
  "flow control and compression, which are HTTP's": "F U",
  "frames": "X01 X03 X07 X08 X09 V N",
  "PING; the probes of watches are tested in watch.test.js": "L",
}).flatMap(([reason, ids]) => ids.split(" ").map((id) => [id, reason])));

const tested = new Set();

/** A test of some cases. */
function cases(ids, text, body) {
  for (const id of ids.split(" ")) tested.add(id);
  test(`${ids}: ${text}`, body);
}

const codes = ["canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists",
  "permission_denied", "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented",
  "internal", "unavailable", "data_loss", "unauthenticated"];
const names = ["CANCELLED", ...codes.slice(1).map((code) => code.toUpperCase())];

/** Runs a test with a gateway that a function plays; `requests` are those that came. */
async function withGateway(play, body, options = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method === "HEAD") return response.end();
    const parts = [];
    request.on("error", () => {});
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    const isStream = request.headers["content-type"] === "application/connect+json";
    const one = { number: requests.length, path: request.url, headers: request.headers, request,
      body: JSON.parse((isStream ? bytes.subarray(5) : bytes).toString()) };
    requests.push(one);
    return play(one, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const client = connect(`http://127.0.0.1:${server.address().port}`, { token: "qv_test", ...options });
    await body(client, requests);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function reply(response, value) {
  response.setHeader("content-type", "application/json");
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}

function refuse(response, code, more = {}, fields = {}) {
  response.writeHead(code === "unauthenticated" ? 401 : 500, { "content-type": "application/json", ...fields });
  response.end(JSON.stringify({ code, message: "refused", ...more }));
}

function stream(response, messages, end) {
  response.setHeader("content-type", "application/connect+json");
  for (const message of messages) response.write(envelope(JSON.stringify(message)));
  if (end) {
    const last = envelope(JSON.stringify(end));
    last[0] = 2;
    response.end(last);
  }
}

const failed = async (call) => {
  const error = await call.then(() => null, (error) => error);
  assert.ok(error instanceof QuiverError, `it ended with ${error}`);
  return error;
};
const span = (upto, more) => ({ span: { upto, storeEpoch: "7", ...more } });
const times = { patience: 2000, refusal: 5, quiet: 2000, answer: 1000, again: 20, firstWait: 1, longestWait: 5 };

cases("C01 C04 R01 R02", "a call carries its method, timeout, message and key, and an empty reply is one", async () => {
  await withGateway((_, response) => reply(response, {}), async (client, requests) => {
    const key = uuid7();
    for (const options of [{}, {}, { key }]) {
      assert.deepEqual(await client.call("Tournament/GetTournament", { id: 5n }, { timeout: 4000, ...options }), {});
    }
    for (const one of requests) {
      assert.equal(one.path, "/quiver.v1.Tournament/GetTournament");
      assert.deepEqual(one.body, { id: "5" });
      assert.equal(one.headers.authorization, "Bearer qv_test");
      const left = Number(one.headers["connect-timeout-ms"]);
      assert.ok(left > 0 && left <= 4000);
    }
    const keys = requests.map((one) => one.headers["idempotency-key"].replaceAll("-", ""));
    assert.ok(keys.every((one) => /^[0-9a-f]{32}$/.test(one)));
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], Buffer.from(key).toString("hex"));
  });
});

cases("C06 K19 Q03", "messages of a stream come in order before its error or its cut", async () => {
  const end = { error: { code: "permission_denied", message: "ended" } };
  await withGateway((_, response) => stream(response, [span("1"), span("2"), span("3")], end), async (client) => {
    const found = [];
    await assert.rejects(async () => {
      for await (const { message } of client.watch("Equipment/WatchItems", {}, { times })) found.push(message.span.upto);
    }, (error) => error.code === "PERMISSION_DENIED");
    assert.deepEqual(found, ["1", "2", "3"]);
  });
});

cases("C08", "replies come in any order", async () => {
  const waiting = [];
  await withGateway(({ body }, response) => {
    waiting.push(() => reply(response, { id: body.id }));
    if (waiting.length === 3) waiting.reverse().forEach((answer) => answer());
  }, async (client) => {
    const found = await Promise.all(["1", "2", "3"].map((id) => client.call("Tournament/GetTournament", { id })));
    assert.deepEqual(found.map((one) => one.id), ["1", "2", "3"]);
  });
});

cases(Array.from({ length: 16 }, (_, index) => `K${String(index + 1).padStart(2, "0")}`).join(" "),
  "a call ends with each code, with its message and details", async () => {
    for (const [index, code] of codes.entries()) {
      const details = [{ type: "quiver.v1.EchoMessage", value: "EgFh" }];
      await withGateway((_, response) => refuse(response, code, { details }, { "grpc-retry-pushback-ms": "-1" }),
        async (client, requests) => {
          const error = await failed(client.call("Tournament/GetTournament"));
          assert.equal(error.code, names[index]);
          assert.equal(error.message, "refused");
          assert.deepEqual(error.details, [{ type: details[0].type, value: new Uint8Array([18, 1, 97]) }]);
          assert.equal(requests.length, 1);
        });
    }
  });

cases("K17 K24 G05 X02 X11 X10", "what cannot be read ends the call alone, and unknown fields are passed on", async () => {
  const answers = [
    [(response) => refuse(response, "of_a_newer_server"), "UNKNOWN"],
    [(response) => reply(response, "{\"id\":"), "INTERNAL"],
    [(response) => reply(response, "[".repeat(100_000)), "INTERNAL"],
    [(response) => { response.setHeader("content-type", "text/html"); response.end("<h1>Wi-Fi</h1>"); }, "UNAVAILABLE"],
  ];
  for (let count = 0; count < 20; count += 1) {
    const bytes = Buffer.from(uuid7()).subarray(8);
    answers.push([(response) => { response.setHeader("content-type", "application/json"); response.end(bytes); },
      "INTERNAL"]);
  }
  for (const [answer, code] of answers) {
    await withGateway(({ number }, response) => number === 0 || code === "UNAVAILABLE" ? answer(response)
      : reply(response, { id: "1", ofANewerServer: [1] }), async (client) => {
      const error = await failed(client.call("Tournament/GetTournament", {}, { timeout: 10_000 }));
      assert.ok(error.code === code, `${error.code} instead of ${code}`);
      if (code === "UNAVAILABLE") return;
      assert.deepEqual(await client.call("Tournament/GetTournament"), { id: "1", ofANewerServer: [1] });
    });
  }
});

cases("D01 D05 X04", "a call ends at its deadline or when it is cancelled, and its connection with it", async () => {
  for (const begin of [false, true]) {
    let closed;
    await withGateway(({ request }, response) => {
      closed = once(request.socket, "close");
      if (begin) response.writeHead(200, { "content-type": "application/json" }).write("{\"id\":");
    }, async (client) => {
      assert.equal((await failed(client.call("Tournament/GetTournament", {}, { timeout: 100 }))).code,
        "DEADLINE_EXCEEDED");
      await closed;
      const control = new AbortController();
      const call = failed(client.call("Tournament/GetTournament", {}, { signal: control.signal }));
      setTimeout(() => control.abort(), 50);
      assert.equal((await call).code, "CANCELLED");
      await closed;
    });
  }
});

cases("D07", "leaving a watch ends it at the gateway", async () => {
  let closed;
  await withGateway(({ request }, response) => {
    closed = once(request.socket, "close");
    stream(response, [span("1", { snapshot: true })]);
  }, async (client) => {
    for await (const { startsSnapshot } of client.watch("Equipment/WatchItems", {}, { times })) {
      assert.ok(startsSnapshot);
      break;
    }
    await closed;
  });
});

cases("D08 G07 Q05", "calls whose connections are closed end UNAVAILABLE, without a storm", async () => {
  let count = 0;
  const server = createSocketServer((socket) => { count += 1; socket.destroy(); });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${server.address().port}`, { token: "qv_test" });
  const errors = await Promise.all(Array.from({ length: 4 }, () => failed(client.call("Tournament/GetTournament"))));
  assert.deepEqual(errors.map((error) => [error.code, error.notProcessed]), Array(4).fill(["UNAVAILABLE", false]));
  // The budget of the client has 5 retries.
  assert.ok(count <= 4 + 5, String(count));
  server.close();
});

cases("F08 U05", "a message that is too large or compressed ends its watch alone", async () => {
  for (const [head, code] of [[[0, 255, 0, 0, 0], "RESOURCE_EXHAUSTED"], [[1, 0, 0, 0, 2, 123, 125], "INTERNAL"]]) {
    await withGateway((_, response) => {
      response.setHeader("content-type", "application/connect+json");
      response.write(Buffer.from(head));
    }, async (client) => {
      await assert.rejects(client.watch("Equipment/WatchItems", {}, { times })[Symbol.asyncIterator]().next(),
        (error) => error.code === code);
    });
  }
});

cases("R03 R04 R13", "a call whose fate is unknown is sent again with its key until the gateway is back", async () => {
  await withGateway(({ number }, response) => number < 2 ? response.destroy() : reply(response, { id: "1" }),
    async (client, requests) => {
      assert.deepEqual(await client.call("Tournament/AddGuest"), { id: "1" });
      assert.equal(requests.length, 3);
      assert.equal(new Set(requests.map((one) => one.headers["idempotency-key"])).size, 1);
    });
});

cases("R05 R07 R10 G03", "what may not be retried is not", async () => {
  for (const [code, fields] of [["resource_exhausted", {}], ["unavailable", { "grpc-retry-pushback-ms": "-1" }],
    ["aborted", {}], ["internal", {}], ["unauthenticated", {}]]) {
    await withGateway((_, response) => refuse(response, code, {}, fields), async (client, requests) => {
      await failed(client.call("Tournament/AddGuest"));
      assert.equal(requests.length, 1, code);
    });
  }
});

cases("R06 R08 R11", "a push-back allows a retry, attempts have a limit, and none goes past the deadline", async () => {
  const push = { "grpc-retry-pushback-ms": "30", "quiver-not-processed": "1" };
  await withGateway((_, response) => refuse(response, "resource_exhausted", {}, push), async (client, requests) => {
    assert.equal((await failed(client.call("Tournament/AddGuest"))).notProcessed, true);
    assert.equal(requests.length, 4);
  });
  const long = { "grpc-retry-pushback-ms": "60000" };
  await withGateway((_, response) => refuse(response, "unavailable", {}, long), async (client, requests) => {
    assert.equal((await failed(client.call("Tournament/AddGuest", {}, { timeout: 5000 }))).code, "UNAVAILABLE");
    assert.equal(requests.length, 1);
  });
});

cases("R09", "a budget limits the retries of all calls", async () => {
  const push = { "grpc-retry-pushback-ms": "1" };
  await withGateway((_, response) => refuse(response, "unavailable", {}, push), async (client, requests) => {
    for (let count = 0; count < 10; count += 1) await failed(client.call("Tournament/AddGuest"));
    assert.ok(requests.length > 10 && requests.length <= 15, String(requests.length));
  });
});

cases("Q01 Q02 R12", "a keyed call has one effect, wherever its reply is cut", async () => {
  const kept = new Map();
  let effects = 0;
  await withGateway(({ headers }, response) => {
    const key = headers["idempotency-key"];
    if (!kept.has(key)) kept.set(key, { id: String(effects += 1) });
    reply(response, kept.get(key));
  }, async (client) => {
    const target = Number(new URL(client.address).port);
    const cutting = { left: Infinity };
    const relay = createSocketServer((inner) => {
      const outer = connectSocket(target, "127.0.0.1");
      for (const socket of [inner, outer]) socket.on("error", () => {});
      inner.on("data", (bytes) => outer.write(bytes)).on("close", () => outer.destroy());
      outer.on("close", () => inner.destroy()).on("data", (bytes) => {
        if (bytes.length < cutting.left) {
          cutting.left -= bytes.length;
          inner.write(bytes);
        } else {
          inner.end(bytes.subarray(0, cutting.left));
          cutting.left = Infinity;
          outer.destroy();
        }
      });
    });
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    const address = `http://127.0.0.1:${relay.address().port}`;
    let count = 0;
    for (;;) {
      cutting.left = count;
      // A client of its own: its retries are not limited by those before.
      const { id } = await connect(address, { token: "qv_test" }).call("Tournament/AddGuest");
      count += 1;
      assert.equal(id, String(count));
      if (cutting.left !== Infinity) break;
    }
    assert.ok(count > 100);
    assert.equal(effects, count);
    relay.close();
  });
});

cases("W01 W02 W03 W05", "a watch resumes after its last complete message", async () => {
  await withGateway(({ number }, response) => {
    if (number === 0) return stream(response, [span("3", { snapshot: true, incomplete: true })], {});
    if (number === 1) return stream(response, [span("4", { snapshot: true }), span("6")], {});
    if (number === 2) return stream(response, [span("8")], { error: { code: "unavailable" } });
    return stream(response, [span("9")]);
  }, async (client, requests) => {
    const found = [];
    for await (const { message, startsSnapshot } of client.watch("Equipment/WatchItems", {}, { times })) {
      found.push([message.span.upto, startsSnapshot]);
      if (message.span.upto === "9") break;
    }
    assert.deepEqual(found, [["3", true], ["4", true], ["6", false], ["8", false], ["9", false]]);
    const positions = requests.map(({ headers }) => [headers["quiver-after-sequence"], headers["quiver-store-epoch"]]);
    assert.deepEqual(positions, [[undefined, undefined], [undefined, undefined], ["6", "7"], ["8", "7"]]);
  });
});

cases("W04 W07", "OUT_OF_RANGE and another epoch bring a new snapshot, with a mark", async () => {
  await withGateway(({ number }, response) => {
    if (number === 0) return stream(response, [span("4", { snapshot: true })], {});
    if (number === 1) return stream(response, [], { error: { code: "out_of_range" } });
    return stream(response, [{ span: { upto: "2", storeEpoch: "8", snapshot: true } }]);
  }, async (client, requests) => {
    const watch = client.watch("Equipment/WatchItems", {}, { times });
    const found = [];
    for await (const { startsSnapshot, startsAnew } of watch) {
      found.push([startsSnapshot, startsAnew]);
      if (found.length === 2) break;
    }
    assert.deepEqual(found, [[true, false], [true, true]]);
    assert.deepEqual(watch.position, { upto: "2", storeEpoch: "8" });
    assert.equal(requests[2].headers["quiver-after-sequence"], undefined);
  });
});

cases("W06", "a watch whose permission ends is over", async () => {
  await withGateway((_, response) => stream(response, [span("1")], { error: { code: "permission_denied" } }),
    async (client, requests) => {
      const loop = client.watch("Equipment/WatchItems", {}, { times })[Symbol.asyncIterator]();
      await loop.next();
      await assert.rejects(loop.next(), (error) => error.code === "PERMISSION_DENIED");
      assert.equal(requests.length, 1);
    });
});

cases("Q04", "a watch resumes behind a cut at each byte of its messages", async () => {
  const all = Buffer.concat(["1", "2", "3"].map((upto) => envelope(JSON.stringify(span(upto)))));
  for (let cut = 0; cut < all.length; cut += 1) {
    await withGateway(({ number, headers }, response) => {
      response.setHeader("content-type", "application/connect+json");
      if (number === 0) return response.write(all.subarray(0, cut), () => response.destroy());
      const after = Number(headers["quiver-after-sequence"] ?? "0");
      return stream(response, ["1", "2", "3"].filter((upto) => upto > after).map((upto) => span(upto)));
    }, async (client) => {
      const found = [];
      for await (const { message } of client.watch("Equipment/WatchItems", {}, { times })) {
        found.push(message.span.upto);
        if (found.at(-1) === "3") break;
      }
      assert.deepEqual(found, ["1", "2", "3"], `cut at ${cut}`);
    });
  }
});

test("each case of quiver-conformance is tested, or left out for a reason", () => {
  const program = join(process.env.QUIVER_PROGRAMS, "quiver-conformance");
  assert.ok(existsSync(program));
  const vectors = fileURLToPath(new URL("../../../Protos/vectors", import.meta.url));
  const listed = execFileSync(program, ["--client", "none", "--list", "--vectors", vectors], { encoding: "utf8" })
    .trim().split("\n").map((line) => line.split(" ")[0]);
  for (const id of listed) {
    const isLeftOut = leftOut.has(id) || (!tested.has(id) && leftOut.has(id[0]));
    assert.notEqual(tested.has(id), isLeftOut, `${id} must be tested or left out`);
  }
  for (const id of [...tested, ...leftOut.keys()]) assert.ok(listed.some((one) => one.startsWith(id)), id);
});
