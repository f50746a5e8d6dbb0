// Lists of entries as people have them: CSV in several encodings, with a check of each line.

/** @typedef {{line: number, name: string, bib: string, club: string, country: string, licence: string,
 *   category: string, isThere: boolean, faults: string[]}} Line */

/** The most lines of a list, as `quiver event import` and the limits of an event have it. */
export const mostLines = 20_000;

/** The most bytes of a file. */
export const mostBytes = 8 << 20;

/** The names of columns in the four languages, and those of the server's own export. */
const columns = {
  name: ["name", "archer", "schütze", "nom", "nome", "athlete", "display_name", "full name"],
  first: ["first name", "firstname", "given name", "vorname", "prénom", "prenom"],
  family: ["family name", "last name", "lastname", "surname", "nachname", "nom de famille", "cognome"],
  bib: ["bib", "number", "no", "nr", "startnummer", "dossard", "pettorale", "numéro", "numero"],
  club: ["club", "verein", "società", "societa", "team"],
  country: ["country", "land", "pays", "paese", "nation"],
  licence: ["licence", "license", "lizenz", "tessera", "licence number", "membership"],
  category: ["category", "kategorie", "catégorie", "categorie", "categoria", "class", "klasse"],
};

/**
 * The text of a file: UTF-16, UTF-8, else Windows-1252, which has each byte.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // UTF-16 without the mark: each second byte of a line of column names is zero.
  if (bytes.length > 3 && bytes[1] === 0 && bytes[3] === 0) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes.length > 3 && bytes[0] === 0 && bytes[2] === 0) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * The records of a text, each with the number of its first line. The separator is the one of comma,
 * semicolon and tab that the first line has most often outside of quotes.
 * @param {string} text
 * @returns {{line: number, cells: string[], isOpen?: boolean}[]} `isOpen`: a quotation mark is not closed
 */
export function recordsOf(text) {
  const first = text.slice(0, text.search(/\r|\n|$/)).replace(/"[^"]*"/g, "");
  const separator = [",", ";", "\t"].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best);
  /** @type {{line: number, cells: string[], isOpen?: boolean}[]} */
  const records = [];
  let cell = "", cells = /** @type {string[]} */ ([]), line = 1, began = 1, isQuoted = false;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim())) records.push({ line: began, cells });
    cell = "";
    cells = [];
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "\n" || (character === "\r" && text[index + 1] !== "\n")) line++;
    if (isQuoted) {
      if (character !== "\"") cell += character;
      else if (text[index + 1] === "\"") cell += text[++index];
      else isQuoted = false;
    } else if (character === "\"" && cell.trim() === "") {
      cell = "";
      isQuoted = true;
    } else if (character === separator) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[index + 1] === "\n") continue;
      endRecord();
      began = line;
    } else {
      cell += character;
    }
  }
  const isOpen = isQuoted;
  endRecord();
  const last = records.at(-1);
  if (isOpen && last) last.isOpen = true;
  return records;
}

/** A cell as a text: without the apostrophe that keeps spreadsheets from calculating it. */
function cellText(/** @type {string | undefined} */ cell) {
  return (cell ?? "").trim().replace(/^'(?=[=+\-@\t\r'])/, "");
}

/**
 * What a list would add, line by line, with the faults of each.
 * @param {string} text
 * @param {{categories: {code: string, name?: string}[], entries: Map<string, any>, room: number}} event
 *   `entries`: those of the event by bib; `room`: how many it still takes
 * @returns {{lines: Line[], fault: string, unknown: string[]}} `fault`: why nothing can be read;
 *   `unknown`: columns that are not used
 */
export function planOf(text, event) {
  const records = recordsOf(text.replace(/^\ufeff/, ""));
  if (records.length === 0) return { lines: [], fault: "The file is empty.", unknown: [] };
  const heads = records[0].cells.map((cell) => cell.trim().toLowerCase());
  /** @param {keyof typeof columns} key */
  const place = (key) => heads.findIndex((head) => columns[key].includes(head));
  const places = { name: place("name"), first: place("first"), family: place("family"), bib: place("bib"),
    club: place("club"), country: place("country"), licence: place("licence"), category: place("category") };
  if (places.name < 0 && places.family < 0) {
    return { lines: [], fault: "The first line names no column for the name: Name, or First name and Family name.", unknown: [] };
  }
  if (records.length - 1 > mostLines) {
    return { lines: [], fault: "The file has more than 20,000 lines.", unknown: [] };
  }
  const known = new Set(Object.values(places));
  const codes = new Map();
  for (const category of event.categories) {
    codes.set(category.code.toLowerCase(), category.code);
    const name = (category.name ?? "").toLowerCase();
    if (name && !codes.has(name)) codes.set(name, category.code);
  }
  const bibs = new Map();
  let added = 0;
  const lines = records.slice(1).map(({ line, cells, isOpen }) => {
    const of = (/** @type {number} */ at) => at < 0 ? "" : cellText(cells[at]);
    const name = places.name >= 0 ? of(places.name) : [of(places.first), of(places.family)].filter(Boolean).join(" ");
    const written = of(places.category);
    /** @type {Line} */
    const entry = { line, name, bib: of(places.bib), club: of(places.club), country: of(places.country),
      licence: of(places.licence), category: codes.get(written.toLowerCase()) ?? "", isThere: false, faults: [] };
    const long = (/** @type {string} */ value, /** @type {number} */ most) => [...value].length > most;
    if (isOpen) entry.faults.push("A quotation mark of this line is not closed.");
    if (!name) entry.faults.push("The name is missing.");
    if (long(name, 50)) entry.faults.push("The name has more than 50 characters.");
    if (long(entry.bib, 16)) entry.faults.push("The bib has more than 16 characters.");
    for (const value of [entry.club, entry.country, entry.licence]) {
      if (long(value, 100)) entry.faults.push("Club, country or licence has more than 100 characters.");
    }
    if (/[\u0000-\u001f\u007f]/.test([name, entry.bib, entry.club, entry.country, entry.licence].join(""))) {
      entry.faults.push("A control character is in the line.");
    }
    if (written && !codes.has(written.toLowerCase())) entry.faults.push("There is no category with this code or name.");
    if (entry.bib) {
      if (bibs.has(entry.bib)) entry.faults.push("The bib is in the file twice.");
      bibs.set(entry.bib, line);
      const other = event.entries.get(entry.bib);
      entry.isThere = other?.displayName === name;
      if (other && !entry.isThere) entry.faults.push("Another entry has the bib.");
    }
    if (cells.length > heads.length) entry.faults.push("The line has more cells than the first one.");
    if (!entry.isThere && ++added > event.room) entry.faults.push("The event has no more room.");
    return entry;
  });
  return { lines, fault: lines.length === 0 ? "The file has no lines below the first one." : "",
    unknown: records[0].cells.filter((_, index) => !known.has(index)).map((cell) => cell.trim()).filter(Boolean) };
}
