// Numbers, days and charts as all views of the archer's page show them.
import { el, say, settings } from "../desk/kit.js";

/** @typedef {import("../desk/kit.js").Message} Message */

const dayMilliseconds = 86400000;

/** A civil day since 1970-01-01, as people of the language write it. */
export function dayText(/** @type {number} */ day, /** @type {"medium" | "long"} */ style = "medium") {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: style, timeZone: "UTC" }).format(day * dayMilliseconds);
}

/** The day of an instant on this device. */
export function dayOf(/** @type {string | number} */ milliseconds) {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: "medium" }).format(Number(milliseconds));
}

/** The civil day that it is on this device. */
export function today() {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / dayMilliseconds);
}

/** A civil day as fields of dates have it. */
export const isoDay = (/** @type {number} */ day) => new Date(day * dayMilliseconds).toISOString().slice(0, 10);

/** A number with a fixed number of decimals. */
export function figure(/** @type {number | undefined} */ value, digits = 1) {
  return new Intl.NumberFormat(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value ?? 0);
}

/** A number with a sign, also before what is gained; 0 has none. */
export function signed(/** @type {number} */ value, digits = 1) {
  return new Intl.NumberFormat(settings.language,
    { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" }).format(value);
}

/** The short name of a unit of weight. */
export const unitText = (/** @type {string | undefined} */ unit) => unit === "WEIGHT_UNIT_KILOGRAM" ? "kg" : "lb";

/** What is not a value of an enum but its name, such as `Drop away` of `REST_TYPE_DROP_AWAY`. */
export function nameOf(/** @type {string} */ value, /** @type {string} */ prefix) {
  const words = value.replace(prefix, "").replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An element of SVG. */
export function svg(/** @type {string} */ name, /** @type {Record<string, any>} */ attributes = {}, /** @type {any[]} */ ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const [left, top, bottom] = [56, 12, 28];

/**
 * A chart of values by day. A slider moves along its points, and a sentence reads the chosen one; without a choice
 * it is the latest.
 * @param {{day: number, value: number, mean?: number}[]} points oldest first
 * @param {{label: string, reading: (place: number) => string, goal?: number, digits?: number}} shown `goal`: a level to
 *   draw; `mean`: a second value of each point
 */
export function chart(points, shown) {
  if (points.length === 0) return el("p", { className: "empty" }, say("Nothing here yet."));
  // A unit is about a pixel: the text of a chart is as large on a phone.
  const [width, height] = matchMedia("(max-width: 40rem)").matches ? [360, 240] : [720, 300];
  const values = points.flatMap((point) => [point.value, ...point.mean === undefined ? [] : [point.mean]]);
  if (shown.goal !== undefined) values.push(shown.goal);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || Math.abs(most) || 1;
  const [first, last] = [points[0].day, points[points.length - 1].day];
  const x = (/** @type {number} */ day) => left + (width - left - 12) * (last > first ? (day - first) / (last - first) : .5);
  const y = (/** @type {number} */ value) => top + (height - top - bottom) * (1 - (value - least + span * .05) / (span * 1.1));
  const path = (/** @type {(point: any) => number} */ read) => points.map((point, place) => `${place ? "L" : "M"}${x(point.day).toFixed(1)} ${y(read(point)).toFixed(1)}`).join("");
  const chosen = svg("circle", { class: "chosen", r: 6 });
  const reading = el("p", { className: "reading", role: "status" });
  const read = (/** @type {number} */ place) => {
    chosen.setAttribute("cx", x(points[place].day).toFixed(1));
    chosen.setAttribute("cy", y(points[place].mean ?? points[place].value).toFixed(1));
    reading.textContent = shown.reading(place);
  };
  const drag = el("input", { type: "range", className: "drag", min: 0, max: points.length - 1, value: points.length - 1,
    "aria-label": say("Read a value"), oninput: () => read(Number(drag.value)) });
  const isMean = points[0].mean !== undefined;
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": shown.label },
    [least, (least + most) / 2, most].flatMap((value) => [
      svg("line", { class: "axis", x1: left, x2: width - 12, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 6, y: y(value) + 5, "text-anchor": "end" }, figure(value, shown.digits ?? 1))]),
    svg("text", { x: left, y: height - 6 }, dayText(first)),
    svg("text", { x: width - 12, y: height - 6, "text-anchor": "end" }, dayText(last)),
    shown.goal === undefined ? null : svg("line", { class: "plan", x1: left, x2: width - 12, y1: y(shown.goal), y2: y(shown.goal) }),
    svg("path", { class: isMean ? "mean" : "line", d: path((point) => point.value) }),
    isMean ? svg("path", { class: "line", d: path((point) => point.mean) }) : null,
    points.length <= 93 ? points.map((point) => svg("circle", { class: "dot", r: 3, cx: x(point.day).toFixed(1), cy: y(point.value).toFixed(1) })) : null,
    chosen);
  // A finger on the picture chooses the nearest point, the earlier one in the middle.
  const choose = (/** @type {any} */ event) => {
    const box = picture.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    let best = 0;
    points.forEach((point, place) => { if (Math.abs(x(point.day) - at) < Math.abs(x(points[best].day) - at)) best = place; });
    drag.value = String(best);
    read(best);
  };
  picture.addEventListener("pointerdown", choose);
  picture.addEventListener("pointermove", (event) => { if (/** @type {any} */ (event).buttons) choose(event); });
  read(points.length - 1);
  return el("div", {}, picture, drag, reading);
}
