import { Envelopes, envelope } from "./envelopes.js";
import { QuiverError, errorOf, errorOfFetch, errorOfResponse } from "./errors.js";
import { pause } from "./pause.js";
import { isTransient } from "./retries.js";

/**
 * Where a watch continues: numbers as texts.
 * @typedef {{upto: string, storeEpoch: string}} Position
 */

/**
 * What a watch shows: `connecting` until the first stream is accepted; `live` when a stream is accepted, whether
 * or not a message follows; `lost` with the time since when nothing was heard.
 * @typedef {{name: "connecting" | "live", since: null} | {name: "lost", since: Date}} WatchState
 */

/**
 * A message of a watch. `startsSnapshot`: what came before is void, and the messages from this one on
 * replace it. `startsAnew`: besides, the server could not continue, and changes in between are unknown.
 * @template [Message=any]
 * @typedef {{message: Message, startsSnapshot: boolean, startsAnew: boolean}} WatchUpdate
 */

/**
 * @typedef {object} WatchOptions
 * @property {string | null} [token] instead of the client's; null: none
 * @property {string | bigint | null} [user] the id of the user whose data is watched; null: the caller's own
 * @property {AbortSignal} [signal] ends the watch CANCELLED
 * @property {Position} [position] where to begin, of an earlier watch with the same request
 * @property {(state: WatchState) => void} [onState] is called at each change of the state
 * @property {WatchTimes} [times]
 */

/**
 * The times of a watch, in milliseconds. `patience`: how long a stream may take to be accepted.
 * `refusal`: within it after the fields of a reply the end of a stream that is refused arrives. `quiet`: without
 * any byte for so long, a probe is sent. `answer`: how long it may take. `again`: between two probes.
 * `firstWait`, `longestWait`: before a stream is opened again.
 * @typedef {{patience: number, refusal: number, quiet: number, answer: number, again: number, firstWait: number,
 *   longestWait: number}} WatchTimes
 */

/** @type {Readonly<WatchTimes>} */
export const defaultTimes = Object.freeze({
  patience: 5000, refusal: 50, quiet: 2000, answer: 2000, again: 1000, firstWait: 100,
  longestWait: 10_000,
});

/** A small file that any gateway serves without its server. */
const probePath = "/board/assets/board.css";

/**
 * A watch, which goes on over lost connections and restarts of server and gateway, without a gap or a repeat.
 *
 * It is opened by iterating over it, and closed by leaving the loop. Only one loop is possible. It fails with
 * a `QuiverError` that a new stream would get too, as PERMISSION_DENIED or NOT_FOUND.
 *
 * @template [Message=any]
 * @implements {AsyncIterable<WatchUpdate<Message>>}
 */
export class Watch {
  /** @type {WatchState} */
  state = { name: "connecting", since: null };
  /**
   * Behind the last message that was not `incomplete`; null before it.
   * @type {Position | null}
   */
  position;

  /** @private */
  control = new AbortController();
  /**
   * The control of the open stream.
   * @private
   */
  stream = new AbortController();
  /**
   * When bytes or the answer of a probe came last: on the clock that never steps, and as a date.
   * @private
   */
  heardAt = 0;
  /** @private */
  heardDate = new Date();
  /** @private */
  isAnew = false;
  /** @private */
  isInSnapshot = false;
  /**
   * Failures since the last message.
   * @private
   */
  failures = 0;
  /** @private */
  isOpen = false;

  /**
   * @param {string} address
   * @param {string} url
   * @param {Record<string, string>} fields
   * @param {string} request in JSON
   * @param {WatchOptions} options
   * @param {import("./retries.js").RetryBudget} budget of its client
   */
  constructor(address, url, fields, request, options, budget) {
    /** @private */
    this.probeURL = address + probePath;
    /** @private */
    this.url = url;
    /** @private */
    this.fields = { ...fields, "connect-accept-encoding": "identity" };
    /** @private */
    this.body = envelope(request);
    /** @private */
    this.options = options;
    /** @private */
    this.budget = budget;
    /** @private */
    this.times = { ...defaultTimes, ...options.times };
    this.position = options.position ? checked(options.position) : null;
  }

