// Practice: a round with its conditions, shot arrow by arrow, with or without a connection.
import { openInEnd } from "../client/cards.js";
import { arrowOfText, arrowText, buttons, faultOf } from "../client/faces.js";
import { arrowCount, endOf, isKnown } from "../client/formats.js";
import { act, ask, button, choice, confirmed, el, field, say, sentenceOf, table, tell } from "../desk/kit.js";
import { figure } from "./me_figures.js";
import { inputs, store } from "./me_form.js";
import { waitingTable } from "../desk/waiting.js";
import { isLost, newId, practiceOutbox, submit } from "../desk/store.js";

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

/** Forgets a round of this device. */
async function without(/** @type {string} */ participant) {
  const ids = /** @type {string[]} */ (await practiceOutbox().shown("practices") ?? []);
  return { practices: ids.filter((id) => id !== participant), [keyOf(participant)]: undefined };
}

const sumOf = (/** @type {any} */ card) => say("{total} points, {arrows} of {all} arrows", { total: card.tally.total, arrows: card.tally.arrowCount, all: arrowCount(card.format) });

/** `#/practice` and `#/practice/PARTICIPANT`. */
export async function practice(/** @type {Archer} */ archer) {
  const [participant] = archer.rest;
  return participant ? score(archer, participant) : begin(archer);
}

