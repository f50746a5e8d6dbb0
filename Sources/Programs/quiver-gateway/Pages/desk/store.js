// What a page keeps on this device: what it read, and the changes that the server does not have yet.
import { connect } from "../client/client.js";
import { QuiverError } from "../client/errors.js";
import { Outbox } from "../client/outbox.js";
import { OutboxError } from "../client/outboxerror.js";
import { uuid7 } from "../client/uuid.js";
import { Refusal, call, say, sentenceOf, settings, timeText } from "./kit.js";
import "./store_words.js";

/** @typedef {import("./kit.js").Message} Message */
/** @typedef {import("../client/entries.js").Entry} Entry */
/** @typedef {import("../client/edits.js").Change} Change */

/** How many answers are kept; the oldest leave first. */
const mostAnswers = 300;

/** How long a change may take before the page says that it waits, in milliseconds. */
const patience = 30_000;

/** A connection that was lost before a change is believed to be lost after so long, in milliseconds. */
const lostAfter = 1000;

/** What waits for so long is told, in milliseconds: a line that comes and goes with each tap moves what is below it. */
export const lateAfter = 3000;

/** @type {Outbox | null} */
let outbox = null;

/** Why nothing can be changed here; empty: it can. */
let fault = "";

/** @type {import("../client/outbox.js").Summary} */
let summary = { waiting: 0, waitingSince: null, held: 0, sender: { name: "idle", since: null } };

/** When the oldest of what is shown was read, if the server could not be asked; 0: all is fresh. */
let staleSince = 0;

/** Told after each change of the outbox or of what is stale. */
let listener = () => {};
/** @type {Set<() => void>} */
const waiters = new Set();

/** What the line below the tabs says. */
export const state = {
  get waiting() { return summary.waiting; },
  get held() { return summary.held; },
  get since() { return summary.waitingSince; },
  get isSignedOut() { return summary.sender.name === "signedOut"; },
  /** Whether what waits does so for longer than it takes to send it. */
  get isLate() { return summary.waiting > 0 && (["lost", "signedOut"].includes(summary.sender.name) || Date.now() - Number(summary.waitingSince) >= lateAfter); },
  get staleSince() { return staleSince; },
  get fault() { return fault; },
};

/**
 * Opens what this device keeps of who is signed in on a page. Another one's is never read, and its changes are never sent.
 * @param {string} page
 * @param {ReturnType<typeof import("./kit.js").storage>} stored what the page keeps: it names who is signed in
 * @param {() => void} onChange
 */
export async function open(page, stored, onChange) {
  // Who it is stays known without a connection.
  let principal = stored.get("principal"), epoch;
  try {
    const { principal: known, storeEpoch } = await call("Account/WhoAmI", {});
    epoch = storeEpoch;
    // Another server at this address has other accounts with the same ids.
    principal = `${known.id}-${known.createdAtMs ?? 0}`;
    stored.set("principal", principal);
  } catch (error) {
    if (!principal || !isLost(error)) throw error;
  }
  close();
  listener = onChange;
  const client = connect("", { token: settings.token });
  try {
    outbox = await Outbox.open(client, { name: `quiver-${page}-${principal}`, device: `quiver ${page}`,
      onChange: (now) => {
        // The store may have been set back: what is changed from now on is made for it as it is.
        if (now.held > summary.held) learnEpoch();
        summary = now;
        for (const waiter of waiters) waiter();
        listener();
      },
      onOutdated: () => { fault = say("A newer version of this page runs in another tab. Load this one again."); listener(); } });
    fault = "";
    if (epoch) await outbox.take({ storeEpoch: epoch });
  } catch (error) {
    if (!(error instanceof OutboxError)) throw error;
    // What can be read is shown; a change goes to the server at once, or not at all.
    fault = say("This browser stores nothing for this page: changes need a connection.");
  }
}

/** Asks the server for the epoch of its store. */
async function learnEpoch() {
  const known = outbox;
  try {
    const { storeEpoch } = await call("Account/WhoAmI", {});
    await known?.take({ storeEpoch });
  } catch { /* The next change that is refused asks again. */ }
}

