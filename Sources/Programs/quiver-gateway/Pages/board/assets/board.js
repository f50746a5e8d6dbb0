// The board of an event: standings, teams and matches, live. Every text of a user is set as text, never as markup.
import { connect } from "../../client/client.js";
import { isLoopback, knownAddress } from "./address.js";
import { $, board, categoryName, el, locale, remember, say, serverNow, setText, timeText } from "./page.js";
import { clearRows, drawRows, extent, isStartList, pageRows, setStop, sortByPlace, takeRows } from "./table.js";
import { drawBracket, drawFinals, drawMatch, stageName, takeBracket } from "./matches.js";
import * as projector from "./projector.js";
import { drawSchedule } from "./schedule.js";
import { picture } from "./qr.js";
import { languages } from "./words.js";

/** @typedef {import("./page.js").Message} Message */

const client = connect();

/** How long until the server is asked again whether a private event has become public. */
const privateMilliseconds = 30_000;
/** Between two reads of the entries of a view, and of its teams. */
const readMilliseconds = 5000;
/** After which a view that had no room is asked for again, at the earliest. */
const fullMilliseconds = 10_000;
/** How long a lookup of the board may take. */
const patience = 5000;

const sleep = (/** @type {number} */ milliseconds) => new Promise((/** @type {(value?: any) => void} */ wake) => {
  const timer = setTimeout(wake, milliseconds);
  addEventListener("online", () => { clearTimeout(timer); wake(); }, { once: true });
});

const call = (/** @type {string} */ method, /** @type {Message} */ request) =>
  client.call(method, request, { token: board.token || null, timeout: patience });

// --- The event ---

async function follow() {
  let wait = 250;
  for (;;) {
    const control = new AbortController();
    try {
      await enter();
      wait = 250;
      await Promise.race([watchEvent(control.signal), watchView(control.signal)]);
    } catch (/** @type {any} */ error) {
      const isEntering = !board.token;
      board.token = "";
      if (isEntering && (error.code === "NOT_FOUND" || error.code === "INVALID_ARGUMENT")) return hide("none");
      if (isEntering && error.code === "FAILED_PRECONDITION") {
        hide("private");
        await sleep(privateMilliseconds);
        continue;
      }
      // What is refused later is asked for anew with another token, which says why.
      if (!isEntering && /NOT_FOUND|UNAUTHENTICATED|PERMISSION_DENIED/.test(error.code)) continue;
      lose(new Date());
    } finally {
      control.abort();
    }
    await sleep(wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 1.6, 2000);
  }
}

async function enter() {
  board.token = "";
  const answer = await client.call("Tournament/GetSpectatorToken", { joinCode: board.code }, { timeout: patience });
  const { token = "", tournamentId = "" } = answer;
  const options = { token, timeout: patience };
  const [categories, sessions, stages] = await Promise.all([
    client.call("Events/ListEventCategories", { tournamentId }, options), client.call("Events/ListEventSessions", { tournamentId }, options),
    client.call("Elimination/ListStages", { tournamentId }, options)]);
  Object.assign(board, { token, tournament: tournamentId, name: answer.name || board.code, hidden: "",
    categories: categories.categories ?? [], sessions: sessions.sessions ?? [], stages: stages.stages ?? [] });
  readClock();
  if (!isKnown(board.view)) board.view = firstView();
  setName();
  setViews();
}

/** The clock of the gateway, by which a pause is shown on a phone whose own is wrong. */
async function readClock() {
  try {
    const reply = await fetch("/board/assets/board.css", { method: "HEAD", cache: "no-store" });
    const date = Date.parse(reply.headers.get("date") ?? "");
    if (date) board.skew = date - Date.now();
  } catch { /* The watches say that the connection is lost. */ }
}

