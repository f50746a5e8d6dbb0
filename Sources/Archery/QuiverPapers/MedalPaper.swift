/// The medals of a category, or of a stage of teams.
package struct PaperMedals: Sendable {
  /// The category, with the kind of its teams; empty: it has no entries.
  package var title = ""
  /// What they come from.
  package var note = ""
  /// The winners of gold, silver and bronze; two may share one.
  package var entries: [[PaperEntry]] = []

  package init() {}
}

/// The medal list.
package enum MedalPaper {
  private static let names = ["Gold", "Silver", "Bronze"]

  package static func section(
    _ medals: PaperMedals, language: PaperLanguage = .english
  ) -> PaperSection {
    // A category without entries takes no room on a paper.
    guard !medals.title.isEmpty else { return PaperSection() }
    return PaperSection(
      opening: "<h2>\(Markup.isolated(medals.title))</h2>\n"
        + "<p class=\"note\">\(language("Medals")) · \(Markup.escaped(medals.note))</p>\n",
      rowCount: 1
    ) { _ in
      guard medals.entries.contains(where: { !$0.isEmpty }) else { return "<p>–</p>\n" }
      var text = "<table class=\"medals\"><tbody>\n"
      for (name, entries) in zip(names, medals.entries) {
        for entry in entries {
          text += Cell.row([
            Cell(language(name)), Cell(entry.nameWithMembers), entry.clubCell, entry.countryCell,
          ])
        }
      }
      return text + "</tbody></table>\n"
    }
  }
}
