/// The start list: the entries by name.
package enum StartListPaper {
  /// The entries of a category; `title` is its name. `hasSessions`: the event has several sessions,
  /// in which a target is not the same.
  package static func section(
    title: String, hasSessions: Bool, language: PaperLanguage = .english, _ entries: [PaperEntry]
  ) -> PaperSection {
    let sorted = entries.sorted(by: PaperEntry.isBefore)
    return PaperSection(
      opening: "<h2>\(Markup.isolated(title))</h2>\n<table>"
        + Cell.head([
          Cell(language("Bib"), "s"), Cell(language("Name")), Cell(language("Club")),
          Cell(language("Country")), Cell(hasSessions ? language("Session") : ""),
          Cell(language("Target"), "n"),
        ]) + "<tbody>\n", closing: "</tbody></table>\n", rowCount: sorted.count
    ) { index in
      let entry = sorted[index]
      return Cell.row([
        Cell(Markup.isolated(entry.bib), "s"), Cell(entry.nameCell(language), "archer"),
        entry.clubCell, entry.countryCell,
        Cell(hasSessions ? Markup.isolated(entry.session) : ""), Cell(entry.place, "n"),
      ])
    }
  }
}

/// The target list: the entries by target of a session.
package enum TargetListPaper {
  /// The entries of a session by target; those without a place come last.
  package static func section(
    title: String, note: String, language: PaperLanguage = .english, _ entries: [PaperEntry]
  ) -> PaperSection {
    let sorted = entries.sorted { left, right in
      (left.target == 0) == (right.target == 0)
        ? PaperEntry.isFurtherLeft(left, right) : right.target == 0
    }
    return PaperSection(
      opening: "<h2>\(Markup.isolated(title))</h2>\n<p class=\"note\">\(note)</p>\n<table>"
        + Cell.head([
          Cell(language("Target"), "s"), Cell("", "s"), Cell(language("Bib"), "s"),
          Cell(language("Name")), Cell(language("Club")), Cell(language("Category"), "s"),
        ]) + "<tbody>\n", closing: "</tbody></table>\n", rowCount: sorted.count
    ) { index in
      let entry = sorted[index]
      let isFirst = index == 0 || sorted[index - 1].target != entry.target
      let number = entry.target > 0 ? "\(entry.target)" : language("none")
      return Cell.row(
        [
          Cell(isFirst ? "<b>\(number)</b>" : "", "s"), Cell(entry.letter, "s"),
          Cell(Markup.isolated(entry.bib), "s"), Cell(entry.nameCell(language), "archer"),
          entry.clubCell, Cell(Markup.isolated(entry.category), "s"),
          // The archers of a target stay on one page.
        ], style: isFirst ? "first" : entry.target > 0 ? "same" : "")
    }
  }
}

/// All entries as comma-separated values.
package enum EntryLines {
  package static let header = CSVText.line(
    [
      "bib", "name", "club", "country", "licence", "category", "session", "target", "letter",
      "state", "bow", "gender", "age", "face", "shown", "fixed", "wheelchair",
    ].map { .plain($0) })

  /// The entries of a category.
  package static func section(_ entries: [PaperEntry]) -> PaperSection {
    PaperSection(rowCount: entries.count) { index in
      let entry = entries[index]
      return CSVText.line([
        .text(entry.bib), .text(entry.name), .text(entry.club), .text(entry.country),
        .text(entry.licence), .text(entry.category),
        .plain(entry.sessionID == 0 ? "" : "\(entry.sessionID)"),
        .plain(entry.target == 0 ? "" : "\(entry.target)"), .plain(entry.letter),
        .plain(entry.state), .plain(entry.bow), .plain(entry.gender), .plain(entry.age),
        .plain(entry.face), .plain(entry.shown), .plain(entry.fixed), .plain(entry.wheelchair),
      ])
    }
  }
}
