// Standings by category; cuts and ties; brackets to the medals.
import { agreed, arrowsOf, arrowsText, ask, button, call, choice, confirmed, el, field, part, put, Refusal, rowOf, say, table, timeText, unlessChanged } from "./kit.js";
import { uuid7 } from "../client/uuid.js";
import { live, readAgain, readRows } from "./line.js";
import { codesOf } from "./plates.js";
import { beginnings, cutGroups, substitute } from "./stages.js";
import { drawsAnew, read, readAll } from "./store.js";
import { countText, paperDifferences, paperOf, showDifferences, subjectsOf, totalText, typeTotal, typedOf } from "./totals.js";
import { waitingTable } from "./waiting.js";

let category = "0";

async function pick(/** @type {any} */ desk) {
  const { categories = [] } = await read("Events/ListEventCategories", { tournamentId: desk.event.id });
  if (!categories.some((/** @type {any} */ { id }) => id === category)) category = categories[0]?.id ?? "0";
  const control = part(desk, say("Category"), categories.map((/** @type {any} */ { id, code, name }) => [id, `${code} ${name ?? ""}`]), category, (id) => { category = id; });
  return { control, categories };
}

/** @param {any} desk */
export async function standings(desk) {
  // What is typed is known without a connection, too.
  const [{ control, categories }] = await Promise.all([pick(desk), typedOf(desk)]);
  /** @type {any} */
  let view;
  const again = async () => {
    await readAgain(desk, view);
    typedOf(desk).catch(() => { /* It is read with the view. */ });
  };
  const list = new Standings(desk, categories.find((/** @type {any} */ { id }) => id === category), again);
  view = await live(desk, async () => {
    drawsAnew();
    const found = await standingsOf(list);
    desk.showState();
    return found;
  });
  return [el("h2", {}, say("Standings")), el("div", { className: "row" }, control), view];
}

/** The table of the standings. A row stays, and each cell changes where it differs: hundreds of rows take longer to draw than a person waits. */
class Standings {
  /** @type {Map<string, any>} */
  rows = new Map();
  place = el("div");
  heads = [say("Rank"), say("Name"), say("Club"), say("Ends"), say("Total"), "X", "10", say("Card"), ""];

  constructor(/** @type {any} */ desk, /** @type {any} */ category, /** @type {() => Promise<void>} */ again) {
    this.desk = desk;
    this.category = category;
    this.again = again;
  }

  /** The table with these rows. */
  show(/** @type {any[]} */ list) {
    const shown = list.map((one) => this.rowOf(one));
    const body = this.place.querySelector("tbody");
    if (body && shown.length > 0) put(body, shown);
    else {
      this.place.replaceChildren(table(say("Standings"), this.heads, shown.length > 0 ? [this.heads.map(() => "")] : []));
      this.place.querySelector("tbody")?.replaceChildren(...shown);
    }
    this.rows = new Map(list.map(({ row }, index) => [row.participantId, shown[index]]));
    return this.place;
  }

  rowOf(/** @type {any} */ { row, entry, card }) {
    const texts = [row.rank ? String(row.rank) : "–", row.displayName, entry?.club ?? "", String(row.endsCompleted ?? 0), totalText(row), countText(row, row.xCount, 12), countText(row, row.tenCount, 10)];
    const known = this.rows.get(row.participantId);
    if (!known) {
      const state = el("span", {}, cardText(card));
      return rowOf(this.heads, [...texts, state, el("div", { className: "row" },
        button(say("Card…"), () => showCard(this.desk, row.participantId, state)), button(say("Total…"), () => typeTotal(this.desk, row, this.category, this.again)))]);
    }
    [...texts, cardText(card)].forEach((text, at) => {
      const cell = at < texts.length ? known.children[at] : known.children[at].firstChild;
      if (cell.textContent !== text) cell.textContent = text;
    });
    return known;
  }
}

