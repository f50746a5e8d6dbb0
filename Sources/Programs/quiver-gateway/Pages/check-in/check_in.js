// Check-in: who has come. The list is that of the desk, and follows what others note meanwhile.
import { el, ownClient, say, settings, tell, button } from "../desk/kit.js";
import { checkIn } from "../desk/entries.js";
import { begin, signOut } from "../judge/sign_in.js";

/** @typedef {import("../judge/sign_in.js").Office} Office */

/** @param {Office} office */
async function show(office) {
  const control = new AbortController();
  office.onLeave = () => control.abort();
  const desk = { event: office.event, onEntry: (/** @type {any} */ _) => {} };
  const content = await checkIn(desk);
  follow(office, control.signal, (entry) => desk.onEntry(entry));
  return [...content, el("div", { className: "row" }, el("a", { href: "#/" }, say("Other event")), button(say("Sign out"), signOut))];
}

async function follow(/** @type {Office} */ office, /** @type {AbortSignal} */ signal, /** @type {(entry: any) => void} */ take) {
  try {
    const watch = ownClient().watch("Tournament/WatchTournament", { tournamentId: office.event.id }, { signal,
      onState: (state) => {
        if (state.name === "lost") tell(say("Not connected since {time}: what is shown may be old.", { time: state.since.toLocaleTimeString(settings.language) }), true);
        else if (state.name === "live" && document.querySelector("#state.bad")) tell(say("Connected."));
      } });
    for await (const { message, startsAnew } of watch) {
      if (startsAnew) return void office.reload();
      for (const entry of message.entries ?? []) take(entry);
    }
  } catch (/** @type {any} */ error) {
    if (!signal.aborted) tell(/NOT_FOUND|PERMISSION_DENIED/.test(error.code) ? say("You have no role in this event any more.") : String(error.message), true);
  }
}

begin({ key: "check-in", title: "Quiver check-in", roles: ["ORGANISER", "JUDGE", "CHECK_IN"], show });
