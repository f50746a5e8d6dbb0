import { callDraft, draftOf, putHead, secondCardOf, subjectOf } from "./edits.js";
import { Election } from "./election.js";
import { needsPerson } from "./entries.js";
import { base64 } from "./json.js";
import { matchOf } from "./matches.js";
import { OutboxError } from "./outboxerror.js";
import { Sender } from "./sender.js";
import { epochOf, newerArrows, newerEnds, release, renameReplaced, takeMatch } from "./settle.js";
import { mostSteps, rename, replacedBy, undoArrow } from "./steps.js";
import { Store } from "./store.js";
import { Stored, held } from "./stored.js";
import { uuid7After } from "./uuid.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./edits.js").Change} Change */
/** @typedef {import("./store.js").Transaction} Transaction */

/**
 * What a page always shows. `waiting`: operations that are sent by themselves, since `waitingSince`. `held`: those that
 * need a person. `sender`: what the tab that sends does; another tab's is not known to this one after a load.
 * @typedef {{waiting: number, waitingSince: Date | null, held: number,
 *   sender: import("./sender.js").SenderState}} Summary
 */

/**
 * @typedef {object} OutboxOptions
 * @property {string} [name] of the database; pages that share it share the outbox. "quiver" unless given
 * @property {string} [device] the name of this device in the audit; of a leased target that of the lease
 * @property {(summary: Summary) => void} [onChange] is called after each change, also of other tabs
 * @property {() => void} [onOutdated] a newer version of the page runs in another tab: this one stores nothing more
 *   and has to be loaded again
 * @property {Partial<import("./election.js").ElectionTimes>} [times]
 * @property {LockManager | null} [locks] null: a lease in the database instead, as in an insecure context
 */

/** How many operations may wait or need a person. */
export const mostEntries = 10_000;

/** How long operations that the server has are retained: 7 days, in milliseconds. */
export const retention = 7 * 24 * 3_600_000;

/** How many of them. */
export const mostRetained = 20_000;

/**
 * The operations of this device that the server does not have yet, and what the page shows, in IndexedDB.
 *
 * A method that changes something resolves when the change is on disk. All tabs of an origin share the outbox, and one of
 * them sends. Each operation has its id before it is stored, so that the server stores it once, however often it comes.
 */
export class Outbox {
  /** @private */
  isClosed = false;
  /** @private @type {import("./sender.js").SenderState} */
  senderState = { name: "idle", since: null };

  /**
   * Opens the outbox, and sends what waits. Rejects with an `OutboxError` before anything is entered: STORAGE_REFUSED,
   * STORAGE_FULL or OUTDATED.
   *
   * @param {import("./client.js").Client} client
   * @param {OutboxOptions} [options]
   * @returns {Promise<Outbox>}
   */
  static async open(client, options = {}) {
    const name = options.name ?? "quiver";
    /** @type {Outbox | null} */
    let outbox = null;
    const store = await Store.open(name, () => {
      outbox?.close();
      options.onOutdated?.();
    });
    outbox = new Outbox(client, store, name, options);
    await outbox.purge();
    outbox.start();
    return outbox;
  }

  /**
   * @private
   * @param {import("./client.js").Client} client
   * @param {Store} store
   * @param {string} name
   * @param {OutboxOptions} options
   */
  constructor(client, store, name, options) {
    /** @private */
    this.client = client;
    /** @private */
    this.store = store;
    /** @private */
    this.options = options;
    /** The name of this device in operations that are entered from now on. */
    this.device = options.device ?? "";
    /** @private */
    this.channel = new BroadcastChannel(`quiver-outbox/${name}`);
    /** @private */
    this.sender = new Sender(store, () => this.client, () => this.changed(this.sender.state));
    /** @private */
    this.election = new Election(`quiver-outbox/${name}`, store, this.channel,
      (signal) => this.sender.run(signal), options);
  }