  /** Ends the watch. Its loop ends without an error. */
  close() {
    this.control.abort();
    this.stream.abort();
  }

  /** @returns {AsyncGenerator<WatchUpdate<Message>, void, void>} */
  async *[Symbol.asyncIterator]() {
    if (this.isOpen) throw new QuiverError("FAILED_PRECONDITION", "the watch has a loop already");
    this.isOpen = true;
    const given = this.options.signal;
    const stop = () => this.close();
    const offline = () => this.stream.abort();
    given?.addEventListener("abort", stop, { once: true });
    if (given?.aborted) stop();
    globalThis.addEventListener?.("offline", offline);
    this.hear();
    try {
      while (!this.control.signal.aborted) {
        try {
          yield* this.once();
          throw new QuiverError("UNAVAILABLE", "the server ended the stream");
        } catch (error) {
          if (this.control.signal.aborted) break;
          await this.recover(error);
        }
      }
    } finally {
      given?.removeEventListener("abort", stop);
      globalThis.removeEventListener?.("offline", offline);
      this.close();
    }
    if (given?.aborted) {
      throw new QuiverError("CANCELLED", "the caller cancelled the watch", { cause: given.reason });
    }
  }

  /**
   * Waits until a new stream may be tried; throws an error that remains.
   * @private
   * @param {unknown} error
   */
  async recover(error) {
    if (!(error instanceof QuiverError)) throw error;
    if (error.code === "OUT_OF_RANGE" && this.position !== null) {
      this.position = null;
      this.isAnew = true;
      return;
    }
    if (!isTransient(error) || (error.isOtherProtocol && !this.budget.isGreeted)) throw error;
    if (this.state.name !== "lost") this.setState({ name: "lost", since: this.heardDate });
    this.failures = Math.min(this.failures + 1, 30);
    const { firstWait, longestWait } = this.times;
    const longest = Math.min(firstWait * 2 ** (this.failures - 1), longestWait);
    const wait = longest * (0.5 + Math.random() / 2);
    const pushBack = error.retryAfterMilliseconds ?? 0;
    if (await this.untilHeard()) {
      this.failures = 0;
      if (pushBack > 0) await this.sleep(pushBack);
    } else {
      await this.sleep(Math.max(wait, pushBack));
    }
  }

  /**
   * One stream, until its end.
   * @private
   * @returns {AsyncGenerator<WatchUpdate<Message>, void, void>}
   */
  async *once() {
    const control = new AbortController();
    this.stream = control;
    this.isInSnapshot = false;
    /** @type {Record<string, string>} */
    const fields = { ...this.fields };
    if (this.position) {
      fields["quiver-after-sequence"] = this.position.upto;
      fields["quiver-store-epoch"] = this.position.storeEpoch;
    }
    const live = () => this.setState({ name: "live", since: null });
    let timer;
    try {
      const reader = (await this.accepted(fields, control)).getReader();
      timer = setTimeout(live, this.times.refusal);
      const envelopes = new Envelopes();
      for (;;) {
        let part;
        try {
          part = await reader.read();
        } catch (error) {
          throw errorOfFetch(error);
        }
        if (part.done) throw new QuiverError("UNAVAILABLE", "the stream broke off");
        this.hear();
        for (const { isEnd, value } of envelopes.add(part.value)) {
          if (!isEnd) {
            this.failures = 0;
            live();
            yield this.update(value);
          } else if (value.error) {
            throw errorOf(value.error, (name) => value.metadata?.[name]?.[0] ?? null);
          } else {
            return;
          }
        }
      }
    } finally {
      clearTimeout(timer);
      control.abort();
    }
  }

