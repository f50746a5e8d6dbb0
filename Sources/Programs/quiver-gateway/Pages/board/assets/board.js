// The standings of one event, live. Every text of a user is set as text, never as markup.
"use strict";

const words = {
  en: { rank: "Rank", name: "Archer", ends: "Ends", total: "Total", behind: "Behind",
    connecting: "Connecting…", live: "Live", final: "Final results",
    open: "Not started yet", cancelled: "Cancelled",
    lost: "Not connected since {time}", none: "There is no event with this code.",
    private: "This event is private: only its participants and officials see its standings.",
    empty: "Nobody has entered yet.", language: "Language", print: "Print results",
    caption: "Standings of {name}", policy: "Ties: {name}", withdrawn: "withdrawn",
    disqualified: "disqualified", up: "up {n}", down: "down {n}" },
  de: { rank: "Rang", name: "Schütze", ends: "Passen", total: "Total", behind: "Rückstand",
    connecting: "Verbinden…", live: "Live", final: "Schlussrangliste",
    open: "Noch nicht begonnen", cancelled: "Abgesagt",
    lost: "Keine Verbindung seit {time}", none: "Zu diesem Code gibt es kein Turnier.",
    private: "Dieses Turnier ist privat: nur Beteiligte und Offizielle sehen die Rangliste.",
    empty: "Noch niemand ist gemeldet.", language: "Sprache", print: "Rangliste drucken",
    caption: "Rangliste von {name}", policy: "Gleichstand: {name}", withdrawn: "zurückgezogen",
    disqualified: "disqualifiziert", up: "{n} hinauf", down: "{n} hinab" },
  fr: { rank: "Rang", name: "Archer", ends: "Volées", total: "Total", behind: "Écart",
    connecting: "Connexion…", live: "En direct", final: "Résultats finals",
    open: "Pas encore commencé", cancelled: "Annulé",
    lost: "Pas de connexion depuis {time}", none: "Aucun événement n’a ce code.",
    private: "Cet événement est privé : seuls ses participants et officiels voient le classement.",
    empty: "Personne n’est encore inscrit.", language: "Langue", print: "Imprimer les résultats",
    caption: "Classement de {name}", policy: "Égalités : {name}", withdrawn: "retiré",
    disqualified: "disqualifié", up: "{n} de mieux", down: "{n} de moins" },
  it: { rank: "Pos.", name: "Arciere", ends: "Volée", total: "Totale", behind: "Distacco",
    connecting: "Connessione…", live: "In diretta", final: "Risultati finali",
    open: "Non ancora iniziato", cancelled: "Annullato",
    lost: "Nessuna connessione dalle {time}", none: "Nessun evento ha questo codice.",
    private: "Questo evento è privato: solo partecipanti e ufficiali vedono la classifica.",
    empty: "Nessuno è ancora iscritto.", language: "Lingua", print: "Stampa i risultati",
    caption: "Classifica di {name}", policy: "Parità: {name}", withdrawn: "ritirato",
    disqualified: "squalificato", up: "su di {n}", down: "giù di {n}" },
};
const languageNames = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const board = {
  code: decodeURIComponent(location.pathname.split("/")[2] || ""),
  language: "en", token: "", tournament: "", name: "", rows: new Map(), keys: [],
  inProgress: false, status: "", firstRank: 1, firstTotal: 0, rowsBefore: 0, chosen: query.get("archer") || "",
  ranks: new Map(), moves: new Map(), state: "connecting", lostAt: null, position: null, count: 0,
  elements: new Map(), shown: [], isDrawing: false, heardAt: 0,
};

