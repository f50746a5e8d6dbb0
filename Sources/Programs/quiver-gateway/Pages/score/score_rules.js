import { h } from "./score_dom.js";
import { chosen } from "./score_words.js";

/**
 * What the rules of World Archery (book 3, chapter 14) say of arrows that are not simply in the target: a heading, and
 * sentences, in the order of the languages.
 */
const cards = [
  {
    picture: "line",
    titles: ["Line cutter", "Pfeil auf der Linie", "Flèche sur la ligne", "Freccia sulla linea"],
    texts: [
      ["A shaft that touches a line scores the higher value. Look straight at the shaft; do not touch the arrow or the face. If the archers do not agree: call a judge, who decides.",
        "Berührt der Schaft eine Linie, zählt der höhere Wert. Gerade hinsehen; Pfeil und Auflage nicht berühren. Keine Einigung: Kampfrichter rufen, er entscheidet.",
        "Un tube qui touche une ligne compte la valeur supérieure. Regardez de face ; ne touchez ni la flèche ni le blason. Désaccord : appelez un arbitre, il décide.",
        "Un’asta che tocca una linea vale il punteggio più alto. Guardare di fronte; non toccare freccia o visuale. Se non c’è accordo: chiamate il giudice, che decide."],
    ],
  },
  {
    picture: "bounce",
    titles: ["Bouncer", "Abpraller", "Flèche rebondie", "Freccia rimbalzata"],
    texts: [
      ["The arrow hit and fell. Do not shoot on: tell the judge. It scores by its unmarked hole, if all other holes were marked. If there are several unmarked holes, the judge decides.",
        "Der Pfeil hat getroffen und ist gefallen. Nicht weiterschießen: Kampfrichter melden. Es zählt das unmarkierte Loch, wenn alle anderen markiert sind. Bei mehreren entscheidet der Kampfrichter.",
        "La flèche a touché puis est tombée. Arrêtez de tirer : prévenez l’arbitre. Elle compte par son trou non marqué, si les autres sont marqués. S’il y en a plusieurs, l’arbitre décide.",
        "La freccia ha colpito ed è caduta. Non tirate oltre: avvisate il giudice. Vale il foro non segnato, se gli altri sono segnati. Se sono più d’uno, decide il giudice."],
    ],
  },
  {
    picture: "hang",
    titles: ["Hanger", "Hängender Pfeil", "Flèche pendante", "Freccia pendente"],
    texts: [
      ["The arrow hangs from the face. Stop, and call a judge, who notes the value, marks the hole and puts the arrow behind the target before shooting goes on.",
        "Der Pfeil hängt an der Auflage. Anhalten und Kampfrichter rufen: Er notiert den Wert, markiert das Loch und legt den Pfeil hinter die Scheibe, bevor es weitergeht.",
        "La flèche pend au blason. Arrêtez et appelez un arbitre : il note la valeur, marque le trou et pose la flèche derrière la cible avant la reprise.",
        "La freccia pende dalla visuale. Fermatevi e chiamate il giudice: annota il valore, segna il foro e mette la freccia dietro il bersaglio prima di riprendere."],
    ],
  },
  {
    picture: "pass",
    titles: ["Pass-through", "Durchschuss", "Flèche traversante", "Freccia passante"],
    texts: [
      ["The arrow went through the target. It scores by its unmarked hole, if all other holes were marked. Call a judge before the arrows are drawn.",
        "Der Pfeil ging durch die Scheibe. Es zählt das unmarkierte Loch, wenn alle anderen markiert sind. Kampfrichter rufen, bevor gezogen wird.",
        "La flèche a traversé la cible. Elle compte par son trou non marqué, si les autres sont marqués. Appelez un arbitre avant de retirer les flèches.",
        "La freccia ha attraversato il bersaglio. Vale il foro non segnato, se gli altri sono segnati. Chiamate il giudice prima di estrarre."],
    ],
  },
  {
    picture: "spot",
    titles: ["Two arrows in one spot", "Zwei Pfeile in einem Spot", "Deux flèches dans un spot", "Due frecce in uno spot"],
    texts: [
      ["On triple faces each spot takes one arrow of an end. Two in one spot: both count as shot, the lower one scores, the other is a miss (M).",
        "Bei Dreifachauflagen gehört in jeden Spot ein Pfeil der Passe. Zwei in einem: Beide gelten als geschossen, der niedrigere zählt, der andere ist ein Fehlschuss (M).",
        "Sur un triple blason, une flèche par spot. Deux dans un spot : les deux sont tirées, la plus basse compte, l’autre est manquée (M).",
        "Sulle visuali triple ogni spot riceve una freccia. Due in uno spot: entrambe tirate, vale la più bassa, l’altra è mancata (M)."],
    ],
  },
];

const shapes = {
  line: () => [ring(44), ring(24), h("circle", { class: "shaft", cx: 74, cy: 50, r: 5 })],
  bounce: () => [ring(44), ring(24), h("circle", { class: "hole", cx: 58, cy: 42, r: 3 }),
    h("path", { class: "arrow", d: "M60 44 L88 92" }), h("path", { class: "arrow", d: "M88 92 l-9 -4 M88 92 l0 -10" })],
  hang: () => [ring(44), ring(24), h("circle", { class: "hole", cx: 50, cy: 40, r: 3 }),
    h("path", { class: "arrow", d: "M50 40 L58 88" })],
  pass: () => [ring(44), ring(24), h("circle", { class: "hole", cx: 44, cy: 54, r: 4 })],
  spot: () => [h("circle", { class: "ring", cx: 50, cy: 20, r: 15 }), h("circle", { class: "ring", cx: 50, cy: 51, r: 15 }),
    h("circle", { class: "ring", cx: 50, cy: 82, r: 15 }), h("circle", { class: "shaft", cx: 46, cy: 18, r: 4 }),
    h("circle", { class: "shaft", cx: 57, cy: 25, r: 4 }), h("circle", { class: "shaft", cx: 51, cy: 80, r: 4 })],
};

/** @param {number} radius */
function ring(radius) {
  return h("circle", { class: "ring", cx: 50, cy: 50, r: radius });
}

/** The cards, as elements. */
export function ruleCards() {
  return cards.map(({ picture, titles, texts }) => h("article.rule", {},
    h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
      shapes[/** @type {keyof typeof shapes} */ (picture)]()),
    h("div", {}, h("h2", {}, titles[chosen()]), texts.map((text) => h("p", {}, text[chosen()])))));
}
