// Papers to print and files to keep: the server makes them, the browser prints them.
import { button, call, choice, el, field, say, settings } from "./kit.js";
import { addressForPaper, askAddress, phoneAddress, warningOf } from "./address.js";
import { plates } from "./plates.js";

/** @type {[string, string, boolean][]} kind, name, whether it is printed */
const kinds = [
  ["START_LIST", "Start list", true], ["TARGET_LIST", "Target list", true], ["SCORE_CARDS", "Score cards", true], ["PLATES", "Target plates", true],
  ["STANDINGS", "Standings", true], ["BRACKETS", "Brackets", true], ["MEDALS", "Medals", true],
  ["RESULT_BOOK", "Result book", true], ["DIPLOMAS", "Diplomas", true],
  ["ENTRIES_CSV", "Entries (CSV)", false], ["STANDINGS_CSV", "Standings (CSV)", false],
  ["MATCHES_CSV", "Matches (CSV)", false], ["SESSIONS_CALENDAR", "Calendar of the sessions", false],
];

/** @param {any} desk */
export async function papers(desk) {
  const tournamentId = desk.event.id;
  const { categories = [] } = await call("Events/ListEventCategories", { tournamentId });
  const category = choice([["0", say("all categories")], ...categories.map((/** @type {any} */ { id, code }) => [id, code])], "0", { "aria-label": say("Category") });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const cards = choice([["1", "1"], ["2", "2"], ["4", "4"]]);
  const both = el("input", { type: "checkbox" });
  const warning = warningOf(phoneAddress());
  return [el("h2", {}, say("Papers and files")),
    el("div", { className: "row" }, el("p", { className: warning ? "bad" : "" }, warning || say("Codes on papers lead phones to {address}.", { address: phoneAddress() })),
      button(say("Change the address…"), async () => {
        if (!await askAddress()) return " ";
        await desk.reload();
      })),
    el("div", { className: "row" }, field(say("Category"), category), field(say("Score cards on a page"), cards),
    field(say("A score card for each of two scorers"), both)),
    el("ul", { className: "papers" }, kinds.map(([kind, text, isPrinted]) => el("li", {}, button(say(text), async () => {
      const address = ["PLATES", "SCORE_CARDS"].includes(kind) ? await addressForPaper() : "";
      const document_ = kind === "PLATES"
        ? { parts: [await plates(desk.event, address)], mediaType: "text/html; charset=utf-8", fileName: "plates.html" }
        : await whole({ tournamentId, kind: `EVENT_DOCUMENT_KIND_${kind}`, timeZone: zone, language: settings.language,
          categoryId: kind === "SESSIONS_CALENDAR" ? "0" : category.value,
          ...(kind === "SCORE_CARDS" ? { linkBase: `${address}/score`, cardsPerPage: Number(cards.value), bothScorers: both.checked } : {}) });
      const url = URL.createObjectURL(new Blob(document_.parts, { type: document_.mediaType }));
      const link = el("a", isPrinted ? { href: url, target: "_blank", rel: "noopener" } : { href: url, download: document_.fileName });
      document.body.append(link);
      link.click();
      link.remove();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      return isPrinted ? say("{name} is open in a new tab: print it there.", { name: document_.fileName }) : say("{name} was saved.", { name: document_.fileName });
    }))))];
}

/** A document from all its parts. */
async function whole(/** @type {any} */ request) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let pageToken = "", mediaType = "", fileName = "";
  do {
    const part = await call("Events/GetEventDocument", { ...request, pageToken }, { timeout: 120_000 });
    parts.push(Uint8Array.from(atob(part.content ?? ""), (character) => character.charCodeAt(0)));
    ({ mediaType, fileName } = part);
    pageToken = part.nextPageToken ?? "";
  } while (pageToken);
  return { parts, mediaType, fileName };
}
