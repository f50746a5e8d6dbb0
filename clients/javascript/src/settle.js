import { isSameArrow, arrowOf } from "./faces.js";
import { needsPerson, stateAfter, waitAfter } from "./entries.js";
import { statusName } from "./errors.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./store.js").Transaction} Transaction */

/**
 * Applies the server's verdicts to entries that were sent.
 * @param {Transaction} transaction
 * @param {readonly Entry[]} batch
 * @param {readonly any[]} verdicts one for each
 * @param {number} now milliseconds since 1970
 */
export async function settle(transaction, batch, verdicts, now) {
  let isAnyStored = false;
  for (const [index, { sequence }] of batch.entries()) {
    const verdict = verdicts[index];
    // The page may have discarded it meanwhile.
    const entry = await transaction.entry(sequence);
    if (!entry || entry.state === "stored") continue;
    const state = stateAfter(verdict.verdict);
    if (state !== "waiting") await takeStanding(transaction, entry, verdict, state);
    entry.state = state;
    entry.changedAt = now;
    entry.code = state === "stored" ? "" : statusName(verdict.code ?? 0);
    entry.message = state === "stored" ? "" : verdict.message ?? "";
    if (state === "stored") {
      isAnyStored = true;
      entry.storeEpoch = await epochOf(transaction);
    }
    if (state === "waiting") defer(entry, now);
    await transaction.putEntry(entry);
  }
  if (isAnyStored) await release(transaction);
}

/**
 * The epoch of the store that this device has seen last; empty: none.
 * @param {Transaction} transaction
 * @returns {Promise<string>}
 */
export const epochOf = async (transaction) => await transaction.meta("storeEpoch") ?? "";

/**
 * Removes a call that the server has done, and gives the revision of its reply, or what they name, to the calls after it.
 * @param {Transaction} transaction
 * @param {Entry} sent
 * @param {any} reply
 */
export async function settleCall(transaction, sent, reply) {
  const entry = await transaction.entry(sent.sequence);
  if (!entry) return;
  await transaction.deleteEntry(entry.sequence);
  for (const other of await transaction.unsettled()) {
    if (other.after !== entry.clientId) continue;
    const { request, revision, from = "revision" } = other.operation;
    if (other.kind === "call" && revision && reply?.[from] !== undefined) put(request, revision, reply[from]);
    // It was never sent, and now names what this answer shows.
    const storeEpoch = other.kind === "call" && other.attempts === 0 ? await epochOf(transaction) : other.storeEpoch;
    await transaction.putEntry({ ...other, storeEpoch, notBefore: 0 });
  }
}

/**
 * Puts a value at a path of names, as `weightEntry.revision`.
 * @param {any} message
 * @param {string} path
 * @param {any} value
 */
function put(message, path, value) {
  const names = path.split(".");
  const last = names.pop() ?? "";
  for (const name of names) message = message[name] ??= {};
  message[last] = value;
}

/**
 * Applies a failure of a whole call to the only entry that was sent.
 * @param {Transaction} transaction
 * @param {Entry} sent
 * @param {import("./errors.js").QuiverError} error
 * @param {boolean} isFinal whether a repeat cannot help
 * @param {number} now milliseconds since 1970
 */
export async function refuse(transaction, sent, error, isFinal, now) {
  const entry = await transaction.entry(sent.sequence);
  if (!entry || entry.state !== "waiting") return;
  entry.code = error.code;
  entry.message = error.message;
  entry.changedAt = now;
  if (isFinal) entry.state = error.code === "ABORTED" ? "conflict" : "refused";
  else defer(entry, now);
  await transaction.putEntry(entry);
}

/** @param {Entry} entry @param {number} now */
function defer(entry, now) {
  entry.deferrals += 1;
  entry.notBefore = now + waitAfter(entry.deferrals);
}

/**
 * Lets all entries be sent now: what they waited for may have come.
 * @param {Transaction} transaction
 */
export async function release(transaction) {
  for (const entry of await transaction.entriesIn("waiting")) {
    if (entry.notBefore !== 0) await transaction.putEntry({ ...entry, notBefore: 0 });
  }
}

/**
 * Notes what the server has after a verdict, so that a card never loses an arrow that leaves the outbox.
 * @param {Transaction} transaction
 * @param {Entry} entry
 * @param {any} verdict
 * @param {import("./entries.js").State} state
 */
async function takeStanding(transaction, entry, verdict, state) {
  const { kind, subject, operation } = entry;
  if (kind === "match") {
    if (!verdict.match) return;
    await takeMatch(transaction, verdict.match);
    const side = verdict.match.sides?.[(operation.side ?? 0) - 1];
    const present = side?.entries?.find((/** @type {any} */ one) => (one.shootOff ?? false)
      === (operation.entry.shootOff ?? false) && (one.index ?? 0) === (operation.entry.index ?? 0));
    if (state === "stored" && present && isSame(present.arrows, operation.entry.arrows)) {
      await redirect(transaction, entry, present.operationClientId ?? "");
    }
    return;
  }
  if (needsPerson(state) && state !== "conflict") return;
  if (kind === "arrow") {
    await putArrow(transaction, subject, operation, verdict.arrow ?? emptied(entry, verdict, state));
    return;
  }
  if (verdict.end) {
    await putEnd(transaction, subject, operation.endIndex ?? 0, verdict.end);
    if (state === "stored" && isSame(verdict.end.second, operation.arrows)) {
      await redirect(transaction, entry, verdict.end.operationClientId ?? "");
    }
  } else {
    const own = state === "stored" && operation.arrows.length > 0
      ? { endIndex: operation.endIndex, second: operation.arrows, operationClientId: entry.clientId } : null;
    await putEnd(transaction, subject, operation.endIndex ?? 0, own);
  }
}