export function close() {
  outbox?.close();
  outbox = null;
  staleSince = 0;
  summary = { waiting: 0, waitingSince: null, held: 0, sender: { name: "idle", since: null } };
}

/** Removes what was read, as after signing out, and closes. What waits stays, and is sent when its owner signs in again. */
export async function forget() {
  const known = outbox;
  // Behind the answers that are being kept; one that comes later finds it closed.
  noting = noting.then(async () => {
    await known?.forget();
  }).catch(() => { /* Who signs out is signed out also where the browser refuses to remove it. */ });
  await noting;
  close();
}

// --- Reading ---

/** Answers are noted one after the other. */
let noting = Promise.resolve();

/** What is drawn from now on is fresh, until an answer is not. */
export function drawsAnew() {
  staleSince = 0;
}

export const isLost = (/** @type {any} */ error) => error instanceof QuiverError && ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"].includes(error.code);

/**
 * The server's answer; without a connection the last one that this device had.
 * @param {string} method
 * @param {Message} request
 */
export async function read(method, request) {
  const key = `${method} ${JSON.stringify(request)}`;
  try {
    const reply = await call(method, request, { timeout: 10_000 });
    note(key, { at: Date.now(), reply });
    return reply;
  } catch (/** @type {any} */ error) {
    // That there is none, as of a plan, is an answer too.
    if (error?.code === "NOT_FOUND") note(key, { at: Date.now(), missing: error.message });
    const found = isLost(error) ? await outbox?.shown(key) : null;
    if (!found) throw error;
    staleSince = Math.min(staleSince || found.at, found.at);
    listener();
    if (found.missing !== undefined) throw new QuiverError("NOT_FOUND", found.missing);
    return found.reply;
  }
}

