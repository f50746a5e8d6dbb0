// Equipment: the hub of ten types, lists with the archive, items with sight marks, and bow setups with versions.
import { button, choice, confirmed, el, field, say, table, timeText } from "../desk/kit.js";
import { dayText, figure } from "./me_figures.js";
import { defaults, fieldsOf, nameFields, notes } from "./me_fields.js";
import { fill, maskOf, protoName, store } from "./me_form.js";
import { rowButton, waitingTable } from "../desk/waiting.js";
import { newId } from "../desk/store.js";

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
  const rows = (/** @type {Message[]} */ shown) => shown.map((one) => {
    const name = `${one.displayBrand} ${one.displayModel}`.trim();
    return [el("a", { href: `#/equipment/${type}/${one.id}` }, name),
      archer.isOwn ? rowButton(say(one.archived ? "Take back" : "Archive"), name, () => store(archer, { kind: "call", subject: subjectOf(type, one.id),
        method: `Equipment/${one.archived ? "Restore" : "Archive"}${methodOf(type)}`, request: { id: one.id }, title: { text: `${name}: ${say(one.archived ? "Take back" : "Archive")}` } },
      say(one.archived ? "{name} is in the list again." : "{name} is in the archive.", { name: one.displayModel }))) : ""];
  });
  const title = say(types.find(([key]) => key === type)?.[2] ?? "");
  const archived = items.filter((one) => one.archived);
  return [el("p", {}, el("a", { href: "#/equipment" }, say("Equipment"))), el("h2", {}, title),
    archer.isOwn ? el("div", { className: "row" }, button(say("Add…"), () => add(archer, type), { className: "main" })) : null,
    await waitingTable(archer, `equipment/${type}/`),
    table(title, [say("Brand and model"), ""], rows(items.filter((one) => !one.archived))),
    archived.length === 0 ? null : el("details", {}, el("summary", {}, say("Archive ({count})", { count: archived.length })),
      table(say("Archive ({count})", { count: archived.length }), [say("Brand and model"), ""], rows(archived)))];
}

/** What the outbox calls an item by. */
const subjectOf = (/** @type {string} */ type, /** @type {string} */ id) => `equipment/${type}/${id}`;
/** The field of an item in requests: `bowString` of `BOW_STRING`. */
const messageOf = (/** @type {string} */ type) => type.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** What was typed, with the values of choices as words: as lists name it. */
function nameIn(/** @type {string} */ type, /** @type {Message} */ values) {
  return nameFields(type).map(({ key, options }) => options ? say(options.find(([value]) => value === values[key])?.[1] ?? "") : values[key]).join(" ");
}

async function add(/** @type {Archer} */ archer, /** @type {string} */ type) {
  const label = labelOf(type);
  const values = await fill({ title: say("New: {name}", { name: label }), yes: say("Save"), fields: [...fieldsOf[type], notes], given: defaults[type] });
  if (!values) return " ";
  const clientId = newId(), name = nameIn(type, values);
  return store(archer, { kind: "call", subject: subjectOf(type, clientId), method: `Equipment/Create${methodOf(type)}`,
    request: { [messageOf(type)]: { clientId, ...values } }, title: { text: name } }, say("{name} is stored.", { name }));
}

async function change(/** @type {Archer} */ archer, /** @type {string} */ type, /** @type {Message} */ found) {
  const name = `${found.displayBrand ?? ""} ${found.displayModel ?? ""}`.trim();
  const fields = [...fieldsOf[type], notes];
  const values = await fill({ title: say("Change {name}", { name }), yes: say("Save"), fields, given: found });
  if (!values) return " ";
  const mask = maskOf(fields, found, values);
  if (mask.length === 0) return say("Nothing was changed.");
  const key = messageOf(type);
  return store(archer, { kind: "call", subject: subjectOf(type, found.id), method: `Equipment/Update${methodOf(type)}`, revision: `${key}.revision`,
    request: { [key]: { ...values, id: found.id, revision: found.revision }, updateMask: mask.map(protoName) },
    title: { text: say("Change {name}", { name }), read: { method: `Equipment/Get${methodOf(type)}`, request: { id: found.id } } } }, say("{name} is stored.", { name }));
}

