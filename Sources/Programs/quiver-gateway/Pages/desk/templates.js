// Events of usual kinds, as clubs shoot them: the round of each bow, who shoots together, and how matches are scored.
import { ask, call, choice, el, field, say } from "./kit.js";

/** @typedef {import("./kit.js").Message} Message */

const bows = /** @type {[string, string, string][]} */ ([["R", "Recurve", "BOWSTYLE_RECURVE"], ["C", "Compound", "BOWSTYLE_COMPOUND"],
  ["B", "Barebow", "BOWSTYLE_BAREBOW"], ["L", "Longbow", "BOWSTYLE_LONGBOW"]]);

/**
 * A template: four on a target in two details. `rounds` are by bow, of men and, where theirs are others, of women.
 * @param {string} key @param {string} name @param {string} tiePolicy @param {number} arrowsPerEnd @param {boolean} hasMatches
 * @param {Record<string, string | [string, string]>} rounds
 */
function template(key, name, tiePolicy, arrowsPerEnd, hasMatches, rounds) {
  const categories = bows.flatMap(([letter, bow, bowstyle]) => {
    const round = rounds[letter];
    if (!round) return [];
    const [men, women] = typeof round === "string" ? [round, round] : round;
    const matchSystem = !hasMatches ? "" : letter === "C" ? "MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE" : "MATCH_SYSTEM_INDIVIDUAL_SETS";
    return [["W", "Women", "ARCHER_GENDER_FEMALE", women], ["M", "Men", "ARCHER_GENDER_OPEN", men]].map(([end, word, gender, format]) =>
      (/** @type {Message} */ ({ code: letter + end, name: `${bow} ${word}`, bowstyle, gender, format, arrowsPerEnd, matchSystem })));
  });
  return { key, name, tiePolicy, archersPerTarget: 4, details: ["AB", "CD"], categories };
}

/** The first format of a template is that of the event. */
export const templates = [
  template("wa18", "WA 18 m", "TIE_POLICY_WA_INDOOR", 3, true, { R: "wa18", C: "wa18_compound", B: "wa18", L: "wa18" }),
  template("wa25", "WA 25 m", "TIE_POLICY_WA_INDOOR", 3, true, { R: "wa25", C: "wa25_compound", B: "wa25", L: "wa25" }),
  template("wa70", "WA 70 m", "TIE_POLICY_WA_OUTDOOR_2026", 6, true, { R: "wa720_70" }),
  template("wa50", "WA 50 m compound", "TIE_POLICY_WA_OUTDOOR_2026", 6, true, { C: "wa720_50_c" }),
  template("wa720", "WA 720 (70 m, 50 m)", "TIE_POLICY_WA_OUTDOOR_2026", 6, true, { R: "wa720_70", C: "wa720_50_c", B: "wa720_50_b" }),
  template("wa1440", "WA 1440", "TIE_POLICY_WA_OUTDOOR_2026", 6, false, { R: ["wa1440_90", "wa1440_70"], C: ["wa1440_90", "wa1440_70"] }),
  template("portsmouth", "Portsmouth", "TIE_POLICY_IMPERIAL", 3, false, { R: "portsmouth", C: "portsmouth_compound", B: "portsmouth", L: "portsmouth" }),
  template("worcester", "Worcester", "TIE_POLICY_IMPERIAL", 3, false, { R: "worcester", C: "worcester", B: "worcester", L: "worcester" }),
  template("bray", "Bray I", "TIE_POLICY_IMPERIAL", 3, false, { R: "bray_i", C: "bray_i_compound", B: "bray_i", L: "bray_i" }),
  template("frostbite", "Frostbite", "TIE_POLICY_IMPERIAL", 6, false, { R: "frostbite", C: "frostbite", B: "frostbite", L: "frostbite" }),
  { ...template("york", "York, Hereford", "TIE_POLICY_IMPERIAL", 6, false, { R: ["york", "hereford"], C: ["york", "hereford"] }), archersPerTarget: 3, details: ["ABC"] },
  template("vegas", "Vegas 300", "TIE_POLICY_X_FIRST", 3, false, { R: "vegas_300", C: "vegas_300", B: "vegas_300" }),
];

const fieldsOf = (/** @type {Message} */ { code, name, bowstyle, gender, ageGroup }) => ({ code, name, bowstyle, gender, ageGroup });