/** All pages of a list, as `all` has them; without a connection those that this device had last. */
export async function readAll(/** @type {string} */ method, /** @type {Message} */ request, /** @type {string} */ list) {
  /** @type {Message[]} */
  const rows = [];
  let pageToken = "";
  do {
    const page = await read(method, { ...request, pageSize: 500, pageToken });
    rows.push(...page[list] ?? []);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  return rows;
}

/** Keeps an answer, behind those that are being kept. */
function note(/** @type {string} */ key, /** @type {Message} */ answer) {
  const known = outbox;
  noting = noting.then(async () => {
    const keys = /** @type {string[]} */ (await known?.shown("answers") ?? []).filter((one) => one !== key);
    const gone = keys.splice(0, Math.max(0, keys.length + 1 - mostAnswers));
    await known?.keep({ [key]: answer, answers: [...keys, key], ...Object.fromEntries(gone.map((one) => [one, undefined])) });
  }).catch(() => { /* The page shows the answer; it is not kept. */ });
}

// --- Changing ---

/** A client id in base64, for what a call creates. */
export const newId = () => btoa(String.fromCharCode(...uuid7()));

/**
 * Stores changes, and waits for the server unless the connection is lost. Returns what to tell.
 * @param {Change | Change[]} changes
 * @param {string} sentence what to tell once the server has it
 * @param {boolean} [isAgain] what is refused at once is not kept: the person is told, and enters it again
 */
export async function submit(changes, sentence, isAgain = false) {
  const list = Array.isArray(changes) ? changes : [changes];
  if (!outbox) {
    for (const change of list) if (change.kind === "call") await call(change.method, change.request);
    return sentence;
  }
  const entries = await outbox.change(await behind(list));
  return await settled(entries, isAgain) ? sentence : say("It is stored on this device, and is sent when there is a connection.");
}

/**
 * Puts calls behind one that waits for the same object: the later of two edits has the revision that the earlier one makes.
 * One that names no revision may come over what somebody else has changed: what is behind it is compared with that.
 * @param {Change[]} changes
 * @returns {Promise<Change[]>}
 */
async function behind(changes) {
  const open = (await waiting()).filter((entry) => entry.kind === "call" && entry.state === "waiting");
  return changes.map((change) => {
    if (change.kind !== "call" || change.after) return change;
    const before = open.filter((entry) => entry.subject === change.subject).at(-1);
    if (!before) return change;
    if (before.operation.revision) return { ...change, after: before.clientId };
    const { revision, title } = change;
    return { ...change, after: before.clientId, revision: undefined, title: title?.read ? { ...title, read: { ...title.read, revision } } : title };
  });
}

/** Whether the server has the entries; false: they wait. Throws what it refused. */
async function settled(/** @type {Entry[]} */ entries, /** @type {boolean} */ isAgain) {
  const ids = new Set(entries.map((entry) => entry.clientId));
  const begin = Date.now(), end = begin + patience;
  for (;;) {
    /** @type {() => void} */
    let wake = () => {};
    const changed = new Promise((resolve) => { wake = () => resolve(null); waiters.add(wake); setTimeout(resolve, Math.max(1, Math.min(lostAfter, end - Date.now()))); });
    const open = (await waiting()).filter((entry) => ids.has(entry.clientId));
    const refused = open.find((entry) => entry.state !== "waiting");
    if (refused) {
      waiters.delete(wake);
      if (isAgain) await discard(refused);
      throw new QuiverError(/** @type {any} */ (refused.code || "UNKNOWN"), refused.message);
    }
    const isLostNow = !navigator.onLine || (summary.sender.name === "lost" && Date.now() - begin > lostAfter);
    if (open.length === 0 || Date.now() >= end || isLostNow) {
      waiters.delete(wake);
      return open.length === 0;
    }
    await changed;
    waiters.delete(wake);
  }
}

/** The changes that wait or need a person, by sequence. */
export const waiting = async () => await outbox?.entries() ?? [];

/** The outbox, for the card of a practice. Throws where this browser stores nothing. */
export function practiceOutbox() {
  if (!outbox) throw new Refusal(fault || say("This browser stores nothing for this page: changes need a connection."));
  return outbox;
}

export const retry = (/** @type {Entry} */ entry) => outbox?.retry(entry.sequence);
export const discard = (/** @type {Entry} */ entry) => outbox?.discard(entry.sequence);
export const withdraw = async (/** @type {Entry} */ entry) => await outbox?.withdraw(entry.sequence) ?? false;

/** Whether a person may let a change count over what the server has meanwhile. */
export const isRedoable = (/** @type {Entry} */ entry) => entry.state === "conflict" && (entry.kind === "arrow" || Boolean(entry.operation.title?.read));

/**
 * Makes a change that was refused as stale on what the server has now.
 * @param {Entry} entry
 */
export async function redo(entry) {
  if (entry.kind === "arrow") return outbox?.overwrite(entry.sequence);
  const { request, revision, title } = entry.operation;
  const now = await call(title.read.method, title.read.request);
  const changed = structuredClone(request);
  const names = (title.read.revision ?? revision).split(".");
  const last = names.pop();
  let place = changed;
  for (const name of names) place = place[name];
  place[last] = now.revision;
  await outbox?.amend(entry.sequence, changed);
}

/** What a person reads of a change that needs one: the sentence, and what to do. */
export function reasonOf(/** @type {Entry} */ entry) {
  if (entry.state === "waiting") return entry.attempts > 0 || entry.after ? say("waits") : say("waits, not sent yet");
  if (entry.state === "conflict" && entry.kind === "call") {
    return say(isRedoable(entry) ? "It was changed elsewhere meanwhile. Look at it, then make yours count or discard it."
      : "It was changed elsewhere meanwhile. Look at it, discard this, and do it again if it is still right.");
  }
  if (entry.kind === "arrow") return say("The server has not taken this arrow: {message}", { message: entry.message });
  return sentenceOf(new QuiverError(/** @type {any} */ (entry.code || "UNKNOWN"), entry.message));
}

/** When a change was entered. */
export const enteredAt = (/** @type {Entry} */ entry) => timeText(entry.enteredAt, true);