  /**
   * Opens a stream.
   * @private
   * @param {Record<string, string>} fields
   * @param {AbortController} control
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  async accepted(fields, control) {
    const timer = setTimeout(() => control.abort(), this.times.patience);
    let reply;
    try {
      reply = await fetch(this.url, {
        method: "POST", headers: fields, body: this.body, cache: "no-store", credentials: "omit",
        redirect: "error", signal: control.signal,
      });
      if (!reply.ok) throw errorOfResponse(reply, await reply.text());
    } catch (error) {
      throw error instanceof QuiverError ? error : errorOfFetch(error);
    } finally {
      clearTimeout(timer);
    }
    const type = reply.headers.get("content-type") ?? "";
    if (!reply.body || !type.startsWith("application/connect+json")) {
      throw new QuiverError("UNAVAILABLE", "the answer does not come from a gateway");
    }
    this.budget.isGreeted = true;
    this.hear();
    this.listen(control);
    return reply.body;
  }

  /**
   * @private
   * @param {any} message
   * @returns {WatchUpdate<Message>}
   */
  update(message) {
    const span = message.span ?? {};
    const startsSnapshot = span.snapshot === true && !this.isInSnapshot;
    const startsAnew = this.isAnew;
    this.isAnew = false;
    this.isInSnapshot = span.snapshot === true && span.incomplete === true;
    if (message.span && span.incomplete !== true) {
      this.position = { upto: span.upto ?? "0", storeEpoch: span.storeEpoch ?? "0" };
    }
    return { message, startsSnapshot, startsAnew };
  }

  /**
   * Gives a stream up where neither it nor a probe says anything: a lost network is often silent.
   * @private
   * @param {AbortController} control
   */
  async listen(control) {
    const isQuiet = () => performance.now() - this.heardAt > this.times.quiet;
    while (!control.signal.aborted) {
      await pause(this.times.again, control.signal);
      if (control.signal.aborted || !isQuiet()) continue;
      if (await this.probe(this.times.answer)) this.hear();
      else if (isQuiet()) control.abort();
    }
  }

  /**
   * Waits until the gateway answers. What was sent into a lost network stays lost, so that a further request
   * goes out from time to time. True: there was no answer at first.
   * @private
   * @returns {Promise<boolean>}
   */
  async untilHeard() {
    let isHeard = false;
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.control.signal.addEventListener("abort", wake);
    try {
      for (let count = 0; !this.control.signal.aborted; count += 1) {
        this.probe(this.times.patience).then((answered) => {
          isHeard ||= answered;
          if (answered) wake();
        });
        await pause(this.times.again, woken.signal);
        if (isHeard) return count > 0;
      }
      return false;
    } finally {
      this.control.signal.removeEventListener("abort", wake);
    }
  }

  /**
   * Whether the gateway answers anything in a time.
   * @private
   * @param {number} milliseconds
   * @returns {Promise<boolean>}
   */
  async probe(milliseconds) {
    const control = new AbortController();
    const stop = () => control.abort();
    const timer = setTimeout(stop, milliseconds);
    this.control.signal.addEventListener("abort", stop);
    try {
      // Any answer is enough, also one that a page of another origin may not read.
      const reply = await fetch(this.probeURL, {
        method: "HEAD", mode: "no-cors", cache: "no-store", credentials: "omit",
        signal: control.signal,
      });
      return reply !== undefined;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      this.control.signal.removeEventListener("abort", stop);
    }
  }

  /**
   * Waits, not longer than until the browser has a network again.
   * @private
   * @param {number} milliseconds
   */
  async sleep(milliseconds) {
    const control = new AbortController();
    const wake = () => control.abort();
    globalThis.addEventListener?.("online", wake, { once: true });
    this.control.signal.addEventListener("abort", wake);
    if (this.control.signal.aborted) wake();
    await pause(milliseconds, control.signal);
    globalThis.removeEventListener?.("online", wake);
    this.control.signal.removeEventListener("abort", wake);
  }

  /** @private */
  hear() {
    this.heardAt = performance.now();
    this.heardDate = new Date();
  }

  /** @private @param {WatchState} state */
  setState(state) {
    if (state.name === this.state.name) return;
    this.state = state;
    this.options.onState?.(state);
  }
}

/** @param {Position} position @returns {Position} */
function checked(position) {
  if (!/^[0-9]{1,19}$/.test(position.upto) || !/^[0-9]{1,20}$/.test(position.storeEpoch)) {
    throw new QuiverError("INVALID_ARGUMENT", "position: must have the texts upto and storeEpoch",
      { notProcessed: true });
  }
  return { upto: position.upto, storeEpoch: position.storeEpoch };
}
