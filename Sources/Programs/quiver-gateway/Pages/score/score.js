import { h, morph, named } from "./score_dom.js";
import { QuiverError } from "./score_quiver.js";
import { Registry, Station, codeOf, pageVersion, requestOf } from "./score_station.js";
import { clock, isolated, language, languages, t, useLanguage } from "./score_words.js";
import { ruleCards } from "./score_rules.js";
import { banner, plain } from "./score_banner.js";
import { cardScreens } from "./score_card.js";
import { entryScreens } from "./score_entry.js";
import { deliver, deliverKept, deliveryScreen, rescueScreens, showCodes } from "./score_rescue.js";
import { Versions } from "./score_version.js";

/** How often officials are told how this device is, in milliseconds. */
const reportInterval = 60_000;

/** How often the gateway is asked for a new version of the page, in milliseconds. */
const versionInterval = 600_000;

/** Without a touch for so long, and between two ends, a new version is taken; in milliseconds. */
const quietTime = 10_000;

/**
 * The page: what it shows, and the stations that it shows.
 *
 * A screen is a function that makes elements of the state; after each change all is made again, and what differs is put in place.
 */
class App {
  /** @type {any} */
  registry = null;
  /** @type {Station[]} */
  stations = [];
  /** @type {Station | null} */
  station = null;
  /** The target that is shown, and of it the sheet. */
  key = "";
  sheetKey = "";
  /** @type {any} */
  screen = { name: "start" };
  /** @type {any} What is wrong with the whole page; a key of a text. */
  problem = "";
  /** @type {any} A code that is being joined. */
  joining = null;
  /** @type {any} What another phone has recorded, and is being delivered. */
  delivery = null;
  /** A sentence above the screen, until the next tap. */
  hint = "";
  /** @type {any[]} */
  trials = [];
  /** The archer who was next when the screen was made last. */
  revealed = "";

  /** When the screen was touched last, on the clock that never steps. */
  touchedAt = -Infinity;
  versions = new Versions(() => this.render());

  constructor() {
    this.page = /** @type {HTMLElement} */ (document.getElementById("page"));
    this.said = /** @type {HTMLElement} */ (document.getElementById("said"));
    this.screens = { ...entryScreens, ...cardScreens, ...rescueScreens };
  }

