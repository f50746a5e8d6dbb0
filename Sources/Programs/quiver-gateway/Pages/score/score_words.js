/** The languages of the page, by their codes, with their own names. */
export const languages = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"], ["it", "Italiano"]];

/**
 * The texts of the page in the order of `languages`. `{name}` stands for a value.
 * @type {Record<string, readonly string[]>}
 */
const words = {
  title: ["Scores", "Ergebnisse", "Scores", "Punteggi"],
  target: ["Target {target}", "Scheibe {target}", "Cible {target}", "Bersaglio {target}"],
  firstCard: ["1st card", "1. Schusszettel", "1re feuille", "1° score"],
  secondCard: ["2nd card", "2. Schusszettel", "2e feuille", "2° score"],
  menu: ["Menu", "Menü", "Menu", "Menu"],
  back: ["Back", "Zurück", "Retour", "Indietro"],
  cancel: ["Cancel", "Abbrechen", "Annuler", "Annulla"],
  language: ["Language", "Sprache", "Langue", "Lingua"],
  loading: ["Loading…", "Wird geladen…", "Chargement…", "Caricamento…"],

  saved: ["All saved", "Alles gesichert", "Tout est enregistré", "Tutto salvato"],
  waiting: ["Waiting: {count}", "Wartend: {count}", "En attente : {count}", "In attesa: {count}"],
  noConnection: ["No connection since {time}", "Keine Verbindung seit {time}", "Pas de connexion depuis {time}",
    "Nessuna connessione dalle {time}"],
  connecting: ["Connecting…", "Verbindet…", "Connexion…", "Connessione…"],
  toDecide: ["To decide: {count}", "Zu klären: {count}", "À décider : {count}", "Da decidere: {count}"],
  keepOpen: ["Go on entering. Keep this page open: what waits is sent as soon as there is a connection.",
    "Weiter eingeben. Seite offen lassen: Was wartet, wird gesendet, sobald Verbindung besteht.",
    "Continuez à saisir. Laissez la page ouverte : ce qui attend part dès que la connexion revient.",
    "Continuate a inserire. Lasciate aperta la pagina: ciò che attende parte appena torna la connessione."],

  scanTitle: ["Scan the code of your target", "Scannt den Code eurer Scheibe", "Scannez le code de votre cible",
    "Scansionate il codice del vostro bersaglio"],
  scanText: ["Point the camera of this phone at the code on the target or on the score card. Or type the code:",
    "Die Kamera dieses Telefons auf den Code an der Scheibe oder auf dem Schusszettel richten. Oder den Code eintippen:",
    "Dirigez l’appareil photo vers le code de la cible ou de la feuille de marque. Ou tapez le code :",
    "Inquadrate con la fotocamera il codice sul bersaglio o sullo score. Oppure scrivete il codice:"],
  code: ["Code", "Code", "Code", "Codice"],
  join: ["Join", "Beitreten", "Rejoindre", "Partecipa"],
  joining: ["Joining…", "Tritt bei…", "Connexion à la cible…", "Accesso in corso…"],
  joinLater: ["The code is kept. It is joined as soon as there is a connection.",
    "Der Code ist gemerkt. Das Telefon tritt bei, sobald Verbindung besteht.",
    "Le code est gardé. Le téléphone rejoindra la cible dès que la connexion revient.",
    "Il codice è conservato. Il telefono partecipa appena torna la connessione."],
  tryAgain: ["Try again", "Nochmals versuchen", "Réessayer", "Riprova"],
  openTarget: ["Open", "Öffnen", "Ouvrir", "Apri"],
  yourTargets: ["Targets on this phone", "Scheiben auf diesem Telefon", "Cibles sur ce téléphone",
    "Bersagli su questo telefono"],
  addTarget: ["Another target", "Weitere Scheibe", "Autre cible", "Altro bersaglio"],
  leaveTarget: ["Leave this target", "Diese Scheibe abgeben", "Quitter cette cible", "Lascia questo bersaglio"],
  leaveSure: ["Another phone can then score here. What waits is still sent.",
    "Danach kann ein anderes Telefon hier schreiben. Was wartet, wird noch gesendet.",
    "Un autre téléphone pourra marquer ici. Ce qui attend sera encore envoyé.",
    "Un altro telefono potrà segnare qui. Ciò che attende verrà comunque inviato."],
  whichOne: ["What is shot now?", "Was wird jetzt geschossen?", "Que tire-t-on maintenant ?", "Che cosa si tira ora?"],

  badCode: ["This code is not valid, or it was replaced. Scan the code that is on the target now, or ask the organiser.",
    "Dieser Code gilt nicht oder wurde ersetzt. Den Code scannen, der jetzt an der Scheibe ist, oder die Leitung fragen.",
    "Ce code n’est pas valable ou a été remplacé. Scannez le code affiché sur la cible, ou demandez à l’organisateur.",
    "Questo codice non è valido o è stato sostituito. Scansionate quello sul bersaglio, o chiedete all’organizzatore."],
  tooManyCodes: ["Too many wrong codes. Wait a minute, then scan again.",
    "Zu viele falsche Codes. Eine Minute warten, dann nochmals scannen.",
    "Trop de codes erronés. Attendez une minute, puis scannez à nouveau.",
    "Troppi codici errati. Attendete un minuto, poi scansionate di nuovo."],
  cardTaken: ["Another phone has this card.", "Ein anderes Telefon hat diesen Schusszettel.",
    "Un autre téléphone a cette feuille.", "Un altro telefono ha questo score."],
  keepSecond: ["Keep the second card", "Den 2. Schusszettel führen", "Tenir la 2e feuille", "Tieni il 2° score"],
  takeOver: ["Take this card over", "Diesen Schusszettel übernehmen", "Reprendre cette feuille", "Prendi questo score"],
  takeOverText: ["The other phone must have been silent for 3 minutes.",
    "Das andere Telefon muss seit 3 Minuten still sein.", "L’autre téléphone doit être muet depuis 3 minutes.",
    "L’altro telefono deve tacere da 3 minuti."],
  notJoined: ["The server refused it: {message}", "Der Server lehnt ab: {message}", "Le serveur refuse : {message}",
    "Il server rifiuta: {message}"],
  wasTaken: ["Another phone scores this target now, or the organiser has ended this one. What waits here is still sent.",
    "Ein anderes Telefon schreibt jetzt diese Scheibe, oder die Leitung hat dieses beendet. Was wartet, wird noch gesendet.",
    "Un autre téléphone marque cette cible, ou l’organisateur a arrêté celui-ci. Ce qui attend sera encore envoyé.",
    "Un altro telefono segna questo bersaglio, o l’organizzatore ha chiuso questo. Ciò che attende verrà inviato."],
  signedOut: ["The server does not know this phone any more. Scan the code of the target again. Nothing that was entered is lost.",
    "Der Server kennt dieses Telefon nicht mehr. Den Code der Scheibe nochmals scannen. Nichts Eingegebenes geht verloren.",
    "Le serveur ne connaît plus ce téléphone. Scannez à nouveau le code de la cible. Rien n’est perdu.",
    "Il server non conosce più questo telefono. Scansionate di nuovo il codice. Nulla è andato perso."],
  storageRefused: ["This browser stores nothing for this page. Leave the private window, or allow storage, then scan again. Until then use paper.",
    "Dieser Browser speichert für diese Seite nichts. Privates Fenster verlassen oder Speicher erlauben, dann nochmals scannen. Bis dahin auf Papier.",
    "Ce navigateur n’enregistre rien pour cette page. Quittez la fenêtre privée ou autorisez le stockage, puis scannez. D’ici là, papier.",
    "Questo browser non salva nulla per questa pagina. Uscite dalla finestra privata o permettete i dati, poi scansionate. Intanto carta."],
  storageFull: ["This phone has no space left. Free some space, then load the page again. Until then use paper.",
    "Dieses Telefon hat keinen Platz mehr. Platz schaffen, dann die Seite neu laden. Bis dahin auf Papier.",
    "Ce téléphone n’a plus de place. Libérez de l’espace, puis rechargez la page. D’ici là, papier.",
    "Questo telefono non ha più spazio. Liberate spazio, poi ricaricate la pagina. Intanto carta."],
  outdated: ["This page is of an older version. Load it again; nothing is lost.",
    "Diese Seite ist veraltet. Neu laden; nichts geht verloren.",
    "Cette page est d’une ancienne version. Rechargez-la ; rien n’est perdu.",
    "Questa pagina è di una versione vecchia. Ricaricatela; nulla va perso."],
  reload: ["Load again", "Neu laden", "Recharger", "Ricarica"],
  full: ["Too much waits on this phone. Go where there is a connection before entering more.",
    "Auf diesem Telefon wartet zu viel. Erst dorthin gehen, wo Verbindung ist.",
    "Trop d’éléments attendent. Allez là où il y a une connexion avant de continuer.",
    "Troppi dati in attesa. Andate dove c’è connessione prima di continuare."],
  unknownRound: ["This page does not know this round. Load the page again, or use paper.",
    "Diese Seite kennt diese Runde nicht. Seite neu laden, oder auf Papier.",
    "Cette page ne connaît pas cette épreuve. Rechargez-la, ou utilisez le papier.",
    "Questa pagina non conosce questa gara. Ricaricatela, o usate la carta."],
  wrong: ["That did not work: {message}", "Das ging nicht: {message}", "Cela n’a pas marché : {message}",
    "Non ha funzionato: {message}"],

  who: ["Who shoots here", "Wer hier schießt", "Qui tire ici", "Chi tira qui"],
  nobody: ["Nobody is placed on this target yet.", "Auf dieser Scheibe ist noch niemand.",
    "Personne n’est encore placé sur cette cible.", "Nessuno è ancora assegnato a questo bersaglio."],
  start: ["Start entering", "Eingabe beginnen", "Commencer la saisie", "Inizia a inserire"],
  sighters: ["Sighters", "Probepfeile", "Flèches d’essai", "Frecce di prova"],
  sightersText: ["To try the buttons. Nothing here counts or is stored.",
    "Zum Ausprobieren. Nichts davon zählt oder wird gespeichert.",
    "Pour essayer les boutons. Rien ne compte ni n’est enregistré.",
    "Per provare i tasti. Nulla conta o viene salvato."],
  clear: ["Clear", "Löschen", "Effacer", "Cancella"],
  notStarted: ["The event has not started. What is entered waits until it starts.",
    "Der Wettkampf hat nicht begonnen. Eingegebenes wartet bis zum Beginn.",
    "Le concours n’a pas commencé. La saisie attend le début.",
    "La gara non è iniziata. Ciò che inserite attende l’inizio."],
  isPaused: ["The organiser has paused entering. What is entered waits.",
    "Die Leitung hat die Eingabe angehalten. Eingegebenes wartet.",
    "L’organisateur a suspendu la saisie. Ce qui est saisi attend.",
    "L’organizzatore ha sospeso l’inserimento. Ciò che inserite attende."],
  shootingPaused: ["Nobody shoots: {reason}. Arrows that were shot can be entered.",
    "Niemand schießt: {reason}. Geschossene Pfeile können eingegeben werden.",
    "Personne ne tire : {reason}. Les flèches tirées peuvent être saisies.",
    "Nessuno tira: {reason}. Le frecce tirate si possono inserire."],
  isOver: ["The event is finalised. What is entered now goes to the organiser.",
    "Der Wettkampf ist abgeschlossen. Was jetzt eingegeben wird, geht an die Leitung.",
    "Le concours est clos. Ce qui est saisi maintenant va à l’organisateur.",
    "La gara è chiusa. Ciò che inserite ora va all’organizzatore."],
  isCancelled: ["The event is cancelled.", "Der Wettkampf ist abgesagt.", "Le concours est annulé.", "La gara è annullata."],
  unknownState: ["The event is in a state that this page does not know. Load the page again.",
    "Der Wettkampf hat einen Zustand, den diese Seite nicht kennt. Seite neu laden.",
    "Le concours est dans un état que cette page ne connaît pas. Rechargez-la.",
    "La gara è in uno stato che questa pagina non conosce. Ricaricatela."],
  notice: ["Notice, {time}", "Mitteilung, {time}", "Annonce, {time}", "Avviso, {time}"],
  read: ["Read", "Gelesen", "Lu", "Letto"],

  end: ["End {number} of {count}", "Passe {number} von {count}", "Volée {number} sur {count}", "Volée {number} di {count}"],
  shootOff: ["Shoot-off {number}", "Stechen {number}", "Barrage {number}", "Spareggio {number}"],
  enterFor: ["{name}: arrow {arrow} of {count}", "{name}: Pfeil {arrow} von {count}", "{name} : flèche {arrow} sur {count}",
    "{name}: freccia {arrow} di {count}"],
  changeFor: ["{name}: replace {value}", "{name}: {value} ersetzen", "{name} : remplacer {value}", "{name}: sostituire {value}"],
  sum: ["Sum", "Summe", "Somme", "Somma"],
  total: ["Total", "Gesamt", "Total", "Totale"],
  undo: ["Undo", "Zurücknehmen", "Annuler la flèche", "Annulla freccia"],
  nothingToUndo: ["There is nothing to take back.", "Es gibt nichts zurückzunehmen.", "Rien à annuler.", "Nulla da annullare."],
  undoAgreed: ["This end is agreed. Correct it on the card of the archer instead.",
    "Diese Passe ist vereinbart. Auf dem Schusszettel korrigieren.",
    "Cette volée est validée. Corrigez-la sur la feuille de l’archer.",
    "Questa volée è concordata. Correggetela sullo score dell’arciere."],
  miss: ["miss", "Fehlschuss", "manqué", "mancato"],
  open: ["open", "offen", "ouvert", "aperto"],
  compareAloud: ["Read the values aloud. All agree?", "Werte laut vorlesen. Alle einverstanden?",
    "Lisez les valeurs à voix haute. Tous d’accord ?", "Leggete i valori ad alta voce. Tutti d’accordo?"],
  agreed: ["Agreed, mark holes, draw", "Vereinbart, Löcher markieren, ziehen", "D’accord, marquer les trous, retirer",
    "D’accordo, segnare i fori, estrarre"],
  allDone: ["All arrows are entered", "Alle Pfeile sind eingegeben", "Toutes les flèches sont saisies",
    "Tutte le frecce sono inserite"],
  signNow: ["Compare with the other card, then sign each card.", "Mit dem anderen Schusszettel vergleichen, dann jeden unterschreiben.",
    "Comparez avec l’autre feuille, puis signez chaque feuille.", "Confrontate con l’altro score, poi firmate ciascuno."],
  card: ["Card", "Schusszettel", "Feuille", "Score"],
  cardOf: ["Card of {name}", "Schusszettel von {name}", "Feuille de {name}", "Score di {name}"],
  owed: ["{name} owes {count} in end {number}", "{name} schuldet {count} in Passe {number}",
    "{name} doit {count} à la volée {number}", "{name} deve {count} nella volée {number}"],
  enterNow: ["Enter now", "Jetzt eingeben", "Saisir maintenant", "Inserisci ora"],

  happens: ["What happened?", "Was ist passiert?", "Que se passe-t-il ?", "Che cosa succede?"],
  forWhom: ["For whom?", "Für wen?", "Pour qui ?", "Per chi?"],
  absent: ["Not here", "Nicht da", "Absent", "Assente"],
  stopped: ["Stopped", "Hat aufgehört", "A arrêté", "Ha smesso"],
  backHere: ["{name} shoots again", "{name} schießt wieder", "{name} tire à nouveau", "{name} tira di nuovo"],
  undecided: ["Undecided arrow", "Strittiger Pfeil", "Flèche litigieuse", "Freccia dubbia"],
  judge: ["Call judge", "Kampfrichter rufen", "Appeler un arbitre", "Chiama il giudice"],
  help: ["Call organiser", "Leitung rufen", "Appeler l’organisateur", "Chiama l’organizzatore"],
  owes: ["Owes arrows", "Schuldet Pfeile", "Doit des flèches", "Deve frecce"],
  tooMany: ["Too many arrows", "Zu viele Pfeile", "Trop de flèches", "Troppe frecce"],
  tooManyText: ["Enter all arrows of {name} in this end. The lowest {count} are kept.",
    "Alle Pfeile von {name} in dieser Passe eingeben. Die {count} niedrigsten bleiben.",
    "Saisissez toutes les flèches de {name}. Les {count} plus basses sont gardées.",
    "Inserite tutte le frecce di {name}. Restano le {count} più basse."],
  keepLowest: ["Keep {values}", "{values} behalten", "Garder {values}", "Tieni {values}"],
  outsideState: ["does not shoot", "schießt nicht", "ne tire pas", "non tira"],
  watched: ["is scored elsewhere", "wird anderswo geschrieben", "est marqué ailleurs", "è segnato altrove"],
  callOpen: ["{kind}: called at {time}", "{kind}: gerufen um {time}", "{kind} : appel à {time}", "{kind}: chiamato alle {time}"],
  callWaits: ["{kind}: the call waits for a connection. Raise a hand.", "{kind}: Der Ruf wartet auf Verbindung. Hand heben.",
    "{kind} : l’appel attend une connexion. Levez la main.", "{kind}: la chiamata attende la connessione. Alzate la mano."],
  callDone: ["{kind}: {decision}", "{kind}: {decision}", "{kind} : {decision}", "{kind}: {decision}"],
  otherCall: ["Call", "Ruf", "Appel", "Chiamata"],
  lateArrows: ["Late arrows", "Verspätete Pfeile", "Flèches tardives", "Frecce in ritardo"],

  repairs: ["Repair", "Berichtigen", "Réparer", "Rimedia"],
  swapEnds: ["Swap an end of two archers", "Passe zweier Schützen tauschen", "Échanger une volée de deux archers",
    "Scambia una volée di due arcieri"],
  swapWith: ["Swap end {number} with", "Passe {number} tauschen mit", "Échanger la volée {number} avec",
    "Scambia la volée {number} con"],
  moveLater: ["Ends {number} to {last}: one later", "Passen {number} bis {last}: eine später",
    "Volées {number} à {last} : une plus tard", "Volée {number}–{last}: una dopo"],
  moveEarlier: ["Ends {number} to {last}: one earlier", "Passen {number} bis {last}: eine früher",
    "Volées {number} à {last} : une plus tôt", "Volée {number}–{last}: una prima"],
  isDone: ["Done. Undo takes all of it back.", "Erledigt. Zurücknehmen macht alles rückgängig.",
    "Fait. Annuler défait le tout.", "Fatto. Annulla riporta tutto com’era."],
  takeBack: ["Take it back", "Zurücknehmen", "Tout défaire", "Riporta indietro"],
  chooseArrow: ["Which arrow is wrong?", "Welcher Pfeil ist falsch?", "Quelle flèche est fausse ?", "Quale freccia è sbagliata?"],
  newValue: ["The right value", "Der richtige Wert", "La bonne valeur", "Il valore giusto"],
  why: ["Why?", "Warum?", "Pourquoi ?", "Perché?"],
  misheard: ["misheard", "verhört", "mal entendu", "capito male"],
  mistyped: ["mistyped", "vertippt", "faute de frappe", "errore di battuta"],
  byJudge: ["judge’s decision", "Entscheid des Kampfrichters", "décision de l’arbitre", "decisione del giudice"],
  seenBy: ["Another archer confirms with a tap:", "Ein anderer Schütze bestätigt durch Antippen:",
    "Un autre archer confirme d’un geste :", "Un altro arciere conferma toccando:"],
  someoneElse: ["Another archer", "Ein anderer Schütze", "Un autre archer", "Un altro arciere"],
  confirmedBy: ["{reason}; seen by {name}", "{reason}; gesehen von {name}", "{reason} ; vu par {name}", "{reason}; visto da {name}"],

  differs: ["The cards differ", "Die Schusszettel weichen ab", "Les feuilles diffèrent", "Gli score differiscono"],
  here: ["Here", "Hier", "Ici", "Qui"],
  there: ["Other card", "Anderer", "Autre feuille", "Altro score"],
  ruled: ["A judge has ruled", "Vom Kampfrichter entschieden", "Décidé par l’arbitre", "Deciso dal giudice"],
  sameCards: ["Both cards agree in {count} ends", "Beide stimmen in {count} Passen überein",
    "Les deux feuilles concordent sur {count} volées", "I due score concordano in {count} volée"],
  comparePaper: ["Compare with the card on paper", "Mit dem Papier vergleichen", "Comparez avec la feuille papier",
    "Confrontate con lo score di carta"],
  compareText: ["If a number differs, look for the end on the cards and correct it before going on.",
    "Weicht eine Zahl ab, die Passe suchen und berichtigen, bevor es weitergeht.",
    "Si un nombre diffère, cherchez la volée et corrigez avant de continuer.",
    "Se un numero differisce, cercate la volée e correggete prima di continuare."],
  same: ["The same on paper", "Gleich wie auf Papier", "Identique au papier", "Uguale alla carta"],
  tens: ["10s", "10er", "10", "10"],
  xs: ["Xs", "Xer", "X", "X"],
  hits: ["Hits", "Treffer", "Touchés", "Colpiti"],
  golds: ["Golds", "Gold", "Ors", "Ori"],
  sign: ["Sign", "Unterschreiben", "Signer", "Firma"],
  signText: ["The total is right. After both signatures only a judge changes the card.",
    "Das Ergebnis stimmt. Nach beiden Unterschriften ändert es nur ein Kampfrichter.",
    "Le total est juste. Après les deux signatures, seul un arbitre change la feuille.",
    "Il totale è giusto. Dopo le due firme solo un giudice lo cambia."],
  archerSigns: ["Archer", "Schütze", "Archer", "Arciere"],
  scorerSigns: ["Scorer", "Schreiber", "Marqueur", "Segnapunti"],
  drawHere: ["Sign here with a finger", "Hier mit dem Finger unterschreiben", "Signez ici du doigt", "Firmare qui con il dito"],
  withoutFinger: ["Sign by button instead of drawing", "Statt zu zeichnen mit Taste unterschreiben",
    "Signer par bouton au lieu de dessiner", "Firma con il tasto invece di disegnare"],
  signed: ["Signed", "Unterschrieben", "Signé", "Firmato"],
  signLater: ["Signing needs a connection, and that nothing waits.", "Unterschreiben braucht Verbindung, und nichts darf warten.",
    "Pour signer, il faut une connexion et que rien n’attende.", "Per firmare serve la connessione e nulla in attesa."],
  changedMeanwhile: ["The card has changed meanwhile. Look at it again, then sign.",
    "Der Schusszettel hat sich inzwischen geändert. Nochmals ansehen, dann unterschreiben.",
    "La feuille a changé entre-temps. Regardez-la à nouveau, puis signez.",
    "Lo score è cambiato nel frattempo. Guardatelo di nuovo, poi firmate."],

  match: ["Match", "Duell", "Duel", "Scontro"],
  setPoints: ["Set points", "Satzpunkte", "Points de set", "Punti set"],
  distances: ["Distance from the centre in mm", "Abstand zur Mitte in mm", "Distance du centre en mm", "Distanza dal centro in mm"],
  distancesText: ["The shoot-off is tied. Measure, or call a judge.", "Das Stechen ist unentschieden. Messen, oder Kampfrichter rufen.",
    "Barrage à égalité. Mesurez, ou appelez un arbitre.", "Spareggio pari. Misurate, o chiamate un giudice."],
  store: ["Store", "Speichern", "Enregistrer", "Salva"],
  badDistance: ["A distance is a number of millimetres, such as 12.5.", "Ein Abstand ist eine Zahl in Millimetern, etwa 12,5.",
    "Une distance est un nombre de millimètres, par ex. 12,5.", "Una distanza è un numero di millimetri, es. 12,5."],
  wins: ["{name} wins", "{name} gewinnt", "{name} gagne", "{name} vince"],
  nobodyWins: ["Neither side advances", "Keine Seite kommt weiter", "Aucun camp n’avance", "Nessuno avanza"],
  confirmSide: ["{name} confirms", "{name} bestätigt", "{name} confirme", "{name} conferma"],
  confirmed: ["Confirmed", "Bestätigt", "Confirmé", "Confermato"],

  decideTitle: ["What has to be decided", "Was zu klären ist", "Ce qui est à décider", "Che cosa decidere"],
  isConflict: ["Another scorer entered another value there.", "Dort steht von anderswo ein anderer Wert.",
    "Un autre marqueur y a saisi une autre valeur.", "Un altro segnapunti vi ha inserito un altro valore."],
  isRefused: ["The server refused it: {message}", "Der Server lehnt es ab: {message}", "Le serveur l’a refusé : {message}",
    "Il server l’ha rifiutato: {message}"],
  isLate: ["It came too late and is with the organiser.", "Es kam zu spät und liegt bei der Leitung.",
    "Arrivé trop tard ; l’organisateur décide.", "È arrivato tardi; decide l’organizzatore."],
  useMine: ["Mine is right", "Meiner stimmt", "Le mien est juste", "Il mio è giusto"],
  useTheirs: ["Give mine up", "Meinen verwerfen", "Abandonner le mien", "Rinuncia al mio"],
  understood: ["Understood", "Verstanden", "Compris", "Capito"],

  rules: ["Rule cards", "Regelkarten", "Fiches de règles", "Schede delle regole"],
  print: ["Print this card", "Drucken", "Imprimer", "Stampa"],
  offlineNote: ["This page must stay open while there is no connection.", "Ohne Verbindung muss diese Seite offen bleiben.",
    "Sans connexion, cette page doit rester ouverte.", "Senza connessione questa pagina deve restare aperta."],
  thisPhone: ["This phone: {name}", "Dieses Telefon: {name}", "Ce téléphone : {name}", "Questo telefono: {name}"],
  saidNext: ["Next: {name}", "Nächster: {name}", "Suivant : {name}", "Prossimo: {name}"],
  saidFull: ["{name}: {values}, {total}", "{name}: {values}, {total}", "{name} : {values}, {total}", "{name}: {values}, {total}"],
};

let index = 0;

/** @param {string} code @returns {string} the language that is used */
export function useLanguage(code) {
  const wanted = [code, ...navigator.languages ?? []].map((one) => one.slice(0, 2).toLowerCase());
  const found = wanted.find((one) => languages.some(([name]) => name === one)) ?? "en";
  index = languages.findIndex(([name]) => name === found);
  document.documentElement.lang = found;
  return found;
}

/** The language that is used. */
export function language() {
  return languages[index][0];
}

/** The place of a language in a list of texts. */
export function chosen() {
  return index;
}

/**
 * A text in the language of the page.
 * @param {string} key
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return words[key][index].replace(/\{([a-zA-Z]+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** @param {Date | number} time */
export function clock(time) {
  const own = navigator.languages?.find((one) => one.startsWith(language())) ?? language();
  return new Intl.DateTimeFormat(own, { hour: "2-digit", minute: "2-digit" }).format(time);
}

/**
 * A name in a sentence, which may be written from right to left.
 * @param {string} name
 */
export function isolated(name) {
  return `\u2068${name}\u2069`;
}
