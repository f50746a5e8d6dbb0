// Rounds: practice and events, cards to read, best scores, and the running handicap.
import { arrowsText, el, say, table } from "../desk/kit.js";
import { dayOf, nameOf } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/** Rounds that the list shows; older ones are in the export of the account. */
const mostSessions = 200;

/** `#/rounds` and `#/rounds/PARTICIPANT`. */
export async function rounds(/** @type {Archer} */ archer) {
  const [participant] = archer.rest;
  if (participant) return card(archer, participant);
  const [sessions, bests, indoors, outdoors] = await Promise.all([
    archer.list("Rounds/ListSessions", { includeTournaments: true }, "sessions", mostSessions),
    archer.read("Rounds/GetPersonalBests"),
    archer.read("Rounds/GetRunningHandicap", { location: "ROUND_LOCATION_INDOOR" }),
    archer.read("Rounds/GetRunningHandicap", { location: "ROUND_LOCATION_OUTDOOR" })]);
  const shot = sessions.flatMap((session) => (session.rounds ?? []).filter((/** @type {Message} */ round) => !round.guest).map((/** @type {Message} */ round) => [
    // A round that is not complete goes on where it can be named by its client id.
    el("a", { href: archer.isOwn && goesOn(session, round) ? `#/practice/${encodeURIComponent(round.participantClientId)}` : `#/rounds/${round.participantId}` }, session.format?.name ?? ""),
    dayOf(round.startedAtMs ?? session.createdAtMs), status(round), String(round.score?.total ?? 0),
    String(round.score?.xCount ?? 0), conditions(session)]));
  const handicap = (/** @type {Message} */ found) => found.handicap === undefined
    ? say("none yet: {count} more rounds", { count: found.missingRounds ?? 0 }) : String(found.handicap);
  return [el("h2", {}, say("Best scores")), table(say("Best scores"), [say("Round"), say("Score"), say("Class"), say("Handicap"), say("Bow"), say("Day")],
    (bests.bests ?? []).map((/** @type {Message} */ best) => [best.formatName, `${best.score ?? 0} / ${best.maximumScore ?? 0}`, best.classCode ?? "",
      best.handicap === undefined ? "" : String(best.handicap), nameOf(best.bowstyle ?? "", "BOWSTYLE_"), dayOf(best.shotAtMs ?? 0)])),
    el("h2", {}, say("Running handicap")), el("dl", {}, el("dt", {}, say("indoors")), el("dd", {}, handicap(indoors)), el("dt", {}, say("outdoors")), el("dd", {}, handicap(outdoors))),
    el("h2", {}, say("Rounds")), table(say("Rounds"), [say("Round"), say("Day"), say("State"), say("Score"), say("X"), say("Conditions")], shot)];
}

const goesOn = (/** @type {Message} */ session, /** @type {Message} */ round) => !session.tournament && Boolean(round.participantClientId)
  && ["ROUND_STATUS_PLANNED", "ROUND_STATUS_IN_PROGRESS", "ROUND_STATUS_PAUSED"].includes(round.status);

/** @type {Record<string, string>} */
const states = { PLANNED: "not started", IN_PROGRESS: "running", PAUSED: "paused", COMPLETED: "complete", CANCELLED: "cancelled" };
const status = (/** @type {Message} */ round) => say(states[String(round.status ?? "").replace("ROUND_STATUS_", "")] ?? "");

/** What is known of the conditions of a session. */
function conditions(/** @type {Message} */ session) {
  const known = session.conditions ?? {};
  return [known.place, ...[["weather", "WEATHER_"], ["wind", "WIND_"], ["light", "LIGHT_"]].map(([key, prefix]) => known[key] ? say(nameOf(known[key], prefix)) : "")]
    .filter(Boolean).join(", ");
}

/** A card that is read: ends with their sums, and what they add up to. */
async function card(/** @type {Archer} */ archer, /** @type {string} */ participantId) {
  const found = await archer.read("Rounds/GetScorecard", { participantId });
  const round = found.round ?? {};
  /** @type {Map<number, Message[]>} */
  const ends = new Map();
  for (const arrow of found.arrows ?? []) {
    if (!arrow.retracted) ends.set(arrow.endIndex ?? 0, [...ends.get(arrow.endIndex ?? 0) ?? [], arrow]);
  }
  let total = 0;
  const rows = [...ends].map(([end, arrows]) => {
    // Values are shown highest first, an X before a ten.
    const sorted = [...arrows].sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || Number(b.isX ?? false) - Number(a.isX ?? false));
    const sum = arrows.reduce((all, arrow) => all + (arrow.value ?? 0), 0);
    total += sum;
    return [String(end + 1), arrowsText(sorted), String(sum), String(total)];
  });
  return [el("p", {}, el("a", { href: "#/rounds" }, say("Rounds"))), el("h2", {}, found.format?.name ?? ""),
    el("p", {}, `${status(round)} · ${say("{total} points, {x} X, {tens} tens", { total: round.score?.total ?? 0, x: round.score?.xCount ?? 0, tens: round.score?.tenCount ?? 0 })}`),
    round.score?.typed ? el("p", {}, say("A part of it are sums without arrows.")) : null,
    table(say("Card"), [say("End"), say("Arrows"), say("Sum"), say("Total")], rows, true)];
}
