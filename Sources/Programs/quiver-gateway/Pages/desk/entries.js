// Entries: a list of people from a file or one by one, and check-in by bib or name.
import { act, agreed, all, ask, button, call, choice, el, field, placeText, reasonFor, Refusal, rowOf, say, sentenceOf, table, tell } from "./kit.js";
import { mostBytes, planOf, textOf } from "./table.js";

/** @type {Record<string, string>} */
export const stateTexts = {
  ENTERED: "entered", CHECKED_IN: "here", DID_NOT_START: "did not start", DID_NOT_FINISH: "did not finish",
  ACTIVE: "shooting", WITHDRAWN: "withdrawn", DISQUALIFIED: "disqualified",
};
export const short = (/** @type {any} */ entry) => String(entry.state ?? "").replace("EVENT_ENTRY_STATE_", "");
export const stateText = (/** @type {any} */ entry) => say(stateTexts[short(entry)] ?? "");

/** How many entries one call adds, as a whole or not at all. */
const most = 1000;

/** All entries of an event. */
export const readEntries = (/** @type {string} */ tournamentId) => all("Events/ListEventEntries", { tournamentId }, "entries");

/** Whether an entry is what a person types: its bib or place, or a part of its name or club. */
export function fits(/** @type {any} */ entry, /** @type {string} */ text) {
  const wanted = text.trim().toLocaleLowerCase();
  return !wanted || entry.bib?.toLocaleLowerCase() === wanted || placeText(entry).toLocaleLowerCase() === wanted
    || `${entry.displayName} ${entry.club ?? ""}`.toLocaleLowerCase().split(/\s+/).some((word) => word.startsWith(wanted))
    || entry.displayName.toLocaleLowerCase().startsWith(wanted);
}

/** @param {any} desk */
export async function entries(desk) {
  const tournamentId = desk.event.id;
  const [list, { categories = /** @type {any[]} */ ([]) }, { sessions = /** @type {any[]} */ ([]) }] = await Promise.all([readEntries(tournamentId),
    call("Events/ListEventCategories", { tournamentId }), call("Events/ListEventSessions", { tournamentId })]);
  const search = el("input", { type: "search", "aria-label": say("Search by name, club or bib"), placeholder: say("Search by name, club or bib") });
  const place = el("div");
  const heads = [say("Bib"), say("Name"), say("Club"), say("Category"), say("Place"), say("State"), ""];
  /** @type {(entry: any) => any[]} */
  const cellsOf = (entry) => [entry.bib || "–", entry.displayName, entry.club ?? "", entry.categoryCode ?? "", placeText(entry), stateText(entry),
    button(say("Edit…"), () => edit(desk, entry, categories, sessions, changed))];
  /** @type {any[]} */
  let shown = [];
  const show = () => {
    const rows = list.filter((entry) => fits(entry, search.value));
    shown = rows.slice(0, 500);
    place.replaceChildren(el("p", {}, say("{shown} of {all} entries", { shown: rows.length, all: list.length })), table(say("Entries"), heads, shown.map(cellsOf)));
  };
  /** Shows what an entry is now: the row alone, for a list of hundreds takes longer to draw than a person waits. */
  const changed = (/** @type {any} */ entry, /** @type {any} */ now) => {
    for (const key of Object.keys(entry)) delete entry[key];
    Object.assign(entry, now);
    place.querySelectorAll("tbody tr")[shown.indexOf(entry)]?.replaceWith(rowOf(heads, cellsOf(entry)));
    desk.refocus();
  };
  search.addEventListener("input", show);
  show();
  const file = el("input", { type: "file", accept: ".csv,.txt,.tsv,text/csv", "aria-label": say("File with entries") });
  const drop = el("div", { className: "drop" }, el("p", {}, say("Drop a list here (CSV with a line of column names), or choose a file:")), file);
  const take = (/** @type {File | undefined} */ one) => one && act(null, () => preview(desk, one, list, categories, sessions));
  file.addEventListener("change", () => take(file.files?.[0]));
  drop.addEventListener("dragover", (/** @type {any} */ event) => event.preventDefault());
  drop.addEventListener("drop", (/** @type {any} */ event) => {
    event.preventDefault();
    take(event.dataTransfer?.files?.[0]);
  });
  return [el("h2", {}, say("Entries")), drop,
    el("div", { className: "row" }, button(say("New entry…"), () => add(desk, categories, sessions)), search), place];
}