/** How the matches of a category are scored that usually follow; empty: none do. */
export function matchSystemOf(/** @type {Message} */ category) {
  const codename = category.format?.codename;
  for (const one of templates.flatMap(({ categories }) => categories)) {
    if (one.format === codename && one.bowstyle === category.bowstyle && one.matchSystem) return one.matchSystem;
  }
  return category.bowstyle === "BOWSTYLE_COMPOUND" ? "MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE" : "MATCH_SYSTEM_INDIVIDUAL_SETS";
}

/**
 * Asks for a new event.
 * @returns {Promise<(() => Promise<Message>) | null>} what creates it; null: nobody wants it
 */
export async function newEvent() {
  const of = () => /** @type {Message} */ (templates.find(({ key }) => key === template.value) ?? templates[0]);
  const name = el("input", { maxLength: 200, required: true });
  const template = choice(templates.map(({ key, name: text }) => /** @type {[string, string]} */ ([key, text])), "", { onchange: () => show() });
  const starts = el("input", { type: "datetime-local" });
  const count = el("input", { type: "number", min: 1, max: 200, value: 15, required: true });
  const isPublic = el("input", { type: "checkbox" });
  const places = el("p", {});
  const boxes = el("fieldset", { className: "checks" });
  const show = () => {
    const chosen = of();
    places.textContent = say("{archers} archers on a target, who shoot as {details}; ends of {arrows} arrows.", { archers: chosen.archersPerTarget,
      details: chosen.details.join(", "), arrows: [...new Set(chosen.categories.map((/** @type {Message} */ one) => one.arrowsPerEnd))].join(", ") });
    boxes.replaceChildren(el("legend", {}, say("Categories")), ...chosen.categories.map((/** @type {Message} */ one) =>
      el("label", {}, el("input", { type: "checkbox", checked: true, value: one.code }), ` ${one.code} ${one.name}`)));
  };
  show();
  const codes = () => [...boxes.querySelectorAll("input:checked")].map((/** @type {any} */ { value }) => value);
  const answer = await ask({ title: say("New event"), yes: say("Create"), fields: [
    field(say("Name"), name), field(say("Round"), template, say("Categories and faces follow from it; each can be changed.")), places, boxes,
    field(say("First session starts"), starts), field(say("Number of targets"), count),
    field(say("Everybody with the address may watch and join"), isPublic)],
  read: () => !name.value.trim() ? say("Give a name.") : codes().length === 0 ? say("Choose a category.")
    : !(count.value >= 1 && count.value <= 200) ? say("1 to 200 targets.") : true });
  if (!answer) return null;
  const wanted = new Set(codes());
  const chosen = of();
  const list = chosen.categories.filter((/** @type {Message} */ { code }) => wanted.has(code));
  return () => create(chosen, list, { name: name.value.trim(), isPublic: isPublic.checked, lastTarget: Number(count.value),
    startsAtMs: starts.value ? String(new Date(starts.value).getTime()) : "0" });
}

/** Creates an event; deletes it again if a part of it cannot be created. */
async function create(/** @type {Message} */ template, /** @type {Message[]} */ list, /** @type {Message} */ given) {
  const [first, ...others] = list;
  const event = await call("Tournament/CreateTournament", { name: given.name, maxParticipants: 500, isPublic: given.isPublic,
    tiePolicy: template.tiePolicy, format: { codename: first.format } });
  try {
    const { categories } = await call("Events/ListEventCategories", { tournamentId: event.id });
    await call("Events/UpdateEventCategory", { category: { ...categories[0], ...fieldsOf(first) } });
    for (const one of others) {
      await call("Events/CreateEventCategory", { category: { tournamentId: event.id, ...fieldsOf(one) },
        format: one.format === first.format ? undefined : { codename: one.format } });
    }
    await call("Events/CreateEventSession", { session: { tournamentId: event.id, name: say("Session 1"),
      startsAtMs: given.startsAtMs, firstTarget: 1, lastTarget: given.lastTarget, archersPerTarget: template.archersPerTarget } });
  } catch (error) {
    // Without a connection it stays, and is in the list of events.
    await call("Tournament/DeleteTournament", { id: event.id }).catch(() => {});
    throw error;
  }
  return { ...event, categoryCount: list.length };
}
