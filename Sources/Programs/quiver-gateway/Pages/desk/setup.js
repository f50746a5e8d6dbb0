// Categories and sessions. Two desks never overwrite each other: the second one sees both versions.
import { agreed, ask, button, call, choice, confirmed, el, field, say, table, timeText, unlessChanged } from "./kit.js";

const bows = ["COMPOUND", "RECURVE", "BAREBOW", "LONGBOW", "TRADITIONAL", "FLATBOW", "COMPOUND_LIMITED", "COMPOUND_BAREBOW"];
const ages = ["OVER_50", "ADULT", "UNDER_21", "UNDER_18", "UNDER_16", "UNDER_15", "UNDER_14", "UNDER_12"];
const policies = ["X_FIRST", "WA_OUTDOOR_2026", "WA_OUTDOOR_LEGACY", "WA_INDOOR", "WA_FIELD", "WA_3D", "IMPERIAL", "SCORE_ONLY"];

/** `UNDER_21` as `Under 21`. */
const readable = (/** @type {string} */ name) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll("_", " ");

/** @returns {[string, string][]} */
const options = (/** @type {string} */ prefix, /** @type {string[]} */ names) =>
  [[`${prefix}UNSPECIFIED`, "–"], ...names.map((name) => /** @type {[string, string]} */ ([prefix + name, readable(name)]))];

/** @param {any} desk */
export async function setup(desk) {
  const tournamentId = desk.event.id;
  const [{ categories = /** @type {any[]} */ ([]) }, { sessions = /** @type {any[]} */ ([]) }] = await Promise.all([
    call("Events/ListEventCategories", { tournamentId }), call("Events/ListEventSessions", { tournamentId })]);
  return [
    el("h2", {}, say("Categories")),
    table(say("Categories"), [say("Code"), say("Name"), say("Round"), say("Entries"), ""], categories.map((/** @type {any} */ one) => [
      one.code, one.name ?? "", one.format?.name ?? "", String(one.entryCount ?? 0),
      el("div", { className: "row" }, button(say("Edit…"), () => editCategory(desk, one)),
        one.isFirst || one.entryCount ? null : button(say("Delete…"), async () => {
          if (!await confirmed(say("Delete the category?"), `${one.code} ${one.name ?? ""}`, say("Delete"))) return " ";
          await unlessChanged(desk, () => call("Events/DeleteEventCategory", { tournamentId, categoryId: one.id, expectedRevision: one.revision }));
          await desk.reload();
        }))])),
    button(say("New category…"), () => editCategory(desk, { tournamentId })),
    el("h2", {}, say("Sessions")),
    table(say("Sessions"), [say("Name"), say("Starts"), say("Targets"), say("Archers a target"), say("Entries"), ""], sessions.map((/** @type {any} */ one) => [
      one.name, timeText(one.startsAtMs, true) || "–", `${one.firstTarget}–${one.lastTarget}`, String(one.archersPerTarget), String(one.entryCount ?? 0),
      el("div", { className: "row" }, button(say("Edit…"), () => editSession(desk, one)),
        one.entryCount ? null : button(say("Delete…"), async () => {
          if (!await confirmed(say("Delete the session?"), one.name, say("Delete"))) return " ";
          await unlessChanged(desk, () => call("Events/DeleteEventSession", { tournamentId, sessionId: one.id, expectedRevision: one.revision }));
          await desk.reload();
        }))])),
    button(say("New session…"), () => editSession(desk, { tournamentId, firstTarget: 1, lastTarget: 15, archersPerTarget: 4 })),
  ];
}

