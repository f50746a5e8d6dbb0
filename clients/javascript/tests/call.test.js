// Calls through a real gateway to a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, QuiverError, uuid7 } from "../src/index.js";
import { Relay, Running } from "./running.js";

let running;
let relay;
let client;

before(async () => {
  running = await Running.start();
  relay = await Relay.start(running.port);
  client = connect(running.address, { token: running.token });
});
after(async () => {
  await relay.end();
  await running.end();
});

const failed = async (call) => {
  const outcome = await call.then(() => null, (error) => error);
  assert.ok(outcome instanceof QuiverError, `it ended with ${outcome}`);
  return outcome;
};
const riser = (brand) => ({ riser: { brand, model: "Formula XD", clientId: uuid7() } });
const brands = async () => (await client.call("Equipment/ListItems", { pageSize: 500 })).items
  .map((item) => item.displayBrand);
const openCalls = async () => (await client.call("Diagnostics/Connections")).connections
  .reduce((sum, one) => sum + (one.openCalls ?? 0), 0);
const until = async (holds) => { while (!await holds()); };

test("a call returns its reply, in which an int64 is a text", async () => {
  const made = await client.call("Equipment/CreateRiser", riser("Hoyt"));
  assert.equal(typeof made.id, "string");
  const read = await client.call("quiver.v1.Equipment/GetRiser", { id: BigInt(made.id) });
  assert.deepEqual(read, made);
  const echo = await client.call("Diagnostics/Echo", { number: 18446744073709551615n });
  assert.equal(echo.number, "18446744073709551615");
});

test("a failure has code, message, details and fate", async () => {
  const detail = { type: "quiver.v1.EchoMessage", value: new Uint8Array([18, 1, 97]) };
  const error = await failed(client.call("Diagnostics/Fail", { code: 9, message: "shut",
    notProcessed: true, details: [detail] }));
  assert.equal(error.code, "FAILED_PRECONDITION");
  assert.equal(error.message, "shut");
  assert.deepEqual(error.details, [detail]);
  assert.equal(error.notProcessed, true);
  const unknown = await failed(client.call("Equipment/NoSuchMethod"));
  assert.equal(unknown.code, "UNIMPLEMENTED");
  const wrong = await failed(client.call("Equipment/ListItems", {}, { token: "qv_wrong" }));
  assert.equal(wrong.code, "UNAUTHENTICATED");
  const none = await failed(client.call("Equipment/ListItems", {}, { token: null }));
  assert.equal(none.code, "UNAUTHENTICATED");
});

test("a change whose answer is lost is repeated and has one effect", async () => {
  const lossy = connect(relay.address, { token: running.token });
  relay.requests = 0;
  relay.lostReplies = 2;
  const request = { riser: { brand: "Once", model: "M" } };
  const made = await lossy.call("Equipment/CreateRiser", request);
  assert.equal(relay.requests, 3);
  assert.equal((await client.call("Equipment/GetRiser", { id: made.id })).brand, "Once");
  assert.equal((await brands()).filter((brand) => brand === "Once").length, 1);
});

test("a call without a token whose answer is lost is not repeated", async () => {
  relay.requests = 0;
  relay.lostReplies = 1;
  const error = await failed(connect(relay.address).call("Health/Check"));
  assert.equal(error.code, "UNAVAILABLE");
  assert.equal(error.notProcessed, false);
  assert.equal(relay.requests, 1);
});

test("a call that fails for a time is sent four times, and a forbidden repeat is not made", async () => {
  const lossy = connect(relay.address, { token: running.token });
  for (const [fail, requests] of [[{ code: 8, retryAfterMs: 1 }, 4], [{ code: 8 }, 1],
    [{ code: 14, retryAfterMs: -1 }, 1], [{ code: 10 }, 1]]) {
    relay.requests = 0;
    await failed(lossy.call("Diagnostics/Fail", fail));
    assert.equal(relay.requests, requests, JSON.stringify(fail));
  }
});

test("one key has one effect over several calls", async () => {
  const options = { key: uuid7() };
  const request = { riser: { brand: "Keyed", model: "M" } };
  const made = await client.call("Equipment/CreateRiser", request, options);
  assert.deepEqual(await client.call("Equipment/CreateRiser", request, options), made);
  const other = await failed(client.call("Equipment/CreateRiser", riser("Other"), options));
  assert.equal(other.code, "ALREADY_EXISTS");
  assert.equal((await brands()).filter((brand) => brand === "Keyed").length, 1);
});