async function watchEvent(/** @type {AbortSignal} */ signal) {
  const watch = client.watch("Tournament/WatchTournament", { tournamentId: board.tournament },
    { token: board.token, signal, onState: (state) => hear("event", state) });
  let isFirst = true;
  for await (const { message, startsSnapshot, startsAnew } of watch) {
    if (startsSnapshot) board.notices = [];
    const notices = new Map([...board.notices, ...message.notices ?? []].map((notice) => [notice.id, notice]));
    board.notices = [...notices.values()].sort((a, b) => Number(BigInt(b.id) - BigInt(a.id)));
    for (const entry of /** @type {Message[]} */ (message.entries ?? [])) if (board.entries.has(entry.participantId)) board.entries.set(entry.participantId, entry);
    upsert(board.categories, message.categories ?? []);
    upsert(board.sessions, message.sessions ?? []);
    if (message.tournament) {
      board.event = message.tournament;
      board.status = message.tournament.status ?? "";
      if (board.name !== board.event.name) board.name = board.event.name;
      readOpenSteps(signal);
      if (!isFirst) await readLists(startsAnew);
      isFirst = false;
    }
    setName();
    setViews();
    banners();
    setState();
    if (/^(c:|a$|club:|s:)/.test(board.view)) redraw();
  }
}

/** The words for the steps that can be open in results. */
const stepWords = /** @type {Record<string, string>} */ ({
  EVENT_STEP_KIND_QUALIFICATION: "qualification", EVENT_STEP_KIND_SECOND_CARDS: "secondCards", EVENT_STEP_KIND_DISPUTES: "disputes",
  EVENT_STEP_KIND_CONFIRMATIONS: "confirmations", EVENT_STEP_KIND_TYPED_COUNTS: "typedCounts", EVENT_STEP_KIND_MATCHES: "openMatches",
  EVENT_STEP_KIND_LATE_OPERATIONS: "lateOperations" });

/** Which of them is the latest read. */
let stepsRead = 0;

/** Reads what is not finished of an event that is finalised. Boards hear of it at the same time, and ask within a second. */
async function readOpenSteps(/** @type {AbortSignal} */ signal) {
  const mine = ++stepsRead;
  const isLatest = () => mine === stepsRead && !signal.aborted;
  /** @type {Message[]} */
  let steps = [];
  for (let wait = 0; board.status === "TOURNAMENT_STATUS_COMPLETED"; wait = readMilliseconds) {
    await sleep(wait + 1000 * Math.random());
    if (!isLatest()) return;
    try {
      steps = (await call("Tournament/GetResults", { tournamentId: board.tournament, pageSize: 1 })).openSteps ?? [];
      break;
    } catch { if (!isLatest()) return; }
  }
  if (!isLatest()) return;
  board.openSteps = steps.map((step) => step.kind);
  banners();
}

function upsert(/** @type {Message[]} */ list, /** @type {Message[]} */ changed) {
  for (const one of changed) {
    const place = list.findIndex((other) => other.id === one.id);
    if (place < 0) list.push(one);
    else list[place] = one;
  }
}

/** Stages come and go with messages of the event; after a gap categories and sessions may have. */
async function readLists(/** @type {boolean} */ isAnew) {
  const request = { tournamentId: board.tournament };
  board.stages = (await call("Elimination/ListStages", request)).stages ?? [];
  if (!isAnew) return;
  board.categories = (await call("Events/ListEventCategories", request)).categories ?? [];
  board.sessions = (await call("Events/ListEventSessions", request)).sessions ?? [];
}

// --- The view ---

/** @type {AbortController | null} */
let viewControl = null;
/** Resolves when another view is chosen. */
let changed = () => {};

const isKnown = (/** @type {string} */ view) => {
  const id = view.split(":")[1];
  if (view.startsWith("m:")) return board.stages.some((stage) => stage.id === id);
  if (view.startsWith("f:")) return board.stages.some((stage) => stage.id === id && !stage.groupCount);
  if (view.startsWith("s:")) return board.sessions.some((session) => session.id === id);
  if (/^[ct]:/.test(view)) return board.categories.some((category) => category.id === id);
  return /^(a$|clubs$|club:.|plan$)/.test(view);
};

/** The first category with archers. */
const firstView = () => `c:${(board.categories.find((one) => one.entryCount) ?? board.categories[0])?.id ?? "0"}`;

