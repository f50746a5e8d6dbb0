// Officials sign in by a code that works once, are appointed at the desk, and choose their event.
import { Refusal, act, all, button, call, confirmed, decoded, el, field, isOfficialCode, say, sentenceOf, settings, signInBy, signedIn, storage, takesOpenOfficials, tell, timeText } from "../desk/kit.js";
import { isPrivate } from "../client/client.js";
import { languages } from "../desk/words.js";
import { picture } from "../board/assets/qr.js";
import "./words.js";

/** @typedef {import("../desk/kit.js").Message} Message */

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
/** How often a person who waits to be appointed is looked up, in milliseconds. */
const appointedMilliseconds = 3000;

/**
 * What a page is for.
 * @typedef {{key: string, title: string, roles: string[], show: (office: Office) => Promise<any>}} Page
 */

/**
 * What a page gets: the event, who it is for, and how to draw again.
 * @typedef {{event: Message, person: Message, role: string, reload: () => Promise<void>, onLeave: (() => void) | null}} Office
 */

/** @type {Page} */
let page;
/** @type {Office} */
const office = { event: {}, person: {}, role: "", reload: draw, onLeave: null };

const stored = storage("official");

/** Begins a page. */
export function begin(/** @type {Page} */ given) {
  page = given;
  $("language").append(...Object.entries(languages).map(([value, text]) => el("option", { value, lang: value }, text)));
  setLanguage(stored.get("language") || navigator.language.slice(0, 2));
  $("language").addEventListener("change", () => { setLanguage($("language").value); draw(); });
  addEventListener("hashchange", draw);
  signedIn(stored.get("token"));
  const code = /^#(?!\/)(.+)/.exec(location.hash)?.[1];
  // History keeps what stands in an address.
  if (code) history.replaceState(null, "", "#/");
  if (code && !settings.token) signIn(decoded(code));
  else draw();
}

function setLanguage(/** @type {string} */ language) {
  settings.language = language in languages ? language : "en";
  document.documentElement.lang = settings.language;
  $("language").value = settings.language;
  $("language-label").textContent = say("Language");
  stored.set("language", settings.language);
}

function leave() {
  office.onLeave?.();
  office.onLeave = null;
}

function signIn(given = "") {
  leave();
  $("title").textContent = say(page.title);
  document.title = say(page.title);
  const code = el("input", { value: given, autocomplete: "off", spellcheck: false, required: true });
  const name = el("input", { autocomplete: "name", maxLength: 50, required: true });
  const named = field(say("Your name"), name);
  // Who gives a code at the desk has given the name, too.
  const arrange = () => { named.hidden = isOfficialCode(code.value); };
  code.addEventListener("input", arrange);
  arrange();
  const form = el("form", { className: "card", noValidate: true, onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    if (!isOfficialCode(code.value) && !name.value.trim()) return tell(say("Give your name: the organiser sees it."), true);
    act(form.querySelector("button"), async () => {
      // The reply has a token: others could read it, and the code would be used up.
      if (!isPrivate(location.origin) && !(takesOpenOfficials() && isOfficialCode(code.value))) throw new Refusal(say("this address is not encrypted: open the desk by https, or on the machine of the server"));
      const token = await signInBy(code.value, name.value.trim(), page.key, stored);
      signedIn(token);
      stored.set("token", token);
      await draw();
      return " ";
    });
  } },
    el("h2", {}, say("Sign in")), el("p", {}, say("The organiser's server makes a code. It works once, on this phone.")),
    isPrivate(location.origin) || !takesOpenOfficials() ? null : el("p", { className: "bad" }, say("This address is not encrypted. Others in this network can read what you send, and do the same; the organiser has accepted that.")),
    field(say("Code"), code), named, el("button", { className: "main" }, say("Sign in")));
  $("main").replaceChildren(form);
  (!given ? code : named.hidden ? form.querySelector("button") : name).focus();
}

export async function signOut() {
  const agreed = await confirmed(say("Sign out?"),
    say("This device forgets its token. To sign in again you need a new code, and your events stay with this account."), say("Sign out"));
  if (!agreed) return " ";
  stored.set("token", "");
  signedIn("");
  location.hash = "#/";
  signIn();
  return " ";
}

