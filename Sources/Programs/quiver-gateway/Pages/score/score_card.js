import { banner, plain } from "./score_banner.js";
import { h, named } from "./score_dom.js";
import { isBusy, pad, spoken } from "./score_entry.js";
import { QuiverError, scoring } from "./score_quiver.js";
import { distanceOf, lastIndex, papersOf, partsOf, sheetOrder, tally } from "./score_sheet.js";
import { isolated, t } from "./score_words.js";

/** @typedef {import("./score_sheet.js").Row} Row */

/** @param {any} app @returns {{key: string, sheet: any, row: Row} | null} */
function current(app) {
  const shown = app.shown();
  const row = shown?.sheet.rows.find((/** @type {Row} */ one) => one.id === app.screen.row);
  return row ? { ...shown, row } : null;
}

/**
 * The whole card of an archer.
 * @param {any} app
 */
function card(app) {
  const found = current(app);
  if (!found) return [app.backButton()];
  const { sheet, row } = found;
  const sums = tally(row);
  const mine = sheet.kind !== "match";
  const disputed = row.ends.filter((end) => end.state === "DISPUTED");
  const agreedCount = row.ends.filter((end) => end.state === "AGREED").length;
  const shown = row.ends.filter((end) => end.number <= sheet.current || end.arrows.some((one) => one?.arrow));
  const parts = mine ? partsOf(row) : [];
  const isClosed = (/** @type {any} */ end) => parts.some(({ pass, isArcher, isScorer }) => pass === end.pass && isArcher && isScorer);
  // Of several rounds the whole card is signed behind the last one.
  const isWhole = row.ends.length > 0 && row.ends.every((end) => end.isFull)
    && (!row.format || row.first + row.ends.length >= scoring.endCount(row.format));
  return [h("h1", { tabindex: -1 }, t("cardOf", { name: isolated(row.name) })), row.about ? h("p.small", {}, named(row.about)) : null,
    disputed.length > 0 ? banner("alert", [h("strong", {}, t("differs")), ...disputed.map((end) => h("span.difference", {},
      `${end.number + 1}: ${t("here")} ${textOf(end)} – ${t("there")} ${otherText(end)}`))]) : null,
    row.ends.filter((end) => end.isOwed && !end.isFull).map((end) => banner("info", t("owed", { name: isolated(row.name), number: end.number + 1,
      count: end.arrows.filter((one) => !one?.arrow).length }))),
    agreedCount > 0 ? h("p.small", {}, t("sameCards", { count: agreedCount })) : null,
    h("table.card", {},
      h("thead", {}, h("tr", {}, ["#", t("card"), t("sum"), t("total")].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, shown.map((end, place) => [
        end.pass && end.pass !== shown[place - 1]?.pass ? h("tr.pass", {}, h("th", { colspan: 4, scope: "colgroup" }, distanceOf(end))) : null,
        h("tr", { "data-end": end.number }, h("th", { scope: "row" }, end.isShootOff ? `+${end.index + 1}` : end.number + 1,
          end.state === "DISPUTED" ? h("span.mark", {}, "≠") : end.state === "RULED" ? h("span", { title: t("ruled") }, "⚖") : null),
        h("td", {}, end.arrows.some((one) => one?.arrow)
          ? h("button.line", { type: "button", disabled: row.state === "watched" || row.state === "signed" || isClosed(end), onclick: () =>
            app.go("fix", { row: row.id, index: end.number }), "aria-label": `${t("chooseArrow")} ${end.number + 1}` }, textOf(end)) : "–"),
        h("td", {}, end.total), h("td", {}, end.running)),
      ]))),
    mine ? h("p.sums", {}, `${t("total")} ${sums.total} · ${countsOf(sums)}`) : null,
    app.station.event?.scorersTypePapers && sheet.kind === "first" ? papersOf(row).map((one) => [
      one.paper ? banner(one.isEqual ? "info" : "alert", [t("paperHas", { distance: one.name }), " ", sumsText(one, one.paper),
        one.isEqual ? " ✓" : ` – ${t("here")} ${sumsText(one, one.here)}`]) : null,
      one.isClosed ? null : h("button.wide", { type: "button", onclick: () => app.go("paper", { row: row.id, part: one.part }) },
        t("typePaper", { distance: one.name })),
    ]) : null,
    parts.map(({ part, name, isArcher, isScorer }) => h("button.wide", { type: "button",
      onclick: () => app.go("sign", { row: row.id, role: "ARCHER", part }) },
    t("signPart", { distance: name }), signs({ archerConfirmed: isArcher, scorerConfirmed: isScorer }))),
    mine && isWhole ? h("button.wide.main", { type: "button", onclick: () => app.go("sign", { row: row.id, role: "ARCHER" }) },
      t("sign"), signs(row.summary)) : null,
    h("button.wide.quiet.screenonly", { type: "button", onclick: () => print() }, t("print")),
    app.backButton()];
}

/** @param {any} one @param {any} sums those on the paper, or here */
function sumsText({ counts }, sums) {
  return [`${t("total")} ${sums.total ?? 0}`, ...Object.keys(counts).filter((name) => sums[name] !== undefined)
    .map((name) => `${t(counts[name])} ${sums[name]}`)].join(" · ");
}

/**
 * Types the sums of a distance as the card on paper has them: what is lower counts after both signatures.
 * @param {any} app
 */
function paper(app) {
  const found = current(app);
  const one = found ? papersOf(found.row).find(({ part }) => part === app.screen.part) : null;
  if (!found || !one) return [app.backButton()];
  const { row } = found;
  /** @type {{[name: string]: string}} */
  const fields = { total: "total", ...one.counts };
  const store = (/** @type {any} */ event) => {
    event.preventDefault();
    /** @type {any} */
    const request = { participantId: row.participant, part: one.part };
    for (const name of Object.keys(fields)) {
      const text = String(event.target.elements[name].value).trim();
      if (text === "" && name !== "total") continue;
      if (!/^[0-9]{1,5}$/.test(text)) return app.tell(t("badSum"));
      request[name] = Number(text);
    }
    return app.station.queue(async () => {
      try {
        await app.station.client.call("Events/SetPaperTotal", request);
        app.go("card", { row: row.id });
      } catch (error) {
        if (!(error instanceof QuiverError)) throw error;
        app.tell(t("wrong", { message: plain(error.message) }));
      }
    });
  };
  const field = (/** @type {string} */ name) => h("label.field", {}, h("span", {}, t(fields[name])),
    h("input", { name, inputmode: "numeric", required: name === "total", maxlength: 5, autocomplete: "off" }));
  return [h("h1", { tabindex: -1 }, t("typePaper", { distance: one.name })), h("p", {}, named(row.name)),
    isBusy(app) ? h("p.prompt", {}, t("signLater")) : h("form", { onsubmit: store }, h("p.small", {}, t("paperCounts")),
      Object.keys(fields).map(field), h("button.wide.main", { type: "submit" }, t("store"))),
    app.backButton("card", { row: row.id })];
}

/** @param {any} sums */
function countsOf(sums) {
  return sums.hasX ? `${t("tens")} ${sums.tens} · ${t("xs")} ${sums.xs}` : `${t("hits")} ${sums.hits} · ${t("golds")} ${sums.golds}`;
}

/** @param {any} summary */
function signs(summary) {
  const found = [summary?.archerConfirmed ? t("archerSigns") : "", summary?.scorerConfirmed ? t("scorerSigns") : ""].filter(Boolean);
  return found.length > 0 ? ` ✓ ${found.join(", ")}` : "";
}

/** @param {any} end */
function textOf(end) {
  return sheetOrder(end).map(({ one }) => one?.arrow ? scoring.arrowText(one.arrow) : "·").join(" ");
}

/** @param {any} end */
function otherText(end) {
  return scoring.highestFirst(end.other.map(scoring.arrowOf)).map(scoring.arrowText).join(" ");
}

/**
 * Corrects an arrow of an end that was agreed, or is complete where that needs consent: with a reason, and another archer's tap.
 * @param {any} app
 */
function fix(app) {
  const found = current(app);
  const end = found?.row.ends[app.screen.index];
  if (!found || !end) return [app.backButton()];
  const { key, sheet, row } = found;
  const { slot, arrow, reason } = app.screen;
  const set = (/** @type {any} */ more) => {
    app.screen = { ...app.screen, ...more };
    app.render();
  };
  const title = [h("h1", { tabindex: -1 }, t("chooseArrow")), h("p", {}, named(row.name), " · ",
    t("end", { number: end.number + 1, count: sheet.count }))];
  const back = app.backButton(end.number < sheet.current ? "card" : "entry", { row: row.id });
  if (app.station.consent === "JUDGE") {
    return [...title, banner("alert", t("judgeCorrects"), t("happens"), () => app.go("happens")), back];
  }
  const arrows = h("div.arrows.choice", {}, sheetOrder(end).filter(({ one }) => one?.arrow).map(({ one, slot: place }) =>
    h("button.arrow.plain", { type: "button", "aria-pressed": place === slot ? "true" : "false", "aria-label": spoken(one.arrow),
      onclick: () => set({ slot: place, arrow: undefined, reason: undefined }) }, scoring.arrowText(one.arrow))));
  if (slot === undefined) return [...title, arrows, back];
  if (!arrow) return [...title, arrows, h("h2", {}, t("newValue")), h("div.foot", {}, pad(end.face, (one) => set({ arrow: one }))), back];
  const change = h("p.prompt", {}, `${scoring.arrowText(end.arrows[slot].arrow)} → ${scoring.arrowText(arrow)}`);
  if (!reason) {
    return [...title, change, h("h2", {}, t("why")), ["misheard", "mistyped", "byJudge"].map((one) =>
      h("button.wide", { type: "button", onclick: () => set({ reason: t(one) }) }, t(one))), back];
  }
  const others = sheet.rows.filter((/** @type {Row} */ one) => one.id !== row.id).flatMap((/** @type {Row} */ one) =>
    (one.archers?.length ? one.archers : [one]).map(({ participant, name }) => ({ participant, name, letter: one.letter })));
  const confirm = (/** @type {string} */ name, /** @type {string | undefined} */ witness) => {
    const why = [...t("confirmedBy", { reason, name })].slice(0, 200).join("");
    app.go(end.number < sheet.current ? "card" : "entry", { row: row.id });
    if (sheet.kind === "first") return app.station.put(key, [{ row, index: end.index, arrowIndex: slot, arrow, reason: why, witness }]);
    const list = end.arrows.map((one, place) => place === slot ? arrow : one.arrow);
    const view = app.station.viewOf(key);
    return app.station.store(key, view, [app.station.endChange(sheet, row, end, list, why, witness)]);
  };
  return [...title, change, h("h2", {}, t("seenBy")),
    others.map((/** @type {any} */ one) => h("button.wide.main", { type: "button", onclick: () => confirm(one.name, one.participant) },
      `${one.letter} `, named(one.name))),
    others.length === 0 ? h("button.wide.main", { type: "button", onclick: () => confirm(t("someoneElse"), undefined) }, t("someoneElse")) : null,
    back];
}

/**
 * Swaps an end of two archers, or moves ends by one.
 * @param {any} app
 */
function repair(app) {
  const { key, sheet } = app.shown();
  const rows = sheet.rows.filter((/** @type {Row} */ one) => one.state !== "watched" && one.state !== "signed" && one.ends.some((end) => end.arrows.some((arrow) => arrow?.arrow)));
  const row = rows.find((/** @type {Row} */ one) => one.id === app.screen.row);
  const { index } = app.screen;
  const back = app.backButton("happens");
  if (app.screen.isDone) {
    return [h("h1", { tabindex: -1 }, t("repairs")), h("p", {}, t("isDone")),
      h("button.wide", { type: "button", onclick: () => {
        app.go("entry");
        app.station.change(() => app.station.outbox.undo(app.station.record.event));
      } }, t("takeBack")), app.backButton()];
  }
  if (!row) {
    return [h("h1", { tabindex: -1 }, t("repairs")), h("p", {}, t("forWhom")), rows.map((/** @type {Row} */ one) =>
      h("button.wide.main", { type: "button", onclick: () => app.go("repair", { row: one.id }) }, `${one.letter} `, named(one.name))), back];
  }
  if (index === undefined) {
    return [h("h1", { tabindex: -1 }, t("repairs")), h("p", {}, named(row.name)),
      row.ends.filter((/** @type {any} */ end) => end.arrows.some((/** @type {any} */ one) => one?.arrow)).map((/** @type {any} */ end) =>
        h("button.wide", { type: "button", onclick: () => app.go("repair", { row: row.id, index: end.number }) },
          `${end.number + 1}: ${textOf(end)}`)), back];
  }
  const end = row.ends[index];
  const reason = "ends were exchanged";
  const act = (/** @type {any[]} */ puts) => async () => {
    await app.station.put(key, puts);
    if (!app.station.failure) app.go("repair", { isDone: true });
  };
  const fits = (/** @type {any} */ one, /** @type {any} */ other) => one && other && one.size === other.size && one.face === other.face;
  const put = (/** @type {Row} */ to, /** @type {any} */ place, /** @type {any} */ from) =>
    from.arrows.map((/** @type {any} */ one, /** @type {number} */ arrowIndex) => ({ row: to, index: place.index, arrowIndex,
      arrow: one?.arrow ?? null, reason }));
  const empty = { arrows: Array(end.size).fill(null) };
  const last = lastIndex(row.ends, (/** @type {any} */ one) => one.arrows.some((/** @type {any} */ arrow) => arrow?.arrow));
  const run = row.ends.slice(index, last + 1);
  const canLater = row.ends[last + 1] && row.ends.slice(index, last + 2).every((/** @type {any} */ one) => fits(one, end));
  const canEarlier = index > 0 && row.ends.slice(index - 1, last + 1).every((/** @type {any} */ one) => fits(one, end));
  const numbers = { number: index + 1, last: last + 1 };
  return [h("h1", { tabindex: -1 }, t("repairs")), h("p", {}, named(row.name), ` · ${index + 1}: ${textOf(end)}`),
    h("h2", {}, t("swapWith", { number: index + 1 })),
    sheet.rows.filter((/** @type {Row} */ one) => one.id !== row.id && fits(one.ends[index], end)).map((/** @type {Row} */ one) =>
      h("button.wide", { type: "button", onclick: act([...put(row, end, one.ends[index]), ...put(one, one.ends[index], end)]) },
        `${one.letter} `, named(one.name), ` · ${textOf(one.ends[index])}`)),
    canLater ? h("button.wide", { type: "button", onclick: act([...put(row, end, empty), ...run.flatMap((/** @type {any} */ one) =>
      put(row, row.ends[one.number + 1], one))]) }, t("moveLater", numbers)) : null,
    canEarlier ? h("button.wide", { type: "button", onclick: act([...run.flatMap((/** @type {any} */ one) =>
      put(row, row.ends[one.number - 1], one)), ...put(row, row.ends[last], empty)]) }, t("moveEarlier", numbers)) : null,
    back];
}

/**
 * Archer and scorer sign a card.
 * @param {any} app
 */
function sign(app) {
  const found = current(app);
  if (!found) return [app.backButton()];
  const { row, sheet } = found;
  const { role, part = 0 } = app.screen;
  const distance = partsOf(row).find((one) => one.part === part);
  if (part > 0 && !distance) return [app.backButton("card", { row: row.id })];
  const sums = distance ? tally(row, (end) => end.pass === distance.pass) : tally(row);
  const isArcher = role === "ARCHER";
  const isDone = distance ? (isArcher ? distance.isArcher : distance.isScorer)
    : isArcher ? row.summary?.archerConfirmed : row.summary?.scorerConfirmed;
  const choice = h("div.tools", { role: "group" }, ["ARCHER", "SCORER"].map((one) => h("button", { type: "button",
    "aria-pressed": one === role ? "true" : "false", onclick: () => app.go("sign", { row: row.id, role: one, part }) },
  t(one === "ARCHER" ? "archerSigns" : "scorerSigns"))));
  const send = (/** @type {Uint8Array} */ signature) => app.station.queue(async () => {
    try {
      await app.station.client.call("Events/ConfirmScoreCard", { participantId: row.participant, role: `CARD_ROLE_${role}`, part,
        revision: row.revision, signature });
      app.go("card", { row: row.id });
    } catch (error) {
      if (!(error instanceof QuiverError)) throw error;
      app.tell(error.code === "ABORTED" ? t("changedMeanwhile") : t("wrong", { message: plain(error.message) }));
    }
  });
  const body = isDone ? [h("p.prompt", {}, `✓ ${t("signed")}`)] : isBusy(app) ? [h("p.prompt", {}, t("signLater"))]
    : [h("p", {}, t("signText")), h("p.small", { id: "draw" }, t("drawHere")), canvas(app, row.id + role + part),
      h("button.wide.main", { type: "button", disabled: !app.strokes?.length, onclick: () => send(bytesOf(app.strokes)) }, t("sign")),
      h("button.wide.quiet", { type: "button", onclick: () => send(new TextEncoder().encode("button")) }, t("withoutFinger"))];
  return [h("h1", { tabindex: -1 }, distance ? t("signPart", { distance: distance.name }) : t("sign")), h("p.sums", {}, named(row.name), h("br"), h("strong.big", {}, sums.total), ` · ${countsOf(sums)}`,
    ...distance ? [] : ratingOf(row)),
  sheet.rows.length > 0 ? choice : null, ...body, app.backButton("card", { row: row.id })];
}

/**
 * The handicap and the class of a whole card.
 * @param {Row} row
 */
function ratingOf({ rating }) {
  if (!rating || rating.handicap === null) return [];
  return [h("br"), [t("handicap", { handicap: rating.handicap }), rating.name].filter(Boolean).join(" · ")];
}

/**
 * Where one signs with a finger.
 * @param {any} app
 * @param {string} key
 */
function canvas(app, key) {
  if (app.signing !== key) Object.assign(app, { signing: key, strokes: [] });
  const element = h("canvas", { width: 480, height: 180, "data-key": key, role: "img", "aria-labelledby": "draw" });
  const place = (/** @type {PointerEvent} */ event) => {
    const now = /** @type {any} */ (event.currentTarget);
    const box = now.getBoundingClientRect();
    return [Math.round((event.clientX - box.left) / box.width * 240), Math.round((event.clientY - box.top) / box.height * 90)];
  };
  element.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    app.strokes.push([place(event)]);
  });
  element.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (event.buttons === 0 || app.strokes.length === 0) return;
    const stroke = app.strokes[app.strokes.length - 1];
    const [x, y] = place(event);
    const context = element.getContext("2d");
    const [lastX, lastY] = stroke[stroke.length - 1];
    context.strokeStyle = getComputedStyle(element).color;
    context.lineWidth = 4;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(lastX * 2, lastY * 2);
    context.lineTo(x * 2, y * 2);
    context.stroke();
    stroke.push([x, y]);
  });
  element.addEventListener("pointerup", () => app.render());
  return element;
}

/**
 * The strokes as bytes: x and y of each point from 0 to 240, with 255 behind each stroke.
 * @param {number[][][]} strokes
 */
function bytesOf(strokes) {
  const clip = (/** @type {number} */ value) => Math.max(0, Math.min(254, value));
  return Uint8Array.from(strokes.flatMap((stroke) => [...stroke.flatMap(([x, y]) => [clip(x), clip(y)]), 255]).slice(0, 16_384));
}

export const cardScreens = { card, fix, paper, repair, sign };
