// What the desk reads of lists that people have.
import assert from "node:assert/strict";
import test from "node:test";
import { readFileSync } from "node:fs";

// The folder has no package.json: the sources are given as modules.
const folder = new URL("../../../Sources/Programs/quiver-gateway/Pages/desk/", import.meta.url);
const load = (name) => import(`data:text/javascript;base64,${readFileSync(new URL(name, folder)).toString("base64")}`);
const { planOf, recordsOf, textOf } = await load("table.js");
const { languages, sentences: ofAll } = await load("words.js");
// The sentences of the desk and of the pages of officials, which join those of all pages.
const joining = async (name) => (await import(`data:text/javascript;base64,${Buffer.from(
  readFileSync(new URL(name, folder), "utf8").replace(/^(import|Object\.assign).*$/gm, "")).toString("base64")}`));
const sentences = { ...ofAll, ...(await joining("store_words.js")).kept, ...(await joining("desk_words.js")).own, ...(await joining("../judge/words.js")).own };

const event = { categories: [{ code: "RM", name: "Recurve Men" }, { code: "CW", name: "Compound Women" }],
  entries: new Map([["7", { displayName: "Ann" }]]), room: 3 };
const faults = (text) => planOf(text, event).lines.map((line) => line.faults.join(" "));

test("A list in UTF-8, UTF-16 or Windows-1252 has the same names", () => {
  const text = "Name;Verein\nJörg Müller;Grüt\n";
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
  const latin = new Uint8Array(Buffer.from(text, "latin1"));
  const bare = new Uint8Array(Buffer.from(text, "utf16le"));
  const big = new Uint8Array(Buffer.from(text, "utf16le")).map((_, index, all) => all[index ^ 1]);
  for (const bytes of [new TextEncoder().encode(text), new TextEncoder().encode("\ufeff" + text), utf16, latin, bare, big, new Uint8Array([0xfe, 0xff, ...big])]) {
    const { lines, fault } = planOf(textOf(bytes), event);
    assert.deepEqual([fault, lines[0].name, lines[0].club], ["", "Jörg Müller", "Grüt"]);
  }
});

test("Quotes hold separators, line ends and quotes, and lines keep their numbers", () => {
  assert.deepEqual(recordsOf("a,b\r\n\"x,\n\"\"y\"\"\",2\n\n3,4"), [
    { line: 1, cells: ["a", "b"] }, { line: 2, cells: ["x,\n\"y\"", "2"] }, { line: 5, cells: ["3", "4"] }]);
});

test("Each line has its own fault, and a line without a fault has none", () => {
  assert.deepEqual(faults("Name,Bib,Category\n,1,RM\nA,1,rm\nB,2,XX\nC,7,\nAnn,7,RM\n" + "x".repeat(51) + ",,\n"), [
    "The name is missing.", "The bib is in the file twice.", "There is no category with this code or name.",
    "Another entry has the bib. The event has no more room.", "The bib is in the file twice.",
    "The name has more than 50 characters. The event has no more room."]);
  assert.deepEqual(faults("Name,Category\nA,compound women\n"), [""]);
});

test("A category without a name is found by its code", () => {
  const plain = { ...event, categories: [{ code: "ALL" }] };
  assert.deepEqual(planOf("Name,Category\nAnn,all\nBen,\nCid,XX\n", plain).lines.map(({ category, faults }) => [category, faults.length]),
    [["ALL", 0], ["", 0], ["", 1]]);
});

test("Entries that exist are recognised, and lines above the room of the event are told", () => {
  const { lines } = planOf("Name,Bib\nAnn,7\nA,1\nB,2\nC,3\nD,4\n", event);
  assert.deepEqual(lines.map((line) => [line.isThere, line.faults.length]), [[true, 0], [false, 0], [false, 0], [false, 0], [false, 1]]);
});

test("First and family name are one name, and an apostrophe before a formula is not part of it", () => {
  const { lines } = planOf("Vorname;Nachname;Startnummer\nEva;'=SUM(A1);'+1\n", event);
  assert.deepEqual([lines[0].name, lines[0].bib], ["Eva '=SUM(A1)".replace("'", ""), "+1"]);
});

test("A file without names, without lines or with too many is refused as a whole", () => {
  assert.match(planOf("Bib,Club\n1,A\n", event).fault, /names no column/);
  assert.match(planOf("Name\n", event).fault, /no lines/);
  assert.match(planOf("", event).fault, /empty/);
  assert.match(planOf("Name\n" + "A\n".repeat(20_001), event).fault, /20,000/);
});

test("A quotation mark that is not closed is the fault of the line where it begins", () => {
  const { lines } = planOf("Name,Bib\nAnn,1\n\"Ben,2\nCid,3\n", event);
  assert.deepEqual(lines.map(({ line, faults }) => [line, faults[0] ?? ""]), [[2, ""], [3, "A quotation mark of this line is not closed."]]);
});

test("Hostile lists: 20,000 lines, formulas, markup, duplicate bibs and unknown categories have the fault of each line", () => {
  const large = { ...event, room: 30_000 };
  const rows = Array.from({ length: 20_000 }, (_, index) => `"Archer; ""${index}""";${index % 5 ? 1000 + index : 999};RM`);
  const { lines, fault } = planOf(`Name;Bib;Category\r\n${rows.join("\r\n")}`, large);
  assert.deepEqual([fault, lines.length, lines[7].name], ["", 20_000, "Archer; \"7\""]);
  assert.equal(lines.filter(({ faults }) => faults.includes("The bib is in the file twice.")).length, 3999);
  const hostile = planOf("Name\tBib\tCategory\n=HYPERLINK(\"\"x\"\")\t1\tRM\n<script>x</script>\t2\tZZ\n@SUM(A1)\t\tCW\n\u0000a\t4\tRM\n", large).lines;
  assert.deepEqual(hostile.map(({ name, faults }) => [name, faults.join(" ")]), [["=HYPERLINK(\"\"x\"\")", ""],
    ["<script>x</script>", "There is no category with this code or name."], ["@SUM(A1)", ""], ["\u0000a", "A control character is in the line."]]);
});

test("Every sentence has the placeholders of its original in each language", () => {
  const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
  for (const [sentence, others] of Object.entries(sentences)) {
    assert.equal(others.length, Object.keys(languages).length - 1, sentence);
    for (const other of others) assert.equal(holes(other), holes(sentence), sentence);
  }
});

test("Every sentence that the sources say stands in the table", () => {
  const names = ["desk", "kit", "overview", "setup", "entries", "targets", "line", "calls", "results", "stages", "totals", "store", "waiting", "templates", "papers", "plates", "address", "officials",
    "../judge/judge", "../judge/sign_in", "../check-in/check_in"];
  let count = 0;
  for (const name of names) {
    for (const [, text] of readFileSync(new URL(`${name}.js`, folder), "utf8").matchAll(/\bsay\("((?:[^"\\]|\\.)*)"/g)) {
      count++;
      assert.ok(sentences[text], `${name}.js: ${text}`);
    }
  }
  assert.ok(count > 200, `${count} sentences were found`);
});
