// Calls from targets, with what was decided: at the desk, and on the page of judges.
import { ask, button, call, el, field, say, timeText } from "./kit.js";
import "../judge/words.js";

/** @typedef {import("./kit.js").Message} Message */

/** @type {Record<string, string>} */
const kinds = {
  JUDGE: "calls a judge", ABSENT_ARCHER: "archer is absent", ARCHER_STOPPED: "archer has stopped", EQUIPMENT_FAILURE: "equipment failure",
  UNDECIDED_ARROW: "undecided arrow", HELP: "needs help", LATE_ARROWS: "late arrows of a device",
};
const kindOf = (/** @type {Message} */ one) => String(one.kind ?? "").replace("TARGET_CALL_KIND_", "");

/** A call; `done` is called with it once it is decided. */
export function callCard(/** @type {string} */ tournamentId, /** @type {Message} */ one, /** @type {(one: Message) => void} */ done) {
  const kind = kindOf(one);
  const title = `${say("Target {target}", { target: one.target })}: ${say(kinds[kind] ?? kinds.HELP)}`;
  return el("section", { className: "card" }, el("h3", {}, title),
    one.displayName ? el("p", {}, el("bdi", {}, one.displayName), one.owedArrows ? `: ${say("owes {count} arrows", { count: one.owedArrows })}` : "") : null,
    one.text ? el("p", {}, one.text) : null,
    el("p", {}, el("small", {}, say("since {time}, by {name}", { time: timeText(one.raisedAtMs), name: one.raisedBy ?? "" }))),
    button(say("Decide…"), async () => {
      const texts = kind === "UNDECIDED_ARROW" ? ["The higher value counts.", "The lower value counts."] : ["Done at the target.", "Nothing: false alarm."];
      const input = el("input", { maxLength: 300, autocomplete: "off" });
      const quick = el("div", { className: "row" }, texts.map((text) => el("button", { type: "button", onclick: () => { input.value = say(text); input.focus(); } }, say(text))));
      const answer = await ask({ title, text: say("The target sees it. It stays on record."), yes: say("Decide…").replace("…", ""), fields: [quick, field(say("Decision"), input)],
        read: () => input.value.trim() ? true : say("Write what was decided.") });
      if (!answer) return " ";
      await call("Events/ResolveTargetCall", { tournamentId, callId: one.id, decision: input.value.trim() });
      done(one);
      return say("Decided.");
    }, { className: "main", "aria-label": `${say("Decide…")} ${title}` }));
}
