// Totals that are typed from papers: of a distance, or of the whole round; without a connection, too.
import { maximumScore } from "../client/formats.js";
import { Refusal, ask, call, choice, el, field, say, table } from "./kit.js";
import { isLost, readAll, submit, waiting, withdraw } from "./store.js";

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

/** How the outbox calls the totals of an event. */
export const subjectsOf = (/** @type {any} */ desk) => `total/${desk.event.id}/`;

/** The totals that count in an event, as this device knows them, for `typeTotal` without a connection; others than officials read none. */
export async function typedOf(/** @type {any} */ desk) {
  try {
    return await readAll("Events/ListTypedTotals", { tournamentId: desk.event.id }, "totals");
  } catch (/** @type {any} */ error) {
    if (isLost(error) || ["PERMISSION_DENIED", "NOT_FOUND"].includes(error.code)) return [];
    throw error;
  }
}

/**
 * The parts of a card. Without a connection they are those of the round, with what was typed; the sums of arrows are not known then.
 * @param {any} desk @param {any} row a `LeaderboardRow` @param {any} category
 */
async function partsOf(desk, row, category) {
  const { participantId } = row;
  const { format = {}, rounds } = category ?? {};
  /** @type {any[]} */
  let parts;
  try {
    parts = (await call("Events/GetComparedCard", { participantId }, { timeout: 10_000 })).parts ?? [];
  } catch (error) {
    if (!isLost(error) || !format.passes?.length) throw error;
    const typed = (await typedOf(desk)).filter((one) => one.participantId === participantId);
    const counted = (/** @type {any} */ part) => {
      const one = typed.find((total) => (total.part ?? 0) === part.part);
      return one ? { ...part, typed: one.sums, typedId: one.id } : part;
    };
    const whole = counted({ part: 0, arrowCount: format.arrowCount, maximumScore: format.maximumScore });
    parts = whole.typedId ? [whole] : format.passes.map((/** @type {any} */ pass, /** @type {number} */ index) =>
      counted({ part: index + 1, arrowCount: pass.arrows, maximumScore: maximumScore({ passes: [pass] }) }));
  }
  // The rounds of a qualification are typed by themselves.
  const isWhole = parts.length > 1 && (rounds ?? []).length < 2 && !parts.some(wasTyped);
  return { parts, choices: isWhole ? [...parts, { part: 0, arrowCount: format.arrowCount, maximumScore: format.maximumScore }] : parts };
}

const wasTyped = (/** @type {any} */ part) => Boolean(Number(part?.typedId ?? 0));

/**
 * What is wrong with sums; empty: nothing that the page knows.
 * @param {any} part @param {Record<string, any>} sums
 */
function faultOf(part, sums) {
  if (sums.total === undefined || Object.values(sums).includes(null)) return say("Type the total, and whole numbers as counts. Leave a count empty that the paper does not have.");
  const { arrowCount, maximumScore: most } = part ?? {};
  for (const [name, value, max] of [[say("Total"), sums.total, most], [say("Hits"), sums.hits, arrowCount], [say("Golds"), sums.golds, sums.hits ?? arrowCount], ["X", sums.xCount, sums.golds ?? arrowCount]]) {
    if (max !== undefined && value > max) return say("{field}: from {min} to {max}.", { field: name, min: 0, max });
  }
  return "";
}

/**
 * Shows the parts of a card, and types, corrects or removes the total of one.
 * @param {any} desk @param {any} row a `LeaderboardRow` @param {any} category @param {() => Promise<void>} again shows what counts then
 */
export async function typeTotal(desk, row, category, again) {
  const { participantId, displayName = "" } = row;
  const { parts, choices } = await partsOf(desk, row, category);
  const subject = (/** @type {any} */ part) => `${subjectsOf(desk)}${participantId}/${part?.part ?? 0}`;
  const open = (await waiting()).filter((entry) => entry.state === "waiting");
  const openOf = (/** @type {any} */ part) => open.filter((entry) => entry.subject === subject(part)).at(-1);
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
    const { sums: typing, paper: from } = openOf(part)?.operation.request ?? {};
    const sums = typing ?? part?.typed ?? {};
    for (const [input, value] of [[total, typing || wasTyped(part) ? sums.total ?? 0 : undefined], [hits, sums.hits], [golds, sums.golds], [x, sums.xCount]]) input.value = value ?? "";
    paper.value = from ?? "";
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
    return faultOf(part, sums) || { sums };
  };
  const answer = await ask({ title: say("Type the total of {name}", { name: displayName }), yes: say("Save"), read, fields: [
    el("p", {}, say("It counts instead of the arrows of that part, which stay beside it.")),
    table(say("Parts"), [say("Part"), say("Arrows"), say("Typed"), ""], parts.map((part) => [partText(part), `${sumsText(part.arrows)} (${part.arrows ? part.arrows.arrowCount ?? 0 : "?"}/${part.arrowCount})`,
      openOf(part)?.operation.request.sums ? `${sumsText(openOf(part)?.operation.request.sums)} (${say("waiting")})` : wasTyped(part) ? sumsText(part.typed) : "–", part.differs ? say("they differ") : ""])),
    field(say("Part"), which), field(say("Total"), total), field(say("Hits"), hits), field(say("Golds"), golds, say("Tens with X, or nines of five rings.")), field("X", x),
    field(say("Which paper"), paper), ...ofCorrection] });
  if (!answer) return " ";
  const part = chosen();
  const why = reason.value.trim();
  const request = answer.removes ? { participantId, id: answer.removes, reason: why }
    : { participantId, part: part.part ?? 0, sums: answer.sums, paper: paper.value.trim(), ...wasTyped(part) ? { replacesId: part.typedId, reason: why } : {} };
  const before = openOf(part);
  try {
    return await submit({ kind: "call", subject: subject(part), method: answer.removes ? "Events/RemoveTypedTotal" : "Events/SetTypedTotal", request, ...await instead(before, Boolean(answer.removes), request),
      title: { text: `${displayName}, ${partText(part)}: ${answer.removes ? say("remove the total") : sumsText(answer.sums)}` } }, say("Done."), true);
  } finally {
    await again();
  }
}

