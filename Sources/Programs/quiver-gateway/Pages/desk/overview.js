// The day of the event: its steps with what is missing, the shooting, notices.
import { phoneAddress, warningOf } from "./address.js";
import { ask, button, call, confirmed, el, field, reasonFor, say, table, timeText, choice, unlessChanged } from "./kit.js";
import { editEvent } from "./setup.js";

/** @type {Record<string, [string, string]>} the name of a step, and the view in which it is done */
const steps = {
  ENTRIES: ["Entries", "entries"], SESSIONS: ["Sessions", "setup"], DRAW: ["Draw", "targets"],
  CHECK_IN: ["Check-in", "check-in"], START: ["Start", "overview"], QUALIFICATION: ["Qualification", "line"],
  DISPUTES: ["Disputes", "disputes"], SECOND_CARDS: ["Second cards", "line"], CONFIRMATIONS: ["Confirmations", "line"],
  TYPED_COUNTS: ["Counts of papers", "line"],
  CUT: ["Cut", "matches"], MATCHES: ["Matches", "matches"], FINALISE: ["Finalise", "overview"],
  LATE_OPERATIONS: ["Late arrows", "line"],
};

/** The short name of a step's kind. */
const short = (/** @type {any} */ step) => String(step.kind).replace("EVENT_STEP_KIND_", "");

/** @param {any} desk */
export async function overview(desk) {
  const event = desk.event = await call("Tournament/GetTournament", { id: desk.event.id });
  const [progress, notices] = await Promise.all([
    call("Events/GetEventProgress", { tournamentId: event.id }),
    call("Events/ListEventNotices", { tournamentId: event.id }),
  ]);
  return [
    el("h2", {}, say("The day")),
    table(say("The day"), [say("Step"), say("State"), say("Missing")], (progress.steps ?? []).map((/** @type {any} */ step) => {
      const [text, view] = steps[short(step)] ?? [short(step), "overview"];
      return [el("a", { href: `#/${event.id}/${view}` }, say(text)), step.done ? `✓ ${say("done")}` : say("open"), step.missing ?? ""];
    })),
    el("h2", {}, say("Shooting")),
    el("div", { className: "row" }, shooting(desk, event)),
    event.joinCode ? el("p", {}, say("The board is at {address}.", { address: "" }).replace(/\.$/, ""), " ",
      el("a", { href: `/board/${event.joinCode}`, target: "_blank", rel: "noopener" }, `${phoneAddress()}/board/${event.joinCode}`),
    el("br"), el("small", {}, warningOf(phoneAddress()))) : null,
    button(say("Edit the event…"), () => editEvent(desk, event)),
    el("h2", {}, say("Notices")),
    button(say("Send a notice…"), () => notice(desk, event)),
    table(say("Notices"), [say("Sent"), say("Text"), say("For")], (notices.notices ?? []).map((/** @type {any} */ one) =>
      [timeText(one.sentAtMs, true), one.text, one.isPublic ? say("everybody") : say("participants")])),
    el("h2", {}, say("Pauses")),
    table(say("Pauses"), [say("From"), say("Until"), say("Reason"), say("By")], (progress.pauses ?? []).map((/** @type {any} */ one) =>
      [timeText(one.startedAtMs, true), timeText(one.endedAtMs, true) || say("now"), one.reason, one.startedBy ?? ""])),
  ];
}

