// The desk: a secretary runs an event here. This file signs in, lists events, and shows the views.
import { Refusal, act, button, call, confirmed, decoded, el, field, isBound, say, sentenceOf, settings, signInBy, signedIn, storage, table, tell, timeText } from "./kit.js";
import { isPrivate } from "../client/client.js";
import { drawsAnew, forget, isLost, open, read, readAll, state } from "./store.js";
import { isInUse, showState as showStateOf, waitingView } from "./waiting.js";
import { Versions } from "../score/score_version.js";
import { languages } from "./words.js";
import "./desk_words.js";
import { newEvent } from "./templates.js";
import { overview } from "./overview.js";
import { setup } from "./setup.js";
import { checkIn, entries } from "./entries.js";
import { targets } from "./targets.js";
import { disputes, line } from "./line.js";
import { matches, standings } from "./results.js";
import { officials } from "./officials.js";
import { papers } from "./papers.js";

/** @typedef {import("./kit.js").Message} Message */

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const stored = storage("desk");

/**
 * The views of an event, in the order of the day.
 * @type {[string, string, (desk: any) => Promise<any>][]}
 */
const views = [
  ["overview", "Overview", overview], ["setup", "Categories and sessions", setup],
  ["entries", "Entries", entries], ["check-in", "Check-in", checkIn], ["targets", "Targets", targets],
  ["line", "Line", line], ["disputes", "Disputes", disputes], ["standings", "Standings", standings],
  ["matches", "Matches", matches], ["papers", "Papers and files", papers],
  ["officials", "Officials", officials],
];

/** What views get: the event, how to draw again, and how to give the focus back after a part was drawn again. */
const desk = {
  refocus: () => refocus(),
  showState: () => showState(),
  /** @type {Message} */ event: {},
  async reload() {
    $("main").setAttribute("aria-busy", "true");
    try {
      desk.event = await read("Tournament/GetTournament", { id: desk.event.id });
    } catch (error) {
      $("main").removeAttribute("aria-busy");
      throw error;
    }
    await draw();
  },
};

// --- Sign in ---

function signIn() {
  $("tabs").hidden = true;
  $("title").textContent = say("Quiver desk");
  const code = el("input", { autocomplete: "off", spellcheck: false, required: true });
  const name = el("input", { autocomplete: "name", maxLength: 50 });
  const form = el("form", { className: "card", onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    act(form.querySelector("button"), async () => { await redeem(code.value, name.value.trim()); });
  } },
    el("h2", {}, say("Sign in")),
    el("p", {}, say("Whoever runs the server makes a code with: quiver invite create --uses 1. It works once.")),
    field(say("Code"), code), field(say("Your name"), name),
    el("button", { className: "main" }, say("Sign in")));
  $("main").replaceChildren(form);
}

/** A code that works once becomes a token, which stays on this device. */
async function redeem(/** @type {string} */ code, /** @type {string} */ name) {
  // The reply has a token: others could read it, and the code would be used up.
  if (!isPrivate(location.origin)) {
    throw new Refusal(say("this address is not encrypted: open the desk by https, or on the machine of the server"));
  }
  const token = await signInBy(code, name, "desk", stored);
  signedIn(token);
  stored.set("token", token);
  // Whose token it is, the server says: until then nothing is shown, and nothing is sent.
  stored.set("principal", "");
  location.hash = "#/";
  await begin();
}

/** Opens what this device keeps of who is signed in, and shows what the address names. */
async function begin() {
  await open("desk", stored, changed);
  await draw();
}

async function signOut() {
  const unsent = state.waiting + state.held;
  const agreed = await confirmed(say("Sign out?"), unsent > 0
    ? say("Changes that are not with the server yet: {count}. They stay on this device, and are sent when you sign in here again.", { count: unsent })
    : say("This device forgets its token. To sign in again you need a new code, and your events stay with this account."), say("Sign out"));
  if (!agreed) return;
  await leave();
  tell("");
}

