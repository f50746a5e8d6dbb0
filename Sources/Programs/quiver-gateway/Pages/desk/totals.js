// Totals that are typed from papers: of a distance, or of the whole round.
import { ask, call, choice, el, field, say, table } from "./kit.js";

/** What a row shows where a part of its card is typed: its total with a mark. */
export const totalText = (/** @type {any} */ row) => `${row.total ?? 0}${row.typed ? "*" : ""}`;

/** A count of a row; ? where a paper does not have it. `bit` is that of LeaderboardRow.missing_counts. */
export const countText = (/** @type {any} */ row, /** @type {number} */ count, /** @type {number} */ bit) =>
  (row.missingCounts ?? 0) >> bit & 1 ? "?" : String(count ?? 0);

const partText = (/** @type {any} */ part) => part.part ? say("Distance {part}", { part: part.part }) : say("Whole round");

const sumsText = (/** @type {any} */ sums) => !sums ? "–" : [String(sums.total ?? 0),
  ...[[say("hits"), sums.hits], [say("golds"), sums.golds], ["X", sums.xCount]].filter(([, count]) => count !== undefined).map(([name, count]) => `${name} ${count}`)].join(" · ");

/** A whole number of an input; undefined: it is empty; null: it is none. */
function numberOf(/** @type {any} */ input) {
  const text = input.value.trim();
  if (!text) return undefined;
  return /^\d{1,5}$/.test(text) ? Number(text) : null;
}

/**
 * Shows the parts of a card, and types, corrects or removes the total of one.
 * @param {any} desk @param {string} participantId
 */
export async function typeTotal(desk, participantId) {
  const card = await call("Events/GetComparedCard", { participantId });
  /** @type {any[]} */
  const parts = card.parts ?? [];
  const wasTyped = (/** @type {any} */ part) => Boolean(Number(part?.typedId ?? 0));
  const choices = parts.length > 1 && !parts.some(wasTyped) ? [...parts, { part: 0 }] : parts;
  const chosen = () => choices.find((part) => String(part.part ?? 0) === which.value);
  const which = choice(choices.map((part) => [String(part.part ?? 0), partText(part)]), String(choices[0]?.part ?? 0), { onchange: () => fill() });
  const count = () => el("input", { inputMode: "numeric", autocomplete: "off", maxLength: 5 });
  const [total, hits, golds, x] = [count(), count(), count(), count()];
  const paper = el("input", { maxLength: 200, autocomplete: "off" });
  const reason = el("input", { maxLength: 200, autocomplete: "off" });
  const isRemoved = el("input", { type: "checkbox" });
  const ofCorrection = [field(say("Reason"), reason, say("Of a correction, or of the removal.")), field(say("Remove it: the arrows count"), isRemoved)];
  const fill = () => {
    const part = chosen();
    const sums = part?.typed ?? {};
    for (const [input, value] of [[total, wasTyped(part) ? sums.total ?? 0 : undefined], [hits, sums.hits], [golds, sums.golds], [x, sums.xCount]]) input.value = value ?? "";
    for (const one of ofCorrection) one.hidden = !wasTyped(part);
    isRemoved.checked = false;
  };
  fill();
  /** @returns {any} */
  const read = () => {
    const part = chosen();
    if (wasTyped(part) && !reason.value.trim()) return say("Give a reason.");
    if (isRemoved.checked && wasTyped(part)) return { removes: part.typedId };
    const sums = { total: numberOf(total), hits: numberOf(hits), golds: numberOf(golds), xCount: numberOf(x) };
    if (sums.total === undefined || Object.values(sums).includes(null)) return say("Type the total, and whole numbers as counts. Leave a count empty that the paper does not have.");
    return { sums };
  };
  const answer = await ask({ title: say("Type the total of {name}", { name: card.displayName ?? "" }), yes: say("Save"), read, fields: [
    el("p", {}, say("It counts instead of the arrows of that part, which stay beside it.")),
    table(say("Parts"), [say("Part"), say("Arrows"), say("Typed"), ""], parts.map((part) => [partText(part), `${sumsText(part.arrows)} (${part.arrows?.arrowCount ?? 0}/${part.arrowCount})`,
      wasTyped(part) ? sumsText(part.typed) : "–", part.differs ? say("they differ") : ""])),
    field(say("Part"), which), field(say("Total"), total), field(say("Hits"), hits), field(say("Golds"), golds, say("Tens with X, or nines of five rings.")), field("X", x),
    field(say("Which paper"), paper), ...ofCorrection] });
  if (!answer) return " ";
  const part = chosen();
  if (answer.removes) await call("Events/RemoveTypedTotal", { participantId, id: answer.removes, reason: reason.value.trim() });
  else {
    await call("Events/SetTypedTotal", { participantId, part: part.part ?? 0, sums: answer.sums, paper: paper.value.trim(),
      ...wasTyped(part) ? { replacesId: part.typedId, reason: reason.value.trim() } : {} });
  }
  await desk.reload();
}
