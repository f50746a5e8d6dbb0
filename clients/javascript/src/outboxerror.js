/**
 * Why the outbox did not do something.
 *
 * `STORAGE_REFUSED`: the browser stores nothing, as some private windows. `STORAGE_FULL`: there is no space. `OUTDATED`:
 * what is stored is of another version than the page, which has to be loaded again. `FULL`: too many operations wait.
 * `INVALID`, `NOT_POSSIBLE`: see the message; nothing was changed. `CLOSED`: the outbox was closed.
 * @typedef {"STORAGE_REFUSED" | "STORAGE_FULL" | "OUTDATED" | "FULL" | "INVALID" | "NOT_POSSIBLE" | "CLOSED"} OutboxCode
 */

/** An error of the outbox. */
export class OutboxError extends Error {
  /** @param {OutboxCode} code @param {string} message @param {unknown} [cause] */
  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "OutboxError";
    /** @readonly */
    this.code = code;
  }

  /**
   * The error for one of the browser's storage; another error stays.
   * @param {unknown} cause
   * @returns {unknown}
   */
  static of(cause) {
    if (!(cause instanceof DOMException)) return cause;
    switch (cause.name) {
      case "QuotaExceededError":
        return new OutboxError("STORAGE_FULL",
          "this device has no space left to store scores; free some space, and load the page again", cause);
      case "VersionError":
        return new OutboxError("OUTDATED",
          "a newer version of this page has stored scores here; load the page again", cause);
      case "InvalidStateError": case "AbortError":
        return new OutboxError("CLOSED", "what this page stored was closed; load the page again", cause);
      case "DataCloneError":
        return new OutboxError("INVALID", "shown: has a value that cannot be stored", cause);
      default:
        return OutboxError.refused(cause);
    }
  }

  /** @param {unknown} [cause] */
  static refused(cause) {
    return new OutboxError("STORAGE_REFUSED",
      "this browser stores nothing for this page; leave the private window, or allow storage", cause);
  }
}