  /**
   * Makes changes, and stores them together with what the page then shows: all or nothing.
   *
   * Arrows of one call are undone together. What is already as asked is left out.
   *
   * @param {Change | readonly Change[]} changes
   * @param {Record<string, any>} [shown] values by the page's own keys; undefined removes one
   * @returns {Promise<Entry[]>} the new operations
   */
  async change(changes, shown = {}) {
    /** @type {readonly Change[]} */
    const list = Array.isArray(changes) ? changes : [changes];
    const added = await this.write(async (transaction) => {
      /** @type {Entry[]} */
      const entries = [];
      /** @type {import("./steps.js").StepArrow[]} */
      const arrows = [];
      let event = "";
      for (const change of list) {
        const subject = subjectOf(change);
        const draft = draftOf(change, await transaction.standing(change.kind, subject),
          await transaction.entriesOf(change.kind, subject));
        if (!draft) continue;
        const entry = await this.add(transaction, draft);
        entries.push(entry);
        if (change.kind !== "arrow") continue;
        event = change.event;
        const slot = { endIndex: change.endIndex, arrowIndex: change.arrowIndex };
        arrows.push({ subject, slot, clientId: entry.clientId, before: draft.before ?? null,
          replaced: replacedBy(draft.operation) });
      }
      if (arrows.length > 0) {
        await transaction.addStep({ event, arrows });
        const steps = await transaction.steps(event);
        for (const step of steps.slice(0, Math.max(0, steps.length - mostSteps))) {
          await transaction.deleteStep(step.number);
        }
      }
      for (const [key, value] of Object.entries(shown)) await transaction.setShown(key, value);
      return entries;
    });
    this.wake();
    return added;
  }

  /**
   * Undoes the arrows that this device entered or changed last in an event. Arrows that somebody else has changed since
   * stay: NOT_POSSIBLE, and the step is gone.
   *
   * @param {string} event
   * @returns {Promise<{participant: string, slot: import("./formats.js").Slot} | null>} the first of the slots; null:
   *   nothing can be undone
   */
  async undo(event) {
    const { found, refusal } = await this.write(async (transaction) => {
      const step = await transaction.lastStep(event);
      if (!step) return { found: null, refusal: null };
      await transaction.deleteStep(step.number);
      /** @type {OutboxError | null} */
      let refusal = null;
      for (const arrow of [...step.arrows].reverse()) {
        try {
          await undoArrow(transaction, event, arrow, (draft) => this.add(transaction, draft));
        } catch (error) {
          if (!(error instanceof OutboxError) || error.code !== "NOT_POSSIBLE") throw error;
          refusal = error;
        }
      }
      return { found: { participant: step.arrows[0].subject, slot: step.arrows[0].slot }, refusal };
    });
    this.wake();
    if (refusal) throw refusal;
    return found;
  }

  /**
   * What `undo` would undo: the first of its slots, how many there are, and whether the server may have the first; null: nothing.
   * @param {string} event
   * @returns {Promise<{participant: string, slot: import("./formats.js").Slot, count: number, isSent: boolean} | null>}
   */
  undoable(event) {
    return this.store.transact("readonly", async (transaction) => {
      const step = await transaction.lastStep(event);
      const [first] = step?.arrows ?? [];
      if (!first || !step) return null;
      const own = await transaction.entryBy(first.clientId);
      const isSent = !own || own.state === "stored" || own.attempts > 0;
      return { participant: first.subject, slot: first.slot, count: step.arrows.length, isSent };
    });
  }

  /**
   * Reads several things from one moment, by one transaction of the database.
   *
   * @template T
   * @param {(stored: Stored) => Promise<T>} body awaits nothing but what `stored` answers
   * @returns {Promise<T>}
   */
  read(body) {
    return this.store.transact("readonly", (transaction) =>
      body(new Stored(transaction, this.election.isLeading ? this.sender.state : this.senderState)));
  }

  /**
   * Cards from one moment, for the first cards of archers.
   * @param {readonly {participant: string, format: import("./formats.js").Format}[]} archers
   * @returns {Promise<import("./cards.js").Card[]>}
   */
  cards(archers) {
    return this.read((stored) => stored.cards(archers));
  }

  /**
   * The second card of an archer, by the index of the end.
   * @param {string} participant
   * @returns {Promise<ReturnType<typeof secondCardOf>>}
   */
  secondCard(participant) {
    return this.read((stored) => stored.secondCard(participant));
  }

  /**
   * A match with what waits; null: this device never had it.
   * @param {string} match
   * @returns {ReturnType<Stored["match"]>}
   */
  match(match) {
    return this.read((stored) => stored.match(match));
  }

