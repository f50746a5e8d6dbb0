/**
 * The service worker of the score page, and of others that name this file theirs, where they are served with TLS: the page
 * starts without a connection.
 *
 * Each version of the page has its worker and its cache. The gateway puts a line before this file that says the version and
 * the paths of the files, so that a change of any of them is a new worker. Operations never pass through it: the page sends them.
 */
const worker = /** @type {any} */ (self);

/** @type {{version: string, files: string[]}} */
const { version, files } = worker.quiver;

/** Its scope is the page. */
const page = new URL(worker.registration.scope).pathname;
/** The page of the desk says by which address phones reach it, and that may be another one today: the gateway is asked first. */
const asksFirst = page === "/desk";
/** How long it may take to answer, in milliseconds. */
const patience = 5000;
const prefix = `quiver-${page.slice(1)}-`;
const cacheName = prefix + version;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", answer);
worker.addEventListener("message", (/** @type {any} */ { data, ports }) => {
  if (data?.ask === "version") ports[0]?.postMessage(version);
  // A page says so when nothing is being entered.
  if (data?.ask === "take") worker.skipWaiting();
});

/** Stores the page and its files: all, or nothing, and then the browser tries again later. */
async function install() {
  try {
    const cache = await caches.open(cacheName);
    const reply = await fetch(page, { cache: "no-cache" });
    const isSame = reply.ok && (await reply.clone().text()).includes(`/pages/${version}/`);
    // The gateway was replaced between two requests.
    if (!isSame) throw new Error("the page is of another version than its worker");
    await cache.addAll(files);
    await cache.put(page, reply);
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

/** Removes what older versions stored. The last of them stays: a tab may be loading it. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {any} event */
function answer(event) {
  const { request } = event;
  const { pathname, search } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    // With a query, as `?new`, the gateway is asked.
    if (search === "" && (pathname === page || pathname === `${page}/`)) event.respondWith(asksFirst ? fresh(request) : stored(page, request, cacheName));
  } else if (pathname.startsWith("/pages/")) {
    event.respondWith(stored(pathname, request));
  }
}

/**
 * The page of the gateway; the stored one where it does not answer.
 * @param {Request} request
 */
async function fresh(request) {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), patience);
  try {
    const reply = await fetch(page, { cache: "no-cache", signal: ended.signal });
    if (reply.ok) return reply;
  } catch { /* There is no connection. */ } finally { clearTimeout(timer); }
  return stored(page, request, cacheName);
}

/**
 * @param {string} path
 * @param {Request} request
 * @param {string} [name] of the only cache that may have it
 */
async function stored(path, request, name) {
  const found = await caches.match(path, { ignoreVary: true, ...(name ? { cacheName: name } : {}) });
  return found ?? fetch(request);
}