/** What a file would add, before anything is stored: each line with its faults. */
async function preview(/** @type {any} */ desk, /** @type {File} */ file, /** @type {any[]} */ list, /** @type {any[]} */ categories, /** @type {any[]} */ sessions) {
  if (file.size > mostBytes) throw new Refusal(say("the file has more than 8 MiB"));
  const plan = planOf(textOf(new Uint8Array(await file.arrayBuffer())), {
    categories, entries: new Map(list.filter(({ bib }) => bib).map((entry) => [entry.bib, entry])),
    room: desk.event.maxParticipants - (desk.event.participantCount ?? 0) });
  if (plan.fault) throw new Refusal(say(plan.fault));
  const faulty = plan.lines.filter((line) => line.faults.length > 0);
  const fresh = plan.lines.filter((line) => line.faults.length === 0 && !line.isThere);
  const session = choice([["0", say("no session")], ...sessions.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]))], sessions[0]?.id ?? "0");
  const shown = [...faulty, ...fresh].slice(0, 1000);
  const answer = await ask({
    title: file.name,
    text: say("{fresh} to add, {there} are entered already, {faulty} with faults.", { fresh: fresh.length, there: plan.lines.filter((line) => line.isThere && !line.faults.length).length, faulty: faulty.length })
      + (plan.unknown.length ? " " + say("Columns that are not used: {columns}.", { columns: plan.unknown.slice(0, 20).join(", ") }) : ""),
    yes: faulty.length ? say("Close") : say("Add {count} entries", { count: fresh.length }),
    fields: [
      faulty.length ? el("p", { className: "bad" }, say("Nothing is added while a line has a fault. Correct the file and drop it again.")) : field(say("Session"), session),
      table(say("Lines"), ["#", say("Name"), say("Bib"), say("Club"), say("Category"), say("Fault")], shown.map((line) => [
        String(line.line), line.name, line.bib, line.club, line.category || "–", line.faults.map((fault) => say(fault)).join(" ")])),
      plan.lines.length > shown.length ? el("p", {}, say("The first {count} lines are shown.", { count: shown.length })) : null],
  });
  if (!answer || faulty.length || !fresh.length) return " ";
  let done = 0;
  // A part is added as a whole or not at all.
  for (let start = 0; start < fresh.length; start += most) {
    const part = fresh.slice(start, start + most);
    try {
      await call("Events/ImportEventEntries", { tournamentId: desk.event.id, entries: part.map(({ name, bib, club, country, licence, category }) => ({
        name, bib, club, country, licence, categoryCode: category, sessionId: session.value })) }, { timeout: 120_000 });
    } catch (error) {
      await desk.reload();
      throw new Refusal(say("{done} were added, then: {fault}. Drop the file again: who is entered already is not added twice if the entry has a bib.", { done, fault: sentenceOf(error) }));
    }
    done += part.length;
    tell(say("{done} of {all} added", { done, all: fresh.length }));
  }
  await desk.reload();
  return say("{count} entries were added.", { count: done });
}

function inputs(/** @type {any} */ entry, /** @type {any[]} */ categories, /** @type {any[]} */ sessions) {
  const text = (/** @type {string} */ key, /** @type {number} */ most) => el("input", { value: entry[key] ?? "", maxLength: most, autocomplete: "off" });
  return { wheelchair: el("input", { type: "checkbox", checked: Boolean(entry.wheelchair) }), bib: text("bib", 16), club: text("club", 100), country: text("country", 100), licence: text("licence", 100),
    category: choice(categories.map(({ id, code, name }) => [id, `${code} ${name ?? ""}`]), entry.categoryId ?? ""),
    session: choice([["0", say("no session")], ...sessions.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]))], entry.sessionId ?? sessions[0]?.id ?? "0") };
}

async function add(/** @type {any} */ desk, /** @type {any[]} */ categories, /** @type {any[]} */ sessions) {
  const name = el("input", { maxLength: 50, required: true, autocomplete: "off" });
  const fields = inputs({}, categories, sessions);
  const answer = await ask({ title: say("New entry"), yes: say("Add"), fields: [field(say("Name"), name), ...labelled(fields)],
    read: () => name.value.trim() ? true : say("Give a name.") });
  if (!answer) return " ";
  await call("Events/ImportEventEntries", { tournamentId: desk.event.id, entries: [{ name: name.value.trim(), bib: fields.bib.value.trim(),
    club: fields.club.value.trim(), country: fields.country.value.trim(), licence: fields.licence.value.trim(),
    categoryCode: categories.find(({ id }) => id === fields.category.value)?.code ?? "", sessionId: fields.session.value,
    wheelchair: fields.wheelchair.checked }] });
  await desk.reload();
}

