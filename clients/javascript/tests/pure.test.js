// What needs no server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, QuiverError, uuid7, uuidText } from "../src/index.js";
import { Envelopes, envelope, maxEnvelopeBytes } from "../src/envelopes.js";
import { errorOf, errorOfResponse } from "../src/errors.js";
import { encode } from "../src/json.js";
import { Retries, RetryBudget } from "../src/retries.js";

const text = (bytes) => new TextEncoder().encode(bytes);
const isCode = (code) => (error) => error instanceof QuiverError && error.code === code;

test("UUIDs have version 7 and grow, also when the clock is set back", () => {
  const start = Date.now() + 1000;
  const times = [start, start, start - 172_800_000, start + 5, start + 4];
  const made = times.flatMap((now) => Array.from({ length: 500 }, () => uuidText(uuid7(now))));
  for (const one of made) {
    assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  assert.deepEqual(made, [...made].sort());
  assert.equal(new Set(made).size, made.length);
  assert.equal(parseInt(made[0].replaceAll("-", "").slice(0, 12), 16), start);
});

test("a request carries int64 as text and bytes as base64, and no inexact number", () => {
  assert.equal(encode({ id: 9223372036854775807n, clientId: new Uint8Array([255, 0]), n: 1.5 }),
    '{"id":"9223372036854775807","clientId":"/wA=","n":1.5}');
  assert.equal(JSON.parse(encode({ payload: new Uint8Array(100_000) })).payload.length, 133_336);
  for (const number of [2 ** 53, NaN, Infinity]) {
    assert.throws(() => encode({ id: number }), (error) =>
      error.code === "INVALID_ARGUMENT" && error.notProcessed && error.message.startsWith("id:"));
  }
});

test("an envelope is read however its bytes arrive", () => {
  const bytes = Buffer.concat([envelope('{"a":"ä"}'), envelope("{}"), Buffer.from([2, 0, 0, 0, 2]),
    text("{}")]);
  const wanted = [{ isEnd: false, value: { a: "ä" } }, { isEnd: false, value: {} },
    { isEnd: true, value: {} }];
  for (let size = 1; size <= bytes.length; size += 1) {
    const envelopes = new Envelopes();
    const found = [];
    for (let start = 0; start < bytes.length; start += size) {
      found.push(...envelopes.add(new Uint8Array(bytes.subarray(start, start + size))));
    }
    assert.deepEqual(found, wanted, `in parts of ${size} bytes`);
  }
});

test("a malformed envelope is an error", () => {
  const add = (...bytes) => () => new Envelopes().add(new Uint8Array(bytes));
  assert.throws(add(0, 0, 0, 0, 1, 123), isCode("INTERNAL"));
  assert.throws(add(0, 0, 0, 0, 1, 49), isCode("INTERNAL"));
  assert.throws(add(0, 0, 0, 0, 1, 255), isCode("INTERNAL"));
  assert.throws(add(1, 0, 0, 0, 2, 123, 125), isCode("INTERNAL"));
  const large = new Uint8Array(5);
  new DataView(large.buffer).setUint32(1, maxEnvelopeBytes + 1);
  assert.throws(() => new Envelopes().add(large), isCode("RESOURCE_EXHAUSTED"));
});

test("errors have what the gateway states", () => {
  const fields = { "grpc-retry-pushback-ms": "-1", "quiver-not-processed": "1" };
  const value = { code: "canceled", message: "m",
    details: [{ type: "quiver.v1.EchoMessage", value: "EgFh" }, { type: "x" }] };
  const error = errorOf(value, (name) => fields[name] ?? null);
  assert.equal(error.code, "CANCELLED");
  assert.equal(error.message, "m");
  assert.deepEqual(error.details,
    [{ type: "quiver.v1.EchoMessage", value: new Uint8Array([18, 1, 97]) }]);
  assert.equal(error.notProcessed, true);
  assert.equal(error.retryAfterMilliseconds, -1);
  assert.equal(errorOf({ code: "of_a_newer_server" }, () => null).code, "UNKNOWN");
  assert.equal(errorOf({ code: "unavailable" }, () => null).retryAfterMilliseconds, null);
});

test("responses that are not Connect's get the code of their status", () => {
  const of = (status, type, body) =>
    errorOfResponse(new Response(body, { status, headers: { "content-type": type } }), body);
  assert.equal(of(502, "text/html", "<h1>Bad Gateway</h1>").code, "UNAVAILABLE");
  assert.equal(of(502, "text/html", "<h1>Bad Gateway</h1>").message, "HTTP 502");
  const misdirected = of(421, "text/plain; charset=utf-8", "this name is not served\n");
  assert.equal(misdirected.message, "this name is not served");
  assert.equal(of(500, "application/json", "null").code, "UNKNOWN");
  assert.equal(of(401, "application/json", "{").code, "UNAUTHENTICATED");
});

const failure = (code, more) => new QuiverError(code, "", more);
const waits = (errors, { isRepeatable = true, left = 60_000, budget = new RetryBudget() } = {}) => {
  const retries = new Retries(budget, isRepeatable, () => 0.5);
  return errors.map((error) => retries.after(error, left));
};

test("a call is sent four times, after waits that double", () => {
  const lost = failure("UNAVAILABLE");
  assert.deepEqual(waits([lost, lost, lost, lost]), [100, 200, 400, null]);
  const random = [0, 1].map((number) =>
    new Retries(new RetryBudget(), true, () => number).after(lost, 60_000));
  assert.deepEqual(random, [80, 120]);
});

test("the server's time replaces the wait, and the next wait is the first again", () => {
  const lost = failure("UNAVAILABLE");
  const told = failure("RESOURCE_EXHAUSTED", { retryAfterMilliseconds: 700 });
  assert.deepEqual(waits([lost, told, lost]), [100, 700, 100]);
  const never = failure("UNAVAILABLE", { retryAfterMilliseconds: -1, notProcessed: true });
  assert.deepEqual(waits([never]), [null]);
});

test("other failures, and waits beyond the deadline, end a call", () => {
  for (const code of ["RESOURCE_EXHAUSTED", "ABORTED", "INTERNAL", "DEADLINE_EXCEEDED", "UNKNOWN"]) {
    assert.deepEqual(waits([failure(code)]), [null], code);
  }
  assert.deepEqual(waits([failure("UNAVAILABLE")], { left: 100 }), [null]);
});

test("a call without a key is repeated only if it had no effect", () => {
  const isRepeatable = false;
  assert.deepEqual(waits([failure("UNAVAILABLE")], { isRepeatable }), [null]);
  assert.deepEqual(waits([failure("UNAVAILABLE", { notProcessed: true })], { isRepeatable }), [100]);
});

test("the budget ends retries while a server fails, and grows by answers", () => {
  const budget = new RetryBudget();
  const lost = failure("UNAVAILABLE");
  assert.deepEqual(waits([lost, lost, lost], { budget }), [100, 200, 400]);
  assert.deepEqual(waits([lost, lost], { budget }), [100, null]);
  for (let count = 0; count < 20; count += 1) budget.answered();
  assert.deepEqual(waits([lost], { budget }), [100]);
});

test("a token goes in plain text to this machine only, except those of devices and spectators", () => {
  const allowed = (address, token, options) => {
    try {
      connect(address, { token, ...options }).watch("Equipment/WatchItems");
      return true;
    } catch (error) {
      assert.equal(error.code, "UNAUTHENTICATED");
      assert.ok(error.notProcessed && !error.message.includes("secret"));
      return false;
    }
  };
  for (const address of ["http://127.0.0.1:1", "http://localhost", "http://[::1]:1",
    "https://quiver.example", "HTTPS://quiver.example/"]) {
    assert.ok(allowed(address, "qv_secret"), address);
  }
  for (const address of ["http://192.168.1.2", "http://localhost.example", "http://127.example",
    "http://quiver.example:443", "http://[::ffff:10.0.0.1]"]) {
    assert.ok(!allowed(address, "qv_secret"), address);
    assert.ok(!allowed(address, "qx_secret"), address);
    assert.ok(allowed(address, "qd_secret") && allowed(address, "qs_secret"), address);
    assert.ok(allowed(address, "qv_secret", { allowPlaintext: true }), address);
  }
});

test("wrong arguments are refused before anything is sent", async () => {
  const client = connect("http://127.0.0.1:1");
  for (const [method, options] of [["Echo", {}], ["../a/b", {}], ["A/B?c", {}],
    ["Diagnostics/Echo", { timeout: 0 }], ["Diagnostics/Echo", { timeout: Infinity }],
    ["Diagnostics/Echo", { key: "short" }], ["Diagnostics/Echo", { key: new Uint8Array(15) }],
    ["Diagnostics/Echo", { token: "a\nb" }]]) {
    await assert.rejects(client.call(method, {}, options), isCode("INVALID_ARGUMENT"), method);
  }
  for (const address of ["", "quiver.example", "ftp://a", "http://", "http://a/path", "http://u@a"]) {
    assert.throws(() => connect(address), isCode("INVALID_ARGUMENT"), address);
  }
  assert.throws(() => client.watch("Equipment/WatchItems", {}, { position: { upto: "x" } }),
    isCode("INVALID_ARGUMENT"));
});
