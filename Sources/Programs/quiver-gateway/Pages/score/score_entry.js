import { h, named } from "./score_dom.js";
import { scoring } from "./score_quiver.js";
import { distanceOf, papersOf, sheetOrder, tally } from "./score_sheet.js";
import { codeOf } from "./score_station.js";
import { banner, plain } from "./score_banner.js";
import { isolated, t } from "./score_words.js";

/** @typedef {import("./score_sheet.js").Row} Row */
/** @typedef {import("./score_sheet.js").Sheet} Sheet */

/** The colours of target faces by value; other faces have none. */
const colours = /** @type {Record<number, string>} */ ({ 11: "gold", 10: "gold", 9: "gold", 8: "red", 7: "red", 6: "blue",
  5: "blue", 4: "black", 3: "black", 2: "white", 1: "white", 0: "none" });

/** @param {any} face @param {any} arrow */
function colourOf(face, arrow) {
  return /^(5|10|11)_zone/.test(face.code) ? colours[arrow.value] : arrow.value === 0 ? "none" : "plain";
}

/**
 * What an arrow is called by a screen reader.
 * @param {any} arrow
 */
export function spoken(arrow) {
  return arrow.value === 0 ? t("miss") : scoring.arrowText(arrow);
}

/**
 * The buttons of a face.
 * @param {any} face
 * @param {(arrow: any) => void} onTap
 * @param {any} [more] further buttons
 */
export function pad(face, onTap, more = null) {
  return h("div.pad", { role: "group" }, scoring.buttons(face).map((/** @type {any} */ arrow) =>
    h(`button.value.${colourOf(face, arrow)}`, { type: "button", onclick: () => onTap(arrow),
      "aria-label": spoken(arrow), "data-value": scoring.arrowText(arrow) }, scoring.arrowText(arrow))), more);
}

/**
 * The values of an end as text.
 * @param {any} end
 */
function valuesOf(end) {
  return sheetOrder(end).filter(({ one }) => one?.arrow).map(({ one }) => scoring.arrowText(one.arrow)).join(" ");
}

/** @param {any} app @param {any} arrow */
function tap(app, arrow) {
  const shown = app.shown();
  if (!shown) return;
  const { key, sheet } = shown;
  const place = app.screen.fix ? placeOf(sheet, app.screen.fix) : sheet.position;
  if (!place) return;
  app.hint = "";
  app.screen = { name: "entry" };
  app.station.enter(key, sheet, arrow, place);
  const after = app.shown().sheet;
  const row = after.rows.find((/** @type {Row} */ one) => one.id === place.row.id);
  const end = row.ends[place.end.number];
  if (!end.isFull) return app.say(spoken(arrow));
  const next = after.position ? ` ${t("saidNext", { name: after.position.row.name })}` : "";
  app.say(t("saidFull", { name: row.name, values: valuesOf(end), total: end.total }) + next);
}

/** @param {Sheet} sheet @param {{id: string, number: number, slot: number}} fix */
function placeOf(sheet, fix) {
  const row = sheet.rows.find((one) => one.id === fix.id);
  const end = row?.ends[fix.number];
  return row && end && end.arrows[fix.slot]?.arrow ? { row, end, arrowIndex: fix.slot } : null;
}

/**
 * Keys: X, M, the digits, 0 for 10; Backspace takes back.
 * @param {any} app
 * @param {KeyboardEvent} event
 */
