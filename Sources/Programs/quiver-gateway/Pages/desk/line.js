// The line while people shoot: each target with its devices and its ends; disputes with both cards.
import { all, arrowsOf, arrowsText, ask, button, call, confirmed, el, field, placeText, put, say, sentenceOf, table, timeText, unlessChanged } from "./kit.js";
import { callCard } from "./calls.js";

/** How often what changes while people shoot is read again, in milliseconds. */
const interval = 10_000;

/**
 * A view that is read again while it is shown: not under a dialog, nor while somebody chooses, types, presses or has opened a
 * part of it.
 * @param {any} desk
 * @param {() => Promise<any[]>} read
 */
export async function live(desk, read) {
  const place = el("div", {}, await read());
  let isReading = false;
  const isBusy = () => document.querySelector("dialog[open]") !== null || place.querySelector("details[open], :active") !== null
    || place.contains(document.activeElement) && /^(SELECT|INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  const show = (/** @type {any[]} */ found) => {
    put(place, found.flat().filter(Boolean));
    desk.refocus();
  };
  const timer = setInterval(async () => {
    if (!place.isConnected) return clearInterval(timer);
    if (isReading || isBusy()) return;
    isReading = true;
    try {
      const found = await read();
      if (!isBusy()) show(found);
    } catch { /* The next one may succeed. */ }
    isReading = false;
  }, interval);
  // After an act the view is read at once.
  place.addEventListener("again", (/** @type {any} */ { detail }) => detail(read().then(show)));
  return place;
}

/** Reads a view of `live` again, where it is shown; without one the whole view is drawn. */
export const readAgain = (/** @type {any} */ desk, /** @type {any} */ place) => place?.isConnected
  ? new Promise((resolve) => { place.dispatchEvent(new CustomEvent("again", { detail: resolve })); }) : desk.reload();

/** All rows of the standings, with their entries. */
export const readRows = (/** @type {string} */ tournamentId, /** @type {string} */ categoryId = "0") =>
  all("Events/GetCategoryStandings", { tournamentId, categoryId }, "rows");

/** @param {any} desk */
export const line = (desk) => live(desk, () => lineOf(desk));

async function lineOf(/** @type {any} */ desk) {
  const tournamentId = desk.event.id;
  const [calls, rows, { leases = /** @type {any[]} */ ([]), demanded = false, revision = "0" }, { sessions = /** @type {any[]} */ ([]) }, disputes] = await Promise.all([
    all("Events/ListTargetCalls", { tournamentId }, "calls", 500), readRows(tournamentId), call("Events/ListTargetLeases", { tournamentId }), call("Events/ListEventSessions", { tournamentId }),
    all("Events/ListCardDisputes", { tournamentId }, "disputes")]);
  /** @type {Map<string, any>} by session and target */
  const butts = new Map();
  const of = (/** @type {string} */ session, /** @type {number} */ target) => {
    const key = `${session}/${target}`;
    if (!butts.has(key)) butts.set(key, { session, target, rows: [], leases: [], disputes: 0 });
    return butts.get(key);
  };
  for (const row of rows) {
    if (row.entry?.target && row.entry.sessionId) of(row.entry.sessionId, row.entry.target).rows.push(row);
  }
  for (const lease of leases) of(lease.sessionId ?? "0", lease.target).leases.push(lease);
  for (const dispute of disputes) if (dispute.target) of(dispute.sessionId ?? "0", dispute.target).disputes++;
  const names = new Map(sessions.map((/** @type {any} */ { id, name }) => [id, name]));
  const list = [...butts.values()].sort((a, b) => a.session === b.session ? a.target - b.target : Number(a.session) - Number(b.session));
  const ends = (/** @type {any} */ butt) => butt.rows.map((/** @type {any} */ { row }) => row.endsCompleted ?? 0);
  const shooting = list.filter((butt) => butt.rows.length);
  const most = new Map();
  for (const butt of shooting) most.set(butt.session, Math.max(most.get(butt.session) ?? 0, ...ends(butt)));
  const behind = (/** @type {any} */ butt) => butt.rows.length ? most.get(butt.session) - Math.min(...ends(butt)) : 0;
  const late = shooting.filter((butt) => behind(butt) > 1).map((butt) => butt.target);
  return [
    el("h2", {}, say("Line")),
    el("p", { className: late.length ? "bad" : "" }, late.length ? say("Waiting for targets {targets}", { targets: late.join(", ") }) : say("All targets are together.")),
    el("div", { className: "row" },
      el("p", {}, demanded ? say("Targets are scored by the devices that scanned their codes.") : say("Everybody with a right to score may score.")),
      button(demanded ? say("Demand no codes…") : say("Demand codes…"), async () => {
        if (!await confirmed(demanded ? say("Demand no codes?") : say("Demand codes?"), demanded
          ? say("Scores are taken without a code of the target. Codes so far stay printed.")
          : say("Only a device that scanned the code of a target scores it."), say("Change it"))) return " ";
        await unlessChanged(desk, () => call("Events/SetEventLeases", { tournamentId, demanded: !demanded, expectedRevision: revision }));
        await desk.reload();
      }),
      demanded ? button(say("New codes…"), async () => {
        if (!await confirmed(say("Make new codes?"), say("All codes so far end: every device must scan a new paper. This cannot be taken back."), say("New codes"))) return " ";
        await unlessChanged(desk, () => call("Events/SetEventLeases", { tournamentId, demanded: true, newCodes: true, expectedRevision: revision }));
        await desk.reload();
      }) : null),
    table(say("Line"), [say("Target"), say("Session"), say("Archers"), say("Ends"), say("Behind"), say("Devices"), say("Last arrow"), say("Disputes")], list.map((butt) => [
      butt.target, names.get(butt.session) ?? say("matches"),
      butt.rows.map((/** @type {any} */ { entry }) => `${entry.letter} ${entry.displayName}`).sort().join(", "),
      butt.rows.length ? [...new Set([Math.min(...ends(butt)), Math.max(...ends(butt))])].join("–") : "", behind(butt) ? String(behind(butt)) : "",
      butt.leases.map((/** @type {any} */ lease) => say("card {card}: {device}", { card: lease.card, device: lease.device || lease.displayName })).join("; "),
      timeText(Math.max(0, ...butt.rows.map((/** @type {any} */ { row }) => Number(row.lastActiveAtMs ?? 0)))), butt.disputes ? String(butt.disputes) : ""])),
    el("h2", {}, say("Calls")), ...(calls.length ? calls.reverse().map((one) => callCard(tournamentId, one, () => { desk.reload(); })) : [el("p", {}, say("Nobody calls."))]),
    el("h2", {}, say("Late arrows")), ...await lateArrows(desk),
  ];
}

/** Arrows that came after the event was final wait for a decision. */
async function lateArrows(/** @type {any} */ desk) {
  if (!desk.event.lateCount) return [el("p", {}, say("There are none."))];
  const tournamentId = desk.event.id;
  const list = await all("Tournament/ListLateOperations", { tournamentId }, "operations");
  const names = new Map((await all("Events/ListEventEntries", { tournamentId }, "entries")).map((one) => [one.participantId, one.displayName]));
  const decide = (/** @type {string} */ method, /** @type {string} */ text) => async () => {
    const reason = el("input", { maxLength: 200, required: true });
    const answer = await ask({ title: text, yes: text, fields: [field(say("Reason"), reason)], read: () => reason.value.trim() ? true : say("Give a reason.") });
    if (!answer) return " ";
    for (let start = 0; start < list.length; start += 1000) {
      await call(`Tournament/${method}`, { tournamentId, operationIds: list.slice(start, start + 1000).map(({ id }) => id), reason: reason.value.trim() });
    }
    await desk.reload();
  };
  return [table(say("Late arrows"), [say("Archer"), say("End"), say("Received")], list.map((one) => [
    names.get(one.operation?.participantId) ?? "", String((one.arrow?.endIndex ?? 0) + 1), timeText(one.receivedAtMs, true)])),
  el("div", { className: "row" }, button(say("Admit all…"), decide("AdmitOperations", say("Admit"))), button(say("Reject all…"), decide("RejectOperations", say("Reject"))))];
}

/**
 * Ends on which two cards differ, and the ruling.
 * @param {any} desk
 */
export const disputes = (desk) => live(desk, async () => {
  const list = await all("Events/ListCardDisputes", { tournamentId: desk.event.id }, "disputes");
  if (!list.length) return [el("h2", {}, say("Disputes")), el("p", {}, say("No two cards differ."))];
  return [el("h2", {}, say("Disputes")), ...list.map((one) => el("section", { className: "card" },
    el("h3", {}, `${placeText(one)} `, el("bdi", {}, one.displayName), `${one.bib ? ` (${one.bib})` : ""}, ${say("end {end}", { end: (one.endIndex ?? 0) + 1 })}`),
    el("details", {}, el("summary", {}, say("All ends of both cards")), bothCards(one)),
    el("dl", {}, el("dt", {}, say("First card")), el("dd", {}, arrowsText(one.first)), el("dt", {}, say("Second card")), el("dd", {}, arrowsText(one.second))),
    el("div", { className: "row" },
      button(say("The first counts…"), () => rule(desk, one, one.first)), button(say("The second counts…"), () => rule(desk, one, one.second)),
      button(say("Other arrows…"), () => rule(desk, one, null)))))];
});

/** Both cards of an archer side by side, read when they are opened. */
function bothCards(/** @type {any} */ one) {
  const place = el("div", {}, say("Working…"));
  queueMicrotask(() => place.parentElement?.addEventListener("toggle", async () => {
    try {
      const { ends = [] } = await call("Events/GetComparedCard", { participantId: one.participantId });
      place.replaceChildren(table(say("All ends of both cards"), [say("End"), say("First card"), say("Second card"), ""], ends.map((/** @type {any} */ end) => [
        String((end.endIndex ?? 0) + 1), arrowsText(end.first), end.second?.length ? arrowsText(end.second) : "",
        end.state === "CARD_END_STATE_DISPUTED" ? say("they differ") : ""]), true));
    } catch (error) {
      place.replaceChildren(sentenceOf(error));
    }
  }, { once: true }));
  return place;
}

async function rule(/** @type {any} */ desk, /** @type {any} */ one, /** @type {any[] | null} */ arrows) {
  const input = el("input", { value: arrows ? arrowsText(arrows) : "", autocomplete: "off", readOnly: Boolean(arrows) });
  const reason = el("input", { maxLength: 200, required: true, autocomplete: "off" });
  const answer = await ask({ title: `${one.displayName}, ${say("end {end}", { end: (one.endIndex ?? 0) + 1 })}`,
    text: say("A ruling is made once. Both cards stay on record."), yes: say("Rule"),
    fields: [field(say("Arrows that count"), input, "X 10 9 M"), field(say("Reason"), reason)],
    read: () => !arrowsOf(input.value) ? say("Type arrows such as X 10 9 M.") : reason.value.trim() ? true : say("Give a reason.") });
  if (!answer) return " ";
  await call("Events/RuleOnEnd", { participantId: one.participantId, endIndex: one.endIndex ?? 0, arrows: arrowsOf(input.value), reason: reason.value.trim() });
  await desk.reload();
}
