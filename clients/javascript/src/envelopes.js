import { QuiverError } from "./errors.js";

const headBytes = 5;
const endFlag = 2;
const compressedFlag = 1;

/** The largest message of a stream that is read, in bytes of JSON. */
export const maxEnvelopeBytes = 32 << 20;

/**
 * The only message of a request stream: a byte of flags, four of length, the JSON.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function envelope(text) {
  const body = new TextEncoder().encode(text);
  const message = new Uint8Array(headBytes + body.length);
  new DataView(message.buffer).setUint32(1, body.length);
  message.set(body, headBytes);
  return message;
}

/** Cuts the bytes of a response into messages, however they arrive. */
export class Envelopes {
  /**
   * What has arrived of the next message, in parts.
   * @private
   * @type {Uint8Array[]}
   */
  parts = [];
  /** @private */
  count = 0;
  /**
   * How many bytes are wanted before something can be read.
   * @private
   */
  wanted = headBytes;

  /**
   * The messages that are complete by these bytes, in order. Throws INTERNAL for a malformed one.
   * @param {Uint8Array} bytes
   * @returns {{isEnd: boolean, value: any}[]}
   */
  add(bytes) {
    this.parts.push(bytes);
    this.count += bytes.length;
    /** @type {{isEnd: boolean, value: any}[]} */
    const found = [];
    if (this.count < this.wanted) return found;
    let rest = this.joined();
    for (;;) {
      this.wanted = headBytes;
      if (rest.length < headBytes) break;
      const length = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
      if (length > maxEnvelopeBytes) {
        throw new QuiverError("RESOURCE_EXHAUSTED",
          `a message of the stream has ${length} bytes, at most ${maxEnvelopeBytes} are read`);
      }
      this.wanted = headBytes + length;
      if (rest.length < this.wanted) break;
      found.push(read(rest[0], rest.subarray(headBytes, this.wanted)));
      rest = rest.subarray(this.wanted);
    }
    this.parts = [rest];
    this.count = rest.length;
    return found;
  }

  /** @private @returns {Uint8Array} */
  joined() {
    if (this.parts.length === 1) return this.parts[0];
    const all = new Uint8Array(this.count);
    let offset = 0;
    for (const part of this.parts) {
      all.set(part, offset);
      offset += part.length;
    }
    return all;
  }
}

/** @param {number} flags @param {Uint8Array} bytes */
function read(flags, bytes) {
  if (flags & compressedFlag) {
    throw new QuiverError("INTERNAL", "a message is compressed, which was not asked for");
  }
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (value !== null && typeof value === "object") return { isEnd: (flags & endFlag) !== 0, value };
  } catch (cause) {
    throw new QuiverError("INTERNAL", "a message of the stream is not JSON", { cause });
  }
  throw new QuiverError("INTERNAL", "a message of the stream is not an object");
}