async function begin(/** @type {Archer} */ archer) {
  const [listed, setups, mine] = await Promise.all([archer.read("Rounds/ListFormats"), archer.list("Equipment/ListBowSetups", {}, "setups"), known()]);
  const shootable = /** @type {Message[]} */ (listed.formats ?? []).filter(isKnown);
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
    // It was deleted elsewhere.
    if (one && /** @type {any} */ (error).code === "NOT_FOUND") await outbox.keep(await without(participant));
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
  // A part that has not changed stays: a button that is replaced under a finger loses the tap.
  const [head, shot, pad, card, foot, below] = [el("div"), el("div"), el("div"), el("div"), el("div"), el("div")];
  const end = el("section", { className: "end" }, shot, pad);
  const place = el("div", { id: "practice" }, head, end, card, foot, below);
  const put = (/** @type {any} */ part, /** @type {any[]} */ ...children) => {
    const fresh = el("div", {}, ...children);
    if (fresh.innerHTML === part.innerHTML) return;
    const isFocused = part.contains(document.activeElement);
    const label = document.activeElement?.getAttribute("aria-label");
    part.replaceChildren(...fresh.childNodes);
    const controls = isFocused ? [...part.querySelectorAll("button")] : [];
    (controls.find((other) => other.getAttribute("aria-label") === label) ?? controls[0])?.focus();
  };
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
    const open = openInEnd(card, one.closed);
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
  const agree = async () => {
    const [card] = await outbox.cards([{ participant, format: one.format }]);
    if (again >= 0 || !card.ends[one.closed]?.isComplete) return;
    await close(one.closed + 1);
    await draw();
  };
  const close = async (/** @type {number} */ count) => {
    one = { ...one, closed: count };
    await outbox.keep(await noted(one));
  };
  const correct = async (/** @type {any} */ agreed, /** @type {number} */ slot, /** @type {any} */ face) => {
    const values = buttons(face);
    const input = choice(values.map((arrow, index) => [String(index), arrowText(arrow)]), "0");
    const reason = el("input", { maxLength: 200, "aria-required": "true", autocomplete: "off" });
    const answer = await ask({ title: say("Correct arrow {arrow} of end {end}", { arrow: slot + 1, end: agreed.index + 1 }), yes: say("Save"), fields: [field(say("Value"), input), field(say("Reason"), reason)],
      read: () => reason.value.trim() ? { arrow: values[Number(input.value)], reason: reason.value.trim() } : say("Give a reason.") });
    if (!answer) return " ";
    const { arrow, reason: why } = /** @type {any} */ (answer);
    await outbox.change({ kind: "arrow", event: "", participant, format: one.format, endIndex: agreed.index, arrowIndex: slot, arrow, reason: why, after: one.after });
    await draw();
  };

  /** How often it was drawn: what was read for an earlier drawing is not shown over a later one. */
  let drawings = 0;

  async function draw() {
    const number = ++drawings;
    const [found] = await outbox.cards([{ participant, format: one.format }]);
    // Ends that another device filled are agreed there.
    while (found.ends[one.closed]?.isComplete && found.ends.slice(one.closed + 1).some((other) => other.arrows.some((arrow) => arrow?.arrow))) one.closed += 1;
    const current = one.closed >= found.ends.length ? null : found.ends[one.closed];
    const shape = current ? endOf(one.format, current.index) : null;
    const entries = (await outbox.entries()).filter((entry) => entry.subject === participant || entry.subject === `practice/${participant}`);
    // Arrows that only wait are marked on the card.
    const isHeld = entries.some((entry) => entry.subject === participant && entry.state !== "waiting");
    const waiting = await waitingTable(archer, `practice/${participant}`, ...isHeld ? [participant] : []);
    if (number !== drawings) return;
    if (place.isConnected) listener = typed;
    put(head, el("p", {}, el("a", { href: "#/practice" }, say("Practice"))), el("h2", {}, one.format.name),
      el("p", { id: "sum" }, sumOf(found)),
      current && shape ? null : el("p", { className: "reading" }, say("The round is complete: {total} points, {x} X, {tens} tens.", { total: found.tally.total, x: found.tally.xCount, tens: found.tally.tenCount })));
    end.hidden = !current || !shape;
    put(shot, current && shape ? shown(found, current, shape) : null);
    put(pad, current && shape ? keys(found, current, shape) : null);
    put(card, ends(found));
    put(foot, controls(found));
    put(below, waiting);
  }

  /** The arrows of the end that is shot. */
  function shown(/** @type {any} */ { ends: all }, /** @type {any} */ current, /** @type {any} */ shape) {
    const distance = shape.pass.distance ? ` · ${figure(shape.pass.distance, 0)} ${shape.pass.unit === "DISTANCE_UNIT_YARD" ? "yd" : "m"}` : "";
    return [el("h3", {}, say("End {end} of {count}", { end: current.index + 1, count: all.length }) + distance),
      el("div", { className: "arrows" }, current.arrows.map((/** @type {any} */ arrow, /** @type {number} */ slot) => arrow?.arrow
        ? el("button", { type: "button", className: `arrow ${colourOf(shape.face, arrow.arrow)}`, "aria-pressed": String(again === slot), "data-mark": arrow.mark,
          "aria-label": say("Arrow {arrow}: {value}. Enter it again", { arrow: slot + 1, value: arrowText(arrow.arrow) }),
          onclick: () => { again = again === slot ? -1 : slot; draw(); } }, arrowText(arrow.arrow))
        : el("span", { className: "arrow empty" }, "·")), el("strong", { className: "sum" }, String(current.total)))];
  }

  /** The buttons of its face, and that it is agreed. Both keep their places: a tap too many agrees nothing. */
  function keys(/** @type {any} */ { ends: all }, /** @type {any} */ current, /** @type {any} */ shape) {
    const isFull = current.isComplete && again < 0;
    return [el("div", { className: "pad", role: "group", "aria-label": say("Value") }, buttons(shape.face).map((arrow) => el("button", { type: "button",
      className: `value ${colourOf(shape.face, arrow)}`, "data-value": arrowText(arrow), "aria-label": arrow.value === 0 ? say("Miss") : arrowText(arrow),
      "aria-disabled": isFull ? "true" : null, onclick: () => inTurn(() => enter(arrow)) }, arrowText(arrow)))),
    el("button", { type: "button", className: "main big", id: "agree", "aria-disabled": isFull ? null : "true", onclick: () => inTurn(agree) },
      say(current.index + 1 < all.length ? "Agreed, next end" : "Agreed, round complete"))];
  }

  function ends(/** @type {any} */ { ends: all }) {
    const agreed = all.slice(0, one.closed).reverse();
    if (agreed.length === 0) return null;
    return table(say("Card"), [say("End"), say("Arrows"), say("Sum"), say("Total")], agreed.map((/** @type {any} */ end) => {
      const face = endOf(one.format, end.index)?.face;
      // Values are shown highest first, an X before a ten.
      const sorted = end.arrows.map((/** @type {any} */ arrow, /** @type {number} */ slot) => ({ arrow: arrow?.arrow, slot })).filter((/** @type {any} */ shown) => shown.arrow)
        .sort((/** @type {any} */ a, /** @type {any} */ b) => b.arrow.value - a.arrow.value || Number(b.arrow.isX) - Number(a.arrow.isX));
      return [String(end.index + 1), el("div", { className: "row" }, sorted.map((/** @type {any} */ shown) => el("button", { type: "button", className: "arrow small",
        "aria-label": say("End {end}, arrow {arrow}: {value}. Correct it", { end: end.index + 1, arrow: shown.slot + 1, value: arrowText(shown.arrow) }),
        onclick: () => act(null, () => correct(end, shown.slot, face)) }, arrowText(shown.arrow)))), String(end.total), String(end.runningTotal)];
    }), true);
  }

  function controls(/** @type {any} */ { tally, isComplete }) {
    return el("div", { className: "row" }, tally.arrowCount > 0 ? el("button", { type: "button", onclick: () => inTurn(undo) }, say("Undo")) : null,
      button(say("Conditions…"), conditions), isComplete ? null : button(say("End the practice…"), finish));
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
    await outbox.keep(await without(participant));
    location.hash = "#/rounds";
    return store(archer, { kind: "call", subject: `practice/${participant}`, method: "Rounds/SetRoundStatus", after: one.after, title: { text: `${one.format.name}: ${say("End it")}` },
      request: { participantClientId: participant, status: "ROUND_STATUS_COMPLETED" } }, say("The practice has ended."));
  }

  /** Keys: X, M, the digits, 0 for 10; Backspace undoes. */
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (!place.isConnected || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(/** @type {any} */ (event.target)?.tagName ?? "")) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      inTurn(undo);
      return;
    }
    const shape = endOf(one.format, one.closed);
    const arrow = /^([xXmM]|[0-9])$/.test(event.key) ? arrowOfText(event.key === "0" ? "10" : event.key) : null;
    if (!arrow || !shape || faultOf(arrow, shape.face)) return;
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
