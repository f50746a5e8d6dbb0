// The judge: calls from targets, disputes with both cards, and what is ruled about archers.
import { act, agreed, all, arrowsText, ask, button, call, choice, el, field, ownClient, placeText, reasonFor, say, settings, table, tell, unlessChanged } from "../desk/kit.js";
import { callCard } from "../desk/calls.js";
import { disputes } from "../desk/line.js";
import { fits, short, stateText } from "../desk/entries.js";
import { begin, signOut } from "./sign_in.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./sign_in.js").Office} Office */

/** Which part of the page is shown. */
let part = "calls";

/** @param {Office} office */
async function show(office) {
  const control = new AbortController();
  const calls = el("section", { "aria-label": say("Calls") });
  const place = el("div");
  const tabs = el("nav", { "aria-label": say("Parts of the event") });
  /** @type {Map<string, Message>} */
  const open = new Map();
  const parts = /** @type {[string, string][]} */ ([["calls", "Calls"], ["disputes", "Disputes"], ["archers", "Archers"], ["more", "More"]]);
  const turn = async (/** @type {string} */ next) => {
    part = next;
    tabs.replaceChildren(...parts.map(([key, text]) => el("button", { type: "button", "aria-pressed": String(key === part), onclick: () => act(null, async () => { await turn(key); return " "; }) },
      say(text), key === "calls" && open.size > 0 ? ` (${open.size})` : null)));
    calls.hidden = part !== "calls";
    if (part === "calls") place.replaceChildren();
    else place.replaceChildren(...[await { disputes, archers, more }[/** @type {"more"} */ (part)](office)].flat().filter(Boolean));
  };
  const draw = () => {
    const list = [...open.values()].sort((a, b) => Number(a.raisedAtMs) - Number(b.raisedAtMs));
    calls.replaceChildren(el("h2", {}, say("Calls")), ...(list.length > 0 ? list.map((one) => callCard(office.event.id, one, ({ id }) => { open.delete(id); draw(); })) : [el("p", {}, say("Nobody calls."))]));
    document.title = (open.size > 0 ? `(${open.size}) ` : "") + office.event.name;
    turnTabs();
  };
  const turnTabs = () => { tabs.firstChild?.replaceChildren(say("Calls"), open.size > 0 ? ` (${open.size})` : ""); };
  office.onLeave = () => control.abort();
  office.reload = async () => { await turn(part); };
  follow(office, control.signal, open, draw);
  await turn(part);
  draw();
  return [tabs, calls, place];
}

/** Follows the calls until the page is left. */
async function follow(/** @type {Office} */ office, /** @type {AbortSignal} */ signal, /** @type {Map<string, Message>} */ open, /** @type {() => void} */ draw) {
  let isFirst = true;
  try {
    const watch = ownClient().watch("Events/WatchTargetCalls", { tournamentId: office.event.id }, { signal,
      onState: (state) => {
        if (state.name === "lost") tell(say("Not connected since {time}: what is shown may be old.", { time: state.since.toLocaleTimeString(settings.language) }), true);
        else if (state.name === "live" && document.querySelector("#state.bad")) tell(say("Connected."));
      } });
    for await (const { message, startsSnapshot } of watch) {
      if (startsSnapshot) open.clear();
      const before = open.size;
      for (const one of /** @type {Message[]} */ (message.calls ?? [])) {
        if (Number(one.resolvedAtMs ?? 0)) open.delete(one.id);
        else open.set(one.id, one);
      }
      if (!isFirst && open.size > before) navigator.vibrate?.([200, 100, 200]);
      isFirst = false;
      draw();
    }
  } catch (/** @type {any} */ error) {
    if (!signal.aborted) tell(/NOT_FOUND|PERMISSION_DENIED/.test(error.code) ? say("You have no role in this event any more.") : String(error.message), true);
  }
}

/** An archer is looked for; the rulings about it stand below its card. */
async function archers(/** @type {Office} */ office) {
  const list = await all("Events/ListEventEntries", { tournamentId: office.event.id }, "entries");
  const input = el("input", { type: "search", className: "big", "aria-label": say("Bib or name"), placeholder: say("Bib or name"), autocomplete: "off" });
  const place = el("div");
  const look = () => {
    const found = input.value.trim() ? list.filter((entry) => fits(entry, input.value)) : [];
    place.replaceChildren(...found.slice(0, 20).map((entry) => el("button", { type: "button", className: "place", onclick: () => act(null, async () => {
      place.replaceChildren(...await archer(office, entry));
      return " ";
    }) }, `${placeText(entry)} `, el("bdi", {}, entry.displayName), entry.bib ? ` (${entry.bib})` : "", ` · ${stateText(entry)}`)));
    if (input.value.trim() && found.length === 0) place.replaceChildren(el("p", {}, say("Nobody fits.")));
  };
  input.addEventListener("input", look);
  return [el("h2", {}, say("Archers")), el("p", {}, say("Type a bib, a place or the begin of a name.")), input, place];
}

