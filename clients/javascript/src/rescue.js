import { hmacSHA256, sha256 } from "./sha256.js";

/**
 * What waits on a device that has no connection, as a text that any other one can deliver
 * (`Events/DeliverOperations`), for example in a QR code of an address with the text after `#`.
 *
 * A device signs it with the token that it has joined with: `qd_` and its secret. The operations have their effect once,
 * whoever delivers them and how often, also where the device sends them itself afterwards.
 *
 * @typedef {object} Rescued
 * @property {string} token of the device
 * @property {string} deviceId the principal of the device, of its lease
 * @property {string} [device] the device of all operations that name none; left out where they name the same
 * @property {readonly any[]} [operations] those that `Tournament/ApplyOperations` takes
 * @property {readonly any[]} [cardOperations] those that `Events/ApplyCardOperations` takes
 * @property {readonly any[]} [matchOperations] those that `Elimination/ApplyMatchOperations` takes
 */

/** How a text begins. */
export const rescuePrefix = "qr_";

/** How many operations of a kind the server takes at once. */
export const mostRescued = 50;

/** How many bytes of the signature a text has. */
const tagLength = 16;

/**
 * A field of a message: its number, and its type or its fields.
 * @typedef {{[name: string]: [number, string | Fields | [string | Fields]]}} Fields
 */

/** @type {{[name: string]: number}} */
const kinds = { OPERATION_KIND_RECORD: 1, OPERATION_KIND_CORRECT: 2, OPERATION_KIND_RETRACT: 3,
  INPUT_MODE_BUTTONS: 1, INPUT_MODE_TARGET: 2 };

/** @type {Fields} */
const matchArrow = { value: [1, "number"], isX: [2, "number"] };

/** @type {Fields} */
const scoringOperation = { clientId: [1, "bytes"], kind: [2, "kind"], participantId: [3, "number"],
  participantClientId: [4, "bytes"], endIndex: [5, "number"], arrowIndex: [6, "number"], value: [7, "optional"],
  isX: [8, "number"], x: [9, "double"], y: [10, "double"], input: [11, "kind"], scoredAtMs: [12, "number"],
  replacesId: [13, "number"], replacesClientId: [14, "bytes"], reason: [15, "text"], device: [16, "text"],
  shaft: [17, "number"], witnessId: [18, "number"] };

/** @type {Fields} */
const cardOperation = { clientId: [1, "bytes"], participantId: [2, "number"], endIndex: [3, "number"],
  arrows: [4, [matchArrow]], replacesClientId: [5, "bytes"], reason: [6, "text"], scoredAtMs: [7, "number"],
  device: [8, "text"], witnessId: [9, "number"] };

/** @type {Fields} */
const matchOperation = { clientId: [1, "bytes"], matchId: [2, "number"], side: [3, "number"],
  entry: [4, { shootOff: [1, "number"], index: [2, "number"], arrows: [3, [matchArrow]], distances: [4, ["packed"]],
    isCloser: [5, "number"] }],
  replacesClientId: [5, "bytes"], reason: [6, "text"], scoredAtMs: [7, "number"], participantId: [8, "number"],
  device: [9, "text"], witnessId: [10, "number"] };

/** @type {Fields} `quiver.v1.RescuedOperations` */
const rescuedOperations = { deviceId: [1, "number"], device: [2, "text"], operations: [3, [scoringOperation]],
  cardOperations: [4, [cardOperation]], matchOperations: [5, [matchOperation]] };

/** @param {any} value */
const numberOf = (value) => BigInt(value === true ? 1 : value === false ? 0 : value);

/**
 * @param {number[]} bytes
 * @param {bigint} number
 */
function addNumber(bytes, number) {
  let rest = BigInt.asUintN(64, number);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
}

/**
 * @param {number[]} bytes
 * @param {number} field
 * @param {ArrayLike<number>} content
 */
function addBytes(bytes, field, content) {
  addNumber(bytes, BigInt(field * 8 + 2));
  addNumber(bytes, BigInt(content.length));
  for (let index = 0; index < content.length; index += 1) bytes.push(content[index]);
}

/**
 * A message as protocol buffers, its fields in the order of their numbers.
 * @param {any} message as JSON has it
 * @param {Fields} fields
 * @returns {number[]}
 */
