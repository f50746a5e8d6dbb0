import { QuiverError, errorOfFetch, errorOfResponse } from "./errors.js";
import { encode } from "./json.js";
import { pause } from "./pause.js";
import { Retries, RetryBudget } from "./retries.js";
import { uuid7, uuidText } from "./uuid.js";
import { Watch } from "./watch.js";

/** @typedef {import("./services.js").Unary} Unary */
/** @typedef {import("./services.js").Watches} Watches */

/**
 * @typedef {object} CallOptions
 * @property {number} [timeout] milliseconds until the call ends DEADLINE_EXCEEDED; 30,000 unless given
 * @property {Uint8Array | string} [key] the idempotency key: 16 bytes, 32 hexadecimal digits or a UUID;
 *   a new one for each call unless given
 * @property {string} [storeEpoch] the epoch of the store in which the key was made, and in which what the call names
 *   was read (`span.storeEpoch` of a watch); that of the client unless given, "" states none
 * @property {AbortSignal} [signal] ends the call CANCELLED
 * @property {string | null} [token] instead of the client's; null: none
 * @property {string | bigint | null} [user] the id of the user whose data is read, who shares it with the caller;
 *   null: the caller's own
 */

/**
 * @typedef {object} ClientOptions
 * @property {string | null} [token]
 * @property {number} [timeout] milliseconds, of calls that give none
 * @property {boolean} [allowPlaintext] sends any token without TLS to another machine
 * @property {string | bigint | null} [user] of calls and watches that give none
 * @property {string} [storeEpoch] of calls that give none
 */

/** No timer of a browser takes a longer time. */
const longestTimeout = 2 ** 31 - 1;

/** The tokens of devices and spectators, which plain HTTP may carry. */
const publicTokens = /^q[ds]_/;

/** A client of the gateway at one address. */
export class Client {
  /** @private */
  budget = new RetryBudget();

  /** @param {string} address @param {ClientOptions} [options] */
  constructor(address, options = {}) {
    /** @readonly */
    this.address = address.replace(/\/+$/, "");
    this.token = options.token ?? null;
    /** @private */
    this.timeout = options.timeout ?? 30_000;
    /** @private */
    this.allowPlaintext = options.allowPlaintext ?? false;
    /** @private */
    this.user = options.user ?? null;
    /** The epoch of the store that calls state which give none; "": none. A page that follows the store sets it. */
    this.storeEpoch = options.storeEpoch ?? "";
  }

  /**
   * Calls a unary method and returns its reply, in which an int64 is a text.
   *
   * Each call has an idempotency key, so that its attempts have one effect together; the server ignores
   * it where nothing changes. The server keeps no keys of callers without a token: their calls are sent
   * again only if they certainly had no effect.
   *
   * @template {keyof Unary | (string & {})} Name
   * @param {Name} method `Service/Method`, or with the package before it
   * @param {Name extends keyof Unary ? Unary[Name]["request"] : object} [request]
   * @param {CallOptions} [options]
   * @returns {Promise<Name extends keyof Unary ? Unary[Name]["reply"] : any>} Rejects with a `QuiverError`.
   */
  async call(method, request, options = {}) {
    const timeout = options.timeout ?? this.timeout;
    if (!(timeout >= 1 && timeout <= longestTimeout)) {
      throw invalid(`timeout: must be 1 to ${longestTimeout} milliseconds`);
    }
    const url = this.url(method);
    const fields = this.fields(options, "application/json");
    fields["idempotency-key"] = keyText(options.key ?? uuid7());
    const storeEpoch = options.storeEpoch ?? this.storeEpoch;
    if (storeEpoch) fields["quiver-store-epoch"] = storeEpoch;
    const body = encode(request ?? {});
    const retries = new Retries(this.budget, fields.authorization !== undefined);
    const end = performance.now() + timeout;
    const control = new Control(options.signal, timeout);
    try {
      for (;;) {
        control.check();
        const left = Math.max(1, Math.floor(end - performance.now()));
        fields["connect-timeout-ms"] = String(left);
        try {
          const reply = await send(url, fields, body, control);
          this.budget.answered();
          return reply;
        } catch (error) {
          if (!(error instanceof QuiverError)) throw error;
          const wait = retries.after(error, end - performance.now());
          if (wait === null) throw error;
          await control.sleep(wait);
        }
      }
    } finally {
      control.end();
    }
  }

  /**
   * Follows changing state by a method that is a watch; see `Watch`.
   *
   * @template {keyof Watches | (string & {})} Name
   * @param {Name} method
   * @param {Name extends keyof Watches ? Watches[Name]["request"] : object} [request]
   * @param {import("./watch.js").WatchOptions} [options]
   * @returns {Watch<Name extends keyof Watches ? Watches[Name]["reply"] : any>}
   */
  watch(method, request, options = {}) {
    const fields = this.fields(options, "application/connect+json");
    return new Watch(this.address, this.url(method), fields, encode(request ?? {}), options, this.budget);
  }