test("the deadline goes to the server and ends the call", async () => {
  const reply = await client.call("Diagnostics/Delay", { delayMs: 0 }, { timeout: 600_000 });
  // More than the gateway gives to calls without a deadline.
  assert.ok(reply.timeLeftMs > 60_000, String(reply.timeLeftMs));
  const error = await failed(client.call("Diagnostics/Delay", { delayMs: 600_000 },
    { timeout: 100 }));
  assert.equal(error.code, "DEADLINE_EXCEEDED");
});

test("the signal cancels the call, also at the server", async () => {
  const control = new AbortController();
  const before = await openCalls();
  const call = failed(client.call("Diagnostics/Delay", { delayMs: 600_000 },
    { timeout: 600_000, signal: control.signal }));
  await until(async () => await openCalls() > before);
  control.abort("left the page");
  const error = await call;
  assert.equal(error.code, "CANCELLED");
  assert.equal(error.cause, "left the page");
  await until(async () => await openCalls() <= before);
  const late = await failed(client.call("Diagnostics/Echo", {}, { signal: control.signal }));
  assert.equal(late.code, "CANCELLED");
});

test("a gateway that is not there is UNAVAILABLE without an effect", async () => {
  const gone = await Relay.start(running.port);
  await gone.end();
  const error = await failed(connect(gone.address, { token: running.token })
    .call("Equipment/CreateRiser", riser("Nowhere")));
  assert.equal(error.code, "UNAVAILABLE");
  assert.equal(error.notProcessed, true);
  assert.ok(!(await brands()).includes("Nowhere"));
});

test("an answer that is not a gateway's is UNAVAILABLE", async () => {
  const { createServer } = await import("node:http");
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<h1>Welcome to the Wi-Fi of the hall</h1>");
  });
  await new Promise((done) => { server.listen(0, "127.0.0.1", () => done()); });
  const portal = connect(`http://127.0.0.1:${server.address().port}`);
  const error = await failed(portal.call("Health/Check"));
  server.close();
  server.closeAllConnections();
  assert.equal(error.code, "UNAVAILABLE");
});

test("calls and watches name the user whose data they read", async () => {
  const refused = await failed(client.call("Equipment/GetHub", {}, { user: "99" }));
  assert.equal(refused.code, "PERMISSION_DENIED");
  assert.match(refused.message, /^quiver-user: /);
  const ofAnother = connect(running.address, { token: running.token, user: 99n });
  assert.equal((await failed(ofAnother.call("Equipment/GetHub"))).code, "PERMISSION_DENIED");
  assert.ok(await ofAnother.call("Equipment/GetHub", {}, { user: null }));
  const watch = ofAnother.watch("Equipment/WatchHub", {});
  assert.equal((await failed(watch[Symbol.asyncIterator]().next())).code, "PERMISSION_DENIED");
  const wrong = await failed(client.call("Equipment/GetHub", {}, { user: "Robin" }));
  assert.equal(wrong.code, "INVALID_ARGUMENT");
});

test("calls state the epoch of a client unless they give one", async () => {
  const { storeEpoch } = await client.call("Account/WhoAmI");
  const ofAnother = connect(running.address, { token: running.token, storeEpoch: String(BigInt(storeEpoch) ^ 1n) });
  const riser = { riser: { brand: "Hoyt", model: "Epoch" } };
  const made = await ofAnother.call("Equipment/CreateRiser", riser);
  const remove = { id: made.id };
  assert.equal((await failed(ofAnother.call("Equipment/DeleteRiser", remove))).code, "ABORTED");
  assert.equal((await failed(client.call("Equipment/DeleteRiser", remove, { storeEpoch: ofAnother.storeEpoch }))).code, "ABORTED");
  ofAnother.storeEpoch = storeEpoch;
  await ofAnother.call("Equipment/ArchiveRiser", remove);
  ofAnother.storeEpoch = "1";
  await ofAnother.call("Equipment/DeleteRiser", remove, { storeEpoch: "" });
});
