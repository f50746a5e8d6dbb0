// What a device signs for others to deliver.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rescuePrefix, rescueText } from "../src/index.js";
import { hmacSHA256, sha256 } from "../src/sha256.js";

const vectors = JSON.parse(readFileSync(new URL("../../../Tests/Fixtures/session/rescue.json", import.meta.url), "utf8"));

test("hashes and codes are those of another implementation, for all lengths around a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 255);
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), createHash("sha256").update(bytes).digest("hex"));
    const key = bytes.subarray(length >> 1);
    assert.equal(Buffer.from(hmacSHA256(key, bytes)).toString("hex"),
      createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

test("a device shows the text that another implementation makes of the same operations", () => {
  assert.equal(vectors.cases.length, 3);
  for (const { name, text, ...rescued } of vectors.cases) {
    assert.equal(rescueText(rescued), text, name);
    assert.ok(text.startsWith(rescuePrefix));
  }
});

test("the device of the whole text is not repeated in its operations", () => {
  const [{ text, ...rescued }] = vectors.cases;
  const named = rescued.operations.map((operation) => ({ ...operation, device: rescued.device }));
  assert.equal(rescueText({ ...rescued, operations: named }), text);
});

test("an operation with a field that is not known is not signed without it", () => {
  const [{ text, ...rescued }] = vectors.cases;
  assert.throws(() => rescueText({ ...rescued, operations: [{ ...rescued.operations[0], colour: "red" }] }), RangeError);
});
