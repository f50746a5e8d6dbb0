import { methods } from "./services.js";

/**
 * A unary method.
 * @template Request, Reply
 * @typedef {(request?: Request, options?: import("./client.js").CallOptions) => Promise<Reply>} Called
 */

/**
 * A method that is a watch.
 * @template Request, Reply
 * @typedef {(request?: Request, options?: import("./watch.js").WatchOptions)
 *   => import("./watch.js").Watch<Reply>} Watched
 */

/**
 * A function for each method, as `services(client).tournament.getTournament({ id })`, with the types of `messages.js`.
 *
 * @param {import("./client.js").Client} client
 * @returns {import("./services.js").Services}
 */
export function services(client) {
  /** @type {Record<string, Record<string, Function>>} */
  const found = {};
  for (const [name, kinds] of Object.entries(methods)) {
    /** @type {Record<string, Function>} */
    const service = found[lower(name)] = {};
    for (const [kind, names] of Object.entries(kinds)) {
      for (const method of names.split(" ")) {
        const path = `${name}/${method}`;
        service[lower(method)] = (/** @type {any} */ request, /** @type {any} */ options) =>
          kind === "watches" ? client.watch(path, request, options) : client.call(path, request, options);
      }
    }
  }
  return /** @type {any} */ (found);
}

/** @param {string} name */
function lower(name) {
  return name[0].toLowerCase() + name.slice(1);
}
