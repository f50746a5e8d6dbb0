// What all parts of the board use: what is shown, words, elements, times.
import { languages, words } from "./words.js";

/** @typedef {Record<string, any>} Message a message in proto3 JSON */

const query = new URLSearchParams(location.search);

/** What the board shows, and what it knows of the event. */
export const board = {
  code: decodeURIComponent(location.pathname.split("/")[2] || ""),
  language: "en",
  token: "", tournament: "", name: "",
  /** @type {Message} */
  event: {},
  /** @type {Message[]} */
  categories: [],
  /** @type {Message[]} */
  sessions: [],
  /** @type {Message[]} */
  stages: [],
  /** @type {Message[]} newest first */
  notices: [],
  /** @type {string[]} the kinds of steps that are not done although the event is finalised */
  openSteps: [],
  /** @type {Map<string, Message>} by participant, of the view */
  entries: new Map(),
  /** @type {Map<string, Message>} the latest brackets, by stage */
  brackets: new Map(),
  /** What is shown: `c:CATEGORY`, `a`, `clubs`, `club:NAME`, `s:SESSION`, `t:CATEGORY:club` or `m:STAGE`. */
  view: query.get("view") ?? "",
  /** The first row, of views of more rows than one page has. */
  firstRow: Math.max(0, Math.trunc(Number(query.get("row")) || 0)),
  chosen: query.get("archer") ?? "",
  /** Why nothing of the event can be shown: `none` or `private`; empty: it can. */
  hidden: "",
  /** Why the view has nothing to show; empty: it has, or is empty. */
  fault: "",
  /** Whether the view has its first message. */
  isReady: false,
  /** The state of the event as the view's messages have it. */
  status: "",
  /** @type {Date | null} */
  lostAt: null,
  /** The clock of the server less that of this device, in milliseconds. */
  skew: 0,
};

/** The text in the language of the page; `{name}` stands for a value. */
export function say(/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) {
  const text = words[key][Math.max(0, Object.keys(languages).indexOf(board.language))];
  return text.replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => String(values[name] ?? ""));
}

export const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/**
 * An element. A property that begins with `on` is a listener; texts are text, never markup.
 * @param {string} name
 * @param {Message} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text only where it differs, so that it is read out once. */
export function setText(/** @type {any} */ element, /** @type {string} */ text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The browser's form of the chosen language, so that times are written as its country does. */
export const locale = () =>
  navigator.languages.find((name) => name.split("-")[0] === board.language) ?? board.language;

/** An hour and a minute, with the day where it is not today. */
export function timeText(/** @type {string | number} */ milliseconds) {
  const time = new Date(Number(milliseconds));
  const isToday = time.toDateString() === new Date(serverNow()).toDateString();
  return time.toLocaleString(locale(), isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** Now by the clock of the server, as far as it is known. */
export const serverNow = () => Date.now() + board.skew;

/** A place as on papers, such as 12B. */
export const placeText = (/** @type {Message | undefined} */ entry) => entry?.target ? `${entry.target}${entry.letter ?? ""}` : "";

/** The name of a category. */
export function categoryName(/** @type {string} */ id) {
  const category = board.categories.find((one) => one.id === id);
  return category?.name || category?.code || "";
}

/** Puts what is shown into the address, so that it can be shared and loaded again. */
export function remember() {
  const url = new URL(location.href);
  const set = (/** @type {string} */ key, /** @type {string} */ value) => {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  };
  set("view", board.view);
  set("row", board.firstRow ? String(board.firstRow) : "");
  set("archer", board.chosen);
  history.replaceState(null, "", url);
}
