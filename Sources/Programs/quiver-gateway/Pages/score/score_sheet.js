import { scoring } from "./score_quiver.js";

/**
 * An archer, or a side of a match, as the page shows it. `ends`: those that are shot here, from 0.
 * @typedef {{id: string, participant: string, letter: string, name: string, about: string, brief: string, order: number, format: any, isKnown: boolean,
 *   first: number, ends: RowEnd[], state: "shoots" | "absent" | "stopped" | "outside" | "watched" | "signed", summary: any,
 *   revision: string, compared: any[], rating?: {handicap: number | null, name: string}, side?: 1 | 2, archers?: Archer[], parts?: any[]}} Row
 */

/**
 * One who may agree to a correction of another row: its archer, or one of its team.
 * @typedef {{participant: string, name: string}} Archer
 */

/**
 * An end of a row. `index`: on the card. `arrows`: by slot, null where none is.
 * @typedef {{index: number, number: number, face: any, pass: any, size: number, arrows: (any | null)[], total: number,
 *   running: number, isFull: boolean, isOwed: boolean, isShootOff: boolean, state: string, other: any[]}} RowEnd
 */

/**
 * What a target shows. `current`: the end that is entered, from 0. `position`: where the next arrow goes; null: nowhere.
 * `canClose`: all who shoot have the end. `owed`: open arrows of ends before.
 * @typedef {{kind: "first" | "second" | "match", rows: Row[], count: number, current: number,
 *   position: {row: Row, end: RowEnd, arrowIndex: number} | null, canClose: boolean, isDone: boolean,
 *   owed: {row: Row, end: RowEnd}[], match?: any}} Sheet
 */

const outside = new Map([["EVENT_ENTRY_STATE_DID_NOT_START", "absent"], ["EVENT_ENTRY_STATE_DID_NOT_FINISH", "stopped"],
  ["EVENT_ENTRY_STATE_WITHDRAWN", "stopped"], ["EVENT_ENTRY_STATE_DISQUALIFIED", "stopped"]]);

/**
 * What a view of a target has from the start.
 * @returns {any}
 */
export function emptyView() {
  return { cursor: null, closed: null, away: {}, owed: {}, isGreeted: false, drafts: {}, compared: 0 };
}

/**
 * The sheet of a card of a target.
 *
 * @param {any} target a `WatchedTarget`
 * @param {Map<string, any>} cards of first cards a `Card`, of second ones the ends, by participant
 * @param {any} view
 * @param {any[]} pending arrows that are being stored
 * @returns {Sheet}
 */
export function sheetOfTarget(target, cards, view, pending) {
  const isFirst = (target.lease.card ?? 1) === 1;
  const rows = (target.entries ?? []).map((/** @type {any} */ one) => rowOf(one, isFirst, cards, view, pending))
    .sort((/** @type {Row} */ one, /** @type {Row} */ other) => one.order - other.order);
  return finished({ kind: isFirst ? "first" : "second", rows, view });
}

/**
 * @param {any} watched
 * @param {boolean} isFirst
 * @param {Map<string, any>} cards
 * @param {any} view
 * @param {any[]} pending
 * @returns {Row}
 */