async function remove(/** @type {Archer} */ archer, /** @type {string} */ type, /** @type {Message} */ found) {
  const name = `${found.displayBrand ?? ""} ${found.displayModel ?? ""}`.trim();
  if (!await confirmed(say("Delete {name}?", { name }), say("It cannot be taken back. What a setup uses is not deleted: put it in the archive."), say("Delete"))) return " ";
  location.hash = `#/equipment/${type}`;
  return store(archer, { kind: "call", subject: subjectOf(type, found.id), method: `Equipment/Delete${methodOf(type)}`, request: { id: found.id, revision: found.revision }, revision: "revision",
    title: { text: say("Delete {name}", { name }) } }, say("{name} is deleted.", { name }));
}

async function item(/** @type {Archer} */ archer, /** @type {string} */ type, /** @type {string} */ id) {
  const found = await archer.read(`Equipment/Get${methodOf(type)}`, { id });
  const name = `${found.displayBrand ?? ""} ${found.displayModel ?? ""}`.trim();
  return [el("p", {}, el("a", { href: `#/equipment/${type}` }, say(types.find(([key]) => key === type)?.[2] ?? ""))),
    el("h2", {}, name),
    found.archived ? el("p", {}, say("in the archive")) : null,
    await waitingTable(archer, subjectOf(type, id)),
    el("dl", {}, [...fieldsOf[type], notes].filter(({ key }) => found[key] !== undefined && found[key] !== "").flatMap((one) => [
      el("dt", {}, say(one.label)), el("dd", {}, valueText(one, found[one.key]))]),
    el("dt", {}, say("Used by setups")), el("dd", {}, String(found.setupUseCount ?? 0))),
    archer.isOwn ? el("div", { className: "row" }, button(say("Change…"), () => change(archer, type, found)), button(say("Delete…"), () => remove(archer, type, found))) : null,
    type === "SIGHT" ? await marks(archer, { sightId: id }) : null].flat();
}

/**
 * @param {import("./me_form.js").Field} one
 * @param {any} value
 */
function valueText(one, value) {
  if (one.kind === "choice") return say(one.options?.find(([key]) => key === value)?.[1] ?? String(value));
  if (one.kind === "day") return dayText(value);
  return typeof value === "number" ? figure(value, Number.isInteger(value) ? 0 : 2) : String(value);
}

// --- Sight marks ---

const unitOf = (/** @type {string | undefined} */ unit) => unit === "DISTANCE_UNIT_YARD" ? "yd" : "m";

/** @type {import("./me_form.js").Field[]} */
const markFields = [{ key: "distance", label: "Distance", kind: "number", required: true, min: 0.01, max: 1000 },
  { key: "unit", label: "Unit", kind: "choice", required: true, options: [["DISTANCE_UNIT_METRE", "metres"], ["DISTANCE_UNIT_YARD", "yards"]] },
  { key: "markValue", label: "Mark", kind: "number", required: true, min: -100_000, max: 100_000 }, { key: "notes", label: "Notes", kind: "long" }];

/** Sight marks by distance, of a sight or of a setup. */
async function marks(/** @type {Archer} */ archer, /** @type {Message} */ owner) {
  const found = (await archer.read("Equipment/ListSightMarks", owner)).sightMarks ?? [];
  const subject = `marks/${Object.keys(owner)[0]}/${Object.values(owner)[0]}/`;
  const metres = (/** @type {Message} */ mark) => (mark.distance ?? 0) * (unitOf(mark.unit) === "yd" ? .9144 : 1);
  const textOf = (/** @type {Message} */ mark) => `${mark.distance} ${unitOf(mark.unit)}`;
  const add = async () => {
    const values = await fill({ title: say("New sight mark"), yes: say("Save"), fields: markFields, given: { unit: "DISTANCE_UNIT_METRE" } });
    if (!values) return " ";
    const clientId = newId(), name = textOf(values);
    return store(archer, { kind: "call", subject: subject + clientId, method: "Equipment/CreateSightMark", request: { sightMark: { clientId, ...owner, ...values } },
      title: { text: say("Sight mark {name}", { name }) } }, say("{name} is stored.", { name }));
  };
  const change = async (/** @type {Message} */ mark) => {
    const name = textOf(mark);
    const values = await fill({ title: say("Sight mark {name}", { name }), yes: say("Save"), fields: markFields, given: { markValue: 0, ...mark } });
    if (!values) return " ";
    const mask = maskOf(markFields, { markValue: 0, ...mark }, values);
    if (mask.length === 0) return say("Nothing was changed.");
    return store(archer, { kind: "call", subject: subject + mark.id, method: "Equipment/UpdateSightMark", revision: "sightMark.revision",
      request: { sightMark: { ...values, id: mark.id, revision: mark.revision }, updateMask: mask.map(protoName) }, title: { text: say("Sight mark {name}", { name }) } }, say("{name} is stored.", { name }));
  };
  const remove = async (/** @type {Message} */ mark) => {
    const name = textOf(mark);
    if (!await confirmed(say("Delete {name}?", { name }), say("It cannot be taken back."), say("Delete"))) return " ";
    return store(archer, { kind: "call", subject: subject + mark.id, method: "Equipment/DeleteSightMark", request: { id: mark.id, revision: mark.revision }, revision: "revision",
      title: { text: say("Delete {name}", { name }) } }, say("{name} is deleted.", { name }));
  };
  return el("section", {}, el("h3", {}, say("Sight marks")), await waitingTable(archer, subject),
    table(say("Sight marks"), [say("Distance"), say("Mark"), say("Notes"), ...archer.isOwn ? [""] : []],
      [...found].sort((a, b) => metres(a) - metres(b)).map((mark) => [textOf(mark), figure(mark.markValue, 2), mark.notes ?? "",
        ...archer.isOwn ? [el("div", { className: "row" }, rowButton(say("Change…"), textOf(mark), () => change(mark)), rowButton(say("Delete…"), textOf(mark), () => remove(mark)))] : []])),
    archer.isOwn ? button(say("New sight mark…"), add) : null);
}

