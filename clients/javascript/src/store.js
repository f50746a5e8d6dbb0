import { OutboxError } from "./outboxerror.js";

/**
 * The version of what is stored. A page of another version must not touch it: an older one cannot know what newer
 * entries mean.
 */
export const schemaVersion = 1;

/** The stores: what each has. */
const stores = Object.freeze({
  /** Entries of the outbox, by sequence. */
  entries: "entries",
  /** What the server has, as this device last heard: `{kind, subject, value}`. */
  standing: "standing",
  /** What the page shows, by its own keys. */
  shown: "shown",
  /** What can be undone, oldest first. */
  steps: "steps",
  /** The last client id, the lease of the sender, the store epoch. */
  meta: "meta",
});

/** @type {readonly import("./entries.js").State[]} */
const unsettledStates = ["waiting", "late", "conflict", "refused"];

/** The database of an outbox. */
export class Store {
  /** @private @param {IDBDatabase} database */
  constructor(database) {
    /** @private */
    this.database = database;
  }

  /**
   * Opens or makes the database. Rejects with an `OutboxError` if the browser refuses storage, has no space, or
   * if the data is of a newer version.
   *
   * @param {string} name
   * @param {() => void} onOutdated is called when another tab needs a newer version; the store is closed then
   * @param {() => void} [onBlocked] is called when another tab, of an older version, does not close it
   * @returns {Promise<Store>}
   */
  static async open(name, onOutdated, onBlocked = () => {}) {
    /** @type {IDBDatabase} */
    let database;
    try {
      const factory = globalThis.indexedDB;
      if (!factory) throw OutboxError.refused();
      const opening = factory.open(name, schemaVersion);
      opening.onupgradeneeded = ({ oldVersion }) => {
        if (oldVersion < 1) create(opening.result);
      };
      opening.onblocked = onBlocked;
      database = await done(opening);
    } catch (error) {
      // Some private windows fail to open it for other reasons than they state.
      const known = OutboxError.of(error);
      throw known instanceof OutboxError && known.code === "CLOSED" ? OutboxError.refused(error) : known;
    }
    database.onversionchange = () => {
      database.close();
      onOutdated();
    };
    database.onclose = onOutdated;
    const store = new Store(database);
    await store.probe();
    return store;
  }