function encoded(message, fields) {
  /** @type {number[]} */
  const bytes = [];
  for (const name of Object.keys(message)) {
    if (message[name] !== undefined && !fields[name]) throw new RangeError(`a rescued operation has no field ${name}`);
  }
  for (const [name, [field, type]] of Object.entries(fields)) {
    const value = message[name];
    if (value === undefined || value === null) continue;
    if (Array.isArray(type)) {
      if (type[0] === "packed") {
        /** @type {number[]} */
        const numbers = [];
        for (const one of value) addNumber(numbers, numberOf(one));
        if (numbers.length) addBytes(bytes, field, numbers);
      } else {
        for (const one of value) addBytes(bytes, field, encoded(one, /** @type {Fields} */ (type[0])));
      }
    } else if (typeof type === "object") {
      addBytes(bytes, field, encoded(value, type));
    } else if (type === "bytes" || type === "text") {
      const content = type === "text" ? new TextEncoder().encode(value)
        : value instanceof Uint8Array ? value : Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
      if (content.length) addBytes(bytes, field, content);
    } else if (type === "double") {
      addNumber(bytes, BigInt(field * 8 + 1));
      bytes.push(...new Uint8Array(new Float64Array([value]).buffer));
    } else {
      const number = type === "kind" ? numberOf(kinds[value] ?? 0) : numberOf(value);
      if (number === 0n && type !== "optional") continue;
      addNumber(bytes, BigInt(field * 8));
      addNumber(bytes, number);
    }
  }
  return bytes;
}

/**
 * The text of what waits on a device, at most {@link mostRescued} operations of a kind. A code that a camera reads well
 * has about 12 arrows: about 60 characters each.
 * @param {Rescued} rescued
 * @returns {string}
 */
export function rescueText({ token, deviceId, device = "", operations = [], cardOperations = [], matchOperations = [] }) {
  const own = (/** @type {any} */ operation) => withoutDevice(operation, device);
  const payload = Uint8Array.from(encoded({ deviceId, device, operations: operations.map(own),
    cardOperations: cardOperations.map(own), matchOperations: matchOperations.map(own) }, rescuedOperations));
  const name = new TextEncoder().encode("quiver rescue 1\0");
  const signed = new Uint8Array(name.length + payload.length);
  signed.set(name);
  signed.set(payload, name.length);
  const tag = hmacSHA256(sha256(new TextEncoder().encode(token)), signed).subarray(0, tagLength);
  const bytes = [...payload, ...tag];
  return rescuePrefix + btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The same as texts of at most so many characters, in the order in which they are best delivered. Each has operations of
 * its own and is delivered by itself, so that one that is missing costs the others nothing.
 *
 * @param {Rescued} rescued
 * @param {number} most characters of a text
 * @returns {{texts: string[], tooLong: number}} `tooLong`: how many operations no text of this length can have
 */
export function rescueTexts({ operations = [], cardOperations = [], matchOperations = [], ...rescued }, most) {
  const device = rescued.device ?? "";
  const space = Math.floor((most - rescuePrefix.length) * 3 / 4) - tagLength
    - encoded({ deviceId: rescued.deviceId, device }, rescuedOperations).length;
  /** @type {[string, readonly any[]][]} */
  const lists = [["operations", operations], ["cardOperations", cardOperations], ["matchOperations", matchOperations]];
  /** @type {any[]} */
  const parts = [];
  let left = 0;
  let tooLong = 0;
  for (const [kind, list] of lists) {
    for (const operation of list) {
      const { length } = encoded({ [kind]: [withoutDevice(operation, device)] }, rescuedOperations);
      if (length > space) {
        tooLong += 1;
        continue;
      }
      const last = parts.at(-1);
      const fits = last && length <= left && (last[kind]?.length ?? 0) < mostRescued;
      const part = fits ? last : { ...rescued };
      if (!fits) {
        parts.push(part);
        left = space;
      }
      left -= length;
      (part[kind] ??= []).push(operation);
    }
  }
  return { texts: parts.map(rescueText), tooLong };
}

/** @param {any} operation @param {string} device */
function withoutDevice(operation, device) {
  return operation.device === device ? { ...operation, device: undefined } : operation;
}
