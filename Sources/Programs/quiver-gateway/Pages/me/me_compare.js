// The comparison of two bow setups: cards, differences with a sign and a colour, confidence, and where the arrows are.
import { choice, el, field, say, table } from "../desk/kit.js";
import { figure, signed, svg } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/** @type {[string, string][]} */
const ranges = [["SEVEN_DAYS", "7 days"], ["THIRTY_DAYS", "30 days"], ["NINETY_DAYS", "90 days"], ["ALL_TIME", "all time"]];
const prefix = "COMPARISON_RANGE_";

/** What is chosen, for as long as the page is open. */
const chosen = { a: "", b: "", range: "", user: /** @type {string | null} */ (null) };

/** `#/compare`. */
export async function compare(/** @type {Archer} */ archer) {
  if (chosen.user !== archer.user) Object.assign(chosen, { a: "", b: "", range: "", user: archer.user });
  const [setups, stored] = await Promise.all([archer.list("Comparison/ListComparableSetups", {}, "setups"),
    chosen.range ? null : archer.read("Comparison/GetRange")]);
  // The stored range comes back before the first comparison; 30 days if none was chosen.
  if (stored) chosen.range = String(stored.range ?? "").replace(prefix, "");
  if (!ranges.some(([key]) => key === chosen.range)) chosen.range = "THIRTY_DAYS";
  const result = el("div", { id: "result" });
  // B's list leaves A out, and what was compared is void with every choice.
  const options = (/** @type {string} */ without) => /** @type {[string, string][]} */ ([["", say("choose…")],
    ...setups.filter((one) => one.id !== without).map((one) => [one.id, one.displayName])]);
  const a = choice(options(""), chosen.a), range = choice(ranges.map(([key, text]) => [key, say(text)]), chosen.range);
  let b = choice(options(chosen.a), chosen.b);
  const place = field("B", b);
  let shows = 0;
  const show = async () => {
    // The answer to an earlier choice may come behind a later one.
    const number = ++shows;
    result.replaceChildren();
    if (!chosen.a || !chosen.b) return;
    try {
      const found = await archer.read("Comparison/Compare", { setups: [{ id: chosen.a }, { id: chosen.b }], range: { range: prefix + chosen.range }, includeShots: true });
      if (number === shows) result.replaceChildren(...shown(found));
    } catch (/** @type {any} */ error) {
      if (number === shows) result.replaceChildren(el("p", { className: "bad" }, say("Failed to compare setups: {message}", { message: error.message })));
    }
  };
  const listen = () => b.addEventListener("change", () => { chosen.b = b.value; show(); });
  a.addEventListener("change", () => {
    chosen.a = a.value;
    // A that is chosen as B clears B.
    if (chosen.b === chosen.a) chosen.b = "";
    const next = choice(options(chosen.a), chosen.b);
    b.replaceWith(next);
    b = next;
    listen();
    show();
  });
  range.addEventListener("change", () => { chosen.range = range.value; show(); });
  listen();
  await show();
  if (setups.length < 2) return [el("h2", {}, say("Comparison")), el("p", {}, say("Two active setups are needed."))];
  return [el("h2", {}, say("Comparison")), el("div", { className: "pair" }, field("A", a), place, field(say("Range"), range)), result];
}

/** The cards, the differences, the confidence and the plots of an answer. */
function shown(/** @type {Message} */ found) {
  const [a, b] = found.setups ?? [];
  const pair = found.pairs?.[0] ?? {};
  return [el("div", { className: "pair" }, card("A", a), card("B", b)), differences(pair), confidence(pair.inference),
    el("div", { className: "pair" }, plot("A", a), plot("B", b))];
}