  /**
   * Takes what the server has, as its replies and watches say, with what the page shows of it. A list replaces what was
   * known of its participant. With the epoch of the same store, what a verdict has said since stays: a message of a watch
   * can be older than it.
   *
   * @param {object} state
   * @param {Record<string, any[]>} [state.arrows] `ScoredArrow`s by participant
   * @param {Record<string, any[]>} [state.ends] `ComparedEnd`s by participant
   * @param {any[]} [state.matches] `EliminationMatch`es with their cards
   * @param {Record<string, any>} [state.shown] values by the page's own keys; undefined removes one
   * @param {string} [state.storeEpoch] of the span of a watch. Another one than before: the store was restored or
   *   replaced, and what this device stored in it during the last 7 days is offered again
   */
  async take({ arrows = {}, ends = {}, matches = [], shown = {}, storeEpoch }) {
    await this.write(async (transaction) => {
      const isSame = storeEpoch !== undefined && await this.takeEpoch(transaction, storeEpoch);
      for (const [subject, list] of Object.entries(arrows)) {
        const known = isSame ? await transaction.standing("arrow", subject) : [];
        await transaction.setStanding("arrow", subject, newerArrows(known, list));
      }
      for (const [subject, list] of Object.entries(ends)) {
        const known = isSame ? await transaction.standing("end", subject) : [];
        await transaction.setStanding("end", subject, await newerEnds(transaction, known, list, Date.now()));
      }
      for (const match of matches) await takeMatch(transaction, match);
      for (const [key, value] of Object.entries(shown)) await transaction.setShown(key, value);
    });
    this.wake();
  }

  /**
   * Stores what the page shows by its own keys; undefined removes one.
   * @param {Record<string, any>} values
   */
  async keep(values) {
    await this.write(async (transaction) => {
      for (const [key, value] of Object.entries(values)) await transaction.setShown(key, value);
    });
  }

  /**
   * What the page stored by a key; undefined: nothing.
   * @param {string} key
   * @returns {Promise<any>}
   */
  shown(key) {
    return this.read((stored) => stored.shown(key));
  }

  /**
   * The operations of some states, by sequence.
   * @param {...import("./entries.js").State} states those that wait or need a person unless given
   * @returns {Promise<Entry[]>}
   */
  entries(...states) {
    return this.read((stored) => stored.entries(...states));
  }

  /**
   * What waits, by sequence, for another device to deliver (`rescueTexts`). It counts as sent from then on, so that no
   * undo deletes it.
   * @returns {Promise<Entry[]>}
   */
  handOver() {
    return this.write(async (transaction) => {
      const waiting = await transaction.entriesIn("waiting");
      for (const entry of waiting.filter((one) => one.attempts === 0)) {
        entry.attempts = 1;
        await transaction.putEntry(entry);
      }
      return waiting;
    });
  }

  /** @returns {Promise<Summary>} */
  summary() {
    return this.read((stored) => stored.summary());
  }

  /**
   * Sends an operation that needs a person again, as it is. A call of before the store was set back is made anew: the
   * person has read that what it did before may have been lost.
   * @param {number} sequence
   */
  async retry(sequence) {
    await this.decide(sequence, async (transaction, entry) => {
      const isOfBefore = entry.kind === "call" && entry.storeEpoch && entry.storeEpoch !== await epochOf(transaction);
      if (isOfBefore) return this.replaceCall(transaction, entry, entry.operation.request);
      await transaction.putEntry({ ...entry, state: "waiting", notBefore: 0, deferrals: 0, code: "", message: "" });
    });
  }

  /**
   * Makes an operation in conflict a correction of what the server has at its place.
   * @param {number} sequence
   * @param {string} [reason]
   */
  async overwrite(sequence, reason = "another scorer entered another value") {
    await this.decide(sequence, async (transaction, entry) => {
      if (entry.state !== "conflict") {
        throw new OutboxError("NOT_POSSIBLE", "nothing else is at its place; send it again, or discard it");
      }
      if (entry.kind === "call") {
        throw new OutboxError("NOT_POSSIBLE", "read what is there now, and amend the call");
      }
      const { replacesId, replacesClientId, reason: former, ...operation } = entry.operation;
      const head = headIn(await transaction.standing(entry.kind, entry.subject), entry);
      const isEmptying = entry.kind === "arrow" ? operation.kind === "OPERATION_KIND_RETRACT"
        : (operation.entry ?? operation).arrows.length === 0;
      if (!head && isEmptying) return transaction.deleteEntry(entry.sequence);
      if (head) {
        putHead(head, operation);
        operation.reason = former ?? reason;
      }
      if (entry.kind === "arrow" && !isEmptying) {
        operation.kind = head ? "OPERATION_KIND_CORRECT" : "OPERATION_KIND_RECORD";
      }
      const clientId = await this.newId(transaction);
      await renameReplaced(transaction, entry, clientId);
      await rename(transaction, entry.event, entry.subject, entry.clientId, clientId);
      await transaction.putEntry({ ...entry, clientId, operation: { ...operation, clientId }, state: "waiting",
        attempts: 0, deferrals: 0, notBefore: 0, code: "", message: "" });
    });
  }