/**
 * What a slot has after a verdict without its arrow. After a retraction the next operation has to name it, else the
 * slot is as if nothing had ever been entered.
 * @param {Entry} entry
 * @param {any} verdict
 * @param {import("./entries.js").State} state
 */
function emptied(entry, verdict, state) {
  if (state !== "stored" || entry.operation.kind !== "OPERATION_KIND_RETRACT") return null;
  return { retracted: true, operationId: verdict.operationId ?? "0", operationClientId: entry.clientId };
}

/**
 * Corrections that wait name the operation of another device that entered the same arrows before.
 * @param {Transaction} transaction
 * @param {Entry} entry
 * @param {string} clientId
 */
async function redirect(transaction, entry, clientId) {
  if (clientId === "" || clientId === entry.clientId) return;
  await renameReplaced(transaction, entry, clientId);
}

/**
 * Lets what waits behind an entry name another operation.
 * @param {Transaction} transaction
 * @param {Entry} entry
 * @param {string} clientId
 */
export async function renameReplaced(transaction, entry, clientId) {
  for (const other of await transaction.entriesOf(entry.kind, entry.subject)) {
    if (other.state === "stored" || other.operation.replacesClientId !== entry.clientId) continue;
    await transaction.putEntry({ ...other, operation: { ...other.operation, replacesClientId: clientId } });
  }
}

/**
 * The arrows of a participant: in each place the one of the later operation. A message of a watch that was sent before a
 * verdict does not have what the verdict has; and the server never forgets a place.
 *
 * @param {readonly any[]} known `ScoredArrow`s
 * @param {readonly any[]} given
 * @returns {any[]}
 */
export function newerArrows(known, given) {
  const places = new Map(given.map((one) => [placeOf(one), one]));
  for (const one of known) {
    const other = places.get(placeOf(one));
    if (BigInt(one.operationId ?? "0") > BigInt(other?.operationId ?? "0")) places.set(placeOf(one), one);
  }
  return [...places.values()];
}

/** @param {any} arrow */
function placeOf({ endIndex = 0, arrowIndex = 0 }) {
  return `${endIndex}/${arrowIndex}`;
}

/** How long a message of a watch may be behind a verdict, in milliseconds. */
const longestLag = 10_000;

/**
 * The ends of a second card: those of the server, and those that it has stored for this device a moment ago.
 *
 * @param {Transaction} transaction
 * @param {readonly any[]} known `ComparedEnd`s
 * @param {readonly any[]} given
 * @param {number} now
 * @returns {Promise<any[]>}
 */
export async function newerEnds(transaction, known, given, now) {
  const ends = new Map(given.map((one) => [one.endIndex ?? 0, one]));
  for (const one of known) {
    const index = one.endIndex ?? 0;
    if (!one.operationClientId || ends.get(index)?.operationClientId === one.operationClientId) continue;
    const own = await transaction.entryBy(one.operationClientId);
    const isRecent = own?.state === "stored" && Math.abs(now - own.changedAt) < longestLag;
    if (isRecent) ends.set(index, one);
  }
  return [...ends.values()];
}

/**
 * Takes a match of the server, unless a newer one is here.
 * @param {Transaction} transaction
 * @param {any} match
 */
export async function takeMatch(transaction, match) {
  const id = String(match.id);
  const known = await transaction.standing("match", id);
  if (known && BigInt(known.revision ?? "0") > BigInt(match.revision ?? "0")) return;
  // Replies to changes do not say how the match is scored.
  await transaction.setStanding("match", id, match.stage || !known ? match : { ...match, stage: known.stage });
}

/** @param {Transaction} transaction @param {string} subject @param {any} slot @param {any} arrow */
async function putArrow(transaction, subject, slot, arrow) {
  const [end, place] = [slot.endIndex ?? 0, slot.arrowIndex ?? 0];
  /** @type {any[]} */
  const list = await transaction.standing("arrow", subject);
  const others = list.filter((one) => (one.endIndex ?? 0) !== end || (one.arrowIndex ?? 0) !== place);
  if (arrow) others.push({ ...arrow, endIndex: end, arrowIndex: place });
  await transaction.setStanding("arrow", subject, others);
}

/** @param {Transaction} transaction @param {string} subject @param {number} index @param {any} end */
async function putEnd(transaction, subject, index, end) {
  /** @type {any[]} */
  const list = await transaction.standing("end", subject);
  const others = list.filter((one) => (one.endIndex ?? 0) !== index);
  if (end) others.push({ ...end, endIndex: index });
  await transaction.setStanding("end", subject, others);
}

/** @param {any[] | undefined} one @param {any[] | undefined} other */
function isSame(one, other) {
  const [left, right] = [one ?? [], other ?? []];
  return left.length === right.length
    && left.every((arrow, index) => isSameArrow(arrowOf(arrow), arrowOf(right[index])));
}
