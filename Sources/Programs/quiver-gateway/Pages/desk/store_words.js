// Sentences about what a page keeps, and what waits.
import { sentences } from "./words.js";

/** @type {Record<string, string[]>} */
export const kept = {
  "Waiting": ["Wartendes", "En attente", "In attesa"],
  "The server has everything.": ["Der Server hat alles.", "Le serveur a tout.", "Il server ha tutto."],
  "Changes that are not with the server yet: {count}. They stay on this device, and are sent when you sign in here again.": ["Änderungen, die noch nicht beim Server sind: {count}. Sie bleiben auf diesem Gerät und werden gesendet, wenn Sie sich hier wieder anmelden.", "Modifications pas encore au serveur : {count}. Elles restent sur cet appareil et partent quand vous vous reconnectez ici.", "Modifiche non ancora sul server: {count}. Restano su questo dispositivo e partono al prossimo accesso qui."],
  "There is no connection. What is shown is of {time}.": ["Es gibt keine Verbindung. Gezeigt wird der Stand von {time}.", "Pas de connexion. Ce qui est montré date de {time}.", "Nessuna connessione. Ciò che si vede è di {time}."],
  "Changes to be sent: {count}, since {time}.": ["Zu sendende Änderungen: {count}, seit {time}.", "Modifications à envoyer : {count}, depuis {time}.", "Modifiche da inviare: {count}, da {time}."],
  "Changes that were not taken: {count}. Look at them.": ["Nicht angenommene Änderungen: {count}. Bitte ansehen.", "Modifications refusées : {count}. Regardez-les.", "Modifiche non accettate: {count}. Guardarle."],
  "The server does not accept this sign-in any more.": ["Der Server nimmt diese Anmeldung nicht mehr an.", "Le serveur n’accepte plus cette connexion.", "Il server non accetta più questo accesso."],
  "Sign in again": ["Neu anmelden", "Se reconnecter", "Accedi di nuovo"],
  "A new version of this page is ready.": ["Eine neue Version dieser Seite ist bereit.", "Une nouvelle version de cette page est prête.", "È pronta una nuova versione di questa pagina."],
  "Load it": ["Laden", "La charger", "Caricala"],
  "There is no connection, and this device has not seen this before.": ["Es gibt keine Verbindung, und dieses Gerät hat das noch nie gesehen.", "Pas de connexion, et cet appareil n’a encore jamais vu cela.", "Nessuna connessione, e questo dispositivo non l’ha mai visto."],
  "{field}: from {min} to {max}.": ["{field}: von {min} bis {max}.", "{field} : de {min} à {max}.", "{field}: da {min} a {max}."],
  "Not with the server yet": ["Noch nicht beim Server", "Pas encore au serveur", "Non ancora sul server"],
  "Entered": ["Eingegeben", "Saisi", "Inserito"],
  "Send again": ["Noch einmal senden", "Renvoyer", "Invia di nuovo"],
  "Mine counts": ["Meines gilt", "Le mien compte", "Vale il mio"],
  "Discard…": ["Verwerfen…", "Abandonner…", "Scarta…"],
  "Discard it?": ["Verwerfen?", "Abandonner ?", "Scartare?"],
  "{name} is removed from this device, with what was entered on it.": ["{name} wird von diesem Gerät entfernt, mit dem, was darauf folgte.", "{name} est retiré de cet appareil, avec ce qui le suivait.", "{name} viene tolto da questo dispositivo, con ciò che seguiva."],
  "Discard it": ["Verwerfen", "Abandonner", "Scarta"],
  "Take out": ["Herausnehmen", "Retirer", "Togli"],
  "end {end}, arrow {arrow}: {value}": ["Passe {end}, Pfeil {arrow}: {value}", "volée {end}, flèche {arrow} : {value}", "volée {end}, freccia {arrow}: {value}"],
  "A newer version of this page runs in another tab. Load this one again.": ["Eine neuere Version dieser Seite läuft in einem anderen Tab. Diese neu laden.", "Une version plus récente de cette page tourne dans un autre onglet. Rechargez celle-ci.", "Una versione più recente di questa pagina è aperta in un’altra scheda. Ricaricare questa."],
  "This browser stores nothing for this page: changes need a connection.": ["Dieser Browser speichert nichts für diese Seite: Änderungen brauchen eine Verbindung.", "Ce navigateur n’enregistre rien pour cette page : les modifications demandent une connexion.", "Questo browser non salva nulla per questa pagina: le modifiche richiedono una connessione."],
  "It is stored on this device, and is sent when there is a connection.": ["Es ist auf diesem Gerät gespeichert und wird gesendet, sobald es eine Verbindung gibt.", "C’est enregistré sur cet appareil, et envoyé dès qu’il y a une connexion.", "È salvato su questo dispositivo, e parte quando c’è una connessione."],
  "waits": ["wartet", "attend", "attende"],
  "waits, not sent yet": ["wartet, noch nicht gesendet", "attend, pas encore envoyé", "attende, non ancora inviato"],
  "It was changed elsewhere meanwhile. Look at it, then make yours count or discard it.": ["Es wurde inzwischen anderswo geändert. Ansehen, dann Ihres gelten lassen oder verwerfen.", "Cela a été modifié ailleurs entre-temps. Regardez, puis faites valoir le vôtre ou abandonnez-le.", "È stato cambiato altrove nel frattempo. Guardarlo, poi far valere il proprio o scartarlo."],
  "It was changed elsewhere meanwhile. Look at it, discard this, and do it again if it is still right.": ["Es wurde inzwischen anderswo geändert. Ansehen, dies verwerfen und neu machen, wenn es noch stimmt.", "Cela a été modifié ailleurs entre-temps. Regardez, abandonnez ceci, et refaites-le si c’est encore juste.", "È stato cambiato altrove nel frattempo. Guardarlo, scartare questo, e rifarlo se è ancora giusto."],
  "The server has not taken this arrow: {message}": ["Der Server hat diesen Pfeil nicht angenommen: {message}", "Le serveur n’a pas accepté cette flèche : {message}", "Il server non ha accettato questa freccia: {message}"],
  "What": ["Was", "Quoi", "Che cosa"],
};

Object.assign(sentences, kept);
