// Typed methods, against the methods that a server says it has.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { connect } from "../src/index.js";
import { methods } from "../src/services.js";
import { services } from "../src/stubs.js";
import { Running } from "./running.js";

let running;
let client;

before(async () => {
  running = await Running.start();
  client = connect(running.address, { token: running.token });
});
after(() => running.end());

test("each service has the server's methods that HTTP carries to a browser", async () => {
  const described = new Map((await client.call("Reflection/Describe")).methods.map((one) => [one.name, one.kind]));
  const listed = (kind) => Object.entries(methods).flatMap(([service, kinds]) =>
    (kinds[kind] ?? "").split(" ").filter((name) => name).map((name) => `quiver.v1.${service}/${name}`));
  const unary = [...described].filter(([, kind]) => kind === "METHOD_KIND_UNARY").map(([name]) => name);
  assert.deepEqual(listed("unary").sort(), unary.sort());
  for (const name of listed("watches")) assert.equal(described.get(name), "METHOD_KIND_SERVER_STREAMING", name);
});

test("a typed method calls, and a typed watch watches", async () => {
  const { equipment } = services(client);
  const { id } = await equipment.createRiser({ riser: { brand: "Hoyt", model: "M" } });
  assert.equal((await equipment.getRiser({ id })).brand, "Hoyt");
  for await (const { message } of equipment.watchItems()) {
    assert.deepEqual(message.changed.map((item) => item.id), [id]);
    break;
  }
});

test("the types refuse a Number for an int64, a wrong field and a wrong method of a service", () => {
  const folder = mkdtempSync(join(tmpdir(), "quiver-types"));
  const source = fileURLToPath(new URL("../src", import.meta.url));
  writeFileSync(join(folder, "wrong.js"), `
    import { connect } from "${source}/index.js";
    import { services } from "${source}/stubs.js";
    const client = connect("http://localhost");
    client.call("Tournament/GetTournament", { id: 5 });
    client.call("Tournament/GetTournament", { identity: "5" });
    services(client).tournament.getTournamens({});
    client.call("Tournament/GetTournament", { id: 5n }).then((event) => event.name?.length);
  `);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({
    extends: join(source, "../jsconfig.json"), files: [join(folder, "wrong.js")], include: [] }));
  try {
    execFileSync("tsc", ["--project", folder], { stdio: "pipe" });
    assert.fail("tsc found nothing");
  } catch (error) {
    const lines = String(error.stdout).split("\n").filter((line) => /^[^ ].*error TS/.test(line));
    assert.deepEqual(lines.map((line) => /wrong.js\((\d+),/.exec(line)?.[1]), ["5", "6", "7"], String(error.stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
