// Forms in dialogs, as all views of the archer's page show them.
import { ask, choice, el, field, say } from "../desk/kit.js";
import { submit } from "../desk/store.js";
import { isoDay } from "./me_figures.js";

/** @typedef {import("../desk/kit.js").Message} Message */
/** @typedef {import("./me.js").Archer} Archer */

/**
 * A field of a form: its key in the message, its label, its kind, and what may be typed. `options` of a choice are values
 * with labels; a `number` may have decimals, an `integer` not; a `day` is a civil day.
 * @typedef {{key: string, label: string, kind?: "text" | "long" | "number" | "integer" | "day" | "choice", required?: boolean,
 *   min?: number, max?: number, most?: number, options?: [string, string][], suggestions?: string[]}} Field
 */

let lists = 0;

/** @param {Field} one @param {any} value */
function inputOf(one, value) {
  // The page says itself what is wrong, in its language.
  const required = one.required ? { "aria-required": "true" } : {};
  switch (one.kind ?? "text") {
    case "choice":
      return choice([...one.required ? [] : /** @type {[string, string][]} */ ([["", "–"]]), ...(one.options ?? []).map(([key, text]) => /** @type {[string, string]} */ ([key, say(text)]))], value ?? "");
    case "long":
      return el("textarea", { rows: 3, maxLength: one.most ?? 4000, value: value ?? "" });
    case "day":
      return el("input", { type: "date", ...required, value: value === undefined || value === null ? "" : isoDay(value) });
    case "number": case "integer":
      return el("input", { type: "number", inputMode: one.kind === "number" ? "decimal" : "numeric", ...required, step: "any",
        value: value ?? "" });
    default:
      return el("input", { maxLength: one.most ?? 200, ...required, autocomplete: "off", value: value ?? "" });
  }
}

/**
 * What is wrong with a field; empty: nothing.
 * @param {Field} one
 * @param {any} input
 */
function faultOf(one, input) {
  const label = say(one.label);
  if (input.validity?.badInput) return say("{field}: type a number.", { field: label });
  const text = input.value.trim();
  if (text === "") return one.required ? say("{field} is missing.", { field: label }) : "";
  if (one.kind === "day") return one.max !== undefined && valueOf(one, input) > one.max ? say("{field} is in the future.", { field: label }) : "";
  if (one.kind !== "number" && one.kind !== "integer") return "";
  const number = Number(text);
  if (!Number.isFinite(number)) return say("{field}: type a number.", { field: label });
  if (one.kind === "integer" && !Number.isInteger(number)) return say("{field}: type a whole number.", { field: label });
  if ((one.min !== undefined && number < one.min) || (one.max !== undefined && number > one.max)) {
    return say("{field}: from {min} to {max}.", { field: label, min: one.min ?? "", max: one.max ?? "" });
  }
  return "";
}

/** @param {Field} one @param {any} input @returns {any} undefined: nothing was typed */
function valueOf(one, input) {
  const text = input.value.trim();
  if (text === "") return undefined;
  if (one.kind === "day") return Math.round(Date.parse(`${text}T00:00:00Z`) / 86_400_000);
  return one.kind === "number" || one.kind === "integer" ? Number(text) : text;
}

/**
 * Elements for fields, and how they are read: an object, or what is wrong.
 * @param {Field[]} fields
 * @param {Message} given
 * @param {(values: Message) => string} [check] what is wrong with all of them together; empty: nothing
 */
export function inputs(fields, given, check = () => "") {
  const pairs = fields.map((one) => /** @type {[Field, any]} */ ([one, inputOf(one, given[one.key])]));
  return {
    inputs: Object.fromEntries(pairs.map(([one, input]) => [one.key, input])),
    elements: pairs.map(([one, input]) => {
      if (!one.suggestions?.length) return field(say(one.label), input);
      const id = `suggestions-${++lists}`;
      input.setAttribute("list", id);
      return el("div", {}, field(say(one.label), input), el("datalist", { id }, one.suggestions.map((value) => el("option", { value }))));
    }),
    read: () => {
      for (const [one, input] of pairs) {
        const fault = faultOf(one, input);
        if (fault) { input.focus(); return fault; }
      }
      /** @type {Message} */
      const values = Object.fromEntries(pairs.map(([one, input]) => [one.key, valueOf(one, input)]));
      return check(values) || values;
    },
  };
}

/**
 * Asks for the fields of something; null: the person does not want it.
 * @param {{title: string, yes: string, text?: string, fields: Field[], given?: Message, check?: (values: Message) => string}} form
 * @returns {Promise<Message | null>}
 */
export async function fill({ title, yes, text, fields, given = {}, check }) {
  const { elements, read } = inputs(fields, given, check);
  return /** @type {Promise<any>} */ (ask({ title, yes, text, fields: elements, read }));
}

/** The names of the protocol's fields that differ, for the mask of an update. */
export function maskOf(/** @type {Field[]} */ fields, /** @type {Message} */ before, /** @type {Message} */ after) {
  return fields.map((one) => one.key).filter((key) => (before[key] ?? "") !== (after[key] ?? ""));
}

/** `lengthIn` as `length_in`. */
export const protoName = (/** @type {string} */ key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Stores a change and draws again.
 * @param {Archer} archer
 * @param {import("../client/edits.js").Change | import("../client/edits.js").Change[]} changes
 * @param {string} sentence
 */
export async function store(archer, changes, sentence) {
  try {
    return await submit(changes, sentence);
  } finally {
    await archer.reload();
  }
}
