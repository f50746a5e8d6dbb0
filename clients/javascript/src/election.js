import { pause } from "./pause.js";

/**
 * The times of an election, in milliseconds. `lease`: how long a lease holds without a renewal. `renew`: between
 * renewals, and between questions of tabs that would lead. `patience`: how long a tab that leads may say nothing.
 * @typedef {{lease: number, renew: number, patience: number}} ElectionTimes
 */

/** @type {Readonly<ElectionTimes>} */
export const electionTimes = Object.freeze({ lease: 5000, renew: 1000, patience: 5000 });

/**
 * Lets one tab at a time lead: by a lock of the browser where it has locks, which is in secure contexts, else by a
 * lease in the database.
 *
 * A tab in the background gives way to one that asks, and one that does not answer is passed over: phones suspend tabs.
 * Two tabs may then lead for a moment, which has to do no harm.
 */
export class Election {
  /** @private */
  control = new AbortController();
  /** @private @type {AbortController | null} */
  tenure = null;
  /** @private */
  id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("-");
  /** @private */
  heardAt = performance.now();

  /**
   * @param {string} name
   * @param {import("./store.js").Store} store
   * @param {BroadcastChannel} channel of all tabs
   * @param {(signal: AbortSignal) => Promise<void>} lead runs until the signal
   * @param {{times?: Partial<ElectionTimes>, locks?: LockManager | null}} [options]
   */
  constructor(name, store, channel, lead, options = {}) {
    /** @private */
    this.name = name;
    /** @private */
    this.store = store;
    /** @private */
    this.channel = channel;
    /** @private */
    this.lead = lead;
    /** @private */
    this.times = { ...electionTimes, ...options.times };
    /** @private @type {LockManager | null} */
    this.locks = options.locks === undefined ? navigator.locks ?? null : options.locks;
    channel.addEventListener("message", this.hear);
  }

  get isLeading() {
    return this.tenure !== null;
  }

  /** Takes part until `stop`. */
  async run() {
    const { signal } = this.control;
    const asking = setInterval(this.ask, this.times.renew);
    try {
      while (!signal.aborted) {
        try {
          await (this.locks ? this.byLock(this.locks) : this.byLease());
        } catch (error) {
          // The lock was passed on, or the database was closed.
          if (!signal.aborted) await pause(this.times.renew, signal);
        }
      }
    } finally {
      clearInterval(asking);
    }
  }

  stop() {
    this.control.abort();
    this.tenure?.abort();
    this.channel.removeEventListener("message", this.hear);
  }

  /** @private @param {LockManager} locks */
  async byLock(locks) {
    const isSilent = performance.now() - this.heardAt > this.times.patience;
    const steal = isSilent && !isHidden() && (await locks.query()).held?.some((lock) => lock.name === this.name);
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    this.control.signal.addEventListener("abort", stop);
    // Asks again, perhaps to pass over a tab that says nothing.
    const timer = setTimeout(stop, this.times.patience);
    try {
      await locks.request(this.name, steal ? { steal } : { signal: waiting.signal }, async () => {
        clearTimeout(timer);
        await this.hold(async () => true);
      });
    } catch (error) {
      // Stolen while it led, or not got in time.
      this.tenure?.abort();
      if (!waiting.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      this.control.signal.removeEventListener("abort", stop);
    }
  }

  /** @private */
  async byLease() {
    if (await this.renew()) {
      await this.hold(() => this.renew());
      await this.store.transact("readwrite", async (transaction) => {
        if ((await transaction.meta("lease"))?.holder === this.id) await transaction.setMeta("lease", undefined);
      });
    }
    await pause(this.times.renew / 2, this.control.signal);
  }

  /**
   * Takes or keeps the lease; false: another tab has it.
   * @private
   */
  renew() {
    return this.store.transact("readwrite", async (transaction) => {
      const lease = await transaction.meta("lease");
      const now = Date.now();
      // One that ends later than a lease can was made before the clock was set back.
      const isFree = !lease || lease.until <= now || lease.until > now + this.times.lease;
      if (!isFree && lease.holder !== this.id) return false;
      await transaction.setMeta("lease", { holder: this.id, until: now + this.times.lease });
      return true;
    });
  }

  /**
   * Leads while it may, and until leading ends by itself: after an error another tab, or this one, leads anew.
   * @private
   * @param {() => Promise<boolean>} may
   */
  async hold(may) {
    if (this.control.signal.aborted) return;
    const tenure = new AbortController();
    this.tenure = tenure;
    const leading = this.lead(tenure.signal).finally(() => tenure.abort());
    leading.catch(() => {});
    try {
      while (!tenure.signal.aborted) {
        await pause(this.times.renew, tenure.signal);
        if (!tenure.signal.aborted && !await may()) tenure.abort();
      }
    } finally {
      tenure.abort();
      try {
        await leading;
      } finally {
        this.tenure = null;
      }
    }
  }

  /** @private */
  ask = () => {
    if (!this.isLeading && !isHidden()) this.channel.postMessage({ election: "ask" });
  };

  /** @private @param {MessageEvent} event */
  hear = ({ data }) => {
    if (data?.election === "lead") this.heardAt = performance.now();
    if (data?.election !== "ask" || !this.tenure) return;
    this.channel.postMessage({ election: "lead" });
    if (isHidden()) this.tenure.abort();
  };
}

function isHidden() {
  return globalThis.document?.visibilityState === "hidden";
}
