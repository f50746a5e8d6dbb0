import { Outbox, OutboxError, QuiverError, Store, base64, connect, scoring, uuid7 } from "./score_quiver.js";
import { ownVersion } from "./score_version.js";
import { emptyView, lastIndex, sheetOfMatch, sheetOfTarget } from "./score_sheet.js";

/** The version of the page, which officials see. */
export const pageVersion = ownVersion.slice(0, 8);

/** After how long a stream is opened again that the server or the storage has refused, in milliseconds. */
const startAgain = 10_000;

/** The reason of what is changed in an end that is not closed, where nobody is asked for one. */
const agreedLater = "before the end was agreed";

/**
 * A device as the server knows it: one for each event, for all tabs of the phone.
 * @typedef {{name: string, secret: string, event: string, device: string, usedAt: number, isOver: boolean,
 *   targets: {code: string, match: string, session: string, target: string, card: number}[]}} DeviceRecord
 * `isOver`: an organiser has ended it; it may only send what it has.
 */

/** What the phone knows of itself: its devices, and the code that is being joined. */
export class Registry {
  /** @param {() => void} onOutdated @param {() => void} onBlocked */
  static async open(onOutdated, onBlocked) {
    return new Registry(await Store.open("quiver-score", onOutdated, onBlocked));
  }

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** @returns {Promise<{devices: DeviceRecord[], pending: any, language: string, carried: any[]}>} */
  read() {
    return this.store.transact("readonly", async (transaction) => ({
      devices: await transaction.shown("devices") ?? [], pending: await transaction.shown("pending") ?? null,
      language: await transaction.shown("language") ?? "", carried: await transaction.shown("carried") ?? [],
    }));
  }

  /**
   * Changes the texts of other phones that this one delivers.
   * @param {(list: any[]) => any[]} change
   */
  carry(change) {
    return this.store.transact("readwrite", async (transaction) =>
      transaction.setShown("carried", change(await transaction.shown("carried") ?? [])));
  }

  /** @param {string} key @param {any} value undefined removes it */
  set(key, value) {
    return this.store.transact("readwrite", (transaction) => transaction.setShown(key, value));
  }

  /**
   * The device that has joined no event yet. All tabs get the same one.
   * @returns {Promise<DeviceRecord>}
   */
  newDevice() {
    return this.store.transact("readwrite", async (transaction) => {
      const devices = await transaction.shown("devices") ?? [];
      const known = devices.find((/** @type {DeviceRecord} */ one) => one.event === "");
      if (known) return known;
      const secret = urlText(crypto.getRandomValues(new Uint8Array(32)));
      const [first, second] = crypto.getRandomValues(new Uint8Array(2));
      const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
      const name = `Phone ${letters[first % letters.length]}${10 + second % 90}`;
      const record = { name: urlText(uuid7()), secret, event: "", device: name, usedAt: Date.now(), isOver: false,
        targets: [] };
      await transaction.setShown("devices", [...devices, record]);
      return record;
    });
  }

  /**
   * Changes a device.
   * @param {string} name
   * @param {(record: DeviceRecord) => DeviceRecord | null} change null: removes it
   * @returns {Promise<DeviceRecord | null>}
   */
  change(name, change) {
    return this.store.transact("readwrite", async (transaction) => {
      const devices = await transaction.shown("devices") ?? [];
      let found = null;
      /** @type {DeviceRecord[]} */
      const left = [];
      for (const one of devices) {
        const next = one.name === name ? change(one) : one;
        if (one.name === name) found = next;
        if (next) left.push(next);
      }
      await transaction.setShown("devices", left);
      return found;
    });
  }
}

/** @param {Uint8Array} bytes */
function urlText(bytes) {
  return base64(bytes).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
}

/** @param {string} text */
export function bytesOf(text) {
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (one) => one.charCodeAt(0));
}

/** @param {any} lease */
export function keyOf(lease) {
  return `${lease.sessionId ?? "0"}/${lease.target ?? 0}/${lease.card ?? 1}`;
}

