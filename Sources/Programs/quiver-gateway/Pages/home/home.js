// Explains what a code is, takes one, and leads to the page that it is for.
import { connect } from "../client/client.js";

const words = {
  en: {
    language: "Language", lead: "Scores and standings of archery events.", code: "Code",
    hint: "16 letters and digits; spaces and hyphens do not matter.", go: "Go",
    what: "What is a code?", target: "The code of a target",
    targetText: "It is on the plate of the target and on the score cards. It opens the score page, where you enter"
      + " the arrows of your target.",
    event: "The code of an event",
    eventText: "The organiser shows it to everybody. It opens the board with the standings, live.",
    camera: "Or use the camera",
    cameraText: "Next to each code is the same code as a square of black and white: point the camera of your"
      + " phone at it.",
    none: "Type the code first.", short: "A code has 16 letters and digits; this one has {count}.",
    many: "Too many wrong codes were tried from here. Wait a minute, then try again.",
    lost: "The server does not answer. Is this phone still in the Wi-Fi of the event? Try again.",
    asking: "One moment…",
  },
  de: {
    language: "Sprache", lead: "Resultate und Ranglisten von Bogenturnieren.", code: "Code",
    hint: "16 Buchstaben und Ziffern; Leerzeichen und Striche spielen keine Rolle.", go: "Weiter",
    what: "Was ist ein Code?", target: "Der Code einer Scheibe",
    targetText: "Er steht auf dem Schild der Scheibe und auf den Schiesszetteln. Er öffnet die Seite, auf der die"
      + " Pfeile der Scheibe eingetragen werden.",
    event: "Der Code eines Turniers",
    eventText: "Die Turnierleitung zeigt ihn allen. Er öffnet die Rangliste, die sich laufend erneuert.",
    camera: "Oder mit der Kamera",
    cameraText: "Neben jedem Code steht derselbe Code als schwarz-weisses Quadrat: die Kamera des Telefons darauf"
      + " richten.",
    none: "Zuerst den Code eingeben.", short: "Ein Code hat 16 Buchstaben und Ziffern; dieser hat {count}.",
    many: "Von hier wurden zu viele falsche Codes versucht. Eine Minute warten, dann nochmals versuchen.",
    lost: "Der Server antwortet nicht. Ist dieses Telefon noch im WLAN des Turniers? Nochmals versuchen.",
    asking: "Einen Moment…",
  },
  fr: {
    language: "Langue", lead: "Scores et classements de concours de tir à l’arc.", code: "Code",
    hint: "16 lettres et chiffres ; les espaces et les traits d’union ne comptent pas.", go: "Continuer",
    what: "Qu’est-ce qu’un code ?", target: "Le code d’une cible",
    targetText: "Il figure sur la plaque de la cible et sur les feuilles de marque. Il ouvre la page où l’on"
      + " inscrit les flèches de sa cible.",
    event: "Le code d’un concours",
    eventText: "L’organisateur le montre à tous. Il ouvre le classement, en direct.",
    camera: "Ou avec l’appareil photo",
    cameraText: "À côté de chaque code se trouve le même code sous forme de carré noir et blanc : dirigez-y"
      + " l’appareil photo du téléphone.",
    none: "Saisissez d’abord le code.", short: "Un code a 16 lettres et chiffres ; celui-ci en a {count}.",
    many: "Trop de codes faux ont été essayés d’ici. Attendez une minute, puis réessayez.",
    lost: "Le serveur ne répond pas. Ce téléphone est-il encore sur le Wi-Fi du concours ? Réessayez.",
    asking: "Un instant…",
  },
  it: {
    language: "Lingua", lead: "Punteggi e classifiche di gare di tiro con l’arco.", code: "Codice",
    hint: "16 lettere e cifre; spazi e trattini non contano.", go: "Avanti",
    what: "Che cos’è un codice?", target: "Il codice di un bersaglio",
    targetText: "È sulla targa del bersaglio e sugli score. Apre la pagina in cui si inseriscono le frecce del"
      + " proprio bersaglio.",
    event: "Il codice di una gara",
    eventText: "L’organizzatore lo mostra a tutti. Apre la classifica, in diretta.",
    camera: "Oppure con la fotocamera",
    cameraText: "Accanto a ogni codice c’è lo stesso codice come quadrato in bianco e nero: inquadratelo con la"
      + " fotocamera del telefono.",
    none: "Inserite prima il codice.", short: "Un codice ha 16 lettere e cifre; questo ne ha {count}.",
    many: "Da qui sono stati provati troppi codici errati. Attendete un minuto, poi riprovate.",
    lost: "Il server non risponde. Questo telefono è ancora nel Wi-Fi della gara? Riprovate.",
    asking: "Un momento…",
  },
};
const languageNames = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

