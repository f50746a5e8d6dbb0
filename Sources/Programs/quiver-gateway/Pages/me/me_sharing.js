// Sharing: who may read which parts until when, invitations, and the squad of a coach.
import { all, ask, button, call, confirmed, el, field, say, table, timeText } from "../desk/kit.js";
import { picture } from "../board/assets/qr.js";
import { dayOf, dayText, isoDay, today } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/**
 * The parts in the order of the server, with what they are called.
 * @type {[string, string][]}
 */
const parts = [["EQUIPMENT", "Equipment"], ["ROUNDS", "Rounds"], ["COMPARISON", "Comparison"], ["WEIGHT", "Body weight"], ["STRENGTH", "Strength"], ["TRAINING_LOG", "Training log"]];
const prefix = "SHARE_PART_";
const partsText = (/** @type {Message} */ share) => (share.parts ?? []).map((/** @type {string} */ part) => say(parts.find(([key]) => prefix + key === part)?.[1] ?? "")).join(", ");

/** Until when something is shared unless another day is chosen, and at most, in days. */
const [standardDays, mostDays] = [180, 731];

/** The fields of parts and of a day, and how they are read. Nothing is chosen before somebody does: body weight least of all. */
function terms(/** @type {Message} */ given = {}) {
  const boxes = parts.map(([key, text]) => [key, el("input", { type: "checkbox", checked: (given.parts ?? []).includes(prefix + key) }), say(text)]);
  const day = el("input", { type: "date", min: isoDay(today()), max: isoDay(today() + mostDays), value: isoDay(given.untilDay ?? today() + standardDays), required: true });
  return {
    fields: [el("fieldset", {}, el("legend", {}, say("What may be read")), boxes.map(([, box, text]) => el("label", {}, box, text))), field(say("Until"), day)],
    read: () => {
      const chosen = boxes.filter(([, box]) => box.checked).map(([key]) => prefix + key);
      if (chosen.length === 0) return say("Choose at least one part.");
      if (!day.value) return say("Choose a day.");
      return { parts: chosen, untilDay: Math.round(Date.parse(`${day.value}T00:00:00Z`) / 86400000) };
    },
  };
}

const changed = () => dispatchEvent(new Event("quiver-shares"));

/** `#/sharing`. */
export async function sharing(/** @type {Archer} */ archer) {
  const [given, received, invites] = await Promise.all([
    all("Account/ListShares", { side: "SHARE_SIDE_GIVEN" }, "shares"), all("Account/ListShares", { side: "SHARE_SIDE_RECEIVED" }, "shares"),
    all("Account/ListShareInvites", {}, "invites")]);
  const end = (/** @type {Message} */ share, /** @type {string} */ name) => button(say("End it"), async () => {
    if (!await confirmed(say("End the share with {name}?", { name }), say("It ends at once, also for what is open."), say("End it"))) return " ";
    await call("Account/EndShare", { shareId: share.id });
    changed();
    await archer.reload();
    return say("The share with {name} has ended.", { name });
  }, { "aria-label": `${say("End it")}: ${name}` });
  const read = (/** @type {Message} */ share) => Number(share.lastReadAtMs ?? 0) ? timeText(share.lastReadAtMs, true) : say("not yet");
  return [el("h2", {}, say("What I share")), table(say("What I share"), [say("With"), say("Parts"), say("Until"), say("Read last"), ""], given.map((share) => [
    el("bdi", {}, share.readerName), partsText(share), dayText(share.untilDay ?? 0), read(share),
    el("div", { className: "row" }, button(say("Change…"), () => change(archer, share), { "aria-label": `${say("Change…")} ${share.readerName}` }), end(share, share.readerName))])),
    el("div", { className: "row" }, button(say("Share with somebody…"), () => add(archer), { className: "main" }), button(say("Make an invitation…"), () => invite(archer))),
    invites.length === 0 ? null : el("section", {}, el("h3", {}, say("Invitations that wait")), table(say("Invitations that wait"), [say("Parts"), say("Until"), say("The code ends"), ""], invites.map((one) => [
      partsText(one), dayText(one.untilDay ?? 0), timeText(one.expiresAtMs, true), button(say("End it"), async () => {
        await call("Account/EndShareInvite", { inviteId: one.id });
        await archer.reload();
      })]))),
    el("h2", {}, say("What others share with me")), table(say("What others share with me"), [say("Of"), say("Parts"), say("Until"), ""], received.map((share) => [
      el("bdi", {}, share.ownerName), partsText(share), dayText(share.untilDay ?? 0),
      el("div", { className: "row" }, el("button", { type: "button", onclick: () => open(share), "aria-label": `${say("Open")}: ${share.ownerName}` }, say("Open")), end(share, share.ownerName))])),
    el("div", { className: "row" }, button(say("Show my code…"), myCode), button(say("Accept an invitation…"), () => accept(archer)))];
}