  async start() {
    useLanguage("");
    const code = takeCode();
    window.addEventListener("hashchange", () => {
      const other = takeCode();
      if (other) this.open(other);
    });
    this.render();
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => { this.touchedAt = performance.now(); }, { capture: true, passive: true });
    }
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.versions.ask();
      this.takeNew();
    });
    const onOutdated = () => this.fail("outdated");
    this.versions.start();
    try {
      this.registry = await Registry.open(onOutdated, () => this.tell(t("closeOther")));
      this.hint = "";
      const { devices, pending, language: wanted } = await this.registry.read();
      useLanguage(wanted);
      for (const record of devices) {
        if (record.targets.length > 0) await this.use(record);
      }
      this.stations.sort((one, other) => other.record.usedAt - one.record.usedAt);
      const [last] = this.stations;
      if (last) this.show(last);
      if (code) await this.open(code);
      else if (pending) await this.join(pending);
      if (!isRescue(code)) await deliverKept(this);
    } catch (error) {
      this.refuse(error);
      // What another phone has recorded is delivered also where nothing can be stored.
      if (isRescue(code)) await deliver(this, code);
    }
    this.isReady = true;
    this.render();
    setInterval(() => { for (const one of this.stations) one.report(); }, reportInterval);
    // A connection that is being lost shows its time.
    setInterval(() => {
      this.render();
      this.takeNew();
    }, 5000);
    setInterval(() => this.versions.ask(), versionInterval);
  }

  /** Loads a new version of the page, if there is one, and nothing is being entered. */
  takeNew() {
    if (this.versions.isNewReady && this.isQuiet()) this.versions.take();
  }

  /** Whether nothing would be interrupted: what was entered is stored anyway. */
  isQuiet() {
    if (this.stations.some((one) => one.changing > 0)) return false;
    if (document.visibilityState === "hidden") return true;
    if (performance.now() - this.touchedAt < quietTime || this.joining || this.delivery || this.screen.fix) return false;
    if (!["start", "entry", "who", "menu", "rules"].includes(this.screen.name)) return false;
    if ([...this.page.querySelectorAll("input")].some((one) => one.value !== "")) return false;
    const sheet = this.shown()?.sheet;
    return !sheet?.rows.some((/** @type {any} */ row) => sheet.position
      && row.ends[sheet.current]?.arrows.some((/** @type {any} */ one) => one?.arrow));
  }

  /** @param {any} record @returns {Promise<Station>} */
  async use(record) {
    const known = this.stations.find((one) => one.record.name === record.name);
    if (known) return known;
    const station = await Station.open(record, this.registry,
      { onEntered: () => this.render(), onChange: () => this.renderSoon(), onOutdated: () => this.fail("outdated"),
        onLive: () => this.versions.ask() });
    this.stations.push(station);
    station.start();
    return station;
  }

  /**
   * Shows a target of a station.
   * @param {Station} station
   * @param {string} [key]
   */
  show(station, key = "") {
    this.station = station;
    this.key = station.targets.has(key) ? key : [...station.targets].find(([, one]) => !one.isEnded)?.[0]
      ?? [...station.targets.keys()][0] ?? "";
    this.sheetKey = "";
    this.go(this.key ? "entry" : "start");
  }

  /** @param {string} name @param {any} [more] */
  go(name, more = {}) {
    this.screen = { name, ...more };
    this.hint = "";
    this.render();
    scrollTo(0, 0);
    /** @type {any} */ (this.page.querySelector("h1"))?.focus({ preventScroll: true });
  }

  /**
   * Says a sentence to those who cannot see the screen.
   * @param {string} text
   */
  say(text) {
    this.said.textContent = text;
  }

  /** @param {string} text */
  tell(text) {
    this.hint = text;
    this.say(text);
    this.render();
  }

  /** @param {string} key */
  fail(key) {
    this.problem = key;
    // It stores nothing more, and has nothing to follow or to send.
    if (key === "outdated") for (const one of this.stations) one.end();
    this.render();
  }

  /**
   * Shows what the page cannot go on with.
   * @param {unknown} error
   */
  refuse(error) {
    const known = { STORAGE_REFUSED: "storageRefused", STORAGE_FULL: "storageFull", OUTDATED: "outdated",
      CLOSED: "outdated" };
    const key = known[/** @type {keyof typeof known} */ (codeOf(error))];
    if (!key) throw error;
    this.fail(key);
  }

  /** Loads the page from the gateway. */
  async loadAnew() {
    if (!await this.versions.loadAnew()) this.tell(t("noGateway"));
  }

  // Joining

  /**
   * Takes a code: of a target, or of what another phone has recorded.
   * @param {string} code
   */
  open(code) {
    return isRescue(code) ? deliver(this, code) : this.join({ code, card: 1 });
  }

  /**
   * Joins a target by its code, as the device that has the event of the code.
   * @param {{code: string, card: number, takeOver?: boolean, sessionId?: string, matchId?: string}} request
   */
  async join(request) {
    if (!this.registry) return;
    this.joining = { request, state: "joining" };
    this.go("joining");
    try {
      // After a reload it goes on.
      await this.registry.set("pending", request);
      const { devices } = await this.registry.read();
      const own = devices.filter((/** @type {any} */ one) => !one.isOver && one.event)
        .sort((/** @type {any} */ one, /** @type {any} */ other) => other.usedAt - one.usedAt);
      for (const record of [...own, null]) {
        const station = await this.use(record ?? await this.registry.newDevice());
        try {
          const reply = await station.join(request);
          if (reply.lease) await this.joined(station, reply);
          else this.joining = { request, state: "choose", choices: reply.choices ?? [] };
          this.render();
          return;
        } catch (error) {
          if (!(error instanceof QuiverError) || !record || !/device_secret/.test(error.message)) throw error;
          if (/ended this device/.test(error.message)) {
            await this.registry.change(record.name, (/** @type {any} */ one) => ({ ...one, isOver: true }));
          }
        }
      }
    } catch (error) {
      await this.notJoined(request, error);
    }
    this.render();
  }

  /** @param {Station} station @param {any} reply */
  async joined(station, reply) {
    await this.registry.set("pending", undefined);
    this.joining = null;
    // What waits must not be removed to make space. Only pages with TLS may ask for it.
    navigator.storage?.persist?.().catch(() => {});
    const { sessionId = "0", target, card = 1 } = reply.lease;
    this.show(station, `${sessionId}/${target}/${card}`);
  }

  /** @param {any} request @param {unknown} error */
  async notJoined(request, error) {
    if (!(error instanceof QuiverError)) {
      this.refuse(error);
      return;
    }
    const { code, message } = error;
    if (code === "UNAVAILABLE" || code === "DEADLINE_EXCEEDED" || code === "CANCELLED") {
      this.joining = { request, state: "later" };
      setTimeout(() => { if (this.joining?.state === "later") this.join(request); }, 5000);
      return;
    }
    await this.registry.set("pending", undefined);
    if (code === "NOT_FOUND" || code === "INVALID_ARGUMENT" || /not valid any more/.test(message)) {
      this.joining = { request, state: "bad", text: t("badCode") };
    } else if (code === "RESOURCE_EXHAUSTED") {
      this.joining = { request, state: "bad", text: t("tooManyCodes") };
    } else if (/another device scores|somebody with a token/.test(message)) {
      this.joining = { request, state: "taken", message };
    } else if (/has the other card/.test(message)) {
      await this.join({ ...request, card: request.card === 1 ? 2 : 1 });
    } else {
      this.joining = { request, state: "bad", text: t("notJoined", { message: plain(message) }) };
    }
  }

  // Showing

  render() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    this.isScheduled = false;
    try {
      document.title = this.title();
      morph(this.page, [this.header(), h("main", { "data-key": this.mainKey() },
        h("div.banners", {}, ...this.banners()), h("div.screen", {}, ...this.body()))]);
    } finally {
      this.isDrawing = false;
    }
    this.reveal();
  }

  /** Shows with the next picture what a station has changed by itself, as it does several times after a tap. */
  renderSoon() {
    if (document.visibilityState === "hidden") return this.render();
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => { if (this.isScheduled) this.render(); });
  }

  /** Brings the archer who is next above the buttons, when that is another one than before. */
  reveal() {
    const row = this.page.querySelector(".row.next");
    const next = row?.getAttribute("data-archer") ?? "";
    if (next === this.revealed) return;
    this.revealed = next;
    const top = this.page.querySelector(".foot")?.getBoundingClientRect().top ?? innerHeight;
    if (row && row.getBoundingClientRect().bottom > top) row.scrollIntoView({ block: "start" });
  }

  mainKey() {
    const { name, row, index } = this.screen;
    return [name, this.key, this.sheetKey, row ?? "", index ?? "", this.problem, this.joining?.state ?? "",
      this.delivery?.state ?? ""].join(" ");
  }

  title() {
    const target = this.target();
    return target ? `${t("target", { target: target.lease.target })} – ${this.station?.event?.name ?? "Quiver"}` : "Quiver";
  }

  /** The target that is shown. */
  target() {
    return this.station?.targets.get(this.key) ?? null;
  }

  /**
   * What of the target is shown: its session, or a match.
   * @returns {any}
   */
  shown() {
    const sheets = this.station?.sheets(this.key) ?? [];
    return sheets.find((one) => one.key === this.sheetKey) ?? sheets[0] ?? null;
  }

  header() {
    const target = this.target();
    return h("header", {},
      h("p.where", {}, target ? h("strong", {}, t("target", { target: target.lease.target })) : h("strong", {}, "Quiver"),
        target ? h("span", {}, t((target.lease.card ?? 1) === 1 ? "firstCard" : "secondCard")) : null),
      this.status(),
      this.registry && !this.problem ? h("button.quiet", { type: "button", onclick: () =>
        this.go(this.screen.name === "menu" ? "entry" : "menu"), "aria-label": t("menu") }, "☰") : null);
  }

  /** What always is visible: what waits, and since when there is no connection. */
  status() {
    const { station } = this;
    if (!station || this.problem) return h("p.state", {});
    const waiting = this.stations.reduce((sum, one) => sum + one.summary.waiting + one.waitingCalls.length
      + one.changing, 0);
    const lost = station.lostSince;
    const held = station.held.length;
    const storing = this.stations.reduce((sum, one) => sum + one.changing, 0);
    return h("p.state", { id: "state", "data-storing": storing },
      lost ? h("span.lost", {}, t("noConnection", { time: clock(lost) })) : null,
      waiting > 0 ? h("span.waits", {}, t("waiting", { count: waiting })) : null,
      waiting === 0 && !lost ? h("span.fine", {},
        station.watchState.name === "connecting" ? t("connecting") : t("saved")) : null,
      held > 0 ? h("button.small.alert", { type: "button", onclick: () => this.go("decide") },
        t("toDecide", { count: held })) : null);
  }

  /** @returns {any[]} */
  banners() {
    const { station } = this;
    const target = this.target();
    const found = [];
    if (this.hint) found.push(h("p.banner.hint", {}, this.hint));
    if (this.versions.isNewReady && !this.problem) {
      found.push(banner("info", t("newVersion"), t("loadNow"), () => this.versions.take()));
    }
    if (!station || this.problem || this.joining || this.delivery || this.screen.name === "start") return found;
    if (station.failure) {
      found.push(banner("alert", t(codeOf(station.failure) === "FULL" ? "full" : codeOf(station.failure) === "STORAGE_FULL"
        ? "storageFull" : codeOf(station.failure) === "OUTDATED" ? "outdated" : "wrong",
      { message: plain(station.failure.message ?? "") }), t("understood"), () => {
        station.failure = null;
        this.render();
      }));
    }
    if (station.signedOut) found.push(banner("alert", t(/ended this device/.test(station.signedOut.message) ? "wasTaken"
        : "signedOut"), t("scanTitle"), () => this.go("start")));
    if (target?.isEnded) {
      found.push(banner("alert", t("wasTaken"), t("takeOver"), () => this.takeBack(target)));
    }
    // A code has to be on the screen as a whole.
    if (station.lostSince && this.screen.name !== "codes") {
      found.push(banner("lost", t(this.versions.isKept ? "goOn" : "keepOpen"), station.summary.waiting > 0 ? t("showCodes") : "",
        () => showCodes(this)));
    }
    const { event } = station;
    switch (event?.status ?? "") {
      case "": case "TOURNAMENT_STATUS_IN_PROGRESS": break;
      case "TOURNAMENT_STATUS_OPEN": found.push(banner("info", t("notStarted"))); break;
      case "TOURNAMENT_STATUS_COMPLETED": found.push(banner("info", t("isOver"))); break;
      case "TOURNAMENT_STATUS_CANCELLED": found.push(banner("alert", t("isCancelled"))); break;
      default: found.push(banner("alert", t("unknownState"), t("reload"), () => location.reload()));
    }
    if (event?.paused) found.push(banner("info", t("isPaused")));
    if (event?.shootingPause && (event.shootingPause.endedAtMs ?? "0") === "0") {
      found.push(banner("alert", t("shootingPaused", { reason: event.shootingPause.reason ?? "" })));
    }
    if (!target) return found;
    const view = station.viewOf(this.key);
    for (const notice of station.notices.filter((one) => isFor(one, target) && !(view.read ?? []).includes(one.id)).slice(0, 3)) {
      found.push(banner("info", [h("strong", {}, t("notice", { time: clock(Number(notice.sentAtMs ?? 0)) })), " ",
        named(notice.text ?? "")], t("read"), () => station.store(this.key,
        { ...station.viewOf(this.key), read: [...view.read ?? [], notice.id].slice(-50) })));
    }
    const calls = station.calls.filter((one) => isAt(one, target) && !(view.done ?? []).includes(one.id));
    const open = calls.filter((one) => (one.resolvedAtMs ?? "0") === "0");
    if (open.length > 0) {
      found.push(h("p.banner.info.calls", {}, open.map((one, place) => [place > 0 ? " · " : "",
        t("callOpen", { kind: kindOf(one), time: clock(Number(one.raisedAtMs ?? 0)) })])));
    }
    for (const call of calls.filter((one) => !open.includes(one))) {
      found.push(banner("info", t("callDone", { kind: kindOf(call), decision: isolated(call.decision ?? "") }), t("read"), () =>
        station.store(this.key, { ...station.viewOf(this.key), done: [...view.done ?? [], call.id].slice(-50) })));
    }
    for (const call of station.waitingCalls.filter((one) => isAt(one, target))) {
      found.push(banner("lost", t("callWaits", { kind: t(callText(call.kind)) })));
    }
    return found;
  }

  /** @returns {any[]} */
  body() {
    if (this.delivery) return deliveryScreen(this);
    if (this.problem) {
      return [h("h1", { tabindex: -1 }, "Quiver"), banner("alert", t(this.problem)),
        h("button.wide", { type: "button", onclick: () => this.loadAnew() }, t("reload"))];
    }
    if (this.joining) return this.joiningScreen();
    if (!this.registry || !this.isReady && !this.station) return [h("p.center", {}, t("loading"))];
    switch (this.screen.name) {
      case "menu": return this.menu();
      case "rules": return [h("h1", { tabindex: -1 }, t("rules")), ...ruleCards(), this.backButton("menu")];
      case "start": return this.startScreen();
      default: {
        if (!this.target()) return this.startScreen();
        const make = this.screens[/** @type {keyof typeof this.screens} */ (this.screen.name)] ?? this.screens.entry;
        return make(this);
      }
    }
  }

  /** @param {string} [to] @param {any} [more] */
  backButton(to = "entry", more = {}) {
    return h("button.wide.quiet", { type: "button", onclick: () => this.go(to, more) }, t("back"));
  }

  startScreen() {
    return [h("h1", { tabindex: -1 }, t("scanTitle")), this.codeForm(), ...this.targetList(), this.languageField()];
  }

  codeForm() {
    return h("form.code", { onsubmit: (/** @type {any} */ event) => {
      event.preventDefault();
      const code = codeIn(event.target.elements.code.value);
      if (code) this.open(code);
    } },
    h("label", {}, h("span", {}, t("scanText")), h("input", { name: "code", autocomplete: "off", autocapitalize: "off",
      spellcheck: "false", maxlength: 1000, required: true })),
    h("button.wide.main", { type: "submit" }, t("join")));
  }

  /** @returns {any[]} */
  targetList() {
    const rows = this.stations.flatMap((station) => [...station.targets].map(([key, target]) =>
      h("li", {}, h("button.wide", { type: "button", onclick: () => this.show(station, key) },
        t("target", { target: target.lease.target }), " · ", t((target.lease.card ?? 1) === 1 ? "firstCard" : "secondCard"),
        station.event?.name ? [" · ", named(station.event.name)] : null))));
    return rows.length > 0 ? [h("h2", {}, t("yourTargets")), h("ul.plain", {}, rows)] : [];
  }

  languageField() {
    return h("label.field", {}, h("span", {}, t("language")), h("select", { onchange: async (/** @type {any} */ event) => {
      useLanguage(event.target.value);
      this.registry?.set("language", event.target.value);
      this.render();
    } }, languages.map(([code, name]) => h("option", { value: code, lang: code, selected: code === language() }, name))));
  }

  joiningScreen() {
    const { request, state, text, choices, message } = this.joining;
    const again = (/** @type {any} */ more) => this.join({ ...request, ...more });
    const leave = h("button.wide.quiet", { type: "button", onclick: async () => {
      this.joining = null;
      await this.registry.set("pending", undefined);
      this.go(this.target() ? "entry" : "start");
    } }, t("cancel"));
    switch (state) {
      case "joining": return [h("h1", { tabindex: -1 }, t("joining"))];
      case "later": return [h("h1", { tabindex: -1 }, t("joining")), banner("lost", t("joinLater")),
        h("button.wide.main", { type: "button", onclick: () => again({}) }, t("tryAgain")), leave];
      case "choose": return [h("h1", { tabindex: -1 }, t("whichOne")), choices.map((/** @type {any} */ one) =>
        h("button.wide.main", { type: "button", onclick: () => again({ sessionId: one.sessionId, matchId: one.matchId }) },
          named(one.name ?? ""), Number(one.startsAtMs ?? 0) > 0 ? ` · ${clock(Number(one.startsAtMs))}` : "")), leave];
      case "taken": return [h("h1", { tabindex: -1 }, t("cardTaken")), h("p", {}, plain(message)),
        request.card === 1 ? h("button.wide.main", { type: "button", onclick: () => again({ card: 2, takeOver: false }) },
          t("keepSecond")) : null,
        h("button.wide", { type: "button", onclick: () => again({ takeOver: true }) }, t("takeOver")),
        h("p.small", {}, t("takeOverText")), leave];
      default: return [h("h1", { tabindex: -1 }, t("scanTitle")), banner("alert", text),
        h("button.wide", { type: "button", onclick: () => again({}) }, t("tryAgain")), this.codeForm(), leave];
    }
  }

  /** @param {any} target */
  takeBack(target) {
    const { sessionId = "0", target: number, card = 1 } = target.lease;
    const known = this.station?.record.targets.find((one) => one.session === String(sessionId)
      && one.target === String(number) && one.card === card);
    if (known) this.join({ ...requestOf(known), takeOver: true });
    else this.go("start");
  }

  menu() {
    const { station } = this;
    const target = this.target();
    return [h("h1", { tabindex: -1 }, t("menu")),
      this.backButton(),
      target ? h("button.wide", { type: "button", onclick: () => this.go("who") }, t("who")) : null,
      target ? h("button.wide", { type: "button", onclick: () => this.go("trial") }, t("sighters")) : null,
      h("button.wide", { type: "button", onclick: () => this.go("rules") }, t("rules")),
      ...this.targetList(),
      h("h2", {}, t("addTarget")), this.codeForm(),
      target ? h("button.wide", { type: "button", onclick: () => this.go("leave") }, t("leaveTarget")) : null,
      this.languageField(),
      station ? h("p.small", {}, t("thisPhone", { name: station.record.device }), " · Quiver ", pageVersion) : null,
      h("p.small", {}, t(this.versions.isKept ? "keptNote" : "offlineNote"))];
  }
}

