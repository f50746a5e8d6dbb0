// Targets: the draw, and moving archers between places.
import { act, agreed, all, ask, button, call, choice, confirmed, el, field, part, placeText, Refusal, say, tell } from "./kit.js";
import { readEntries } from "./entries.js";

/** The session that is shown. */
let chosen = "";

/**
 * @param {any} desk
 * @returns {Promise<any>}
 */
export async function targets(desk) {
  const tournamentId = desk.event.id;
  const [list, { sessions = /** @type {any[]} */ ([]) }] = await Promise.all([readEntries(tournamentId), call("Events/ListEventSessions", { tournamentId })]);
  if (!sessions.length) return el("p", {}, say("There is no session yet. Add one under Categories and sessions."));
  const session = sessions.find((/** @type {any} */ { id }) => id === chosen) ?? sessions[0];
  chosen = session.id;
  const pick = part(desk, say("Session"), sessions.map((/** @type {any} */ { id, name }) => [id, name]), session.id, (id) => { chosen = id; });
  // Of a session of a later round the places stand in the entries of the session.
  const inSession = session.round > 1 ? await inSessionNow(tournamentId, session.id) : list.filter((entry) => entry.sessionId === session.id);
  /** @type {Map<string, any>} */
  const placed = new Map(inSession.filter((/** @type {any} */ entry) => entry.target).map((/** @type {any} */ entry) => [placeText(entry), entry]));
  const waiting = [...inSession.filter((/** @type {any} */ entry) => !entry.target),
    ...list.filter((entry) => !entry.sessionId || entry.sessionId === "0")];
  /** @type {any} */
  let held = null;
  const hold = (/** @type {any} */ entry, /** @type {any} */ control) => {
    held = held?.participantId === entry?.participantId ? null : entry;
    for (const one of document.querySelectorAll(".held")) one.classList.remove("held");
    if (held) control.classList.add("held");
    tell(held ? say("{name} is held: choose the place.", { name: held.displayName }) : "");
  };
  const put = async (/** @type {number} */ target, /** @type {string} */ letter, /** @type {any} */ other) => {
    const entry = held;
    if (other && other.participantId === entry.participantId) return " ";
    if (other && !await confirmed(say("Swap two archers?"), say("{one} goes to {place}; {other} gets the place of {one}.", { one: entry.displayName, other: other.displayName, place: `${target}${letter}` }), say("Swap"))) return " ";
    const stored = await place({ ...entry }, other && { ...other }, target, letter);
    // What a swap has made of the other one is read.
    if (other) await desk.reload();
    else move(entry, stored);
    return say("{name} is at {place}.", { name: entry.displayName, place: `${target}${letter}` });
  };
  /** Another desk may have moved somebody meanwhile: nobody is moved or swapped who is not where this one saw it. */
  const place = async (/** @type {any} */ entry, /** @type {any} */ other, /** @type {number} */ target, letter = "") => {
    for (;;) {
      try {
        return await call("Events/PlaceEventEntry", { participantId: entry.participantId, sessionId: session.id, target, letter, swap: Boolean(other),
          expectedRevision: entry.revision, otherRevision: other?.revision ?? "0" });
      } catch (error) {
        const failure = /** @type {any} */ (error);
        if (!/ABORTED|FAILED_PRECONDITION/.test(failure.code)) throw error;
        const at = `${target}${letter}`;
        const now = await inSessionNow(tournamentId, session.id);
        const of = (/** @type {any} */ one) => now.find(({ participantId }) => participantId === one?.participantId);
        const there = target ? now.find((one) => placeText(one) === at) : undefined;
        const moved = of(entry) ?? (failure.code === "ABORTED" ? (await readEntries(tournamentId)).find(({ participantId }) => participantId === entry.participantId) : entry);
        const fault = !moved || (moved.sessionId ?? "0") !== (entry.sessionId ?? "0") || placeText(moved) !== placeText(entry)
          ? say("{name} is at {place} now, from another desk. Nothing was changed.", { name: entry.displayName, place: placeText(moved) })
          : (there?.participantId ?? "") === (other?.participantId ?? "") ? "" : there
            ? say("{name} is at {place} now, from another desk. Nothing was changed.", { name: there.displayName, place: at })
            : say("{place} is free now, from another desk. Nothing was changed.", { place: at });
        if (fault) {
          await desk.reload();
          throw new Refusal(fault);
        }
        if (failure.code !== "ABORTED") throw error;
        entry.revision = moved.revision;
        if (other) other.revision = there?.revision;
      }
    }
  };
  const blocked = new Set(session.blockedPlaces ?? []), forWheelchairs = new Set(session.wheelchairTargets ?? []);
  const cell = (/** @type {number} */ target, /** @type {string} */ letter) => {
    const place = `${target}${letter}`;
    const entry = placed.get(place);
    if (!entry && (blocked.has(place) || blocked.has(String(target)))) {
      return el("button", { type: "button", className: "place", "aria-label": `${place}: ${say("blocked")}`, onclick: () => tell(say("{place} is blocked.", { place }), true) },
        el("b", {}, letter), el("small", {}, ` ${say("blocked")}`));
    }
    const control = el("button", { type: "button", className: "place", draggable: Boolean(entry),
      "aria-label": `${target}${letter}: ${entry ? entry.displayName : say("free")}`,
      onclick: () => held && held.participantId !== entry?.participantId ? act(control, () => put(target, letter, entry)) : entry ? hold(entry, control) : tell(say("Choose an archer first."), true),
      ondragstart: () => { held = null; hold(entry, control); },
      ondragover: (/** @type {any} */ event) => event.preventDefault(),
      ondrop: (/** @type {any} */ event) => { event.preventDefault(); if (held) act(control, () => put(target, letter, entry)); },
    }, el("b", {}, letter), " ", entry ? `${entry.displayName}` : "", entry ? el("small", {}, ` ${entry.categoryCode ?? ""} ${entry.club ?? ""}`) : "");
    return control;
  };
  const letters = ["A", "B", "C", "D"].slice(0, session.archersPerTarget);
  const butt = (/** @type {number} */ target) => {
    const here = letters.map((letter) => placed.get(`${target}${letter}`)).filter(Boolean);
    const kinds = new Set(here.map((entry) => entry.categoryCode));
    return el("section", { className: "butt", "aria-label": say("Target {target}", { target }) }, el("h3", {}, String(target),
      kinds.size > 1 ? el("small", {}, ` ${[...kinds].join(" ")}`) : null,
      forWheelchairs.has(target) ? el("small", {}, ` ${say("wheelchairs")}`) : null), letters.map((letter) => cell(target, letter)));
  };
  /** @type {Map<number, any>} */
  const butts = new Map();
  for (let target = session.firstTarget; target <= session.lastTarget; target++) butts.set(target, butt(target));
  const without = el("div");
  const showWaiting = () => without.replaceChildren(...waiting.length ? [el("section", {}, el("h3", {}, say("{count} without a place", { count: waiting.length })), el("div", { className: "row" }, waiting.slice(0, 200).map((entry) => {
    const control = el("button", { type: "button", className: "place", draggable: true, onclick: () => hold(entry, control), ondragstart: () => { held = null; hold(entry, control); } },
      entry.displayName, el("small", {}, ` ${entry.categoryCode ?? ""}`));
    return control;
  })))] : []);
  showWaiting();
  /** Shows an archer at another place: two targets alone, for a hall of them takes longer to draw than a person waits. */
  const move = (/** @type {any} */ entry, /** @type {any} */ stored) => {
    const changed = [entry.target, stored.target];
    placed.delete(placeText(entry));
    for (const key of Object.keys(entry)) delete entry[key];
    Object.assign(entry, stored);
    placed.set(placeText(entry), entry);
    if (!inSession.includes(entry)) inSession.push(entry);
    if (waiting.includes(entry)) {
      waiting.splice(waiting.indexOf(entry), 1);
      showWaiting();
    }
    held = null;
    for (const target of new Set(changed.filter((one) => butts.has(one)))) {
      const now = butt(target);
      butts.get(target).replaceWith(now);
      butts.set(target, now);
    }
    desk.refocus();
  };
  return [
    el("h2", {}, say("Targets")), el("div", { className: "row" }, pick,
      button(say("Draw…"), () => draw(desk, session, inSession)),
      button(say("Blocked places and wheelchairs…"), () => setPlaces(desk, session, placed)),
      button(say("Take the place away"), async () => {
        if (!held?.target) { tell(say("Choose an archer first."), true); return " "; }
        await place({ ...held }, undefined, 0);
        await desk.reload();
      })),
    without,
    el("p", {}, say("Choose an archer, then a place; or drag. Scores stay with the archer.")),
    el("div", { className: "butts" }, [...butts.values()]),
  ];
}

