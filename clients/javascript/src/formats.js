import { faces } from "./faces.js";

/** @typedef {import("./faces.js").Face} Face */

/**
 * A `quiver.v1.RoundFormat` of proto3 JSON, as far as scoring reads it.
 * @typedef {{location?: string, passes?: Pass[]}} Format
 */

/** @typedef {{arrows?: number, arrowsPerEnd?: number, face?: string, diameterCm?: number}} Pass */

/**
 * Where an end is: `passIndex` from 0, `arrowCount` its slots.
 * @typedef {{index: number, passIndex: number, pass: Pass, face: Face, arrowCount: number}} FormatEnd
 */

/**
 * Where an arrow goes: the end from 0 through all passes, the arrow from 0 within the end.
 * @typedef {{endIndex: number, arrowIndex: number}} Slot
 */

/**
 * Whether this version knows everything of a format that scoring needs. One of a newer server may have a face that
 * it does not know; then the page is too old to score it.
 * @param {Format} format
 */
export function isKnown(format) {
  const passes = format.passes ?? [];
  return passes.length > 0
    && passes.every((pass) => faces.has(pass.face ?? "") && (pass.arrows ?? 0) > 0 && perEnd(format, pass) > 0);
}

/**
 * How many ends there are.
 * @param {Format} format
 */
export function endCount(format) {
  return sum(format, (pass) => endsOf(format, pass));
}

/** @param {Format} format */
export function arrowCount(format) {
  return sum(format, (pass) => pass.arrows ?? 0);
}

/** @param {Format} format */
export function maximumScore(format) {
  return sum(format, (pass) => (pass.arrows ?? 0) * (faces.get(pass.face ?? "")?.values[0] ?? 0));
}

/**
 * The end of an index; null: the format has none, or this version does not know its face.
 * @param {Format} format
 * @param {number} index
 * @returns {FormatEnd | null}
 */
export function endOf(format, index) {
  if (!(index >= 0)) return null;
  let first = 0;
  for (const [passIndex, pass] of (format.passes ?? []).entries()) {
    const count = endsOf(format, pass);
    if (index < first + count) {
      const face = faces.get(pass.face ?? "");
      if (!face) return null;
      const size = perEnd(format, pass);
      const before = (index - first) * size;
      return { index, passIndex, pass, face, arrowCount: Math.min(size, (pass.arrows ?? 0) - before) };
    }
    first += count;
  }
  return null;
}

/**
 * The slot of the arrow that is shot as the `number`-th, from 0; null: there is none.
 * @param {Format} format
 * @param {number} number
 * @returns {Slot | null}
 */
export function slotOfArrow(format, number) {
  if (!(number >= 0)) return null;
  let end = 0;
  let left = number;
  for (const pass of format.passes ?? []) {
    const arrows = pass.arrows ?? 0;
    const size = perEnd(format, pass);
    if (left < arrows) return { endIndex: end + Math.floor(left / size), arrowIndex: left % size };
    left -= arrows;
    end += endsOf(format, pass);
  }
  return null;
}

/** @param {Format} format @param {Pass} pass */
function perEnd(format, pass) {
  return pass.arrowsPerEnd || (format.location === "ROUND_LOCATION_OUTDOOR" ? 6 : 3);
}

/** @param {Format} format @param {Pass} pass */
function endsOf(format, pass) {
  return Math.ceil((pass.arrows ?? 0) / perEnd(format, pass));
}

/** @param {Format} format @param {(pass: Pass) => number} of */
function sum(format, of) {
  return (format.passes ?? []).reduce((total, pass) => total + of(pass), 0);
}
