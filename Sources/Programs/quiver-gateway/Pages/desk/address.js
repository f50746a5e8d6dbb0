// The address that papers name: phones must reach the pages by it.
import { Refusal, ask, el, field, say, storage } from "./kit.js";
import { isLoopback, knownAddress } from "../board/assets/address.js";

const stored = storage("desk");

/** What a person has typed, as long as the gateway says the same as then; else what the gateway says. */
export function phoneAddress() {
  const typed = stored.get("address");
  return typed && stored.get("addressBeside") === knownAddress() ? typed : knownAddress();
}

/** The origin of an address as people write it; null: it is none. */
export function originOf(/** @type {string} */ text) {
  const whole = /^[a-z]+:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;
  try {
    const url = new URL(whole);
    return /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username ? url.origin : null;
  } catch { return null; }
}

/**
 * Asks for the address, and keeps it.
 * @returns {Promise<string | null>} null: nobody wants to say it
 */
export async function askAddress() {
  const input = el("input", { value: isLoopback(phoneAddress()) ? "" : phoneAddress(), placeholder: "http://192.168.1.20:7480", inputMode: "url",
    autocomplete: "off", spellcheck: false, maxLength: 200 });
  const alone = el("input", { type: "checkbox" });
  /** @type {{address: string} | null} */
  const answer = await ask({ title: say("Address for phones"), yes: say("Use it"),
    text: say("Codes on papers lead phones to this address. The server shows it at its start: quiverd --web lan."),
    fields: [field(say("Address"), input), field(say("Print it for this machine alone"), alone)],
    read: () => {
      const address = input.value.trim() ? originOf(input.value) : alone.checked ? location.origin : null;
      if (!address) return say("Type an address such as http://192.168.1.20:7480.");
      return isLoopback(address) && !alone.checked ? say("Phones cannot reach {address}: it is of this machine alone.", { address }) : { address };
    } });
  if (!answer) return null;
  stored.set("address", isLoopback(answer.address) ? "" : answer.address);
  stored.set("addressBeside", knownAddress());
  return answer.address;
}

/** The address for a paper: asked for where none is known that phones reach. */
export async function addressForPaper() {
  const address = isLoopback(phoneAddress()) ? await askAddress() : phoneAddress();
  if (!address) throw new Refusal(say("Nothing was printed: the address for phones is not known."));
  return address;
}

/** What papers say of an address that phones do not reach; empty: they do. */
export const warningOf = (/** @type {string} */ address) =>
  isLoopback(address) ? say("Phones cannot reach {address}: it is of this machine alone.", { address }) : "";
