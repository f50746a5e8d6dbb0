// Training: body weight by months, strength with its chart, and the log by day.
import { choice, el, field, say, settings, table } from "../desk/kit.js";
import { chart, dayText, figure, signed, today, unitText } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

const pounds = (/** @type {string | number | undefined} */ thousandths) => Number(thousandths ?? 0) / 1000;

// --- Weight ---

/** Filters hold for as long as the page is open. */
const filter = { withNotes: false, milestones: false, weekdays: /** @type {number[]} */ ([]) };

/** `#/weight`. */
export async function weight(/** @type {Archer} */ archer) {
  const [points, plan] = await Promise.all([archer.list("Logbook/GetWeightChart", {}, "points", 5000), planOf(archer)]);
  const { unit, sections, empty } = await sectionsOf(archer);
  const short = unitText(unit);
  const dots = points.map((point) => ({ day: point.day ?? 0, value: (point.meanThousandths ?? 0) / 1000, mean: (point.averageThousandths ?? 0) / 1000 }));
  const list = el("div", { id: "months" }, ...months(sections, empty, short));
  const draw = async () => {
    const found = await sectionsOf(archer);
    list.replaceChildren(...months(found.sections, found.empty, unitText(found.unit)));
  };
  const box = (/** @type {string} */ text, /** @type {boolean} */ checked, /** @type {(on: boolean) => void} */ set) => el("label", {},
    el("input", { type: "checkbox", checked, onchange: (/** @type {any} */ event) => { set(event.target.checked); draw(); } }), text);
  return [el("h2", {}, say("Weight")),
    chart(dots, { label: say("Weight by day with its trend"), goal: plan && plan.unit === unit ? pounds(plan.goalThousandths) : undefined,
      reading: (place) => say("{day}: {weight} {unit}, trend {trend}", { day: dayText(dots[place].day), weight: figure(dots[place].value, 1), unit: short, trend: figure(dots[place].mean, 1) }) }),
    plan ? planText(plan, await archer.read("Logbook/GetMilestones")) : null,
    el("fieldset", {}, el("legend", {}, say("Only rows")), box(say("with a note"), filter.withNotes, (on) => { filter.withNotes = on; }),
      plan ? box(say("that reach a milestone"), filter.milestones, (on) => { filter.milestones = on; }) : null,
      el("div", { className: "row" }, weekdayNames().map((name, place) => box(name, filter.weekdays.includes(place + 1), (on) => {
        filter.weekdays = on ? [...filter.weekdays, place + 1].sort() : filter.weekdays.filter((day) => day !== place + 1);
      })))), list];
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
function months(/** @type {Message[]} */ sections, /** @type {string} */ empty, /** @type {string} */ unit) {
  if (sections.length === 0) {
    return [el("p", { className: "empty" }, say(empty === "EMPTY_LOG_NOTHING_MATCHES" ? "No entry matches the filter." : "There are no entries."))];
  }
  const monthName = (/** @type {Message} */ one) => new Intl.DateTimeFormat(settings.language, { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.UTC(one.year, one.month - 1, 1));
  return sections.map((section) => el("section", {}, el("h3", {}, monthName(section)),
    table(monthName(section), [say("Day"), say("Weight"), say("Average"), say("Rate"), say("Note")], (section.rows ?? []).map((/** @type {Message} */ row) => [
      dayText(row.entry?.day ?? 0), `${figure(pounds(row.thousandths), 1)} ${unit}`, figure((row.movingAverageThousandths ?? 0) / 1000, 1), rate(row), row.entry?.note ?? ""]))));
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

function planText(/** @type {Message} */ plan, /** @type {Message} */ found) {
  const unit = unitText(plan.unit);
  const next = Number(found.nextThousandths ?? 0);
  const parts = [say("Plan: from {start} to {goal} {unit}.", { start: figure(pounds(plan.startThousandths), 1), goal: figure(pounds(plan.goalThousandths), 1), unit }),
    next ? say("The next milestone is {next} {unit}.", { next: figure(pounds(next), 1), unit }) : say("All milestones are reached."),
    found.predictedDay === undefined ? "" : say("At this trend the goal is reached on {day}.", { day: dayText(found.predictedDay) })];
  return el("p", {}, parts.filter(Boolean).join(" "));
}

// --- Strength ---

/** Days of the chart: points, not days. */
const windows = { narrow: 31, wide: 93 };

/** `#/strength` and `#/strength/EXERCISE`. */
export async function strength(/** @type {Archer} */ archer) {
  const [name] = archer.rest;
  if (name) return exercise(archer, name);
  const { unit, exercises } = await exercisesOf(archer);
  const point = (/** @type {Message | undefined} */ one) => one ? `${figure(one.oneRepMax, 1)} ${unit} (${dayText(one.day ?? 0)})` : "–";
  return [el("h2", {}, say("Strength")), table(say("Exercises"), [say("Exercise"), say("Sets"), say("Record"), say("Latest")], exercises.map((one) => [
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
  return [el("p", {}, el("a", { href: "#/strength" }, say("Strength"))), el("h2", {}, el("bdi", {}, name)), field(say("Chart"), select), place];
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
    ...(day.exercises ?? []).map((/** @type {Message} */ one) => el("div", {}, el("bdi", {}, one.name), `: ${say("{count} sets", { count: one.setCount ?? 0 })}${one.best ? `, ${figure(one.best.oneRepMax, 1)} ${unit}` : ""}`)),
    day.weightEntryCount ? el("div", {}, `${say("Weight")}: ${figure((day.meanWeightThousandths ?? 0) / 1000, 1)} ${unit}`) : null].filter(Boolean);
  return [el("h2", {}, say("Training log")), el("p", {}, `${dayText(last - logDays + 1)} – ${dayText(last)}`),
    table(say("Training log"), [say("Day"), say("What")], (found.days ?? []).map((/** @type {Message} */ day) => [dayText(day.day ?? 0, "long"), el("div", {}, what(day))])),
    el("div", { className: "row" }, el("a", { href: `#/log/${last - logDays}` }, say("Earlier")), last < today() ? el("a", { href: `#/log/${Math.min(today(), last + logDays)}` }, say("Later")) : null)];
}
