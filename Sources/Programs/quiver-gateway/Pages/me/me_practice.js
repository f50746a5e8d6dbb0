// Practice: a round with its conditions, shot arrow by arrow, with or without a connection.
import { scoring } from "../client/index.js";
import { act, ask, button, choice, confirmed, el, field, say, sentenceOf, table, tell } from "../desk/kit.js";
import { figure } from "./me_figures.js";
import { inputs, store, waitingTable } from "./me_form.js";
import { isLost, newId, practiceOutbox, submit } from "./me_store.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/**
 * A round that this device scores. `participant`: its client id, by which the outbox names it. `after`: the call that
 * creates it. `closed`: how many ends are agreed.
 * @typedef {{session: string, participant: string, after: string, format: Message, startedAt: number, closed: number,
 *   conditions: Message}} Practice
 */

/** How many rounds this device remembers as its own. */
const mostPractices = 50;

/**
 * The conditions of a session, in the order of the protocol.
 * @type {import("./me_form.js").Field[]}
 */
const conditionFields = [{ key: "place", label: "Where" },
  { key: "weather", label: "Weather", kind: "choice", options: [["WEATHER_CLEAR", "Clear"], ["WEATHER_CLOUDY", "Cloudy"], ["WEATHER_RAIN", "Rain"], ["WEATHER_SNOW", "Snow"], ["WEATHER_FOG", "Fog"]] },
  { key: "wind", label: "Wind", kind: "choice", options: [["WIND_CALM", "Calm"], ["WIND_LIGHT", "Light"], ["WIND_MODERATE", "Moderate"], ["WIND_STRONG", "Strong"]] },
  { key: "light", label: "Light of the place", kind: "choice", options: [["LIGHT_BRIGHT", "Bright"], ["LIGHT_DULL", "Dull"], ["LIGHT_DIM", "Dim"], ["LIGHT_ARTIFICIAL", "Artificial"]] }];

const keyOf = (/** @type {string} */ participant) => `practice ${participant}`;

/** The rounds of this device, newest first. */
async function known() {
  const outbox = practiceOutbox();
  const found = [];
  for (const id of /** @type {string[]} */ (await outbox.shown("practices") ?? [])) {
    const one = /** @type {Practice | undefined} */ (await outbox.shown(keyOf(id)));
    if (one) found.push(one);
  }
  return found;
}

/** Notes a round of this device; the oldest leave first. */
async function noted(/** @type {Practice} */ one) {
  const outbox = practiceOutbox();
  const ids = /** @type {string[]} */ (await outbox.shown("practices") ?? []).filter((id) => id !== one.participant);
  const gone = ids.splice(mostPractices - 1);
  return { practices: [one.participant, ...ids], [keyOf(one.participant)]: one, ...Object.fromEntries(gone.map((id) => [keyOf(id), undefined])) };
}

const sumOf = (/** @type {any} */ card) => say("{total} points, {arrows} of {all} arrows", { total: card.tally.total, arrows: card.tally.arrowCount, all: scoring.arrowCount(card.format) });

/** `#/practice` and `#/practice/PARTICIPANT`. */
export async function practice(/** @type {Archer} */ archer) {
  const [participant] = archer.rest;
  return participant ? score(archer, participant) : begin(archer);
}

