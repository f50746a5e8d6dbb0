// SHA-256 (FIPS 180-4) and HMAC (RFC 2104): pages on a network without encryption have no `crypto.subtle`.

/** The first 32 bits of the fractional parts of the roots of the first primes. */
const [constants, start] = (() => {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < 64; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  /** @param {number} root */
  const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
  return [primes.map((prime) => bits(Math.cbrt(prime))), primes.slice(0, 8).map((prime) => bits(Math.sqrt(prime)))];
})();

/**
 * @param {number} word
 * @param {number} count
 */
const rotated = (word, count) => (word >>> count) | (word << (32 - count));

/**
 * The SHA-256 of some bytes.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  const hash = Uint32Array.from(start);
  const words = new Uint32Array(64);
  for (let block = 0; block < blocks.length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(block + 4 * index);
    for (let index = 16; index < 64; index += 1) {
      const [far, near] = [words[index - 15], words[index - 2]];
      words[index] = words[index - 16] + words[index - 7] + (rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3))
        + (rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let index = 0; index < 64; index += 1) {
      const first = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constants[index]
        + words[index]) >>> 0;
      const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => { hash[index] += word; });
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  hash.forEach((word, index) => out.setUint32(4 * index, word));
  return result;
}

/**
 * HMAC-SHA-256.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function hmacSHA256(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function joined(first, second) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