function rowOf(watched, isFirst, cards, view, pending) {
  const { entry, format, round } = watched;
  const id = String(entry.participantId);
  const isKnown = scoring.isKnown(format ?? {});
  const first = round?.firstEnd ?? 0;
  const compared = watched.ends ?? [];
  /** @type {Row} */
  const row = { id, participant: id, letter: entry.letter ?? "", name: entry.displayName ?? "", order: (entry.letter ?? "A").charCodeAt(0),
    about: [entry.categoryCode, entry.bib, entry.club].filter(Boolean).join(" · "),
    brief: [entry.categoryCode, entry.bib].filter(Boolean).join(" · "), format, isKnown, first, ends: [],
    state: "shoots", summary: watched.card ?? null, revision: String(watched.cardRevision ?? "0"), compared,
    rating: { handicap: watched.handicap ?? null, name: watched.className ?? "" }, parts: watched.parts ?? [] };
  if (outside.has(entry.state)) row.state = "outside";
  else if (view.away[id]) row.state = view.away[id];
  else if (watched.card?.status === "CARD_STATUS_CONFIRMED") row.state = "signed";
  else if (format && !watched.mayScore) row.state = "watched";
  if (!isKnown) return row;
  const count = round?.endCount ?? scoring.endCount(format) - first;
  const card = cards.get(id);
  let running = 0;
  for (let number = 0; number < count; number += 1) {
    const end = scoring.endOf(format, first + number);
    if (!end) break;
    const { index, face, pass, arrowCount } = end;
    /** @type {(any | null)[]} */
    let arrows = Array(arrowCount).fill(null);
    if (isFirst) {
      arrows = (card?.ends[index]?.arrows ?? arrows).slice();
    } else {
      const known = card?.get(index);
      known?.arrows.forEach((/** @type {any} */ arrow, /** @type {number} */ place) => {
        arrows[place] = { arrow, mark: known.isWaiting ? "waiting" : "synced" };
      });
    }
    const draft = view.drafts[id];
    if (draft?.number === number) arrows = arrows.map((_, place) => draft.arrows[place]
      ? { arrow: draft.arrows[place], mark: "draft" } : null);
    for (const one of pending) {
      if (one.id === id && one.number === number) arrows[one.arrowIndex] = { arrow: one.arrow, mark: "storing" };
    }
    const total = sum(arrows);
    running += total;
    const other = compared.find((/** @type {any} */ one) => (one.endIndex ?? 0) === index);
    row.ends.push({ index, number, face, pass, size: arrowCount, arrows, total, running,
      isFull: arrows.every((one) => one?.arrow), isOwed: (view.owed[id] ?? []).includes(number) || isOwed(watched, index), isShootOff: false,
      state: (other?.state ?? "").replace("CARD_END_STATE_", ""), other: (isFirst ? other?.second : other?.first) ?? [] });
  }
  return row;
}

/**
 * Whether arrows of an end are owed after an equipment failure, as the server has it: also on a phone that took the target over.
 * @param {any} watched a `WatchedEntry`
 * @param {number} index of the end on the card
 */
function isOwed(watched, index) {
  return (watched.owed ?? []).some((/** @type {any} */ one) => (one.endIndex ?? 0) === index);
}

/**
 * The sheet of a match that is placed on a target.
 *
 * @param {any} found what `Outbox.match` has
 * @param {string} target the number of the target
 * @param {any} view
 * @param {any[]} pending
 * @returns {Sheet}
 */
export function sheetOfMatch({ match, cards, rules, score, places }, target, view, pending) {
  const onlySides = match.sides?.some((/** @type {any} */ side) => String(side.target ?? 0) === target);
  const rows = (match.sides ?? []).slice(0, 2).map((/** @type {any} */ side, /** @type {number} */ index) => {
    const isHere = !onlySides || String(side.target ?? 0) === target;
    const id = `${match.id}/${index + 1}`;
    /** @type {Row} */
    const row = { id, participant: String(side.participantId ?? "0"), letter: String.fromCharCode(65 + index), name: side.displayName ?? "", order: index,
      about: membersOf(side), brief: membersOf(side), format: null,
      isKnown: rules !== null, first: 0, ends: [], state: isHere ? "shoots" : "watched",
      summary: { isConfirmed: side.confirmed ?? false, isForfeited: side.forfeited ?? false }, revision: "", compared: [],
      side: index === 0 ? 1 : 2,
      archers: (side.members ?? []).map((/** @type {any} */ one) => ({ participant: String(one.participantId), name: one.displayName ?? "" })) };
    if (!rules) return row;
    const shootOffs = score?.progress.name === "shootOff" ? score.progress.index + 1
      : Math.max(...cards.map((/** @type {any} */ card) => card.shootOffs.size));
    let running = 0;
    for (let number = 0; number < rules.form.endCount + shootOffs; number += 1) {
      const isShootOff = number >= rules.form.endCount;
      const place = isShootOff ? number - rules.form.endCount : number;
      const size = isShootOff ? rules.form.archersPerSide : rules.form.arrowsPerEnd;
      const card = cards[index];
      const stored = isShootOff ? card.shootOffs.get(place)?.arrows : card.ends.get(place);
      const at = places.find((/** @type {any} */ one) => one.side === index + 1 && one.isShootOff === isShootOff
        && one.index === place);
      /** @type {(any | null)[]} */
      let arrows = Array.from({ length: size }, (_, slot) => stored?.[slot]
        ? { arrow: stored[slot], mark: at?.isWaiting ? "waiting" : "synced" } : null);
      const draft = view.drafts[id];
      if (draft?.number === number) arrows = arrows.map((_, slot) => draft.arrows[slot]
        ? { arrow: draft.arrows[slot], mark: "draft" } : null);
      for (const one of pending) {
        if (one.id === id && one.number === number) arrows[one.arrowIndex] = { arrow: one.arrow, mark: "storing" };
      }
      const total = sum(arrows);
      if (!isShootOff) running += total;
      row.ends.push({ index: place, number, face: rules.face, pass: null, size, arrows, total, running,
        isFull: arrows.every((one) => one?.arrow), isOwed: false, isShootOff, state: "", other: [] });
    }
    return row;
  });
  const progress = score?.progress ?? { name: "decided" };
  const isDone = (progress.name === "decided" || progress.name === "measuring") && !hasOpen(rows, view);
  // The ends after the one that decided are not shot.
  if (isDone && score && rules && score.endsCounted < rules.form.endCount) for (const row of rows) row.ends.length = Math.max(1, score.endsCounted);
  const sheet = finished({ kind: "match", rows, view });
  return { ...sheet, position: isDone ? null : sheet.position, match: { match, score, rules, cards }, isDone };
}

