// The JavaScript client behind lines of JSON, as far as wrong_ports.py asks (docs/client-conformance.md).
import { createInterface } from "node:readline";
import { connect, QuiverError } from "../../clients/javascript/src/index.js";

/** By their numbers from 1. */
const codes = ["CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
  "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"];
const say = (event) => console.log(JSON.stringify(event));
let client;

/** Makes a call or opens a watch, and tells how it ends. */
async function run({ id, method, timeout_ms: timeout }) {
  try {
    if (method === "watch") {
      for await (const { message } of client.watch("Equipment/WatchItems")) say({ event: "span", id, ...message.span });
    } else {
      await client.call("Health/Check", {}, { timeout });
    }
    say({ event: "end", id, code: 0 });
  } catch (error) {
    if (!(error instanceof QuiverError)) throw error;
    say({ event: "end", id, code: codes.indexOf(error.code) + 1, text: error.message });
  }
}

say({ event: "ready" });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.op === "call") run(asked);
  if (asked.op !== "connect") continue;
  const isSecure = asked.server.startsWith("tls://");
  client = connect(isSecure ? asked.server.replace("tls", "https") : `http://${asked.server}`);
}
