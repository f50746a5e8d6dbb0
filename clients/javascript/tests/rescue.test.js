// What a device signs for others to deliver.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mostRescued, rescuePrefix, rescueText, rescueTexts } from "../src/index.js";
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

test("what does not fit into one text is cut between operations, in their order", () => {
  const [{ text, ...rescued }] = vectors.cases;
  const operation = { ...rescued.operations[0], device: rescued.device };
  const operations = Array.from({ length: 130 }, (_, index) => ({ ...operation, endIndex: index + 1,
    clientId: Buffer.alloc(16, index).toString("base64") }));
  const cardOperations = [{ clientId: Buffer.alloc(16, 200).toString("base64"), participantId: "5", endIndex: 1,
    arrows: [{ value: 9 }], device: rescued.device }];
  for (const most of [200, 820, 30_000]) {
    const { texts, tooLong } = rescueTexts({ ...rescued, operations, cardOperations }, most);
    assert.equal(tooLong, 0);
    assert.ok(texts.every((one) => one.startsWith(rescuePrefix) && one.length <= most));
    // Each is what rescueText makes of the operations that come next.
    let [from, rest] = [0, cardOperations];
    for (const one of texts) {
      const isLast = one === texts.at(-1);
      let count = isLast ? operations.length - from : 1;
      const made = () => rescueText({ ...rescued, operations: operations.slice(from, from + count),
        cardOperations: isLast ? rest : [] });
      while (!isLast && made() !== one && count < mostRescued) count += 1;
      assert.equal(made(), one);
      // The next operation would have been too much.
      if (!isLast && count < mostRescued) {
        count += 1;
        assert.ok(made().length > most || count > mostRescued);
        count -= 1;
      }
      from += count;
    }
    assert.equal(from, operations.length);
  }
  assert.deepEqual(rescueTexts({ ...rescued, operations: [] }, 820), { texts: [], tooLong: 0 });
});

test("an operation that no text can have is counted, and the others are delivered", () => {
  const [{ text, ...rescued }] = vectors.cases;
  const [operation] = rescued.operations;
  const long = { ...operation, reason: "x".repeat(900) };
  const { texts, tooLong } = rescueTexts({ ...rescued, operations: [operation, long, operation] }, 820);
  assert.equal(tooLong, 1);
  assert.deepEqual(texts, [rescueText({ ...rescued, operations: [operation, operation] })]);
});
