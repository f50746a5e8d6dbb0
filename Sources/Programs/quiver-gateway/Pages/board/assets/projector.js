// The projector: the views of an event one after another, each page by page, without a hand.
import { $, board, say, serverNow, setText, timeText } from "./page.js";
import { isDecided, isRunning, rounds } from "./matches.js";
import { planned } from "./schedule.js";

/** @typedef {import("./page.js").Message} Message */

/** How long a page stays: `?seconds=` from 5 to 300. */
const seconds = Math.min(300, Math.max(5, Number(new URLSearchParams(location.search).get("seconds")) || 15));

const screen = {
  isOn: false, isHeld: false, page: 0, pages: 1,
  /** Whether the first view is still to be found: the address names none. */
  isFirst: false,
  /** When the next page is due. */
  dueAt: 0,
  /** @type {any} */
  timer: null,
  /** @type {(view: string) => void} */
  show: () => {},
};

export const isOn = () => screen.isOn;

/** The address asks for it by `?screen`, or by `projector` behind the number sign. */
export const isAsked = () => new URLSearchParams(location.search).has("screen") || /(^#|&)projector\b/.test(location.hash);

/** Begins; `show` shows another view. */
export function start(/** @type {(view: string) => void} */ show) {
  Object.assign(screen, { isOn: true, isHeld: false, page: 0, show, isFirst: !new URLSearchParams(location.search).has("view"), dueAt: performance.now() + seconds * 1000 });
  document.documentElement.classList.add("projector");
  clearInterval(screen.timer);
  screen.timer = setInterval(tick, 500);
  describe();
  cut();
}

/** Ends, and shows the view that is on as a whole. */
export function stop() {
  Object.assign(screen, { isOn: false, page: 0 });
  clearInterval(screen.timer);
  document.documentElement.classList.remove("projector");
  for (const item of items()) item.hidden = false;
  const url = new URL(location.href);
  url.searchParams.delete("screen");
  url.hash = url.hash.replace(/[#&]?projector\b/, "");
  history.replaceState(null, "", url);
  describe();
}

export function hold() {
  screen.isHeld = !screen.isHeld;
  screen.dueAt = performance.now() + seconds * 1000;
  describe();
}

function tick() {
  if (screen.isFirst && board.isReady) {
    screen.isFirst = false;
    const [first] = scenes();
    if (!screen.isHeld && first && !scenes().includes(board.view)) return screen.show(first);
  }
  if (!screen.isHeld && board.isReady && performance.now() >= screen.dueAt) move(1);
}

/**
 * The views that take their turns: before the first arrow the start lists of the sessions; then categories with archers, and stages,
 * of those that are over the final ranks. The schedule comes last, while something is ahead.
 */
function scenes() {
  const plan = planned().some((one) => one.at > serverNow()) ? ["plan"] : [];
  const lists = board.sessions.filter((session) => session.entryCount).map((session) => `s:${session.id}`);
  if (board.status === "TOURNAMENT_STATUS_OPEN" && lists.length > 0) return [...lists, ...plan];
  const categories = board.categories.filter((category) => category.entryCount).map((category) => `c:${category.id}`);
  const stages = board.stages.flatMap((stage) => !isDecided(board.brackets.get(stage.id)) ? [`m:${stage.id}`] : stage.groupCount ? [] : [`f:${stage.id}`]);
  const all = [...categories, ...stages, ...plan];
  return all.length > 0 ? all : [board.view];
}

/** To the next page, or the one before. */
export function move(/** @type {number} */ step) {
  screen.dueAt = performance.now() + seconds * 1000;
  const page = screen.page + step;
  if (page >= 0 && page < screen.pages) {
    screen.page = page;
    return cut();
  }
  const list = scenes();
  const place = list.indexOf(board.view);
  const next = list[(place + step + list.length) % list.length] ?? board.view;
  screen.page = 0;
  if (next === board.view) cut();
  else screen.show(next);
}

/** What is divided into pages. */
function items() {
  const view = board.view;
  if (view.startsWith("m:")) return /** @type {any[]} */ ([...document.querySelectorAll("#matches .match, #matches .ranks")]);
  return /** @type {any[]} */ ([...document.querySelectorAll(/^(t:|f:|plan$)/.test(view) ? "#teams tbody tr" : "#rows tr")]);
}

/** Shows the items of the page that is on, as many as the screen has room for. */
export function cut() {
  if (!screen.isOn) return;
  const all = items();
  for (const section of /** @type {any} */ (document.querySelectorAll("#matches .round"))) section.hidden = false;
  for (const item of all) item.hidden = false;
  const pages = divide(all);
  screen.pages = Math.max(1, pages.length);
  screen.page = Math.min(screen.page, screen.pages - 1);
  const page = new Set(pages[screen.page] ?? all);
  for (const item of all) item.hidden = !page.has(item);
  for (const section of /** @type {any} */ (document.querySelectorAll("#matches .round:not(.ranks)"))) {
    section.hidden = !section.querySelector(".match:not([hidden])");
  }
  describe();
}

/** The items of each page, by their places on one long page. */
function divide(/** @type {any[]} */ all) {
  // The footer stands a hundredth above the lower edge.
  const room = innerHeight * 0.98 - $("footer").offsetHeight;
  const top = scrollY + (all[0]?.closest("#matches, #teams, #standings")?.getBoundingClientRect().top ?? 0);
  /** @type {any[][]} */
  const pages = [];
  if (board.view.startsWith("m:")) {
    // A page has whole rounds as far as they fit; those that are decided do not come back.
    const bracket = board.brackets.get(board.view.slice(2));
    const open = new Set(bracket ? rounds(bracket).filter((round) => round.matches.some((match) => isRunning(match) || /WAITING|SCHEDULED|FINISHED/.test(match.state)))
      .flatMap((round) => round.matches.map((match) => match.id)) : []);
    const shown = all.filter((item) => open.size === 0 || open.has(item.dataset.key) || item.classList.contains("ranks"));
    for (const item of all) if (!shown.includes(item)) item.hidden = true;
    all = shown;
  }
  let from = -1;
  for (const item of all) {
    const box = item.getBoundingClientRect();
    const first = item.closest(".round")?.getBoundingClientRect().top ?? box.top;
    const isFirst = item.previousElementSibling?.classList?.contains("match") !== true;
    // The first match of a round brings its heading.
    const start = (isFirst && item.classList.contains("match") ? Math.min(first, box.top) : box.top) + scrollY;
    if (from < 0 || box.bottom + scrollY - from > room - headroom(top)) {
      pages.push([]);
      from = start;
    }
    pages[pages.length - 1].push(item);
  }
  return pages;
}

/** What stands above the items: the header, the banners, and the titles of columns. */
function headroom(/** @type {number} */ top) {
  const head = board.view.startsWith("m:") ? 8 : (document.querySelector("#teams thead tr") ?? $("head")).offsetHeight + 8;
  return top + head;
}

/** The words of the bar, and what comes next. */
export function describe() {
  setText($("projector"), say(screen.isOn ? "leave" : "projector"));
  setText($("hold"), say(screen.isHeld ? "goOn" : "hold"));
  setText($("before"), say("previous"));
  setText($("after"), say("next"));
  for (const id of ["hold", "before", "after"]) $(id).hidden = !screen.isOn;
  setText($("page"), screen.isOn && screen.pages > 1 ? say("page", { page: screen.page + 1, pages: screen.pages }) : "");
  setText($("next-up"), nextUp());
}

/** The session or the matches that begin next. */
function nextUp() {
  const now = serverNow();
  const next = planned().find((one) => one.at > now);
  return next && !/COMPLETED|CANCELLED/.test(board.status) ? say("nextUp", { what: next.what, time: timeText(next.at) }) : "";
}
