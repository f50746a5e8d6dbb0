const svgNames = new Set(["svg", "circle", "line", "path", "g", "rect", "polyline"]);
const handlers = ["onclick", "oninput", "onchange", "onsubmit"];
/** The elements that have handlers: asking each element for each handler takes longer than the rest of a change. */
const handled = new WeakSet();

/**
 * Makes an element. Texts are text, never markup. Attributes that are absent, null or false are left out.
 *
 * @param {string} name of the element, with classes after points
 * @param {Record<string, any>} [attributes] those that begin with `on` are handlers
 * @param {...any} children nodes, texts, lists of them; null, undefined and false are left out
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = svgNames.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  if (classes.length > 0) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) {
      /** @type {any} */ (element)[key] = value;
      handled.add(element);
    } else element.setAttribute(key, value === true ? "" : String(value));
  }
  const wanted = children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);
  element.append(...wanted);
  return element;
}

/**
 * A name of a person or a club, which may be written from right to left.
 * @param {string} text
 */
export function named(text) {
  return h("bdi", {}, text);
}

/**
 * Makes the children of an element those of a list. Elements that stay the same stay in place, so that the focus, and what is
 * being typed, stay too.
 *
 * A button that says something else is another element: a touch that began on one button never presses another one that has
 * come to its place meanwhile.
 *
 * @param {any} parent
 * @param {Node[]} wanted
 */
export function morph(parent, wanted) {
  let now = parent.firstChild;
  for (const next of /** @type {any[]} */ (wanted)) {
    const found = match(now, next);
    if (!found) {
      parent.insertBefore(next, now);
      continue;
    }
    // What stood before it has gone.
    while (now !== found) now = removed(now);
    now = found.nextSibling;
    if (found.nodeType !== Node.TEXT_NODE) update(found, next);
    else if (found.data !== next.data) found.data = next.data;
  }
  while (now) now = removed(now);
}

/** @param {any} node @returns {any} what followed it */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * The child, from `now` on, that becomes `next`; null: none does. One without a name is only compared with `now`.
 *
 * @param {any} now
 * @param {any} next
 */
function match(now, next) {
  const name = nameOf(next);
  for (let one = now; one; one = one.nextSibling) {
    if (one.nodeType === next.nodeType && one.tagName === next.tagName && nameOf(one) === name) return one;
    if (name === null) return null;
  }
  return null;
}

/**
 * What tells an element from others of its kind: its key, or what a button says; null: its place.
 * @param {any} node
 */
function nameOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return null;
  return node.getAttribute("data-key")
    ?? (node.tagName === "BUTTON" ? node.getAttribute("aria-label") ?? node.textContent : null);
}

/** @param {any} now @param {any} next */
function update(now, next) {
  for (const name of now.getAttributeNames()) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const name of next.getAttributeNames()) {
    const value = next.getAttribute(name);
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  if (handled.has(next) || handled.has(now)) {
    for (const name of handlers) now[name] = next[name];
    handled.add(now);
  }
  // What is drawn or typed is not in the tree.
  if (now.tagName === "CANVAS" || now.tagName === "TEXTAREA") return;
  morph(now, [...next.childNodes]);
}