  /**
   * Sends a call that needs a person with another request, under another key. What comes after it stays after it.
   * @param {number} sequence
   * @param {any} request
   */
  async amend(sequence, request) {
    await this.decide(sequence, async (transaction, entry) => {
      if (entry.kind !== "call") throw new OutboxError("NOT_POSSIBLE", "it is no call");
      await this.replaceCall(transaction, entry, request);
    });
  }

  /**
   * Puts a call with another key in the place of one, for the store as it is now.
   * @private
   * @param {Transaction} transaction
   * @param {Entry} entry
   * @param {any} request
   */
  async replaceCall(transaction, entry, request) {
    const clientId = await this.newId(transaction);
    for (const other of await transaction.unsettled()) {
      if (other.after === entry.clientId) await transaction.putEntry({ ...other, after: clientId });
    }
    const { method, revision, from, title } = entry.operation;
    const { operation } = callDraft({ kind: "call", subject: entry.subject, method, request, revision, from, title });
    await transaction.putEntry({ ...entry, clientId, operation, state: "waiting", attempts: 0, deferrals: 0, notBefore: 0,
      code: "", message: "", storeEpoch: await epochOf(transaction) });
  }

  /**
   * Removes an operation that needs a person, with the ones behind it that replace it.
   * @param {number} sequence
   */
  async discard(sequence) {
    await this.decide(sequence, async (transaction, entry) => {
      await removeWith(transaction, entry);
    });
  }

  /**
   * Removes a call that waits and was never sent, with what comes after it; false: it may have been sent.
   * @param {number} sequence
   * @returns {Promise<boolean>}
   */
  async withdraw(sequence) {
    const isGone = await this.write(async (transaction) => {
      const entry = await transaction.entry(sequence);
      if (entry?.kind !== "call" || entry.state !== "waiting" || entry.attempts > 0) return false;
      await removeWith(transaction, entry);
      return true;
    });
    this.wake();
    return isGone;
  }

  /** Removes all but what waits or needs a person, as when somebody signs out. */
  async forget() {
    await this.write(async (transaction) => {
      for (const entry of await transaction.entriesIn("stored")) await transaction.deleteEntry(entry.sequence);
      await transaction.forget();
    });
    this.changed();
  }

  /**
   * Sends with another client from now on, as after the device has joined again.
   * @param {import("./client.js").Client} client
   */
  use(client) {
    this.client = client;
    this.wake();
  }

  /** Sends now, without waiting for the next attempt; as when a watch is live again. */
  wake() {
    this.sender.wake();
    this.post({ wake: true });
    this.changed();
  }

  /** Ends sending from this tab, and closes the database. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.election.stop();
    this.channel.close();
    this.store.close();
  }

  /** @private */
  start() {
    this.channel.addEventListener("message", ({ data }) => {
      if (data.wake) this.sender.wake();
      if (data.sender) this.senderState = data.sender;
      if (data.wake || data.sender) this.tell();
    });
    this.running = this.election.run();
    this.tell();
  }

  /** @private @template T @param {(transaction: Transaction) => Promise<T>} body @returns {Promise<T>} */
  write(body) {
    if (this.isClosed) throw new OutboxError("CLOSED", "the outbox was closed; load the page again");
    return this.store.transact("readwrite", body);
  }

  /**
   * Adds an operation to what waits.
   * @private
   * @param {Transaction} transaction
   * @param {import("./edits.js").Draft} draft
   * @returns {Promise<Entry>}
   */
  async add(transaction, { kind, event, subject, operation, arrow, after }) {
    if (await transaction.countIn("waiting") + await held(transaction) >= mostEntries) {
      throw new OutboxError("FULL", `${mostEntries} operations wait; connect this device before entering more`);
    }
    const clientId = await this.newId(transaction);
    const now = Date.now();
    const whole = kind === "call" ? operation : { clientId, ...operation, scoredAtMs: String(now), device: this.device };
    /** @type {Omit<Entry, "sequence">} */
    const entry = { kind, event, subject, clientId, operation: whole, state: "waiting", attempts: 0, deferrals: 0,
      notBefore: 0, enteredAt: now, changedAt: now, code: "", message: "",
      storeEpoch: kind === "call" ? await epochOf(transaction) : "" };
    if (arrow) entry.arrow = arrow;
    if (after) entry.after = after;
    return transaction.addEntry(entry);
  }

