/**
 * The rules of scoring as pure functions: what `QuiverSession` computes for apps, for pages. Messages are those of
 * `quiver.v1` as proto3 JSON.
 */
export { agrees, arrowAt, arrowOf, arrowOfText, arrowText, buttons, faces, faultOf, highestFirst,
  isSameArrow } from "./faces.js";
export { arrowCount, endCount, endOf, isKnown, maximumScore, slotOfArrow } from "./formats.js";
export { arrowIn, cardOf, openInEnd, tallyOf } from "./cards.js";
export { faultOfEntry, matchOf, matchRules, matchScore } from "./matches.js";
export { needsPerson, stateAfter } from "./entries.js";
export { positionOf, turnAfter } from "./turns.js";
