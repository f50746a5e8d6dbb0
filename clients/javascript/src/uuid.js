// Node 18 does not have it as a global.
const nodeCrypto = "node:crypto";
/** @type {Crypto} */
const source = globalThis.crypto ?? (await import(nodeCrypto)).webcrypto;

const randomBits = 74n;

/**
 * The last UUID of a sequence: its milliseconds and its random bits.
 * @typedef {{milliseconds: number, random: bigint}} LastUUID
 */

/**
 * A random number of some bytes.
 * @param {number} count
 * @returns {bigint}
 */
function random(count) {
  const bytes = source.getRandomValues(new Uint8Array(count));
  return bytes.reduce((number, byte) => number << 8n | BigInt(byte), 0n);
}

/**
 * The UUIDv7 (RFC 9562) after another one: milliseconds since 1970, then 74 random bits.
 *
 * It is greater, also when the clock was set back: the random bits then grow by a random step.
 *
 * @param {LastUUID} last
 * @param {number} now milliseconds since 1970
 * @returns {{bytes: Uint8Array, last: LastUUID}}
 */
export function uuid7After(last, now) {
  let { milliseconds, random: bits } = last;
  if (now > milliseconds) {
    milliseconds = now;
    bits = random(10) >> (80n - randomBits);
  } else {
    bits += random(4) + 1n;
    if (bits >> randomBits) {
      milliseconds += 1;
      bits = random(10) >> (80n - randomBits);
    }
  }
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, BigInt(milliseconds) << 16n | 0x7000n | bits >> 62n);
  view.setBigUint64(8, 2n << 62n | bits & ((1n << 62n) - 1n));
  return { bytes: new Uint8Array(view.buffer), last: { milliseconds, random: bits } };
}

/** @type {LastUUID} */
let lastHere = { milliseconds: 0, random: 0n };

/**
 * A new UUIDv7 as 16 bytes. Each is greater than all before it in this page or process.
 *
 * @param {number} [now] milliseconds since 1970
 * @returns {Uint8Array}
 */
export function uuid7(now = Date.now()) {
  const { bytes, last } = uuid7After(lastHere, now);
  lastHere = last;
  return bytes;
}

/**
 * The text of a UUID, in groups.
 * @param {Uint8Array} bytes 16 of them
 * @returns {string}
 */
export function uuidText(bytes) {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
