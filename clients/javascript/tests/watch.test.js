// Watches through a real gateway to a real server, over networks that break.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { connect, QuiverError } from "../src/index.js";
import { envelope } from "../src/envelopes.js";
import { Relay, Running } from "./running.js";

let running;
let relay;
let client;
// A busy machine must not look like a silent network.
const times = { answer: 30_000, quiet: 300, again: 100, firstWait: 20, longestWait: 200 };

before(async () => {
  running = await Running.start();
  relay = await Relay.start(running.port);
  client = connect(running.address, { token: running.token });
});
after(async () => {
  await relay.end();
  await running.end();
});

/** Makes a riser and returns its id. */
const make = async () => (await client.call("Equipment/CreateRiser",
  { riser: { brand: "B", model: "M" } })).id;

/** A watch over the relay, and a way to wait for each of its states. */
function follow(options = {}, address = relay.address) {
  const states = [];
  let changed = () => {};
  const watch = connect(address, { token: running.token }).watch("Equipment/WatchItems", {}, {
    times, ...options, onState: (state) => { states.push(state); changed(); },
  });
  const until = async (name) => {
    while (watch.state.name !== name) await new Promise((wake) => { changed = wake; });
  };
  return { watch, loop: watch[Symbol.asyncIterator](), states, until };
}

/** Reads until an item has come; returns the ids of all changes. */
async function readUntil(loop, id) {
  const ids = [];
  while (!ids.includes(id)) {
    const { value } = await loop.next();
    ids.push(...(value.message.changed ?? []).map((item) => item.id));
  }
  return ids;
}

test("a watch begins with a snapshot and goes on with changes", async () => {
  const first = await make();
  const { watch, loop, states } = follow();
  assert.equal(watch.state.name, "connecting");
  const { value } = await loop.next();
  assert.ok(value.startsSnapshot && !value.startsAnew);
  assert.ok(value.message.changed.some((item) => item.id === first));
  assert.equal(watch.position.upto, value.message.span.upto);
  const second = await make();
  const change = (await loop.next()).value;
  assert.ok(!change.startsSnapshot && !change.startsAnew);
  assert.deepEqual(change.message.changed.map((item) => item.id), [second]);
  assert.deepEqual(states, [{ name: "live", since: null }]);
  await loop.return();
  assert.equal((await loop.next()).done, true);
});

test("a watch is live when it is accepted, before any message", async () => {
  const one = follow();
  await one.loop.next();
  const { watch, loop, until } = follow({ position: one.watch.position });
  const next = loop.next();
  await until("live");
  assert.deepEqual(watch.position, one.watch.position);
  const id = await make();
  assert.deepEqual((await next).value.message.changed.map((item) => item.id), [id]);
  await one.loop.return();
  await loop.return();
});

test("changes come once each over cuts, and over restarts of server and gateway", async () => {
  const { loop, states, until } = follow();
  let last = await make();
  await readUntil(loop, last);
  const faults = [() => relay.cut(), () => relay.cut(),
    async () => { await running.gateway.kill(); await running.startGateway(); },
    async () => { await running.server.kill(); await running.startServer(); }];
  for (const fault of faults) {
    const wanted = [];
    const start = new Date();
    const next = loop.next();
    await fault();
    await until("lost");
    assert.ok(states.at(-1).since <= new Date() && start - states.at(-1).since < 60_000);
    for (let count = 0; count < 3; count += 1) wanted.push(await made());
    last = wanted.at(-1);
    const { value } = await next;
    assert.ok(!value.startsSnapshot && !value.startsAnew);
    const ids = (value.message.changed ?? []).map((item) => item.id);
    if (!ids.includes(last)) ids.push(...await readUntil(loop, last));
    assert.deepEqual(ids, wanted);
  }
  await loop.return();

  // The gateway may need a moment to see that the server is there again.
  async function made() {
    for (;;) {
      try {
        return await make();
      } catch (error) {
        if (error.code !== "UNAVAILABLE") throw error;
      }
    }
  }
});

test("a watch stays lost while the gateway has no server", async () => {
  const { watch, loop, states, until } = follow();
  await loop.next();
  const next = loop.next();
  await running.server.kill();
  await until("lost");
  relay.requests = 0;
  await new Promise((done) => { relay.onProbe = () => { if (relay.requests >= 4) done(); }; });
  relay.onProbe = () => {};
  await running.startServer();
  await until("live");
  assert.deepEqual(states.map((state) => state.name), ["live", "lost", "live"]);
  watch.close();
  assert.equal((await next).done, true);
});

