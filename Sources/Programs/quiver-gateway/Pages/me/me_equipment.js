// Equipment: the hub of ten types, lists with the archive, items with sight marks, and bow setups with versions.
import { button, call, choice, el, field, say, table, timeText } from "../desk/kit.js";
import { figure, nameOf } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/**
 * The three groups and the ten types, in the order of the hub, with the labels for one and for several.
 * @type {[string, [string, string, string][]][]}
 */
export const groups = [
  ["Bow components", [["RISER", "Riser", "Risers"], ["LIMBS", "Limbs", "Limbs"], ["SIGHT", "Sight", "Sights"], ["REST", "Rest", "Rests"], ["PLUNGER", "Plunger", "Plungers"]]],
  ["String & stabilization", [["BOW_STRING", "String", "Strings"], ["STABILIZER", "Stabilizer", "Stabilizers"], ["WEIGHT", "Weight", "Weights"]]],
  ["Arrows & accessories", [["ARROW", "Arrow Set", "Arrows"], ["ACCESSORY", "Accessory", "Accessories"]]],
];
const types = groups.flatMap(([, list]) => list);
const prefix = "EQUIPMENT_TYPE_";
/** The name of a type in methods: `BowString` of `BOW_STRING`. */
const methodOf = (/** @type {string} */ type) => type.toLowerCase().replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase());
const labelOf = (/** @type {string} */ type) => say(types.find(([key]) => key === type.replace(prefix, ""))?.[1] ?? "");

/** `#/equipment`, `#/equipment/TYPE` and `#/equipment/TYPE/ID`. */
export async function equipment(/** @type {Archer} */ archer) {
  const [type, id] = archer.rest;
  if (id) return item(archer, type, id);
  return type ? list(archer, type) : hub(archer);
}

async function hub(/** @type {Archer} */ archer) {
  const found = await archer.read("Equipment/GetHub");
  /** @type {Map<string, Message>} */
  const counts = new Map((found.groups ?? []).flatMap((/** @type {Message} */ group) => group.counts ?? []).map((/** @type {Message} */ one) => [one.type.replace(prefix, ""), one]));
  const sum = (/** @type {[string, string, string][]} */ list) => list.reduce((total, [key]) => total + (counts.get(key)?.count ?? 0), 0);
  return [el("p", {}, say("{count} items, {archived} in the archive.", { count: found.total ?? 0, archived: found.archivedTotal ?? 0 })),
    ...groups.map(([name, list]) => el("section", {}, el("h2", {}, `${say(name)} (${sum(list)})`),
      el("ul", { className: "hub" }, list.map(([key, , plural]) => el("li", {},
        el("a", { href: `#/equipment/${key}` }, say(plural), el("strong", {}, String(counts.get(key)?.count ?? 0))))))))];
}

async function list(/** @type {Archer} */ archer, /** @type {string} */ type) {
  const items = await archer.list("Equipment/ListItems", { type: prefix + type, includeArchived: true }, "items");
  const rows = (/** @type {Message[]} */ shown) => shown.map((one) => [
    el("a", { href: `#/equipment/${type}/${one.id}` }, `${one.displayBrand} ${one.displayModel}`.trim()),
    archer.isOwn ? button(say(one.archived ? "Take back" : "Archive"), async () => {
      await call(`Equipment/${one.archived ? "Restore" : "Archive"}${methodOf(type)}`, { id: one.id, revision: one.revision });
      await archer.reload();
      return say(one.archived ? "{name} is in the list again." : "{name} is in the archive.", { name: one.displayModel });
    }) : ""]);
  const title = say(types.find(([key]) => key === type)?.[2] ?? "");
  const archived = items.filter((one) => one.archived);
  return [el("p", {}, el("a", { href: "#/equipment" }, say("Equipment"))), el("h2", {}, title),
    table(title, [say("Brand and model"), ""], rows(items.filter((one) => !one.archived))),
    archived.length === 0 ? null : el("details", {}, el("summary", {}, say("Archive ({count})", { count: archived.length })),
      table(say("Archive ({count})", { count: archived.length }), [say("Brand and model"), ""], rows(archived)))];
}

/** What an item has besides these is shown under its name. */
const hiddenFields = new Set(["id", "clientId", "revision", "createdAtMs", "updatedAtMs", "displayBrand", "displayModel", "archived", "setupUseCount"]);

