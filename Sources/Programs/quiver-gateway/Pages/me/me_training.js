// Training: body weight by months, strength with its chart, and the log by day.
import { button, choice, confirmed, el, field, say, settings, table } from "../desk/kit.js";
import { chart, dayText, figure, signed, today, unitText } from "./me_figures.js";
import { fill, maskOf, protoName, store } from "./me_form.js";
import { rowButton, waitingTable } from "../desk/waiting.js";
import { newId } from "../desk/store.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

const pounds = (/** @type {string | number | undefined} */ thousandths) => Number(thousandths ?? 0) / 1000;

/** The units with what they are called. */
const units = /** @type {[string, string][]} */ ([["WEIGHT_UNIT_POUND", "pounds"], ["WEIGHT_UNIT_KILOGRAM", "kilograms"]]);

// --- Weight ---

/** What a body may weigh, in each unit. */
const bodyLimits = /** @type {Record<string, [number, number]>} */ ({ WEIGHT_UNIT_POUND: [1, 1500], WEIGHT_UNIT_KILOGRAM: [.5, 680] });

/** The fields of an entry; an entry may be of tomorrow elsewhere. */
const entryFields = () => /** @type {import("./me_form.js").Field[]} */ ([{ key: "day", label: "Day", kind: "day", required: true, max: today() + 1 },
  { key: "weight", label: "Weight", kind: "number", required: true, min: .5, max: 1500 }, { key: "unit", label: "Unit", kind: "choice", required: true, options: units },
  { key: "note", label: "Note", kind: "long" }, { key: "bodyFatPercent", label: "Body fat (%)", kind: "number", min: 1, max: 75 }]);

/** What is wrong with a weight of a form. */
function bodyFault(/** @type {Message} */ values, key = "weight", label = "Weight") {
  const [least, most] = bodyLimits[values.unit];
  return values[key] >= least && values[key] <= most ? "" : say("{field}: from {min} to {max}.", { field: say(label), min: least, max: most });
}

const entryFault = (/** @type {Message} */ values) => bodyFault(values);

const entryText = (/** @type {Message} */ values) => `${figure(values.weight, 1)} ${unitText(values.unit)}, ${dayText(values.day)}`;

async function addEntry(/** @type {Archer} */ archer, /** @type {string} */ unit) {
  const values = await fill({ title: say("New weight"), yes: say("Save"), fields: entryFields(), given: { day: today(), unit: unit || "WEIGHT_UNIT_POUND" }, check: entryFault });
  if (!values) return " ";
  const { weight, day, ...more } = values, clientId = newId(), name = entryText(values);
  // The entries of a day are ordered by their time: one of today is of now, of another day of noon.
  const measuredAtMs = String(day === today() ? Date.now() : day * 86_400_000 + 43_200_000);
  return store(archer, { kind: "call", subject: `weight/${clientId}`, method: "Logbook/CreateWeightEntry",
    request: { weightEntry: { clientId, ...more, day, thousandths: String(Math.round(weight * 1000)), measuredAtMs } }, title: { text: name } }, say("{name} is stored.", { name }));
}

async function changeEntry(/** @type {Archer} */ archer, /** @type {Message} */ entry) {
  const given = { ...entry, day: entry.day ?? 0, weight: pounds(entry.thousandths) };
  const name = entryText(given), fields = entryFields();
  const values = await fill({ title: say("Change {name}", { name }), yes: say("Save"), fields, given, check: entryFault });
  if (!values) return " ";
  const mask = maskOf(fields, given, values).map((key) => key === "weight" ? "thousandths" : protoName(key));
  if (mask.length === 0) return say("Nothing was changed.");
  const { weight, ...more } = values;
  return store(archer, { kind: "call", subject: `weight/${entry.id}`, method: "Logbook/UpdateWeightEntry", revision: "weightEntry.revision",
    request: { weightEntry: { ...more, thousandths: String(Math.round(weight * 1000)), id: entry.id, revision: entry.revision }, updateMask: mask },
    title: { text: say("Change {name}", { name }), read: { method: "Logbook/GetWeightEntry", request: { id: entry.id } } } }, say("{name} is stored.", { name: entryText(values) }));
}

