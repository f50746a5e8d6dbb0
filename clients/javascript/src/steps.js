import { slotKey, slotsOf } from "./cards.js";
import { archerOf, putHead } from "./edits.js";
import { OutboxError } from "./outboxerror.js";

/** @typedef {import("./faces.js").Arrow} Arrow */

/**
 * One arrow of a step. `replaced`: the operation that its own replaced, by `headName`; empty: none. `before`: what was in
 * the slot.
 * @typedef {{subject: string, slot: import("./formats.js").Slot, clientId: string, replaced: string,
 *   before: Arrow | null}} StepArrow
 */

/**
 * What was changed together, and is undone together.
 * @typedef {{number: number, event: string, arrows: StepArrow[]}} Step
 */

/** How many steps of an event can be undone. */
export const mostSteps = 500;

/** @param {any} operation @returns {string} */
export function replacedBy(operation) {
  return operation.replacesClientId ?? (operation.replacesId ? `#${operation.replacesId}` : "");
}

/**
 * Undoes an arrow of a step: the entry that was never sent is deleted, else an operation goes back.
 *
 * @param {import("./store.js").Transaction} transaction
 * @param {string} event
 * @param {StepArrow} arrow
 * @param {(draft: import("./edits.js").Draft) => Promise<import("./entries.js").Entry>} add adds an operation
 */
export async function undoArrow(transaction, event, arrow, add) {
  const { subject, slot, clientId, before } = arrow;
  const entries = await transaction.entriesOf("arrow", subject);
  const own = entries.find((entry) => entry.clientId === clientId);
  if (own?.state === "late") {
    throw new OutboxError("NOT_POSSIBLE", "the arrow came after the event was finalised; its organiser decides");
  }
  const isFollowed = entries.some((entry) => entry.operation.replacesClientId === clientId);
  const neverCounted = own && (own.state === "conflict" || own.state === "refused"
    || (own.state === "waiting" && own.attempts === 0));
  if (own && neverCounted && !isFollowed) {
    await transaction.deleteEntry(own.sequence);
    return;
  }
  const now = slotsOf(await transaction.standing("arrow", subject), entries)
    .get(slotKey(slot.endIndex, slot.arrowIndex));
  if (now?.head?.clientId !== clientId) {
    throw new OutboxError("NOT_POSSIBLE", "somebody else has changed this arrow since; correct it instead");
  }
  /** @type {any} */
  const operation = {
    kind: before ? "OPERATION_KIND_CORRECT" : "OPERATION_KIND_RETRACT", ...archerOf(event, subject), ...slot,
    reason: "undone",
  };
  if (before) Object.assign(operation, { value: before.value, isX: before.isX, input: "INPUT_MODE_BUTTONS" });
  putHead(now.head, operation);
  const added = await add({ kind: "arrow", event, subject, operation });
  // What it goes back to is now the content of the new operation, so that the step before can be undone too.
  if (arrow.replaced) await rename(transaction, event, subject, arrow.replaced, added.clientId);
}

/**
 * Lets steps name another operation with the same content.
 * @param {import("./store.js").Transaction} transaction
 * @param {string} event
 * @param {string} subject
 * @param {string} former
 * @param {string} clientId
 */
export async function rename(transaction, event, subject, former, clientId) {
  for (const step of await transaction.steps(event)) {
    const arrows = step.arrows.map((one) =>
      one.subject === subject && one.clientId === former ? { ...one, clientId } : one);
    if (arrows.some((one, index) => one !== step.arrows[index])) await transaction.putStep({ ...step, arrows });
  }
}
