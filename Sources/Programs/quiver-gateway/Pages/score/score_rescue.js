import { mostBytes, picture } from "../board/assets/qr.js";
import { banner, plain } from "./score_banner.js";
import { h, named } from "./score_dom.js";
import { QuiverError, connect, rescueTexts, scoring } from "./score_quiver.js";
import { codeOf } from "./score_station.js";
import { t } from "./score_words.js";

/**
 * What waits on a phone without a connection, as codes that any other phone delivers.
 *
 * A code is an address: behind `#` a text of operations that the phone has signed, a mark of all codes that are shown
 * together, the number of this one, and how many there are. Each is delivered by itself, in any order, as often as one likes.
 */

/** What stands behind the text: the mark, the number and the count, with three digits. */
const mostSuffix = ".xxxx.999.999".length;

/** How many texts of other phones are kept on this one. */
const mostKept = 100;

/** How long after a failure a text is sent again, in milliseconds. */
const pause = 5000;

/**
 * The next attempt of each text that could not be delivered.
 * @type {Map<string, ReturnType<typeof setTimeout>>}
 */
const attempts = new Map();

/**
 * A text of another phone.
 * @typedef {{text: string, mark: string, number: number, count: number, isDone: boolean}} Carried
 */

/**
 * Shows what waits as codes.
 * @param {any} app
 */
export async function showCodes(app) {
  const { station } = app;
  await station.queue(async () => {
    const entries = await station.outbox.handOver();
    const of = (/** @type {string} */ kind) => entries.filter((/** @type {any} */ one) => one.kind === kind)
      .map((/** @type {any} */ one) => one.operation);
    const lease = [...station.targets.values()].map((one) => one.lease).find((one) => one.principalId);
    const start = `${location.origin}/score#`;
    const { texts, tooLong } = rescueTexts({ token: `qd_${station.record.secret}`, deviceId: String(lease?.principalId ?? "0"),
      device: station.record.device, operations: of("arrow"), cardOperations: of("end"), matchOperations: of("match") },
    mostBytes - start.length - mostSuffix);
    const mark = texts[0]?.slice(-4);
    app.go("codes", { tooLong, place: 0, addresses: texts.map((text, place) =>
      `${start}${text}.${mark}.${place + 1}.${texts.length}`) });
  });
}

/** @param {any} app */
function codes(app) {
  const { addresses, place, tooLong } = app.screen;
  const title = h("h1", { tabindex: -1 }, t("codesTitle"));
  if (app.station.summary.waiting === 0) return [title, h("p", {}, t("codesOver")), app.backButton()];
  const count = addresses.length;
  const step = (/** @type {number} */ by) => h("button", { type: "button", disabled: !addresses[place + by],
    onclick: () => app.go("codes", { ...app.screen, place: place + by }) }, t(by > 0 ? "nextCode" : "formerCode"));
  const name = t("codeOf", { number: place + 1, count });
  return [title, count > 1 ? h("h2", {}, name) : null, count > 0 ? picture(addresses[place], name) : null,
    count > 1 ? h("div.tools", {}, step(-1), step(1)) : null,
    h("p", {}, t("codesText")),
    tooLong > 0 ? banner("alert", t("codesTooLong", { count: tooLong })) : null,
    app.backButton()];
}

/**
 * Delivers the text of another phone, now or as soon as there is a connection.
 * @param {any} app
 * @param {string} code what stands behind `#`
 */
export async function deliver(app, code) {
  const [, text, mark, number, count] = /^(qr_[\w-]+)\.([\w-]{4})\.(\d{1,3})\.(\d{1,3})$/.exec(code) ?? [];
  if (!text) return shown(app, { state: "bad", fault: "codeCut" });
  const carried = { text, mark, number: Number(number), count: Number(count), isDone: false };
  await keep(app, carried);
  await send(app, carried);
}

/**
 * Sends what could not be delivered before this page was loaded.
 * @param {any} app
 */
export async function deliverKept(app) {
  for (const one of await kept(app)) if (!one.isDone) await send(app, one);
}

/**
 * @param {any} app
 * @param {Carried} carried
 * @param {boolean} [isShown] whether a person looks at it
 */