const inSessionNow = (/** @type {string} */ tournamentId, /** @type {string} */ sessionId) => all("Events/ListEventEntries", { tournamentId, sessionId }, "entries");

/** What `DrawTargets` expects of the entries of a session. */
const sumOf = (/** @type {any[]} */ list) => String(BigInt.asUintN(64, list.reduce((sum, { revision }) => sum + BigInt(revision ?? 0), 0n)));

async function draw(/** @type {any} */ desk, /** @type {any} */ session, /** @type {any[]} */ shown) {
  const count = shown.filter(({ target }) => target).length;
  const method = choice([["DRAW_METHOD_RANDOM", say("at random, clubs apart")], ["DRAW_METHOD_RANKING", say("by the ranking, best first")]]);
  const redraw = el("input", { type: "checkbox" });
  const waiting = el("input", { type: "checkbox", checked: true });
  const { categories = [] } = await call("Events/ListEventCategories", { tournamentId: desk.event.id });
  const category = choice([["0", say("all")], ...categories.map((/** @type {any} */ { id, code }) => [id, code])]);
  const first = el("input", { type: "number", min: session.firstTarget, max: session.lastTarget, value: session.firstTarget });
  const last = el("input", { type: "number", min: session.firstTarget, max: session.lastTarget, value: session.lastTarget });
  const answer = await ask({ title: say("Draw"), yes: say("Draw"),
    text: count ? say("{count} archers have a place. They keep it unless you draw them again.", { count }) : "",
    fields: [field(say("How"), method), field(say("Category"), category), field(say("First target"), first), field(say("Last target"), last),
      field(say("Who has no session too"), waiting), field(say("Draw archers with a place again"), redraw)] });
  if (!answer) return " ";
  const reply = await agreed(shown, (seen) => call("Events/DrawTargets", { tournamentId: desk.event.id, sessionId: session.id, categoryId: category.value, method: method.value,
    firstTarget: Number(first.value), lastTarget: Number(last.value), redraw: redraw.checked, includeWaiting: waiting.checked,
    // Who has a place loses it only if it is drawn again.
    expectedRevision: redraw.checked ? sumOf(seen) : "0" }), () => inSessionNow(desk.event.id, session.id), (theirs, seen) => {
    const before = new Map(seen.map((one) => [one.participantId, placeText(one)]));
    const moved = theirs.filter((one) => placeText(one) !== (before.get(one.participantId) ?? "–") && one.target);
    return moved.slice(0, 50).map((one) => [one.displayName, placeText(one), say("drawn again")]);
  });
  await desk.reload();
  if (!reply) return " ";
  return say("{count} archers were drawn.", { count: reply.entries?.length ?? 0 });
}

