// What all views of the desk use: elements, sentences, calls, dialogs.
import { connect } from "../client/client.js";
import { QuiverError } from "../client/errors.js";
import { languages, sentences } from "./words.js";

/** @typedef {Record<string, any>} Message a message in proto3 JSON */

export const settings = {
  language: "en", token: "",
  /** What a person reads whose sign-in has ended. */
  ended: "Your sign-in has ended. Open a new link of the desk.",
};

/** The sentence in the language of the page; `{name}` stands for a value. */
export function say(/** @type {string} */ text, /** @type {Record<string, any>} */ values = {}) {
  const place = Object.keys(languages).indexOf(settings.language);
  const translated = place > 0 ? sentences[text]?.[place - 1] ?? text : text;
  return translated.replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => String(values[name] ?? ""));
}

/**
 * An element. A property that begins with `on` is a listener; texts are text, never markup.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list" && key !== "form") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * What a page keeps on this device, each under its own name; without storage it keeps it until it is closed.
 * @param {string} page
 */
export function storage(page) {
  /** @type {Record<string, string>} */
  const kept = {};
  return {
    get: (/** @type {string} */ key) => {
      try { return localStorage.getItem(`quiver.${page}.${key}`) ?? ""; } catch { return kept[key] ?? ""; }
    },
    set: (/** @type {string} */ key, /** @type {string} */ value) => {
      kept[key] = value;
      try {
        if (value) localStorage.setItem(`quiver.${page}.${key}`, value);
        else localStorage.removeItem(`quiver.${page}.${key}`);
      } catch { /* The page is signed in until it is closed. */ }
    },
  };
}

/** A part of an address as text; one that is no such part stays as it is. */
export function decoded(/** @type {string} */ part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

/** A field with its label. */
export function field(/** @type {string} */ label, /** @type {any} */ input, /** @type {string} */ hint = "") {
  return el("label", { className: "field" }, el("span", {}, label), input, hint ? el("small", {}, hint) : null);
}

/** A choice: `options` are pairs of a value and a text. */
export function choice(/** @type {[string, string][]} */ options, /** @type {string} */ chosen = "", /** @type {Message} */ more = {}) {
  return el("select", more, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

/**
 * A table: heads are texts, each row a list of cells, texts or elements. One of more than two columns that is not `dense` may
 * be shown with a line for each cell.
 */
export function table(/** @type {string} */ caption, /** @type {string[]} */ heads, /** @type {any[][]} */ rows, dense = false) {
  if (rows.length === 0) return el("p", { className: "empty" }, say("Nothing here yet."));
  return el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption },
    el("table", { className: heads.length > 2 && !dense ? "wide" : "" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head || el("span", { className: "hidden" }, say("Actions")))))),
      el("tbody", {}, rows.map((cells) => rowOf(heads, cells)))));
}

/**
 * Gives an element these children. Those that stay in their order are not moved: they are not laid out again, and keep the focus.
 * @param {any} place @param {any[]} nodes
 */
export function put(place, nodes) {
  const wanted = new Set(nodes);
  for (const one of [...place.childNodes]) if (!wanted.has(one)) one.remove();
  let at = place.firstChild;
  for (const node of nodes) {
    if (at !== node && at?.nextSibling === node) {
      // This one comes later: what is behind it stays.
      const later = at;
      at = node;
      later.remove();
    }
    if (at === node) at = at.nextSibling;
    else place.insertBefore(node, at);
  }
}

/** A row of a table, to replace one whose cells have changed. */
export const rowOf = (/** @type {string[]} */ heads, /** @type {any[]} */ cells) => el("tr", {}, cells.map((cell, index) =>
  el(index === 0 ? "th" : "td", index > 0 ? { "data-head": heads[index] || null }
    : { scope: "row", "data-head": /^\d+$/.test(String(cell)) ? heads[0] : null }, cell ?? "")));

// --- Calls ---

let client = connect();

/** Whether the operator lets judges and helpers at check-in sign in where others can read what is sent (quiverd --web-open-officials). */
export const takesOpenOfficials = () => document.querySelector('meta[name="quiver-officials"]') !== null;

/** The client of who is signed in. Without encryption the token of an official of an event is sent only if the operator permits it. */
export const ownClient = () => connect("", { token: settings.token || null, allowPlaintext: isBound() && takesOpenOfficials() });

export function signedIn(/** @type {string} */ token) {
  settings.token = token;
  client = ownClient();
}

export function call(/** @type {string} */ method, /** @type {Message} */ request, /** @type {Message} */ options = {}) {
  return client.call(method, request, options);
}

/** The code of an official of an event, which the desk gives, begins with this letter; those of invites do not have it. */
export const isOfficialCode = (/** @type {string} */ code) => /^\s*u/i.test(code);

