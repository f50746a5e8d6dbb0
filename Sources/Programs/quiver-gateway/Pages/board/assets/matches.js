// Brackets, groups and single matches.
import { $, board, categoryName, el, say, timeText } from "./page.js";

/** @typedef {import("./page.js").Message} Message */

/** What each state is called. */
const stateWords = /** @type {Record<string, string>} */ ({
  MATCH_STATE_WAITING: "waiting", MATCH_STATE_BYE: "bye", MATCH_STATE_SCHEDULED: "scheduled", MATCH_STATE_SHOOTING: "shooting",
  MATCH_STATE_SHOOT_OFF: "shootOff", MATCH_STATE_MEASURING: "measuring", MATCH_STATE_FINISHED: "finished", MATCH_STATE_CONFIRMED: "confirmed",
});
export const isRunning = (/** @type {Message} */ match) => /SHOOTING|SHOOT_OFF|MEASURING/.test(match.state ?? "");
const isBySets = (/** @type {Message | undefined} */ stage) => /SETS$/.test(stage?.system ?? "");

/** Takes a message of the watch of a bracket. */
export function takeBracket(/** @type {string} */ id, /** @type {Message} */ message, /** @type {boolean} */ startsSnapshot) {
  const bracket = message.bracket;
  if (!bracket) return;
  const known = board.brackets.get(id);
  const matches = new Map((startsSnapshot ? [] : known?.matches ?? []).map((/** @type {Message} */ match) => [match.id, match]));
  for (const match of bracket.matches ?? []) matches.set(match.id, match);
  board.brackets.set(id, { ...bracket, stage: bracket.stage ?? known?.stage, matches: [...matches.values()] });
}

/** What a stage is called. */
export function stageName(/** @type {Message} */ stage) {
  const names = [stage.categoryId, stage.secondCategoryId].filter((id) => id && id !== "0").map(categoryName);
  const name = names.join(" + ") || (stage.categoryCode ?? "");
  if (stage.teamGroup) return say("teamStage", { name });
  if (stage.groupCount) return say("groupStage", { name, count: stage.groupCount });
  return say("stage", { name, count: stage.entrantCount ?? stage.size ?? "" });
}

/** What a round of a bracket is called. */
export function roundName(/** @type {Message} */ match, /** @type {Message | undefined} */ stage) {
  const size = match.roundSize ?? 0;
  if (size === 0) return say("group", { group: match.group ?? 1, round: match.groupRound ?? 1 });
  if (size === 2) return say(match.index ? "bronze" : "gold");
  if (size === 4) return say("semifinals");
  if (size === 8) return say("quarterfinals");
  // With exempt seeds the first two rounds have 48 and 24 matches.
  const fraction = stage?.exemptSeeds ? { 128: 48, 64: 24 }[/** @type {64} */ (size)] ?? size / 2 : size / 2;
  return say("fraction", { n: fraction });
}

/** The rounds of a bracket in the order in which they are shot. */
export function rounds(/** @type {Message} */ bracket) {
  /** @type {Map<string, {name: string, order: number, matches: Message[]}>} */
  const found = new Map();
  for (const match of bracket.matches ?? []) {
    const name = roundName(match, bracket.stage);
    // The match for bronze is shot before that for gold.
    const order = match.roundSize ? -(match.roundSize * 2 + (match.index && match.roundSize === 2 ? 1 : 0)) : (match.groupRound ?? 1) * 1000 + (match.group ?? 1);
    const round = found.get(name) ?? { name, order, matches: /** @type {Message[]} */ ([]) };
    round.matches.push(match);
    found.set(name, round);
  }
  for (const round of found.values()) round.matches.sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return [...found.values()].sort((a, b) => a.order - b.order);
}

/** The points by which a match is decided. */
const pointsOf = (/** @type {Message} */ side, /** @type {Message | undefined} */ stage) => String((isBySets(stage) ? side.setPoints : side.total) ?? 0);

const nameOf = (/** @type {Message | undefined} */ side, /** @type {Message} */ match) =>
  side?.displayName || (match.state === "MATCH_STATE_BYE" ? say("bye") : say("open_"));