async function standingsOf(/** @type {Standings} */ standings) {
  const { desk } = standings;
  const rows = await readAll("Events/GetCategoryStandings", { tournamentId: desk.event.id, categoryId: category }, "rows");
  /** @type {Map<number, any[]>} */
  const ranks = new Map();
  for (const one of rows) if (one.row.rank) ranks.set(one.row.rank, [...ranks.get(one.row.rank) ?? [], one]);
  const tied = [...ranks.values()].filter((list) => list.length > 1 && list.every(({ row }) => row.arrowCount));
  return [await waitingTable(desk, subjectsOf(desk)), standings.show(rows),
    ...rows.some(({ row }) => row.typed) ? [el("p", {}, say("* A part is typed from a paper. ? The paper does not have this count.")),
      button(say("Compare typed totals with arrows…"), () => showDifferences(rows))] : [],
    ...tied.map((list) => el("div", { className: "row" }, el("p", {}, say("Rank {rank} is shared by {names}.", { rank: list[0].row.rank, names: list.map(({ row }) => row.displayName).join(", ") }),
      list.some(({ missingKey }) => missingKey) ? ` ${say("A paper does not have the count that would tell them apart.")}` : ""),
      button(say("Decide the tie…"), () => decide(standings, list))))];
}

function cardText(/** @type {any} */ card) {
  const names = /** @type {Record<string, string>} */ ({ CARD_STATUS_PROVISIONAL: "provisional", CARD_STATUS_AGREED: "agreed", CARD_STATUS_CONFIRMED: "confirmed" });
  const text = say(names[card?.status] ?? "");
  return card?.paperTotal === undefined ? text : `${text} ${say("paper {total}", { total: card.paperTotal })}`;
}

/** Both cards of an archer, and what an official does with them; `state` is where its row says how the card stands. */
async function showCard(/** @type {any} */ desk, /** @type {string} */ participantId, /** @type {any} */ state) {
  const card = await call("Events/GetComparedCard", { participantId });
  const paper = paperOf(card);
  const answer = await ask({ title: card.displayName, yes: say("Save"), read: paper.read, fields: [
    el("p", {}, say("Total {total}, second card {second}", { total: card.total ?? 0, second: card.secondTotal ?? 0 })),
    ...paper.fields,
    table(say("Ends"), [say("End"), say("First card"), say("Second card"), say("State")], (card.ends ?? []).map((/** @type {any} */ end) => [
      String((end.endIndex ?? 0) + 1), arrowsText(end.first), end.second?.length ? arrowsText(end.second) : "", say(String(end.state ?? "").replace("CARD_END_STATE_", "").replace("UNSPECIFIED", "").toLowerCase())]), true),
    el("p", {}, (card.confirmations ?? []).map((/** @type {any} */ one) => say("Confirmed by {name} at {time}.", { name: one.displayName, time: timeText(one.confirmedAtMs, true) })).join(" "))] });
  if (!answer?.request) return " ";
  const now = await agreed(card, (seen) => call("Events/SetPaperTotal", { participantId, expectedRevision: seen.revision ?? "0", ...answer.request }),
    () => call("Events/GetComparedCard", { participantId }), (theirs, seen) => paperDifferences(theirs, seen, answer.request));
  if (!now) {
    await desk.reload();
    return " ";
  }
  // It counts with the confirmations, behind which none is typed: one cell changes now, which takes less time than hundreds of rows.
  if (state.isConnected) state.textContent = cardText(now.summary);
  else await desk.reload();
}

/** The order in which archers who share a rank stand, as it was decided. */
async function decide(/** @type {Standings} */ { desk, again }, /** @type {any[]} */ list) {
  const shown = category;
  const places = list.map(({ row }, index) => ({ row, input: el("input", { type: "number", min: 1, max: list.length, value: index + 1 }) }));
  const how = choice([["TIE_DECISION_SHOOT_OFF", say("shoot-off")], ["TIE_DECISION_COIN_TOSS", say("coin toss")]]);
  const answer = await ask({ title: say("Decide the tie"), yes: say("Save"), fields: [field(say("How"), how), ...places.map(({ row, input }) => field(row.displayName, input))],
    read: () => new Set(places.map(({ input }) => input.value)).size === list.length ? true : say("Give each archer another place.") });
  if (!answer) return " ";
  places.sort((a, b) => Number(a.input.value) - Number(b.input.value));
  const ids = places.map(({ row }) => row.participantId);
  /** When it was decided, and the order of that. */
  const decided = (/** @type {any[]} */ rows) => ({ at: rows.reduce((last, one) => Math.max(last, Number(one.decidedAtMs ?? 0)), 0), order: rows.map(({ row }) => row.displayName).join(", ") });
  await agreed(decided(list), ({ at }) => call("Elimination/DecideTie", { tournamentId: desk.event.id, categoryId: shown, participantIds: ids, decision: how.value, expectedDecidedAtMs: String(at) }),
    async () => decided((await readRows(desk.event.id, shown)).filter(({ row }) => ids.includes(row.participantId))),
    (theirs) => [[say("Order"), theirs.order, places.map(({ row }) => row.displayName).join(", ")]]);
  await again();
}