async function editCategory(/** @type {any} */ desk, /** @type {any} */ old) {
  const code = el("input", { value: old.code ?? "", maxLength: 16, required: true });
  const name = el("input", { value: old.name ?? "", maxLength: 200 });
  const bow = choice(options("BOWSTYLE_", bows), old.bowstyle ?? "");
  const gender = choice([["ARCHER_GENDER_UNSPECIFIED", "–"], ["ARCHER_GENDER_OPEN", say("Open")], ["ARCHER_GENDER_FEMALE", say("Women")]], old.gender ?? "");
  const age = choice(options("AGE_GROUP_", ages), old.ageGroup ?? "");
  const policy = choice(options("TIE_POLICY_", policies), old.tiePolicy ?? "");
  let format = null;
  if (!old.id) {
    const { formats = [] } = await call("Rounds/ListFormats", {});
    format = choice([["", say("as the event")], ...formats.map((/** @type {any} */ one) => [one.codename ? one.codename : `#${one.id}`, one.name])]);
  }
  const answer = await ask({ title: old.id ? say("Edit the category") : say("New category"), yes: say("Save"), fields: [
    field(say("Code"), code, say("1 to 16 characters, as on the start list: RM, CW")), field(say("Name"), name),
    format ? field(say("Round"), format) : null, field(say("Bow"), bow), field(say("Gender"), gender),
    field(say("Age group"), age), field(say("Ties"), policy)],
  read: () => code.value.trim() ? true : say("Give a code.") });
  if (!answer) return " ";
  const mine = { ...old, code: code.value.trim(), name: name.value.trim(), bowstyle: bow.value, gender: gender.value, ageGroup: age.value, tiePolicy: policy.value };
  if (!old.id) {
    const reference = !format?.value ? undefined : format.value.startsWith("#") ? { id: format.value.slice(1) } : { codename: format.value };
    await call("Events/CreateEventCategory", { category: mine, format: reference });
  } else {
    await saved("Events/UpdateEventCategory", "category", old, mine, async () =>
      (await call("Events/ListEventCategories", { tournamentId: old.tournamentId })).categories ?? [],
    [["code", say("Code")], ["name", say("Name")], ["bowstyle", say("Bow")], ["gender", say("Gender")], ["ageGroup", say("Age group")], ["tiePolicy", say("Ties")]]);
  }
  await desk.reload();
}

async function editSession(/** @type {any} */ desk, /** @type {any} */ old) {
  const name = el("input", { value: old.name ?? "", maxLength: 200, required: true });
  const starts = el("input", { type: "datetime-local", value: localTime(old.startsAtMs) });
  const first = el("input", { type: "number", min: 1, max: 9999, value: old.firstTarget });
  const last = el("input", { type: "number", min: 1, max: 9999, value: old.lastTarget });
  const archers = choice(["1", "2", "3", "4"].map((one) => [one, one]), String(old.archersPerTarget));
  const answer = await ask({ title: old.id ? say("Edit the session") : say("New session"), yes: say("Save"), fields: [
    field(say("Name"), name), field(say("Starts"), starts), field(say("First target"), first),
    field(say("Last target"), last), field(say("Archers a target"), archers)],
  read: () => !name.value.trim() ? say("Give a name.")
    : Number(last.value) < Number(first.value) ? say("The last target is before the first one.") : true });
  if (!answer) return " ";
  const mine = { ...old, name: name.value.trim(), startsAtMs: starts.value ? String(new Date(starts.value).getTime()) : "0",
    firstTarget: Number(first.value), lastTarget: Number(last.value), archersPerTarget: Number(archers.value) };
  if (!old.id) {
    await call("Events/CreateEventSession", { session: mine });
  } else {
    await saved("Events/UpdateEventSession", "session", old, mine, async () =>
      (await call("Events/ListEventSessions", { tournamentId: old.tournamentId })).sessions ?? [],
    [["name", say("Name")], ["startsAtMs", say("Starts")], ["firstTarget", say("First target")], ["lastTarget", say("Last target")], ["archersPerTarget", say("Archers a target")]]);
  }
  await desk.reload();
}

