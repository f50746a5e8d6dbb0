import { cardOf } from "./cards.js";
import { secondCardOf } from "./edits.js";
import { matchOf } from "./matches.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./outbox.js").Summary} Summary */

/** What an outbox has at one moment: the reads of one transaction. Its methods are those of the outbox. */
export class Stored {
  /**
   * @param {import("./store.js").Transaction} transaction
   * @param {import("./sender.js").SenderState} sender
   */
  constructor(transaction, sender) {
    /** @private */
    this.transaction = transaction;
    /** @private */
    this.sender = sender;
  }

  /**
   * What the page stored by a key; undefined: nothing.
   * @param {string} key
   * @returns {Promise<any>}
   */
  shown(key) {
    return this.transaction.shown(key);
  }

  /**
   * The first cards of archers.
   * @param {readonly {participant: string, format: import("./formats.js").Format}[]} archers
   * @returns {Promise<import("./cards.js").Card[]>}
   */
  async cards(archers) {
    const cards = [];
    for (const { participant, format } of archers) {
      cards.push(cardOf(format, await this.transaction.standing("arrow", participant),
        await this.transaction.entriesOf("arrow", participant)));
    }
    return cards;
  }

  /**
   * The second card of an archer, by the index of the end.
   * @param {string} participant
   * @returns {Promise<ReturnType<typeof secondCardOf>>}
   */
  async secondCard(participant) {
    return secondCardOf(await this.transaction.standing("end", participant),
      await this.transaction.entriesOf("end", participant));
  }

  /**
   * A match with what waits; null: this device never had it.
   * @param {string} match
   * @returns {Promise<{match: any} & ReturnType<typeof matchOf> | null>}
   */
  async match(match) {
    const found = await this.transaction.standing("match", match);
    return found && { match: found, ...matchOf(found, await this.transaction.entriesOf("match", match)) };
  }

  /**
   * The operations of some states, by sequence.
   * @param {...import("./entries.js").State} states those that wait or need a person unless given
   * @returns {Promise<Entry[]>}
   */
  async entries(...states) {
    /** @type {import("./entries.js").State[]} */
    const wanted = states.length > 0 ? states : ["waiting", "late", "conflict", "refused"];
    const found = [];
    for (const state of wanted) found.push(...await this.transaction.entriesIn(state));
    return found.sort((one, other) => one.sequence - other.sequence);
  }

  /** @returns {Promise<Summary>} */
  async summary() {
    const [first] = await this.transaction.entriesIn("waiting", 1);
    return {
      waiting: await this.transaction.countIn("waiting"),
      waitingSince: first ? new Date(first.enteredAt) : null,
      held: await held(this.transaction),
      sender: this.sender,
    };
  }
}

/**
 * How many operations need a person.
 * @param {import("./store.js").Transaction} transaction
 */
export async function held(transaction) {
  return await transaction.countIn("late") + await transaction.countIn("conflict")
    + await transaction.countIn("refused");
}