function say(key, values) {
  return words[board.language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// --- Connect ---

const json = { "content-type": "application/json", "connect-protocol-version": "1" };

class CallError extends Error {
  constructor(code, message) { super(message); this.code = code; }
}

// How long a request may take until its response begins.
const patience = 5000;

async function call(method, request) {
  const reply = await fetch("/quiver.v1.Tournament/" + method,
    { method: "POST", headers: json, body: JSON.stringify(request), cache: "no-store",
      signal: AbortSignal.timeout(patience) });
  const value = await reply.json();
  if (!reply.ok) throw new CallError(value.code, value.message);
  return value;
}

// Reads the envelopes of a stream: a byte of flags, four of length, a message in JSON.
// `accepted` is called when the server has accepted it, which may be long before the first message.
async function* stream(method, request, headers, control, accepted) {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const message = new Uint8Array(5 + body.length);
  new DataView(message.buffer).setUint32(1, body.length);
  message.set(body, 5);
  const timer = setTimeout(() => control.abort(), patience);
  const reply = await fetch("/quiver.v1.Tournament/" + method, {
    method: "POST", body: message, cache: "no-store", signal: control.signal,
    headers: { "content-type": "application/connect+json", "connect-protocol-version": "1",
      "connect-accept-encoding": "identity", authorization: "Bearer " + board.token, ...headers },
  });
  clearTimeout(timer);
  if (!reply.ok) throw new CallError("unavailable", "HTTP " + reply.status);
  accepted();
  const reader = reply.body.getReader();
  let waiting = new Uint8Array(0);
  for (;;) {
    while (waiting.length >= 5) {
      const length = new DataView(waiting.buffer, waiting.byteOffset).getUint32(1);
      if (waiting.length < 5 + length) break;
      const value = JSON.parse(new TextDecoder().decode(waiting.subarray(5, 5 + length)));
      const isEnd = waiting[0] & 2;
      waiting = waiting.slice(5 + length);
      if (!isEnd) { yield value; continue; }
      if (value.error) throw new CallError(value.error.code, value.error.message);
      return;
    }
    const { done, value } = await reader.read();
    board.heardAt = performance.now();
    if (done) throw new CallError("unavailable", "the stream broke off");
    const joined = new Uint8Array(waiting.length + value.length);
    joined.set(waiting);
    joined.set(value, waiting.length);
    waiting = joined;
  }
}

const sleep = (milliseconds) => new Promise((wake) => {
  const timer = setTimeout(wake, milliseconds);
  addEventListener("online", () => { clearTimeout(timer); wake(); }, { once: true });
});

// --- The event ---

// How long until the server is asked again whether a private event has become public.
const privateMilliseconds = 30_000;

async function follow() {
  let wait = 250;
  for (;;) {
    try {
      if (!board.token) await enter();
      for await (const change of watch()) {
        wait = 250;
        apply(change);
      }
    } catch (error) {
      if (error.code === "not_found" || error.code === "invalid_argument") return hide("none");
      if (error.code === "failed_precondition") {
        hide("private");
        await sleep(privateMilliseconds);
        continue;
      }
      if (error.code === "unauthenticated" || error.code === "permission_denied") board.token = "";
      if (error.code === "out_of_range") board.position = null;
    }
    if (board.state !== "lost") {
      board.lostAt = new Date();
      setState("lost");
    }
    if (await untilHeard()) {
      wait = 250;
    } else {
      await sleep(wait * (0.7 + 0.6 * Math.random()));
      wait = Math.min(wait * 1.6, 2000);
    }
  }
}

async function enter() {
  const answer = await call("GetSpectatorToken", { joinCode: board.code });
  board.token = answer.token;
  board.tournament = answer.tournamentId;
  board.name = answer.name || board.code;
  setName();
}

// A small request that any gateway answers.
const probe = (milliseconds) => fetch("/board/assets/board.css",
  { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(milliseconds) });

// Waits until the gateway answers. A lost network often says nothing, and what was sent into it
// stays lost: a further request goes out each second. True: there was no answer for a while.
async function untilHeard() {
  let isHeard = false;
  let wake = () => {};
  for (let count = 0; ; count += 1) {
    probe(4500).then(() => { isHeard = true; wake(); }, () => {});
    await Promise.race([sleep(1000), new Promise((resolve) => { wake = resolve; })]);
    if (isHeard) return count > 0;
  }
}

// Where nothing has come for a while, a probe tells a quiet event from a lost network.
const quietMilliseconds = 2000;

async function listen(control) {
  const isQuiet = () => performance.now() - board.heardAt > quietMilliseconds;
  while (!control.signal.aborted) {
    await sleep(1000);
    if (control.signal.aborted || !isQuiet()) continue;
    try {
      await probe(quietMilliseconds);
      board.heardAt = performance.now();
    } catch {
      if (isQuiet()) control.abort();
    }
  }
}

// A stream is given up when the browser is offline, or nothing can be heard.
async function* watch() {
  const headers = board.position === null ? {} : {
    "quiver-after-sequence": board.position.upto, "quiver-store-epoch": board.position.epoch,
  };
  const control = new AbortController();
  const offline = () => control.abort();
  addEventListener("offline", offline);
  try {
    const request = { tournamentId: board.tournament, top: 200 };
    board.heardAt = performance.now();
    listen(control);
    // The rows of a resumed stream are those that are shown, until a change comes.
    yield* stream("WatchLeaderboard", request, headers, control,
      () => { if (board.position !== null) setState("live"); });
  } finally {
    removeEventListener("offline", offline);
    control.abort();
  }
}

function apply(change) {
  const span = change.span || {};
  if (!span.after || span.after === "0") board.rows.clear();
  for (const row of change.rows || []) board.rows.set(row.participantId, row);
  for (const id of change.removedIds || []) board.rows.delete(id);
  board.firstRank = change.firstRank || 1;
  board.firstTotal = change.firstTotal || 0;
  board.rowsBefore = change.rowsBefore || 0;
  board.count = change.participantCount || 0;
  board.keys = change.keys || [];
  board.inProgress = change.inProgress === true;
  board.status = change.status || "";
  if (!span.incomplete) {
    board.position = { upto: span.upto || "0", epoch: span.storeEpoch || "0" };
    rank();
    setState("live");
    draw();
  }
}

// --- Ranks ---

function value(row, key) {
  const counts = row.counts || [];
  switch (key.kind) {
    case "RANK_KEY_KIND_SCORE": return row.total || 0;
    case "RANK_KEY_KIND_X": return row.xCount || 0;
    case "RANK_KEY_KIND_COUNT": return counts[key.value] || 0;
    case "RANK_KEY_KIND_HITS": return counts.slice(1).reduce((sum, count) => sum + count, 0);
    case "RANK_KEY_KIND_GOLDS": return row.goldCount || 0;
    case "RANK_KEY_KIND_ENDS_COMPLETED": return row.endsCompleted || 0;
    default: return 0;
  }
}

const isOut = (row) => row.status === "PARTICIPANT_STATUS_WITHDRAWN"
  || row.status === "PARTICIPANT_STATUS_DISQUALIFIED";

function rank() {
  const keys = board.keys.slice();
  if (board.inProgress) keys.push({ kind: "RANK_KEY_KIND_ENDS_COMPLETED" });
  const order = (a, b) => {
    for (const key of keys) {
      const difference = value(b, key) - value(a, key);
      if (difference) return difference;
    }
    return 0;
  };
  const byID = (a, b) => Number(BigInt(a.participantId) - BigInt(b.participantId));
  const group = (row) => row.status === "PARTICIPANT_STATUS_DISQUALIFIED" ? 2 : isOut(row) ? 1 : 0;
  board.shown = [...board.rows.values()].sort((a, b) =>
    group(a) - group(b) || (isOut(a) ? 0 : order(a, b)) || byID(a, b));
  const before = board.ranks;
  board.ranks = new Map();
  let rank = board.firstRank;
  board.shown.forEach((row, index) => {
    if (isOut(row)) return;
    const above = board.shown[index - 1];
    if (index > 0 && order(above, row) !== 0) rank = board.rowsBefore + index + 1;
    board.ranks.set(row.participantId, rank);
    const old = before.get(row.participantId);
    if (old !== undefined && old !== rank) mark(row.participantId, old - rank);
  });
}

// How long a row shows by how many places it moved; board.css fades the mark in the same time.
const markMilliseconds = 20_000;

function mark(id, places) {
  clearTimeout(board.moves.get(id)?.timer);
  const timer = setTimeout(() => { board.moves.delete(id); draw(); }, markMilliseconds);
  board.moves.set(id, { places, timer });
}

// --- The page ---

// The browser's form of the chosen language, so that times are written as its country does.
const locale = () =>
  navigator.languages.find((name) => name.split("-")[0] === board.language) || board.language;

// The words for the state of an event whose standings are current.
const stateWords = { TOURNAMENT_STATUS_OPEN: "open", TOURNAMENT_STATUS_COMPLETED: "final",
  TOURNAMENT_STATUS_CANCELLED: "cancelled" };

// A state and its words; the time of a lost connection is shown to the second.
function setState(state) {
  board.state = state;
  $("state").className = state === "live" || state === "connecting" ? "" : "off";
  const time = board.lostAt ? board.lostAt.toLocaleTimeString(locale()) : "";
  const text = say(state === "live" && stateWords[board.status] || state, { time });
  if ($("state").textContent !== text) $("state").textContent = text;
}

// Nothing of the event may be shown.
function hide(state) {
  board.rows.clear();
  board.position = null;
  rank();
  setState(state);
  draw();
}

function setName() {
  $("name").textContent = board.name || "Quiver";
  document.title = board.name ? board.name + " · Quiver" : "Quiver";
  $("caption").textContent = say("caption", { name: board.name });
}

// The counts that break ties, with short names that need no language.
function columns() {
  const counts = [];
  for (const key of board.keys) {
    if (key.kind === "RANK_KEY_KIND_X") counts.push({ title: "X", key });
    if (key.kind === "RANK_KEY_KIND_COUNT") counts.push({ title: String(key.value), key });
    if (key.kind === "RANK_KEY_KIND_HITS") counts.push({ title: "H", key });
    if (key.kind === "RANK_KEY_KIND_GOLDS") counts.push({ title: "G", key });
  }
  return counts;
}

function setHead() {
  const titles = [["rank", say("rank")], ["move", ""], ["name", say("name")],
    ["ends", say("ends")], ...columns().map((column) => ["count", column.title]),
    ["total", say("total")], ["behind", say("behind")]];
  const text = JSON.stringify(titles);
  if ($("head").dataset.titles === text) return;
  $("head").dataset.titles = text;
  $("head").replaceChildren(...titles.map(([kind, title]) => {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.className = kind;
    cell.textContent = title;
    return cell;
  }));
  board.elements.clear();
  $("rows").replaceChildren();
}

function draw() {
  if (board.isDrawing) return;
  board.isDrawing = true;
  requestAnimationFrame(() => {
    board.isDrawing = false;
    setHead();
    const body = $("rows");
    const focused = document.activeElement;
    board.shown.forEach((row, index) => {
      const element = element_(row.participantId);
      fill(element, row);
      if (body.children[index] !== element) body.insertBefore(element, body.children[index] || null);
    });
    for (const [id, element] of board.elements) {
      if (board.rows.has(id)) continue;
      element.remove();
      board.elements.delete(id);
    }
    // A row that moves loses the focus.
    if (focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    $("empty").hidden = board.shown.length > 0 || board.state !== "live";
    $("empty").textContent = say("empty");
    const counts = columns().map((column) => column.title).join(", ");
    $("policy").textContent = counts ? say("policy", { name: counts }) : "";
  });
}

function element_(id) {
  const known = board.elements.get(id);
  if (known) return known;
  const element = document.createElement("tr");
  element.tabIndex = 0;
  element.dataset.id = id;
  const kinds = ["rank", "move", "name", "ends", ...columns().map(() => "count"), "total", "behind"];
  for (const kind of kinds) {
    const cell = document.createElement(kind === "name" ? "th" : "td");
    if (kind === "name") cell.scope = "row";
    cell.className = kind;
    element.append(cell);
  }
  board.elements.set(id, element);
  return element;
}

function fill(element, row) {
  const rank = board.ranks.get(row.participantId);
  const move = board.moves.get(row.participantId)?.places || 0;
  const out = isOut(row);
  const behind = rank === undefined ? "" : (row.total || 0) - board.firstTotal;
  const texts = [rank === undefined ? "" : String(rank), move === 0 ? "" : (move > 0 ? "▲" : "▼") + Math.abs(move),
    row.displayName || "", String(row.endsCompleted || 0),
    ...columns().map((column) => String(value(row, column.key))), String(row.total || 0),
    behind === "" || behind === 0 ? "" : String(behind).replace("-", "−")];
  if (out) {
    texts[texts.length - 1] =
      say(row.status === "PARTICIPANT_STATUS_WITHDRAWN" ? "withdrawn" : "disqualified");
  }
  texts.forEach((text, index) => {
    const cell = element.children[index];
    if (cell.textContent !== text) cell.textContent = text;
  });
  const direction = "move" + (move > 0 ? " up" : move < 0 ? " down" : "");
  if (element.children[1].className !== direction) element.children[1].className = direction;
  const label = move > 0 ? say("up", { n: move }) : move < 0 ? say("down", { n: -move }) : "";
  element.children[1].setAttribute("aria-label", label);
  const isChosen = row.participantId === board.chosen;
  element.className = (out ? "out " : "") + (isChosen ? "chosen" : "");
  if (isChosen) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

function choose(id) {
  board.chosen = board.chosen === id ? "" : id;
  const url = new URL(location.href);
  if (board.chosen) url.searchParams.set("archer", board.chosen);
  else url.searchParams.delete("archer");
  history.replaceState(null, "", url);
  draw();
}

function setLanguage(language) {
  board.language = words[language] ? language : "en";
  document.documentElement.lang = board.language;
  $("language-label").textContent = say("language") + " ";
  $("print").textContent = say("print");
  setName();
  setState(board.state);
  setHead();
  draw();
}

$("language").replaceChildren(...Object.keys(words).map((language) => {
  const option = document.createElement("option");
  option.value = language;
  option.textContent = languageNames[language];
  return option;
}));
$("language").addEventListener("change", (event) => setLanguage(event.target.value));
$("print").addEventListener("click", () => print());
$("rows").addEventListener("click", (event) => {
  const row = event.target.closest("tr");
  if (row) choose(row.dataset.id);
});
$("rows").addEventListener("keydown", (event) => {
  const row = event.target.closest("tr");
  if (!row) return;
  if (event.key === "Enter" || event.key === " ") choose(row.dataset.id);
  else if (event.key === "ArrowDown") row.nextElementSibling?.focus();
  else if (event.key === "ArrowUp") row.previousElementSibling?.focus();
  else return;
  event.preventDefault();
});
const preferred = query.get("lang") || navigator.language.slice(0, 2);
setLanguage(preferred);
$("language").value = board.language;
follow();
