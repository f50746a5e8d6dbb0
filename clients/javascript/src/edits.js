import { arrowOf, faultOf, isSameArrow, arrowText } from "./faces.js";
import { endOf } from "./formats.js";
import { slotKey, slotsOf } from "./cards.js";
import { matchOf, matchRules, faultOfEntry } from "./matches.js";
import { encode } from "./json.js";
import { OutboxError } from "./outboxerror.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./faces.js").Arrow} Arrow */

/**
 * What is to be in a slot of a first card. `arrow` null retracts it. Over another arrow, and to retract, a `reason` of
 * 1 to 200 characters is needed. `witness`: the id of the other participant who agreed to that. With `x` and `y`, in radii of the nominal face, the server computes the value.
 * `shaft`: the number of the arrow's shaft, 1 to 99. Of practice, `event` is empty, `participant` is its client id in
 * base64, and `after` is the client id, in the outbox, of the call that creates it.
 * @typedef {{kind: "arrow", event: string, participant: string, format: import("./formats.js").Format,
 *   endIndex: number, arrowIndex: number, arrow: Arrow | null, reason?: string, witness?: string, x?: number, y?: number,
 *   shaft?: number, after?: string}} ArrowChange
 */

/**
 * What is to be an end of a second card. No arrows empty it. `reason` and `witness` are those of an arrow.
 * @typedef {{kind: "end", event: string, participant: string, format: import("./formats.js").Format,
 *   endIndex: number, arrows: Arrow[], reason?: string, witness?: string}} EndChange
 */

/**
 * What is to be an end or a shoot-off of a side of a match, which `take` has given to the outbox. No arrows empty it.
 * `reason` and `witness` are those of an arrow; who agrees is not on the side.
 * @typedef {{kind: "match", event: string, match: string, side: 1 | 2, isShootOff?: boolean, index: number,
 *   arrows: Arrow[], distances?: number[], isCloser?: boolean, reason?: string, witness?: string}} MatchChange
 */

/**
 * A call that changes something else. `subject`: what the page calls it by. `request` has the client id that the page
 * made for what it creates. `after`: the client id, in the outbox, of a call that has to be stored before. With
 * `revision`, a path in the request, that of the reply to the call before is put there; with `from`, that field of the
 * reply instead, as `id`. `title`: what the page shows of it.
 * @typedef {{kind: "call", subject: string, method: string, request: any, after?: string, revision?: string,
 *   from?: string, title?: any}} CallChange
 */

/** @typedef {ArrowChange | EndChange | MatchChange | CallChange} Change */

/**
 * A new operation without what the outbox adds: client id, time and device. `before`: of an arrow, what was in its slot.
 * @typedef {{kind: import("./entries.js").Kind, event: string, subject: string, operation: any,
 *   arrow?: Arrow, before?: Arrow | null, after?: string}} Draft
 */

/**
 * The operation that makes a change; null: nothing has to be changed. Throws an `OutboxError`.
 * @param {Change} change
 * @param {any} standing what the server has
 * @param {readonly Entry[]} entries of the same kind and subject
 * @returns {Draft | null}
 */
export function draftOf(change, standing, entries) {
  switch (change.kind) {
    case "arrow": return arrowDraft(change, slotsOf(standing, entries));
    case "end": return endDraft(change, standing, entries);
    case "match": return matchDraft(change, standing, entries);
    case "call": return callDraft(change);
    default: throw invalid("kind: must be arrow, end, match or call");
  }
}

/**
 * Who a change is for, in the outbox.
 * @param {Change} change
 */
export function subjectOf(change) {
  if (change.kind === "call") return change.subject;
  return change.kind === "match" ? change.match : change.participant;
}

/**
 * How operations name an archer: of practice, which belongs to no event, by the client id.
 * @param {string} event
 * @param {string} participant
 */
export function archerOf(event, participant) {
  return event === "" ? { participantClientId: participant } : { participantId: participant };
}

/**
 * The idempotency key of a call, by its client id in base64.
 * @param {string} clientId
 */
export function keyOf(clientId) {
  return Uint8Array.from(atob(clientId), (character) => character.charCodeAt(0));
}