// --- Matches ---

/** @param {any} desk */
export async function matches(desk) {
  const { control, categories } = await pick(desk);
  const one = categories.find((/** @type {any} */ { id }) => id === category);
  return [el("h2", {}, say("Matches")), el("div", { className: "row" }, control, beginnings(desk, one, categories)),
    await live(desk, () => bracketsOf(desk))];
}

async function bracketsOf(/** @type {any} */ desk) {
  const { stages = [] } = await call("Elimination/ListStages", { tournamentId: desk.event.id });
  const here = stages.filter((/** @type {any} */ stage) => stage.categoryId === category);
  return [...(await Promise.all(here.map((/** @type {any} */ stage) => bracket(desk, stage)))).flat(),
    here.length ? null : el("p", { className: "empty" }, say("This category has no matches yet."))];
}

const roundText = (/** @type {any} */ match) => match.group ? say("Group {group}", { group: match.group })
  : match.roundSize === 2 ? (match.index ? say("Bronze") : say("Gold")) : match.roundSize === 4 ? say("Semifinals") : match.roundSize === 8 ? say("Quarterfinals") : `1/${match.roundSize / 2}`;

async function bracket(/** @type {any} */ desk, /** @type {any} */ stage) {
  const { matches: list = [], ranks = [], revision } = await call("Elimination/GetBracket", { stageId: stage.id });
  const isSets = String(stage.system).includes("SETS");
  const isOfTeams = /TEAM/.test(stage.system ?? "");
  const side = (/** @type {any} */ one) => !one?.displayName ? ["–"]
    : [one.seed ? `${one.seed}. ` : "", el("bdi", {}, one.displayName), ` ${isSets ? one.setPoints ?? 0 : one.total ?? 0}${one.target ? ` · ${say("Target {target}", { target: one.target })}` : ""}${one.forfeited ? ` (${say("forfeit")})` : ""}`];
  const open = list.filter((/** @type {any} */ match) => !["MATCH_STATE_BYE"].includes(match.state));
  const sizes = [...new Set(open.map((/** @type {any} */ match) => match.roundSize))].filter(Boolean);
  return [
    el("h3", {}, stage.groupCount ? say("{count} in {groups} groups", { count: stage.entrantCount, groups: stage.groupCount })
      : isOfTeams ? say("Cut of {count} teams", { count: stage.entrantCount }) : say("Cut of {count}", { count: stage.entrantCount })),
    el("div", { className: "row" },
      button(say("Place a round on targets…"), () => placeRound(desk, stage, sizes, { matches: list, revision })),
      stage.groupCount ? button(say("Cut the groups…"), () => cutGroups(desk, stage)) : null,
      isOfTeams ? button(say("Another archer in a team…"), async () => substitute(desk, stage, ranks, await readRows(desk.event.id, category))) : null,
      button(say("Delete the cut…"), async () => {
        if (!await confirmed(say("Delete the cut?"), say("Its matches are deleted. It is refused once an arrow was recorded."), say("Delete"))) return " ";
        await unlessChanged(desk, () => call("Elimination/DeleteStage", { stageId: stage.id, expectedRevision: revision }));
        await desk.reload();
      })),
    table(say("Matches"), [say("Round"), say("First"), say("Second"), say("State"), ""], open.map((/** @type {any} */ match) => [
      roundText(match), el("span", { className: match.winner === 1 ? "won" : "" }, side(match.sides?.[0])), el("span", { className: match.winner === 2 ? "won" : "" }, side(match.sides?.[1])),
      say(String(match.state ?? "").replace("MATCH_STATE_", "").replaceAll("_", " ").toLowerCase()),
      match.sides?.every((/** @type {any} */ one) => one.displayName) ? button(say("Open…"), () => openMatch(desk, match.id)) : ""])),
    ranks.some((/** @type {any} */ one) => one.rank || isOfTeams) ? table(say("Ranks"), [say("Rank"), say("Name"), ...stage.groupCount ? [say("Group")] : isOfTeams ? [say("Archers")] : []], ranks.filter((/** @type {any} */ one) => one.rank || isOfTeams).map((/** @type {any} */ one) => [
      one.rank ? String(one.rank) : "–", one.displayName ?? "", ...stage.groupCount ? [String(one.group ?? "")]
        : isOfTeams ? [(one.members ?? []).map((/** @type {any} */ member) => member.displayName).join(", ")] : []])) : null,
  ];
}