/** The name, what everybody may see, who agrees to corrections, and who types papers: what was changed is sent. */
export async function editEvent(/** @type {any} */ desk, /** @type {any} */ event) {
  const check = (/** @type {string} */ key) => el("input", { type: "checkbox", checked: Boolean(event[key]) });
  const names = (/** @type {string} */ chosen) => choice([["PUBLIC_NAME_FULL", say("full")], ["PUBLIC_NAME_INITIALS", say("initials")], ["PUBLIC_NAME_BIB", say("bibs")]], chosen);
  /** @type {[string, string, string, any][]} the property, its name in the mask, the label and the control */
  const fields = [
    ["name", "name", say("Name"), el("input", { value: event.name, maxLength: 200, required: true })],
    ["watchable", "watchable", say("Everybody may watch"), check("watchable")],
    ["listed", "listed", say("In the list of events"), check("listed")],
    ["joinable", "joinable", say("Everybody with an account may join"), check("joinable")],
    ["publicNames", "public_names", say("Names on boards"), names(event.publicNames ?? "PUBLIC_NAME_FULL")],
    ["juniorNames", "junior_names", say("Names of under 18 on boards"), names(event.juniorNames ?? "PUBLIC_NAME_INITIALS")],
    ["lastBoardDay", "last_board_day", say("Last day of boards"), el("input", { type: "date", value: event.lastBoardDay ? dayText(event.lastBoardDay) : "" })],
    ["correctionConsent", "correction_consent", say("A correction of a full end needs"), choice([["CORRECTION_CONSENT_NOBODY", say("nobody else")],
      ["CORRECTION_CONSENT_WITNESS", say("another archer or a judge")], ["CORRECTION_CONSENT_JUDGE", say("an organiser or a judge")]], event.correctionConsent ?? "")],
    ["scorersTypePapers", "scorers_type_papers", say("Who scores an archer types its paper"), check("scorersTypePapers")],
  ];
  const value = (/** @type {any} */ input) => input.type === "checkbox" ? input.checked : input.type === "date" ? (input.valueAsNumber || 0) / 86_400_000 : input.value.trim();
  const text = (/** @type {any} */ input, /** @type {any} */ one) => input.type === "checkbox" ? one ? "✓" : "–" : input.type === "date" ? one ? dayText(one) : "–"
    : [...input.options ?? []].find((option) => option.value === one)?.textContent ?? String(one ?? "–");
  const before = fields.map(([, , , input]) => value(input));
  const answer = await ask({ title: say("Edit the event"), yes: say("Save"), fields: fields.map(([, , label, input]) => field(label, input)),
    read: () => value(fields[0][3]) ? true : say("Give a name.") });
  const changed = fields.filter(([, , , input], index) => value(input) !== before[index]);
  if (!answer || !changed.length) return " ";
  const mine = Object.fromEntries(changed.map(([key, , , input]) => [key, value(input)]));
  const stored = await agreed(event, ({ revision }) => call("Tournament/UpdateTournament", { tournament: { ...mine, id: event.id, revision }, updateMask: changed.map(([, name]) => name) }),
    () => call("Tournament/GetTournament", { id: event.id }), (theirs, seen) => changed.filter(([key]) => (theirs[key] || "") !== (seen[key] || ""))
      .map(([key, , label, input]) => [label, text(input, theirs[key]), text(input, mine[key])]));
  await desk.reload();
  if (!stored) return " ";
}

const dayText = (/** @type {number} */ day) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Saves at the revision that was read: all fields, so that of what somebody else has changed all are shown. */
const saved = (/** @type {string} */ method, /** @type {string} */ key, /** @type {any} */ old, /** @type {any} */ mine, /** @type {() => Promise<any[]>} */ read, /** @type {[string, string][]} */ fields) =>
  agreed(old, ({ revision }) => call(method, { [key]: { ...mine, revision } }), async () => (await read()).find(({ id }) => id === mine.id), (theirs, seen) => {
    const text = (/** @type {any} */ value) => String(value ?? "");
    return fields.every(([name]) => text(theirs[name]) === text(seen[name])) ? [] : fields.map(([name, label]) => [label, text(theirs[name]), text(mine[name])]);
  });

/** An instant as the value of an input of local time. */
function localTime(/** @type {string | undefined} */ milliseconds) {
  const value = Number(milliseconds ?? 0);
  if (!value) return "";
  const date = new Date(value);
  return new Date(value - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