/**
 * What a change needs that comes instead of one that waits: nothing if that was never sent, else the id of the total that it makes.
 * @param {import("../client/entries.js").Entry | undefined} before @param {boolean} removes @param {any} request
 */
async function instead(before, removes, request) {
  if (!before || await withdraw(before)) return {};
  if (!(await waiting()).some(({ clientId }) => clientId === before.clientId)) throw new Refusal(say("What waited is stored now. Look at it before you type again."));
  if (before.operation.method === "Events/RemoveTypedTotal") {
    delete request.replacesId;
    return { after: before.clientId };
  }
  request.reason ||= say("typed again at the desk");
  return { after: before.clientId, revision: removes ? "id" : "replacesId", from: "id" };
}

/**
 * Shows the typed parts of which the arrows show something else: an official removes the total, or lets it count.
 * @param {any[]} rows of the standings
 */
export async function showDifferences(rows) {
  /** @type {string[][]} */
  const found = [];
  for (const { row } of rows.filter((one) => one.row.typed)) {
    const { parts = [] } = await call("Events/GetComparedCard", { participantId: row.participantId });
    for (const part of parts) if (part.differs) found.push([row.displayName ?? "", partText(part), sumsText(part.arrows), sumsText(part.typed)]);
  }
  await ask({ title: say("Typed totals and arrows"), yes: say("Close"), fields: [found.length === 0 ? el("p", {}, say("No typed total differs from its arrows."))
    : table(say("Typed totals and arrows"), [say("Name"), say("Part"), say("Arrows"), say("Typed")], found)] });
  return " ";
}

/**
 * What is typed of a card on paper, to be compared with the card: the whole of it, or a distance.
 * @param {any} card
 */
export function paperOf(card) {
  /** @type {any[]} */
  const parts = card.parts ?? [];
  const whole = { part: 0, paper: card.summary?.paper, paperDiffers: card.paperDiffers };
  const choices = [whole, ...parts.length > 1 ? parts : []];
  const which = choice(choices.map((part) => [String(part.part), partText(part)]), "0", { onchange: () => fill() });
  const chosen = () => choices.find((part) => String(part.part) === which.value);
  const count = () => el("input", { inputMode: "numeric", autocomplete: "off", maxLength: 5 });
  const inputs = { total: count(), hits: count(), golds: count(), xCount: count() };
  const names = /** @type {("total" | "hits" | "golds" | "xCount")[]} */ (Object.keys(inputs));
  const differs = el("p", {});
  const fill = () => {
    const { paper, paperDiffers } = chosen();
    for (const name of names) inputs[name].value = paper?.[name] ?? (paper && name === "total" ? 0 : "");
    differs.textContent = paperDiffers ? say("they differ") : "";
  };
  fill();
  return {
    fields: [choices.length > 1 ? field(say("Part"), which) : null, field(say("Total on paper"), inputs.total, say("It is compared with the arrows.")), differs,
      field(say("Hits"), inputs.hits), field(say("Golds"), inputs.golds, say("Tens with X, or nines of five rings.")), field("X", inputs.xCount)],
    /** What changes: a request; nothing if it stays; or what is wrong. @returns {any} */
    read: () => {
      const { part, paper } = chosen();
      const sums = /** @type {any} */ (Object.fromEntries(names.map((name) => [name, numberOf(inputs[name])])));
      const isEmpty = names.every((name) => sums[name] === undefined);
      if (Object.values(sums).includes(null) || sums.total === undefined && !isEmpty) {
        return say("Type the total, and whole numbers as counts. Leave a count empty that the paper does not have.");
      }
      const isSame = isEmpty ? !paper : Boolean(paper) && names.every((name) => sums[name] === (paper[name] ?? (name === "total" ? 0 : undefined)));
      return isSame ? {} : { request: { part, ...sums } };
    },
  };
}

/**
 * The sums on paper of a part that somebody else has typed meanwhile, beside the own ones.
 * @param {any} theirs a card @param {any} seen the card before @param {any} request
 */
export function paperDifferences(theirs, seen, request) {
  const of = (/** @type {any} */ card) => sumsText(request.part ? (card.parts ?? []).find((/** @type {any} */ one) => one.part === request.part)?.paper : card.summary?.paper);
  const { part: _, ...sums } = request, mine = sums.total === undefined ? "–" : sumsText(sums);
  return of(theirs) === of(seen) || of(theirs) === mine ? [] : [[say("Total on paper"), of(theirs), mine]];
}