/** Where and when a match is shot, and how far it is. */
function headOf(/** @type {Message} */ match) {
  const targets = [...new Set((match.sides ?? []).map((/** @type {Message} */ side) => side.target).filter(Boolean))];
  const isAhead = /WAITING|SCHEDULED/.test(match.state ?? "");
  return [
    targets.length > 0 ? say("onTarget", { target: targets.join("–") }) : "",
    isAhead && Number(match.startsAtMs ?? 0) ? timeText(match.startsAtMs) : "",
    match.state === "MATCH_STATE_SCHEDULED" && Number(match.startsAtMs ?? 0) ? "" : say(stateWords[match.state] ?? "waiting"),
  ].filter(Boolean).join(" · ");
}

function sideOf(/** @type {Message} */ match, /** @type {number} */ index, /** @type {Message | undefined} */ stage) {
  const side = match.sides?.[index];
  const hasPoints = isRunning(match) || /FINISHED|CONFIRMED/.test(match.state ?? "");
  const isWinner = match.winner === index + 1;
  return el("span", { className: isWinner ? "side won" : "side" },
    el("span", { className: "seed", "aria-hidden": "true" }, side?.seed ? String(side.seed) : ""),
    el("bdi", { className: "who" }, nameOf(side, match)),
    el("span", { className: "points" }, hasPoints && side ? pointsOf(side, stage) : "",
      isWinner ? el("span", { className: "hidden" }, ` ${say("won")}`) : null));
}

/**
 * The card of a match in a list, which opens it.
 * @param {Message} match
 * @param {Message | undefined} stage
 * @param {(match: Message) => void} open
 */
function card(match, stage, open) {
  const element = el("button", { type: "button", className: isRunning(match) ? "match running" : "match", onclick: () => open(match) },
    el("span", { className: "head" }, headOf(match)), sideOf(match, 0, stage), sideOf(match, 1, stage));
  element.dataset.key = match.id;
  return element;
}

