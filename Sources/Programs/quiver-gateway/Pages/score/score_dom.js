const svgNames = new Set(["svg", "circle", "line", "path", "g", "rect", "polyline"]);
const handlers = ["onclick", "oninput", "onchange", "onsubmit"];

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
    if (key.startsWith("on")) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
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
 * @param {any} parent
 * @param {Node[]} wanted
 */
export function morph(parent, wanted) {
  wanted.forEach((/** @type {any} */ next, index) => {
    const now = parent.childNodes[index];
    if (!now) parent.append(next);
    else if (!isSameKind(now, next)) now.replaceWith(next);
    else if (next.nodeType === Node.TEXT_NODE) {
      if (now.data !== next.data) now.data = next.data;
    } else {
      update(now, next);
    }
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

/** @param {any} now @param {any} next */
function isSameKind(now, next) {
  return now.nodeType === next.nodeType && (now.nodeType === Node.TEXT_NODE
    || (now.tagName === next.tagName && now.getAttribute("data-key") === next.getAttribute("data-key")));
}

/** @param {any} now @param {any} next */
function update(now, next) {
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  for (const name of handlers) now[name] = next[name];
  // What is drawn or typed is not in the tree.
  if (now.tagName === "CANVAS" || now.tagName === "TEXTAREA") return;
  morph(now, [...next.childNodes]);
}
