// Plates of targets: a page each, with the code that a phone scans all day.
import { call, el, say, settings } from "./kit.js";
import { picture } from "../board/assets/qr.js";
import { warningOf } from "./address.js";

const style = `@page { size: A4; margin: 12mm 12mm 16mm; }
body { margin: 0; font: 12pt system-ui, "DejaVu Sans", sans-serif; color: #000; background: #fff; text-align: center; }
section { break-after: page; padding: 10mm; } section:last-child { break-after: auto; }
p { margin: 0; font-size: 18pt; overflow-wrap: anywhere; } h1 { font-size: 110pt; line-height: 1; margin: 6mm 0; }
svg { width: 115mm; height: 115mm; } code { font-size: 15pt; overflow-wrap: anywhere; } small { font-size: 9pt; overflow-wrap: anywhere; }
.warning { border: .5mm solid; margin-top: 4mm; padding: 2mm; font-size: 12pt; }`;

/** The codes of all targets. They are the same each time, so a call whose reply was lost, and is not kept, is made anew. */
export async function codesOf(/** @type {any} */ event) {
  const request = { tournamentId: event.id };
  try {
    return await call("Events/CreatePlateCodes", request);
  } catch (error) {
    if (/** @type {any} */ (error).code !== "FAILED_PRECONDITION") throw error;
    return await call("Events/CreatePlateCodes", request);
  }
}

/** The plates of all targets of an event, which lead phones to an address, as a page of HTML. */
export async function plates(/** @type {any} */ event, /** @type {string} */ address) {
  const { codes = [] } = await codesOf(event);
  const page = document.implementation.createHTMLDocument(`${event.name} – ${say("Target plates")}`);
  page.documentElement.lang = settings.language;
  page.head.append(el("meta", { "charset": "utf-8" }), el("style", {}, style));
  page.body.append(el("main", {}, codes.map((/** @type {any} */ one) => {
    const link = `${address}/score#${one.code}`;
    const warning = warningOf(address);
    return el("section", {}, el("p", {}, el("bdi", {}, event.name)), el("h1", {}, String(one.target)), picture(link, say("Target {target}", { target: one.target })),
      el("p", {}, el("code", {}, one.code)), el("small", {}, link),
      warning ? el("p", { className: "warning" }, warning) : null);
  })));
  return `<!doctype html>\n${page.documentElement.outerHTML}`;
}