async function placeRound(/** @type {any} */ desk, /** @type {any} */ stage, /** @type {number[]} */ sizes, /** @type {any} */ shown) {
  const rounds = [...new Set(/** @type {any[]} */ (shown.matches).map((match) => match.groupRound).filter(Boolean))].sort((a, b) => a - b);
  const round = choice(stage.groupCount ? rounds.map((one) => [String(one), say("Round {n}", { n: one })])
    : sizes.map((size) => [String(size), size === 2 ? say("Medal matches") : roundText({ roundSize: size })]));
  const first = el("input", { type: "number", min: 0, max: 9999, value: 1 });
  const each = choice([["1", say("both on one")], ["2", say("one each")]], "2");
  const starts = el("input", { type: "datetime-local" });
  const answer = await ask({ title: say("Place a round on targets"), yes: say("Place"), fields: [field(say("Round"), round), field(say("First target"), first), field(say("Targets a match"), each), field(say("Starts"), starts)] });
  if (!answer) return " ";
  const isPlaced = (/** @type {any} */ match) => (stage.groupCount ? match.groupRound : match.roundSize) === Number(round.value);
  const startsAtMs = starts.value ? String(new Date(starts.value).getTime()) : "0";
  /** Where the matches of the round are, and when. */
  const places = (/** @type {any} */ one) => (one.matches ?? []).filter(isPlaced).map((/** @type {any} */ match) =>
    (match.sides ?? []).map((/** @type {any} */ side) => side.target ?? "–").join("/") + ` ${timeText(match.startsAtMs, true)}`.trimEnd()).join(", ");
  await agreed(shown, (seen) => call("Elimination/PlaceMatches", { stageId: stage.id, ...(stage.groupCount ? { groupRound: Number(round.value) } : { roundSize: Number(round.value) }), firstTarget: Number(first.value), targetsPerMatch: Number(each.value),
    startsAtMs, expectedRevision: seen.revision }), () => call("Elimination/GetBracket", { stageId: stage.id }),
  (theirs, seen) => places(theirs) === places(seen) ? [] : [[round.selectedOptions[0].textContent, places(theirs), `${say("First target")} ${first.value} ${timeText(startsAtMs, true)}`.trimEnd()]]);
  await desk.reload();
}

/** A match with its cards: arrows that an official enters, confirmations, forfeits. */
async function openMatch(/** @type {any} */ desk, /** @type {string} */ matchId) {
  const match = await call("Elimination/GetMatch", { matchId });
  const names = match.sides.map((/** @type {any} */ one) => one.displayName);
  const cards = table(say("Cards"), [say("End"), ...names], rowsOf(match), true);
  const what = choice([["", say("nothing")], ["enter", say("enter an end")], ["shootoff", say("enter a shoot-off")], ["confirm", say("confirm both cards")],
    ["forfeit1", say("forfeit of {name}", { name: names[0] })], ["forfeit2", say("forfeit of {name}", { name: names[1] })], ["reopen", say("reopen")]]);
  const inputs = names.map(() => el("input", { autocomplete: "off", placeholder: "X 10 9" }));
  const end = el("input", { type: "number", min: 1, max: 20, value: (match.nextEnd ?? 0) + 1 });
  const reason = el("input", { maxLength: 200 });
  const fields = [field(say("End"), end), ...names.map((/** @type {string} */ name, /** @type {number} */ index) => field(name, inputs[index]))];
  const why = field(say("Reason"), reason);
  /** Shows what an act needs. */
  const arrange = () => {
    for (const one of fields) one.hidden = !["enter", "shootoff"].includes(what.value);
    why.hidden = ["", "confirm"].includes(what.value);
  };
  what.addEventListener("change", arrange);
  arrange();
  const answer = await ask({ title: [`${roundText(match)}: `, el("bdi", {}, names[0]), " – ", el("bdi", {}, names[1])], yes: say("Do it"),
    fields: [cards, field(say("What"), what), ...fields, why],
  read: () => {
    if (what.value === "enter" || what.value === "shootoff") {
      return inputs.every((/** @type {any} */ input) => !input.value.trim() || arrowsOf(input.value)) && inputs.some((/** @type {any} */ input) => input.value.trim()) ? true : say("Type arrows such as X 10 9 M.");
    }
    return !["forfeit1", "forfeit2", "reopen"].includes(what.value) || reason.value.trim() ? true : say("Give a reason.");
  } });
  if (!answer || !what.value) return " ";
  if (what.value === "confirm") {
    let revision = match.revision;
    for (const side of [1, 2]) {
      if (!match.sides[side - 1].confirmed) revision = (await call("Elimination/ConfirmMatchCard", { matchId, side, revision })).revision;
    }
  } else if (what.value.startsWith("forfeit")) {
    await unlessChanged(desk, () => call("Elimination/ForfeitMatch", { matchId, side: Number(what.value.slice(-1)), reason: reason.value.trim(), expectedRevision: match.revision }));
  } else if (what.value === "reopen") {
    await unlessChanged(desk, () => call("Elimination/ReopenMatch", { matchId, reason: reason.value.trim(), expectedRevision: match.revision }));
  } else {
    await enterEnd(desk, match, what.value === "shootoff", Number(end.value) - 1, inputs.map((/** @type {any} */ input) => arrowsOf(input.value)), reason.value.trim());
  }
  await desk.reload();
}

