// The rows of standings: who is where, and by how much a row has moved.
import { $, board, categoryName, el, placeText, say, setText } from "./page.js";

/** @typedef {import("./page.js").Message} Message */

/** How many rows the server shows at once. */
export const pageRows = 200;
/** How long a row shows by how many places it moved; board.css fades the mark in the same time. */
const markMilliseconds = 20_000;

const shown = {
  /** @type {Map<string, Message>} */
  rows: new Map(),
  /** @type {Message[]} in their order */
  order: [],
  /** @type {Message[]} */
  keys: [],
  inProgress: false, firstRank: 1, firstTotal: 0, rowsBefore: 0, count: 0,
  /** @type {Map<string, number>} */
  ranks: new Map(),
  /** @type {Map<string, {places: number, timer: any}>} */
  moves: new Map(),
  /** @type {Map<string, any>} */
  elements: new Map(),
  isDrawing: false,
};

/** Forgets the rows, because another view is shown. */
export function clearRows() {
  for (const { timer } of shown.moves.values()) clearTimeout(timer);
  shown.rows.clear();
  shown.moves.clear();
  shown.ranks.clear();
  Object.assign(shown, { order: [], keys: [], count: 0, rowsBefore: 0 });
  for (const element of shown.elements.values()) element.remove();
  shown.elements.clear();
}

/** Takes a message of the watch. Returns whether it has archers whose entries are not known. */
export function takeRows(/** @type {Message} */ message, /** @type {boolean} */ startsSnapshot) {
  if (startsSnapshot) shown.rows.clear();
  for (const row of message.rows ?? []) shown.rows.set(row.participantId, row);
  for (const id of message.removedIds ?? []) shown.rows.delete(id);
  shown.firstRank = message.firstRank || 1;
  shown.firstTotal = message.firstTotal || 0;
  shown.rowsBefore = message.rowsBefore || 0;
  shown.count = message.participantCount || 0;
  shown.keys = message.keys ?? [];
  shown.inProgress = message.inProgress === true;
  if (message.span?.incomplete) return false;
  rank();
  return shown.order.some((row) => !board.entries.has(row.participantId));
}

/** How many rows there are in all, and which are shown. */
export const extent = () => ({ count: shown.count, first: shown.rowsBefore, rows: shown.order.length });

// --- Ranks ---

/** @returns {number} */
function valueOf(/** @type {Message} */ row, /** @type {Message} */ key) {
  const counts = row.counts ?? [];
  switch (key.kind) {
    case "RANK_KEY_KIND_SCORE": return row.total ?? 0;
    case "RANK_KEY_KIND_X": return row.xCount ?? 0;
    case "RANK_KEY_KIND_COUNT": return counts[key.value ?? 0] ?? 0;
    case "RANK_KEY_KIND_HITS": return counts.slice(1).reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0);
    case "RANK_KEY_KIND_GOLDS": return row.goldCount ?? 0;
    case "RANK_KEY_KIND_ENDS_COMPLETED": return row.endsCompleted ?? 0;
    default: return 0;
  }
}

/** Whether a paper does not have the count of a key. */
function isMissing(/** @type {Message} */ row, /** @type {Message} */ key) {
  const bits = /** @type {Record<string, number>} */ ({ RANK_KEY_KIND_X: 12, RANK_KEY_KIND_GOLDS: 13, RANK_KEY_KIND_HITS: 0, RANK_KEY_KIND_COUNT: key.value ?? 0 });
  return key.kind in bits && ((row.missingCounts ?? 0) >> bits[key.kind] & 1) === 1;
}

/** Rows without a count stand behind those with equal keys before it. */
const listed = (/** @type {Message} */ row, /** @type {Message} */ key) => isMissing(row, key) ? -1 : valueOf(row, key);

const isPart = () => board.view !== "a" || board.firstRow > 0;

/** The word for who has no rank; empty: it has one. */
function outOf(/** @type {Message} */ row) {
  if (row.status === "PARTICIPANT_STATUS_DISQUALIFIED") return "disqualified";
  if (row.status === "PARTICIPANT_STATUS_WITHDRAWN") return "withdrawn";
  return isPart() && !row.rank ? "notStarted" : "";
}

const isTargets = () => board.view.startsWith("s:");

/** Before the first arrow a session shows who stands where, and nothing of scores. */
export const isStartList = () => isTargets() && board.status === "TOURNAMENT_STATUS_OPEN";

