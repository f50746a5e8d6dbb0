import { QuiverError } from "./errors.js";

/** When and how often a call is sent again (PROTOCOL.md, section 7.6). Times in milliseconds. */
export const policy = Object.freeze({
  attempts: 4, firstWait: 100, factor: 2, longestWait: 5000, jitter: 0.2,
  budget: 10, floor: 5, cost: 1, gain: 0.1,
});

/** The tokens that limit the retries of a client, so that these do not overload a server that fails. */
export class RetryBudget {
  /** @private */
  tokens = policy.budget;
  /** Whether a gateway has answered this client, so that another program in its place is a passing failure. */
  isGreeted = false;

  answered() {
    this.isGreeted = true;
    this.tokens = Math.min(policy.budget, this.tokens + policy.gain);
  }

  failed() {
    this.tokens = Math.max(0, this.tokens - policy.cost);
  }

  get permits() {
    return this.tokens > policy.floor;
  }
}

/**
 * Whether a failure is one that may pass.
 * @param {QuiverError} error
 * @returns {boolean}
 */
export function isTransient(error) {
  const pushBack = error.retryAfterMilliseconds;
  if (pushBack !== null && pushBack < 0) return false;
  return error.code === "UNAVAILABLE" || (error.code === "RESOURCE_EXHAUSTED" && pushBack !== null);
}

/** What one call does after its failures. */
export class Retries {
  /** @private */
  attempt = 1;
  /** @private */
  wait = policy.firstWait;

  /**
   * @param {RetryBudget} budget
   * @param {boolean} isRepeatable whether a call whose fate is unknown may be sent again
   * @param {() => number} random
   */
  constructor(budget, isRepeatable, random = Math.random) {
    /** @private */
    this.budget = budget;
    /** @private */
    this.isRepeatable = isRepeatable;
    /** @private */
    this.random = random;
  }

  /**
   * How long to wait before the next attempt; null: there is none.
   * @param {QuiverError} error
   * @param {number} left milliseconds until the deadline
   * @returns {number | null}
   */
  after(error, left) {
    const pushBack = error.retryAfterMilliseconds;
    if (!isTransient(error)) {
      if (pushBack !== null && pushBack < 0) this.budget.failed();
      return null;
    }
    if (error.isOtherProtocol && !this.budget.isGreeted) return null;
    this.budget.failed();
    if (!error.notProcessed && !this.isRepeatable) return null;
    if (this.attempt >= policy.attempts || !this.budget.permits) return null;
    this.attempt += 1;
    let wait;
    if (pushBack !== null) {
      wait = pushBack;
      this.wait = policy.firstWait;
    } else {
      const factor = 1 - policy.jitter + 2 * policy.jitter * this.random();
      wait = Math.round(this.wait * factor);
      this.wait = Math.min(this.wait * policy.factor, policy.longestWait);
    }
    return wait < left ? wait : null;
  }
}