/** @param {any} notice @param {any} target */
function isFor(notice, { lease }) {
  const session = String(notice.sessionId ?? "0");
  if (session === "0") return true;
  if (session !== String(lease.sessionId ?? "0")) return false;
  const first = notice.firstTarget ?? 0;
  return first === 0 || (lease.target >= first && lease.target <= (notice.lastTarget || first));
}

/** @param {any} call @param {any} target */
function isAt(call, { lease }) {
  return String(call.sessionId ?? "0") === String(lease.sessionId ?? "0") && call.target === lease.target;
}

/** @param {any} call */
function kindOf(call) {
  return [t(callText(call.kind)), call.displayName && isolated(call.displayName)].filter(Boolean).join(", ");
}

/** @param {string | undefined} kind @returns {string} */
function callText(kind) {
  const texts = { JUDGE: "judge", ABSENT_ARCHER: "absent", ARCHER_STOPPED: "stopped", EQUIPMENT_FAILURE: "owes",
    UNDECIDED_ARROW: "undecided", HELP: "help", LATE_ARROWS: "lateArrows" };
  return texts[/** @type {keyof typeof texts} */ ((kind ?? "").replace("TARGET_CALL_KIND_", ""))] ?? "otherCall";
}

/** The code of the address, which is removed from it at once: history keeps what stands behind #. */
function takeCode() {
  const code = codeIn(location.hash.slice(1));
  if (location.hash || location.search) history.replaceState(null, "", location.pathname);
  return code;
}

/**
 * The code in a text, which may be the whole address.
 * @param {string} text
 */
function codeIn(text) {
  const trimmed = text.trim();
  const code = trimmed.slice(trimmed.lastIndexOf("#") + 1);
  return isRescue(code) || /^[A-Za-z0-9_-]{1,200}$/.test(code) ? code : "";
}

/**
 * Whether a code is what another phone has recorded.
 * @param {string} code
 */
function isRescue(code) {
  return code.startsWith("qr_");
}

new App().start();
