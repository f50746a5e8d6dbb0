// The example of the README, as a user would run it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Running } from "./running.js";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the example of the README prints what it says", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, example] = /```js\n(.*?)```/s.exec(readme);
  const printed = [...example.matchAll(/\/\/ prints (.*)/g)].map(([, line]) => line);
  assert.ok(printed.length > 0);
  const folder = mkdtempSync(join(tmpdir(), "quiver-readme"));
  const running = await Running.start();
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/quiver-rpc"));
    writeFileSync(join(folder, "example.mjs"), example);
    const done = await promisify(execFile)(process.execPath, [join(folder, "example.mjs")], {
      env: { ...process.env, QUIVER_GATEWAY: running.address, QUIVER_TOKEN: running.token },
    });
    assert.deepEqual(done.stdout.trimEnd().split("\n"), printed);
  } finally {
    await running.end();
    rmSync(folder, { recursive: true });
  }
});
