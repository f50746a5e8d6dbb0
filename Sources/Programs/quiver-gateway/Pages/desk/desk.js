// The desk: a secretary runs an event here. This file signs in, lists events, and shows the views.
import { act, all, ask, button, call, choice, confirmed, el, field, say, settings, signedIn, sentenceOf, table, tell, timeText } from "./kit.js";
import { isPrivate } from "../client/client.js";
import { languages } from "./words.js";
import { templates } from "./templates.js";
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
const stored = {
  get: (/** @type {string} */ key) => { try { return localStorage.getItem(`quiver.desk.${key}`) ?? ""; } catch { return ""; } },
  set: (/** @type {string} */ key, /** @type {string} */ value) => {
    try {
      if (value) localStorage.setItem(`quiver.desk.${key}`, value);
      else localStorage.removeItem(`quiver.desk.${key}`);
    } catch { /* The page is signed in until it is closed. */ }
  },
};

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

/** What views get: the event, and how to draw again or go to another view. */
const desk = {
  /** @type {Message} */ event: {},
  /** @type {(() => void) | null} */ onLeave: null,
  async reload() {
    desk.event = await call("Tournament/GetTournament", { id: desk.event.id });
    await draw();
  },
};

// --- Sign in ---

function signIn() {
  desk.onLeave?.();
  desk.onLeave = null;
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
    throw new Error(say("this address is not encrypted: open the desk by https, or on the machine of the server"));
  }
  const reply = await call("Account/RedeemInvite",
    { code: code.trim(), displayName: name, tokenLabel: `desk ${new Date().toISOString().slice(0, 10)}` });
  signedIn(reply.secret);
  stored.set("token", reply.secret);
  location.hash = "#/";
  await draw();
}

async function signOut() {
  const agreed = await confirmed(say("Sign out?"),
    say("This device forgets its token. To sign in again you need a new code, and your events stay with this account."), say("Sign out"));
  if (!agreed) return;
  stored.set("token", "");
  signedIn("");
  tell("");
  signIn();
}

// --- Events ---

async function listEvents() {
  $("tabs").hidden = true;
  $("title").textContent = say("Quiver desk");
  const mine = await all("Tournament/ListTournaments", {}, "tournaments", 500);
  const status = (/** @type {Message} */ event) => say(event.paused ? "paused" : statusTexts[event.status] ?? "");
  $("main").replaceChildren(
    el("h2", {}, say("Events")),
    table(say("Events"), [say("Name"), say("State"), say("Entries"), say("Made")], mine.map((event) => [
      el("a", { href: `#/${event.id}/overview` }, event.name), status(event),
      String(event.participantCount ?? 0), timeText(event.createdAtMs, true)])),
    el("div", { className: "row" },
      el("button", { type: "button", className: "main", onclick: createEvent }, say("New event…")),
      el("button", { type: "button", onclick: signOut }, say("Sign out"))));
}

/** @type {Record<string, string>} */
export const statusTexts = {
  TOURNAMENT_STATUS_OPEN: "not started", TOURNAMENT_STATUS_IN_PROGRESS: "running",
  TOURNAMENT_STATUS_COMPLETED: "final", TOURNAMENT_STATUS_CANCELLED: "cancelled",
};

async function createEvent() {
  const name = el("input", { maxLength: 200, required: true });
  const template = choice(templates.map(({ key, name: text }) => [key, text]));
  const starts = el("input", { type: "datetime-local" });
  const count = el("input", { type: "number", min: 1, max: 200, value: 15, required: true });
  const isPublic = el("input", { type: "checkbox" });
  const answer = await ask({ title: say("New event"), yes: say("Create"), fields: [
    field(say("Name"), name), field(say("Round"), template, say("Categories and faces follow from it; each can be changed.")),
    field(say("First session starts"), starts), field(say("Number of targets"), count),
    field(say("Everybody with the address may watch and join"), isPublic)],
  read: () => !name.value.trim() ? say("Give a name.")
    : !(count.value >= 1 && count.value <= 200) ? say("1 to 200 targets.") : true });
  if (!answer) return;
  await act(null, async () => {
    const chosen = /** @type {any} */ (templates.find(({ key }) => key === template.value));
    const event = await call("Tournament/CreateTournament", { name: name.value.trim(), maxParticipants: 500,
      isPublic: isPublic.checked, tiePolicy: chosen.tiePolicy, format: { codename: chosen.categories[0].format } });
    const { categories } = await call("Events/ListEventCategories", { tournamentId: event.id });
    const [first, ...others] = chosen.categories;
    await call("Events/UpdateEventCategory", { category: { ...categories[0], ...fieldsOf(first) } });
    for (const one of others) {
      await call("Events/CreateEventCategory", { category: { tournamentId: event.id, ...fieldsOf(one) },
        format: one.format === first.format ? undefined : { codename: one.format } });
    }
    await call("Events/CreateEventSession", { session: { tournamentId: event.id, name: say("Session 1"),
      startsAtMs: starts.value ? String(new Date(starts.value).getTime()) : "0", firstTarget: 1,
      lastTarget: Number(count.value), archersPerTarget: chosen.archersPerTarget } });
    location.hash = `#/${event.id}/overview`;
    return say("The event {name} was created with {count} categories.", { name: event.name, count: chosen.categories.length });
  });
}

const fieldsOf = (/** @type {any} */ { code, name, bowstyle, gender }) => ({ code, name, bowstyle, gender });

// --- Views ---

let drawing = 0;

/** Shows what the address names: `#/`, or `#/EVENT/VIEW`. */
async function draw() {
  const number = ++drawing;
  desk.onLeave?.();
  desk.onLeave = null;
  if (!settings.token) return signIn();
  const [, id = "", view = "overview"] = location.hash.split("/");
  try {
    if (!id) return await listEvents();
    if (desk.event.id !== id) desk.event = await call("Tournament/GetTournament", { id });
    const [key, , show] = views.find(([one]) => one === view) ?? views[0];
    $("title").textContent = desk.event.name;
    document.title = desk.event.name;
    $("tabs").hidden = false;
    $("tabs").setAttribute("aria-label", say("Parts of the event"));
    $("tabs").replaceChildren(el("a", { href: "#/" }, say("Events")), ...views.map(([one, text]) =>
      el("a", { href: `#/${id}/${one}`, "aria-current": one === key ? "page" : null }, say(text))));
    const content = await show(desk);
    if (number === drawing) $("main").replaceChildren(...[content].flat().filter(Boolean));
  } catch (error) {
    const failure = /** @type {any} */ (error);
    tell(sentenceOf(failure), true);
    if (failure?.code === "UNAUTHENTICATED") {
      stored.set("token", "");
      signedIn("");
      return signIn();
    }
    if (number !== drawing) return;
    $("main").replaceChildren(el("p", {}, sentenceOf(failure)), button(say("Try again"), async () => { await draw(); return " "; }));
  }
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
document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest?.("a[href^='#']")) tell("");
});

signedIn(stored.get("token"));
const code = /^#(?!\/)(.+)/.exec(location.hash)?.[1];
if (code) {
  // History keeps what stands in an address.
  history.replaceState(null, "", "#/");
  act(null, async () => { await redeem(decodeURIComponent(code), ""); }).then((done) => { if (!done) draw(); });
} else {
  draw();
}
