import { arrowOf, faces, faultOf } from "./faces.js";

/** @typedef {import("./faces.js").Arrow} Arrow */
/** @typedef {import("./faces.js").Face} Face */

/**
 * A match system. `winningSetPoints`: 0 where totals are compared.
 * @typedef {{archersPerSide: number, arrowsPerEnd: number, endCount: number, winningSetPoints: number}} MatchForm
 */

/**
 * The rules of a match. `repeatedMaximum`: what both sides must have in a first shoot-off for it to be shot again.
 * @typedef {{form: MatchForm, face: Face, repeatedMaximum: Arrow | null}} MatchRules
 */

/**
 * One side's arrows of a shoot-off; `distances` from the centre in tenths of a millimetre, empty: not measured.
 * @typedef {{arrows: Arrow[], distances: number[], isCloser: boolean}} ShootOff
 */

/**
 * The card of a side: what it has shot, by the index of the end or of the shoot-off.
 * @typedef {{ends: Map<number, Arrow[]>, shootOffs: Map<number, ShootOff>}} MatchCard
 */

/** @typedef {"arrows" | "shootOff" | "distance" | "judgesMark" | "forfeit"} MatchDecision */

/**
 * How far a match is: which end or shoot-off is next, or which shoot-off needs a distance or a judge's mark.
 * `winner`: 1 or 2; 0: both sides forfeited.
 * @typedef {{name: "scheduled"} | {name: "shooting" | "shootOff" | "measuring", index: number}
 *   | {name: "decided", winner: 0 | 1 | 2, decision: MatchDecision}} MatchProgress
 */

/**
 * `setPoints` and `totals` by side; the winner of a shoot-off of sets has one set point more. Ends after the one
 * that decided do not count.
 * @typedef {{setPoints: number[], totals: number[], endsCounted: number, progress: MatchProgress}} MatchScore
 */

/**
 * What is at a place of a card. `isWaiting`: the server does not have it yet. `head`: the operation that a correction
 * names, in base64.
 * @typedef {{side: 1 | 2, isShootOff: boolean, index: number, isWaiting: boolean, head: string}} MatchPlace
 */

/** @type {ReadonlyMap<string, MatchForm>} */
const forms = new Map([
  ["MATCH_SYSTEM_INDIVIDUAL_SETS", { archersPerSide: 1, arrowsPerEnd: 3, endCount: 5, winningSetPoints: 6 }],
  ["MATCH_SYSTEM_TEAM_SETS", { archersPerSide: 3, arrowsPerEnd: 6, endCount: 4, winningSetPoints: 5 }],
  ["MATCH_SYSTEM_MIXED_TEAM_SETS", { archersPerSide: 2, arrowsPerEnd: 4, endCount: 4, winningSetPoints: 5 }],
  ["MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE", { archersPerSide: 1, arrowsPerEnd: 3, endCount: 5, winningSetPoints: 0 }],
  ["MATCH_SYSTEM_TEAM_CUMULATIVE", { archersPerSide: 3, arrowsPerEnd: 6, endCount: 4, winningSetPoints: 0 }],
  ["MATCH_SYSTEM_MIXED_TEAM_CUMULATIVE", { archersPerSide: 2, arrowsPerEnd: 4, endCount: 4, winningSetPoints: 0 }],
]);

/**
 * The rules of a `quiver.v1.EliminationStage`; null: this version does not know its system or its face.
 * @param {any} stage
 * @returns {MatchRules | null}
 */
export function matchRules(stage) {
  const form = forms.get(stage?.system);
  const face = faces.get(stage?.face);
  if (!form || !face) return null;
  return { form, face, repeatedMaximum: stage.repeatedMaximum ? arrowOf(stage.repeatedMaximum) : null };
}

/** @returns {MatchCard} */
export function emptyMatchCard() {
  return { ends: new Map(), shootOffs: new Map() };
}

/**
 * A match with the operations that wait. Those that need a person are not applied: the cards show what the server has.
 *
 * @param {any} match a `quiver.v1.EliminationMatch` with its cards
 * @param {readonly import("./entries.js").Entry[]} [entries] of the match in the outbox, by sequence
 * @returns {{cards: [MatchCard, MatchCard], places: MatchPlace[], rules: MatchRules | null,
 *   score: MatchScore | null}}
 */