/** A device that scores: its leases, what it shows, and its outbox. */
export class Station {
  /** @type {Map<string, any>} */
  targets = new Map();
  /** @type {Map<string, any>} */
  views = new Map();
  /** @type {any} */
  event = null;
  /** @type {any[]} */
  notices = [];
  /** @type {any[]} */
  calls = [];
  /**
   * Calls that are not with the server yet.
   * @type {any[]}
   */
  waitingCalls = [];
  /** @type {Map<string, any>} */
  cards = new Map();
  /** @type {Map<string, any>} */
  matches = new Map();
  /** @type {any[]} */
  held = [];
  /** @type {import("../client/outbox.js").Summary} */
  summary = { waiting: 0, waitingSince: null, held: 0, sender: { name: "idle", since: null } };
  /**
   * `refused`: the server answers, and this device has nothing to follow.
   * @type {any}
   */
  watchState = { name: "connecting", since: null };
  /**
   * Arrows that are on their way to the disk, by target.
   * @type {Map<string, any[]>}
   */
  pending = new Map();
  /**
   * How many views are on their way to the disk.
   * @private @type {Map<string, number>}
   */
  writes = new Map();
  /**
   * Sheets by their keys, with what they were made of.
   * @private @type {Map<string, {sources: any[], result: any}>}
   */
  made = new Map();
  /** @type {any} */
  failure = null;
  /** @private @type {any} */
  watch = null;
  /** @private @type {Promise<any>} */
  tail = Promise.resolve();
  /**
   * Why the server does not know this device any more; null: it does.
   * @type {any}
   */
  signedOut = null;
  /** How many changes are on their way to the disk. */
  changing = 0;
  /** @private */
  isClosed = false;
  /** @private */
  openedAt = new Date();

  /**
   * @param {DeviceRecord} record
   * @param {Registry} registry
   * @param {{onEntered: () => void, onChange: () => void, onOutdated: () => void, onLive: () => void}} options
   */
  static async open(record, registry, options) {
    const station = new Station(record, registry, options);
    station.outbox = await Outbox.open(station.client, { name: `quiver-score-${record.name}`, device: record.device,
      onOutdated: options.onOutdated,
      onChange: (summary) => { station.summary = summary; station.follow(); } });
    await station.refresh();
    return station;
  }

  /** @param {DeviceRecord} record @param {Registry} registry @param {any} options */
  constructor(record, registry, options) {
    this.record = record;
    this.registry = registry;
    this.options = options;
    this.client = connect("", { token: `qd_${record.secret}` });
    /** @type {any} */
    this.outbox = null;
  }

  /**
   * The ids of the archers and of the matches of a target.
   * @param {any} target
   */
  archersOf(target) {
    return (target.entries ?? []).map((/** @type {any} */ one) => String(one.entry.participantId));
  }

  /** Reads what is stored, also by other tabs. */
  refresh() {
    return this.outbox.read((/** @type {any} */ stored) => this.load(stored));
  }

  /** @private @param {any} stored what the outbox has at one moment */
  async load(stored) {
    const station = await stored.shown("station") ?? {};
    const waitingCalls = await stored.shown("calls") ?? [];
    const targets = new Map();
    for (const key of station.keys ?? []) {
      const target = await stored.shown(`target/${key}`);
      if (target) targets.set(key, target);
    }
    for (const [key, target] of targets) {
      const view = await stored.shown(`view/${key}`);
      this.setView(key, view);
      if ((target.lease.card ?? 1) === 1) {
        const archers = (target.entries ?? []).filter((/** @type {any} */ one) => scoring.isKnown(one.format ?? {}))
          .map((/** @type {any} */ one) => ({ participant: String(one.entry.participantId), format: one.format }));
        const cards = await stored.cards(archers);
        archers.forEach((/** @type {any} */ one, /** @type {number} */ index) =>
          this.cards.set(one.participant, cards[index]));
      } else {
        for (const id of this.archersOf(target)) this.cards.set(`second/${id}`, await stored.secondCard(id));
      }
      for (const { id } of target.matches ?? []) {
        const found = await stored.match(String(id));
        if (found) this.matches.set(String(id), found);
        const own = `${key}/match/${id}`;
        this.setView(own, await stored.shown(`view/${own}`));
      }
    }
    this.event = station.event ?? null;
    this.notices = station.notices ?? [];
    this.calls = station.calls ?? [];
    this.waitingCalls = waitingCalls;
    this.targets = targets;
    this.held = await stored.entries("conflict", "refused", "late");
    this.summary = await stored.summary();
  }

  /**
   * Takes a view as it is stored, unless a newer one is on its way to the disk.
   * @private
   * @param {string} key
   * @param {any} view
   */
  setView(key, view) {
    if (!this.writes.get(key)) this.views.set(key, { ...emptyView(), ...view });
  }

