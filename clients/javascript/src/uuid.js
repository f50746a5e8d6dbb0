// Node 18 does not have it as a global.
const nodeCrypto = "node:crypto";
/** @type {Crypto} */
const source = globalThis.crypto ?? (await import(nodeCrypto)).webcrypto;

let lastMilliseconds = 0;
let lastRandom = 0n;
const randomBits = 74n;

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
 * A new UUIDv7 (RFC 9562) as 16 bytes: milliseconds since 1970, then 74 random bits.
 *
 * Each is greater than all before it in this page or process, also when the clock was set back: the
 * random bits then grow by a random step.
 *
 * @param {number} [now] milliseconds since 1970
 * @returns {Uint8Array}
 */
export function uuid7(now = Date.now()) {
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    lastRandom = random(10) >> (80n - randomBits);
  } else {
    lastRandom += random(4) + 1n;
    if (lastRandom >> randomBits) {
      lastMilliseconds += 1;
      lastRandom = random(10) >> (80n - randomBits);
    }
  }
  const high = BigInt(lastMilliseconds) << 16n | 0x7000n | lastRandom >> 62n;
  const low = 2n << 62n | lastRandom & ((1n << 62n) - 1n);
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, high);
  view.setBigUint64(8, low);
  return new Uint8Array(view.buffer);
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
