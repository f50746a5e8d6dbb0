// Who helps: judges, scorers, helpers at check-in. Each gets a code, or shows one; whoever is removed loses its rights at once.
import { isPrivate } from "../client/client.js";
import { picture } from "../board/assets/qr.js";
import { phoneAddress } from "./address.js";
import { Refusal, ask, button, call, choice, confirmed, el, field, say, table, takesOpenOfficials, timeText, unlessChanged } from "./kit.js";

/** @type {[string, string][]} */
const roles = [
  ["EVENT_ROLE_JUDGE", "judge"], ["EVENT_ROLE_CHECK_IN", "check-in helper"], ["EVENT_ROLE_SCORER", "scorer"],
  ["EVENT_ROLE_RESULTS", "results"], ["EVENT_ROLE_ORGANISER", "organiser"],
];

/** @type {Record<string, string>} what each may do */
const rights = {
  EVENT_ROLE_JUDGE: "Calls, rulings, states of archers, pauses and notices, on the page /judge.",
  EVENT_ROLE_CHECK_IN: "Notes who has come, on the page /check-in.",
  EVENT_ROLE_SCORER: "Scores every target and every match.",
  EVENT_ROLE_RESULTS: "Sees everything, and types totals of paper cards.",
  EVENT_ROLE_ORGANISER: "Everything that you may do.",
};

const roleText = (/** @type {string} */ role) => say(roles.find(([key]) => key === role)?.[1] ?? "organiser");

/** @param {any} desk */
export async function officials(desk) {
  const tournamentId = desk.event.id;
  const { officials: list = /** @type {any[]} */ ([]) } = await call("Events/ListEventOfficials", { tournamentId });
  return [
    el("h2", {}, say("Officials")),
    el("p", {}, say("Who helps scans a code that you give. It works once, and who signs in by it does what you chose, in this event alone.")),
    button(say("Give a code…"), () => giveCode(desk), { className: "main" }),
    el("p", {}, say("Who has an account opens /judge or /check-in, signs in with a code of its own (quiver invite create --uses 1), and shows the code that appears.")),
    button(say("Appoint…"), () => appoint(desk)),
    table(say("Officials"), [say("Name"), say("Role"), say("May do"), say("Signed in"), ""], list.map((/** @type {any} */ one) => [
      one.displayName, roleText(one.role), say(rights[one.role] ?? rights.EVENT_ROLE_ORGANISER), signedInText(one),
      button(say("Remove…"), async () => {
        if (!await confirmed(say("Remove {name}?", { name: one.displayName }), say("Its rights in this event end at once. It can be appointed again."), say("Remove"))) return " ";
        await unlessChanged(desk, () => call("Events/RemoveEventOfficial", { tournamentId, principalId: one.principalId, expectedRole: one.role }));
        await desk.reload();
      }, { "aria-label": `${say("Remove…")} ${one.displayName}` })])),
  ];
}

/** Whether somebody who got a code has used it, and called last. */
function signedInText(/** @type {any} */ one) {
  if (!one.isBound) return say("with an account");
  return Number(one.signedInAtMs ?? 0) ? timeText(one.lastCallAtMs, true) : say("not yet; the code works until {time}", { time: timeText(one.endsAtMs, true) });
}

/** @type {Record<string, string>} where somebody signs in */
const pages = { EVENT_ROLE_JUDGE: "judge", EVENT_ROLE_CHECK_IN: "check-in" };

async function giveCode(/** @type {any} */ desk) {
  const name = el("input", { autocomplete: "off", maxLength: 50, required: true });
  const hint = el("p", {}, say(rights.EVENT_ROLE_JUDGE));
  const role = choice(roles.map(([key, text]) => [key, say(text)]), "EVENT_ROLE_JUDGE", { onchange: () => {
    hint.textContent = say(rights[role.value]);
    open.hidden = !isOpen();
  } });
  // Where the operator permits it, these two sign in without encryption, if the organiser says so.
  const isOpen = () => takesOpenOfficials() && role.value in pages && !isPrivate(phoneAddress());
  const accepts = el("input", { type: "checkbox" });
  const open = el("div", { hidden: !isOpen() }, el("p", { className: "bad" }, say("{address} is not encrypted. Whoever listens in this network can read the sign-in, and rule or check in as this person, until you remove it here.", { address: phoneAddress() })),
    field(say("I accept that"), accepts));
  const answer = await ask({ title: say("Give a code"), yes: say("Give a code"), fields: [field(say("Name"), name), field(say("Role"), role), hint, open],
    read: () => !name.value.trim() ? say("Give a name.") : isOpen() && !accepts.checked ? say("Accept it, or use an address with https.") : true });
  if (!answer) return " ";
  const { official, code } = await call("Events/CreateOfficialCode", { tournamentId: desk.event.id, role: role.value, displayName: name.value.trim() });
  await desk.reload();
  const link = `${phoneAddress()}/${pages[official.role] ?? "desk"}#${code}`;
  await ask({ title: say("Code of {name}", { name: official.displayName }), yes: say("Close"),
    text: say("It works once, until {time}, and is not shown again.", { time: timeText(official.endsAtMs, true) }),
    fields: [isPrivate(link) || accepts.checked ? null : el("p", { className: "bad" }, say("Nobody can sign in by {address}, which is not encrypted: use an address with https.", { address: phoneAddress() })),
      picture(link, link), el("p", {}, el("code", {}, code)), el("p", {}, el("small", {}, link))] });
  return " ";
}

async function appoint(/** @type {any} */ desk) {
  const code = el("input", { autocomplete: "off", spellcheck: false, required: true });
  const hint = el("p", {}, say(rights.EVENT_ROLE_JUDGE));
  const role = choice(roles.map(([key, text]) => [key, say(text)]), "EVENT_ROLE_JUDGE", { onchange: () => { hint.textContent = say(rights[role.value]); } });
  const answer = await ask({ title: say("Appoint an official"), yes: say("Appoint"), fields: [field(say("Code that its phone shows"), code), field(say("Role"), role), hint],
    read: () => code.value.trim() ? true : say("Type the code first.") });
  if (!answer) return " ";
  /** @type {any} */
  let official;
  try {
    official = await call("Events/SetEventOfficial", { tournamentId: desk.event.id, principalCode: code.value.trim(), role: role.value, expectedRole: "EVENT_ROLE_UNSPECIFIED" });
  } catch (error) {
    if (/** @type {any} */ (error).code !== "ABORTED") throw error;
    await desk.reload();
    throw new Refusal(say("Who shows this code has a role already. Remove it first, then appoint again."));
  }
  await desk.reload();
  return say("{name} is {role}.", { name: official.displayName, role: roleText(official.role) });
}