async function send(app, carried, isShown = true) {
  const show = (/** @type {any} */ delivery) => isShown && shown(app, { carried, ...delivery });
  show({ state: "sending" });
  clearTimeout(attempts.get(carried.text));
  try {
    // Without a token: who carries them is nothing to the operations.
    const reply = await connect("").call("Events/DeliverOperations", { text: carried.text }, { token: null, timeout: 15_000 });
    await keep(app, { ...carried, isDone: true });
    const all = (await kept(app)).filter((one) => one.mark === carried.mark && one.isDone).map((one) => one.number);
    show({ state: "done", reply, done: new Set([...all, carried.number]) });
  } catch (error) {
    if (!(error instanceof QuiverError)) throw error;
    const code = codeOf(error);
    if (["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"].includes(code)) {
      show({ state: "later" });
      clearTimeout(attempts.get(carried.text));
      attempts.set(carried.text, setTimeout(() => send(app, carried, app.delivery?.carried === carried), pause));
      return;
    }
    if (code !== "RESOURCE_EXHAUSTED") await keep(app, { ...carried, isDone: true }, true);
    show({ state: "bad", message: plain(error.message), fault: code === "NOT_FOUND" ? "codeUnknown"
      : code === "INVALID_ARGUMENT" ? "codeCut" : code === "RESOURCE_EXHAUSTED" ? "tooManyCodes" : "notJoined" });
  }
}

/** @param {any} app @returns {Promise<Carried[]>} */
async function kept(app) {
  return (await app.registry?.read())?.carried ?? [];
}

/**
 * Notes a text, so that a load of the page does not lose it.
 * @param {any} app
 * @param {Carried} carried
 * @param {boolean} [isGone] it cannot be delivered
 */
async function keep(app, carried, isGone = false) {
  try {
    await app.registry?.carry((/** @type {Carried[]} */ list) => [...list.filter((one) => one.text !== carried.text),
      ...isGone ? [] : [carried]].slice(-mostKept));
  } catch {
    // A browser that stores nothing delivers now or not at all.
  }
}

/** @param {any} app @param {any} delivery */
function shown(app, delivery) {
  app.delivery = delivery;
  app.render();
}

/**
 * What became of the text of another phone.
 * @param {any} app
 */
export function deliveryScreen(app) {
  const { state, carried, reply, done, fault, message } = app.delivery;
  const leave = h("button.wide.quiet", { type: "button", onclick: () => {
    app.delivery = null;
    app.render();
  } }, t("back"));
  const title = [h("h1", { tabindex: -1 }, t("deliveryTitle")), carried ? h("p", {}, t("codeOf", carried)) : null];
  switch (state) {
    case "sending": return [title, h("p", { role: "status" }, t("delivering"))];
    case "later": return [title, banner("lost", t("deliverLater")), h("button.wide.main", { type: "button",
      onclick: () => send(app, carried) }, t("tryAgain")), leave];
    case "bad": return [title, banner("alert", t(fault, { message })), leave];
    default: return [title, h("p", {}, named(reply.device ?? "")), ...outcomes(reply), missing(carried, done), leave];
  }
}

/**
 * The verdicts in words.
 * @param {any} reply
 */
function outcomes(reply) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let refusal = "";
  for (const one of [...reply.verdicts ?? [], ...reply.cardVerdicts ?? [], ...reply.matchVerdicts ?? []]) {
    const isSame = /SAME$/.test(one.verdict ?? "");
    const name = isSame ? "same" : scoring.stateAfter(one.verdict);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (name === "refused") refusal = one.message ?? "";
  }
  const texts = { stored: "wereStored", same: "wereThere", waiting: "areNotYet", late: "areLate", conflict: "areOther",
    refused: "wereRefused" };
  return Object.entries(texts).filter(([name]) => counts.has(name)).map(([name, key]) =>
    banner(name === "stored" || name === "same" ? "info" : "alert", t(key, { count: counts.get(name), message: refusal })));
}

/** @param {Carried} carried @param {Set<number>} done */
function missing({ count }, done) {
  if (count < 2) return null;
  const left = Array.from({ length: count }, (_, place) => place + 1).filter((one) => !done.has(one));
  return h("p.prompt", {}, left.length > 0 ? t("codesLeft", { numbers: left.join(", ") }) : t("codesDone", { count }));
}

export const rescueScreens = { codes };
