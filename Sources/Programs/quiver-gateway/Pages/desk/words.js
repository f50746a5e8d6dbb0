/**
 * The languages of the page; the first is that of the sources.
 * @type {Record<string, string>}
 */
export const languages = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

/**
 * Each sentence in the other languages, in their order.
 * @type {Record<string, string[]>}
 */
export const sentences = {
  "Sign in": ["Anmelden", "Se connecter", "Accedi"],
  "Code": ["Code", "Code", "Codice"],
  "Your name": ["Ihr Name", "Votre nom", "Il suo nome"],
  "Sign out?": ["Abmelden?", "Se déconnecter ?", "Uscire?"],
  "Sign out": ["Abmelden", "Se déconnecter", "Esci"],
  "Name": ["Name", "Nom", "Nome"],
  "State": ["Stand", "État", "Stato"],
  "Round": ["Runde", "Épreuve", "Gara"],
  "Try again": ["Noch einmal", "Réessayer", "Riprova"],
  "Language": ["Sprache", "Langue", "Lingua"],
  "not started": ["nicht begonnen", "pas commencé", "non iniziato"],
  "running": ["läuft", "en cours", "in corso"],
  "cancelled": ["abgesagt", "annulé", "annullato"],
  "Close": ["Schliessen", "Fermer", "Chiudi"],
  "Save": ["Speichern", "Enregistrer", "Salva"],
  "Nothing here yet.": ["Noch nichts hier.", "Rien ici pour l’instant.", "Ancora niente qui."],
  "The page failed: {message}": ["Die Seite hat einen Fehler: {message}", "La page a échoué : {message}", "Errore della pagina: {message}"],
  "There is no connection to the server. Nothing was changed. Try again.": ["Keine Verbindung zum Server. Nichts wurde geändert. Noch einmal versuchen.", "Pas de connexion au serveur. Rien n’a changé. Réessayez.", "Nessuna connessione al server. Nulla è cambiato. Riprovare."],
  "There is no connection to the server. Whether it was done is not known: look at the page before you try again.": ["Keine Verbindung zum Server. Ob es geschehen ist, ist nicht bekannt: erst nachsehen, dann noch einmal versuchen.", "Pas de connexion au serveur. On ne sait pas si c’est fait : regardez la page avant de réessayer.", "Nessuna connessione al server. Non si sa se è stato fatto: controllare la pagina prima di riprovare."],
  "Your sign-in has ended. Open a new link of the desk.": ["Ihre Anmeldung ist abgelaufen. Öffnen Sie einen neuen Link des Turnierbüros.", "Votre session est terminée. Ouvrez un nouveau lien du bureau.", "L’accesso è scaduto. Aprire un nuovo collegamento della segreteria."],
  "Your role does not permit this: {message}": ["Ihre Rolle erlaubt das nicht: {message}", "Votre rôle ne le permet pas : {message}", "Il suo ruolo non lo permette: {message}"],
  "Somebody else has changed this meanwhile.": ["Jemand anders hat das inzwischen geändert.", "Quelqu’un d’autre l’a changé entre-temps.", "Nel frattempo qualcun altro lo ha cambiato."],
  "Somebody else has changed this meanwhile. Nothing was done: look at it, and do it again if it is still right.": ["Jemand anders hat das inzwischen geändert. Nichts wurde getan: ansehen, und noch einmal tun, wenn es noch stimmt.", "Quelqu’un d’autre l’a changé entre-temps. Rien n’a été fait : regardez, et refaites-le si c’est encore juste.", "Nel frattempo qualcun altro lo ha cambiato. Non è stato fatto nulla: guardare, e rifarlo se è ancora giusto."],
  "Save mine": ["Meine speichern", "Enregistrer la mienne", "Salva la mia"],
  "Both versions": ["Beide Fassungen", "Les deux versions", "Le due versioni"],
  "Yours": ["Ihre", "La vôtre", "La sua"],
  "Theirs": ["Die andere", "La leur", "La loro"],
  "It does not exist any more: {message}": ["Das gibt es nicht mehr: {message}", "Cela n’existe plus : {message}", "Non esiste più: {message}"],
  "The server has not done this: {message}": ["Der Server hat das nicht getan: {message}", "Le serveur ne l’a pas fait : {message}", "Il server non lo ha fatto: {message}"],
  "Working…": ["Moment…", "Un instant…", "Attendere…"],
  "Done.": ["Erledigt.", "Fait.", "Fatto."],
  "Cancel": ["Abbrechen", "Annuler", "Annulla"],
  "Reason": ["Grund", "Motif", "Motivo"],
  "Give a reason.": ["Geben Sie einen Grund an.", "Donnez un motif.", "Indicare un motivo."],
  "Archer": ["Schütze", "Archer", "Arciere"],
  "End": ["Passe", "Volée", "Volée"],
  "Total": ["Total", "Total", "Totale"],
  "Card": ["Karte", "Feuille", "Scheda"],
  "Delete": ["Löschen", "Supprimer", "Elimina"],
  "sets": ["Sätze", "sets", "set"],
  "Delete…": ["Löschen…", "Supprimer…", "Elimina…"],
  "Bow": ["Bogen", "Arc", "Arco"],
  "waiting": ["wartet", "en attente", "in attesa"],
  "Actions": ["Aktionen", "Actions", "Azioni"],
  "Kind": ["Art", "Genre", "Tipo"],
};