  /**
   * @private
   * @param {string} method
   * @returns {string}
   */
  url(method) {
    if (!/^([a-z][A-Za-z0-9_]*\.)*[A-Za-z0-9_]+\/[A-Za-z0-9_]+$/.test(method)) {
      throw invalid(`method: ${JSON.stringify(method)} is not Service/Method`);
    }
    const name = method.split("/")[0].includes(".") ? method : `quiver.v1.${method}`;
    return `${this.address}/${name}`;
  }

  /**
   * @private
   * @param {{ token?: string | null, user?: string | bigint | null }} given
   * @param {string} contentType
   * @returns {Record<string, string>}
   */
  fields(given, contentType) {
    const token = given.token === undefined ? this.token : given.token;
    const user = given.user === undefined ? this.user : given.user;
    /** @type {Record<string, string>} */
    const fields = { "content-type": contentType, "connect-protocol-version": "1" };
    if (user !== null) {
      if (!/^[1-9][0-9]{0,18}$/.test(String(user))) throw invalid("user: must be the id of a user");
      fields["quiver-user"] = String(user);
    }
    if (!token) return fields;
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw invalid("token: must be one line of ASCII without spaces");
    }
    if (!this.allowPlaintext && !publicTokens.test(token) && !isPrivate(this.address)) {
      throw new QuiverError("UNAUTHENTICATED",
        `the token is not sent to ${this.address}, because the connection is not encrypted; `
        + "use https, or a token of a device or a spectator", { notProcessed: true });
    }
    fields.authorization = `Bearer ${token}`;
    return fields;
  }
}

/**
 * A client of the gateway at an address, as `https://quiver.example`; of the page's own origin if it is "".
 *
 * @param {string} [address]
 * @param {ClientOptions} [options]
 * @returns {Client}
 */
export function connect(address = "", options = {}) {
  const origin = /** @type {any} */ (globalThis).location?.origin;
  const whole = address || origin;
  if (typeof whole !== "string" || !/^https?:\/\/[^/?#@]+\/*$/i.test(whole)) {
    throw invalid("address: must be http:// or https://, a host and perhaps a port");
  }
  return new Client(whole, options);
}

/**
 * Whether nobody else can read what is sent to an address.
 * @param {string} address
 */
export function isPrivate(address) {
  const url = new URL(address);
  return url.protocol === "https:" || url.hostname === "localhost" || url.hostname === "[::1]"
    || /^127(\.[0-9]+){3}$/.test(url.hostname);
}

/** @param {string} message */
function invalid(message) {
  return new QuiverError("INVALID_ARGUMENT", message, { notProcessed: true });
}

/** @param {Uint8Array | string} key @returns {string} */
function keyText(key) {
  if (typeof key === "string") {
    if (/^[0-9a-f]{32}$/i.test(key.replaceAll("-", ""))) return key;
  } else if (key.length === 16) {
    return uuidText(key);
  }
  throw invalid("key: must be 16 bytes, 32 hexadecimal digits or a UUID");
}

/**
 * One attempt.
 * @param {string} url
 * @param {Record<string, string>} fields
 * @param {string} body
 * @param {Control} control
 */
async function send(url, fields, body, control) {
  let reply;
  let text;
  try {
    reply = await fetch(url, {
      method: "POST", headers: fields, body, cache: "no-store", credentials: "omit",
      redirect: "error", signal: control.signal,
    });
    text = await reply.text();
  } catch (error) {
    control.check();
    throw errorOfFetch(error);
  }
  if (!reply.ok) throw errorOfResponse(reply, text);
  if (!(reply.headers.get("content-type") ?? "").startsWith("application/json")) {
    throw new QuiverError("UNAVAILABLE", "the answer does not come from a gateway");
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new QuiverError("INTERNAL", "the reply is not JSON", { cause });
  }
}

/** The end of a call by its deadline or by its caller. */
class Control {
  /** @private */
  control = new AbortController();
  /** @private @type {QuiverError | null} */
  reason = null;

  /** @param {AbortSignal | undefined} given @param {number} timeout milliseconds */
  constructor(given, timeout) {
    /** @private */
    this.given = given;
    /** @private */
    this.cancel = () => this.stop(new QuiverError("CANCELLED", "the caller cancelled the call",
      { cause: given?.reason }));
    /** @private */
    this.timer = setTimeout(() => this.stop(new QuiverError("DEADLINE_EXCEEDED",
      `no answer within ${timeout} ms`)), timeout);
    given?.addEventListener("abort", this.cancel, { once: true });
    if (given?.aborted) this.cancel();
  }

  get signal() {
    return this.control.signal;
  }

  /** Throws if the call has ended. */
  check() {
    if (this.reason) throw this.reason;
  }

  /**
   * Waits; throws if the call ends meanwhile.
   * @param {number} milliseconds
   */
  async sleep(milliseconds) {
    await pause(milliseconds, this.signal);
    this.check();
  }

  end() {
    clearTimeout(this.timer);
    this.given?.removeEventListener("abort", this.cancel);
  }

  /** @private @param {QuiverError} reason */
  stop(reason) {
    this.reason ??= reason;
    this.control.abort();
  }
}