/** Draws a bracket; the focus stays on its match. */
export function drawBracket(/** @type {Message} */ bracket, /** @type {(match: Message) => void} */ open) {
  const focused = /** @type {any} */ (document.activeElement)?.dataset?.key;
  const list = rounds(bracket);
  const isBracket = !bracket.stage?.groupCount;
  $("matches").className = isBracket ? "bracket" : "bracket groups";
  $("matches").replaceChildren(
    ...list.map((round) => el("section", { className: "round" }, el("h2", {}, round.name),
      el("div", { className: "list" }, round.matches.filter((match) => isBracket || match.state !== "MATCH_STATE_BYE").map((match) => card(match, bracket.stage, open))))),
    ranksOf(bracket));
  if (focused) /** @type {any} */ (document.querySelector(`#matches [data-key="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("drawn"));
}

/** Whether all matches of a bracket are over, so that its ranks are final; one that was not read is not. */
export const isDecided = (/** @type {Message | undefined} */ bracket) => Boolean(bracket?.matches?.length)
  && bracket?.matches.every((/** @type {Message} */ match) => /CONFIRMED|BYE/.test(match.state ?? ""));

/** What the first three get. */
const medals = ["gold", "silver", "bronze"];

/**
 * Draws the final ranks: those of the bracket that are decided, and behind them, once all are, who was not in the cut, as the qualification
 * ranks them. Returns whether there are any.
 * @param {Message} bracket
 * @param {Message[]} rows of the standings of the category
 */
export function drawFinals(bracket, rows) {
  const entries = new Map(rows.map(({ row, entry }) => [row.participantId, entry]));
  const ranks = (bracket.ranks ?? []).filter((/** @type {Message} */ one) => one.rank)
    .sort((/** @type {Message} */ a, /** @type {Message} */ b) => a.rank - b.rank || a.seed - b.seed);
  const inCut = new Set((bracket.ranks ?? []).map((/** @type {Message} */ one) => one.participantId));
  // Behind a bracket that was cut from groups their ranks are not one list.
  const isWhole = isDecided(bracket) && !bracket.stage?.teamGroup && Number(bracket.stage?.fromStageId ?? 0) === 0;
  const others = isWhole ? rows.map(({ row }) => row).filter((row) => row.rank && !inCut.has(row.participantId)).sort((a, b) => a.rank - b.rank) : [];
  const lines = [...ranks, ...others].map((one) => ({ rank: one.rank, name: one.displayName ?? "", medal: inCut.has(one.participantId) || one.members ? medals[one.rank - 1] : "",
    more: (one.members ?? []).map((/** @type {Message} */ member) => member.displayName).join(" · ") || (entries.get(one.participantId)?.club ?? "") }));
  $("teams").replaceChildren(lines.length === 0 ? "" : el("table", {}, el("caption", {}, say("finals", { name: bracket.stage ? stageName(bracket.stage) : "" })),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", className: "rank" }, say("rank")), el("th", { scope: "col", className: "name" }, say(bracket.stage?.teamGroup ? "team" : "name")),
      el("th", { scope: "col", className: "medal" }, say("medal")))),
    el("tbody", {}, lines.map((line) => el("tr", { className: line.medal }, el("td", { className: "rank" }, String(line.rank)),
      el("th", { scope: "row", className: "name" }, el("bdi", { className: "who" }, line.name), el("span", { className: "more" }, line.more)),
      el("td", { className: "medal" }, line.medal ? say(line.medal) : ""))))));
  document.dispatchEvent(new Event("drawn"));
  return lines.length > 0;
}

/** The ranks that are decided; of groups those of each group so far. */
function ranksOf(/** @type {Message} */ bracket) {
  const ranks = (bracket.ranks ?? []).filter((/** @type {Message} */ one) => one.rank);
  if (ranks.length === 0) return "";
  const isGroups = Boolean(bracket.stage?.groupCount);
  const byGroup = (/** @type {Message} */ a, /** @type {Message} */ b) => (a.group ?? 0) - (b.group ?? 0) || a.rank - b.rank || a.seed - b.seed;
  return el("section", { className: "round ranks" }, el("h2", {}, say("ranks")),
    el("ol", {}, ranks.sort(byGroup).map((/** @type {Message} */ one) => el("li", {},
      el("span", { className: "seed" }, (isGroups ? `${one.group}: ` : "") + String(one.rank)), " ",
      el("bdi", {}, one.displayName ?? ""), isGroups ? el("span", { className: "points" }, ` ${one.points ?? 0}`) : null))));
}

/** Draws a match with its cards, end by end. */
export function drawMatch(/** @type {Message} */ match, /** @type {any} */ place) {
  const stage = match.stage ?? board.brackets.get(match.stageId)?.stage;
  const entries = (/** @type {number} */ side) => match.sides?.[side]?.entries ?? [];
  const key = (/** @type {Message} */ entry) => (entry.shootOff ? 1000 : 0) + (entry.index ?? 0);
  const keys = [...new Set([...entries(0), ...entries(1)].map(key))].sort((a, b) => a - b);
  const arrows = (/** @type {Message | undefined} */ entry) =>
    (entry?.arrows ?? []).map((/** @type {Message} */ arrow) => arrow.isX ? "X" : String(arrow.value || "M")).join(" ");
  const sum = (/** @type {Message | undefined} */ entry) => entry ? String((entry.arrows ?? []).reduce((/** @type {number} */ all, /** @type {Message} */ arrow) => all + (arrow.value ?? 0), 0)) : "";
  const lineName = (/** @type {number} */ one) => one >= 1000 ? `${say("extra")} ${one - 999}` : `${say(isBySets(stage) ? "set" : "end")} ${one + 1}`;
  const heads = [0, 1].map((side) => el("th", { scope: "col", colSpan: 2 }, el("bdi", {}, nameOf(match.sides?.[side], match))));
  place.replaceChildren(
    el("p", { className: "head" }, headOf(match)),
    el("table", { className: "cards" }, el("thead", {}, el("tr", {}, el("td", {}), ...heads)),
      el("tbody", {}, keys.map((one) => el("tr", {}, el("th", { scope: "row" }, lineName(one)), ...[0, 1].flatMap((side) => {
        const entry = entries(side).find((/** @type {Message} */ other) => key(other) === one);
        return [el("td", { className: "arrows" }, arrows(entry)), el("td", {}, sum(entry))];
      })))),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, say(isBySets(stage) ? "points" : "total")),
        ...[0, 1].flatMap((side) => [el("td", { className: "arrows" }, match.winner === side + 1 ? say("won") : ""),
          el("td", {}, pointsOf(match.sides?.[side] ?? {}, stage))])))),
    ...[0, 1].filter((side) => match.sides?.[side]?.members?.length).map((side) => el("p", {}, el("bdi", {}, match.sides[side].displayName), ": ",
      match.sides[side].members.map((/** @type {Message} */ member) => member.displayName).join(", "))));
}