test("a quiet watch stays live while its probes are answered", async () => {
  const { loop, states } = follow();
  await loop.next();
  const next = loop.next();
  let probes = 0;
  await new Promise((done) => { relay.onProbe = () => { probes += 1; if (probes === 3) done(); }; });
  relay.onProbe = () => {};
  const id = await make();
  assert.deepEqual((await next).value.message.changed.map((item) => item.id), [id]);
  assert.deepEqual(states.map((state) => state.name), ["live"]);
  await loop.return();
});

test("a network that says nothing is lost, and a watch is live soon after it speaks again", async () => {
  const { watch, loop, until, states } = follow({ times: { ...times, answer: 1500 } });
  await loop.next();
  const next = loop.next();
  relay.isSilent = true;
  await until("lost");
  const id = await make();
  relay.isSilent = false;
  await until("live");
  assert.deepEqual((await next).value.message.changed.map((item) => item.id), [id]);
  assert.deepEqual(states.map((state) => state.name), ["live", "lost", "live"]);
  assert.equal(watch.state.since, null);
  await loop.return();
});

test("a position of another store starts anew with a mark", async () => {
  const { watch, loop } = follow({ position: { upto: "5", storeEpoch: "1" } });
  const { value } = await loop.next();
  assert.ok(value.startsSnapshot && value.startsAnew);
  assert.notEqual(watch.position.storeEpoch, "1");
  const id = await make();
  const change = (await loop.next()).value;
  assert.ok(!change.startsSnapshot && !change.startsAnew);
  assert.equal(change.message.changed[0].id, id);
  await loop.return();
});

test("a snapshot that breaks off begins again", async () => {
  const part = (count, more) => envelope(JSON.stringify(
    { span: { upto: "7", storeEpoch: "9", snapshot: true, ...more }, count }));
  const asked = [];
  const server = createServer((request, response) => {
    if (request.method === "HEAD") return response.end();
    asked.push(request.headers["quiver-after-sequence"]);
    response.setHeader("content-type", "application/connect+json");
    response.write(part(1, { incomplete: true }));
    if (asked.length === 1) return setImmediate(() => response.end());
    return response.end(part(2));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { watch, loop } = follow({}, `http://127.0.0.1:${server.address().port}`);
  const marks = [];
  for (let count = 0; count < 3; count += 1) {
    const { value } = await loop.next();
    marks.push([value.message.count, value.startsSnapshot]);
  }
  await loop.return();
  server.close();
  server.closeAllConnections();
  assert.deepEqual(marks, [[1, true], [1, true], [2, false]]);
  assert.deepEqual(asked, [undefined, undefined]);
  assert.deepEqual(watch.position, { upto: "7", storeEpoch: "9" });
});

test("an error that remains ends the watch", async () => {
  const next = (watch) => watch[Symbol.asyncIterator]().next();
  const isCode = (code) => (error) => error instanceof QuiverError && error.code === code;
  await assert.rejects(next(client.watch("Tournament/WatchLeaderboard", { tournamentId: "99" })),
    isCode("NOT_FOUND"));
  await assert.rejects(next(client.watch("Equipment/WatchItems", {}, { token: "qv_wrong" })),
    isCode("UNAUTHENTICATED"));
  await assert.rejects(next(client.watch("Equipment/NoSuchMethod")), isCode("UNIMPLEMENTED"));
});

test("the signal, close and leaving the loop end a watch, also at the server", async () => {
  const open = async () => (await client.call("Diagnostics/Connections")).connections
    .reduce((sum, one) => sum + (one.openCalls ?? 0), 0);
  const until = async (count) => { while (await open() !== count); };
  await until(1);
  const control = new AbortController();
  const signalled = follow({ signal: control.signal });
  await signalled.loop.next();
  const closed = follow();
  await closed.loop.next();
  await until(3);
  const pending = [signalled.loop.next(), closed.loop.next()];
  control.abort("left");
  await assert.rejects(pending[0], (error) => error.code === "CANCELLED" && error.cause === "left");
  closed.watch.close();
  assert.equal((await pending[1]).done, true);
  for await (const update of follow().watch) {
    assert.ok(update.startsSnapshot);
    break;
  }
  await until(1);
  await assert.rejects(follow({ signal: control.signal }).loop.next(),
    (error) => error.code === "CANCELLED");
  await assert.rejects(closed.watch[Symbol.asyncIterator]().next(),
    (error) => error.code === "FAILED_PRECONDITION");
});
