// Events of usual kinds: the server has them, the same as for the command line.
import { ask, call, choice, el, field, say } from "./kit.js";

/** @typedef {import("./kit.js").Message} Message */

const fieldsOf = (/** @type {Message} */ { code, name, bowstyle, gender, ageGroup }) => ({ code, name, bowstyle, gender, ageGroup });

/** How the matches of a category are scored that usually follow; empty: none do. */
export async function matchSystemOf(/** @type {Message} */ category) {
  const { templates = [] } = await call("Events/ListEventTemplates", {});
  const codename = category.format?.codename;
  for (const one of templates.flatMap((/** @type {Message} */ template) => template.categories)) {
    if (one.format === codename && one.bowstyle === category.bowstyle && one.matchSystem) return one.matchSystem;
  }
  return category.bowstyle === "BOWSTYLE_COMPOUND" ? "MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE" : "MATCH_SYSTEM_INDIVIDUAL_SETS";
}

/**
 * Asks for a new event.
 * @returns {Promise<(() => Promise<Message>) | null>} what creates it; null: nobody wants it
 */
export async function newEvent() {
  const { templates = /** @type {Message[]} */ ([]) } = await call("Events/ListEventTemplates", {});
  const of = () => templates.find((/** @type {Message} */ { key }) => key === template.value) ?? templates[0];
  const name = el("input", { maxLength: 200, required: true });
  const template = choice(templates.map((/** @type {Message} */ { key, name: text }) => [key, text]), "", { onchange: () => show() });
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
