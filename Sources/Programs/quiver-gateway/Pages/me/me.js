// The archer's page. This file signs in, chooses whose data is shown, and shows the views.
import { act, all, button, call, confirmed, decoded, el, field, say, sentenceOf, settings, signedIn, storage, tell } from "../desk/kit.js";
import { isPrivate } from "../client/client.js";
import { languages } from "../desk/words.js";
import { equipment, setups } from "./me_equipment.js";
import { compare } from "./me_compare.js";
import { rounds } from "./me_rounds.js";
import { strength, trainingLog, weight } from "./me_training.js";
import { sharing, squad } from "./me_sharing.js";
import { practice } from "./me_practice.js";
import { drawsAnew, forget, isLost, open, read, state } from "../desk/store.js";
import { isInUse, showState as showStateOf, waitingView } from "../desk/waiting.js";
import { Versions } from "../score/score_version.js";
import "./me_words.js";

/** @typedef {import("../desk/kit.js").Message} Message */

/**
 * What a view gets: whose data it shows, what stands behind the view in the address, and how to draw again.
 * `isOwn`: the data is that of who is signed in; nothing else can be changed. `read` gives the last known answer where there
 * is no connection, `call` does not. `redraw`: of a view that shows by itself what changed on this device; called once it is shown.
 * @typedef {{user: string | null, name: string, isOwn: boolean, rest: string[], reload: () => Promise<void>,
 *   redraw: (() => Promise<void>) | null, call: (method: string, request?: Message) => Promise<any>,
 *   read: (method: string, request?: Message) => Promise<any>,
 *   list: (method: string, request: Message, field: string, most?: number) => Promise<Message[]>}} Archer
 */

const $ = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const stored = storage("me");
settings.ended = "This sign-in has ended, or was never valid.";

/**
 * The views, with the parts of which one has to be shared so that a view has something; null: of one's own only.
 * @type {[string, string, string[] | null, (archer: Archer) => Promise<any>][]}
 */
const views = [
  ["equipment", "Equipment", ["EQUIPMENT"], equipment], ["setups", "Setups", ["EQUIPMENT"], setups],
  ["compare", "Comparison", ["COMPARISON"], compare], ["practice", "Practice", null, practice], ["rounds", "Rounds", ["ROUNDS"], rounds],
  ["weight", "Weight", ["WEIGHT"], weight], ["strength", "Strength", ["STRENGTH"], strength],
  ["log", "Training log", ["TRAINING_LOG"], trainingLog], ["sharing", "Sharing", null, sharing], ["squad", "Squad", null, squad],
  ["waiting", "Waiting", null, waitingView],
];

/**
 * What others share with who is signed in.
 * @type {Message[]}
 */
let received = [];

/** @type {Archer} */
const archer = {
  user: null, name: "", isOwn: true, rest: [],
  // What is told next is on the screen: a drawing that began meanwhile is waited for too.
  async reload() {
    draw();
    for (let one; one !== latest;) await (one = latest);
  },
  redraw: null,
  call: (method, request = {}) => call(method, request, { user: archer.user }),
  // What others share is not kept: it ends when they end it.
  read: (method, request = {}) => archer.user ? archer.call(method, request) : read(method, request),
  async list(method, request, name, most = 20000) {
    /** @type {Message[]} */
    const rows = [];
    let pageToken = "";
    do {
      const page = await archer.read(method, { ...request, pageSize: 500, pageToken });
      rows.push(...page[name] ?? []);
      pageToken = page.nextPageToken ?? "";
    } while (pageToken && rows.length < most);
    return rows;
  },
};

// --- Sign in ---

function signIn(given = "") {
  $("tabs").hidden = true;
  $("user-label").hidden = true;
  $("title").textContent = say("Quiver archer");
  document.title = say("Quiver archer");
  const code = el("input", { value: given, autocomplete: "off", spellcheck: false, required: true });
  const name = el("input", { autocomplete: "name", maxLength: 50 });
  const form = el("form", { className: "card", noValidate: true, onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    act(form.querySelector("button"), async () => {
      await redeem(code.value.trim(), name.value.trim());
      return " ";
    });
  } },
    el("h2", {}, say("Sign in")),
    el("p", {}, say("With the code of an invite, which works once, or with a token of your own.")),
    field(say("Code or token"), code), field(say("Your name"), name, say("Only with a code.")),
    el("button", { className: "main" }, say("Sign in")));
  $("main").replaceChildren(form);
  code.focus();
}