  /**
   * Refreshes and shows, once for several changes.
   * @private
   */
  follow() {
    if (this.isClosed || !this.outbox || this.isFollowing) return;
    this.isFollowing = true;
    this.queue(async () => {
      this.isFollowing = false;
      await this.refresh();
      this.options.onChange();
    });
    if (this.summary.sender.name === "signedOut") this.rejoin();
  }

  /**
   * Runs changes one after the other. What fails is shown.
   * @param {() => Promise<any>} body
   * @returns {Promise<any>}
   */
  queue(body) {
    this.tail = this.tail.then(async () => {
      if (this.isClosed) return;
      try {
        await body();
      } catch (error) {
        if (this.isClosed) return;
        this.failure = error;
        this.options.onChange();
      }
    });
    return this.tail;
  }

  /**
   * Runs what a person has done: it counts as waiting until it is on disk.
   * @param {() => Promise<any>} body
   * @returns {Promise<any>}
   */
  change(body) {
    this.changing += 1;
    this.options.onEntered();
    return this.queue(async () => {
      try {
        await body();
      } finally {
        await this.refresh();
        this.changing -= 1;
        this.options.onChange();
      }
    });
  }

  /**
   * Joins a target by its code. With `choices` in the reply nothing was joined.
   * @param {any} request
   * @returns {Promise<any>} the reply
   */
  async join({ code, card = 1, takeOver = false, sessionId, matchId }) {
    /** @type {any} */
    const request = { code, card, device: this.record.device, deviceSecret: base64(bytesOf(this.record.secret)) };
    if (takeOver) request.takeOver = true;
    if (sessionId) request.sessionId = sessionId;
    if (matchId) request.matchId = matchId;
    // A phone that joins knows nothing yet of the store, which may be another one than before.
    const reply = await this.client.call("Events/JoinTarget", request, { token: null, timeout: 15_000, storeEpoch: "" });
    if (!reply.lease) return reply;
    await this.joined(reply, code, matchId ?? "");
    return reply;
  }

  /** @private @param {any} reply @param {string} code @param {string} match */
  async joined(reply, code, match) {
    const { entries = reply.entries, ...rest } = reply.lease;
    const key = keyOf(rest);
    const wanted = { code, match, session: String(rest.sessionId ?? "0"), target: String(rest.target), card: rest.card ?? 1 };
    const record = await this.registry.change(this.record.name, (one) => ({ ...one, event: String(rest.tournamentId),
      usedAt: Date.now(), targets: [...one.targets.filter((other) => other.session !== wanted.session
        || other.target !== wanted.target || other.card !== wanted.card), /** @type {any} */ (wanted)] }));
    if (record) this.record = record;
    await this.queue(async () => {
      const stored = await this.outbox.shown("station") ?? {};
      const known = await this.outbox.shown(`target/${key}`);
      const target = known ? { ...known, lease: rest, isEnded: false, isNew: true } : { lease: rest, isNew: true, entries:
        (entries ?? []).map((/** @type {any} */ entry) => ({ entry, format: null })), matches: [] };
      await this.outbox.change([], {
        station: { ...stored, keys: [...new Set([...stored.keys ?? [], key])] }, [`target/${key}`]: target,
      });
      await this.refresh();
    });
    this.start(true);
  }

  /**
   * Notes that a target is another phone's.
   * @private
   * @param {string} key
   */
  markEnded(key) {
    return this.queue(async () => {
      const known = await this.outbox.shown(`target/${key}`);
      if (known) await this.outbox.change([], { [`target/${key}`]: { ...known, isEnded: true } });
      await this.refresh();
      this.options.onChange();
    });
  }