/** Whether who is signed in is bound to one event. */
export const isBound = () => settings.token.startsWith("qo_");

/**
 * Signs in by a code, which works once. Returns the token. What a lost reply would have said is said again to who has the same secret.
 * @param {string} text the code, of an official or of an invite
 * @param {string} displayName of an invite
 * @param {string} page
 * @param {ReturnType<typeof storage>} stored what the page keeps
 */
export async function signInBy(text, displayName, page, stored) {
  const code = text.trim();
  if (!isOfficialCode(code)) {
    return (await call("Account/RedeemInvite", { code, displayName, tokenLabel: `${page} ${new Date().toISOString().slice(0, 10)}` })).secret;
  }
  const [asked, known] = stored.get("secret").split(" ");
  const secret = asked === code && known ? known : btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  stored.set("secret", `${code} ${secret}`);
  await connect().call("Events/SignInOfficial", { code, deviceSecret: secret });
  stored.set("secret", "");
  return `qo_${secret.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** All pages of a list, at most `most` rows. */
export async function all(/** @type {string} */ method, /** @type {Message} */ request, /** @type {string} */ list, most = 20000) {
  /** @type {Message[]} */
  const rows = [];
  let pageToken = "";
  do {
    const page = await call(method, { ...request, pageSize: 500, pageToken });
    rows.push(...page[list] ?? []);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken && rows.length < most);
  return rows;
}

/** Something that the page does not do, with the sentence that says why. */
export class Refusal extends Error {}

/** What a person reads about a failure, with what to do. */
export function sentenceOf(/** @type {any} */ error) {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof QuiverError)) return say("The page failed: {message}", { message: error?.message ?? error });
  const message = error.message;
  switch (error.code) {
    case "UNAVAILABLE": case "DEADLINE_EXCEEDED":
      return error.notProcessed
        ? say("There is no connection to the server. Nothing was changed. Try again.")
        : say("There is no connection to the server. Whether it was done is not known: look at the page before you try again.");
    case "UNAUTHENTICATED": return say(settings.ended);
    case "PERMISSION_DENIED": return say("Your role does not permit this: {message}", { message });
    case "ABORTED": return say("Somebody else has changed this meanwhile.");
    case "NOT_FOUND": return say("It does not exist any more: {message}", { message });
    default: return say("The server has not done this: {message}", { message });
  }
}

/** Shows a sentence in the line of state; `bad` marks a failure. */
export function tell(/** @type {string} */ text, bad = false) {
  const line = /** @type {HTMLElement} */ (document.getElementById("state"));
  line.textContent = text;
  line.className = bad ? "bad" : "";
}

/**
 * Does something that a person asked for: its button waits meanwhile, a failure is told. Returns
 * whether it was done.
 * @param {HTMLElement | null} button
 * @param {() => Promise<string | void>} work returns what to tell
 */
export async function act(button, work) {
  const control = /** @type {any} */ (button);
  if (control?.getAttribute("aria-disabled") === "true") return false;
  // Not `disabled`, which would lose the focus of the keyboard.
  control?.setAttribute("aria-disabled", "true");
  tell(say("Working…"));
  try {
    tell(await work() || say("Done."));
    return true;
  } catch (error) {
    tell(sentenceOf(error), true);
    return false;
  } finally {
    control?.removeAttribute("aria-disabled");
  }
}

/** A button that does something. */
export function button(/** @type {string} */ text, /** @type {(button: any) => Promise<string | void>} */ work, /** @type {Message} */ more = {}) {
  return el("button", { type: "button", ...more, onclick: (/** @type {any} */ event) => {
    const control = event.currentTarget;
    act(control, () => work(control));
  } }, text);
}

/**
 * The choice of the part of an event that a view shows. Until another part is drawn, nothing can be done with the one before.
 * @param {any} desk @param {string} label @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} choose
 */
export function part(desk, label, options, chosen, choose) {
  const control = choice(options, chosen, { "aria-label": label, onchange: async () => {
    const others = [...control.parentElement.children, ...control.closest("main").children].filter((one) => !one.contains(control));
    const hold = (/** @type {boolean} */ isHeld) => others.forEach((one) => { one.inert = isHeld; });
    hold(true);
    choose(control.value);
    if (await act(null, async () => { await desk.reload(); return " "; })) return;
    choose(chosen);
    control.value = chosen;
    hold(false);
  } });
  return control;
}

// --- Dialogs ---

/** @type {any} */
let opener;

/**
 * Asks in a dialog. The title is a text or a list of texts and elements, `fields` are elements; returns what `read` returns once the person agrees, null if
 * not.
 * @template T
 * @param {{title: any, text?: string, fields?: any[], yes: string, read?: () => T | string}} question
 *   a text that `read` returns says what is wrong
 * @returns {Promise<T | null>}
 */
export function ask(question) {
  opener = document.activeElement;
  return new Promise((resolve) => {
    /** @type {any} */
    let answer = null;
    const fault = el("p", { className: "bad", role: "alert" });
    const form = el("form", { method: "dialog", onsubmit: (/** @type {any} */ event) => {
      const read = question.read ? question.read() : true;
      if (typeof read === "string") {
        event.preventDefault();
        fault.textContent = read;
        return;
      }
      answer = read;
    } },
      el("h2", { id: "question" }, question.title),
      question.text ? el("p", {}, question.text) : null,
      question.fields ?? [], fault,
      el("div", { className: "row" },
        el("button", { type: "submit", className: "main" }, question.yes),
        el("button", { type: "button", onclick: () => dialog.close() }, say("Cancel"))));
    const dialog = el("dialog", { "aria-labelledby": "question", onclose: () => {
      dialog.remove();
      opener?.focus?.();
      resolve(answer);
    } }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks before something that cannot be taken back. */
export function confirmed(/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ yes) {
  return ask({ title, text, yes });
}

/**
 * Makes a change of what the page shows, which names what was read. If somebody else was first, it is read again: what concerns nothing
 * that is changed here stays as it is, of anything else both versions are shown, and the person chooses. Returns null who withdrew.
 * @template T, Seen
 * @param {Seen} seen what the page shows
 * @param {(seen: Seen) => Promise<T>} send
 * @param {() => Promise<Seen | undefined>} again reads it as it is now; undefined: it is gone
 * @param {(theirs: Seen, seen: Seen) => string[][]} differences of which a person decides: a label, theirs and the own of each
 * @returns {Promise<T | null>}
 */
export async function agreed(seen, send, again, differences) {
  for (;;) {
    try {
      return await send(seen);
    } catch (error) {
      const theirs = /** @type {any} */ (error).code === "ABORTED" ? await again() : undefined;
      if (theirs === undefined) throw error;
      const rows = differences(theirs, seen);
      if (rows.length > 0 && !await ask({ title: say("Somebody else has changed this meanwhile."), yes: say("Save mine"),
        fields: [table(say("Both versions"), ["", say("Theirs"), say("Yours")], rows)] })) return null;
      seen = theirs;
    }
  }
}

/**
 * Does something to what the page shows; if somebody else has changed it meanwhile, nothing is done, and the page shows it as it is now.
 * @template T
 * @param {any} desk
 * @param {() => Promise<T>} work
 */
export async function unlessChanged(desk, work) {
  try {
    return await work();
  } catch (error) {
    if (/** @type {any} */ (error).code !== "ABORTED") throw error;
    await desk.reload();
    throw new Refusal(say("Somebody else has changed this meanwhile. Nothing was done: look at it, and do it again if it is still right."));
  }
}

/** Asks for a reason of 1 to 200 characters. */
export function reasonFor(/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ yes) {
  const input = el("input", { maxLength: 200, required: true, autocomplete: "off" });
  return ask({ title, text, yes, fields: [field(say("Reason"), input)],
    read: () => input.value.trim() ? { reason: input.value.trim() } : say("Give a reason.") });
}

/** A time as people of the language write it. */
export function timeText(/** @type {string | number | undefined} */ milliseconds, long = false) {
  const value = Number(milliseconds ?? 0);
  if (!value) return "";
  return new Intl.DateTimeFormat(settings.language, long
    ? { dateStyle: "medium", timeStyle: "short" } : { timeStyle: "short" }).format(value);
}

/** The arrows of an end, as on a card. */
export function arrowsText(/** @type {Message[]} */ arrows) {
  return (arrows ?? []).map((arrow) => arrow.isX ? "X" : arrow.value ? String(arrow.value) : "M").join(" ") || "–";
}

/** Arrows that a person types, as in "X 10 9 m"; null: they are none. */
export function arrowsOf(/** @type {string} */ text) {
  const words = text.trim().split(/[\s,;]+/).filter(Boolean);
  const arrows = words.map((word) => {
    if (/^x$/i.test(word)) return { value: 10, isX: true };
    if (/^m$/i.test(word)) return { value: 0 };
    return /^([0-9]|1[01])$/.test(word) ? { value: Number(word) } : null;
  });
  return arrows.length > 0 && !arrows.includes(null) ? arrows : null;
}

/** A place as on papers, such as 12B. */
export function placeText(/** @type {Message} */ entry) {
  return entry?.target ? `${entry.target}${entry.letter ?? ""}` : "–";
}