/** Which places of a session nobody gets, and which of its targets are for wheelchairs. */
async function setPlaces(/** @type {any} */ desk, /** @type {any} */ session, /** @type {Map<string, any>} */ placed) {
  const tournamentId = desk.event.id;
  const texts = (/** @type {any} */ one) => [(one.blockedPlaces ?? []).join(" "), (one.wheelchairTargets ?? []).join(" ")];
  const [blocked, wheelchairs] = texts(session).map((value) => el("input", { value, autocomplete: "off", spellcheck: false }));
  const words = (/** @type {any} */ input) => /** @type {string[]} */ (input.value.toUpperCase().split(/[\s,;]+/).filter(Boolean));
  const targetOf = (/** @type {string} */ word, /** @type {RegExp} */ form) => Number(form.exec(word)?.[1] ?? 0);
  const isOutside = (/** @type {number} */ target) => target < session.firstTarget || target > session.lastTarget;
  const answer = await ask({ title: say("Blocked places and wheelchairs"), yes: say("Save"), fields: [
    field(say("Blocked places"), blocked, say("Places as 4C, whole targets as 4. Nobody is drawn or moved there.")),
    field(say("Targets for wheelchairs"), wheelchairs, say("Archers in wheelchairs are drawn to them first."))],
  read: () => {
    const wrong = words(blocked).find((word) => isOutside(targetOf(word, /^(\d{1,4})[A-D]?$/))) ?? words(wheelchairs).find((word) => isOutside(targetOf(word, /^(\d{1,4})$/)));
    if (wrong !== undefined) return say("{place} is no place of this session.", { place: wrong });
    const [taken, entry] = [...placed].find(([place]) => words(blocked).some((word) => word === place || `${word}${place.slice(-1)}` === place)) ?? [];
    if (entry) return say("{name} has the place {place}: move the archer first.", { name: entry.displayName, place: taken });
    return { blockedPlaces: words(blocked), wheelchairTargets: words(wheelchairs).map(Number) };
  } });
  if (!answer || typeof answer === "string") return " ";
  const mine = texts(answer);
  // Both lists are replaced.
  await agreed(session, ({ revision }) => call("Events/SetSessionPlaces", { tournamentId, sessionId: session.id, expectedRevision: revision, ...answer }),
    async () => ((await call("Events/ListEventSessions", { tournamentId })).sessions ?? []).find((/** @type {any} */ { id }) => id === session.id), (theirs, seen) =>
      String(texts(theirs)) === String(texts(seen)) ? [] : [say("Blocked places"), say("Targets for wheelchairs")].map((label, at) => [label, texts(theirs)[at], mine[at]]));
  await desk.reload();
}