async function begin(/** @type {Archer} */ archer) {
  const [listed, setups, mine] = await Promise.all([archer.read("Rounds/ListFormats"), archer.list("Equipment/ListBowSetups", {}, "setups"), known()]);
  const shootable = /** @type {Message[]} */ (listed.formats ?? []).filter(scoring.isKnown);
  const used = mine[0]?.format;
  const idOf = (/** @type {Message} */ one) => one.codename || one.clientId || one.id;
  const format = choice(shootable.map((one) => /** @type {[string, string]} */ ([idOf(one), one.name])), used ? idOf(used) : "wa18");
  const setup = choice([["", "–"], ...setups.map((one) => /** @type {[string, string]} */ ([one.id, one.name || say("Unnamed setup")]))], setups.find((one) => one.isDefault)?.id ?? "");
  const { elements, read } = inputs(conditionFields, mine[0]?.conditions?.place ? { place: mine[0].conditions.place } : {});
  const start = async () => {
    const conditions = read();
    if (typeof conditions === "string") throw new Error(conditions);
    const chosen = shootable.find((one) => idOf(one) === format.value);
    if (!chosen) return " ";
    const session = newId(), id = newId(), outbox = practiceOutbox();
    const reference = chosen.codename ? { codename: chosen.codename } : { id: chosen.id };
    const [call] = await outbox.change({ kind: "call", subject: `practice/${id}`, method: "Rounds/CreateSession", title: { text: say("Practice: {name}", { name: chosen.name }) },
      request: { clientId: session, participantClientId: id, format: reference, ...setup.value ? { setupId: setup.value } : {}, conditions } });
    await outbox.keep(await noted({ session, participant: id, after: call.clientId, format: chosen, startedAt: Date.now(), closed: 0, conditions }));
    location.hash = `#/practice/${encodeURIComponent(id)}`;
    return " ";
  };
  const outbox = practiceOutbox();
  const cards = await outbox.cards(mine.map(({ participant, format: shot }) => ({ participant, format: shot })));
  const open = mine.map((one, place) => ({ one, card: cards[place] })).filter(({ card }) => !card.isComplete);
  return [el("h2", {}, say("Practice")), await waitingTable(archer, "practice/"),
    open.length === 0 ? null : el("section", {}, el("h3", {}, say("Rounds that are not complete")), el("ul", { className: "hub" }, open.map(({ one, card }) => el("li", {},
      el("a", { href: `#/practice/${encodeURIComponent(one.participant)}` }, `${one.format.name}: ${sumOf(card)}`))))),
    el("section", { className: "card" }, el("h3", {}, say("New round")), field(say("Round"), format), field(say("Setup"), setup), ...elements,
      button(say("Begin"), start, { className: "main" }))];
}

/** The round of this device, or one that began on another device and has a client id. */
async function found(/** @type {Archer} */ archer, /** @type {string} */ participant) {
  const outbox = practiceOutbox();
  const one = /** @type {Practice | undefined} */ (await outbox.shown(keyOf(participant)));
  const isWaiting = (await outbox.entries()).some((entry) => entry.subject === participant || entry.subject === `practice/${participant}`);
  // While something waits, what this device has is newer.
  if (one && isWaiting) return one;
  try {
    const card = await archer.call("Rounds/GetScorecard", { participantClientId: participant });
    const session = one ? null : await archer.call("Rounds/GetSession", { id: card.round.sessionId });
    const whole = one ?? { session: session.clientId ?? "", participant, after: "", format: card.format, startedAt: Number(card.round.startedAtMs ?? 0), closed: 0, conditions: session.conditions ?? {} };
    // The server's format is that of the round, which an arrow limit may have cut.
    const now = { ...whole, format: card.format };
    await outbox.take({ arrows: { [participant]: card.arrows ?? [] }, shown: await noted(now) });
    return now;
  } catch (error) {
    if (one && isLost(error)) return one;
    throw error;
  }
}

/** The reason of a correction before the end is agreed. */
const mistyped = "entered wrongly";

/** @type {(event: KeyboardEvent) => void} */
let listener = () => {};
addEventListener("keydown", (event) => listener(event));

