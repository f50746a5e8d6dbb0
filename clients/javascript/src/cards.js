import { arrowOf, highestValue } from "./faces.js";
import { endCount, endOf } from "./formats.js";

/** @typedef {import("./faces.js").Arrow} Arrow */
/** @typedef {import("./faces.js").Face} Face */
/** @typedef {import("./formats.js").Format} Format */
/** @typedef {import("./formats.js").Slot} Slot */

/**
 * Whether the server has what is shown: `synced`, `waiting` to be sent, or what a person has to look at.
 * @typedef {"synced" | "waiting" | "late" | "conflict" | "refused"} Mark
 */

/**
 * The operation that the next one of the slot has to name: by the server's id or by its client id in base64.
 * @typedef {{id: string, clientId: string}} Head
 */

/**
 * What is in a slot. `arrow`: null where it was emptied. `held`: the arrow of an operation that needs a person, and
 * is not applied. `mark`: the worst of its operations. `isFlagged`: the server found that the value differs
 * from the position's, or that the clock was ahead. `head`: null while the server has nothing and nothing waits.
 * @typedef {{slot: Slot, arrow: Arrow | null, held: Arrow | null, mark: Mark, isFlagged: boolean,
 *   head: Head | null, x: number | null, y: number | null, shaft: number}} CardArrow
 */

/**
 * The sums of arrows. `counts`: by value from 0 to 11; an X is in its value's. `goldCount`: of the face's top value.
 * @typedef {{total: number, xCount: number, tenCount: number, hitCount: number, goldCount: number,
 *   arrowCount: number, endsCompleted: number, counts: number[]}} Tally
 */

/**
 * An end with one element for each slot; null: nothing was ever entered.
 * @typedef {{index: number, passIndex: number, arrows: (CardArrow | null)[], total: number, runningTotal: number,
 *   isComplete: boolean}} CardEnd
 */

/**
 * The card of an archer: the server's arrows, then the operations that wait, in order. `firstOpen`: the next slot in
 * the order of shooting; null: all are filled.
 * @typedef {{format: Format, ends: CardEnd[], tally: Tally, firstOpen: Slot | null, isComplete: boolean}} Card
 */

/** The marks from the best to the worst. */
const marks = ["synced", "waiting", "refused", "conflict", "late"];

/**
 * Computes a card.
 *
 * @param {Format} format
 * @param {readonly any[]} standing the server's `quiver.v1.ScoredArrow`s, as `Rounds/GetScorecard` has them
 * @param {readonly import("./entries.js").Entry[]} [entries] of the archer in the outbox, by sequence; others are
 *   left out
 * @returns {Card}
 */
export function cardOf(format, standing, entries = []) {
  const slots = slotsOf(standing, entries);
  /** @type {CardEnd[]} */
  const ends = [];
  const tally = emptyTally();
  let firstOpen = null;
  for (let index = 0; index < endCount(format); index += 1) {
    const end = endOf(format, index);
    if (!end) break;
    const arrows = Array.from({ length: end.arrowCount }, (_, place) => slots.get(slotKey(index, place)) ?? null);
    const before = tally.total;
    for (const one of arrows) if (one?.arrow) add(tally, one.arrow, end.face);
    const open = arrows.findIndex((one) => !one?.arrow);
    if (open < 0) tally.endsCompleted += 1;
    else firstOpen ??= { endIndex: index, arrowIndex: open };
    ends.push({
      index, passIndex: end.passIndex, arrows, total: tally.total - before, runningTotal: tally.total,
      isComplete: open < 0,
    });
  }
  return { format, ends, tally, firstOpen, isComplete: firstOpen === null };
}

/**
 * The first slot of an end that is open; null: it is full, or there is no such end.
 * @param {Card} card
 * @param {number} endIndex
 * @returns {Slot | null}
 */
export function openInEnd(card, endIndex) {
  const arrowIndex = card.ends[endIndex]?.arrows.findIndex((one) => !one?.arrow) ?? -1;
  return arrowIndex < 0 ? null : { endIndex, arrowIndex };
}