export function matchOf(match, entries = []) {
  /** @type {[MatchCard, MatchCard]} */
  const cards = [emptyMatchCard(), emptyMatchCard()];
  /** @type {Map<string, MatchPlace>} */
  const places = new Map();
  /** @type {any[]} */
  const sides = match.sides ?? [];
  sides.slice(0, 2).forEach((side, index) => {
    for (const entry of side.entries ?? []) put(index, entry, entry.operationClientId ?? "", false);
  });
  for (const { kind, state, operation, clientId } of entries) {
    const index = (operation.side ?? 0) - 1;
    const archer = operation.participantId ?? "0";
    if (kind !== "match" || state !== "waiting" || !sides[index]) continue;
    if (archer !== "0" && archer !== (sides[index].participantId ?? "0")) continue;
    put(index, operation.entry ?? {}, clientId, true);
  }
  const rules = matchRules(match.stage);
  const forfeits = sides.flatMap((side, index) => side.forfeited ? [index + 1] : []);
  return {
    cards, places: [...places.values()], rules, score: rules && matchScore(rules, cards, forfeits),
  };

  /** @param {number} side @param {any} entry @param {string} head @param {boolean} isWaiting */
  function put(side, entry, head, isWaiting) {
    /** @type {Arrow[]} */
    const arrows = (entry.arrows ?? []).map(arrowOf);
    const [isShootOff, index] = [entry.shootOff ?? false, entry.index ?? 0];
    const key = `${side}/${isShootOff}/${index}`;
    const card = cards[side];
    if (arrows.length === 0) {
      (isShootOff ? card.shootOffs : card.ends).delete(index);
      places.delete(key);
      return;
    }
    if (isShootOff) {
      card.shootOffs.set(index, { arrows, distances: entry.distances ?? [], isCloser: entry.isCloser ?? false });
    } else {
      card.ends.set(index, arrows);
    }
    places.set(key, { side: side === 0 ? 1 : 2, isShootOff, index, isWaiting, head });
  }
}

/**
 * Why arrows cannot be at a place of a match at all; null: they can.
 * @param {MatchRules} rules
 * @param {{isShootOff: boolean, index: number, arrows: readonly Arrow[], distances?: readonly number[]}} entry
 * @returns {{field: string, message: string} | null}
 */
export function faultOfEntry({ form, face }, { isShootOff, index, arrows, distances = [] }) {
  const count = isShootOff ? form.archersPerSide : form.arrowsPerEnd;
  if (!(index >= 0 && (isShootOff || index < form.endCount))) {
    return { field: "index", message: isShootOff ? "must not be negative" : `must be from 0 to ${form.endCount - 1}` };
  }
  if (distances.length !== 0 && distances.length !== count) {
    return { field: "distances", message: "must be none, or one for each arrow" };
  }
  if (!distances.every((one) => Number.isInteger(one) && one >= 0 && one <= longestDistance)) {
    return { field: "distances", message: `must be from 0 to ${longestDistance} tenths of a millimetre` };
  }
  if (arrows.length !== count) return { field: "arrows", message: `must be ${count} of one side` };
  for (const [place, arrow] of arrows.entries()) {
    const fault = faultOf(arrow, face);
    if (fault) return { field: `arrows[${place}].${fault.field}`, message: fault.message };
  }
  return null;
}

/** The largest distance of an arrow from the centre, in tenths of a millimetre: 2 m. */
const longestDistance = 20_000;

/**
 * The score of a match. The cards alone decide, so that any order of their operations leaves the same score.
 * @param {MatchRules} rules
 * @param {readonly [MatchCard, MatchCard]} cards
 * @param {readonly number[]} [forfeits] the sides, 1 or 2, that do not shoot or stopped
 * @returns {MatchScore}
 */
export function matchScore(rules, cards, forfeits = []) {
  const score = countEnds(rules.form, cards);
  if (!score.progress) shootOffs(rules, cards, score);
  if (forfeits.length > 0) {
    const left = [1, 2].filter((side) => !forfeits.includes(side));
    const winner = /** @type {0 | 1 | 2} */ (left[0] ?? 0);
    score.progress = { name: "decided", winner, decision: "forfeit" };
  }
  return /** @type {MatchScore} */ (score);
}

