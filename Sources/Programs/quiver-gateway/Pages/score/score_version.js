/** How long a new version may take to become the one that serves, in milliseconds. */
const patience = 5000;

/** The version of the page that runs: that of the path of its files. */
export const ownVersion = /\/pages\/([^/]+)\//.exec(import.meta.url)?.[1] ?? "";

/**
 * Lets the page start without a connection, and notes when a new version of it is there.
 *
 * Only a page that is served with TLS, or on the computer itself, can do that: elsewhere browsers have no service workers.
 */
export class Versions {
  /** Whether another version than this one is ready. */
  isNewReady = false;
  /** Whether the page starts without a connection. */
  isKept = false;
  /** @private @type {ServiceWorkerRegistration | null} */
  registration = null;
  /** @private */
  isLoading = false;

  /** @param {() => void} onChange @param {string} [page] its path, which is the scope of its worker */
  constructor(onChange, page = "/score") {
    /** @private */
    this.onChange = onChange;
    /** @private */
    this.page = page;
  }

  async start() {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    serviceWorker.addEventListener("controllerchange", () => this.look());
    try {
      // The path is that of no version, so that the browser compares the file with that of the gateway.
      this.registration = await serviceWorker.register(`${this.page}/worker.js`, { scope: this.page, updateViaCache: "none" });
    } catch {
      // The page works without; it is tried again at the next load.
      this.registration = await serviceWorker.getRegistration(this.page) ?? null;
    }
    this.registration?.addEventListener("updatefound", () => {
      this.registration?.installing?.addEventListener("statechange", () => this.look());
    });
    this.registration?.installing?.addEventListener("statechange", () => this.look());
    await this.look();
  }

  /** Asks the gateway for a new version, as after it was away. */
  async ask() {
    try {
      await this.registration?.update();
    } catch {
      // There is no connection, or the gateway is being replaced.
    }
  }

  /** Loads the new version, which may wait for this page to let the old one go. */
  async take() {
    if (this.isLoading) return;
    this.isLoading = true;
    const waiting = this.registration?.waiting;
    if (waiting) {
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
        setTimeout(resolve, patience);
        waiting.postMessage({ ask: "take" });
      });
    }
    location.reload();
  }

  /**
   * Loads the page from the gateway, past what is stored of it. Without a connection nothing happens: false.
   * @returns {Promise<boolean>}
   */
  async loadAnew() {
    if (this.registration?.active) {
      try {
        if (!(await fetch(this.page, { cache: "no-store" })).ok) return false;
      } catch {
        return false;
      }
      location.replace(`${this.page}?new`);
    } else {
      location.reload();
    }
    return true;
  }

  /** @private */
  async look() {
    const { waiting, active } = this.registration ?? {};
    this.isKept = Boolean(active);
    const version = await versionOf(waiting ?? active);
    this.isNewReady = version !== "" && ownVersion !== "" && version !== ownVersion;
    this.onChange();
  }
}

/**
 * The version that a worker serves; empty: it does not say.
 * @param {ServiceWorker | null | undefined} worker
 * @returns {Promise<string>}
 */
function versionOf(worker) {
  if (!worker) return Promise.resolve("");
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(String(data));
    setTimeout(() => resolve(""), patience);
    worker.postMessage({ ask: "version" }, [port2]);
  });
}