/** @param {CallChange} change @returns {Draft} */
export function callDraft({ subject, method, request, after, revision, from, title }) {
  if (!/^[A-Z][A-Za-z]*\/[A-Z][A-Za-z]*$/.test(method)) throw invalid("method: must be Service/Method");
  const operation = { method, request: JSON.parse(encode(request)), ...revision ? { revision } : {},
    ...from ? { from } : {}, title };
  return { kind: "call", event: "", subject, operation, ...after ? { after } : {} };
}

/**
 * @param {ArrowChange} change
 * @param {Map<string, import("./cards.js").CardArrow>} slots
 * @returns {Draft | null}
 */
function arrowDraft(change, slots) {
  const { endIndex, arrowIndex, arrow } = change;
  const end = endOf(change.format, endIndex);
  if (!end) throw invalid("endIndex: the round has no such end");
  if (!(arrowIndex >= 0 && arrowIndex < end.arrowCount)) {
    throw invalid(`arrowIndex: must be below ${end.arrowCount} in this end`);
  }
  const fault = arrow && faultOf(arrow, end.face);
  if (fault) throw invalid(`${fault.field}: ${fault.message}`);
  const shaft = change.shaft ?? 0;
  if (!(Number.isInteger(shaft) && shaft >= 0 && shaft <= 99)) throw invalid("shaft: must be from 1 to 99");
  const standing = slots.get(slotKey(endIndex, arrowIndex));
  const before = standing?.arrow ?? null;
  const hasPosition = change.x !== undefined && change.y !== undefined;
  if (isSameArrow(before, arrow) && !hasPosition && (shaft === 0 || shaft === standing?.shaft)) return null;
  /** @type {any} */
  const operation = { kind: "OPERATION_KIND_RECORD", ...archerOf(change.event, change.participant), endIndex,
    arrowIndex };
  if (standing?.head) {
    operation.kind = arrow ? "OPERATION_KIND_CORRECT" : "OPERATION_KIND_RETRACT";
    operation.reason = before ? checkedReason(change.reason, before) : change.reason ?? "entered again";
    if (change.witness) operation.witnessId = change.witness;
    putHead(standing.head, operation);
  }
  if (arrow) {
    if (hasPosition) {
      Object.assign(operation, { x: change.x, y: change.y, input: "INPUT_MODE_TARGET" });
    } else {
      Object.assign(operation, { value: arrow.value, isX: arrow.isX, input: "INPUT_MODE_BUTTONS" });
    }
    if (shaft > 0) operation.shaft = shaft;
  }
  /** @type {Draft} */
  const draft = { kind: "arrow", event: change.event, subject: change.participant, operation, before };
  if (change.after) draft.after = change.after;
  return hasPosition && arrow ? { ...draft, arrow } : draft;
}

/**
 * Names the operation that another one replaces: by its client id if it has one, which a restored store has too.
 * @param {import("./cards.js").Head} head
 * @param {any} operation
 */
export function putHead(head, operation) {
  if (head.clientId !== "") operation.replacesClientId = head.clientId;
  else operation.replacesId = head.id;
}

/**
 * @param {EndChange} change
 * @param {readonly any[]} standing `ComparedEnd`s
 * @param {readonly Entry[]} entries
 * @returns {Draft | null}
 */
function endDraft(change, standing, entries) {
  const { endIndex, arrows } = change;
  const end = endOf(change.format, endIndex);
  if (!end) throw invalid("endIndex: the round has no such end");
  if (arrows.length !== 0 && arrows.length !== end.arrowCount) {
    throw invalid(`arrows: must be ${end.arrowCount} in this end`);
  }
  for (const arrow of arrows) {
    const fault = faultOf(arrow, end.face);
    if (fault) throw invalid(`arrows: ${fault.message}`);
  }
  const present = secondCardOf(standing, entries).get(endIndex);
  if (isSameList(present?.arrows ?? [], arrows)) return null;
  /** @type {any} */
  const operation = { participantId: change.participant, endIndex, arrows };
  if (present) {
    operation.replacesClientId = present.head;
    operation.reason = checkedReason(change.reason, present.arrows[0]);
    if (change.witness) operation.witnessId = change.witness;
  }
  return { kind: "end", event: change.event, subject: change.participant, operation };
}