function typed(app, event) {
  const element = /** @type {any} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(element?.tagName ?? "")) return;
  if (app.screen.name !== "entry" || app.joining || app.problem) return;
  const shown = app.shown();
  if (event.key === "Backspace") {
    event.preventDefault();
    takeBack(app);
    return;
  }
  const end = app.screen.fix ? placeOf(shown?.sheet, app.screen.fix)?.end : shown?.sheet.position?.end;
  const text = event.key === "0" ? "10" : event.key;
  const arrow = end && /^([xXmM]|[0-9]{1,2})$/.test(text) ? scoring.arrowOfText(text) : null;
  if (!arrow || scoring.faultOf(arrow, end.face)) return;
  event.preventDefault();
  tap(app, arrow);
}

/** @param {any} app */
async function takeBack(app) {
  const { key, sheet } = app.shown();
  app.screen = { name: "entry" };
  const refusal = await app.station.undo(key, sheet);
  if (typeof refusal === "object") app.go("fix", refusal);
  else if (refusal) app.tell(t(refusal));
}

/** @param {any} app */
function entry(app) {
  if (!app.isListening) {
    app.isListening = true;
    document.addEventListener("keydown", (event) => typed(app, event));
  }
  const shown = app.shown();
  if (!shown) return [h("h1", { tabindex: -1 }, t("nobody")), app.backButton("menu")];
  const { key, sheet } = shown;
  const view = app.station.viewOf(key);
  const hasArrows = sheet.rows.some((/** @type {Row} */ row) => row.ends.some((end) => end.arrows.some((one) => one?.arrow)));
  if (!view.isGreeted && !hasArrows) return who(app);
  const found = [tabs(app, key)];
  if (sheet.rows.some((/** @type {Row} */ row) => row.format && !row.isKnown)
    || (sheet.kind === "match" && !sheet.match.rules)) found.push(banner("alert", t("unknownRound"), t("reload"), () => location.reload()));
  const reference = sheet.position?.row ?? sheet.rows.find((/** @type {Row} */ row) => row.ends[sheet.current]) ?? sheet.rows[0];
  const end = sheet.position?.end ?? reference?.ends[Math.min(sheet.current, reference.ends.length - 1)];
  found.push(h("h1", { tabindex: -1 }, end ? titleOf(sheet, end) : t("loading")));
  if (sheet.kind === "match") found.push(matchScore(sheet));
  for (const { row, end: open } of sheet.owed) {
    found.push(h("div.banner.info", {}, h("p", {}, t("owed", { name: isolated(row.name), number: open.number + 1,
      count: open.arrows.filter((/** @type {any} */ one) => !one?.arrow).length })),
    h("button.small", { type: "button", onclick: () => choose(app, key, row, open.number) }, t("enterNow"))));
  }
  const number = end?.number ?? sheet.current;
  found.push(h("ul.rows", {}, sheet.rows.map((/** @type {Row} */ row) => line(app, key, sheet, row, number))));
  found.push(foot(app, key, sheet, view));
  return found;
}

/** @param {Sheet} sheet @param {any} end */
function titleOf(sheet, end) {
  const text = end.isShootOff ? t("shootOff", { number: end.index + 1 })
    : t("end", { number: end.number + 1, count: sheet.kind === "match" ? sheet.match.rules.form.endCount : sheet.count });
  return [text, distanceOf(end) ? h("span.distance", {}, distanceOf(end)) : null];
}

/** @param {any} app @param {string} key */
function tabs(app, key) {
  const all = app.station.sheets(app.key);
  if (all.length < 2) return null;
  return h("nav.tabs", {}, all.map((/** @type {any} */ one) => h("button.small", { type: "button",
    "aria-pressed": one.key === key ? "true" : "false", onclick: () => {
      app.sheetKey = one.key;
      app.go("entry");
    } }, one.sheet.kind === "match" ? [t("match"), " ", named(one.sheet.rows.map((/** @type {Row} */ row) => row.name).join(" – "))]
    : one.title || t("card"))));
}

/** @param {Sheet} sheet */
function matchScore({ match, rows }) {
  if (!match.score) return null;
  const isSets = match.rules.form.winningSetPoints > 0;
  const values = isSets ? match.score.setPoints : match.score.totals;
  return h("p.duel", {}, named(rows[0]?.name ?? ""), " ", h("strong", {}, `${values[0]} : ${values[1]}`), " ",
    named(rows[1]?.name ?? ""), h("span.small", {}, " ", t(isSets ? "setPoints" : "total")));
}

/** @param {any} app @param {string} key @param {Row} row @param {number} number */
function choose(app, key, row, number) {
  app.screen = { name: "entry" };
  app.station.store(key, { ...app.station.viewOf(key), cursor: { id: row.id, number, isChosen: true } });
}

/**
 * One archer: name, the arrows of the end, the sum, the total.
 * @param {any} app
 * @param {string} key
 * @param {Sheet} sheet
 * @param {Row} row
 * @param {number} number
 */
function line(app, key, sheet, row, number) {
  const end = row.ends[number];
  const isNext = sheet.position?.row === row && !app.screen.fix;
  const { fix } = app.screen;
  const isShooting = row.state === "shoots";
  const disputed = row.ends.filter((one) => one.state === "DISPUTED").length;
  const total = tally(row, (one) => sheet.kind !== "match" || !one.isShootOff).total;
  return h(`li.row.${row.state}${isNext ? ".next" : ""}`, { "data-archer": row.id },
    h("button.name", { type: "button", "aria-current": isNext ? "true" : null, disabled: !isShooting || !end || end.isFull,
      onclick: () => choose(app, key, row, number) },
    h("span.letter", {}, row.letter), h("span.who", {}, named(row.name), row.brief ? h("small", {}, named(row.brief)) : null)),
    h("button.total", { type: "button", "data-key": "total", "aria-label": `${t("cardOf", { name: row.name })}: ${t("total")} ${total}`,
      onclick: () => app.go("card", { row: row.id }) }, h("strong", {}, total), disputed > 0 ? h("span.mark", {}, "≠") : null),
    isShooting || end?.arrows.some((one) => one?.arrow) ? null
      : h("p.why", {}, t(row.state === "outside" ? "outsideState" : row.state)),
    end && (isShooting || end.arrows.some((one) => one?.arrow)) ? h("div.arrows", {},
      sheetOrder(end).map(({ one, slot }) => one?.arrow
        ? h(`button.arrow.${colourOf(end.face, one.arrow)}${fix?.id === row.id && fix.slot === slot ? ".fixed" : ""}`, {
          type: "button", disabled: !isShooting || end.number !== sheet.current, "data-mark": one.mark,
          "aria-label": `${row.name}: ${spoken(one.arrow)}`,
          onclick: () => app.station.consent && end.isFull
            ? app.go("fix", { row: row.id, index: end.number, slot })
            : app.go("entry", { fix: { id: row.id, number: end.number, slot } }),
        }, scoring.arrowText(one.arrow))
        : h("span.arrow.empty", { "aria-label": t("open"), role: "img" }, "·")),
      h("span.sum", { "aria-label": `${t("sum")} ${end.total}`, role: "img" }, end.total)) : null);
}

/**
 * What can be done now.
 * @param {any} app
 * @param {string} key
 * @param {Sheet} sheet
 * @param {any} view
 */
function foot(app, key, sheet, view) {
  const tools = h("div.tools", {},
    h("button", { type: "button", onclick: () => takeBack(app) }, t("undo")),
    h("button", { type: "button", onclick: () => app.go("happens") }, t("happens")));
  const fixed = app.screen.fix ? placeOf(sheet, app.screen.fix) : null;
  if (fixed) {
    return h("div.foot", {}, h("p.prompt", {}, t("changeFor", { name: isolated(fixed.row.name),
      value: scoring.arrowText(fixed.end.arrows[fixed.arrowIndex].arrow) })),
    pad(fixed.end.face, (arrow) => tap(app, arrow)),
    h("div.tools", {}, h("button", { type: "button", onclick: () => app.go("entry") }, t("cancel"))));
  }
  if (app.target()?.isEnded) return h("div.foot", {}, tools);
  if (sheet.kind !== "match" && isToCompare(app, sheet, view)) return compare(app, key, sheet, view, tools);
  if (sheet.position) {
    const { row, end } = sheet.position;
    const count = end.arrows.filter((one) => one?.arrow).length;
    // A target that closes an end first is ahead by one.
    const ahead = app.target()?.endsAhead ?? 0;
    const isAhead = sheet.kind !== "match" && ahead > 1 && !sheet.rows.some((one) => one.ends[end.number]?.arrows.some((each) => each?.arrow));
    return h("div.foot", {}, isAhead ? h("p.ahead", { role: "status" }, t("isAhead", { count: ahead })) : null, h("p.prompt.turn", {},
      h("span", {}, t("enterFor", { name: isolated(row.name), arrow: count + 1, count: end.size })),
      count > 0 ? h("span.so", { "aria-hidden": "true" }, `${valuesOf(end)} = ${end.total}`) : null),
      pad(end.face, (arrow) => tap(app, arrow)), tools);
  }
  if (sheet.kind === "match" && sheet.match.score?.progress.name === "measuring" && sheet.isDone) return measuring(app, sheet, tools);
  if (sheet.canClose && !sheet.isDone) {
    return h("div.foot.together", {}, h("p.prompt", {}, t("compareAloud")),
      // What is agreed is on disk.
      h("button.wide.main.agree", { type: "button", disabled: app.station.changing > 0, onclick: () => {
        app.station.close(key, sheet);
        app.say(t("agreed"));
      } }, t("agreed")), tools);
  }
  if (sheet.kind === "match") return matchDone(app, sheet, tools);
  if (!sheet.isDone) return h("div.foot", {}, tools);
  return h("div.foot.tall", {}, h("p.prompt", {}, t("allDone")), h("p", {}, t("signNow")),
    sheet.rows.filter((row) => row.ends.some((end) => end.arrows.some((one) => one?.arrow))).map((row) =>
      h("button.wide", { type: "button", onclick: () => app.go("card", { row: row.id }) },
        t("cardOf", { name: isolated(row.name) }), isSigned(row) ? ` ✓ ${t("signed")}` : "")), tools);
}

/** @param {Row} row */
function isSigned({ summary }) {
  return summary?.archerConfirmed && summary?.scorerConfirmed;
}

/**
 * Whether a distance was just finished that nobody has compared with paper.
 * @param {any} app
 * @param {Sheet} sheet
 * @param {any} view
 */
function isToCompare(app, sheet, view) {
  const { current } = sheet;
  const [row] = sheet.rows.filter((one) => one.ends.length >= current && one.state === "shoots");
  if (!row || current === 0 || (view.compared ?? 0) >= current || (app.target().lease.card ?? 1) !== 1) return false;
  if (sheet.rows.some((one) => (one.summary?.secondEnds ?? 0) > 0)) return false;
  // Before the first arrow of the next distance, or never.
  if (sheet.rows.some((one) => one.ends[current]?.arrows.some((each) => each?.arrow))) return false;
  return !row.ends[current] || row.ends[current].pass !== row.ends[current - 1].pass;
}

/** @param {any} app @param {string} key @param {Sheet} sheet @param {any} view @param {any} tools */
function compare(app, key, sheet, view, tools) {
  const { current } = sheet;
  const rows = sheet.rows.filter((row) => row.ends[current - 1]);
  const [{ face }] = rows.map((row) => row.ends[current - 1]);
  const [isTens, hasX] = [face.values[0] === 10, face.xRing > 0];
  return h("div.foot.tall", {}, h("h2", {}, t("comparePaper")), h("p", {}, t("compareText")),
    h("table.sums", {}, h("thead", {}, h("tr", {}, h("th", {}, t("card")), h("th", {}, t("sum")), h("th", {}, t(isTens ? "tens" : "hits")),
      h("th", {}, t(isTens && hasX ? "xs" : "golds")), h("th", {}, t("total")))),
    h("tbody", {}, rows.map((row) => {
      const { pass } = row.ends[current - 1];
      const sums = tally(row, (end) => end.pass === pass && end.number < current);
      return h("tr", {}, h("th", { scope: "row" }, `${row.letter} `, named(row.name)), h("td", {}, sums.total),
        h("td", {}, isTens ? sums.tens : sums.hits), h("td", {}, isTens && hasX ? sums.xs : sums.golds),
        h("td", {}, tally(row).total));
    }))),
    app.station.event?.scorersTypePapers && sheet.kind === "first" ? rows.map((row) =>
      papersOf(row).filter(({ pass }) => pass === row.ends[current - 1].pass).map(({ part, name, paper, isEqual }) =>
        h("button.wide", { type: "button", onclick: () => app.go("paper", { row: row.id, part }) }, `${row.letter} `,
          t("typePaper", { distance: name }), paper ? (isEqual ? " ✓" : " ≠") : null))) : null,
    h("button.wide.main", { type: "button", onclick: () =>
      app.station.store(key, { ...view, compared: current }) }, t("same")), tools);
}

/** @param {any} app @param {Sheet} sheet @param {any} tools */
function measuring(app, sheet, tools) {
  const { match, cards, score } = sheet.match;
  const { index } = score.progress;
  const store = async (/** @type {any} */ event) => {
    event.preventDefault();
    const changes = [];
    for (const row of sheet.rows.filter((one) => one.state === "shoots")) {
      const shot = cards[(row.side ?? 1) - 1].shootOffs.get(index);
      const distances = shot.arrows.map((/** @type {any} */ _, /** @type {number} */ slot) =>
        Number(String(event.target.elements[`${row.side}-${slot}`].value).trim().replace(",", ".")) * 10);
      if (!distances.every((/** @type {number} */ one) => Number.isFinite(one) && one >= 0)) return app.tell(t("badDistance"));
      changes.push({ kind: "match", event: app.station.record.event, match: String(match.id), side: row.side, isShootOff: true,
        index, arrows: shot.arrows, distances: distances.map(Math.round) });
    }
    await app.station.store(app.shown().key, app.station.viewOf(app.shown().key), changes);
  };
  return h("form.foot", { onsubmit: store }, h("p.prompt", {}, t("distancesText")), h("h2", {}, t("distances")),
    sheet.rows.filter((row) => row.state === "shoots").map((row) => cards[(row.side ?? 1) - 1].shootOffs.get(index)?.arrows
      .map((/** @type {any} */ arrow, /** @type {number} */ slot) => h("label.field", {},
        h("span", {}, named(row.name), ` (${scoring.arrowText(arrow)})`),
        h("input", { name: `${row.side}-${slot}`, inputmode: "decimal", required: true, maxlength: 6 })))),
    h("button.wide.main", { type: "submit" }, t("store")), tools);
}

/** @param {any} app @param {Sheet} sheet @param {any} tools */
function matchDone(app, sheet, tools) {
  const { match, score } = sheet.match;
  const winner = score?.progress.winner;
  const confirm = (/** @type {Row} */ row) => app.station.queue(async () => {
    const { outbox, client } = app.station;
    const reply = await client.call("Elimination/ConfirmMatchCard", { matchId: String(match.id), side: row.side,
      revision: String(match.revision ?? "0") });
    await outbox.take({ matches: [reply] });
    await app.station.refresh();
    app.render();
  });
  return h("div.foot", {}, score ? h("p.prompt", {}, winner ? t("wins", { name: isolated(sheet.rows[winner - 1].name) })
    : t("nobodyWins")) : null,
  score ? sheet.rows.filter((row) => row.state === "shoots").map((row) => row.summary.isConfirmed
    ? h("p", {}, "✓ ", t("confirmed"), ": ", named(row.name))
    : h("button.wide.main", { type: "button", disabled: isBusy(app), onclick: () => confirm(row) },
      t("confirmSide", { name: isolated(row.name) }))) : null,
  isBusy(app) ? h("p.small", {}, t("signLater")) : null, tools);
}

/**
 * Whether something waits, or nobody answers.
 * @param {any} app
 */
export function isBusy(app) {
  const { summary, lostSince, watchState } = app.station;
  return summary.waiting > 0 || lostSince !== null || watchState.name !== "live";
}

/** @param {any} app */
function who(app) {
  const shown = app.shown();
  const rows = shown?.sheet.rows ?? [];
  const start = () => {
    app.station.store(shown.key, { ...app.station.viewOf(shown.key), isGreeted: true });
    app.go("entry");
  };
  return [h("h1", { tabindex: -1 }, t("who")), app.station.event?.name ? h("p", {}, named(app.station.event.name)) : null,
    rows.length === 0 ? h("p", {}, t("nobody")) : h("ul.people", {}, rows.map((/** @type {Row} */ row) =>
      h("li", {}, h("span.letter", {}, row.letter), h("span.who", {}, named(row.name), h("small", {}, named(row.about),
        row.format?.name ? [" · ", named(row.format.name)] : null))))),
    shown ? h("button.wide.main", { type: "button", onclick: start }, t("start")) : null,
    h("button.wide", { type: "button", onclick: () => app.go("trial") }, t("sighters")),
    h("button.wide.quiet", { type: "button", onclick: () => app.go("rules") }, t("rules"))];
}

/**
 * Sighters: nothing is stored.
 * @param {any} app
 */
function trial(app) {
  const end = app.shown()?.sheet.rows.find((/** @type {Row} */ row) => row.ends.length > 0)?.ends[0];
  if (!end) return [h("h1", { tabindex: -1 }, t("sighters")), app.backButton()];
  const arrows = scoring.highestFirst(app.trials);
  return [h("h1", { tabindex: -1 }, t("sighters")), h("p", {}, t("sightersText")),
    h("div.arrows.trials", { "aria-live": "polite" }, arrows.map((arrow) => h(`span.arrow.${colourOf(end.face, arrow)}`, {},
      scoring.arrowText(arrow))), h("span.sum", {}, arrows.reduce((sum, arrow) => sum + arrow.value, 0))),
    h("div.foot", {}, pad(end.face, (arrow) => {
      app.trials = [...app.trials, arrow].slice(-12);
      app.render();
    }),
    h("div.tools", {}, h("button", { type: "button", onclick: () => {
      app.trials = [];
      app.render();
    } }, t("clear")),
    h("button", { type: "button", onclick: () => app.go("entry") }, t("back"))))];
}

/** @param {any} app @param {any} call */
async function raise(app, call) {
  app.go("entry");
  await app.station.raise(app.target(), call);
}

/** @param {any} app */
function happens(app) {
  const { key, sheet } = app.shown();
  const view = app.station.viewOf(key);
  const { kind } = app.screen;
  const shooting = sheet.rows.filter((/** @type {Row} */ row) => row.state === "shoots");
  const ask = (/** @type {string} */ name) => h("button.wide", { type: "button", onclick: () => app.go("happens", { kind: name }) },
    t(name));
  if (!kind) {
    return [h("h1", { tabindex: -1 }, t("happens")),
      h("button.wide.main", { type: "button", onclick: () => raise(app, { kind: "TARGET_CALL_KIND_JUDGE" }) }, t("judge")),
      h("button.wide", { type: "button", onclick: () => raise(app, { kind: "TARGET_CALL_KIND_HELP" }) }, t("help")),
      ask("undecided"), ask("owes"), sheet.kind === "match" ? null : ask("tooMany"),
      sheet.kind === "match" ? null : [ask("absent"), ask("stopped")],
      Object.keys(view.away).map((id) => sheet.rows.find((/** @type {Row} */ row) => row.id === id)).filter(Boolean)
        .map((/** @type {Row} */ row) => h("button.wide", { type: "button", onclick: () => {
          const { [row.id]: _, ...away } = view.away;
          app.go("entry");
          app.station.store(key, { ...view, away });
        } }, t("backHere", { name: isolated(row.name) }))),
      sheet.kind === "first" ? h("button.wide", { type: "button", onclick: () => app.go("repair") }, t("repairs")) : null,
      h("button.wide", { type: "button", onclick: () => app.go("rules") }, t("rules")),
      app.backButton()];
  }
  const now = sheet.position?.end.number ?? sheet.current;
  const isOpen = (/** @type {Row} */ row) => row.ends[now] && !row.ends[now].isFull;
  const rows = kind === "owes" ? shooting.filter(isOpen) : shooting;
  return [h("h1", { tabindex: -1 }, t(kind)), h("p", {}, t("forWhom")),
    rows.map((/** @type {Row} */ row) => h("button.wide.main", { type: "button", onclick: () =>
      happened(app, key, view, kind, row, now) }, `${row.letter} `, named(row.name))),
    app.backButton("happens")];
}

/**
 * @param {any} app
 * @param {string} key
 * @param {any} view
 * @param {string} kind
 * @param {Row} row
 * @param {number} number
 */
function happened(app, key, view, kind, row, number) {
  const participantId = row.participant;
  const end = row.ends[number];
  const open = end?.arrows.filter((one) => !one?.arrow).length ?? 0;
  const passed = open > 0 ? { ...view, cursor: null, owed: { ...view.owed, [row.id]: [...view.owed[row.id] ?? [], number] } } : view;
  switch (kind) {
    case "absent": case "stopped":
      app.station.store(key, { ...view, cursor: null, away: { ...view.away, [row.id]: kind } });
      return raise(app, { kind: kind === "absent" ? "TARGET_CALL_KIND_ABSENT_ARCHER" : "TARGET_CALL_KIND_ARCHER_STOPPED",
        participantId });
    case "undecided":
      app.station.store(key, passed);
      return raise(app, { kind: "TARGET_CALL_KIND_UNDECIDED_ARROW", participantId });
    case "owes":
      app.station.store(key, passed);
      return raise(app, { kind: "TARGET_CALL_KIND_EQUIPMENT_FAILURE", participantId, owedArrows: open,
        ...(row.side || open === 0 ? {} : { endIndex: end.index }) });
    default:
      return app.go("tooMany", { row: row.id, number, values: [] });
  }
}

/** @param {any} app */
function tooMany(app) {
  const { key, sheet } = app.shown();
  const { row: id, number, values } = app.screen;
  const row = sheet.rows.find((/** @type {Row} */ one) => one.id === id);
  const end = row?.ends[number];
  if (!end) return [h("h1", { tabindex: -1 }, t("tooMany")), app.backButton("happens")];
  const lowest = [...scoring.highestFirst(values)].reverse().slice(0, end.size).reverse();
  const keep = () => {
    const reason = "more arrows than permitted: the lowest are kept";
    app.go("entry");
    const view = app.station.viewOf(key);
    if (sheet.kind === "first") {
      return app.station.put(key, lowest.map((arrow, arrowIndex) => ({ row, index: end.index, arrowIndex, arrow, reason })));
    }
    const { [row.id]: _, ...drafts } = view.drafts;
    return app.station.store(key, { ...view, drafts }, [app.station.endChange(sheet, row, end, lowest, reason)],
      lowest.map((arrow, arrowIndex) => ({ id, number, arrowIndex, arrow })));
  };
  const text = lowest.map(scoring.arrowText).join(" ");
  return [h("h1", { tabindex: -1 }, t("tooMany")), h("p", {}, t("tooManyText", { name: isolated(row.name), count: end.size })),
    h("div.arrows.trials", { "aria-live": "polite" }, scoring.highestFirst(values).map((arrow) =>
      h(`span.arrow.${colourOf(end.face, arrow)}`, {}, scoring.arrowText(arrow)))),
    h("div.foot", {}, pad(end.face, (arrow) => {
      app.screen.values = [...values, arrow].slice(0, 20);
      app.render();
    }),
    values.length > end.size ? h("button.wide.main", { type: "button", onclick: keep }, t("keepLowest", { values: text })) : null,
    h("div.tools", {}, h("button", { type: "button", onclick: () => app.go("tooMany", { row: id, number, values: [] }) }, t("clear")),
      h("button", { type: "button", onclick: () => app.go("entry") }, t("cancel"))))];
}

/**
 * What a person has to decide.
 * @param {any} app
 */
function decide(app) {
  const { station } = app;
  const act = (/** @type {() => Promise<any>} */ body) => () => station.change(body);
  return [h("h1", { tabindex: -1 }, t("decideTitle")), station.held.map((/** @type {any} */ held) => {
    const { operation, state, message, sequence } = held;
    const of = operation.entry ?? operation;
    const text = (of.arrows ?? [of]).map((/** @type {any} */ one) => scoring.arrowText(scoring.arrowOf(one))).join(" ");
    const end = (operation.entry ? of.index ?? 0 : operation.endIndex ?? 0) + 1;
    const isGone = operation.kind === "OPERATION_KIND_RETRACT";
    return h("article.banner.alert", { "data-key": sequence }, h("div", {},
      h("p", {}, h("strong", {}, named(nameOf(station, held))), `: ${t("end", { number: end, count: "" }).replace(/\D+$/, "")}`,
        ` · ${isGone ? "–" : text}`),
      h("p", {}, state === "late" ? t("isLate") : t(state === "conflict" ? "isConflict" : "isRefused", { message: plain(message) })),
      state === "conflict" ? h("button.small", { type: "button", onclick: act(() => station.outbox.overwrite(sequence)) }, t("useMine")) : null,
      state === "refused" ? h("button.small", { type: "button", onclick: act(() => station.outbox.retry(sequence)) }, t("tryAgain")) : null,
      h("button.small", { type: "button", onclick: act(() => station.outbox.discard(sequence)) },
        t(state === "late" ? "understood" : "useTheirs"))));
  }), app.backButton()];
}

/** @param {any} station @param {any} held */
function nameOf(station, { kind, subject }) {
  if (kind === "match") {
    return (station.matches.get(subject)?.match.sides ?? []).map((/** @type {any} */ one) => one.displayName).join(" – ");
  }
  for (const target of station.targets.values()) {
    const found = (target.entries ?? []).find((/** @type {any} */ one) => String(one.entry.participantId) === subject);
    if (found) return `${found.entry.letter ?? ""} ${found.entry.displayName ?? ""}`.trim();
  }
  return "";
}

/** @param {any} app */
function leave(app) {
  const target = app.target();
  const { sessionId = "0", target: number, card = 1 } = target.lease;
  const go = () => app.station.queue(async () => {
    const { station } = app;
    try {
      await station.client.call("Events/LeaveTarget", { tournamentId: station.record.event, sessionId, target: number, card });
    } catch (error) {
      // The event shows this phone nothing any more.
      if (codeOf(error) !== "NOT_FOUND") throw error;
    }
    await station.forget(app.key);
    app.show(station);
  });
  return [h("h1", { tabindex: -1 }, t("leaveTarget")), h("p", {}, t("leaveSure")),
    h("button.wide.main", { type: "button", disabled: isBusy(app), onclick: go }, t("leaveTarget")),
    isBusy(app) ? h("p.small", {}, t("signLater")) : null, app.backButton("menu")];
}

export const entryScreens = { entry, who, trial, happens, tooMany, decide, leave };