/** `#/setups`, `#/setups/ID` and `#/setups/ID/VERSION`. */
export async function setups(/** @type {Archer} */ archer) {
  const [id, version] = archer.rest;
  if (id) return setup(archer, id, Number(version ?? 0));
  const found = await archer.list("Equipment/ListBowSetups", { includeInactive: true }, "setups");
  const state = (/** @type {Message} */ one) => one.isDefault ? say("default") : one.isActive ? "" : say("not active");
  const act = (/** @type {Message} */ one, /** @type {string} */ method, /** @type {string} */ text) => {
    const name = one.name || say("Unnamed setup");
    return rowButton(text, name, () => store(archer, { kind: "call", subject: `setups/${one.id}/`, method: `Equipment/${method}BowSetup`, request: { id: one.id },
      title: { text: `${name}: ${text}` } }, say("{name} is stored.", { name })));
  };
  return [el("h2", {}, say("Setups")), archer.isOwn ? el("div", { className: "row" }, button(say("New setup…"), () => addSetup(archer), { className: "main" })) : null,
    await waitingTable(archer, "setups/"), table(say("Setups"), [say("Name"), say("State"), say("Version"), say("Parts"), say("Changed"), ...archer.isOwn ? [""] : []],
    found.map((one) => [el("a", { href: `#/setups/${one.id}` }, one.name || say("Unnamed setup")), state(one),
      String(one.version ?? 0), String(one.componentCount ?? 0), timeText(one.updatedAtMs, true),
      ...archer.isOwn ? [el("div", { className: "row" }, one.isActive ? act(one, "Deactivate", say("Deactivate")) : act(one, "Activate", say("Activate")),
        one.isActive && !one.isDefault ? act(one, "SetDefault", say("Make default")) : null)] : []]))];
}

/** @type {import("./me_form.js").Field[]} */
const setupFields = [{ key: "name", label: "Name", required: true }, notes];

/** Types of which a setup has one item at most. */
const single = ["RISER", "LIMBS", "SIGHT", "REST", "PLUNGER", "BOW_STRING", "ARROW"];

async function addSetup(/** @type {Archer} */ archer) {
  const values = await fill({ title: say("New setup"), yes: say("Save"), fields: setupFields });
  if (!values) return " ";
  const clientId = newId();
  return store(archer, { kind: "call", subject: `setups/${clientId}/`, method: "Equipment/CreateBowSetup", request: { bowSetup: { clientId, ...values } },
    title: { text: values.name } }, say("{name} is stored.", { name: values.name }));
}

