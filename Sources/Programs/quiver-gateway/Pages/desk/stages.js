// How a category goes on: a cut, groups, teams, and what follows from groups.
import { ask, button, call, choice, el, field, say } from "./kit.js";
import { matchSystemOf } from "./templates.js";

/** @typedef {import("./kit.js").Message} Message */

/** @type {[string, string][]} */
const systems = [["MATCH_SYSTEM_INDIVIDUAL_SETS", "sets"], ["MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE", "total"]];

const number = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) => el("input", { type: "number", min, max, value, required: true });

/** Whether a number is one that its field takes. */
const isValid = (/** @type {any} */ input) => input.checkValidity() && input.value !== "";

/**
 * The buttons with which a category goes on.
 * @param {any} desk @param {Message | undefined} category @param {Message[]} categories
 */
export function beginnings(desk, category, categories) {
  if (!category) return [];
  return [button(say("Cut…"), () => cut(desk, category)), button(say("Groups…"), () => groups(desk, category)),
    button(say("Teams…"), () => teams(desk, category, categories))];
}

async function cut(/** @type {any} */ desk, /** @type {Message} */ category) {
  const size = choice(["2", "4", "8", "16", "32", "64", "104"].map((n) => [n, n]), "8");
  const system = choice(systems.map(([value, text]) => [value, say(text)]), await matchSystemOf(category));
  const bronze = el("input", { type: "checkbox", checked: true });
  const answer = await ask({ title: say("Cut"), text: say("The best archers go on to matches. A cut with arrows in its matches cannot be deleted."), yes: say("Cut"),
    fields: [field(say("How many go on"), size), field(say("Scored by"), system), field(say("Match for bronze"), bronze)] });
  if (!answer) return " ";
  await call("Elimination/CutCategory", { tournamentId: desk.event.id, categoryId: category.id, size: Number(size.value), system: system.value,
    noBronzeMatch: !bronze.checked, exemptSeeds: Number(size.value) > 56 ? 8 : 0 });
  await desk.reload();
}

async function groups(/** @type {any} */ desk, /** @type {Message} */ category) {
  const size = number(8, 2, 128);
  const count = number(2, 1, 64);
  const system = choice(systems.map(([value, text]) => [value, say(text)]), await matchSystemOf(category));
  const answer = await ask({ title: say("Groups"), yes: say("Make groups"),
    text: say("The best archers shoot against everybody of their group; the best of the groups go on by a cut."),
    fields: [field(say("How many go on"), size), field(say("Number of groups"), count), field(say("Scored by"), system)],
    read: () => isValid(size) && isValid(count) ? true : say("Give whole numbers.") });
  if (!answer) return " ";
  await call("Elimination/DrawGroups", { tournamentId: desk.event.id, categoryId: category.id, size: Number(size.value), groupCount: Number(count.value), system: system.value });
  await desk.reload();
}

async function teams(/** @type {any} */ desk, /** @type {Message} */ category, /** @type {Message[]} */ categories) {
  const isCompound = category.bowstyle === "BOWSTYLE_COMPOUND";
  const kind = choice([["team", say("teams of three")], ["mixed", say("mixed teams")]]);
  const other = choice(categories.filter(({ id }) => id !== category.id).map(({ id, code, name }) => [id, `${code} ${name ?? ""}`]));
  const group = choice([["TEAM_GROUP_CLUB", say("of clubs")], ["TEAM_GROUP_COUNTRY", say("of countries")]]);
  const size = number(4, 2, 128);
  const system = choice([["SETS", say("sets")], ["CUMULATIVE", say("total")]], isCompound ? "CUMULATIVE" : "SETS");
  const bronze = el("input", { type: "checkbox", checked: true });
  const order = el("input", { autocomplete: "off" });
  const decision = choice([["TIE_DECISION_SHOOT_OFF", say("shoot-off")], ["TIE_DECISION_COIN_TOSS", say("coin toss")]]);
  const answer = await ask({ title: say("Teams"), yes: say("Cut"), text: say("Teams of the best archers of each club or country, by the sums of the qualification."),
    fields: [field(say("Kind"), kind), field(say("Other category"), other, say("Of mixed teams.")), field(say("Teams"), group), field(say("How many go on"), size),
      field(say("Scored by"), system), field(say("Match for bronze"), bronze),
      field(say("Tied teams, best first"), order, say("Only if teams share the place across the cut: all of them, with semicolons between.")), field(say("How"), decision)],
    read: () => isValid(size) ? true : say("Give whole numbers.") });
  if (!answer) return " ";
  const tied = order.value.split(";").map((/** @type {string} */ one) => one.trim()).filter(Boolean);
  await call("Elimination/CutTeams", { tournamentId: desk.event.id, categoryId: category.id, secondCategoryId: kind.value === "mixed" ? other.value : "0",
    size: Number(size.value), system: `MATCH_SYSTEM_${kind.value === "mixed" ? "MIXED_TEAM" : "TEAM"}_${system.value}`, group: group.value, noBronzeMatch: !bronze.checked,
    ...(tied.length ? { tieOrder: tied, tieDecision: decision.value } : {}) });
  await desk.reload();
}

/** The best of each group go on. */
export async function cutGroups(/** @type {any} */ desk, /** @type {Message} */ stage) {
  const each = number(1, 1, 16);
  const system = choice(systems.map(([value, text]) => [value, say(text)]), stage.system);
  const bronze = el("input", { type: "checkbox", checked: true });
  const answer = await ask({ title: say("Cut the groups"), yes: say("Cut"), text: say("All matches of the groups must be confirmed."),
    fields: [field(say("How many of each group go on"), each), field(say("Scored by"), system), field(say("Match for bronze"), bronze)],
    read: () => isValid(each) ? true : say("Give whole numbers.") });
  if (!answer) return " ";
  await call("Elimination/CutGroups", { stageId: stage.id, perGroup: Number(each.value), system: system.value, noBronzeMatch: !bronze.checked });
  await desk.reload();
}

/** Another archer shoots for one of a team that has not begun. */
export async function substitute(/** @type {any} */ desk, /** @type {Message} */ stage, /** @type {Message[]} */ ranks, /** @type {Message[]} */ rows) {
  const members = ranks.flatMap((one) => (one.members ?? []).map((/** @type {Message} */ member) => ({ team: one, member })));
  const inTeams = new Set(members.map(({ member }) => member.participantId));
  const who = choice(members.map(({ team, member }) => [`${team.seed}/${member.participantId}`, `${team.displayName}: ${member.displayName}`]));
  const instead = choice(rows.filter(({ row }) => !inTeams.has(row.participantId)).map(({ row, entry }) => [row.participantId, `${row.displayName} (${entry?.club ?? ""})`]));
  const reason = el("input", { maxLength: 200, required: true, autocomplete: "off" });
  const answer = await ask({ title: say("Another archer in a team"), yes: say("Save"),
    fields: [field(say("Who leaves"), who), field(say("Who comes"), instead), field(say("Reason"), reason)],
    read: () => !instead.value ? say("Nobody else can come.") : reason.value.trim() ? true : say("Give a reason.") });
  if (!answer) return " ";
  const [seed, participantId] = who.value.split("/");
  await call("Elimination/SubstituteTeamMember", { stageId: stage.id, seed: Number(seed), participantId, substituteId: instead.value, reason: reason.value.trim() });
  await desk.reload();
}
