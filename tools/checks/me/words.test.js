// The sentences of the archer's page.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

const pages = new URL("../../../Sources/Programs/quiver-gateway/Pages/", import.meta.url);
const read = (path) => readFileSync(new URL(path, pages), "utf8");
const load = (text) => import("data:text/javascript," + encodeURIComponent(text));
const { languages, sentences: ofAll } = await load(read("desk/words.js"));
// They join those of all pages that use the kit of the desk.
const { own: shown } = await load(read("me/me_words.js").replace(/^(import|Object\.assign).*$/gm, ""));
const { entered } = await load(read("me/me_entry_words.js"));
const { kept } = await load(read("desk/store_words.js").replace(/^(import|Object\.assign).*$/gm, ""));
const own = { ...shown, ...entered, ...kept };
const sentences = { ...ofAll, ...own };

test("Every sentence has the placeholders of its original in each language", () => {
  const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
  for (const [sentence, others] of Object.entries(own)) {
    assert.equal(others.length, Object.keys(languages).length - 1, sentence);
    for (const other of others) assert.equal(holes(other), holes(sentence), sentence);
  }
});

test("Every sentence that the sources say stands in the table", () => {
  let count = 0;
  const names = readdirSync(new URL("me/", pages)).filter((name) => name.endsWith(".js")).map((name) => `me/${name}`);
  for (const name of ["desk/kit.js", "desk/store.js", "desk/waiting.js", ...names]) {
    for (const [, text] of read(name).matchAll(/\bsay\("((?:[^"\\]|\\.)*)"/g)) {
      count++;
      assert.ok(sentences[text], `${name}: ${text}`);
    }
  }
  assert.ok(count > 100, `${count} sentences were found`);
});

test("Every label of the tables of the page stands in the table", async () => {
  const source = read("me/me_equipment.js");
  const [list] = /export const groups = \[[^;]*\];/s.exec(source);
  const { groups } = await load(list);
  for (const [group, types] of groups) {
    assert.ok(own[group], group);
    for (const [, one, several] of types) assert.ok(own[one] && own[several], `${one}, ${several}`);
  }
  assert.equal(groups.flatMap(([, types]) => types).length, 10);
});

test("Every field of the ten types, and every choice of one, stands in the table", async () => {
  const { fieldsOf, notes } = await load(read("me/me_fields.js"));
  assert.equal(Object.keys(fieldsOf).length, 10);
  for (const [type, fields] of Object.entries(fieldsOf)) {
    for (const { label, options = [] } of [...fields, notes]) {
      for (const text of [label, ...options.map(([, name]) => name)]) assert.ok(sentences[text], `${type}: ${text}`);
    }
  }
});

test("Every label of a form stands in the table", () => {
  for (const name of readdirSync(new URL("me/", pages)).filter((name) => name.endsWith(".js"))) {
    for (const [, text] of read(`me/${name}`).matchAll(/\blabel: "([^"]+)"/g)) assert.ok(sentences[text], `${name}: ${text}`);
  }
  for (const text of ["pounds", "kilograms", "metres", "yards"]) assert.ok(sentences[text], text);
});