/**
 * The archers of a team in their order.
 * @param {any} side
 */
function membersOf(side) {
  return (side.members ?? []).map((/** @type {any} */ one) => one.displayName).join(", ");
}

/** @param {Row[]} rows @param {any} view */
function hasOpen(rows, view) {
  const current = currentOf(rows, view);
  return rows.some((row) => row.ends[current] && row.ends[current].arrows.some((one) => one)
    && (view.closed ?? 0) <= current && current < row.ends.length);
}

/**
 * The end that is entered: the one after those that were closed; before any was, the first that somebody has open.
 * @param {Row[]} rows
 * @param {any} view
 */
function currentOf(rows, view) {
  const shooting = rows.filter((row) => row.state === "shoots");
  const count = Math.max(0, ...rows.map((row) => row.ends.length));
  if (view.closed !== null) return Math.min(view.closed, count);
  const open = shooting.map((row) => {
    // What is owed is shot later.
    const found = row.ends.findIndex((end) => !end.isFull && !end.isOwed);
    return found < 0 ? row.ends.length : found;
  });
  return open.length > 0 ? Math.min(...open) : count;
}

/**
 * @param {{kind: Sheet["kind"], rows: Row[], view: any}} sheet
 * @returns {Sheet}
 */
function finished({ kind, rows, view }) {
  const count = Math.max(0, ...rows.map((row) => row.ends.length));
  const current = currentOf(rows, view);
  const shooting = rows.filter((row) => row.state === "shoots" && row.isKnown);
  const owed = shooting.flatMap((row) => row.ends.filter((end) => !end.isFull
    && (end.number < current || (end.number === current && end.isOwed))).map((end) => ({ row, end })));
  const due = shooting.filter((row) => row.ends[current] && !row.ends[current].isFull && !row.ends[current].isOwed);
  const chosen = shooting.find((row) => row.id === view.cursor?.id);
  let position = null;
  const end = chosen?.ends[view.cursor?.number ?? -1];
  if (chosen && end && !end.isFull && (end.number === current ? !end.isOwed || view.cursor.isChosen
    : end.number < current && view.cursor.isChosen)) {
    position = at(chosen, end);
  } else if (due.length > 0) {
    // After owed arrows the end goes on with whom it was at.
    const isIn = chosen !== undefined && view.cursor.number === current;
    const next = due.find((row) => isIn && row.order > chosen.order) ?? due[0];
    position = at(next, next.ends[current]);
  }
  const hasArrows = rows.some((row) => row.ends[current]?.arrows.some((one) => one?.arrow));
  return { kind, rows, count, current, position, owed,
    canClose: current < count && due.length === 0 && (hasArrows || shooting.length > 0),
    // Of a round that is not known yet there are no ends.
    isDone: count > 0 && current >= count };
}

/** @param {Row} row @param {RowEnd} end */
function at(row, end) {
  return { row, end, arrowIndex: end.arrows.findIndex((one) => !one?.arrow) };
}

/** @param {(any | null)[]} arrows */
function sum(arrows) {
  return arrows.reduce((total, one) => total + (one?.arrow?.value ?? 0), 0);
}

/**
 * The sums of a row, or of a part of its ends.
 * @param {Row} row
 * @param {(end: RowEnd) => boolean} [holds]
 */