const open = (/** @type {Message} */ share) => dispatchEvent(new CustomEvent("quiver-user", { detail: share.ownerId }));

async function change(/** @type {Archer} */ archer, /** @type {Message} */ share) {
  const { fields, read } = terms(share);
  const answer = await ask({ title: say("Share with {name}", { name: share.readerName }), yes: say("Save"), fields, read });
  if (!answer) return " ";
  await call("Account/ShareData", { shareId: share.id, .../** @type {Message} */ (answer) });
  await archer.reload();
}

async function add(/** @type {Archer} */ archer) {
  const code = el("input", { autocomplete: "off", spellcheck: false, required: true });
  const { fields, read } = terms();
  const answer = await ask({ title: say("Share with somebody"), yes: say("Share"), text: say("The other person shows a code: on this page under Sharing, or by quiver account code."),
    fields: [field(say("Code"), code), ...fields], read: () => code.value.trim() ? read() : say("Type the code.") });
  if (!answer) return " ";
  const share = await call("Account/ShareData", { principalCode: code.value.trim(), .../** @type {Message} */ (answer) });
  await archer.reload();
  return say("{name} may read it now.", { name: share.readerName });
}

async function invite(/** @type {Archer} */ archer) {
  const { fields, read } = terms();
  const answer = await ask({ title: say("Make an invitation"), yes: say("Make"), text: say("Who gets its code may accept it once, within 7 days."), fields, read });
  if (!answer) return " ";
  const made = await call("Account/CreateShareInvite", /** @type {Message} */ (answer));
  await ask({ title: say("The code of the invitation"), text: say("It is not shown again."), yes: say("Close"), fields: [el("p", { className: "show" }, made.code), picture(made.code, made.code)] });
  await archer.reload();
}

async function accept(/** @type {Archer} */ archer) {
  const code = el("input", { autocomplete: "off", spellcheck: false, required: true });
  const answer = await ask({ title: say("Accept an invitation"), yes: say("Accept"), fields: [field(say("Code"), code)], read: () => code.value.trim() ? true : say("Type the code.") });
  if (!answer) return " ";
  const share = await call("Account/AcceptShareInvite", { code: code.value.trim() });
  changed();
  await archer.reload();
  return say("You may read what {name} shares.", { name: share.ownerName });
}

async function myCode() {
  const { code, expiresAtMs } = await call("Account/GetIntroductionCode", {});
  await ask({ title: say("My code"), yes: say("Close"), text: say("Who types it may share with you, or appoint you in an event. It is valid until {time}.", { time: timeText(expiresAtMs, true) }),
    fields: [el("p", { className: "show" }, code), picture(code, code)] });
  return " ";
}

// --- Squad ---

/** `#/squad`: what the archers who share have shot and changed. */
export async function squad() {
  const members = await all("Account/GetSquad", {}, "members");
  const arrows = (/** @type {Message[]} */ weeks) => weeks.reduce((sum, week) => sum + (week.arrowCount ?? 0), 0);
  return [el("h2", {}, say("Squad")), el("p", {}, say("Who shares with you, with the arrows of eight weeks. Body weight is never shown here.")),
    table(say("Squad"), [say("Archer"), say("Last round"), say("This week"), say("Mean before"), say("New bests"), say("Latest best"), say("Changed setup"), ""], members.map((one) => {
      const last = one.lastRounds?.[0], best = one.bests?.[0], setup = one.setups?.[0];
      const [now, ...before] = one.weeks ?? [];
      return [el("bdi", {}, one.share.ownerName), last ? `${last.formatName} ${last.score?.total ?? 0} (${dayOf(last.firstShotAtMs)})` : "–",
        now ? String(now.arrowCount ?? 0) : "–", before.length ? String(Math.round(arrows(before) / before.length)) : "–", String(one.newBestCount ?? 0),
        best ? `${best.formatName} ${best.score}` : "–", setup ? `${setup.name || say("Unnamed setup")} v${setup.version}` : "–",
        el("button", { type: "button", onclick: () => open(one.share), "aria-label": `${say("Open")}: ${one.share.ownerName}` }, say("Open"))];
    }))];
}