function rank() {
  const before = shown.ranks;
  shown.ranks = new Map();
  const byID = (/** @type {Message} */ a, /** @type {Message} */ b) => Number(BigInt(a.participantId) - BigInt(b.participantId));
  const group = (/** @type {Message} */ row) => ["", "withdrawn", "disqualified"].indexOf(outOf(row).replace("notStarted", "withdrawn"));
  const rows = [...shown.rows.values()];
  if (isPart()) {
    // The server has ranked them, with the ties that were decided.
    shown.order = rows.sort((a, b) => group(a) - group(b) || (a.rank ?? 0) - (b.rank ?? 0) || byID(a, b));
    for (const row of rows) if (row.rank) shown.ranks.set(row.participantId, row.rank);
  } else {
    rankWhole(rows, group, byID);
  }
  for (const [id, now] of shown.ranks) {
    const old = before.get(id);
    if (old !== undefined && old !== now) mark(id, old - now);
  }
  sortByPlace();
}

/** The ranks of the whole leaderboard, whose watch has none. */
function rankWhole(/** @type {Message[]} */ rows, /** @type {(row: Message) => number} */ group,
  /** @type {(a: Message, b: Message) => number} */ byID) {
  const keys = [...shown.keys];
  if (shown.inProgress) keys.push({ kind: "RANK_KEY_KIND_ENDS_COMPLETED" });
  const order = (/** @type {Message} */ a, /** @type {Message} */ b) => {
    for (const key of keys) {
      const difference = listed(b, key) - listed(a, key);
      if (difference) return difference;
    }
    return 0;
  };
  shown.order = rows.sort((a, b) => group(a) - group(b) || (outOf(a) ? 0 : order(a, b)) || byID(a, b));
  place(shown.order.filter((row) => !outOf(row)), keys, 0);
}

/** Gives rows that are equal so far their ranks: where one of them lacks the next count, all share one. */
function place(/** @type {Message[]} */ rows, /** @type {Message[]} */ keys, /** @type {number} */ first) {
  const last = rows.at(-1);
  if (!last) return;
  if (rows.length < 2 || !keys.length || isMissing(last, keys[0])) {
    const now = first === 0 ? shown.firstRank : shown.rowsBefore + first + 1;
    for (const row of rows) shown.ranks.set(row.participantId, now);
    return;
  }
  for (let index = 0; index < rows.length;) {
    const count = listed(rows[index], keys[0]);
    let end = index + 1;
    while (end < rows.length && listed(rows[end], keys[0]) === count) end += 1;
    place(rows.slice(index, end), keys.slice(1), first + index);
    index = end;
  }
}

/** The rows of a session stand by their targets. */
export function sortByPlace() {
  if (!isTargets()) return;
  const place = (/** @type {Message} */ row) => {
    const entry = board.entries.get(row.participantId);
    return entry?.target ? entry.target * 8 + "ABCD".indexOf(entry.letter ?? "A") : Number.MAX_SAFE_INTEGER;
  };
  shown.order.sort((a, b) => place(a) - place(b));
}

function mark(/** @type {string} */ id, /** @type {number} */ places) {
  clearTimeout(shown.moves.get(id)?.timer);
  const timer = setTimeout(() => { shown.moves.delete(id); drawRows(); }, markMilliseconds);
  shown.moves.set(id, { places, timer });
}

// --- The table ---

/** The counts that break ties, with short names that need no language. */
function columns() {
  /** @type {{title: string, key: Message}[]} */
  const counts = [];
  for (const key of shown.keys) {
    if (key.kind === "RANK_KEY_KIND_X") counts.push({ title: "X", key });
    if (key.kind === "RANK_KEY_KIND_COUNT") counts.push({ title: String(key.value), key });
    if (key.kind === "RANK_KEY_KIND_HITS") counts.push({ title: "H", key });
    if (key.kind === "RANK_KEY_KIND_GOLDS") counts.push({ title: "G", key });
  }
  return counts;
}

function setHead() {
  /** @type {[string, string][]} */
  const titles = [["rank", say("rank")], ["move", ""], ["name", say("name")], ["ends", say("ends")],
    ...columns().map((column) => /** @type {[string, string]} */ (["count", column.title])),
    ["total", say("total")], ["behind", say("behind")]];
  if (isTargets()) titles.unshift(["place", say("place")]);
  const text = JSON.stringify(titles);
  if ($("head").dataset.titles === text) return;
  $("head").dataset.titles = text;
  $("head").replaceChildren(...titles.map(([kind, title]) => el(title ? "th" : "td", { scope: title ? "col" : null, className: kind }, title)));
  shown.elements.clear();
  $("rows").replaceChildren();
}