/**
 * What is in a slot; null: nothing was ever entered, or the format has no such slot.
 * @param {Card} card
 * @param {Slot} slot
 * @returns {CardArrow | null}
 */
export function arrowIn(card, slot) {
  return card.ends[slot.endIndex]?.arrows[slot.arrowIndex] ?? null;
}

/**
 * The sums of arrows on one face, without ends.
 * @param {readonly Arrow[]} arrows
 * @param {Face} face
 * @returns {Tally}
 */
export function tallyOf(arrows, face) {
  const tally = emptyTally();
  for (const arrow of arrows) add(tally, arrow, face);
  return tally;
}

/** @returns {Tally} */
function emptyTally() {
  return { total: 0, xCount: 0, tenCount: 0, hitCount: 0, goldCount: 0, arrowCount: 0, endsCompleted: 0,
    counts: Array(highestValue + 1).fill(0) };
}

/** @param {Tally} tally @param {Arrow} arrow @param {Face} face */
function add(tally, arrow, face) {
  tally.total += arrow.value;
  tally.arrowCount += 1;
  tally.counts[arrow.value] += 1;
  if (arrow.isX) tally.xCount += 1;
  if (arrow.value === 10) tally.tenCount += 1;
  if (arrow.value > 0) tally.hitCount += 1;
  if (arrow.value === face.values[0]) tally.goldCount += 1;
}

/**
 * What is in each slot, by `slotKey`.
 * @param {readonly any[]} standing
 * @param {readonly import("./entries.js").Entry[]} entries
 * @returns {Map<string, CardArrow>}
 */
export function slotsOf(standing, entries) {
  /** @type {Map<string, CardArrow>} */
  const slots = new Map();
  for (const one of standing) {
    const slot = { endIndex: one.endIndex ?? 0, arrowIndex: one.arrowIndex ?? 0 };
    slots.set(slotKey(slot.endIndex, slot.arrowIndex), {
      slot, arrow: one.retracted ? null : arrowOf(one), held: null, mark: "synced",
      isFlagged: one.flagged ?? false, x: one.x ?? null, y: one.y ?? null, shaft: one.shaft ?? 0,
      head: { id: String(one.operationId ?? "0"), clientId: one.operationClientId ?? "" },
    });
  }
  for (const entry of entries) {
    if (entry.kind === "arrow" && entry.state !== "stored") apply(slots, entry);
  }
  return slots;
}

/** @param {Map<string, CardArrow>} slots @param {import("./entries.js").Entry} entry */
function apply(slots, entry) {
  const { operation } = entry;
  const slot = { endIndex: operation.endIndex ?? 0, arrowIndex: operation.arrowIndex ?? 0 };
  const key = slotKey(slot.endIndex, slot.arrowIndex);
  const before = slots.get(key);
  /** @type {CardArrow} */
  const one = before ? { ...before } : {
    slot, arrow: null, held: null, mark: "synced", isFlagged: false, head: null, x: null, y: null, shaft: 0,
  };
  const mark = /** @type {Mark} */ (entry.state);
  if (marks.indexOf(mark) > marks.indexOf(one.mark)) one.mark = mark;
  const isRetraction = operation.kind === "OPERATION_KIND_RETRACT";
  const arrow = isRetraction ? null : arrowOf(entry.arrow ?? operation);
  if (entry.state !== "waiting") {
    one.held = arrow;
  } else {
    one.arrow = arrow;
    one.x = operation.x ?? null;
    one.y = operation.y ?? null;
    one.isFlagged = false;
    // A correction without a number leaves that of the arrow.
    one.shaft = isRetraction ? 0 : operation.shaft || one.shaft;
    one.head = { id: "0", clientId: entry.clientId };
  }
  slots.set(key, one);
}

/** @param {number} endIndex @param {number} arrowIndex */
export function slotKey(endIndex, arrowIndex) {
  return `${endIndex}/${arrowIndex}`;
}