function card(/** @type {string} */ side, /** @type {Message} */ one) {
  const of = one?.performance ?? {};
  const name = `${side}: ${one?.setup?.displayName ?? ""}`;
  if (!of.hasData) return el("section", { className: "card" }, el("h3", {}, name), el("p", { className: "empty" }, say("No arrows in this range.")));
  const rows = /** @type {[string, string][]} */ ([["Arrows", String(of.totalArrows ?? 0)], ["Average", figure(of.averageScore, 2)], ["Accuracy", `${figure(of.accuracyPercent, 1)} %`],
    ["Consistency", `${figure(of.consistencyPercent, 1)} %`], ["X", String(of.xCount ?? 0)], ["Tens", String(of.tenCount ?? 0)], ["Misses", String(of.missCount ?? 0)],
    ["Rounds", String(of.roundCount ?? 0)]]);
  return el("section", { className: "card" }, el("h3", {}, name), el("dl", {}, rows.flatMap(([label, value]) => [el("dt", {}, say(label)), el("dd", {}, value)])));
}

/** A difference of the server, such as +1.25, as the language writes numbers. */
const deltaText = (/** @type {string} */ text) => signed(Number(text), 2);

/** B minus A: the sign says the direction, the words who is better, and the colour both again. */
export function differences(/** @type {Message} */ pair) {
  const deltas = pair.deltas;
  if (!deltas) return el("p", {}, say("There is no difference to show: one side has no arrows."));
  const words = /** @type {Record<string, [string, string]>} */ ({ DELTA_DIRECTION_B_BETTER: ["B is better", "better-b"], DELTA_DIRECTION_A_BETTER: ["A is better", "better-a"] });
  const row = (/** @type {string} */ label, /** @type {Message} */ delta) => {
    const [text, name] = words[delta?.direction] ?? ["no difference", ""];
    return [say(label), el("span", { className: name }, deltaText(delta?.text ?? "0.00")), say(text)];
  };
  return table(say("B minus A"), [say("B minus A"), say("Difference"), ""], [row("Average", deltas.averageScore), row("Accuracy", deltas.accuracy), row("Consistency", deltas.consistency),
    [say("Arrows"), deltas.arrowCountText ?? "0", ""]]);
}

/** What the tests say; their sentences are English, as the server has them. */
function confidence(/** @type {Message | undefined} */ inference) {
  if (!inference) return null;
  const labels = ["Average", "Accuracy", "Consistency"];
  const sentence = (/** @type {string} */ text) => el("p", { lang: "en" }, text);
  return el("section", {}, el("h3", {}, say("Confidence")), inference.overallWords ? sentence(inference.overallWords) : null,
    (inference.metrics ?? []).map((/** @type {Message} */ metric, /** @type {number} */ place) => el("div", {}, el("strong", {}, say(labels[place] ?? "Handicap")), sentence(metric.words ?? ""))),
    inference.handicap?.words ? el("div", {}, el("strong", {}, say("Handicap")), sentence(inference.handicap.words)) : null);
}

/** Where the arrows of a setup are, with the ellipse that holds half of them; a face for each diameter. */
function plot(/** @type {string} */ side, /** @type {Message} */ one) {
  const groups = /** @type {Message[]} */ (one?.performance?.groups ?? []);
  const shots = /** @type {Message[]} */ (one?.shots ?? []);
  return el("section", {}, groups.filter((group) => Number(group.positionCount ?? 0) > 0).map((group) => {
    const here = shots.filter((shot) => shot.diameterCm === group.diameterCm);
    const size = group.size;
    const title = say("{side}: {count} arrows on a face of {size} cm", { side, count: group.positionCount, size: group.diameterCm });
    return el("figure", {}, svg("svg", { class: "face", viewBox: "-1.15 -1.15 2.3 2.3", role: "img", "aria-label": title },
      [.2, .4, .6, .8, 1].map((radius) => svg("circle", { class: "ring", r: radius })),
      here.map((shot) => svg("circle", { class: "shot", r: .02, cx: (shot.x ?? 0).toFixed(4), cy: (-(shot.y ?? 0)).toFixed(4) })),
      size ? svg("ellipse", { class: "group", rx: size.semiMajor50 ?? 0, ry: size.semiMinor50 ?? 0,
        transform: `translate(${group.meanX ?? 0} ${-(group.meanY ?? 0)}) rotate(${-(size.angleRadians ?? 0) * 180 / Math.PI})` }) : null),
    el("figcaption", {}, title));
  }));
}