  /**
   * Runs a function in a transaction, and resolves when that is on disk. The function awaits nothing but requests of
   * the transaction; what it throws ends the transaction without a change.
   *
   * @template T
   * @param {"readonly" | "readwrite"} mode
   * @param {(transaction: Transaction) => Promise<T>} body
   * @returns {Promise<T>}
   */
  async transact(mode, body) {
    /** @type {IDBTransaction} */
    let transaction;
    try {
      transaction = this.database.transaction(Object.values(stores), mode, { durability: "strict" });
    } catch (error) {
      throw OutboxError.of(error);
    }
    /** @type {Promise<void>} */
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
    });
    ended.catch(() => {});
    let result;
    try {
      result = await body(new Transaction(transaction));
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It has ended by itself, for the same reason.
      }
      throw OutboxError.of(transaction.error ?? error);
    }
    try {
      await ended;
    } catch (error) {
      throw OutboxError.of(error);
    }
    return result;
  }

  close() {
    this.database.onclose = null;
    this.database.close();
  }

  /**
   * Writes as much as an event may need, and removes it: storage that is full is found before the first arrow.
   * @private
   */
  async probe() {
    try {
      await this.transact("readwrite", (transaction) => transaction.setMeta("probe", new Uint8Array(256 << 10)));
      await this.transact("readwrite", (transaction) => transaction.setMeta("probe", undefined));
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** The requests of one transaction. */
export class Transaction {
  /** @param {IDBTransaction} transaction */
  constructor(transaction) {
    /** @private */
    this.transaction = transaction;
  }

  /** @param {string} key @returns {Promise<any>} */
  meta(key) {
    return done(this.store("meta").get(key));
  }

  /** @param {string} key @param {any} value undefined removes it */
  setMeta(key, value) {
    return this.set("meta", key, value);
  }

  /** @param {string} key @returns {Promise<any>} */
  shown(key) {
    return done(this.store("shown").get(key));
  }

  /** @param {string} key @param {any} value undefined removes it */
  setShown(key, value) {
    return this.set("shown", key, value);
  }

  /**
   * The entries of a state, by sequence.
   * @param {import("./entries.js").State} state
   * @param {number} [most]
   * @returns {Promise<import("./entries.js").Entry[]>}
   */
  entriesIn(state, most) {
    return done(this.store("entries").index("state").getAll(state, most));
  }

  /** @param {import("./entries.js").State} state @returns {Promise<number>} */
  countIn(state) {
    return done(this.store("entries").index("state").count(state));
  }

  /**
   * The entries of a participant or a match, by sequence.
   * @param {import("./entries.js").Kind} kind
   * @param {string} subject
   * @returns {Promise<import("./entries.js").Entry[]>}
   */
  entriesOf(kind, subject) {
    return done(this.store("entries").index("subject").getAll([kind, subject]));
  }

  /**
   * The entries that wait or need a person, by sequence.
   * @returns {Promise<import("./entries.js").Entry[]>}
   */
  async unsettled() {
    const lists = [];
    for (const state of unsettledStates) lists.push(...await this.entriesIn(state));
    return lists.sort((one, other) => one.sequence - other.sequence);
  }

  /** @param {number} sequence @returns {Promise<import("./entries.js").Entry | undefined>} */
  entry(sequence) {
    return done(this.store("entries").get(sequence));
  }

  /** @param {string} clientId @returns {Promise<import("./entries.js").Entry | undefined>} */
  entryBy(clientId) {
    return done(this.store("entries").index("clientId").get(clientId));
  }

  /**
   * Adds an entry, which gets its sequence.
   * @param {Omit<import("./entries.js").Entry, "sequence">} entry
   * @returns {Promise<import("./entries.js").Entry>}
   */
  async addEntry(entry) {
    const sequence = /** @type {number} */ (await done(this.store("entries").add(entry)));
    return { ...entry, sequence };
  }

  /** @param {import("./entries.js").Entry} entry */
  async putEntry(entry) {
    await done(this.store("entries").put(entry));
  }

  /** @param {number} sequence */
  async deleteEntry(sequence) {
    await done(this.store("entries").delete(sequence));
  }

  /**
   * What the server has: a list of messages of a participant, or a match.
   * @param {import("./entries.js").Kind} kind
   * @param {string} subject
   * @returns {Promise<any>}
   */
  async standing(kind, subject) {
    const found = await done(this.store("standing").get([kind, subject]));
    return found?.value ?? (kind === "match" ? null : []);
  }

  /** @param {import("./entries.js").Kind} kind @param {string} subject @param {any} value */
  async setStanding(kind, subject, value) {
    await done(this.store("standing").put({ kind, subject, value }));
  }

  /**
   * The last step of an event that can be undone.
   * @param {string} event
   * @returns {Promise<import("./steps.js").Step | undefined>}
   */
  async lastStep(event) {
    const cursor = await done(this.store("steps").index("event").openCursor(event, "prev"));
    return cursor?.value;
  }

  /** @param {string} event @returns {Promise<import("./steps.js").Step[]>} */
  steps(event) {
    return done(this.store("steps").index("event").getAll(event));
  }

  /** @param {Omit<import("./steps.js").Step, "number">} step */
  async addStep(step) {
    await done(this.store("steps").add(step));
  }

  /** @param {import("./steps.js").Step} step */
  async putStep(step) {
    await done(this.store("steps").put(step));
  }

  /** @param {number} number */
  async deleteStep(number) {
    await done(this.store("steps").delete(number));
  }

  /** Removes what the server has, what the page shows, and what can be undone. */
  async forget() {
    for (const name of /** @type {const} */ (["standing", "shown", "steps"])) await done(this.store(name).clear());
  }

  /** @private @param {keyof typeof stores} name @param {string} key @param {any} value */
  async set(name, key, value) {
    const store = this.store(name);
    if (value === undefined) await done(store.delete(key));
    else await done(store.put(value, key));
  }

  /** @private @param {keyof typeof stores} name */
  store(name) {
    return this.transaction.objectStore(stores[name]);
  }
}

/** @param {IDBDatabase} database */
function create(database) {
  const entries = database.createObjectStore("entries", { keyPath: "sequence", autoIncrement: true });
  entries.createIndex("state", "state");
  entries.createIndex("subject", ["kind", "subject"]);
  entries.createIndex("clientId", "clientId", { unique: true });
  database.createObjectStore("standing", { keyPath: ["kind", "subject"] });
  database.createObjectStore("shown");
  database.createObjectStore("steps", { keyPath: "number", autoIncrement: true })
    .createIndex("event", "event");
  database.createObjectStore("meta");
}

/**
 * The result of a request.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