/** A code that works once becomes a token, which stays on this device. */
async function redeem(/** @type {string} */ code, /** @type {string} */ name) {
  // The reply has a token: others could read it, and the code would be used up.
  if (!isPrivate(location.origin)) {
    throw new Error(say("this address is not encrypted: open the page by https, or on the machine of the server"));
  }
  let token = code;
  if (!code.startsWith("qv_")) {
    const reply = await call("Account/RedeemInvite",
      { code, displayName: name, tokenLabel: `me ${new Date().toISOString().slice(0, 10)}` });
    token = reply.secret;
  }
  signedIn(token);
  stored.set("token", token);
  // Whose token it is, the server says: until then nothing is shown, and nothing is sent.
  stored.set("principal", "");
  history.replaceState(null, "", "#/");
  try {
    await begin();
  } catch (/** @type {any} */ error) {
    if (error?.code === "UNAUTHENTICATED") {
      stored.set("token", "");
      signedIn("");
    }
    throw error;
  }
}

async function signOut() {
  const unsent = state.waiting + state.held;
  const agreed = await confirmed(say("Sign out?"), unsent > 0
    ? say("Changes that are not with the server yet: {count}. They stay on this device, and are sent when you sign in here again.", { count: unsent })
    : say("This device forgets its token. To sign in again you need a new code or a token; your data stays with the account."), say("Sign out"));
  if (!agreed) return " ";
  await leave();
  return " ";
}

/** Forgets who is signed in, and what was read for them: also when the server has ended the sign-in. */
async function leave() {
  stored.set("token", "");
  stored.set("principal", "");
  signedIn("");
  received = [];
  chooseUser(null);
  // What is being read is of nobody any more.
  drawing += 1;
  archer.redraw = null;
  await forget();
  history.replaceState(null, "", "#/");
  showState();
  signIn();
}

// --- Whose data ---

