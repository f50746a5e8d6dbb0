import { QuiverError } from "./errors.js";

/**
 * The proto3 JSON of a request: BigInt becomes the text of its digits, bytes become base64.
 *
 * Throws INVALID_ARGUMENT for a number that JSON cannot carry exactly: an int64 is a text or a BigInt.
 *
 * @param {object} request
 * @returns {string}
 */
export function encode(request) {
  return JSON.stringify(request, (name, value) => {
    if (typeof value === "bigint") return value.toString();
    if (value instanceof Uint8Array) return base64(value);
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw new QuiverError("INVALID_ARGUMENT",
        `${name}: the number ${value} is not exact; give a text or a BigInt`,
        { notProcessed: true });
    }
    return value;
  });
}

/**
 * Bytes in base64 with padding, as replies have them.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function base64(bytes) {
  let text = "";
  // A call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(text);
}
