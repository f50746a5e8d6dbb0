import { batchOf, longestWait, nextBatch, waitAfter } from "./entries.js";
import { QuiverError } from "./errors.js";
import { pause } from "./pause.js";
import { refuse, settle, settleCall } from "./settle.js";
import { keyOf } from "./edits.js";

/** @typedef {import("./entries.js").Entry} Entry */

/**
 * What the sender does. `idle`: nothing waits that can be sent now. `sending`. `lost`: no answer came since `since`.
 * `signedOut`: the server does not accept the token; a new one has to be given.
 * @typedef {{name: "idle" | "sending", since: null} | {name: "lost" | "signedOut", since: Date}} SenderState
 */

/** Codes with which a repeat of a call may end otherwise. */
const passing = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "ABORTED"]);
/** Codes of a server that fails; its next version may not. */
const failing = new Set(["INTERNAL", "UNKNOWN", "DATA_LOSS", "UNIMPLEMENTED", "RESOURCE_EXHAUSTED"]);

/** Sends what waits, in batches, one after the other. */
export class Sender {
  /** @type {SenderState} */
  state = { name: "idle", since: null };
  /** @private */
  failures = 0;
  /**
   * How many operations a call has at most: fewer after a call that was refused as a whole, to find which it was.
   * @private
   */
  most = Infinity;
  /** @private */
  waker = new AbortController();

  /**
   * @param {import("./store.js").Store} store
   * @param {() => import("./client.js").Client} client
   * @param {() => void} onChange is called after each change of the store or of the state
   */
  constructor(store, client, onChange) {
    /** @private */
    this.store = store;
    /** @private */
    this.client = client;
    /** @private */
    this.onChange = onChange;
  }

  /** Sends now, if something waits. */
  wake() {
    this.waker.abort();
  }

  /**
   * Sends until the signal.
   * @param {AbortSignal} signal
   */
  async run(signal) {
    const wake = () => this.wake();
    globalThis.addEventListener?.("online", wake);
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted) {
        this.waker = new AbortController();
        const { signal: woken } = this.waker;
        const wait = await this.step(signal);
        if (wait > 0 && !signal.aborted) await pause(wait, woken);
      }
    } finally {
      globalThis.removeEventListener?.("online", wake);
      signal.removeEventListener("abort", wake);
    }
  }

  /**
   * Sends one batch; returns how long to wait before the next, in milliseconds.
   * @private
   * @param {AbortSignal} signal
   * @returns {Promise<number>}
   */
  async step(signal) {
    const { batch, next } = await this.begin();
    if (batch.length === 0) {
      if (this.state.name === "sending") this.setState({ name: "idle", since: null });
      return Math.min(longestWait, Math.max(1, next - Date.now()));
    }
    if (this.state.name === "idle") this.setState({ name: "sending", since: null });
    const since = new Date();
    try {
      const { method } = batchOf(batch[0]);
      if (batch[0].kind === "call") return await this.sendCall(batch[0], method, signal);
      const operations = batch.map((entry) => entry.operation);
      const reply = await this.client().call(method, { operations }, { signal });
      const verdicts = reply.verdicts ?? [];
      if (verdicts.length !== batch.length
        || batch.some((entry, index) => entry.clientId !== verdicts[index].clientId)) {
        throw new QuiverError("INTERNAL", "the server's verdicts do not belong to the operations");
      }
      await this.store.transact("readwrite", (transaction) => settle(transaction, batch, verdicts, Date.now()));
      this.answered();
      this.most = Infinity;
      return 0;
    } catch (error) {
      if (!(error instanceof QuiverError)) throw error;
      return signal.aborted ? 0 : await this.failed(batch, error, since);
    }
  }

  /**
   * Sends a call with its own idempotency key, so that it has one effect however often it is sent. It states the epoch for
   * which it was made, so that a store that was set back neither repeats it nor takes it for another object.
   * @private
   * @param {Entry} entry
   * @param {string} method
   * @param {AbortSignal} signal
   */
  async sendCall(entry, method, signal) {
    const reply = await this.client().call(method, entry.operation.request,
      { signal, key: keyOf(entry.clientId), storeEpoch: entry.storeEpoch });
    await this.store.transact("readwrite", (transaction) => settleCall(transaction, entry, reply));
    this.answered();
    return 0;
  }

  /**
   * Chooses what is sent, and notes that it may have been: from then on no undo deletes it.
   * @private
   * @returns {Promise<{batch: Entry[], next: number}>} `next`: when there may be something to send
   */
  begin() {
    return this.store.transact("readwrite", async (transaction) => {
      const waiting = await transaction.entriesIn("waiting", 2000);
      const held = waiting.length === 0 ? [] : [...await transaction.entriesIn("late"),
        ...await transaction.entriesIn("conflict"), ...await transaction.entriesIn("refused")];
      const batch = nextBatch(waiting, held, Date.now(), this.most);
      for (const entry of batch) {
        entry.attempts += 1;
        await transaction.putEntry(entry);
      }
      return { batch, next: Math.min(...waiting.map((entry) => entry.notBefore), Infinity) };
    });
  }

  /**
   * @private
   * @param {Entry[]} batch
   * @param {QuiverError} error
   * @param {Date} since
   * @returns {Promise<number>}
   */
  async failed(batch, error, since) {
    const pushBack = error.retryAfterMilliseconds ?? 0;
    if (error.code === "UNAUTHENTICATED") {
      this.setState({ name: "signedOut", since });
      return longestWait;
    }
    const isStale = error.code === "ABORTED" && batch[0].kind === "call" && error.details.length > 0;
    if ((passing.has(error.code) && !isStale) || (error.code === "RESOURCE_EXHAUSTED" && pushBack > 0)) {
      this.failures += 1;
      if (this.state.name !== "lost") this.setState({ name: "lost", since });
      return Math.max(Math.min(waitAfter(this.failures), 10_000), pushBack);
    }
    this.answered();
    if (batch.length > 1) {
      this.most = Math.ceil(batch.length / 2);
      return 0;
    }
    this.most = Infinity;
    const isFinal = !failing.has(error.code);
    await this.store.transact("readwrite", (transaction) =>
      refuse(transaction, batch[0], error, isFinal, Date.now()));
    this.onChange();
    return 0;
  }

  /** @private */
  answered() {
    this.failures = 0;
    if (this.state.name === "sending") this.onChange();
    else this.setState({ name: "sending", since: null });
  }

  /** @private @param {SenderState} state */
  setState(state) {
    this.state = state;
    this.onChange();
  }
}