async function begin() {
  await open("me", stored, changed);
  try {
    received = await all("Account/ListShares", { side: "SHARE_SIDE_RECEIVED" }, "shares", 500);
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  drawUsers();
  await draw();
}

/** How many changes waited when the view was drawn last. */
let unsettled = 0;

/** What the outbox holds has changed: the line says so, and a view that showed what waited is drawn again. */
function changed() {
  showState();
  const now = state.waiting + state.held;
  const isFewer = now < unsettled;
  unsettled = now;
  if (archer.redraw) redrawn();
  else if (isFewer && !isInUse()) draw();
}

/** Lets the view that is shown show what has changed. */
function redrawn() {
  archer.redraw?.().catch((error) => tell(sentenceOf(error), true));
}

/** @returns {void} */
const showState = () => showStateOf({ draw, leave, versions });

/** @type {Versions} */
const versions = new Versions(() => showState(), "/me");

function drawUsers() {
  $("user-label").hidden = received.length === 0;
  $("user").replaceChildren(el("option", { value: "" }, say("myself")),
    ...received.map((share) => el("option", { value: share.ownerId, selected: share.ownerId === archer.user }, share.ownerName)));
}

function chooseUser(/** @type {string | null} */ id) {
  const share = received.find((one) => one.ownerId === id);
  archer.user = share ? share.ownerId : null;
  archer.name = share ? share.ownerName : "";
  archer.isOwn = !share;
  $("user").value = archer.user ?? "";
}

/** The parts that are shared by whom is shown, without their prefix. */
function parts() {
  const share = received.find((one) => one.ownerId === archer.user);
  return (share?.parts ?? []).map((/** @type {string} */ part) => part.replace("SHARE_PART_", ""));
}

// --- Views ---

let drawing = 0;

/** The drawing that began last. */
let latest = Promise.resolve();

/** Shows what the address names: `#/VIEW/…`. */
function draw() {
  latest = drawOnce();
  return latest;
}

/**
 * What `main` shows once it is drawn, it says in `data-view`: the language, and what the address names.
 * @returns {Promise<void>}
 */
async function drawOnce() {
  const number = ++drawing, asking = `${settings.language}${location.hash}`;
  if (!settings.token) return signIn();
  archer.redraw = null;
  drawsAnew();
  const [, asked = "", ...rest] = location.hash.split("/");
  const shared = parts();
  const shown = views.filter(([one, , needs]) => one === "waiting" ? one === asked && archer.isOwn : archer.isOwn || (needs !== null && needs.some((part) => shared.includes(part))));
  const [key, title, , show] = shown.find(([one]) => one === asked) ?? shown[0] ?? [];
  archer.rest = rest.map(decoded);
  $("title").textContent = archer.isOwn ? say("Quiver archer") : archer.name;
  document.title = `${archer.isOwn ? "" : `${archer.name} · `}${say(title ?? "Quiver archer")}`;
  $("tabs").hidden = false;
  $("tabs").setAttribute("aria-label", say("Parts of the page"));
  $("tabs").replaceChildren(...shown.map(([one, text]) =>
    el("a", { href: `#/${one}`, "aria-current": one === key ? "page" : null }, say(text))));
  showTab(key ?? "");
  if (!show) return $("main").replaceChildren(el("p", {}, say("Nothing of {name} is shared with you any more.", { name: archer.name })));
  // Of two drawings at once, only that which is shown is told of changes.
  const own = /** @type {Archer} */ (Object.create(archer));
  try {
    const content = [await show(own)].flat().filter(Boolean);
    if (number !== drawing) return;
    if (!archer.isOwn) content.unshift(el("p", {}, say("You read what {name} shares with you. Nothing can be changed.", { name: archer.name })));
    if (key === "sharing") content.push(el("div", { className: "row" }, button(say("Sign out"), signOut)));
    const before = $("main").contains(document.activeElement) ? labelOf(document.activeElement) : "";
    $("main").replaceChildren(...content);
    $("main").dataset.view = asking;
    archer.redraw = own.redraw;
    // What changed since the view was read.
    redrawn();
    // The keyboard stays on the button that was pressed.
    if (before) [...$("main").querySelectorAll("button")].find((one) => labelOf(one) === before)?.focus();
    showState();
  } catch (error) {
    const failure = /** @type {any} */ (error);
    if (failure?.code === "UNAUTHENTICATED") {
      await leave();
    } else if (number === drawing) {
      const text = failure?.code === "PERMISSION_DENIED" && !archer.isOwn
        ? say("{name} does not share this with you any more.", { name: archer.name })
        : isLost(failure) ? say("There is no connection, and this device has not seen this before.") : sentenceOf(failure);
      $("main").replaceChildren(el("p", {}, text), button(say("Try again"), async () => { await begin(); return " "; }));
      $("main").dataset.view = asking;
      return tell(text, true);
    }
    tell(sentenceOf(failure), true);
  }
}

/** Which tab was shown last. */
let tabShown = "";

/** On a narrow screen the tabs are a line that scrolls: the current one is in it, also on a screen that was turned. */
function showTab(/** @type {string} */ key) {
  const tabs = $("tabs"), tab = tabs.querySelector("[aria-current]");
  if (tab && key !== tabShown) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  tabShown = key;
}

/** The tabs have another width than when the current one was shown. */
function showTabAgain() {
  const key = tabShown;
  tabShown = "";
  if (key) showTab(key);
}

const labelOf = (/** @type {any} */ control) => control.getAttribute("aria-label") ?? control.textContent;

function setLanguage(/** @type {string} */ language) {
  settings.language = language in languages ? language : "en";
  document.documentElement.lang = settings.language;
  $("language").value = settings.language;
  $("language-label").textContent = say("Language");
  $("user-text").textContent = say("Data of");
  stored.set("language", settings.language);
}

$("language").append(...Object.entries(languages).map(([value, text]) => el("option", { value, lang: value }, text)));
setLanguage(stored.get("language") || navigator.language.slice(0, 2));
$("language").addEventListener("change", () => { setLanguage($("language").value); drawUsers(); draw().then(showTabAgain); });
addEventListener("resize", showTabAgain);
$("user").addEventListener("change", () => { chooseUser($("user").value || null); location.hash = "#/"; draw(); });
addEventListener("hashchange", draw);
// Back in reach, what is shown may be of before.
addEventListener("online", () => { if (state.staleSince && !isInUse()) draw(); });
// Another tab has signed in or out.
addEventListener("storage", (event) => { if (event.key === "quiver.me.token" || event.key === null) location.reload(); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") versions.ask(); });
versions.start();
document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest?.("a[href^='#']")) tell("");
});
/** Whose data may be read may have changed since the page was loaded. */
async function readShares() {
  try {
    received = await all("Account/ListShares", { side: "SHARE_SIDE_RECEIVED" }, "shares", 500);
    drawUsers();
  } catch { /* The next sign-in reads them. */ }
}
// A squad opens an archer, who may share since a moment ago, and a share that begins or ends changes the list.
addEventListener("quiver-user", async (event) => {
  const id = /** @type {any} */ (event).detail;
  if (!received.some((share) => share.ownerId === id)) await readShares();
  chooseUser(id);
  location.hash = "#/";
  draw();
});
addEventListener("quiver-shares", readShares);

signedIn(stored.get("token"));
const code = /^#(?!\/)(.+)/.exec(location.hash)?.[1];
// History keeps what stands in an address.
if (code) history.replaceState(null, "", "#/");
if (!settings.token) signIn(code ? decoded(code) : "");
else begin().catch((error) => {
  if (error?.code === "UNAUTHENTICATED") leave();
  else draw();
  tell(sentenceOf(error), true);
});
