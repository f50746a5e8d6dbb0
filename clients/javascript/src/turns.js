import { openInEnd } from "./cards.js";

/** @typedef {import("./formats.js").Slot} Slot */

/**
 * An archer whom a device scores: the id of the participant, the place in the order of turns (as of the target's
 * letters; equal ones go by id), and the first open slot; null: all are filled.
 * @typedef {{participant: string, order: number, open: Slot | null}} Candidate
 */

/**
 * What comes next: the same archer's end is open (`arrow`), the next `participant` of this end, the next `end`, or
 * nothing (`done`; then participant is "0").
 * @typedef {{kind: "arrow" | "participant" | "end" | "done", participant: string, slot: Slot}} Turn
 */

/**
 * The turn after an archer was scored in an end, as the server computes it: archers whose first open end is the
 * earliest come first, in their order after the last one.
 *
 * @param {{participant: string, order: number, endIndex: number, open: Slot | null}} last `open`: the first open slot
 *   of that end
 * @param {readonly Candidate[]} candidates
 * @returns {Turn}
 */
export function turnAfter(last, candidates) {
  if (last.open) return { kind: "arrow", participant: last.participant, slot: last.open };
  /** @type {{participant: string, order: number, open: Slot}[]} */
  const open = [];
  for (const { participant, order, open: slot } of candidates) {
    if (slot) open.push({ participant, order, open: slot });
  }
  if (open.length === 0) {
    return { kind: "done", participant: "0", slot: { endIndex: 0, arrowIndex: 0 } };
  }
  const end = Math.min(...open.map((one) => one.open.endIndex));
  const due = open.filter((one) => one.open.endIndex === end).sort(compare);
  const isNextEnd = end > last.endIndex;
  const next = isNextEnd ? due[0] : due.find((one) => compare(one, last) > 0) ?? due[0];
  return { kind: isNextEnd ? "end" : "participant", participant: next.participant, slot: next.open };
}

/**
 * Where a device enters next: in the end of its cursor while that is open, else where the turns go on from there.
 * Null: no archer has an open slot.
 *
 * @param {{participant: string, endIndex: number} | null} cursor who was entered last, or was chosen; null: nobody
 * @param {readonly {participant: string, order: number, card: import("./cards.js").Card}[]} archers who shoot, without
 *   those who are not here or have stopped
 * @returns {{participant: string, slot: Slot} | null}
 */
export function positionOf(cursor, archers) {
  const own = archers.find((archer) => archer.participant === cursor?.participant);
  const endIndex = cursor?.endIndex ?? 0;
  const last = own ? { participant: own.participant, order: own.order, endIndex, open: openInEnd(own.card, endIndex) }
    : { participant: "0", order: -Infinity, endIndex, open: null };
  const turn = turnAfter(last, archers.map(({ participant, order, card }) =>
    ({ participant, order, open: card.firstOpen })));
  return turn.kind === "done" ? null : { participant: turn.participant, slot: turn.slot };
}

/**
 * @param {{participant: string, order: number}} one
 * @param {{participant: string, order: number}} other
 */
function compare(one, other) {
  if (one.order !== other.order) return one.order < other.order ? -1 : 1;
  const [left, right] = [BigInt(one.participant), BigInt(other.participant)];
  return left < right ? -1 : left > right ? 1 : 0;
}