/** Deletes an entry, or takes a deleted one back: that is the undo, for 30 days. */
function moveEntry(/** @type {Archer} */ archer, /** @type {Message} */ entry, isBack = false) {
  const name = entryText({ ...entry, day: entry.day ?? 0, weight: pounds(entry.thousandths) });
  const text = say(isBack ? "Take back {name}" : "Delete {name}", { name });
  return store(archer, { kind: "call", subject: `weight/${entry.id}`, method: `Logbook/${isBack ? "Restore" : "Delete"}WeightEntry`, request: { id: entry.id }, title: { text } },
    say(isBack ? "{name} is in the list again." : "{name} is deleted. It can be taken back for 30 days.", { name }));
}

async function deletedEntries(/** @type {Archer} */ archer) {
  const entries = await archer.list("Logbook/ListWeightEntries", { deleted: true }, "entries", 200);
  if (entries.length === 0) return null;
  const title = say("Deleted ({count})", { count: entries.length });
  return el("details", { id: "deleted" }, el("summary", {}, title), table(title, [say("Day"), say("Weight"), say("Note"), ""], entries.map((entry) => [
    dayText(entry.day ?? 0), `${figure(pounds(entry.thousandths), 1)} ${unitText(entry.unit)}`, entry.note ?? "",
    rowButton(say("Take back"), dayText(entry.day ?? 0), () => moveEntry(archer, entry, true))])));
}

/** Filters hold for as long as the page is open. */
const filter = { withNotes: false, milestones: false, weekdays: /** @type {number[]} */ ([]) };

/** `#/weight`. */
export async function weight(/** @type {Archer} */ archer) {
  const [points, plan] = await Promise.all([archer.list("Logbook/GetWeightChart", {}, "points", 5000), planOf(archer)]);
  const { unit, sections, empty } = await sectionsOf(archer);
  const short = unitText(unit);
  const dots = points.map((point) => ({ day: point.day ?? 0, value: (point.meanThousandths ?? 0) / 1000, mean: (point.averageThousandths ?? 0) / 1000 }));
  const list = el("div", { id: "months" }, ...months(archer, sections, empty, short));
  const draw = async () => {
    const found = await sectionsOf(archer);
    list.replaceChildren(...months(archer, found.sections, found.empty, unitText(found.unit)));
  };
  const box = (/** @type {string} */ text, /** @type {boolean} */ checked, /** @type {(on: boolean) => void} */ set) => el("label", {},
    el("input", { type: "checkbox", checked, onchange: (/** @type {any} */ event) => { set(event.target.checked); draw(); } }), text);
  return [el("h2", {}, say("Weight")),
    archer.isOwn ? el("div", { className: "row" }, button(say("New weight…"), () => addEntry(archer, unit), { className: "main" })) : null,
    await waitingTable(archer, "weight/"),
    chart(dots, { label: say("Weight by day with its trend"), goal: plan && plan.unit === unit ? pounds(plan.goalThousandths) : undefined,
      reading: (place) => say("{day}: {weight} {unit}, trend {trend}", { day: dayText(dots[place].day), weight: figure(dots[place].value, 1), unit: short, trend: figure(dots[place].mean, 1) }) }),
    plan ? planText(plan, await archer.read("Logbook/GetMilestones")) : null,
    archer.isOwn ? el("div", { className: "row" }, button(say(plan ? "Change the plan…" : "Make a plan…"), () => setPlan(archer, plan, unit, dots.at(-1)?.value)),
      plan ? button(say("Delete the plan…"), () => deletePlan(archer, plan)) : null) : null,
    el("fieldset", {}, el("legend", {}, say("Only rows")), box(say("with a note"), filter.withNotes, (on) => { filter.withNotes = on; }),
      plan ? box(say("that reach a milestone"), filter.milestones, (on) => { filter.milestones = on; }) : null,
      el("div", { className: "row" }, weekdayNames().map((name, place) => box(name, filter.weekdays.includes(place + 1), (on) => {
        filter.weekdays = on ? [...filter.weekdays, place + 1].sort() : filter.weekdays.filter((day) => day !== place + 1);
      })))), list, archer.isOwn ? await deletedEntries(archer) : null];
}

