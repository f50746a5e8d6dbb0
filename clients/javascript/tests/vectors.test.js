// The vectors that QuiverSession passes too; Tests/Fixtures/session/README.md says what they mean.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { scoring } from "../src/index.js";

const read = (name) => JSON.parse(readFileSync(
  new URL(`../../../Tests/Fixtures/session/${name}.json`, import.meta.url), "utf8"));
const slot = (pair) => pair && { endIndex: pair[0], arrowIndex: pair[1] };
const pair = (one) => one && [one.endIndex, one.arrowIndex];
const text = (arrow) => arrow && scoring.arrowText(arrow);
const arrow = (found) => scoring.arrowOfText(found);
const arrows = (found) => found.map(arrow);

const formats = new Map(read("formats").map((one) => [one.name, {
  location: one.location,
  passes: one.passes.map(({ arrows: count, arrows_per_end: arrowsPerEnd, face }) =>
    ({ arrows: count, arrowsPerEnd, face })),
}]));

/** Runs each case of a file, of which there is at least one. */
function cases(name, run) {
  const all = read(name);
  assert.ok(all.length > 0);
  all.forEach((one, index) => run(one, `${name}[${index}]`));
}

test("faces have their arrows, and give positions their values", () => {
  assert.deepEqual([...scoring.faces.keys()], read("faces").map((one) => one.face));
  cases("faces", ({ face: name, buttons, hits }, at) => {
    const face = scoring.faces.get(name);
    assert.deepEqual(scoring.buttons(face).map(text), buttons, at);
    for (const one of scoring.buttons(face)) assert.equal(scoring.faultOf(one, face), null, at);
    for (const value of [-1, 0.5, 12]) assert.equal(scoring.faultOf({ value, isX: false }, face)?.field, "value", at);
    assert.equal(scoring.faultOf({ value: face.values.at(-1), isX: true }, face)?.field, "is_x", at);
    for (const hit of hits) {
      const found = scoring.arrowAt(face, { x: hit.x, y: hit.y, arrowMillimetres: hit.arrow_mm,
        faceCentimetres: hit.face_cm });
      assert.equal(text(found), hit.arrow, `${at} ${JSON.stringify(hit)}`);
    }
  });
});

test("formats have their ends and slots", () => {
  cases("formats", (one, at) => {
    const format = formats.get(one.name);
    assert.ok(scoring.isKnown(format), at);
    const count = scoring.endCount(format);
    assert.deepEqual(Array.from({ length: count }, (_, index) => scoring.endOf(format, index).arrowCount),
      one.end_sizes, at);
    assert.equal(scoring.endOf(format, count), null, at);
    assert.equal(scoring.arrowCount(format), one.arrow_count, at);
    assert.equal(scoring.maximumScore(format), one.maximum, at);
    const found = Array.from({ length: one.arrow_count + 1 }, (_, number) => pair(scoring.slotOfArrow(format, number)));
    assert.deepEqual(found, [...one.slots, null], at);
  });
});

test("cards show the server's arrows with those that wait", () => {
  cases("cards", (one, at) => {
    const standing = one.standing.map((each, index) => ({ ...slot(each.slot), ...arrow(each.arrow),
      retracted: each.retracted, operationId: String(index + 1) }));
    const entries = one.waiting.map((each, index) => ({ kind: "arrow", state: each.state, clientId: `own${index}`,
      operation: { ...slot(each.slot), ...each.arrow && arrow(each.arrow),
        kind: each.arrow ? "OPERATION_KIND_RECORD" : "OPERATION_KIND_RETRACT" } }));
    const card = scoring.cardOf(formats.get(one.format), standing, entries);
    const shown = card.ends.flatMap((end) => end.arrows).filter((each) => each !== null).map((each) => ({
      slot: pair(each.slot), arrow: text(each.arrow), held: text(each.held), mark: each.mark }));
    assert.deepEqual(shown, one.slots, at);
    assert.deepEqual(card.ends.map((end) => ({ total: end.total, running_total: end.runningTotal,
      complete: end.isComplete })), one.ends, at);
    const { tally } = card;
    assert.deepEqual({ total: tally.total, x: tally.xCount, tens: tally.tenCount, hits: tally.hitCount,
      golds: tally.goldCount, arrows: tally.arrowCount, ends_completed: tally.endsCompleted,
      counts: tally.counts }, one.tally, at);
    assert.deepEqual(pair(card.firstOpen), one.open, at);
    assert.equal(card.isComplete, one.open === null, at);
  });
});

test("turns go on as the server says", () => {
  cases("turns", ({ last, candidates, turn }, at) => {
    const found = scoring.turnAfter({ participant: last.participant, order: last.order, endIndex: last.end,
      open: slot(last.open) }, candidates.map((one) => ({ ...one, open: slot(one.open) })));
    assert.equal(found.kind, turn.kind, at);
    if (turn.kind === "done") return;
    assert.deepEqual([found.participant, pair(found.slot)], [turn.participant, turn.slot], at);
  });
});

test("matches have their set points, totals and decision", () => {
  cases("matches", (one, at) => {
    const stage = { system: one.system, face: one.face, ruleDay: one.rule_day,
      repeatedMaximum: one.repeated_maximum && arrow(one.repeated_maximum) };
    const sides = one.cards.map((card, index) => ({
      seed: index + 1, forfeited: one.forfeits.includes(index + 1),
      entries: [
        ...Object.entries(card.ends).map(([end, found]) => ({ index: Number(end), arrows: arrows(found) })),
        ...Object.entries(card.shoot_offs).map(([end, shot]) => ({ shootOff: true, index: Number(end),
          arrows: arrows(shot.arrows), distances: shot.distances, isCloser: shot.closer })),
      ],
    }));
    const { score } = scoring.matchOf({ id: "1", stage, sides });
    assert.deepEqual({ set_points: score.setPoints, totals: score.totals, ends_counted: score.endsCounted,
      progress: score.progress }, one.score, at);
  });
});

test("ends agree in any order, and are written highest first", () => {
  cases("ends", (one, at) => {
    assert.equal(scoring.agrees(arrows(one.first), arrows(one.second)), one.agrees, at);
    assert.deepEqual(scoring.highestFirst(arrows(one.first)).map(text), one.highest_first, at);
  });
});

test("verdicts leave the states of the table, and an unknown one needs a person", () => {
  cases("verdicts", (one, at) => assert.equal(scoring.stateAfter(one.verdict), one.state, at));
  assert.equal(scoring.stateAfter("VERDICT_OF_A_NEWER_SERVER"), "refused");
  assert.equal(scoring.stateAfter(undefined), "refused");
});