/**
 * Adds the ends in their order. Without a progress all were shot, and the match is tied.
 * @param {MatchForm} form
 * @param {readonly [MatchCard, MatchCard]} cards
 * @returns {Omit<MatchScore, "progress"> & {progress: MatchProgress | null}}
 */
function countEnds(form, cards) {
  const setPoints = [0, 0];
  const totals = [0, 0];
  for (let end = 0; end < form.endCount; end += 1) {
    const [first, second] = cards.map((card) => card.ends.get(end));
    if (!first || !second) {
      const isEmpty = cards.every((card) => card.ends.size === 0 && card.shootOffs.size === 0);
      /** @type {MatchProgress} */
      const progress = isEmpty ? { name: "scheduled" } : { name: "shooting", index: end };
      return { setPoints, totals, endsCounted: end, progress };
    }
    const sums = [sum(first), sum(second)];
    totals[0] += sums[0];
    totals[1] += sums[1];
    if (form.winningSetPoints === 0) continue;
    setPoints[0] += sums[0] > sums[1] ? 2 : sums[0] === sums[1] ? 1 : 0;
    setPoints[1] += sums[1] > sums[0] ? 2 : sums[0] === sums[1] ? 1 : 0;
    const side = setPoints.findIndex((points) => points >= form.winningSetPoints);
    if (side >= 0) return { setPoints, totals, endsCounted: end + 1, progress: won(side, "arrows") };
  }
  const isWon = form.winningSetPoints === 0 && totals[0] !== totals[1];
  const progress = isWon ? won(totals[0] > totals[1] ? 0 : 1, "arrows") : null;
  return { setPoints, totals, endsCounted: form.endCount, progress };
}

/** @param {number} side @param {MatchDecision} decision @returns {MatchProgress} */
function won(side, decision) {
  return { name: "decided", winner: side === 0 ? 1 : 2, decision };
}

/**
 * @param {MatchRules} rules
 * @param {readonly [MatchCard, MatchCard]} cards
 * @param {{setPoints: number[], progress: MatchProgress | null}} score
 */
function shootOffs(rules, cards, score) {
  for (let index = 0; ; index += 1) {
    const first = cards[0].shootOffs.get(index);
    const second = cards[1].shootOffs.get(index);
    if (!first || !second) {
      score.progress = { name: "shootOff", index };
      return;
    }
    const verdict = verdictOf(rules, first, second, index);
    if (verdict === "again") continue;
    score.progress = verdict === "tied" ? { name: "measuring", index } : verdict;
    if (score.progress.name === "decided" && rules.form.winningSetPoints > 0) {
      score.setPoints[score.progress.winner - 1] += 1;
    }
    return;
  }
}

/**
 * The higher total wins; then the arrow closest to the centre, then a team's next closest. It is shot again where
 * both sides missed, the first one hit the maximum and the rule of the day says so, or all distances are equal.
 * @param {MatchRules} rules
 * @param {ShootOff} first
 * @param {ShootOff} second
 * @param {number} index
 * @returns {MatchProgress | "again" | "tied"}
 */
function verdictOf(rules, first, second, index) {
  const totals = [sum(first.arrows), sum(second.arrows)];
  if (totals[0] !== totals[1]) return won(totals[0] > totals[1] ? 0 : 1, "shootOff");
  if (totals[0] === 0) return "again";
  const maximum = rules.repeatedMaximum;
  if (index === 0 && maximum && [...first.arrows, ...second.arrows].every((arrow) =>
    arrow.value === maximum.value && (arrow.isX || !maximum.isX))) return "again";
  if (first.isCloser !== second.isCloser) return won(first.isCloser ? 0 : 1, "judgesMark");
  if (first.distances.length === 0 || second.distances.length === 0) return "tied";
  const left = [...first.distances].sort((one, other) => one - other);
  const right = [...second.distances].sort((one, other) => one - other);
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    if (left[place] === right[place]) continue;
    return won(right[place] === undefined || left[place] < right[place] ? 0 : 1, "distance");
  }
  return "again";
}

/** @param {readonly Arrow[]} arrows */
function sum(arrows) {
  return arrows.reduce((total, arrow) => total + arrow.value, 0);
}