/** Shows another view. */
function show(/** @type {string} */ view, firstRow = 0) {
  board.view = view;
  board.firstRow = firstRow;
  remember();
  setViews();
  changed();
  viewControl?.abort();
}

/** Follows the view that is chosen, one after another, until a watch fails. */
async function watchView(/** @type {AbortSignal} */ signal) {
  while (!signal.aborted) {
    const control = new AbortController();
    viewControl = control;
    signal.addEventListener("abort", () => control.abort(), { once: true });
    const next = new Promise((/** @type {(value?: any) => void} */ resolve) => { changed = resolve; });
    const view = board.view;
    beginView();
    try {
      if (view === "clubs") await Promise.race([listClubs(), next]);
      else if (view === "plan") await Promise.race([showSchedule(), next]);
      else if (/^[mf]:/.test(view)) await watchStage(view.slice(2), control.signal);
      else await watchRows(control.signal);
      await next;
    } catch (/** @type {any} */ error) {
      if (control.signal.aborted && error.code === "CANCELLED") continue;
      if (!/NOT_FOUND|FAILED_PRECONDITION|INVALID_ARGUMENT|RESOURCE_EXHAUSTED/.test(error.code)) throw error;
      // The part is gone, or has never been: the event itself is still followed.
      board.isReady = true;
      clearRows();
      redraw();
      excuse(error.code === "NOT_FOUND" ? say("gone") : say("refused", { message: error.message }));
      hear("view", { name: "live", since: null });
      await (error.code === "RESOURCE_EXHAUSTED" ? Promise.race([next, sleep(fullMilliseconds * (1 + Math.random()))]) : next);
    }
  }
}

/** Says why the view has nothing to show; nothing: it has. */
function excuse(/** @type {string} */ text) {
  board.fault = text;
  setText($("empty"), text);
  $("empty").hidden = !text;
}

function beginView() {
  board.isReady = false;
  board.entries.clear();
  readAt = 0;
  clearRows();
  const { view } = board;
  $("standings").hidden = !/^(c:|a$|club:|s:)/.test(view);
  $("matches").hidden = !view.startsWith("m:");
  $("teams").hidden = !/^(t:|f:|plan$)/.test(view);
  $("clubs").hidden = view !== "clubs";
  excuse("");
  for (const id of ["matches", "teams", "clubs"]) $(id).replaceChildren();
  setName();
  setPager();
}

/** The part of the event that the view shows, as requests have it. */
function part() {
  const [kind, id, ...rest] = board.view.split(":");
  if (kind === "club") return { club: [id, ...rest].join(":") };
  if (kind === "s") return { sessionId: id };
  return kind === "c" || kind === "t" ? { categoryId: id } : {};
}

async function watchRows(/** @type {AbortSignal} */ signal) {
  const request = { tournamentId: board.tournament, ...part(), top: pageRows, firstRow: board.firstRow };
  const watch = client.watch("Tournament/WatchLeaderboard", request, { token: board.token, signal, onState: (state) => hear("view", state) });
  for await (const { message, startsSnapshot } of watch) {
    const isNew = takeRows(message, startsSnapshot);
    if (message.span?.incomplete) continue;
    board.isReady = true;
    board.status = message.status ?? "";
    setState();
    setName();
    if (board.view.startsWith("t:")) readTeams(signal);
    else if (isNew) readEntries(signal);
    setPager();
    redraw();
  }
}

let readAt = 0;
/**
 * The signal of the view that is read, and whether it has changed since.
 * @type {{signal: AbortSignal, isStale: boolean} | null}
 */
let reading = null;

/** Reads for the view that has the signal: at once, then each few seconds while there are changes. */
async function read(/** @type {AbortSignal} */ signal, /** @type {() => Promise<void>} */ body) {
  if (reading?.signal === signal) {
    reading.isStale = true;
    return;
  }
  /** @type {{signal: AbortSignal, isStale: boolean}} */
  const mine = { signal, isStale: true };
  reading = mine;
  while (mine.isStale && !signal.aborted) {
    if (readAt > 0) await sleep(Math.max(0, readAt + readMilliseconds - performance.now()));
    if (signal.aborted) break;
    mine.isStale = false;
    readAt = performance.now();
    try {
      await body();
    } catch (/** @type {any} */ error) {
      // Rows stand without clubs until the next of their messages.
      if (!signal.aborted && /^[tf]:/.test(board.view)) excuse(say("refused", { message: error.message }));
    }
  }
  if (reading === mine) reading = null;
}

