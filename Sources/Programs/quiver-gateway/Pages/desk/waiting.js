// The changes that the server does not have yet, as the pages that keep some show them.
import { button, confirmed, el, say, table, timeText } from "./kit.js";
import { discard, enteredAt, isRedoable, lateAfter, reasonOf, redo, retry, state, waiting, withdraw } from "./store.js";

/** @typedef {import("../client/entries.js").Entry} Entry */

/** A button in a row: several have the same word, so that a screen reader needs the name of the row too. */
export const rowButton = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => Promise<string | void>} */ work) =>
  button(text, work, { "aria-label": `${text} ${name}` });

/**
 * The changes that wait or need a person, of subjects that begin with one of the texts; nothing without any.
 * @param {{isOwn?: boolean, reload: () => Promise<void>}} shown whose data the view shows, and how to draw it again
 * @param {...string} prefixes
 */
export async function waitingTable(shown, ...prefixes) {
  const entries = shown.isOwn === false ? [] : (await waiting()).filter(({ subject }) => prefixes.some((prefix) => subject.startsWith(prefix)));
  if (entries.length === 0) return null;
  const act = (/** @type {() => any} */ work) => async () => { await work(); await shown.reload(); return " "; };
  return el("section", { className: "waiting" }, el("h3", {}, say("Not with the server yet")),
    table(say("Not with the server yet"), [say("What"), say("Entered"), say("State"), ""], entries.map((entry) => {
      const name = titleOf(entry);
      const isHeld = entry.state !== "waiting";
      return [el("bdi", {}, name), enteredAt(entry), el("span", { className: isHeld ? "bad" : "" }, reasonOf(entry)),
        el("div", { className: "row" },
          isHeld && entry.state !== "conflict" ? rowButton(say("Send again"), name, act(() => retry(entry))) : null,
          isRedoable(entry) ? rowButton(say("Mine counts"), name, act(() => redo(entry))) : null,
          isHeld ? rowButton(say("Discard…"), name, async () => {
            if (!await confirmed(say("Discard it?"), say("{name} is removed from this device, with what was entered on it.", { name }), say("Discard it"))) return " ";
            await discard(entry);
            await shown.reload();
          }) : entry.kind === "call" && entry.attempts === 0 ? rowButton(say("Take out"), name, act(() => withdraw(entry))) : null)];
    })));
}

/** What a change is called. */
function titleOf(/** @type {Entry} */ entry) {
  if (entry.kind !== "arrow") return String(entry.operation.title?.text ?? entry.operation.method ?? "");
  const { endIndex = 0, arrowIndex = 0, value = 0, isX } = entry.operation;
  return say("end {end}, arrow {arrow}: {value}", { end: endIndex + 1, arrow: arrowIndex + 1, value: isX ? "X" : value || "M" });
}

/** `#/waiting`: all changes that wait or need a person. */
export async function waitingView(/** @type {{reload: () => Promise<void>}} */ shown) {
  return [el("h2", {}, say("Waiting")), await waitingTable(shown, "") ?? el("p", { className: "empty" }, say("The server has everything."))];
}

/**
 * When what waits is told, if it waits still.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let lateTimer;

/**
 * The line below the tabs: what waits, and of when the data is that is shown.
 * @param {{draw: () => Promise<any>, leave: () => Promise<any>, versions: import("../score/score_version.js").Versions}} page
 *   how it draws again, and signs out
 */
export function showState(page) {
  const place = /** @type {HTMLElement} */ (document.getElementById("store"));
  const does = (/** @type {() => Promise<any>} */ work) => async () => { await work(); return " "; };
  const lines = [];
  if (state.fault) lines.push(el("p", { className: "bad" }, state.fault));
  if (state.staleSince) lines.push(el("p", {}, say("There is no connection. What is shown is of {time}.", { time: timeText(state.staleSince, true) }), " ", button(say("Try again"), does(page.draw))));
  if (state.isLate) lines.push(el("p", {}, el("a", { href: "#/waiting" }, say("Changes to be sent: {count}, since {time}.", { count: state.waiting, time: timeText(Number(state.since), true) }))));
  if (state.waiting > 0 && state.isSignedOut) lines.push(el("p", { className: "bad" }, say("The server does not accept this sign-in any more."), " ", button(say("Sign in again"), does(page.leave))));
  if (state.held > 0) lines.push(el("p", { className: "bad" }, el("a", { href: "#/waiting" }, say("Changes that were not taken: {count}. Look at them.", { count: state.held }))));
  if (page.versions.isNewReady) lines.push(el("p", {}, say("A new version of this page is ready."), " ", button(say("Load it"), does(() => page.versions.take()))));
  place.dataset.waiting = String(state.waiting);
  place.replaceChildren(...lines);
  clearTimeout(lateTimer);
  if (state.waiting > 0 && !state.isLate) lateTimer = setTimeout(() => showState(page), lateAfter);
}

/** Whether something is being typed, which drawing again would lose. */
export function isInUse() {
  return document.querySelector("dialog[open], main :is(input, select, textarea):focus") !== null;
}
