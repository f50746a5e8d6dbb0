/**
 * The kind of an operation: an `arrow` of a first card (`quiver.v1.ScoringOperation`), an `end` of a second card
 * (`CardOperation`), an end or a shoot-off of a `match` (`MatchOperation`), or a `call` of any other method.
 * @typedef {"arrow" | "end" | "match" | "call"} Kind
 */

/**
 * `waiting`: it is sent by itself, now or later. `late`: the organiser decides, because the event was finalised.
 * `conflict`: something else is at its place. `refused`: see its message. `stored`: the server has it, and it is kept
 * for some days, so that it can be offered again to a server that was restored from a backup.
 * @typedef {"waiting" | "late" | "conflict" | "refused" | "stored"} State
 */

/**
 * An operation in the outbox.
 *
 * @typedef {object} Entry
 * @property {number} sequence the order on this device
 * @property {Kind} kind
 * @property {string} event the id of the event; of practice and of calls empty
 * @property {string} subject the id of the participant, of practice its client id, of a match that of the match; of a
 *   call what the page names
 * @property {string} clientId in base64
 * @property {any} operation as it is sent
 * @property {State} state
 * @property {number} attempts how often it was sent, or perhaps sent
 * @property {number} deferrals how often the server could not decide
 * @property {number} notBefore milliseconds since 1970: before that it is not sent again
 * @property {number} enteredAt milliseconds since 1970, by this device's clock
 * @property {number} changedAt when its state changed
 * @property {string} code of a verdict that is not STORED: the name of a status; else empty
 * @property {string} message the server's sentence; else empty
 * @property {string} storeEpoch of `stored`: of the store that has it; of a call: of the store for which it was made;
 *   empty: not known
 * @property {import("./faces.js").Arrow} [arrow] of an arrow that is sent by its position: what is shown until the
 *   server has computed the value
 * @property {string} [after] the client id of a call without which this one is not sent
 */

/**
 * The state that a verdict leaves, of `quiver.v1.Verdict` or `MatchVerdict`.
 *
 * A verdict that this version does not know needs a person: nothing is dropped, and nothing is sent forever.
 *
 * @param {string | undefined} verdict
 * @returns {State}
 */
export function stateAfter(verdict) {
  switch ((verdict ?? "").replace(/^(MATCH_)?VERDICT_/, "")) {
    case "STORED": case "SAME": return "stored";
    case "NOT_YET": return "waiting";
    case "LATE": return "late";
    case "CONFLICT": return "conflict";
    default: return "refused";
  }
}

/**
 * Whether a person has to look at it.
 * @param {State} state
 */
export function needsPerson(state) {
  return state === "late" || state === "conflict" || state === "refused";
}

/** What sends each kind. `most`: how many operations a call has. */
const batches = Object.freeze({
  arrow: { method: "Tournament/ApplyOperations", most: 200 },
  practice: { method: "Rounds/ApplyOperations", most: 200 },
  end: { method: "Events/ApplyCardOperations", most: 50 },
  match: { method: "Elimination/ApplyMatchOperations", most: 50 },
});

/**
 * What sends an entry, and how many with it; of a call its own method.
 * @param {Entry} entry
 * @returns {{method: string, most: number}}
 */
export function batchOf({ kind, event, operation }) {
  if (kind === "call") return { method: operation.method, most: 1 };
  return batches[kind === "arrow" && event === "" ? "practice" : kind];
}

/**
 * What is sent next: entries of one method in their order, of those that may be sent now. An operation that replaces one
 * that needs a person waits with it, and what comes after a call until the server has that. Empty: nothing can be sent.
 *
 * @param {readonly Entry[]} waiting by sequence
 * @param {readonly Entry[]} held those that need a person
 * @param {number} now milliseconds since 1970
 * @param {number} [most] at most so many
 * @returns {Entry[]}
 */
export function nextBatch(waiting, held, now, most = Infinity) {
  const blocked = new Set(held.map((entry) => entry.clientId));
  const unsettled = new Set([...held, ...waiting].filter((entry) => entry.kind === "call").map((entry) => entry.clientId));
  /** @type {Entry[]} */
  const found = [];
  for (const entry of waiting) {
    if (blocked.has(entry.operation.replacesClientId) || unsettled.has(entry.after ?? "")) {
      blocked.add(entry.clientId);
      continue;
    }
    // A clock that was set back must not keep an entry for ever.
    if (entry.notBefore > now && entry.notBefore - now <= longestWait) continue;
    const batch = batchOf(entry);
    if (found.length > 0 && batch.method !== batchOf(found[0]).method) continue;
    found.push(entry);
    if (found.length >= Math.min(most, batch.most)) break;
  }
  return found;
}

/** The longest time between two attempts of an entry, in milliseconds. */
export const longestWait = 60_000;

/**
 * How long an entry waits after so many attempts: from half a second, doubled, with a jitter of up to a half.
 * @param {number} attempts from 1
 * @param {number} [random] 0 to 1
 * @returns {number} milliseconds
 */
export function waitAfter(attempts, random = Math.random()) {
  return Math.min(500 * 2 ** Math.min(attempts - 1, 20), longestWait) * (0.5 + random / 2);
}
