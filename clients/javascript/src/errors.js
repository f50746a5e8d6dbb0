/**
 * @typedef {"CANCELLED" | "UNKNOWN" | "INVALID_ARGUMENT" | "DEADLINE_EXCEEDED" | "NOT_FOUND"
 * | "ALREADY_EXISTS" | "PERMISSION_DENIED" | "RESOURCE_EXHAUSTED" | "FAILED_PRECONDITION"
 * | "ABORTED" | "OUT_OF_RANGE" | "UNIMPLEMENTED" | "INTERNAL" | "UNAVAILABLE" | "DATA_LOSS"
 * | "UNAUTHENTICATED"} StatusCode
 */

/**
 * A detail of a status: the full name of a message, and the encoded message.
 * @typedef {{type: string, value: Uint8Array}} Detail
 */

/**
 * By their numbers from 1.
 * @type {ReadonlySet<string>}
 */
const codes = new Set(["CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
  "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
  "DATA_LOSS", "UNAUTHENTICATED"]);

/**
 * The name of a status by its number, as verdicts have it.
 * @param {number} number
 * @returns {string} empty for 0
 */
export function statusName(number) {
  return number === 0 ? "" : [...codes][number - 1] ?? "UNKNOWN";
}

/** A call that did not end OK. */
export class QuiverError extends Error {
  /**
   * @param {StatusCode} code
   * @param {string} message
   * @param {{details?: Detail[], notProcessed?: boolean, retryAfterMilliseconds?: number | null,
   *   isOtherProtocol?: boolean, cause?: unknown}} [more]
   */
  constructor(code, message, more = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "QuiverError";
    /**
     * The name of the status, as in PROTOCOL.md.
     * @readonly
     */
    this.code = code;
    /** @readonly @type {readonly Detail[]} */
    this.details = more.details ?? [];
    /**
     * Whether the call certainly had no effect.
     * @readonly
     */
    this.notProcessed = more.notProcessed ?? false;
    /**
     * When to try again; negative: never; null: not stated.
     * @readonly
     * @type {number | null}
     */
    this.retryAfterMilliseconds = more.retryAfterMilliseconds ?? null;
    /**
     * Whether what answered speaks another protocol than HTTP, or than TLS at an address with https. Node tells;
     * a browser does not.
     * @readonly
     */
    this.isOtherProtocol = more.isOtherProtocol ?? false;
  }
}

/**
 * The status code for a code of Connect; any other text is UNKNOWN.
 * @param {unknown} text
 * @returns {StatusCode}
 */
export function codeOf(text) {
  const name = text === "canceled" ? "CANCELLED" : String(text).toUpperCase();
  return /** @type {StatusCode} */ (codes.has(name) ? name : "UNKNOWN");
}

/**
 * The code for a response without a status of Connect, by Connect's table.
 * @param {number} status
 * @returns {StatusCode}
 */
function codeOfHTTP(status) {
  switch (status) {
    case 400: return "INTERNAL";
    case 401: return "UNAUTHENTICATED";
    case 403: return "PERMISSION_DENIED";
    case 404: return "UNIMPLEMENTED";
    case 429: case 502: case 503: case 504: return "UNAVAILABLE";
    default: return "UNKNOWN";
  }
}

/**
 * The error in a value of Connect; `field` reads the reply's fields of HTTP or its metadata.
 * @param {any} value
 * @param {(name: string) => string | null} field
 * @returns {QuiverError}
 */
export function errorOf(value, field) {
  const pushBack = field("grpc-retry-pushback-ms");
  /** @type {any[]} */
  const details = Array.isArray(value.details) ? value.details : [];
  return new QuiverError(codeOf(value.code), String(value.message ?? ""), {
    details: details.filter((one) => one && typeof one.value === "string")
      .map((one) => ({ type: String(one.type), value: bytesOf(one.value) })),
    notProcessed: field("quiver-not-processed") === "1",
    retryAfterMilliseconds: pushBack !== null && /^-?[0-9]{1,10}$/.test(pushBack)
      ? Number(pushBack) : null,
  });
}

/**
 * The error in a response whose status is not 200.
 * @param {Response} reply
 * @param {string} text
 */
export function errorOfResponse(reply, text) {
  const field = (/** @type {string} */ name) => reply.headers.get(name);
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    // A proxy's page, or a sentence of the gateway.
  }
  if (value !== null && typeof value === "object" && typeof value.code === "string") {
    return errorOf(value, field);
  }
  const isSentence = (reply.headers.get("content-type") ?? "").startsWith("text/plain");
  const sentence = isSentence ? text.trim().slice(0, 400) : "";
  return new QuiverError(codeOfHTTP(reply.status), sentence || `HTTP ${reply.status}`);
}

/**
 * How those begin that do not speak HTTP.
 * @type {ReadonlyArray<[string, string]>}
 */
const beginnings = [["SSH-", "SSH"], ["\x15\x03", "TLS"], ["\x16\x03", "TLS"], ["\ufffdQVR\r\n", "Quiver"]];

/**
 * What a request has met that speaks another protocol; null: nothing of that kind is known.
 * @param {any} reason of Node
 * @returns {string | null}
 */
function otherProtocol(reason) {
  switch (reason?.code) {
    // The first bytes of an answer, which are kept beside, are not those of HTTP.
    case "HPE_INVALID_CONSTANT": {
      const name = beginnings.find(([beginning]) => String(reason.data).startsWith(beginning))?.[1];
      return `what answers does not speak HTTP/1.1${name ? `: it speaks ${name}` : ""}`;
    }
    case "ERR_SSL_WRONG_VERSION_NUMBER": return "what answers does not speak TLS (https://)";
    case "ERR_SSL_SSLV3_ALERT_UNEXPECTED_MESSAGE": return "the server does not use TLS on this port";
    default: return null;
  }
}

/**
 * The error of a request that failed without a response.
 * @param {unknown} cause
 */
export function errorOfFetch(cause) {
  const inner = cause instanceof Error ? /** @type {any} */ (cause).cause : undefined;
  const other = otherProtocol(inner);
  if (other) {
    return new QuiverError("UNAVAILABLE", other, { notProcessed: true, isOtherProtocol: true, cause });
  }
  // Node says why; a browser does not.
  const notProcessed = inner?.code === "ECONNREFUSED" || inner?.code === "ENOTFOUND";
  const reason = inner?.message || (cause instanceof Error ? cause.message : String(cause));
  const isSilent = inner?.code === "UND_ERR_SOCKET" && inner.socket?.bytesRead === 0;
  const hint = isSilent ? " before it sent anything: it may speak TLS (https://) or another protocol" : "";
  return new QuiverError("UNAVAILABLE", `no answer: ${reason}${hint}`, { notProcessed, cause });
}

/**
 * The bytes of a text in base64, with or without padding.
 * @param {string} text
 * @returns {Uint8Array}
 */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