const labelled = (/** @type {any} */ fields) => [field(say("Bib"), fields.bib), field(say("Club"), fields.club), field(say("Country"), fields.country),
  field(say("Licence"), fields.licence), field(say("Category"), fields.category), field(say("Session"), fields.session),
  field(say("Shoots from a wheelchair"), fields.wheelchair)];

async function edit(/** @type {any} */ desk, /** @type {any} */ entry, /** @type {any[]} */ categories, /** @type {any[]} */ sessions, /** @type {(entry: any, now: any) => void} */ changed) {
  const fields = inputs({ ...entry, sessionId: entry.sessionId ?? "0" }, categories, sessions);
  const out = short(entry) === "WITHDRAWN" || short(entry) === "DISQUALIFIED";
  const state = choice(out ? [["", stateText(entry)], ["reinstate", say("reinstated")]]
    : [["", stateText(entry)], ["DID_NOT_START", say("did not start")], ["DID_NOT_FINISH", say("did not finish")], ["withdraw", say("withdrawn")], ["disqualify", say("disqualified")]]);
  const answer = await ask({ title: entry.displayName, yes: say("Save"), fields: [...labelled(fields), field(say("State"), state)] });
  if (!answer) return " ";
  const now = { participantId: entry.participantId, bib: fields.bib.value.trim(), club: fields.club.value.trim(), country: fields.country.value.trim(),
    licence: fields.licence.value.trim(), categoryId: fields.category.value, sessionId: fields.session.value,
    wheelchair: fields.wheelchair.checked };
  /** @type {[string, string][]} */
  const names = [["bib", "bib"], ["club", "club"], ["country", "country"], ["licence", "licence"], ["categoryId", "category_id"], ["sessionId", "session_id"], ["wheelchair", "wheelchair"]];
  const mask = names.filter(([key]) => (/** @type {any} */ (now)[key] || "0") !== (entry[key] || "0")).map(([, name]) => name);
  const again = () => entryNow(desk, entry);
  if (mask.length) {
    const stored = await agreed(entry, (seen) => call("Events/UpdateEventEntry", { entry: now, updateMask: mask, expectedRevision: seen.revision }), again,
      (theirs, seen) => differences(theirs, seen, now, mask, categories, sessions));
    if (!stored) return await withdrawn(desk);
    changed(entry, stored);
  }
  const states = (/** @type {any} */ theirs, /** @type {any} */ seen) => short(theirs) === short(seen) ? [] : [[say("State"), stateText(theirs), state.selectedOptions[0].textContent]];
  if (state.value.startsWith("DID_")) {
    const stored = await agreed(entry, (seen) => setState(seen, state.value), again, states);
    if (!stored) return await withdrawn(desk);
    changed(entry, stored);
  } else if (state.value) {
    const why = await reasonFor(`${entry.displayName}: ${state.selectedOptions[0].textContent}`, say("It can be taken back by reinstating the archer."), say("Save"));
    if (why) {
      const method = { withdraw: "WithdrawParticipant", disqualify: "DisqualifyParticipant", reinstate: "ReinstateParticipant" }[/** @type {string} */ (state.value)];
      await agreed(entry, (seen) => call(`Tournament/${method}`, { participantId: entry.participantId, expectedRevision: seen.revision, ...why }), again, states);
    }
    await desk.reload();
  }
}

/** What somebody else has changed stays, and is shown. */
async function withdrawn(/** @type {any} */ desk) {
  await desk.reload();
  return " ";
}

const setState = (/** @type {any} */ entry, /** @type {string} */ state) =>
  call("Events/SetEventEntryState", { participantId: entry.participantId, state: `EVENT_ENTRY_STATE_${state}`, expectedRevision: entry.revision });

/** An entry as the server has it; undefined: it is gone. */
async function entryNow(/** @type {any} */ desk, /** @type {any} */ entry) {
  const is = (/** @type {any} */ one) => one.participantId === entry.participantId;
  const { categoryId = "0", sessionId = "0", club = "" } = entry;
  // Whoever is not where this desk saw it has changed.
  return (await all("Events/ListEventEntries", { tournamentId: desk.event.id, categoryId, sessionId, club }, "entries")).find(is)
    ?? (await readEntries(desk.event.id)).find(is);
}

