// Plates of targets: a page each, with the code that a phone scans all day.
import { call, el, say, settings } from "./kit.js";
import { picture } from "../board/assets/qr.js";

const style = `@page { size: A4; margin: 12mm 12mm 16mm; }
body { margin: 0; font: 12pt system-ui, "DejaVu Sans", sans-serif; color: #000; background: #fff; text-align: center; }
section { break-after: page; padding: 10mm; } section:last-child { break-after: auto; }
p { margin: 0; font-size: 18pt; overflow-wrap: anywhere; } h1 { font-size: 110pt; line-height: 1; margin: 6mm 0; }
svg { width: 115mm; height: 115mm; } code { font-size: 15pt; overflow-wrap: anywhere; } small { font-size: 9pt; overflow-wrap: anywhere; }`;

/** The plates of all targets of an event, as a page of HTML. */
export async function plates(/** @type {any} */ event) {
  const { codes = [] } = await call("Events/CreatePlateCodes", { tournamentId: event.id });
  const page = document.implementation.createHTMLDocument(`${event.name} – ${say("Target plates")}`);
  page.documentElement.lang = settings.language;
  page.head.append(el("meta", { "charset": "utf-8" }), el("style", {}, style));
  page.body.append(...codes.map((/** @type {any} */ one) => {
    const link = `${location.origin}/score#${one.code}`;
    return el("section", {}, el("p", {}, el("bdi", {}, event.name)), el("h1", {}, String(one.target)), picture(link, say("Target {target}", { target: one.target })),
      el("p", {}, el("code", {}, one.code)), el("small", {}, link));
  }));
  return `<!doctype html>\n${page.documentElement.outerHTML}`;
}