/** The changes of a setup, which each make its latest version the shown one. */
function changesOf(/** @type {Archer} */ archer, /** @type {Message} */ found) {
  const { id, revision } = found, subject = `setups/${id}/`;
  const name = found.name || say("Unnamed setup");
  const does = (/** @type {string} */ method, /** @type {Message} */ request, /** @type {string} */ text, path = "revision") => {
    history.replaceState(null, "", `#/setups/${id}`);
    return store(archer, { kind: "call", subject, method: `Equipment/${method}`, request, revision: path,
      title: { text: `${name}: ${text}`, read: { method: "Equipment/GetBowSetup", request: { id } } } }, say("{name} is stored.", { name }));
  };
  return {
    change: async () => {
      const values = await fill({ title: say("Change {name}", { name }), yes: say("Save"), fields: setupFields, given: found });
      if (!values) return " ";
      const mask = maskOf(setupFields, found, values);
      if (mask.length === 0) return say("Nothing was changed.");
      return does("UpdateBowSetup", { bowSetup: { ...values, id, revision }, updateMask: mask }, say("Change…").replace("…", ""), "bowSetup.revision");
    },
    add: async () => {
      const items = await archer.list("Equipment/ListItems", {}, "items");
      const type = (/** @type {string} */ key) => items.find((one) => one.id === key)?.type.replace(prefix, "");
      const nameOf = (/** @type {Message} */ one) => `${labelOf(one.type)}: ${one.displayBrand ?? ""} ${one.displayModel ?? ""}`.trim();
      if (items.length === 0) return say("There is nothing to add yet. Make it under Equipment first.");
      const values = await fill({ title: say("Add a part to {name}", { name }), yes: say("Add"), text: say("Of most types a setup has one: another takes its place."), fields: [
        { key: "equipmentId", label: "Part", kind: "choice", required: true, options: items.map((one) => [one.id, nameOf(one)]) },
        { key: "quantity", label: "Quantity", kind: "integer", required: true, min: 1, max: 1000 }], given: { quantity: 1 },
        check: ({ equipmentId, quantity }) => quantity > 1 && single.includes(type(equipmentId)) ? say("{field}: from {min} to {max}.", { field: say("Quantity"), min: 1, max: 1 }) : "" });
      if (!values) return " ";
      return does("AddBowSetupComponent", { id, revision, component: values }, nameOf(items.find((one) => one.id === values.equipmentId) ?? {}));
    },
    copy: async () => {
      const values = await fill({ title: say("Copy {name}", { name }), yes: say("Save"), fields: [setupFields[0]], given: { name } });
      if (!values) return " ";
      history.replaceState(null, "", "#/setups");
      return store(archer, { kind: "call", subject, method: "Equipment/CopyBowSetup", request: { id, name: values.name, copyClientId: newId() }, title: { text: values.name } }, say("{name} is stored.", { name: values.name }));
    },
    take: (/** @type {Message} */ part, /** @type {string} */ text) => does("RemoveBowSetupComponent", { id, revision, equipmentId: part.equipmentId }, `${say("Remove")} ${text}`),
    remove: async () => {
      if (!await confirmed(say("Delete {name}?", { name }), say("Its versions and sight marks are deleted too. The items stay. It cannot be taken back."), say("Delete"))) return " ";
      history.replaceState(null, "", "#/setups");
      return store(archer, { kind: "call", subject, method: "Equipment/DeleteBowSetup", request: { id, revision }, revision: "revision", title: { text: say("Delete {name}", { name }) } }, say("{name} is deleted.", { name }));
    },
  };
}

async function setup(/** @type {Archer} */ archer, /** @type {string} */ id, /** @type {number} */ version) {
  const found = await archer.read("Equipment/GetBowSetup", { id, version });
  const latest = found.latestVersion ?? 1;
  const versions = Array.from({ length: latest }, (_, place) => /** @type {[string, string]} */ ([String(latest - place), String(latest - place)]));
  const select = choice(versions, String(found.version ?? latest), { onchange: () => { location.hash = `#/setups/${id}/${select.value}`; } });
  const changes = archer.isOwn && (found.version ?? latest) === latest ? changesOf(archer, found) : null;
  return [el("p", {}, el("a", { href: "#/setups" }, say("Setups"))), el("h2", {}, found.name || say("Unnamed setup")),
    found.notes ? el("p", {}, found.notes) : null,
    changes ? el("div", { className: "row" }, button(say("Add a part…"), changes.add, { className: "main" }), button(say("Change…"), changes.change), button(say("Copy…"), changes.copy), button(say("Delete…"), changes.remove)) : null,
    await waitingTable(archer, `setups/${id}/`),
    el("div", { className: "row" }, field(say("Version"), select), el("p", {}, say("made {time}", { time: timeText(found.versionMadeAtMs, true) }))),
    table(say("Parts"), [say("Part"), say("Brand and model"), say("Quantity"), ...changes ? [""] : []], (found.components ?? []).map((/** @type {Message} */ part) => {
      const name = `${part.displayBrand ?? ""} ${part.displayModel ?? ""}`.trim();
      return [labelOf(part.type), `${name}${part.deleted ? ` (${say("deleted")})` : ""}`, String(part.quantity ?? 1),
        ...changes ? [rowButton(say("Remove"), name, () => changes.take(part, name))] : []];
    })),
    await marks(archer, { setupId: id })];
}