  /**
   * A client id that is greater than all before it on this device.
   * @private
   * @param {Transaction} transaction
   */
  async newId(transaction) {
    const { bytes, last } = uuid7After(await transaction.meta("lastId") ?? { milliseconds: 0, random: 0n }, Date.now());
    await transaction.setMeta("lastId", last);
    return base64(bytes);
  }

  /**
   * @private
   * @param {number} sequence
   * @param {(transaction: Transaction, entry: Entry) => Promise<void>} body
   */
  async decide(sequence, body) {
    await this.write(async (transaction) => {
      const entry = await transaction.entry(sequence);
      if (!entry || !needsPerson(entry.state)) {
        throw new OutboxError("NOT_POSSIBLE", "nothing has to be decided there any more");
      }
      await body(transaction, entry);
    });
    this.wake();
  }

  /**
   * Whether the store is the one that was known.
   * @private
   * @param {Transaction} transaction
   * @param {string} storeEpoch
   */
  async takeEpoch(transaction, storeEpoch) {
    const known = await epochOf(transaction);
    if (known === storeEpoch) return true;
    await transaction.setMeta("storeEpoch", storeEpoch);
    if (!known) return true;
    for (const entry of await transaction.entriesIn("stored")) {
      await transaction.putEntry({ ...entry, state: "waiting", notBefore: 0, deferrals: 0 });
    }
    await release(transaction);
    return false;
  }

  /** Removes what was retained long enough. @private */
  async purge() {
    await this.store.transact("readwrite", async (transaction) => {
      const retained = await transaction.entriesIn("stored");
      const oldest = Date.now() - retention;
      for (const [index, entry] of retained.entries()) {
        const isOver = entry.changedAt < oldest || index < retained.length - mostRetained;
        if (isOver) await transaction.deleteEntry(entry.sequence);
      }
    });
  }

  /** @private @param {import("./sender.js").SenderState} [sender] */
  changed(sender) {
    if (sender) this.post({ sender });
    this.tell();
  }

  /** @private @param {object} message */
  post(message) {
    if (!this.isClosed) this.channel.postMessage(message);
  }

  /** @private */
  async tell() {
    if (!this.options.onChange) return;
    try {
      const summary = await this.summary();
      if (!this.isClosed) this.options.onChange(summary);
    } catch (error) {
      if (!this.isClosed) throw error;
    }
  }
}

/**
 * Removes an entry, with the ones behind it that replace it or come after it.
 * @param {Transaction} transaction
 * @param {Entry} entry
 */
async function removeWith(transaction, entry) {
  const gone = new Set([entry.clientId]);
  const others = entry.kind === "call" ? await transaction.unsettled()
    : await transaction.entriesOf(entry.kind, entry.subject);
  for (const other of others) {
    const isBehind = other.state !== "stored"
      && (gone.has(other.operation.replacesClientId) || gone.has(other.after ?? ""));
    if (isBehind) gone.add(other.clientId);
    if (isBehind || other.sequence === entry.sequence) await transaction.deleteEntry(other.sequence);
  }
}

/**
 * What the server has at the place of an operation; null: nothing.
 * @param {any} standing
 * @param {Entry} entry
 * @returns {import("./cards.js").Head | null}
 */
function headIn(standing, { kind, operation }) {
  if (kind === "arrow") {
    const found = standing.find((/** @type {any} */ one) => (one.endIndex ?? 0) === operation.endIndex
      && (one.arrowIndex ?? 0) === operation.arrowIndex);
    return found ? { id: String(found.operationId ?? "0"), clientId: found.operationClientId ?? "" } : null;
  }
  const clientId = kind === "end" ? secondCardOf(standing).get(operation.endIndex)?.head
    : matchOf(standing).places.find((one) => one.side === operation.side
      && one.isShootOff === operation.entry.shootOff && one.index === operation.entry.index)?.head;
  return clientId ? { id: "0", clientId } : null;
}