/** Reads the entries of the view: clubs and places. */
const readEntries = (/** @type {AbortSignal} */ signal) => read(signal, async () => {
  let pageToken = "";
  do {
    const page = await call("Events/GetCategoryStandings", { tournamentId: board.tournament, ...part(), pageSize: 500, pageToken });
    if (signal.aborted) return;
    for (const { entry } of page.rows ?? []) if (entry) board.entries.set(entry.participantId, entry);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  sortByPlace();
  redraw();
});

// --- Teams and clubs ---

/** Reads the teams of the view, at most each few seconds while arrows come. */
const readTeams = (/** @type {AbortSignal} */ signal) => read(signal, async () => {
  const [, categoryId, group] = board.view.split(":");
  const teams = await call("Events/GetTeamStandings", { tournamentId: board.tournament, categoryId, system: "MATCH_SYSTEM_TEAM_SETS",
    group: group === "country" ? "TEAM_GROUP_COUNTRY" : "TEAM_GROUP_CLUB" });
  if (!signal.aborted) drawTeams(teams.rows ?? []);
});

function drawTeams(/** @type {Message[]} */ rows) {
  excuse(rows.length > 0 ? "" : say("noTeams"));
  const heads = [["rank", "rank"], ["name", "team"], ["count", ""], ["count", ""], ["total", "total"]];
  $("teams").replaceChildren(rows.length === 0 ? "" : el("table", {}, el("caption", {}, say("caption", { name: viewName() })),
    el("thead", {}, el("tr", {}, heads.map(([kind, key], index) => el("th", { scope: "col", className: kind }, key ? say(key) : index === 2 ? "X" : "10")))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("td", { className: "rank" }, String(row.rank)),
      el("th", { scope: "row", className: "name" }, el("bdi", { className: "who" }, row.name),
        el("span", { className: "more" }, (row.members ?? []).map((/** @type {Message} */ one) => one.displayName).join(" · "))),
      el("td", { className: "count" }, String(row.xCount ?? 0)), el("td", { className: "count" }, String(row.tenCount ?? 0)),
      el("td", { className: "total", title: row.typed ? say("typed") : "" }, `${row.total ?? 0}${row.typed ? "*" : ""}`))))));
  document.dispatchEvent(new Event("drawn"));
}

