/// The language of the words of this program on papers; texts of users are as they are.
package enum PaperLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case italian = "it"

  /// The word in this language; `{name}` stands for a value. A word without a translation is in
  /// English.
  package func callAsFunction(_ word: String, _ values: [String: String] = [:]) -> String {
    var text = word
    switch self {
    case .english: break
    case .german: text = Self.words[word]?.german ?? word
    case .french: text = Self.words[word]?.french ?? word
    case .italian: text = Self.words[word]?.italian ?? word
    }
    for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
    return text
  }

  /// A word in the other languages.
  package struct Translation: Sendable {
    package let german: String
    package let french: String
    package let italian: String

    init(_ german: String, _ french: String, _ italian: String) {
      self.german = german
      self.french = french
      self.italian = italian
    }
  }

  package static let words: [String: Translation] = [
    "Start list": .init("Startliste", "Liste de départ", "Lista di partenza"),
    "Target list": .init("Scheibenliste", "Liste des cibles", "Lista dei paglioni"),
    "Score cards": .init("Schusszettel", "Feuilles de marque", "Schede di punteggio"),
    "Standings": .init("Rangliste", "Classement", "Classifica"),
    "Brackets": .init("Tableaus", "Tableaux", "Tabelloni"),
    "Medals": .init("Medaillen", "Médailles", "Medaglie"),
    "Results": .init("Resultate", "Résultats", "Risultati"),
    "Diplomas": .init("Diplome", "Diplômes", "Diplomi"),
    "Target plates": .init("Scheibenschilder", "Plaques de cibles", "Targhe dei paglioni"),
    "Page": .init("Seite", "Page", "Pagina"),
    "Bib": .init("Nr.", "Dossard", "Pett."),
    "Name": .init("Name", "Nom", "Nome"),
    "Club": .init("Verein", "Club", "Società"),
    "Country": .init("Land", "Pays", "Paese"),
    "Session": .init("Durchgang", "Départ", "Turno"),
    "Target": .init("Scheibe", "Cible", "Paglione"),
    "Category": .init("Kategorie", "Catégorie", "Classe"),
    "none": .init("keine", "aucune", "nessuno"),
    "Rank": .init("Rang", "Rang", "Pos."),
    "Round {number}": .init("Runde {number}", "Épreuve {number}", "Gara {number}"),
    "Round {number} of {count}": .init(
      "Runde {number} von {count}", "Épreuve {number} sur {count}", "Gara {number} di {count}"),
    "Total": .init("Total", "Total", "Totale"),
    "Hits": .init("Treffer", "Touches", "Colpi"),
    "Golds": .init("Gold", "Ors", "Ori"),
    "Ends": .init("Passen", "Volées", "Volée"),
    "End": .init("Passe", "Volée", "Volée"),
    "Sum": .init("Summe", "Somme", "Somma"),
    "Distance, face": .init("Distanz, Auflage", "Distance, blason", "Distanza, bersaglio"),
    "Archer": .init("Schütze", "Archer", "Arciere"),
    "Scorer": .init("Schreiber", "Marqueur", "Marcatore"),
    "Card {number} of 2": .init(
      "Karte {number} von 2", "Feuille {number} sur 2", "Scheda {number} di 2"),
    "did not start": .init("nicht angetreten", "non partant", "non partito"),
    "did not finish": .init("aufgegeben", "abandon", "ritirato in gara"),
    "withdrawn": .init("zurückgezogen", "retiré", "ritirato"),
    "disqualified": .init("disqualifiziert", "disqualifié", "squalificato"),
    "Set points": .init("Satzpunkte", "Points de set", "Punti set"),
    "Total scores": .init("Totale", "Scores totaux", "Punteggi totali"),
    "shoot-offs in parentheses": .init(
      "Stechen in Klammern", "barrages entre parenthèses", "spareggi tra parentesi"),
    "Group {number}": .init("Gruppe {number}", "Groupe {number}", "Gruppo {number}"),
    "Round {name}": .init("Runde {name}", "Tour {name}", "Turno {name}"),
    "Round of {size}": .init("Runde der letzten {size}", "Tour de {size}", "Turno dei {size}"),
    "Finals": .init("Finals", "Finales", "Finali"),
    "Semifinals": .init("Halbfinals", "Demi-finales", "Semifinali"),
    "Quarterfinals": .init("Viertelfinals", "Quarts de finale", "Quarti di finale"),
    "Gold": .init("Gold", "Or", "Oro"),
    "Silver": .init("Silber", "Argent", "Argento"),
    "Bronze": .init("Bronze", "Bronze", "Bronzo"),
    "bye": .init("Freilos", "exempt", "bye"),
    "forfeit": .init("Forfait", "forfait", "rinuncia"),
    "Match": .init("Match", "Match", "Scontro"),
    "Seed": .init("Setzplatz", "Tête de série", "Testa di serie"),
    "Score": .init("Resultat", "Score", "Punteggio"),
    "Pauses of the shooting": .init(
      "Pausen des Schiessens", "Pauses du tir", "Pause del tiro"),
    "From": .init("Von", "De", "Da"),
    "To": .init("Bis", "À", "A"),
    "Minutes": .init("Minuten", "Minutes", "Minuti"),
    "Reason": .init("Grund", "Raison", "Motivo"),
    "Official": .init("Offizielle", "Officiel", "Ufficiale"),
    "provisional": .init("vorläufig", "provisoire", "provvisorio"),
    "Not finished": .init("Nicht beendet", "Non terminé", "Non terminato"),
    "Ranked by": .init("Rangiert nach", "Classé par", "Ordinato per"),
    "then": .init("dann", "puis", "poi"),
    "* a part is typed from a paper": .init(
      "* ein Teil ist von einem Papier eingetippt", "* une partie est saisie d’un papier",
      "* una parte è inserita da un foglio"),
    "? the paper does not have this count": .init(
      "? das Papier hat diese Zahl nicht", "? le papier n’a pas ce nombre",
      "? il foglio non ha questo conteggio"),
    "From groups, which have no common ranks": .init(
      "Aus Gruppen, die keine gemeinsamen Ränge haben", "De groupes, sans rangs communs",
      "Da gruppi, senza posizioni comuni"),
    "From the standings": .init("Aus der Rangliste", "Du classement", "Dalla classifica"),
    "From the group": .init("Aus der Gruppe", "Du groupe", "Dal gruppo"),
    "From the bracket": .init("Aus dem Tableau", "Du tableau", "Dal tabellone"),
    "not finished": .init("nicht beendet", "non terminé", "non terminato"),
    "teams": .init("Teams", "équipes", "squadre"),
    "mixed teams": .init("gemischte Teams", "équipes mixtes", "squadre miste"),
    "Targets {first} to {last}": .init(
      "Scheiben {first} bis {last}", "Cibles {first} à {last}", "Paglioni da {first} a {last}"),
    "1 archer on each": .init(
      "1 Schütze auf jeder", "1 archer sur chacune", "1 arciere su ciascuno"),
    "{count} archers on each": .init(
      "{count} Schützen auf jeder", "{count} archers sur chacune", "{count} arcieri su ciascuno"),
    "who shoot as AB and CD": .init(
      "die als AB und CD schiessen", "qui tirent en AB et CD", "che tirano come AB e CD"),
  ]
}