function rowsOf(/** @type {any} */ match) {
  /** @type {Map<string, any[]>} */
  const rows = new Map();
  match.sides.forEach((/** @type {any} */ side, /** @type {number} */ column) => {
    for (const entry of side.entries ?? []) {
      const key = `${entry.shootOff ? 1 : 0}/${String(entry.index ?? 0).padStart(2, "0")}`;
      const row = rows.get(key) ?? [entry.shootOff ? say("shoot-off {n}", { n: (entry.index ?? 0) + 1 }) : String((entry.index ?? 0) + 1), "", ""];
      row[column + 1] = arrowsText(entry.arrows);
      rows.set(key, row);
    }
  });
  return [...rows].sort(([a], [b]) => a < b ? -1 : 1).map(([, row]) => row);
}

async function enterEnd(/** @type {any} */ desk, /** @type {any} */ match, /** @type {boolean} */ shootOff, /** @type {number} */ index, /** @type {(any[] | null)[]} */ arrows, /** @type {string} */ reason) {
  const operations = arrows.flatMap((list, at) => {
    if (!list) return [];
    const side = match.sides[at];
    const old = (side.entries ?? []).find((/** @type {any} */ entry) => Boolean(entry.shootOff) === shootOff && (entry.index ?? 0) === index);
    return [{ clientId: uuid7(), matchId: match.id, side: at + 1, participantId: side.participantId ?? "0", entry: { shootOff, index, arrows: list },
      ...(old ? { replacesClientId: old.operationClientId, reason: reason || say("correction at the desk") } : {}), device: "desk", scoredAtMs: String(Date.now()) }];
  });
  const apply = async () => {
    const { verdicts = [] } = await call("Elimination/ApplyMatchOperations", { operations });
    return verdicts.find((/** @type {any} */ one) => !["MATCH_VERDICT_STORED", "MATCH_VERDICT_SAME"].includes(one.verdict));
  };
  let failed = await apply();
  // Where codes are demanded, who enters a match has joined its targets.
  if (failed?.verdict === "MATCH_VERDICT_NOT_YET") failed = await atTargets(desk, match, apply);
  if (failed) throw new Refusal(failed.message || failed.verdict);
}

/**
 * Does something while the desk has the targets of a match, which it takes from nobody.
 * @param {any} desk @param {any} match @param {() => Promise<any>} work
 */
async function atTargets(desk, match, work) {
  const { codes = [] } = await codesOf(desk.event);
  /** @type {any[]} */
  const joined = [];
  try {
    for (const target of new Set(match.sides.map((/** @type {any} */ side) => side.target).filter(Boolean))) {
      const code = codes.find((/** @type {any} */ one) => one.target === target)?.code ?? "";
      await call("Events/JoinTarget", { code, device: "desk", card: 1, sessionId: "0", matchId: match.id });
      joined.push({ tournamentId: desk.event.id, sessionId: "0", target, card: 1 });
    }
    return await work();
  } finally {
    // A lease that stays, because there is no connection, ends by itself.
    for (const place of joined) await call("Events/LeaveTarget", place).catch(() => {});
  }
}