/** All clubs, to choose one. */
async function listClubs() {
  /** @type {Map<string, number>} */
  const clubs = new Map();
  let pageToken = "";
  do {
    const page = await call("Events/GetCategoryStandings", { tournamentId: board.tournament, pageSize: 500, pageToken });
    for (const { entry } of page.rows ?? []) if (entry?.club) clubs.set(entry.club, (clubs.get(entry.club) ?? 0) + 1);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  board.isReady = true;
  hear("view", { name: "live", since: null });
  if (board.view !== "clubs") return;
  $("clubs").replaceChildren(...[...clubs].sort(([a], [b]) => a.localeCompare(b, board.language)).map(([club, count]) =>
    el("button", { type: "button", onclick: () => show(`club:${club}`) }, el("bdi", {}, club), ` (${count})`)));
  if (clubs.size === 0) excuse(say("nobody"));
}

/** The sessions and the rounds of all brackets by their times. */
async function showSchedule() {
  await readBrackets(true);
  board.isReady = true;
  hear("view", { name: "live", since: null });
  if (board.view === "plan") excuse(drawSchedule() ? "" : say("nothingPlanned"));
}

// --- Matches ---

async function watchStage(/** @type {string} */ stageId, /** @type {AbortSignal} */ signal) {
  const watch = client.watch("Elimination/WatchBracket", { tournamentId: board.tournament, stageId }, { token: board.token, signal, onState: (state) => hear("view", state) });
  for await (const { message, startsSnapshot } of watch) {
    takeBracket(stageId, message, startsSnapshot);
    if (message.span?.incomplete) continue;
    board.isReady = true;
    setState();
    if (board.view.startsWith("f:")) readFinals(stageId, signal);
    else drawBracket(board.brackets.get(stageId) ?? {}, openMatch);
  }
}

/** The final ranks of a bracket, with the standings that its category was cut from. */
const readFinals = (/** @type {string} */ stageId, /** @type {AbortSignal} */ signal) => read(signal, async () => {
  const { categoryId } = board.stages.find((stage) => stage.id === stageId) ?? {};
  /** @type {Message[]} */
  const rows = [];
  let pageToken = "";
  do {
    const page = await call("Events/GetCategoryStandings", { tournamentId: board.tournament, categoryId, pageSize: 500, pageToken });
    rows.push(...page.rows ?? []);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  if (signal.aborted) return;
  finals = rows;
  drawFinalRanks();
});

/** The rows of the standings behind the final ranks that are shown. */
let finals = /** @type {Message[]} */ ([]);

const drawFinalRanks = () => excuse(drawFinals(board.brackets.get(board.view.slice(2)) ?? {}, finals) ? "" : say("noFinals"));

/** A match with its cards, live, until the dialog is closed. */
async function openMatch(/** @type {Message} */ match) {
  const opener = /** @type {any} */ (document.activeElement)?.dataset?.key;
  const control = new AbortController();
  const place = el("div", { tabIndex: 0, role: "region", className: "scroll" });
  const sides = (match.sides ?? []).map((/** @type {Message} */ side) => side.displayName).filter(Boolean).join(" – ");
  place.setAttribute("aria-label", sides);
  const dialog = el("dialog", { "aria-labelledby": "match-title", onclose: () => {
    control.abort();
    dialog.remove();
    if (opener) /** @type {any} */ (document.querySelector(`[data-key="${CSS.escape(opener)}"]`))?.focus();
  } }, el("h2", { id: "match-title" }, sides || say("matches")), place,
    el("p", {}, el("button", { type: "button", onclick: () => dialog.close() }, say("close"))));
  document.body.append(dialog);
  drawMatch(match, place);
  dialog.showModal();
  try {
    const watch = client.watch("Elimination/WatchMatch", { tournamentId: board.tournament, matchId: match.id }, { token: board.token, signal: control.signal });
    for await (const { message } of watch) if (message.match) drawMatch(message.match, place);
  } catch (/** @type {any} */ error) {
    if (!control.signal.aborted) place.replaceChildren(el("p", {}, error.code === "NOT_FOUND" ? say("gone") : say("refused", { message: error.message })));
  }
}

// --- States ---

/** @type {Record<string, Message>} of the watches of the event and of the view */
const heard = { event: { name: "connecting" }, view: { name: "connecting" } };

function hear(/** @type {string} */ which, /** @type {Message} */ state) {
  heard[which] = state;
  const lost = Object.values(heard).filter((one) => one.name === "lost");
  if (lost.length > 0) lose(lost.map((one) => one.since).sort((a, b) => a - b)[0]);
  else {
    board.lostAt = null;
    setState();
  }
}

function lose(/** @type {Date} */ since) {
  board.lostAt ??= since;
  setState();
}

/** The words for the state of an event whose standings are current. */
const stateWords = /** @type {Record<string, string>} */ ({ TOURNAMENT_STATUS_OPEN: "open", TOURNAMENT_STATUS_COMPLETED: "final", TOURNAMENT_STATUS_CANCELLED: "cancelled" });

function setState() {
  let key = board.hidden || (board.lostAt ? "lost" : board.isReady ? stateWords[board.status] ?? "live" : "connecting");
  let time = board.lostAt ? board.lostAt.toLocaleTimeString(locale()) : "";
  if (key === "live" && board.event.paused) key = "paused";
  const begins = Math.min(...board.sessions.map((session) => Number(session.startsAtMs ?? 0)).filter(Boolean));
  if (key === "open" && Number.isFinite(begins)) [key, time] = ["opensAt", timeText(begins)];
  $("state").className = /^(live|connecting|final)$/.test(key) ? key : /^open/.test(key) ? "open" : `off ${key}`;
  setText($("state"), say(key, { time }));
}

/** Nothing of the event may be shown. */
function hide(/** @type {string} */ why) {
  board.hidden = why;
  board.event = {};
  board.notices = [];
  board.openSteps = [];
  board.lostAt = null;
  beginView();
  for (const id of ["controls", "standings", "banners"]) $(id).hidden = true;
  setState();
}

// --- The page ---

const redraw = () => drawRows();

function viewName() {
  const [kind, id, ...rest] = board.view.split(":");
  switch (kind) {
    case "c": return board.categories.length > 1 ? categoryName(id) : "";
    case "club": return [id, ...rest].join(":");
    case "s": {
      const name = board.sessions.find((session) => session.id === id)?.name ?? "";
      return isStartList() ? say("startList", { name }) : name;
    }
    case "plan": return say("schedule");
    case "t": return say(rest[0] === "country" ? "countriesOf" : "teamsOf", { name: categoryName(id) });
    case "m": {
      const stage = board.stages.find((one) => one.id === id);
      return stage ? stageName(stage) : "";
    }
    case "f": {
      const stage = board.stages.find((one) => one.id === id);
      return stage ? say("finals", { name: stageName(stage) }) : "";
    }
    default: return board.categories.length > 1 && kind === "a" ? say("everybody") : "";
  }
}

function setName() {
  setText($("name"), board.name || "Quiver");
  const view = board.hidden ? "" : viewName();
  setText($("view-name"), view);
  $("view-name").hidden = !view;
  const title = [view, board.name, "Quiver"].filter(Boolean).join(" · ");
  if (document.title !== title) document.title = title;
  setText($("caption"), say("caption", { name: [board.name, view].filter(Boolean).join(", ") }));
}

/** The views that can be chosen. */
function setViews() {
  const group = (/** @type {string} */ label, /** @type {[string, string][]} */ options) => options.length > 0
    ? [{ label: say(label), options }] : [];
  const named = board.categories.filter((one) => one.entryCount || `c:${one.id}` === board.view);
  const clubs = /** @type {[string, string][]} */ ([["clubs", say("chooseClub")]]);
  if (board.view.startsWith("club:")) clubs.push([board.view, viewName()]);
  const groups = [
    ...group("categories", [...named.map((one) => /** @type {[string, string]} */ ([`c:${one.id}`, one.name || one.code])),
      ...(board.categories.length > 1 ? [/** @type {[string, string]} */ (["a", say("everybody")])] : [])]),
    ...group("matches", board.stages.map((stage) => [`m:${stage.id}`, stageName(stage)])),
    ...group("finalRanks", board.stages.filter((stage) => !stage.groupCount).map((stage) => [`f:${stage.id}`, say("finals", { name: stageName(stage) })])),
    ...group("targets", [...board.sessions.map((session) => /** @type {[string, string]} */ ([`s:${session.id}`, session.name ?? ""])), ["plan", say("schedule")]]),
    ...group("clubs", clubs),
    ...group("teams", named.flatMap((one) => [[`t:${one.id}:club`, say("teamsOf", { name: one.name || one.code })],
      [`t:${one.id}:country`, say("countriesOf", { name: one.name || one.code })]])),
  ];
  const text = JSON.stringify(groups);
  if ($("view").dataset.groups !== text) {
    $("view").dataset.groups = text;
    $("view").replaceChildren(...groups.map(({ label, options }) => el("optgroup", { label },
      options.map(([value, name]) => el("option", { value }, name)))));
  }
  $("view").value = board.view;
  for (const id of ["controls", "banners"]) $(id).hidden = Boolean(board.hidden);
}

function setPager() {
  const { count, first, rows } = extent();
  const isPaged = count > pageRows && $("standings").hidden === false;
  $("pager").hidden = !isPaged;
  if (!isPaged) return;
  setText($("extent"), say("rows", { first: first + 1, last: first + rows, count }));
  setText($("earlier"), say("previous"));
  setText($("later"), say("next"));
  $("earlier").disabled = first === 0;
  $("later").disabled = first + rows >= count;
}

/** The pause of the shooting with its clock, and what the organiser says. */
function banners() {
  const pause = board.event.shootingPause;
  $("pause").hidden = !pause;
  if (pause) {
    setText($("pause-text"), say("pause", { time: timeText(pause.startedAtMs), reason: pause.reason ?? "" }));
    const passed = Math.max(0, Math.floor((serverNow() - Number(pause.startedAtMs)) / 1000));
    const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
    setText($("pause-clock"), `${passed >= 3600 ? `${Math.floor(passed / 3600)}:` : ""}${two(Math.floor(passed / 60) % 60)}:${two(passed % 60)}`);
  }
  const isUnfinished = board.status === "TOURNAMENT_STATUS_COMPLETED" && board.openSteps.length > 0;
  $("unfinished").hidden = !isUnfinished;
  setText($("unfinished"), isUnfinished ? say("notFinished", { what: board.openSteps.map((kind) => say(stepWords[kind] ?? "more")).join(", ") }) : "");
  const [latest, ...earlier] = board.notices;
  $("notices").hidden = !latest;
  if (!latest) return;
  const line = (/** @type {Message} */ notice) => `${timeText(notice.sentAtMs)}  ${notice.text}`;
  setText($("notice"), line(latest));
  $("earlier-notices").hidden = earlier.length === 0;
  setText($("earlier-count"), say("earlier", { count: earlier.length }));
  const texts = earlier.map(line);
  if ($("notice-list").dataset.texts !== JSON.stringify(texts)) {
    $("notice-list").dataset.texts = JSON.stringify(texts);
    $("notice-list").replaceChildren(...texts.map((text) => el("li", {}, text)));
  }
}

function choose(/** @type {string} */ id) {
  board.chosen = board.chosen === id ? "" : id;
  remember();
  redraw();
}

function setLanguage(/** @type {string} */ language) {
  board.language = languages[language] ? language : "en";
  document.documentElement.lang = board.language;
  $("language-label").textContent = say("language") + " ";
  $("view-label").textContent = say("view") + " ";
  $("print").textContent = say("print");
  $("share").textContent = say("share");
  setName();
  setState();
  if (board.tournament && !board.hidden) setViews();
  setPager();
  banners();
  projector.describe();
  if (board.view === "plan" && board.isReady) drawSchedule();
  else if (board.view.startsWith("f:") && board.isReady) drawFinalRanks();
  else if (board.view.startsWith("m:") && board.isReady) drawBracket(board.brackets.get(board.view.slice(2)) ?? {}, openMatch);
  else redraw();
}

// --- Sharing and the projector ---

/** The address of what is shown, by which phones reach it, without what belongs to this screen alone. */
function address() {
  const url = new URL(location.pathname + location.search, knownAddress());
  for (const key of ["screen", "seconds", "archer", "row", "lang"]) url.searchParams.delete(key);
  return url.href;
}

function share() {
  const opener = /** @type {any} */ (document.activeElement);
  const text = address();
  const isHere = isLoopback(text);
  const input = el("input", { value: text, readOnly: true, "aria-label": say("share"), onfocus: () => input.select() });
  const state = el("span", { role: "status" });
  const dialog = el("dialog", { "aria-labelledby": "share-title", onclose: () => { dialog.remove(); opener?.focus?.(); } },
    el("h2", { id: "share-title" }, say("share")), el("p", {}, say("shareText")), picture(text, text),
    isHere ? el("p", { className: "warn" }, say("shareHere")) : null, input,
    el("p", {}, el("button", { type: "button", onclick: async () => {
      input.select();
      try {
        await navigator.clipboard.writeText(text);
      } catch { document.execCommand("copy"); }
      state.textContent = say("copied");
    } }, say("copy")), " ", el("button", { type: "button", onclick: () => dialog.close() }, say("close")), " ", state));
  document.body.append(dialog);
  dialog.showModal();
}

/** The screen of a projector shows in its corner how to get the board on a phone. */
function setCorner() {
  const code = projector.isOn() && !isLoopback(knownAddress()) ? picture(address().split("?")[0], say("share")) : null;
  $("corner").replaceChildren(...(code ? [code] : []));
}

let bracketsAt = Number.NEGATIVE_INFINITY;

/** Reads the brackets that no watch follows, for what comes next; `now`: for the schedule. */
async function readBrackets(now = false) {
  if (!now && (!projector.isOn() || performance.now() - bracketsAt < 30_000 || !board.token)) return;
  bracketsAt = performance.now();
  for (const stage of board.stages) {
    if (board.view === `m:${stage.id}` || board.view === `f:${stage.id}`) continue;
    try {
      takeBracket(stage.id, { bracket: await call("Elimination/GetBracket", { stageId: stage.id }) }, true);
    } catch { return; }
  }
}

function toggleProjector() {
  if (projector.isOn()) {
    projector.stop();
    if (document.fullscreenElement) document.exitFullscreen();
  } else {
    projector.start(show);
    document.documentElement.requestFullscreen?.().catch(() => {});
  }
  setCorner();
}

$("language").replaceChildren(...Object.keys(languages).map((language) => el("option", { value: language, lang: language }, languages[language])));
$("language").addEventListener("change", (/** @type {any} */ event) => setLanguage(event.target.value));
$("view").addEventListener("change", (/** @type {any} */ event) => show(event.target.value));
$("earlier").addEventListener("click", () => show(board.view, Math.max(0, board.firstRow - pageRows)));
$("later").addEventListener("click", () => show(board.view, board.firstRow + pageRows));
$("print").addEventListener("click", () => print());
$("share").addEventListener("click", share);
$("projector").addEventListener("click", toggleProjector);
$("hold").addEventListener("click", projector.hold);
$("before").addEventListener("click", () => projector.move(-1));
$("after").addEventListener("click", () => projector.move(1));
$("rows").addEventListener("click", (/** @type {any} */ event) => {
  const row = event.target.closest("tr");
  if (row) choose(row.dataset.id);
});
$("rows").addEventListener("focusin", (/** @type {any} */ event) => setStop(event.target.closest("tr")));
$("rows").addEventListener("keydown", (/** @type {any} */ event) => {
  const row = event.target.closest("tr");
  if (!row) return;
  if (event.key === "Enter" || event.key === " ") choose(row.dataset.id);
  else if (event.key === "ArrowDown") row.nextElementSibling?.focus();
  else if (event.key === "ArrowUp") row.previousElementSibling?.focus();
  else if (event.key === "Home") row.parentElement.firstElementChild.focus();
  else if (event.key === "End") row.parentElement.lastElementChild.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
addEventListener("keydown", (event) => {
  if (!projector.isOn() || document.querySelector("dialog")) return;
  const isControl = /** @type {any} */ (event.target).closest?.("button, select, summary");
  if (event.key === "Escape") toggleProjector();
  else if (event.key === "ArrowRight" || event.key === "PageDown") projector.move(1);
  else if (event.key === "ArrowLeft" || event.key === "PageUp") projector.move(-1);
  else if (event.key === " " && !isControl) projector.hold();
  else return;
  event.preventDefault();
});
// Controls of a projector are seen while somebody is there.
let stirred = 0;
addEventListener("pointermove", () => {
  document.documentElement.classList.add("stirred");
  clearTimeout(stirred);
  stirred = /** @type {any} */ (setTimeout(() => document.documentElement.classList.remove("stirred"), 4000));
});
addEventListener("resize", () => projector.cut());
document.addEventListener("drawn", () => projector.cut());
setInterval(() => {
  banners();
  readBrackets();
  projector.describe();
}, 1000);

const preferred = new URLSearchParams(location.search).get("lang") || navigator.language.slice(0, 2);
setLanguage(preferred);
$("language").value = board.language;
if (projector.isAsked()) projector.start(show);
setCorner();
follow();