/** Sunday to Saturday: 1970-01-04 was a Sunday. */
function weekdayNames() {
  return [3, 4, 5, 6, 7, 8, 9].map((day) => new Intl.DateTimeFormat(settings.language, { weekday: "short", timeZone: "UTC" }).format(day * 86400000));
}

async function sectionsOf(/** @type {Archer} */ archer) {
  /** @type {Message[]} */
  const sections = [];
  let pageToken = "", unit = "", empty = "";
  do {
    const page = await archer.read("Logbook/GetWeightSections", { filter, pageSize: 24, pageToken });
    sections.push(...page.sections ?? []);
    [pageToken, unit, empty] = [page.nextPageToken ?? "", page.unit, page.empty ?? empty];
  } while (pageToken && sections.length < 240);
  return { sections, unit, empty };
}

/** Months, newest first, with a row for each entry. */
function months(/** @type {Archer} */ archer, /** @type {Message[]} */ sections, /** @type {string} */ empty, /** @type {string} */ unit) {
  if (sections.length === 0) {
    return [el("p", { className: "empty" }, say(empty === "EMPTY_LOG_NOTHING_MATCHES" ? "No entry matches the filter." : "There are no entries."))];
  }
  const monthName = (/** @type {Message} */ one) => new Intl.DateTimeFormat(settings.language, { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.UTC(one.year, one.month - 1, 1));
  return sections.map((section) => el("section", {}, el("h3", {}, monthName(section)),
    table(monthName(section), [say("Day"), say("Weight"), say("Average"), say("Rate"), say("Note"), ...archer.isOwn ? [""] : []], (section.rows ?? []).map((/** @type {Message} */ row) => [
      dayText(row.entry?.day ?? 0), `${figure(pounds(row.thousandths), 1)} ${unit}`, figure((row.movingAverageThousandths ?? 0) / 1000, 1), rate(row), row.entry?.note ?? "",
      ...archer.isOwn ? [el("div", { className: "row" }, rowButton(say("Change…"), dayText(row.entry?.day ?? 0), () => changeEntry(archer, row.entry)),
        rowButton(say("Delete"), dayText(row.entry?.day ?? 0), () => moveEntry(archer, row.entry)))] : []]))));
}

/** What was gained in a week: a sign and an arrow say the direction. */
export function rate(/** @type {Message} */ row) {
  if (!row.weeklyRate) return say("stable");
  const arrow = /** @type {Record<string, string>} */ ({ TREND_DIRECTION_UP: "▲", TREND_DIRECTION_DOWN: "▼" })[row.direction] ?? "■";
  const value = signed(pounds(row.weeklyRate.thousandths), 1);
  return `${arrow} ${value} ${say("in {days} days", { days: row.weeklyRate.daysBetween })}`;
}

async function planOf(/** @type {Archer} */ archer) {
  try {
    return await archer.read("Logbook/GetWeightPlan");
  } catch (/** @type {any} */ error) {
    if (error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** How far apart milestones may be, in each unit. */
const milestoneSteps = /** @type {Record<string, number[]>} */ ({ WEIGHT_UNIT_POUND: [5, 10, 15], WEIGHT_UNIT_KILOGRAM: [2, 5, 7] });

/** @type {import("./me_form.js").Field[]} */
const planFields = [{ key: "startDay", label: "Begins on", kind: "day", required: true }, { key: "start", label: "From", kind: "number", required: true, min: .5, max: 1500 },
  { key: "goal", label: "Goal", kind: "number", required: true, min: .5, max: 1500 }, { key: "unit", label: "Unit", kind: "choice", required: true, options: units },
  { key: "step", label: "A milestone each", kind: "choice", required: true, options: [2, 5, 7, 10, 15].map((step) => [String(step), String(step)]) }];

function planFault(/** @type {Message} */ values) {
  const { start, goal, unit, step } = values;
  return bodyFault(values, "start", "From") || bodyFault(values, "goal", "Goal") || (start === goal ? say("The goal must not be the start.")
    : milestoneSteps[unit].includes(Number(step)) ? "" : say("Milestones are {steps} {unit} apart.", { steps: milestoneSteps[unit].join(", "), unit: unitText(unit) }));
}

async function setPlan(/** @type {Archer} */ archer, /** @type {Message | null} */ plan, /** @type {string} */ unit, /** @type {number | undefined} */ latest) {
  const given = plan ? { startDay: plan.startDay ?? 0, start: pounds(plan.startThousandths), goal: pounds(plan.goalThousandths), unit: plan.unit, step: String(pounds(plan.stepThousandths)) }
    : { startDay: today(), start: latest, unit: unit || "WEIGHT_UNIT_POUND", step: "5" };
  const values = await fill({ title: say("Plan"), yes: say("Save"), fields: planFields, given, check: planFault });
  if (!values) return " ";
  const thousandths = (/** @type {string | number} */ value) => String(Math.round(Number(value) * 1000));
  const { startDay, start, goal, step } = values, name = `${say("Plan")}: ${figure(start, 1)} → ${figure(goal, 1)} ${unitText(values.unit)}`;
  return store(archer, { kind: "call", subject: "weight/plan", method: "Logbook/SetWeightPlan", revision: "plan.revision",
    request: { plan: { unit: values.unit, startDay, startThousandths: thousandths(start), goalThousandths: thousandths(goal), stepThousandths: thousandths(step), revision: plan?.revision ?? "0" } },
    title: { text: name, read: { method: "Logbook/GetWeightPlan", request: {} } } }, say("{name} is stored.", { name: say("Plan") }));
}

async function deletePlan(/** @type {Archer} */ archer, /** @type {Message} */ plan) {
  if (!await confirmed(say("Delete the plan?"), say("The weights stay. It cannot be taken back."), say("Delete"))) return " ";
  return store(archer, { kind: "call", subject: "weight/plan", method: "Logbook/DeleteWeightPlan", request: { revision: plan.revision }, revision: "revision",
    title: { text: say("Delete {name}", { name: say("Plan") }) } }, say("{name} is deleted.", { name: say("Plan") }));
}

function planText(/** @type {Message} */ plan, /** @type {Message} */ found) {
  const unit = unitText(plan.unit);
  const next = Number(found.nextThousandths ?? 0);
  const parts = [say("Plan: from {start} to {goal} {unit}.", { start: figure(pounds(plan.startThousandths), 1), goal: figure(pounds(plan.goalThousandths), 1), unit }),
    next ? say("The next milestone is {next} {unit}.", { next: figure(pounds(next), 1), unit }) : say("All milestones are reached."),
    found.predictedDay === undefined ? "" : say("At this trend the goal is reached on {day}.", { day: dayText(found.predictedDay) })];
  return el("p", {}, parts.filter(Boolean).join(" "));
}

// --- Strength ---

/** @type {(names: string[]) => import("./me_form.js").Field[]} */
const setFields = (names) => [{ key: "exercise", label: "Exercise", required: true, suggestions: names }, { key: "day", label: "Day", kind: "day", required: true },
  { key: "sets", label: "Sets", kind: "integer", min: 1, max: 100 }, { key: "repetitions", label: "Repetitions", kind: "integer", required: true, min: 1, max: 1000 },
  { key: "weight", label: "Weight", kind: "number", required: true, min: 0, max: 2000 }, { key: "unit", label: "Unit", kind: "choice", required: true, options: units }];

/** The largest weight of a set, in each unit. */
const mostLifted = /** @type {Record<string, number>} */ ({ WEIGHT_UNIT_POUND: 2000, WEIGHT_UNIT_KILOGRAM: 910 });
const setFault = (/** @type {Message} */ values) => values.weight <= mostLifted[values.unit] ? ""
  : say("{field}: from {min} to {max}.", { field: say("Weight"), min: 0, max: mostLifted[values.unit] });
const setText = (/** @type {Message} */ one) => `${one.exercise}, ${dayText(one.day ?? 0)}: ${one.sets ? `${one.sets} × ` : ""}${one.repetitions} × ${figure(one.weight, 1)} ${unitText(one.unit)}`;

async function addSet(/** @type {Archer} */ archer, /** @type {string[]} */ names, /** @type {string} */ unit, exercise = "") {
  const values = await fill({ title: say("New set"), yes: say("Save"), fields: setFields(names), given: { day: today(), sets: 1, unit, exercise }, check: setFault });
  if (!values) return " ";
  const clientId = newId(), name = setText(values);
  return store(archer, { kind: "call", subject: `strength/${clientId}`, method: "Logbook/CreateSet", request: { set: { clientId, ...values } }, title: { text: name } }, say("{name} is stored.", { name }));
}

async function changeSet(/** @type {Archer} */ archer, /** @type {Message} */ one) {
  const given = { weight: 0, day: 0, ...one }, name = setText(one), fields = setFields([one.exercise]);
  const values = await fill({ title: say("Change {name}", { name }), yes: say("Save"), fields, given, check: setFault });
  if (!values) return " ";
  const mask = maskOf(fields, given, values).map(protoName);
  if (mask.length === 0) return say("Nothing was changed.");
  return store(archer, { kind: "call", subject: `strength/${one.id}`, method: "Logbook/UpdateSet", revision: "set.revision", request: { set: { ...values, id: one.id, revision: one.revision }, updateMask: mask },
    title: { text: say("Change {name}", { name }), read: { method: "Logbook/GetSet", request: { id: one.id } } } }, say("{name} is stored.", { name: setText(values) }));
}

async function deleteSet(/** @type {Archer} */ archer, /** @type {Message} */ one, isLast = false) {
  const name = setText(one);
  if (!await confirmed(say("Delete {name}?", { name }), say("It cannot be taken back."), say("Delete"))) return " ";
  if (isLast) location.hash = "#/strength";
  return store(archer, { kind: "call", subject: `strength/${one.id}`, method: "Logbook/DeleteSet", request: { id: one.id, revision: one.revision }, revision: "revision", title: { text: say("Delete {name}", { name }) } },
    say("{name} is deleted.", { name }));
}

/** Sets of an exercise that are listed; older ones are in the export of the log. */
const mostSets = 50;

/** Days of the chart: points, not days. */
const windows = { narrow: 31, wide: 93 };

/** `#/strength` and `#/strength/EXERCISE`. */
export async function strength(/** @type {Archer} */ archer) {
  const [name] = archer.rest;
  if (name) return exercise(archer, name);
  const { unit, exercises } = await exercisesOf(archer);
  const point = (/** @type {Message | undefined} */ one) => one ? `${figure(one.oneRepMax, 1)} ${unit} (${dayText(one.day ?? 0)})` : "–";
  return [el("h2", {}, say("Strength")),
    archer.isOwn ? el("div", { className: "row" }, button(say("New set…"), () => addSet(archer, exercises.map((one) => one.name), unit === "kg" ? "WEIGHT_UNIT_KILOGRAM" : "WEIGHT_UNIT_POUND"), { className: "main" })) : null,
    await waitingTable(archer, "strength/"), table(say("Exercises"), [say("Exercise"), say("Sets"), say("Record"), say("Latest")], exercises.map((one) => [
    el("a", { href: `#/strength/${encodeURIComponent(one.name)}` }, one.name), String(one.setCount ?? 0), point(one.record), point(one.latest)])),
    el("p", {}, el("small", {}, say("One-rep max by Brzycki: weight · 36 / (37 − repetitions).")))];
}

async function exercisesOf(/** @type {Archer} */ archer) {
  const first = await archer.read("Logbook/ListExercises", { pageSize: 500 });
  return { unit: unitText(first.unit), exercises: /** @type {Message[]} */ (first.exercises ?? []) };
}

async function exercise(/** @type {Archer} */ archer, /** @type {string} */ name) {
  const wide = matchMedia("(min-width: 48rem)").matches;
  const select = choice([[String(windows.narrow), say("{count} points", { count: windows.narrow })], [String(windows.wide), say("{count} points", { count: windows.wide })]], String(wide ? windows.wide : windows.narrow));
  const place = el("div");
  const draw = async () => {
    const found = await archer.read("Logbook/GetLiftSeries", { exercise: name, last: Number(select.value) });
    const unit = unitText(found.unit);
    const points = /** @type {Message[]} */ (found.points ?? []);
    const reading = (/** @type {number} */ index) => {
      const one = points[index];
      const text = say("{day}: {max} {unit}, {repetitions} × {weight}", { day: dayText(one.day ?? 0), max: figure(one.oneRepMax, 1), unit, repetitions: one.set?.repetitions ?? 0, weight: figure(one.set?.weight, 1) });
      return one.lowConfidence ? `${text} (${say("more than 12 repetitions")})` : text;
    };
    place.replaceChildren(chart(points.map((one) => ({ day: one.day ?? 0, value: one.oneRepMax ?? 0 })), { label: say("One-rep max of {name} by day", { name }), reading }),
      el("p", {}, found.record ? say("Record: {max} {unit} on {day}.", { max: figure(found.record.oneRepMax, 1), unit, day: dayText(found.record.day ?? 0) }) : say("No set has a one-rep max.")));
  };
  select.addEventListener("change", draw);
  await draw();
  const sets = (await archer.read("Logbook/ListSets", { exercise: name, pageSize: mostSets })).sets ?? [];
  const title = say("The latest sets");
  return [el("p", {}, el("a", { href: "#/strength" }, say("Strength"))), el("h2", {}, el("bdi", {}, name)), field(say("Chart"), select), place,
    el("h3", {}, title), archer.isOwn ? el("div", { className: "row" }, button(say("New set…"), () => addSet(archer, [name], sets[0]?.unit ?? "WEIGHT_UNIT_POUND", name))) : null,
    await waitingTable(archer, "strength/"),
    table(title, [say("Day"), say("Sets"), say("Repetitions"), say("Weight"), ...archer.isOwn ? [""] : []], sets.map((/** @type {Message} */ one) => [
      dayText(one.day ?? 0), one.sets ? String(one.sets) : "–", String(one.repetitions), `${figure(one.weight, 1)} ${unitText(one.unit)}`,
      ...archer.isOwn ? [el("div", { className: "row" }, rowButton(say("Change…"), dayText(one.day ?? 0), () => changeSet(archer, one)), rowButton(say("Delete…"), dayText(one.day ?? 0), () => deleteSet(archer, one, sets.length === 1)))] : []]))];
}

// --- Training log ---

/** Days that are read at once. */
const logDays = 92;

/** `#/log` and `#/log/LAST_DAY`. */
export async function trainingLog(/** @type {Archer} */ archer) {
  const last = Number(archer.rest[0] ?? today());
  const found = await archer.read("Logbook/GetTrainingLog", { fromDay: last - logDays + 1, toDay: last, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  const unit = unitText(found.unit);
  const what = (/** @type {Message} */ day) => [
    ...(day.rounds ?? []).map((/** @type {Message} */ one) => el("div", {}, `${one.formatName}: ${one.score?.total ?? 0} (${say("{count} arrows", { count: one.score?.arrowCount ?? 0 })})`)),
    ...(day.exercises ?? []).map((/** @type {Message} */ one) => el("div", {}, el("bdi", {}, one.name), `: ${one.setCount === 1 ? say("1 set") : say("{count} sets", { count: one.setCount ?? 0 })}${one.best ? `, ${figure(one.best.oneRepMax, 1)} ${unit}` : ""}`)),
    day.weightEntryCount ? el("div", {}, `${say("Weight")}: ${figure((day.meanWeightThousandths ?? 0) / 1000, 1)} ${unit}`) : null].filter(Boolean);
  return [el("h2", {}, say("Training log")), el("p", {}, `${dayText(last - logDays + 1)} – ${dayText(last)}`),
    table(say("Training log"), [say("Day"), say("What")], (found.days ?? []).map((/** @type {Message} */ day) => [dayText(day.day ?? 0, "long"), el("div", {}, what(day))])),
    el("div", { className: "row" }, el("a", { href: `#/log/${last - logDays}` }, say("Earlier")), last < today() ? el("a", { href: `#/log/${Math.min(today(), last + logDays)}` }, say("Later")) : null)];
}
