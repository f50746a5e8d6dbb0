// Clients share no state: no module has a variable, or a collection, that functions change.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../src/", import.meta.url);

// A module and its variable that functions may change, with the reason.
const allowed = new Map([
  ["uuid.js: lastHere", "identities of a page grow in the order in which they are made, whichever client asks"],
]);

const changing = ["set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse",
  "fill", "copyWithin", "next"].join("|");

/** The source without comments; texts and expressions stay, since names in them are looked for with what follows. */
const code = (text) => text.replace(/\/\*[\s\S]*?\*\//g, (found) => found.replace(/[^\n]/g, " "))
  .replace(/(^|[\s;])\/\/.*$/gm, "$1");

/**
 * What functions share of a module: `let` and `var` at its level, constants whose contents are changed, in it or where they
 * are imported, and static fields that are assigned.
 */
function findings(modules) {
  const found = [];
  const texts = [...modules].map(([name, text]) => [name, code(text)]);
  for (const [name, text] of texts) {
    for (const [, variable] of text.matchAll(/^(?:export )?(?:let|var) ([\w$]+)/gm)) found.push(`${name}: ${variable}`);
    const constants = [...text.matchAll(/^(?:export )?const ([\w$]+)/gm)].map(([, constant]) => constant);
    const imported = [...text.matchAll(/^import \{([^}]*)\} from "\.\//gm)]
      .flatMap(([, names]) => names.split(",").map((one) => one.trim().split(" as ").at(-1)));
    for (const one of [...constants, ...imported].filter(Boolean)) {
      const access = String.raw`(?<![\w$.])${one.replaceAll("$", "\\$")}(?:\??\.[\w$]+|\[[^\]]*\])*`;
      const part = String.raw`(?<![\w$.])${one.replaceAll("$", "\\$")}(?:\??\.[\w$]+|\[[^\]]*\])+`;
      const changes = [
        String.raw`${access}\??\.(?:${changing})\(`,
        String.raw`${part}\s*(?:[-+*/|&^%]|\*\*|<<|>>|\|\||&&|\?\?)?=(?![=>])`,
        String.raw`${part}(?:\+\+|--)`, String.raw`(?:\+\+|--|delete )${part}`,
        String.raw`Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)\(${access}`,
      ];
      if (changes.some((change) => new RegExp(change).test(text))) found.push(`${name}: ${one}`);
    }
    for (const [, field] of text.matchAll(/^ +static (?!async|get |set |\*)(#?[\w$]+)\s*(?:=|;)/gm)) {
      const assigned = new RegExp(String.raw`(?:[\w$]+)\.${field.replace("$", "\\$")}(?:\.(?:${changing})\(|\s*[-+]?=(?![=>])|\+\+)`);
      if (texts.some(([, other]) => assigned.test(other))) found.push(`${name}: ${field}`);
    }
  }
  return found;
}

const sources = () => new Map(readdirSync(folder).filter((name) => name.endsWith(".js"))
  .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));

test("no module of the client has state that functions change", () => {
  const modules = sources();
  assert.ok(modules.size > 20);
  assert.deepEqual(findings(modules).filter((one) => !allowed.has(one)), []);
});

test("what is allowed exists", () => {
  const found = findings(sources());
  for (const one of allowed.keys()) assert.ok(found.includes(one), `${one} needs no exception`);
});

test("each form of shared state is found", () => {
  const example = `
let count = 0;
export let other = 1;
// let none = 2;
const names = new Map();
export const list = [1];
const table = { a: { b: 1 } };
const fixed = new Set(["x"]);
const plain = [3];
class Client {
  static last = 0;
  static most = 5;
  static make() { Client.last = 1; return Client.most; }
}
function change(set) {
  names.set("a", 1);
  table.a["b"] += 1;
  const names2 = new Map([...fixed, ...plain]);
  names2.set("b", 2);
  return plain.map((one) => one === 1 && fixed.has(one));
}`;
  const importing = `import { list, fixed as known } from "./example.js";
export const grow = () => { list.push(2); return known.size >= list.length; };`;
  assert.deepEqual(findings(new Map([["example.js", example], ["importing.js", importing]])), [
    "example.js: count", "example.js: other", "example.js: names", "example.js: table", "example.js: last",
    "importing.js: list"]);
});