async function score(/** @type {Archer} */ archer, /** @type {string} */ participant) {
  const outbox = practiceOutbox();
  let one = await found(archer, participant);
  const place = el("div", { id: "practice" });
  /** The arrow of the current end that is entered again; -1: none. */
  let again = -1;

  /** What is tapped is done one after the other: a fast second tap is the next arrow. */
  let queue = Promise.resolve();
  const inTurn = (/** @type {() => Promise<any>} */ work) => {
    queue = queue.then(work).then(() => tell(""), (error) => tell(sentenceOf(error), true));
  };
  const enter = async (/** @type {import("../client/faces.js").Arrow} */ arrow) => {
    const [card] = await outbox.cards([{ participant, format: one.format }]);
    const end = card.ends[one.closed];
    if (!end) return;
    const open = scoring.openInEnd(card, one.closed);
    const slot = again >= 0 ? { endIndex: one.closed, arrowIndex: again } : open;
    if (!slot) return;
    const reason = again >= 0 ? { reason: mistyped } : {};
    again = -1;
    await outbox.change({ kind: "arrow", event: "", participant, format: one.format, ...slot, arrow, ...reason, after: one.after });
    await draw();
  };
  const undo = async () => {
    const last = await outbox.undoable("");
    if (last?.participant !== participant) throw new Error(say("Nothing can be undone here."));
    await outbox.undo("");
    // What was agreed is open again.
    if (last.slot.endIndex < one.closed) await close(last.slot.endIndex);
    await draw();
  };
  const close = async (/** @type {number} */ count) => {
    one = { ...one, closed: count };
    await outbox.keep(await noted(one));
  };
  const correct = async (/** @type {any} */ end, /** @type {number} */ slot, /** @type {any} */ face) => {
    const buttons = scoring.buttons(face);
    const input = choice(buttons.map((arrow, index) => [String(index), scoring.arrowText(arrow)]), "0");
    const reason = el("input", { maxLength: 200, "aria-required": "true", autocomplete: "off" });
    const answer = await ask({ title: say("Correct arrow {arrow} of end {end}", { arrow: slot + 1, end: end.index + 1 }), yes: say("Save"), fields: [field(say("Value"), input), field(say("Reason"), reason)],
      read: () => reason.value.trim() ? { arrow: buttons[Number(input.value)], reason: reason.value.trim() } : say("Give a reason.") });
    if (!answer) return " ";
    const { arrow, reason: why } = /** @type {any} */ (answer);
    await outbox.change({ kind: "arrow", event: "", participant, format: one.format, endIndex: end.index, arrowIndex: slot, arrow, reason: why, after: one.after });
    await draw();
  };

  async function draw() {
    const [card] = await outbox.cards([{ participant, format: one.format }]);
    // Ends that another device filled are agreed there.
    while (card.ends[one.closed]?.isComplete && card.ends.slice(one.closed + 1).some((end) => end.arrows.some((arrow) => arrow?.arrow))) one.closed += 1;
    const isOver = one.closed >= card.ends.length;
    const end = isOver ? null : card.ends[one.closed];
    const shape = end ? scoring.endOf(one.format, end.index) : null;
    const waits = (await outbox.entries("waiting")).filter((entry) => entry.subject === participant || entry.subject === `practice/${participant}`).length;
    const focused = document.activeElement?.getAttribute("data-value") ?? "";
    place.replaceChildren(...[el("p", {}, el("a", { href: "#/practice" }, say("Practice"))), el("h2", {}, one.format.name),
      el("p", { id: "sum" }, sumOf(card), waits > 0 ? ` · ${say("{count} wait to be sent", { count: waits })}` : ""),
      await waitingTable(archer, `practice/${participant}`), await heldArrows(),
      end && shape ? current(card, end, shape) : el("p", { className: "reading" }, say("The round is complete: {total} points, {x} X, {tens} tens.", { total: card.tally.total, x: card.tally.xCount, tens: card.tally.tenCount })),
      ends(card), foot(card)].flat().filter(Boolean));
    const same = focused ? place.querySelector(`[data-value="${focused}"]`) : null;
    /** @type {HTMLElement | null} */ (same)?.focus();
  }

  async function heldArrows() {
    const held = (await outbox.entries("conflict", "refused", "late")).filter((entry) => entry.subject === participant);
    return held.length === 0 ? null : waitingTable(archer, participant);
  }

  /** The end that is shot, with the buttons of its face. */
  function current(/** @type {any} */ card, /** @type {any} */ end, /** @type {any} */ shape) {
    const distance = shape.pass.distance ? ` · ${figure(shape.pass.distance, 0)} ${shape.pass.unit === "DISTANCE_UNIT_YARD" ? "yd" : "m"}` : "";
    const isFull = end.isComplete && again < 0;
    return el("section", { className: "end" }, el("h3", {}, say("End {end} of {count}", { end: end.index + 1, count: card.ends.length }) + distance),
      el("div", { className: "arrows" }, end.arrows.map((/** @type {any} */ arrow, /** @type {number} */ slot) => arrow?.arrow
        ? el("button", { type: "button", className: `arrow ${colourOf(shape.face, arrow.arrow)}`, "aria-pressed": String(again === slot), "data-mark": arrow.mark,
          "aria-label": say("Arrow {arrow}: {value}. Enter it again", { arrow: slot + 1, value: scoring.arrowText(arrow.arrow) }),
          onclick: () => { again = again === slot ? -1 : slot; draw(); } }, scoring.arrowText(arrow.arrow))
        : el("span", { className: "arrow empty" }, "·")), el("strong", { className: "sum" }, String(end.total))),
      isFull ? el("button", { type: "button", className: "main big", id: "agree", onclick: () => inTurn(async () => { await close(end.index + 1); await draw(); }) },
        say(end.index + 1 < card.ends.length ? "Agreed, next end" : "Agreed, round complete"))
        : el("div", { className: "pad", role: "group", "aria-label": say("Value") }, scoring.buttons(shape.face).map((arrow) => el("button", { type: "button",
          className: `value ${colourOf(shape.face, arrow)}`, "data-value": scoring.arrowText(arrow), "aria-label": arrow.value === 0 ? say("Miss") : scoring.arrowText(arrow),
          onclick: () => inTurn(() => enter(arrow)) }, scoring.arrowText(arrow)))));
  }

  function ends(/** @type {any} */ card) {
    const shot = card.ends.slice(0, one.closed).reverse();
    if (shot.length === 0) return null;
    return table(say("Card"), [say("End"), say("Arrows"), say("Sum"), say("Total")], shot.map((/** @type {any} */ end) => {
      const face = scoring.endOf(one.format, end.index)?.face;
      // Values are shown highest first, an X before a ten.
      const sorted = end.arrows.map((/** @type {any} */ arrow, /** @type {number} */ slot) => ({ arrow: arrow?.arrow, slot })).filter((/** @type {any} */ shown) => shown.arrow)
        .sort((/** @type {any} */ a, /** @type {any} */ b) => b.arrow.value - a.arrow.value || Number(b.arrow.isX) - Number(a.arrow.isX));
      return [String(end.index + 1), el("div", { className: "row" }, sorted.map((/** @type {any} */ shown) => el("button", { type: "button", className: "arrow small",
        "aria-label": say("End {end}, arrow {arrow}: {value}. Correct it", { end: end.index + 1, arrow: shown.slot + 1, value: scoring.arrowText(shown.arrow) }),
        onclick: () => act(null, () => correct(end, shown.slot, face)) }, scoring.arrowText(shown.arrow)))), String(end.total), String(end.runningTotal)];
    }));
  }

  function foot(/** @type {any} */ card) {
    return el("div", { className: "row" }, card.tally.arrowCount > 0 ? el("button", { type: "button", onclick: () => inTurn(undo) }, say("Undo")) : null,
      button(say("Conditions…"), conditions), card.isComplete ? null : button(say("End the practice…"), finish));
  }

  async function conditions() {
    const { elements, read } = inputs(conditionFields, one.conditions);
    const answer = await ask({ title: say("Conditions"), yes: say("Save"), fields: elements, read });
    if (!answer) return " ";
    one = { ...one, conditions: /** @type {Message} */ (answer) };
    await outbox.keep(await noted(one));
    return submit({ kind: "call", subject: `practice/${participant}`, method: "Rounds/SetSessionConditions", after: one.after, title: { text: `${one.format.name}: ${say("Conditions")}` },
      request: { clientId: one.session, conditions: one.conditions } }, say("The conditions are stored."));
  }

  async function finish() {
    if (!await confirmed(say("End the practice?"), say("The round counts as complete with the arrows that it has."), say("End it"))) return " ";
    await outbox.keep({ practices: (/** @type {string[]} */ (await outbox.shown("practices") ?? [])).filter((id) => id !== participant) });
    location.hash = "#/rounds";
    return store(archer, { kind: "call", subject: `practice/${participant}`, method: "Rounds/SetRoundStatus", after: one.after, title: { text: `${one.format.name}: ${say("End it")}` },
      request: { participantClientId: participant, status: "ROUND_STATUS_COMPLETED" } }, say("The practice has ended."));
  }

  /** Keys: X, M, the digits, 0 for 10; Backspace undoes. */
  listener = (event) => {
    if (!place.isConnected || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(/** @type {any} */ (event.target)?.tagName ?? "")) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      inTurn(undo);
      return;
    }
    const shape = scoring.endOf(one.format, one.closed);
    const arrow = /^([xXmM]|[0-9])$/.test(event.key) ? scoring.arrowOfText(event.key === "0" ? "10" : event.key) : null;
    if (!arrow || !shape || scoring.faultOf(arrow, shape.face)) return;
    event.preventDefault();
    inTurn(() => enter(arrow));
  };
  archer.redraw = draw;
  await draw();
  return place;
}

/** The colours of target faces by value, as on the score page; other faces have none. */
const colours = /** @type {Record<number, string>} */ ({ 11: "gold", 10: "gold", 9: "gold", 8: "red", 7: "red", 6: "blue", 5: "blue", 4: "black", 3: "black", 2: "white", 1: "white", 0: "none" });
const colourOf = (/** @type {any} */ face, /** @type {any} */ arrow) => /^(5|10|11)_zone/.test(face.code) ? colours[arrow.value] : arrow.value === 0 ? "none" : "plain";