export function tally(row, holds = () => true) {
  const found = { total: 0, tens: 0, xs: 0, hits: 0, golds: 0, hasX: false };
  for (const end of row.ends) {
    if (!holds(end)) continue;
    found.hasX ||= end.face.xRing > 0;
    for (const one of end.arrows) {
      if (!one?.arrow) continue;
      found.total += one.arrow.value;
      if (one.arrow.isX) found.xs += 1;
      if (one.arrow.value === 10) found.tens += 1;
      if (one.arrow.value > 0) found.hits += 1;
      if (one.arrow.value === end.face.values[0]) found.golds += 1;
    }
  }
  return found;
}

/**
 * The distances of a round of several that have all their arrows, with the numbers that the server gives them and who has
 * confirmed each.
 * @param {Row} row
 * @returns {{part: number, pass: any, name: string, isArcher: boolean, isScorer: boolean}[]}
 */
export function partsOf(row) {
  const passes = row.format?.passes ?? [];
  if (passes.length < 2) return [];
  return passes.flatMap((/** @type {any} */ pass, /** @type {number} */ place) => {
    const ends = row.ends.filter((end) => end.pass === pass);
    if (ends.length === 0 || !ends.every((end) => end.isFull)) return [];
    const known = row.parts?.find((one) => one.part === place + 1);
    // Two distances of a round can be the same.
    const isOnly = passes.every((/** @type {any} */ other) => other === pass || passText(other) !== passText(pass));
    return [{ part: place + 1, pass, name: isOnly ? passText(pass) : `${passText(pass)} (${place + 1})`, isArcher: known?.archerConfirmed ?? false, isScorer: known?.scorerConfirmed ?? false }];
  });
}

/**
 * The distances whose arrows are all there, with what the paper has of each. Of a round of one distance the paper is that of the card.
 * `counts`: what a paper has beside its total, by the names of fields.
 * @param {Row} row
 */
export function papersOf(row) {
  const [only, ...others] = row.format?.passes ?? [];
  const isFull = row.ends.length > 0 && row.ends.every((end) => end.isFull);
  const { summary } = row;
  const found = others.length > 0 ? partsOf(row).map((one) => ({ part: one.part, pass: one.pass, name: one.name,
    paper: row.parts?.find((known) => known.part === one.part)?.paper, isClosed: one.isArcher && one.isScorer || row.state === "signed" }))
    : only && isFull ? [{ part: 0, pass: only, name: passText(only), paper: summary?.paper, isClosed: row.state === "signed" }] : [];
  return found.map((one) => {
    const sums = tally(row, (end) => end.pass === one.pass);
    const { paper } = one;
    const face = row.ends.find((end) => end.pass === one.pass)?.face;
    const isTens = face?.values[0] === 10;
    const hasX = isTens && face.xRing > 0;
    /** @type {{[name: string]: number}} */
    const here = { total: sums.total, hits: sums.hits, golds: sums.golds, xCount: sums.xs };
    const isEqual = Boolean(paper) && (paper.total ?? 0) === here.total
      && ["hits", "golds", "xCount"].every((name) => (paper[name] ?? here[name]) === here[name]);
    /** @type {{[name: string]: string}} */
    const counts = hasX ? { golds: "tens", xCount: "xs" } : isTens ? { hits: "hits", golds: "tens" } : { hits: "hits", golds: "golds" };
    return { ...one, here, counts, isEqual };
  });
}

/**
 * The arrows of an end as a score sheet shows them: highest first, open slots last; each with its slot.
 * @param {RowEnd} end
 * @returns {{slot: number, one: any | null}[]}
 */
export function sheetOrder(end) {
  return end.arrows.map((one, slot) => ({ slot, one })).sort((one, other) => rank(other.one) - rank(one.one)
    || one.slot - other.slot);
}

/** @param {any} one */
function rank(one) {
  return one?.arrow ? one.arrow.value * 2 + (one.arrow.isX ? 1 : 0) : -1;
}

/**
 * The distance of an end, as on a score sheet.
 * @param {RowEnd} end
 */
export function distanceOf(end) {
  return end.pass ? passText(end.pass) : "";
}

/** @param {any} pass */
export function passText(pass) {
  const unit = pass.unit === "DISTANCE_UNIT_YARD" ? "yd" : "m";
  const face = pass.diameterCm ? ` · ${pass.diameterCm} cm` : "";
  return `${pass.distance ?? ""} ${unit}${face}`;
}

/**
 * The index of the last element of which something holds; -1: of none.
 * @template T
 * @param {readonly T[]} list
 * @param {(one: T) => boolean} holds
 */
export function lastIndex(list, holds) {
  for (let index = list.length - 1; index >= 0; index -= 1) if (holds(list[index])) return index;
  return -1;
}
