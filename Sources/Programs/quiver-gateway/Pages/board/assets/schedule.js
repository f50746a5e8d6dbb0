// What begins when: sessions, and rounds of matches.
import { $, board, el, say, timeText } from "./page.js";
import { rounds, stageName } from "./matches.js";

/** @typedef {import("./page.js").Message} Message */

/** The targets from the first to the last. */
const span = (/** @type {number[]} */ targets) => {
  const [first, last] = [Math.min(...targets), Math.max(...targets)];
  return targets.length === 0 ? "" : first === last ? String(first) : `${first}–${last}`;
};

/**
 * All that has a time, in its order, as far as the brackets were read.
 * @returns {{at: number, what: string, targets: string}[]}
 */
export function planned() {
  const found = board.sessions.map((session) => ({ at: Number(session.startsAtMs ?? 0), what: session.name ?? "",
    targets: span([session.firstTarget ?? 0, session.lastTarget ?? 0]) }));
  for (const stage of board.stages) {
    for (const round of rounds(board.brackets.get(stage.id) ?? {})) {
      /** @type {Map<number, Message[]>} */
      const starts = new Map();
      for (const match of round.matches) starts.set(Number(match.startsAtMs ?? 0), [...starts.get(Number(match.startsAtMs ?? 0)) ?? [], match]);
      for (const [at, matches] of starts) {
        found.push({ at, what: `${stageName(stage)}, ${round.name}`,
          targets: span(matches.flatMap((match) => match.sides ?? []).map((side) => side.target).filter(Boolean)) });
      }
    }
  }
  return found.filter((one) => one.at).sort((a, b) => a.at - b.at);
}

/** Draws the schedule. Returns whether there is one. */
export function drawSchedule() {
  const list = planned();
  $("teams").replaceChildren(list.length === 0 ? "" : el("table", {}, el("caption", {}, say("schedule")),
    el("thead", {}, el("tr", {}, ...[["when", "begins"], ["name", "what"], ["place", "targets"]].map(([kind, key]) => el("th", { scope: "col", className: kind }, say(key))))),
    el("tbody", {}, list.map((one) => el("tr", {}, el("td", { className: "when" }, timeText(one.at)),
      el("th", { scope: "row", className: "name" }, el("bdi", { className: "who" }, one.what)), el("td", { className: "place" }, one.targets))))));
  document.dispatchEvent(new Event("drawn"));
  return list.length > 0;
}