/** Forgets who is signed in, and what was read for them: also when the server has ended the sign-in. */
async function leave() {
  stored.set("token", "");
  stored.set("principal", "");
  signedIn("");
  drawing += 1;
  await forget();
  showState();
  signIn();
}

// --- What waits ---

/** How many changes waited when the view was drawn last. */
let unsettled = 0;

/** What the outbox holds has changed: the line says so, and a view that showed what waited is drawn again. */
function changed() {
  showState();
  const now = state.waiting + state.held;
  const isFewer = now < unsettled;
  unsettled = now;
  // An act that is going on shows itself what it has changed.
  const isActing = document.querySelector("main [aria-disabled=true]") !== null;
  if (isFewer && !isActing && !isInUse() && /^#\/(waiting|\d+\/standings)$/.test(location.hash)) draw();
}

/** @returns {void} */
const showState = () => showStateOf({ draw, leave, versions });

/** @type {Versions} */
const versions = new Versions(() => showState(), "/desk");

// --- Events ---

async function listEvents() {
  $("tabs").hidden = true;
  $("title").textContent = say("Quiver desk");
  const mine = await readAll("Tournament/ListTournaments", {}, "tournaments");
  const status = (/** @type {Message} */ event) => say(event.paused ? "paused" : statusTexts[event.status] ?? "");
  $("main").replaceChildren(
    el("h2", {}, say("Events")),
    table(say("Events"), [say("Name"), say("State"), say("Entries"), say("Made")], mine.map((event) => [
      el("a", { href: `#/${event.id}/overview` }, event.name), status(event),
      String(event.participantCount ?? 0), timeText(event.createdAtMs, true)])),
    el("div", { className: "row" },
      isBound() ? null : el("button", { type: "button", className: "main", onclick: createEvent }, say("New event…")),
      el("button", { type: "button", onclick: signOut }, say("Sign out"))));
}

/** `#/waiting`: the changes of all events. */
async function listWaiting(/** @type {number} */ number) {
  $("tabs").hidden = true;
  $("title").textContent = say("Quiver desk");
  const content = await waitingView({ reload: draw });
  if (number === drawing) $("main").replaceChildren(el("p", {}, el("a", { href: "#/" }, say("Events"))), ...content);
}

/** @type {Record<string, string>} */
export const statusTexts = {
  TOURNAMENT_STATUS_OPEN: "not started", TOURNAMENT_STATUS_IN_PROGRESS: "running",
  TOURNAMENT_STATUS_COMPLETED: "final", TOURNAMENT_STATUS_CANCELLED: "cancelled",
};

async function createEvent() {
  /** @type {(() => Promise<Message>) | null} */
  let create = null;
  if (!await act(null, async () => { create = await newEvent(); return " "; }) || !create) return;
  await act(null, async () => {
    const event = await /** @type {() => Promise<Message>} */ (/** @type {unknown} */ (create))();
    location.hash = `#/${event.id}/overview`;
    return say("The event {name} was created with {count} categories.", { name: event.name, count: event.categoryCount });
  });
}

// --- Views ---

let drawing = 0;

/** What the keyboard was at last, as a person knows it: a view that is drawn again gets the focus back there. */
let focused = { view: "", text: "", index: 0 };
// The label of a button is its own text: to ask for its labels goes through the whole document, for each of hundreds of buttons.
const labelOf = (/** @type {any} */ element) => /^(A|BUTTON|SUMMARY)$/.test(element.tagName) ? null : element.labels?.[0]?.firstChild?.textContent;
const textOf = (/** @type {any} */ element) => `${element.tagName} ${element.getAttribute("aria-label") ?? labelOf(element) ?? element.textContent}`;
const alike = (/** @type {string} */ text) => [...$("main").querySelectorAll("a, button, input, select, textarea, summary")].filter((one) => textOf(one) === text);

document.addEventListener("focusin", ({ target }) => {
  const element = /** @type {any} */ (target);
  if (!$("main").contains(element) || element === $("main")) return;
  const text = textOf(element);
  focused = { view: location.hash, text, index: alike(text).indexOf(element) };
});

/** Gives the focus back that was lost with what was replaced; in another view it begins with what is shown. */
function refocus() {
  if (document.activeElement && document.activeElement !== document.body) return;
  const found = focused.view === location.hash ? alike(focused.text) : [];
  const control = found[focused.index] ?? found.at(-1) ?? $("main");
  control.focus({ preventScroll: control === $("main") });
}

/** Shows what the address names: `#/`, or `#/EVENT/VIEW`. */
async function draw() {
  const number = ++drawing;
  if (!settings.token) return signIn();
  $("main").setAttribute("aria-busy", "true");
  drawsAnew();
  const [, id = "", view = "overview"] = location.hash.split("/");
  try {
    if (!id) return await listEvents();
    if (id === "waiting") return await listWaiting(number);
    if (desk.event.id !== id) desk.event = await read("Tournament/GetTournament", { id });
    const [key, , show] = views.find(([one]) => one === view) ?? views[0];
    $("title").textContent = desk.event.name;
    document.title = desk.event.name;
    $("tabs").hidden = false;
    $("tabs").setAttribute("aria-label", say("Parts of the event"));
    $("tabs").replaceChildren(el("a", { href: "#/" }, say("Events")), ...views.map(([one, text]) =>
      el("a", { href: `#/${id}/${one}`, "aria-current": one === key ? "page" : null }, say(text))));
    showTab();
    const content = await show(desk);
    if (number !== drawing) return;
    $("main").replaceChildren(...[content].flat().filter(Boolean));
    refocus();
  } catch (error) {
    const failure = /** @type {any} */ (error);
    tell(sentenceOf(failure), true);
    if (failure?.code === "UNAUTHENTICATED") return await leave();
    if (number !== drawing) return;
    const text = isLost(failure) ? say("There is no connection, and this view needs one. Totals are typed under Standings.") : sentenceOf(failure);
    $("main").replaceChildren(el("p", {}, text), button(say("Try again"), async () => { await draw(); return " "; }));
  } finally {
    if (number === drawing) {
      $("main").removeAttribute("aria-busy");
      showState();
    }
  }
}

/** On a narrow screen the tabs are a line that scrolls: the current one is in it. */
function showTab() {
  const tabs = $("tabs"), tab = tabs.querySelector("[aria-current]");
  if (tab) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
}

function setLanguage(/** @type {string} */ language) {
  settings.language = language in languages ? language : "en";
  document.documentElement.lang = settings.language;
  $("language-label").textContent = say("Language");
  stored.set("language", settings.language);
}

$("language").append(...Object.entries(languages).map(([value, text]) => el("option", { value, lang: value }, text)));
setLanguage(stored.get("language") || navigator.language.slice(0, 2));
$("language").value = settings.language;
$("language").addEventListener("change", () => { setLanguage($("language").value); draw(); });
addEventListener("hashchange", draw);
addEventListener("resize", showTab);
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='#']");
  if (!link) return;
  tell("");
  // Phones score meanwhile: the view that is shown is read again.
  if (link.getAttribute("href") === location.hash) draw();
});

/** Shows what the address names, of who has signed in before. */
async function start() {
  if (!settings.token) return signIn();
  try {
    await begin();
  } catch (/** @type {any} */ error) {
    tell(sentenceOf(error), true);
    if (error?.code === "UNAUTHENTICATED") await leave();
    else await draw();
  }
}

addEventListener("online", () => { if (state.staleSince && !isInUse()) draw(); });
// Another tab has signed in or out.
addEventListener("storage", (event) => { if (event.key === "quiver.desk.token" || event.key === null) location.reload(); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") versions.ask(); });
versions.start();

signedIn(stored.get("token"));
const code = /^#(?!\/)(.+)/.exec(location.hash)?.[1];
if (code) {
  // History keeps what stands in an address.
  history.replaceState(null, "", "#/");
  act(null, async () => { await redeem(decoded(code), ""); }).then((done) => { if (!done) start(); });
} else {
  start();
}
