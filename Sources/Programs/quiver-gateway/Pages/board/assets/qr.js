// QR codes (ISO/IEC 18004) of texts of at most 858 bytes, in byte mode: versions 1 to 10 with error correction M, and for
// texts of more than 213 bytes versions 11 to 20 with L, which a screen does not damage.

/** How many bytes a text may have. */
export const mostBytes = 858;

/** The last version with correction M. */
const lastM = 10;

/** Of each version: bytes of correction a block, and how many blocks have how many bytes of data. */
const versions = [
  [10, 1, 16], [16, 1, 28], [26, 1, 44], [18, 2, 32], [24, 2, 43], [16, 4, 27], [18, 4, 31],
  [22, 2, 38, 2, 39], [22, 3, 36, 2, 37], [26, 4, 43, 1, 44],
  [20, 4, 81], [24, 2, 92, 2, 93], [26, 4, 107], [30, 3, 115, 1, 116], [22, 5, 87, 1, 88],
  [24, 5, 98, 1, 99], [28, 1, 107, 5, 108], [30, 5, 120, 1, 121], [28, 3, 113, 4, 114], [28, 3, 107, 5, 108],
];
/** Where the middles of the alignment patterns are, besides 6. */
const alignments = [
  [], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50],
  [30, 54], [32, 58], [34, 62], [26, 46, 66], [26, 48, 70], [26, 50, 74], [30, 54, 78], [30, 56, 82], [30, 58, 86], [34, 62, 90],
];

const exponents = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  exponents[power] = exponents[power + 255] = value;
  logarithms[value] = power;
  value = value << 1 ^ (value & 0x80 ? 0x11d : 0);
}
const product = (/** @type {number} */ a, /** @type {number} */ b) => a && b ? exponents[logarithms[a] + logarithms[b]] : 0;

/** The bytes of correction of a block (Reed and Solomon). */
function correction(/** @type {number[]} */ data, /** @type {number} */ count) {
  let generator = [1];
  for (let power = 0; power < count; power += 1) {
    const next = [...generator, 0];
    generator.forEach((value, index) => { next[index + 1] ^= product(value, exponents[power]); });
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let index = 0; index < data.length; index += 1) {
    const factor = rest[index];
    if (factor) generator.forEach((value, offset) => { rest[index + offset] ^= product(value, factor); });
  }
  return rest.slice(data.length);
}

/** All bytes in the order of the symbol. */
function codewords(/** @type {Uint8Array} */ text, /** @type {number} */ version) {
  const [each, ...groups] = versions[version - 1];
  const capacity = groups.reduce((sum, value, index) => index % 2 ? sum + value * groups[index - 1] : sum, 0);
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push(value >> bit & 1);
  };
  push(4, 4);
  push(text.length, version < 10 ? 8 : 16);
  for (const byte of text) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  push(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xfd) push(pad, 8);
  const bytes = Array.from({ length: capacity }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value << 1 | bit, 0));
  const blocks = [];
  for (let group = 0, start = 0; group < groups.length; group += 2) {
    for (let count = 0; count < groups[group]; count += 1, start += groups[group + 1]) {
      blocks.push(bytes.slice(start, start + groups[group + 1]));
    }
  }
  const corrections = blocks.map((block) => correction(block, each));
  const mixed = (/** @type {number[][]} */ lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) },
    (_, index) => lists.filter((list) => index < list.length).map((list) => list[index])).flat();
  return [...mixed(blocks), ...mixed(corrections)];
}

/** A number with the bits of its remainder by a polynomial behind it. */
function withRemainder(/** @type {number} */ value, /** @type {number} */ polynomial, /** @type {number} */ bits) {
  let rest = value << bits;
  for (let bit = 31; bit >= bits; bit -= 1) if (rest >>> bit & 1) rest ^= polynomial << (bit - bits);
  return value << bits | rest;
}

const masks = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0, (/** @type {number} */ _, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x) => x % 3 === 0, (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
];

/**
 * The modules of the code of a text: rows of whether each is dark; null if it is too long.
 * @returns {boolean[][] | null}
 */
export function modules(/** @type {string} */ text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + versions.findIndex(([, ...groups], index) =>
    groups.reduce((sum, value, place) => place % 2 ? sum + value * groups[place - 1] : sum, 0) * 8
      >= 4 + (index < 9 ? 8 : 16) + bytes.length * 8);
  if (version === 0) return null;
  const words = codewords(bytes, version);
  const drawn = masks.map((mask, number) => symbol(words, version, mask, number));
  const blots = drawn.map((rows) => rows.reduce((sum, row, y) => sum + row.filter((dark, x) =>
    x > 0 && y > 0 && dark === row[x - 1] && dark === rows[y - 1][x] && dark === rows[y - 1][x - 1]).length, 0));
  return drawn[blots.indexOf(Math.min(...blots))];
}

function symbol(/** @type {number[]} */ words, /** @type {number} */ version,
  /** @type {(x: number, y: number) => boolean} */ mask, /** @type {number} */ number) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const rows = Array.from({ length: size }, () => new Array(size).fill(null));
  const ring = (/** @type {number} */ middleX, /** @type {number} */ middleY, /** @type {number} */ reach, /** @type {(distance: number) => boolean} */ isDark) => {
    for (let y = Math.max(0, middleY - reach); y <= Math.min(size - 1, middleY + reach); y += 1) {
      for (let x = Math.max(0, middleX - reach); x <= Math.min(size - 1, middleX + reach); x += 1) {
        rows[y][x] = isDark(Math.max(Math.abs(x - middleX), Math.abs(y - middleY)));
      }
    }
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) ring(x, y, 4, (distance) => distance < 2 || distance === 3);
  const middles = version > 1 ? [6, ...alignments[version - 1]] : [];
  for (const x of middles) for (const y of middles) if (rows[y][x] === null) ring(x, y, 2, (distance) => distance !== 1);
  for (let index = 8; index < size - 8; index += 1) {
    rows[6][index] = rows[index][6] = index % 2 === 0;
  }
  // The format: correction M is 0, L is 1.
  const format = withRemainder((version > lastM ? 8 : 0) + number, 0x537, 10) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = (format >> bit & 1) === 1;
    rows[bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit][8] = dark;
    rows[8][bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit] = dark;
  }
  rows[size - 8][8] = true;
  if (version >= 7) {
    const information = withRemainder(version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const [long, short] = [Math.trunc(bit / 3), size - 11 + bit % 3];
      rows[long][short] = rows[short][long] = (information >> bit & 1) === 1;
    }
  }
  let bit = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== null) continue;
        rows[y][x] = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7)) & 1) === 1) !== mask(x, y);
        bit += 1;
      }
    }
  }
  return /** @type {boolean[][]} */ (rows);
}

/** A picture of the code of a text, with its margin; null if it is too long. */
export function picture(/** @type {string} */ text, /** @type {string} */ label) {
  const rows = modules(text);
  if (!rows) return null;
  const size = rows.length + 8;
  const make = (/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const svg = make("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, class: "code", "shape-rendering": "crispEdges" });
  const path = rows.flatMap((row, y) => row.map((dark, x) => dark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("");
  svg.append(make("rect", { width: String(size), height: String(size), fill: "#fff" }), make("path", { d: path, fill: "#000" }));
  return svg;
}