/** An archer with its cards, and what a judge may do about it. */
async function archer(/** @type {Office} */ office, /** @type {Message} */ entry) {
  const card = await call("Events/GetComparedCard", { participantId: entry.participantId });
  const isOut = /WITHDRAWN|DISQUALIFIED/.test(short(entry));
  const rule = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ method, /** @type {Message} */ more = {}) => button(say(title), async () => {
    const why = await reasonFor(`${entry.displayName}: ${say(title).replace("…", "")}`, text, say("Save"));
    if (!why) return " ";
    const is = (/** @type {any} */ { participantId }) => participantId === entry.participantId;
    await agreed(entry, (seen) => call(method, { participantId: entry.participantId, expectedRevision: seen.revision, ...more, ...why }),
      async () => (await all("Events/ListEventEntries", { tournamentId: office.event.id }, "entries")).find(is),
      (theirs, seen) => short(theirs) === short(seen) ? [] : [[say("State"), stateText(theirs), say(title).replace("…", "")]]);
    await office.reload();
    return say("{name} is noted.", { name: entry.displayName });
  });
  const back = say("It can be taken back by reinstating the archer.");
  const ends = card.ends ?? [];
  return [el("h3", {}, `${placeText(entry)} `, el("bdi", {}, entry.displayName), ` · ${stateText(entry)}`),
    table(say("Card"), [say("End"), say("Card"), say("Second")], ends.map((/** @type {Message} */ end) => [String((end.endIndex ?? 0) + 1), arrowsText(end.first), end.second?.length ? arrowsText(end.second) : ""])),
    el("p", {}, `${say("Total")}: ${card.total ?? 0}`),
    el("div", { className: "row" },
      isOut ? rule("Reinstate…", say("{name} is in the results again.", { name: entry.displayName }), "Tournament/ReinstateParticipant") : null,
      isOut ? null : rule("Did not finish…", back, "Events/SetEventEntryState", { state: "EVENT_ENTRY_STATE_DID_NOT_FINISH" }),
      isOut ? null : rule("Disqualify…", back, "Tournament/DisqualifyParticipant"),
      card.confirmations?.length ? reopenCard(office, entry, card) : null)];
}

/** The button that takes the confirmations of a card back: those that are shown. */
const reopenCard = (/** @type {Office} */ office, /** @type {Message} */ entry, /** @type {Message} */ card) => button(say("Reopen the card…"), async () => {
  const why = await reasonFor(`${entry.displayName}: ${say("Reopen the card…").replace("…", "")}`, say("The confirmations are taken back; archer and scorer confirm again."), say("Save"));
  if (!why) return " ";
  await unlessChanged(office, () => call("Events/ReopenScoreCard", { participantId: entry.participantId, expectedRevision: card.revision, ...why }));
  await office.reload();
  return say("{name} is noted.", { name: entry.displayName });
});

/** The pause of the shooting, notices, and the end. */
async function more(/** @type {Office} */ office) {
  const event = office.event = await call("Tournament/GetTournament", { id: office.event.id });
  const pause = event.shootingPause;
  return [el("h2", {}, say("Shooting")),
    pause ? el("p", { className: "bad" }, say("Shooting is paused: {reason}", { reason: pause.reason })) : null,
    event.status !== "TOURNAMENT_STATUS_IN_PROGRESS" ? null : pause
      ? button(say("Go on shooting"), async () => { await unlessChanged(office, () => call("Events/ResumeShooting", { tournamentId: event.id, pauseId: pause.id })); await office.reload(); }, { className: "main" })
      : button(say("Pause the shooting…"), async () => {
        const answer = await reasonFor(say("Pause the shooting"), say("Everybody sees it; arrows that were shot can be entered."), say("Pause"));
        if (!answer) return " ";
        await call("Events/PauseShooting", { tournamentId: event.id, ...answer });
        await office.reload();
      }),
    el("h2", {}, say("Notices")), button(say("Send a notice…"), async () => {
      const text = el("textarea", { maxLength: 300, rows: 3 });
      const whom = choice([["", say("participants")], ["public", say("everybody")]]);
      const answer = await ask({ title: say("Send a notice"), yes: say("Send"), text: say("It appears on all scoring devices and cannot be taken back."),
        fields: [field(say("Text"), text), field(say("For"), whom)], read: () => text.value.trim() ? true : say("Write a text.") });
      if (!answer) return " ";
      await call("Events/SendEventNotice", { tournamentId: event.id, text: text.value.replace(/\s+/g, " ").trim(), isPublic: whom.value === "public" });
      return say("Done.");
    }),
    el("h2", {}, say("More")), el("div", { className: "row" }, el("a", { href: "#/" }, say("Other event")), button(say("Sign out"), signOut))];
}

begin({ key: "judge", title: "Quiver judge", roles: ["ORGANISER", "JUDGE"], show });