/**
 * A second card: the ends that have arrows, by their index. `state`: of `quiver.v1.CardEndState`, as the server last said;
 * empty: it did not.
 *
 * @param {readonly any[]} standing the server's `quiver.v1.ComparedEnd`s
 * @param {readonly Entry[]} [entries] of the archer in the outbox, by sequence
 * @returns {Map<number, {arrows: Arrow[], head: string, isWaiting: boolean, state: string}>}
 */
export function secondCardOf(standing, entries = []) {
  /** @type {Map<number, {arrows: Arrow[], head: string, isWaiting: boolean, state: string}>} */
  const ends = new Map();
  for (const end of standing) {
    const arrows = (end.second ?? []).map(arrowOf);
    if (arrows.length === 0) continue;
    ends.set(end.endIndex ?? 0,
      { arrows, head: end.operationClientId ?? "", isWaiting: false, state: end.state ?? "" });
  }
  for (const { kind, state, operation, clientId } of entries) {
    if (kind !== "end" || state !== "waiting") continue;
    const arrows = (operation.arrows ?? []).map(arrowOf);
    if (arrows.length === 0) ends.delete(operation.endIndex ?? 0);
    else ends.set(operation.endIndex ?? 0, { arrows, head: clientId, isWaiting: true, state: "" });
  }
  return ends;
}

/**
 * @param {MatchChange} change
 * @param {any} standing an `EliminationMatch`
 * @param {readonly Entry[]} entries
 * @returns {Draft | null}
 */
function matchDraft(change, standing, entries) {
  if (!standing) throw new OutboxError("NOT_POSSIBLE", "this match is not on this device yet");
  const { side, index, arrows, distances = [], isCloser = false, isShootOff = false } = change;
  const sideCard = standing.sides?.[side - 1];
  if (!sideCard) throw invalid("side: must be 1 or 2");
  const rules = matchRules(standing.stage);
  if (!rules) throw new OutboxError("OUTDATED", "this page does not know the rules of this match; load it again");
  const fault = arrows.length > 0 && faultOfEntry(rules, { isShootOff, index, arrows, distances });
  if (fault) throw invalid(`${fault.field}: ${fault.message}`);
  const { cards, places } = matchOf(standing, entries);
  const card = cards[side - 1];
  const place = places.find((one) => one.side === side && one.isShootOff === isShootOff && one.index === index);
  const shot = card.shootOffs.get(index);
  const present = isShootOff ? shot?.arrows ?? [] : card.ends.get(index) ?? [];
  const isSameShot = !isShootOff || ((shot?.isCloser ?? false) === isCloser
    && JSON.stringify(shot?.distances ?? []) === JSON.stringify(distances));
  if (isSameList(present, arrows) && isSameShot) return null;
  /** @type {any} */
  const entry = { shootOff: isShootOff, index, arrows };
  if (distances.length > 0) entry.distances = distances;
  if (isCloser) entry.isCloser = true;
  /** @type {any} */
  const operation = { matchId: change.match, side, entry, participantId: sideCard.participantId ?? "0" };
  if (place) {
    operation.replacesClientId = place.head;
    // Distances and marks follow the arrows of a shoot-off; nobody has to say why.
    operation.reason = isSameList(present, arrows) ? change.reason ?? "measured"
      : checkedReason(change.reason, present[0]);
    if (change.witness) operation.witnessId = change.witness;
  }
  return { kind: "match", event: change.event, subject: change.match, operation };
}

/** @param {string | undefined} reason @param {Arrow} before */
function checkedReason(reason, before) {
  const text = (reason ?? "").trim();
  if (text.length === 0) {
    throw new OutboxError("NOT_POSSIBLE", `${arrowText(before)} is there; correct it, with a reason`);
  }
  if ([...text].length > 200) throw invalid("reason: must have at most 200 characters");
  return text;
}

/** @param {readonly Arrow[]} one @param {readonly Arrow[]} other */
function isSameList(one, other) {
  return one.length === other.length && one.every((arrow, index) => isSameArrow(arrow, other[index]));
}

/** @param {string} message */
function invalid(message) {
  return new OutboxError("INVALID", message);
}