async function item(/** @type {Archer} */ archer, /** @type {string} */ type, /** @type {string} */ id) {
  const found = await archer.read(`Equipment/Get${methodOf(type)}`, { id });
  const marks = type === "SIGHT" ? (await archer.read("Equipment/ListSightMarks", { sightId: id })).sightMarks ?? [] : null;
  return [el("p", {}, el("a", { href: `#/equipment/${type}` }, say(types.find(([key]) => key === type)?.[2] ?? ""))),
    el("h2", {}, `${found.displayBrand ?? ""} ${found.displayModel ?? ""}`.trim()),
    found.archived ? el("p", {}, say("in the archive")) : null,
    el("dl", {}, Object.entries(found).filter(([key]) => !hiddenFields.has(key)).flatMap(([key, value]) => [
      el("dt", {}, nameOf(key.replace(/([A-Z])/g, "_$1"), "")), el("dd", {}, valueText(value))]),
    el("dt", {}, say("Used by setups")), el("dd", {}, String(found.setupUseCount ?? 0))),
    marks ? [el("h3", {}, say("Sight marks")), marksTable(marks)] : null].flat();
}

/**
 * A value of an item: an enum without its prefix.
 * @param {any} value
 * @returns {string}
 */
function valueText(value) {
  if (typeof value === "number") return figure(value, Number.isInteger(value) ? 0 : 2);
  if (value && typeof value === "object") return Object.values(value).map(valueText).join(", ");
  return /^[A-Z]+(_[A-Z]+)+$/.test(String(value)) ? nameOf(String(value), /^(REST_TYPE|STABILIZER_POSITION|LIMB_LENGTH|ACCESSORY_TYPE|PLUNGER_ADJUSTMENT)_/.exec(String(value))?.[0] ?? "") : String(value);
}

const unitOf = (/** @type {string | undefined} */ unit) => unit === "DISTANCE_UNIT_YARD" ? "yd" : "m";

/** Sight marks by distance. */
function marksTable(/** @type {Message[]} */ marks) {
  const metres = (/** @type {Message} */ mark) => (mark.distance ?? 0) * (unitOf(mark.unit) === "yd" ? .9144 : 1);
  return table(say("Sight marks"), [say("Distance"), say("Mark"), say("Notes")],
    [...marks].sort((a, b) => metres(a) - metres(b)).map((mark) => [`${mark.distance} ${unitOf(mark.unit)}`, figure(mark.markValue, 2), mark.notes ?? ""]));
}

/** `#/setups`, `#/setups/ID` and `#/setups/ID/VERSION`. */
export async function setups(/** @type {Archer} */ archer) {
  const [id, version] = archer.rest;
  if (id) return setup(archer, id, Number(version ?? 0));
  const found = await archer.list("Equipment/ListBowSetups", { includeInactive: true }, "setups");
  const state = (/** @type {Message} */ one) => one.isDefault ? say("default") : one.isActive ? "" : say("not active");
  return [el("h2", {}, say("Setups")), table(say("Setups"), [say("Name"), say("State"), say("Version"), say("Parts"), say("Changed")],
    found.map((one) => [el("a", { href: `#/setups/${one.id}` }, one.name || say("Unnamed setup")), state(one),
      String(one.version ?? 0), String(one.componentCount ?? 0), timeText(one.updatedAtMs, true)]))];
}

async function setup(/** @type {Archer} */ archer, /** @type {string} */ id, /** @type {number} */ version) {
  const [found, marks] = await Promise.all([archer.read("Equipment/GetBowSetup", { id, version }), archer.read("Equipment/ListSightMarks", { setupId: id })]);
  const latest = found.latestVersion ?? 1;
  const versions = Array.from({ length: latest }, (_, place) => /** @type {[string, string]} */ ([String(latest - place), String(latest - place)]));
  const select = choice(versions, String(found.version ?? latest), { onchange: () => { location.hash = `#/setups/${id}/${select.value}`; } });
  return [el("p", {}, el("a", { href: "#/setups" }, say("Setups"))), el("h2", {}, found.name || say("Unnamed setup")),
    found.notes ? el("p", {}, found.notes) : null,
    el("div", { className: "row" }, field(say("Version"), select), el("p", {}, say("made {time}", { time: timeText(found.versionMadeAtMs, true) }))),
    table(say("Parts"), [say("Part"), say("Brand and model"), say("Quantity")], (found.components ?? []).map((/** @type {Message} */ part) => [
      labelOf(part.type), `${part.displayBrand ?? ""} ${part.displayModel ?? ""}${part.deleted ? ` (${say("deleted")})` : ""}`.trim(), String(part.quantity ?? 1)])),
    el("h3", {}, say("Sight marks")), marksTable(marks.sightMarks ?? [])];
}
