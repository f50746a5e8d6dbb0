// Who helps: judges, scorers, helpers at check-in. Each shows a code; whoever is removed loses its rights at once.
import { all, ask, button, call, choice, confirmed, el, field, say, table } from "./kit.js";

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
    el("p", {}, say("Who helps opens /judge or /check-in, signs in with a code of its own (quiver invite create --uses 1), and shows the code that appears.")),
    button(say("Appoint…"), () => appoint(desk), { className: "main" }),
    table(say("Officials"), [say("Name"), say("Role"), say("May do"), ""], list.map((/** @type {any} */ one) => [
      one.displayName, roleText(one.role), say(rights[one.role] ?? rights.EVENT_ROLE_ORGANISER),
      button(say("Remove…"), async () => {
        if (!await confirmed(say("Remove {name}?", { name: one.displayName }), say("Its rights in this event end at once. It can be appointed again."), say("Remove"))) return " ";
        await call("Events/RemoveEventOfficial", { tournamentId, principalId: one.principalId });
        await desk.reload();
      }, { "aria-label": `${say("Remove…")} ${one.displayName}` })])),
  ];
}

async function appoint(/** @type {any} */ desk) {
  const code = el("input", { autocomplete: "off", spellcheck: false, required: true });
  const hint = el("p", {}, say(rights.EVENT_ROLE_JUDGE));
  const role = choice(roles.map(([key, text]) => [key, say(text)]), "EVENT_ROLE_JUDGE", { onchange: () => { hint.textContent = say(rights[role.value]); } });
  const answer = await ask({ title: say("Appoint an official"), yes: say("Appoint"), fields: [field(say("Code that its phone shows"), code), field(say("Role"), role), hint],
    read: () => code.value.trim() ? true : say("Type the code first.") });
  if (!answer) return " ";
  const official = await call("Events/SetEventOfficial", { tournamentId: desk.event.id, principalCode: code.value.trim(), role: role.value });
  await desk.reload();
  return say("{name} is {role}.", { name: official.displayName, role: roleText(official.role) });
}