/** What can be done with the event in its state. */
function shooting(/** @type {any} */ desk, /** @type {any} */ event) {
  const id = event.id;
  /** A call after which the view is drawn again. */
  const does = (/** @type {string} */ method, /** @type {any} */ request) => async () => {
    await unlessChanged(desk, () => call(method, request));
    await desk.reload();
  };
  const expectedRevision = event.revision;
  switch (event.status) {
    case "TOURNAMENT_STATUS_OPEN":
      return [
        button(say("Start"), (control) => orAnyway(control, desk, "Tournament/StartTournament", event,
          say("Start the event?"), say("Arrows can be entered from then on.")), { className: "main" }),
        button(say("Cancel the event…"), () => cancel(desk, event)),
      ];
    case "TOURNAMENT_STATUS_IN_PROGRESS":
      return [
        event.shootingPause
          ? button(say("Go on shooting"), does("Events/ResumeShooting", { tournamentId: id, pauseId: event.shootingPause.id }), { className: "main" })
          : button(say("Pause the shooting…"), async () => {
            const answer = await reasonFor(say("Pause the shooting"), say("Everybody sees it; arrows that were shot can be entered."), say("Pause"));
            if (!answer) return " ";
            await does("Events/PauseShooting", { tournamentId: id, ...answer })();
          }),
        event.paused
          ? button(say("Accept arrows again"), does("Tournament/StartTournament", { id, expectedRevision }))
          : button(say("Accept no arrows…"), async () => {
            if (!await confirmed(say("Accept no arrows?"), say("Devices keep what is entered and send it when arrows are accepted again."), say("Accept none"))) return " ";
            await does("Tournament/PauseTournament", { id, expectedRevision })();
          }),
        button(say("Finalise…"), (control) => orAnyway(control, desk, "Tournament/FinaliseTournament", event,
          say("Finalise the event?"), say("Results are final. Arrows that arrive later wait for your decision. An organiser can reopen the event.")), { className: "main" }),
        button(say("Cancel the event…"), () => cancel(desk, event)),
      ];
    case "TOURNAMENT_STATUS_COMPLETED":
      return [button(say("Reopen…"), async () => {
        const answer = await reasonFor(say("Reopen the event"), say("Results are provisional again."), say("Reopen"));
        if (!answer) return " ";
        await does("Tournament/ReopenTournament", { id, expectedRevision, ...answer })();
      })];
    default: return [el("p", {}, say("The event was cancelled."))];
  }
}

async function cancel(/** @type {any} */ desk, /** @type {any} */ event) {
  const answer = await reasonFor(say("Cancel the event"), say("This cannot be taken back: nobody can enter arrows any more, and no results are made."), say("Cancel the event"));
  if (!answer) return " ";
  await unlessChanged(desk, () => call("Tournament/CancelTournament", { id: event.id, expectedRevision: event.revision, ...answer }));
  await desk.reload();
}

/** Asks once; if steps are open, names them and asks again. */
async function orAnyway(/** @type {any} */ control, /** @type {any} */ desk, /** @type {string} */ method, /** @type {any} */ event, /** @type {string} */ title, /** @type {string} */ text) {
  const request = { id: event.id, expectedRevision: event.revision };
  if (!await confirmed(title, text, control.textContent.replace("…", ""))) return " ";
  try {
    await unlessChanged(desk, () => call(method, request));
  } catch (error) {
    const failure = /** @type {any} */ (error);
    if (failure.code !== "FAILED_PRECONDITION") throw error;
    const { steps: open = [] } = await call("Events/GetEventProgress", { tournamentId: event.id });
    const missing = open.filter((/** @type {any} */ step) => !step.done && step.missing).map((/** @type {any} */ step) => step.missing);
    if (!await ask({ title: say("Steps are open"), text: missing.length ? "" : failure.message, fields: [el("ul", {}, missing.map((/** @type {string} */ one) => el("li", {}, one)))], yes: say("Do it anyway") })) return " ";
    await unlessChanged(desk, () => call(method, { ...request, anyway: true }));
  }
  await desk.reload();
}

async function notice(/** @type {any} */ desk, /** @type {any} */ event) {
  const text = el("textarea", { maxLength: 300, required: true, rows: 3 });
  const whom = choice([["", say("participants")], ["public", say("everybody")]]);
  const answer = await ask({ title: say("Send a notice"), yes: say("Send"),
    text: say("It appears on all scoring devices and cannot be taken back."),
    fields: [field(say("Text"), text), field(say("For"), whom)],
    read: () => text.value.trim() ? true : say("Write a text.") });
  if (!answer) return " ";
  await call("Events/SendEventNotice", { tournamentId: event.id, text: text.value.replace(/\s+/g, " ").trim(), isPublic: whom.value === "public" });
  await desk.reload();
}