/** Draws the rows with the next picture. `then` follows it. */
export function drawRows(/** @type {() => void} */ then = () => {}) {
  if (shown.isDrawing) return;
  shown.isDrawing = true;
  requestAnimationFrame(() => {
    shown.isDrawing = false;
    setHead();
    $("standings").classList.toggle("start", isStartList());
    const body = $("rows");
    const focused = /** @type {any} */ (document.activeElement);
    const hasEntry = body.contains(focused);
    shown.order.forEach((row, index) => {
      const element = elementOf(row.participantId);
      fill(element, row);
      if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
    });
    for (const [id, element] of shown.elements) {
      if (shown.rows.has(id)) continue;
      element.remove();
      shown.elements.delete(id);
    }
    // A row that moves loses the focus.
    if (hasEntry && focused.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
    setStop(body.contains(document.activeElement) ? document.activeElement : body.querySelector('[tabindex="0"]') ?? body.firstElementChild);
    if (board.fault === "") {
      $("empty").hidden = shown.order.length > 0 || !board.isReady || board.hidden !== "" || /^(clubs|[tmf]:)/.test(board.view);
      setText($("empty"), say(board.event.participantCount ? "nobody" : "empty"));
    }
    const counts = isStartList() ? "" : columns().map((column) => column.title).join(", ");
    setText($("policy"), counts ? say("policy", { name: counts }) : "");
    then();
    document.dispatchEvent(new Event("drawn"));
  });
}

/** One row is reached by the tabulator, the others by arrows. */
export function setStop(/** @type {any} */ row) {
  for (const other of $("rows").querySelectorAll('[tabindex="0"]')) if (other !== row) other.tabIndex = -1;
  if (row) row.tabIndex = 0;
}

function elementOf(/** @type {string} */ id) {
  const known = shown.elements.get(id);
  if (known) return known;
  const element = el("tr", { tabIndex: -1 });
  element.dataset.id = id;
  const kinds = ["rank", "move", "name", "ends", ...columns().map(() => "count"), "total", "behind"];
  if (isTargets()) kinds.unshift("place");
  for (const kind of kinds) {
    element.append(kind === "name"
      ? el("th", { scope: "row", className: kind }, el("bdi", { className: "who" }), el("span", { className: "more" }))
      : el("td", { className: kind }));
  }
  shown.elements.set(id, element);
  return element;
}

function fill(/** @type {any} */ element, /** @type {Message} */ row) {
  const entry = board.entries.get(row.participantId);
  const now = shown.ranks.get(row.participantId);
  const move = shown.moves.get(row.participantId)?.places ?? 0;
  const out = outOf(row);
  const behind = now === undefined ? 0 : (row.total ?? 0) - shown.firstTotal;
  const texts = [now === undefined ? "" : String(now), move === 0 ? "" : (move > 0 ? "▲" : "▼") + Math.abs(move),
    null, String(row.endsCompleted ?? 0), ...columns().map((column) => isMissing(row, column.key) ? "?" : String(valueOf(row, column.key))),
    String(row.total ?? 0) + (row.typed ? "*" : ""), out ? say(out) : behind === 0 ? "" : String(behind).replace("-", "−")];
  if (isTargets()) texts.unshift(placeText(entry));
  texts.forEach((text, index) => { if (text !== null) setText(element.children[index], text); });
  const cell = element.querySelector(".name");
  setText(cell.firstChild, row.displayName ?? "");
  const more = [entry?.club, isTargets() ? "" : placeText(entry), /^c:/.test(board.view) || board.categories.length < 2 ? "" : entry && categoryName(entry.categoryId)];
  // On a phone the last column is not shown.
  setText(cell.lastChild, more.filter(Boolean).join(" · "));
  cell.dataset.out = out ? say(out) : "";
  element.querySelector(".total").title = row.typed ? say("typed") : "";
  const mover = element.querySelector(".move");
  mover.className = "move" + (move > 0 ? " up" : move < 0 ? " down" : "");
  if (move) mover.setAttribute("aria-label", say(move > 0 ? "up" : "down", { n: Math.abs(move) }));
  else mover.removeAttribute("aria-label");
  const isChosen = row.participantId === board.chosen;
  element.className = (out ? "out " : "") + (isChosen ? "chosen" : "");
  if (isTargets()) element.classList.toggle("first", entry?.letter === "A");
  if (isChosen) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}