/** Codes of events made before codes had 80 bits have 8. */
const codeLengths = [16, 8];

const $ = (id) => document.getElementById(id);
const client = connect();
const shown = { language: "en", fault: "", count: 0 };

function say(key) {
  return words[shown.language][key].replace("{count}", String(shown.count));
}

function draw() {
  document.documentElement.lang = shown.language;
  const texts = {
    "language-label": "language", lead: "lead", "code-label": "code", hint: "hint", go: "go", what: "what",
    "target-name": "target", "target-text": "targetText", "event-name": "event", "event-text": "eventText",
    "camera-name": "camera", "camera-text": "cameraText",
  };
  for (const [id, key] of Object.entries(texts)) $(id).textContent = say(key);
  $("fault").textContent = shown.fault ? say(shown.fault) : "";
  $("code").setAttribute("aria-invalid", String(shown.fault !== "" && shown.fault !== "asking"));
}

function fail(fault) {
  shown.fault = fault;
  draw();
}

/** The code in what was typed, or in a whole address that was pasted. */
function codeOf(text) {
  const part = text.includes("#") ? text.slice(text.lastIndexOf("#") + 1)
    : text.replace(/[?].*$/, "").replace(/\/+$/, "").split("/").pop();
  return part.replace(/[\s-]/g, "").toUpperCase();
}

/** Where a code leads: the board if it is an event's, else the score page, which says if nobody knows it. */
async function placeOf(code) {
  try {
    await client.call("Tournament/GetSpectatorToken", { joinCode: code }, { timeout: 8000 });
    return `/board/${code}`;
  } catch (error) {
    if (error.code === "FAILED_PRECONDITION") return `/board/${code}`;
    if (error.code === "NOT_FOUND" || error.code === "INVALID_ARGUMENT") return `/score#${code}`;
    throw error;
  }
}

$("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = codeOf($("code").value);
  shown.count = code.length;
  if (code === "") return fail("none");
  if (!codeLengths.includes(code.length) || !/^[0-9A-Z]+$/.test(code)) return fail("short");
  $("go").disabled = true;
  fail("asking");
  try {
    const place = await placeOf(code);
    fail("");
    location.assign(place);
  } catch (error) {
    fail(error.code === "RESOURCE_EXHAUSTED" ? "many" : "lost");
  } finally {
    $("go").disabled = false;
  }
});

// A code that somebody shared as the address of this page.
addEventListener("hashchange", takeHash);
function takeHash() {
  if (location.hash.length < 2) return;
  $("code").value = codeOf(location.hash);
  history.replaceState(null, "", location.pathname + location.search);
}

$("language").replaceChildren(...Object.keys(words).map((language) => {
  const option = document.createElement("option");
  option.value = language;
  option.lang = language;
  option.textContent = languageNames[language];
  return option;
}));
$("language").addEventListener("change", (event) => {
  shown.language = event.target.value;
  draw();
});
const preferred = new URLSearchParams(location.search).get("lang") || navigator.language.slice(0, 2);
shown.language = words[preferred] ? preferred : "en";
$("language").value = shown.language;
takeHash();
draw();
$("code").focus();