let drawing = 0;

async function draw() {
  const number = ++drawing;
  leave();
  if (!settings.token) return signIn();
  try {
    const { principal } = await call("Account/WhoAmI", {});
    office.person = principal;
    const [, asked = ""] = location.hash.split("/");
    const events = (await all("Tournament/ListTournaments", {}, "tournaments", 500))
      .filter((event) => asked ? event.id === asked : !/COMPLETED|CANCELLED/.test(event.status ?? ""));
    const roles = await Promise.all(events.map(roleIn));
    const mine = events.map((event, index) => ({ event, role: roles[index] })).filter(({ role }) => page.roles.includes(role));
    if (number !== drawing) return;
    if (mine.length === 0) return await introduce(number);
    if (mine.length > 1) return chooseEvent(mine);
    Object.assign(office, mine[0]);
    $("title").textContent = office.event.name;
    document.title = `${office.event.name} · ${say(page.title)}`;
    const content = await page.show(office);
    if (number === drawing) $("main").replaceChildren(...[content].flat().filter(Boolean));
  } catch (error) {
    const failure = /** @type {any} */ (error);
    if (failure?.code === "UNAUTHENTICATED") {
      stored.set("token", "");
      signedIn("");
      signIn();
    } else if (number === drawing) {
      const again = el("button", { type: "button", onclick: () => draw() }, say("Try again"));
      $("main").replaceChildren(el("p", {}, again));
    }
    tell(sentenceOf(failure), true);
  }
}

/** What the person does in an event; empty: nothing. */
async function roleIn(/** @type {Message} */ event) {
  if (event.organiserId === office.person.id) return "ORGANISER";
  const { officials = /** @type {Message[]} */ ([]) } = await call("Events/ListEventOfficials", { tournamentId: event.id });
  const own = officials.find((/** @type {Message} */ one) => one.principalId === office.person.id);
  return String(own?.role ?? "").replace("EVENT_ROLE_", "");
}

/** Shows the code by which the organiser appoints who holds the phone, until that is done. */
async function introduce(/** @type {number} */ number) {
  const { code, expiresAtMs } = await call("Account/GetIntroductionCode", {});
  if (number !== drawing) return;
  $("title").textContent = say(page.title);
  tell("");
  $("main").replaceChildren(el("section", { className: "card" }, el("h2", {}, say("Show this to the organiser")),
    el("p", { className: "show" }, code), picture(code, code),
    el("p", {}, button(say("Send it…"), async () => {
      // By a message, or by the clipboard: the organiser need not type it.
      if (!("share" in navigator)) {
        await /** @type {any} */ (navigator).clipboard.writeText(code);
        return say("Copied.");
      }
      await navigator.share({ text: code });
      return " ";
    })),
    el("p", {}, say("The organiser types this code at the desk, under Officials, and chooses what you do. Then this page goes on by itself.")),
    el("p", {}, el("small", {}, say("It is valid until {time}.", { time: timeText(expiresAtMs, true) }))),
    el("button", { type: "button", onclick: signOut }, say("Sign out"))));
  const timer = setInterval(async () => {
    try {
      const events = await all("Tournament/ListTournaments", {}, "tournaments", 500);
      const roles = await Promise.all(events.map(roleIn));
      if (number === drawing && roles.some((role) => page.roles.includes(role))) draw();
    } catch { /* The next one may succeed. */ }
  }, appointedMilliseconds);
  office.onLeave = () => clearInterval(timer);
}

function chooseEvent(/** @type {{event: Message, role: string}[]} */ mine) {
  $("title").textContent = say(page.title);
  tell("");
  $("main").replaceChildren(el("h2", {}, say("Which event?")), el("ul", { className: "papers" }, mine.map(({ event }) =>
    el("li", {}, el("a", { className: "choice", href: `#/${event.id}` }, event.name)))),
  el("button", { type: "button", onclick: signOut }, say("Sign out")));
}
