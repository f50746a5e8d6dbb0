// Phones that score by the client for JavaScript over HTTP: what they do is read as JSON from the standard input.
//
// usage: node phones.mjs CLIENT
//
// CLIENT is the folder of the client. Each job is a phone: {code, card, device, match, arrows, ends, sides, call}. `arrows`
// are of first cards, `ends` of second ones, `sides` the ends of a match, with its shoot-off last.
import { randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";

const { connect, uuid7 } = await import(pathToFileURL(`${process.argv[2]}/index.js`).href);
let text = "";
for await (const part of process.stdin) text += part;
const { address, jobs } = JSON.parse(text);
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** Sends a batch, sometimes twice, as after a lost reply; each operation must be stored. */
async function send(client, method, operations, prefix, isTwice) {
  for (let time = 0; time < (isTwice ? 2 : 1); time++) {
    const { verdicts = [] } = await client.call(method, { operations });
    for (const one of verdicts) {
      if (![`${prefix}STORED`, `${prefix}SAME`].includes(one.verdict)) throw new Error(`${method}: ${JSON.stringify(one)}`);
    }
    if (verdicts.length !== operations.length) throw new Error(`${method}: ${verdicts.length} verdicts`);
  }
}

async function play(job) {
  const secret = randomBytes(32);
  const anonymous = connect(address);
  const request = { code: job.code, device: job.device, card: job.card ?? 1, deviceSecret: base64(secret) };
  let reply = await anonymous.call("Events/JoinTarget", request);
  if (reply.choices?.length) {
    const choice = reply.choices.find((one) => job.match ? one.matchId === job.match : Number(one.sessionId ?? 0));
    if (!choice) throw new Error(`nothing fits: ${JSON.stringify(reply.choices)}`);
    reply = await anonymous.call("Events/JoinTarget", { ...request, sessionId: choice.sessionId ?? "0", matchId: choice.matchId ?? "0" });
  }
  if (!reply.lease) throw new Error(`no lease: ${JSON.stringify(reply)}`);
  const client = connect(address, { token: `qd_${secret.toString("base64url")}` });
  const { device } = job;
  const scoredAtMs = String(Date.now());
  const batches = (list, most) => Array.from({ length: Math.ceil(list.length / most) }, (_, at) => list.slice(at * most, (at + 1) * most));
  for (const part of batches(job.arrows ?? [], 100)) {
    await send(client, "Tournament/ApplyOperations", part.map((one) => ({ clientId: base64(uuid7()), kind: "OPERATION_KIND_RECORD", device, scoredAtMs, ...one })),
      "VERDICT_", job.isTwice);
  }
  for (const part of batches(job.ends ?? [], 20)) {
    await send(client, "Events/ApplyCardOperations", part.map((one) => ({ clientId: base64(uuid7()), device, scoredAtMs, ...one })), "VERDICT_", job.isTwice);
  }
  if (job.match) {
    await send(client, "Elimination/ApplyMatchOperations", job.sides.flatMap((entries, side) => entries.map((entry) =>
      ({ clientId: base64(uuid7()), matchId: job.match, side: side + 1, entry, device, scoredAtMs }))).sort((one, other) =>
      Number(one.entry.shootOff ?? false) - Number(other.entry.shootOff ?? false) || one.entry.index - other.entry.index), "MATCH_VERDICT_", job.isTwice);
    for (const side of [1, 2]) {
      const { revision } = await client.call("Elimination/GetMatch", { matchId: job.match });
      await client.call("Elimination/ConfirmMatchCard", { matchId: job.match, side, revision });
    }
  }
  if (job.match) {
    // The next phone at the target scores the next match.
    await client.call("Events/LeaveTarget", { tournamentId: reply.tournamentId, sessionId: "0", target: reply.target, card: 1 });
  }
  if (job.call) {
    await client.call("Events/RaiseTargetCall", { tournamentId: reply.tournamentId, sessionId: reply.sessionId ?? "0", target: reply.target, ...job.call });
  }
}

const list = [...jobs];
await Promise.all(Array.from({ length: 4 }, async () => {
  for (let job = list.shift(); job; job = list.shift()) await play(job);
}));
console.log(`${jobs.length} phones`);