  /**
   * Joins all targets again with the same secret, as after the server was restored.
   * @private
   */
  async rejoin() {
    if (this.isRejoining || this.isClosed) return;
    this.isRejoining = true;
    try {
      for (const known of this.record.targets) {
        if (this.targets.get(`${known.session}/${known.target}/${known.card}`)?.isEnded) continue;
        try {
          await this.join(requestOf(known));
        } catch (error) {
          // Another phone has it now.
          if (!(error instanceof QuiverError) || !/another device scores|somebody with a token/.test(error.message)) throw error;
          await this.markEnded(`${known.session}/${known.target}/${known.card}`);
        }
      }
      this.outbox.use(this.client);
      this.signedOut = null;
    } catch (error) {
      const isLost = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "RESOURCE_EXHAUSTED"].includes(codeOf(error));
      if (!isLost) this.signedOut = error;
      this.options.onChange();
    } finally {
      setTimeout(() => { this.isRejoining = false; }, 5000);
    }
  }

  /**
   * Follows the server.
   * @param {boolean} [again] opens the stream anew, as another target was joined
   */
  start(again = false) {
    if (this.watch && !again) return;
    this.watch?.close();
    if (!this.record.event || this.record.targets.length === 0) return;
    this.run(this.client.watch("Events/WatchTargets", { tournamentId: this.record.event }, {
      onState: (/** @type {any} */ state) => {
        const wasLive = this.watchState.name === "live";
        this.watchState = state;
        if (state.name === "live" && !wasLive) {
          this.outbox.wake();
          this.sendCalls();
          this.report();
          this.options.onLive();
        }
        this.options.onChange();
      },
    }));
  }

  /** @private @param {any} watch */
  async run(watch) {
    this.watch = watch;
    try {
      for await (const { message, startsSnapshot } of watch) {
        let isTaken = false;
        await this.queue(async () => {
          await this.take(message, startsSnapshot);
          isTaken = true;
        });
        if (this.watch !== watch) return;
        if (!isTaken) {
          // What could not be stored is said again by a new stream.
          this.watch = null;
          this.startLater();
          return;
        }
      }
    } catch (error) {
      if (this.watch !== watch || this.isClosed) return;
      this.watch = null;
      const isRefused = error instanceof QuiverError && ["UNAUTHENTICATED", "NOT_FOUND", "PERMISSION_DENIED"].includes(error.code);
      this.watchState = isRefused ? { name: "refused", since: null } : { name: "lost", since: new Date() };
      if (isRefused) await this.rejoin();
      this.options.onChange();
      this.startLater();
    }
  }

  /** @private */
  startLater() {
    setTimeout(() => {
      const hasTarget = [...this.targets.values()].some((target) => !target.isEnded);
      if (!this.isClosed && !this.watch && hasTarget) this.start();
    }, startAgain);
  }

  /** @private @param {any} message @param {boolean} startsSnapshot */
  async take(message, startsSnapshot) {
    const stored = await this.outbox.shown("station") ?? {};
    const keys = new Set(/** @type {string[]} */ (stored.keys ?? []));
    const seen = new Set();
    /** @type {Record<string, any>} */
    const shown = {};
    /** @type {Record<string, any[]>} */
    const arrows = {};
    /** @type {Record<string, any[]>} */
    const ends = {};
    const matches = [];
    for (const target of message.targets ?? []) {
      const key = keyOf(target.lease);
      keys.add(key);
      seen.add(key);
      const entries = (target.entries ?? []).map((/** @type {any} */ one) => {
        const { arrows: list, ...rest } = one;
        const id = String(one.entry.participantId);
        if ((target.lease.card ?? 1) === 1) arrows[id] = list ?? [];
        else ends[id] = one.ends ?? [];
        return rest;
      });
      for (const match of target.matches ?? []) matches.push(match);
      shown[`target/${key}`] = { ...target, entries, isEnded: false,
        matches: (target.matches ?? []).map((/** @type {any} */ one) => ({ id: String(one.id) })) };
    }
    // What it leases no more. One that was joined just now can be too new for the message.
    for (const key of message.allTargets ? keys : []) {
      const known = seen.has(key) ? null : await this.outbox.shown(`target/${key}`);
      if (known && !known.isNew) shown[`target/${key}`] = { ...known, isEnded: true };
    }
    const notices = startsSnapshot ? message.notices ?? [] : [...message.notices ?? [], ...stored.notices ?? []];
    const changed = message.calls ?? [];
    const calls = startsSnapshot ? changed : [...stored.calls ?? []].filter((one) =>
      !changed.some((/** @type {any} */ other) => other.id === one.id)).concat(changed);
    shown.station = { ...stored, keys: [...keys], event: message.event ?? stored.event ?? null,
      notices: notices.slice(0, 20), calls: calls.slice(-50) };
    const { storeEpoch } = message.span ?? {};
    await this.outbox.take({ arrows, ends, matches, shown, storeEpoch });
    // What this page shows from now on, and the keys of its calls, are of this store.
    this.client.storeEpoch = storeEpoch ?? "";
    await this.refresh();
    this.options.onChange();
  }

  /**
   * Removes a target that was left.
   * @param {string} key
   */
  async forget(key) {
    const [session, target, card] = key.split("/");
    const record = await this.registry.change(this.record.name, (one) => ({ ...one, targets: one.targets.filter((other) =>
      other.session !== session || other.target !== target || other.card !== Number(card)) }));
    if (record) this.record = record;
    const stored = await this.outbox.shown("station") ?? {};
    await this.outbox.change([], { [`target/${key}`]: undefined, [`view/${key}`]: undefined,
      station: { ...stored, keys: (stored.keys ?? []).filter((/** @type {string} */ one) => one !== key) } });
    await this.refresh();
    this.start(true);
  }

  /** @param {string} key */
  viewOf(key) {
    return this.views.get(key) ?? emptyView();
  }

  /**
   * The sheets of a target: of the session, and of each match.
   * @param {string} key
   * @returns {{key: string, title: any, sheet: import("./score_sheet.js").Sheet}[]}
   */
  sheets(key) {
    const target = this.targets.get(key);
    if (!target) return [];
    const found = [];
    if ((target.entries ?? []).length > 0) {
      const isFirst = (target.lease.card ?? 1) === 1;
      const archers = this.archersOf(target);
      const cards = archers.map((/** @type {string} */ id) => this.cards.get(isFirst ? id : `second/${id}`));
      found.push(this.kept(key, [target, this.views.get(key), this.pending.get(key), ...cards], () => ({
        key, title: target.session?.name ?? "", sheet: sheetOfTarget(target,
          new Map(archers.map((/** @type {string} */ id, /** @type {number} */ index) => [id, cards[index]])),
          this.viewOf(key), this.pending.get(key) ?? []) })));
    }
    for (const { id } of target.matches ?? []) {
      const match = this.matches.get(id);
      const own = `${key}/match/${id}`;
      if (match) found.push(this.kept(own, [match, target, this.views.get(own), this.pending.get(own)], () => ({
        key: own, title: null,
        sheet: sheetOfMatch(match, String(target.lease.target), this.viewOf(own), this.pending.get(own) ?? []) })));
    }
    return found;
  }

  /**
   * A sheet, which is made anew when one of what it is made of is another object: a tap asks for it several times.
   * @private
   * @param {string} key
   * @param {any[]} sources none of which is ever changed in place
   * @param {() => any} make
   */
  kept(key, sources, make) {
    const known = this.made.get(key);
    if (known?.sources.length === sources.length && sources.every((one, place) => one === known.sources[place])) return known.result;
    const result = make();
    this.made.set(key, { sources, result });
    return result;
  }

  /**
   * Stores what a view shows, with changes of the outbox, in one transaction. The arrows are shown meanwhile.
   * @param {string} key
   * @param {any} view
   * @param {any[]} [changes]
   * @param {any[]} [arrows]
   */
  store(key, view, changes = [], arrows = []) {
    this.views.set(key, view);
    this.writes.set(key, (this.writes.get(key) ?? 0) + 1);
    this.pending.set(key, [...this.pending.get(key) ?? [], ...arrows]);
    this.changing += 1;
    this.options.onEntered();
    return this.queue(async () => {
      try {
        await this.outbox.change(changes, { [`view/${key}`]: view });
      } finally {
        // What was stored is read before it is not shown as on its way any more: a tap between would go to its place.
        await this.refresh();
        this.pending.set(key, (this.pending.get(key) ?? []).filter((one) => !arrows.includes(one)));
        this.writes.set(key, (this.writes.get(key) ?? 1) - 1);
        this.changing -= 1;
        this.options.onChange();
      }
    });
  }

  /**
   * The change that puts arrows into an end.
   * @param {import("./score_sheet.js").Sheet} sheet
   * @param {any} row
   * @param {any} end
   * @param {any[]} arrows
   * @param {string} [reason]
   * @param {string} [witness] who agreed, by the id of its participant
   */
  endChange(sheet, row, end, arrows, reason, witness) {
    const { event } = this.record;
    if (sheet.kind === "match") {
      return { kind: "match", event, match: row.id.split("/")[0], side: row.side, isShootOff: end.isShootOff,
        index: end.index, arrows, reason, witness };
    }
    return { kind: "end", event, participant: row.id, format: row.format, endIndex: end.index, arrows, reason, witness };
  }

  /**
   * Enters an arrow where it goes next.
   * @param {string} key
   * @param {import("./score_sheet.js").Sheet} sheet
   * @param {any} arrow
   * @param {{row: any, end: any, arrowIndex: number} | null} [place] instead
   */
  enter(key, sheet, arrow, place = sheet.position) {
    if (!place) return;
    const { row, end, arrowIndex } = place;
    const view = { ...this.viewOf(key) };
    const isChosen = view.cursor?.isChosen && view.cursor.id === row.id && view.cursor.number === end.number;
    const arrows = end.arrows.map((/** @type {any} */ one) => one?.arrow ?? null);
    const isOver = arrows[arrowIndex] !== null;
    arrows[arrowIndex] = arrow;
    view.cursor = { id: row.id, number: end.number, isChosen };
    // From now on an end is left by closing it.
    view.closed ??= sheet.current;
    const reason = isOver ? agreedLater : undefined;
    if (sheet.kind === "first") {
      return this.store(key, view, [{ kind: "arrow", event: this.record.event, participant: row.id, format: row.format,
        endIndex: end.index, arrowIndex, arrow, reason }], [{ id: row.id, number: end.number, arrowIndex, arrow }]);
    }
    const isAgain = isOver || view.drafts[row.id]?.isAgain;
    view.drafts = { ...view.drafts };
    if (arrows.some((/** @type {any} */ one) => one === null)) {
      view.drafts[row.id] = { number: end.number, arrows, isAgain };
      return this.store(key, view);
    }
    delete view.drafts[row.id];
    return this.store(key, view, [this.endChange(sheet, row, end, arrows, isAgain ? agreedLater : undefined)],
      arrows.map((/** @type {any} */ one, /** @type {number} */ slot) =>
        ({ id: row.id, number: end.number, arrowIndex: slot, arrow: one })));
  }

  /** Who must agree to the correction of an end that has all its arrows: "", "WITNESS" or "JUDGE". */
  get consent() {
    const found = (this.event?.correctionConsent ?? "").replace("CORRECTION_CONSENT_", "");
    return ["WITNESS", "JUDGE"].includes(found) ? found : "";
  }

  /**
   * Takes the last arrow back.
   * @param {string} key
   * @param {import("./score_sheet.js").Sheet} sheet
   * @returns {Promise<string | {row: string, index: number, slot: number}>} empty; or why not; or the arrow that can only be
   *   corrected with the consent of somebody
   */
  async undo(key, sheet) {
    const view = { ...this.viewOf(key) };
    if (sheet.kind === "first") {
      /** @type {string | {row: string, index: number, slot: number}} */
      let refusal = "";
      await this.change(async () => {
        const last = await this.outbox.undoable(this.record.event);
        const row = sheet.rows.find((one) => one.id === last?.participant);
        const end = row?.ends.find((one) => one.index === last.slot.endIndex);
        if (!last || !row || !end) refusal = "nothingToUndo";
        else if (end.number < sheet.current && last.count === 1) refusal = "undoAgreed";
        else if (this.consent && end.isFull && last.isSent) {
          refusal = { row: row.id, index: end.number, slot: last.slot.arrowIndex };
        }
        if (refusal) return;
        await this.outbox.undo(this.record.event);
        if (end && end.number === sheet.current) view.cursor = { id: row?.id, number: end.number, isChosen: false };
        await this.outbox.change([], { [`view/${key}`]: view });
      });
      return refusal;
    }
    const order = [...sheet.rows].filter((row) => row.state === "shoots").sort((one, other) => one.order - other.order);
    const from = order.findIndex((row) => row.id === view.cursor?.id);
    const candidates = from < 0 ? order.reverse() : [...order.slice(0, from + 1).reverse(), ...order.slice(from + 1).reverse()];
    const row = candidates.find((one) => one.ends[sheet.current]?.arrows.some((/** @type {any} */ arrow) => arrow));
    const end = row?.ends[sheet.current];
    if (!row || !end) return "nothingToUndo";
    const arrows = end.arrows.map((one) => one?.arrow ?? null);
    const wasFull = end.isFull;
    const last = lastIndex(arrows, (one) => one !== null);
    if (this.consent && wasFull) return { row: row.id, index: end.number, slot: last };
    arrows[last] = null;
    view.drafts = { ...view.drafts };
    const isAgain = wasFull || view.drafts[row.id]?.isAgain;
    if (arrows.every((one) => one === null) && !isAgain) delete view.drafts[row.id];
    else view.drafts[row.id] = { number: end.number, arrows, isAgain };
    view.cursor = { id: row.id, number: end.number, isChosen: false };
    await this.store(key, view);
    return "";
  }

  /**
   * Closes the end that all have.
   * @param {string} key
   * @param {import("./score_sheet.js").Sheet} sheet
   */
  close(key, sheet) {
    this.store(key, { ...this.viewOf(key), closed: sheet.current + 1, cursor: null });
  }

  /**
   * Puts arrows into places of first cards as one act, which is undone as one.
   * @param {string} key
   * @param {{row: any, index: number, arrowIndex: number, arrow: any, reason: string, witness?: string}[]} puts
   */
  put(key, puts) {
    return this.store(key, this.viewOf(key), puts.map(({ row, index, arrowIndex, arrow, reason, witness }) => ({ kind: "arrow",
      event: this.record.event, participant: row.id, format: row.format, endIndex: index, arrowIndex, arrow, reason, witness })),
    puts.map(({ row, index, arrowIndex, arrow }) => ({ id: row.id, number: index - row.first, arrowIndex, arrow })));
  }

  /**
   * Calls an official: now, or as soon as there is a connection.
   * @param {any} target
   * @param {any} call
   */
  async raise(target, call) {
    const { lease } = target;
    const one = { clientId: base64(uuid7()), tournamentId: this.record.event, sessionId: lease.sessionId ?? "0",
      target: lease.target, ...call };
    await this.change(async () => {
      const waiting = await this.outbox.shown("calls") ?? [];
      await this.outbox.change([], { calls: [...waiting, one] });
    });
    this.sendCalls();
  }

  /** Sends the calls that wait. Their ids make a repeat harmless. */
  async sendCalls() {
    if (this.isSending || this.isClosed) return;
    this.isSending = true;
    try {
      for (;;) {
        const [call] = await this.outbox.shown("calls") ?? [];
        if (!call) break;
        let isOver = true;
        try {
          await this.client.call("Events/RaiseTargetCall", call, { timeout: 10_000 });
        } catch (error) {
          isOver = error instanceof QuiverError && ["INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED",
            "FAILED_PRECONDITION", "UNIMPLEMENTED"].includes(error.code);
          if (!isOver) break;
          this.failure = error;
        }
        await this.queue(async () => {
          const left = await this.outbox.shown("calls") ?? [];
          await this.outbox.change([], { calls: left.filter((/** @type {any} */ one) => one.clientId !== call.clientId) });
          await this.refresh();
          this.options.onChange();
        });
      }
    } catch (error) {
      if (!this.isClosed) this.failure = error;
    } finally {
      this.isSending = false;
    }
  }

  /** Tells officials how this device is. */
  async report() {
    if (this.isClosed || this.watchState.name !== "live") return;
    const { waiting, waitingSince } = this.summary;
    /** @type {any} */
    const report = { waitingOperations: waiting, waitingSinceMs: String(waitingSince?.getTime() ?? 0), pageVersion };
    try {
      const battery = await /** @type {any} */ (navigator).getBattery?.();
      if (battery) report.batteryPercent = Math.round(battery.level * 100);
      await this.client.call("Events/ReportDevice", { report }, { timeout: 10_000 });
    } catch {
      // It is said again later.
    }
  }

  /**
   * Since when there is no connection; null: there is one, or none was tried yet.
   * @returns {Date | null}
   */
  get lostSince() {
    if (this.watchState.name === "lost") return this.watchState.since;
    if (this.summary.sender.name === "lost") return this.summary.sender.since;
    // The first stream has not been accepted for a while.
    if (this.watchState.name === "connecting" && this.watch && Date.now() - this.openedAt.getTime() > 3000) {
      return this.openedAt;
    }
    return null;
  }

  /** Ends following and sending. */
  end() {
    this.isClosed = true;
    this.watch?.close();
    this.outbox?.close();
  }
}

/** @param {unknown} error @returns {string} */
export function codeOf(error) {
  return error instanceof QuiverError || error instanceof OutboxError ? error.code : "";
}

/**
 * The request that joins a target again: of a plate what was chosen.
 * @param {{code: string, match: string, session: string, card: number}} known
 */
export function requestOf({ code, match, session, card }) {
  return { code, card, sessionId: session !== "0" ? session : undefined, matchId: match || undefined };
}
