/**
 * The score of one arrow. An X counts as X and as its value; 0 is a miss.
 * @typedef {{value: number, isX: boolean}} Arrow
 */

/**
 * What a face scores, and where. `values`: highest first, without 0. `rings`: smallest first, with diameters as
 * fractions of the nominal face's; empty: arrows have only a value. `xRing`: 0 if the face has no X.
 * @typedef {{name: string, code: string, values: readonly number[],
 *   rings: readonly {diameter: number, value: number}[], xRing: number}} Face
 */

const tenZone = [[0.1, 10], [0.2, 9], [0.3, 8], [0.4, 7], [0.5, 6], [0.6, 5], [0.7, 4], [0.8, 3], [0.9, 2],
  [1, 1]];
const compound = [[0.05, 10], ...tenZone.slice(1)];
const elevenZone = [[0.05, 11], ...tenZone];
const fiveRings = [[0.2, 5], [0.4, 4], [0.6, 3], [0.8, 2], [1, 1]];

/**
 * @param {string} name
 * @param {string} code
 * @param {number[][]} rings
 * @param {number} [xRing]
 * @param {number[]} [values]
 * @returns {[string, Face]}
 */
function face(name, code, rings, xRing = 0, values = rings.map(([, value]) => value)) {
  return [name, Object.freeze({
    name, code, xRing, values: Object.freeze(values),
    rings: Object.freeze(rings.map(([diameter, value]) => Object.freeze({ diameter, value }))),
  })];
}

/**
 * The faces by their names of proto3 JSON, as `FACE_10_ZONE`: those of `Rounds/ListFaces`.
 * @type {ReadonlyMap<string, Face>}
 */
export const faces = new Map([
  face("FACE_5_ZONE", "5_zone", [[0.2, 9], [0.4, 7], [0.6, 5], [0.8, 3], [1, 1]]),
  face("FACE_10_ZONE", "10_zone", tenZone, 0.05),
  face("FACE_10_ZONE_COMPOUND", "10_zone_compound", compound),
  face("FACE_10_ZONE_6_RING", "10_zone_6_ring", tenZone.slice(0, 6), 0.05),
  face("FACE_10_ZONE_5_RING", "10_zone_5_ring", tenZone.slice(0, 5), 0.05),
  face("FACE_10_ZONE_5_RING_COMPOUND", "10_zone_5_ring_compound", compound.slice(0, 5)),
  face("FACE_11_ZONE", "11_zone", elevenZone),
  face("FACE_11_ZONE_6_RING", "11_zone_6_ring", elevenZone.slice(0, 7)),
  face("FACE_11_ZONE_5_RING", "11_zone_5_ring", elevenZone.slice(0, 6)),
  face("FACE_WA_FIELD", "WA_field", [[0.1, 6], [0.2, 5], [0.4, 4], [0.6, 3], [0.8, 2], [1, 1]]),
  face("FACE_IFAA_FIELD", "IFAA_field", [[0.2, 5], [0.6, 4], [1, 3]]),
  face("FACE_IFAA_FIELD_EXPERT", "IFAA_field_expert", fiveRings),
  face("FACE_AA_NATIONAL_FIELD", "AA_national_field", fiveRings),
  face("FACE_BEITER_HIT_MISS", "Beiter_hit_miss", [[1, 1]]),
  face("FACE_WORCESTER", "Worcester", fiveRings),
  face("FACE_WORCESTER_2_RING", "Worcester_2_ring", fiveRings.slice(0, 2)),
  face("FACE_3D", "3D", [], 0, [11, 10, 8, 5]),
]);

/** The highest value of any face. */
export const highestValue = 11;

/** The largest distance beyond a line at which an arrow still touches it, in radii of the face. */
const tolerance = 1e-9;

/**
 * The arrows that a face can have, in the order of buttons: X, then the values from the highest, then a miss.
 * @param {Face} face
 * @returns {Arrow[]}
 */
export function buttons(face) {
  const x = face.xRing > 0 ? [{ value: face.values[0], isX: true }] : [];
  return [...x, ...[...face.values, 0].map((value) => ({ value, isX: false }))];
}

/**
 * Why an arrow cannot be on a face; null: it can.
 * @param {Arrow} arrow
 * @param {Face} face
 * @returns {{field: "value" | "is_x", message: string} | null}
 */
export function faultOf(arrow, face) {
  if (arrow.value !== 0 && !face.values.includes(arrow.value)) {
    return { field: "value", message: `must be one of ${face.values.join(", ")} or 0 on this face` };
  }
  if (!arrow.isX || (face.xRing > 0 && arrow.value === face.values[0])) return null;
  return {
    field: "is_x",
    message: face.xRing > 0 ? `goes with ${face.values[0]} alone` : "cannot be, for this face has no X ring",
  };
}

/**
 * The arrow at a position in radii of the nominal face: a line cutter scores the higher value. Null: the face is
 * scored by values only.
 * @param {Face} face
 * @param {{x: number, y: number, arrowMillimetres: number, faceCentimetres: number}} hit
 * @returns {Arrow | null}
 */
export function arrowAt(face, { x, y, arrowMillimetres, faceCentimetres }) {
  if (face.rings.length === 0 || !(faceCentimetres > 0)) return null;
  const reach = arrowMillimetres / (faceCentimetres * 10) + tolerance;
  const radius = Math.sqrt(x * x + y * y);
  if (face.xRing > 0 && radius <= face.xRing + reach) return { value: face.values[0], isX: true };
  const ring = face.rings.find(({ diameter }) => radius <= diameter + reach);
  return { value: ring?.value ?? 0, isX: false };
}

/**
 * The text on a score sheet: `X`, the value, or `M` for a miss.
 * @param {Arrow} arrow
 * @returns {string}
 */
export function arrowText(arrow) {
  return arrow.isX ? "X" : arrow.value === 0 ? "M" : String(arrow.value);
}

/**
 * The arrow that a text on a score sheet means; null: none.
 * @param {string} text
 * @returns {Arrow | null}
 */
export function arrowOfText(text) {
  if (text === "X" || text === "x") return { value: 10, isX: true };
  if (text === "M" || text === "m" || text === "0") return { value: 0, isX: false };
  if (!/^[0-9]{1,2}$/.test(text)) return null;
  const value = Number(text);
  return value >= 1 && value <= highestValue ? { value, isX: false } : null;
}

/**
 * The arrow of a message of proto3 JSON, in which defaults are absent.
 * @param {{value?: number, isX?: boolean}} message
 * @returns {Arrow}
 */
export function arrowOf(message) {
  return { value: message.value ?? 0, isX: message.isX ?? false };
}

/**
 * @param {Arrow | null | undefined} one
 * @param {Arrow | null | undefined} other
 */
export function isSameArrow(one, other) {
  if (!one || !other) return !one && !other;
  return one.value === other.value && one.isX === other.isX;
}

/**
 * The order on a score sheet: highest first, X before its value.
 * @template {Arrow} T
 * @param {readonly T[]} arrows
 * @returns {T[]}
 */
export function highestFirst(arrows) {
  return [...arrows].sort((one, other) => other.value - one.value || Number(other.isX) - Number(one.isX));
}

/**
 * Whether two ends have the same arrows, in any order.
 * @param {readonly Arrow[]} one
 * @param {readonly Arrow[]} other
 */
export function agrees(one, other) {
  if (one.length !== other.length) return false;
  const sorted = highestFirst(other);
  return highestFirst(one).every((arrow, index) => isSameArrow(arrow, sorted[index]));
}
