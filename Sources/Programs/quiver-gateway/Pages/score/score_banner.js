import { h } from "./score_dom.js";

/**
 * A sentence above the screen, with what can be done about it.
 * @param {string} kind `info`, `alert`, `lost` or `hint`
 * @param {any} content
 * @param {string} [label] of the button
 * @param {() => void} [action]
 */
export function banner(kind, content, label = "", action = () => {}) {
  return h(`div.banner.${kind}`, {}, h("p", {}, content),
    label ? h("button.small", { type: "button", onclick: action }, label) : null);
}

/**
 * A sentence of the server without the path of the field that stands before it.
 * @param {string} message
 */
export function plain(message) {
  return message.replace(/^[a-z0-9_.[\]]+: /, "");
}