/** The fields that are changed here, and that somebody else has changed to something else. */
function differences(/** @type {any} */ theirs, /** @type {any} */ seen, /** @type {any} */ mine, /** @type {string[]} */ mask, /** @type {any[]} */ categories, /** @type {any[]} */ sessions) {
  /** @type {Record<string, [string, string, (value: string) => string]>} */
  const names = { bib: ["bib", "Bib", String], club: ["club", "Club", String], country: ["country", "Country", String], licence: ["licence", "Licence", String],
    category_id: ["categoryId", "Category", (id) => categories.find((one) => one.id === id)?.code ?? ""],
    session_id: ["sessionId", "Session", (id) => sessions.find((one) => one.id === id)?.name ?? ""],
    wheelchair: ["wheelchair", "Shoots from a wheelchair", (is) => is ? say("yes") : say("no")] };
  return mask.map((one) => names[one]).filter(([key]) => (theirs[key] || "0") !== (seen[key] || "0") && (theirs[key] || "0") !== (mine[key] || "0"))
    .map(([key, label, text]) => [say(label), text(theirs[key] ?? ""), text(mine[key] ?? "")]);
}

/**
 * Check-in: type a bib, a place or the begin of a name, press Enter.
 * @param {any} desk
 */
export async function checkIn(desk) {
  const list = await readEntries(desk.event.id);
  const input = el("input", { type: "search", className: "big", "aria-label": say("Bib or name"), placeholder: say("Bib or name"), autocomplete: "off" });
  const place = el("div");
  const set = async (/** @type {any} */ entry, /** @type {string} */ state) => {
    const text = say(stateTexts[state]);
    const reply = await agreed(entry, (seen) => setState(seen, state), () => entryNow(desk, entry),
      (theirs, seen) => short(theirs) === short(seen) ? [] : [[entry.displayName, stateText(theirs), text]]) ?? await entryNow(desk, entry) ?? entry;
    Object.assign(entry, { state: reply.state, revision: reply.revision });
    input.value = "";
    show();
    input.focus();
    if (short(entry) !== state && short(entry) !== "ACTIVE") return `${entry.displayName}: ${stateText(entry)}`;
    return state === "CHECKED_IN" ? say("{name} is here.", { name: entry.displayName }) : say("{name} is not here.", { name: entry.displayName });
  };
  const show = () => {
    const here = list.filter((entry) => ["CHECKED_IN", "ACTIVE"].includes(short(entry))).length;
    const rows = list.filter((entry) => fits(entry, input.value));
    place.replaceChildren(el("p", {}, say("{here} of {all} are here", { here, all: list.length })),
      table(say("Entries"), [say("Bib"), say("Name"), say("Club"), say("Place"), say("State"), ""], rows.slice(0, 100).map((entry) => [
        entry.bib || "–", entry.displayName, entry.club ?? "", placeText(entry), stateText(entry),
        short(entry) === "ENTERED" ? button(say("Here"), () => set(entry, "CHECKED_IN"), { className: "main", "aria-label": `${say("Here")}: ${entry.displayName}` })
          : short(entry) === "CHECKED_IN" ? button(say("Not here"), () => set(entry, "ENTERED"), { "aria-label": `${say("Not here")}: ${entry.displayName}` }) : ""]), document.body.className === "check-in"));
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    const found = list.filter((entry) => fits(entry, input.value));
    const exact = found.filter((entry) => entry.bib === input.value.trim());
    const one = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : null;
    if (!one) tell(found.length ? say("{count} fit: type more of the name, or the bib.", { count: found.length }) : say("Nobody fits."), true);
    else if (short(one) !== "ENTERED") tell(`${one.displayName}: ${stateText(one)}`, true);
    else act(null, () => set(one, "CHECKED_IN"));
  });
  // What others note meanwhile.
  desk.onEntry = (/** @type {any} */ changed) => {
    const known = list.find((entry) => entry.participantId === changed.participantId);
    if (known) Object.assign(known, changed);
    // What is watched has no revision: one that no entry has makes the first change of it compare what it shows.
    else list.push({ revision: "1", ...changed });
    show();
  };
  show();
  queueMicrotask(() => setTimeout(() => input.focus()));
  return [el("h2", {}, say("Check-in")), el("p", {}, say("Type a bib, a place or the begin of a name, and press Enter.")), input, place];
}
