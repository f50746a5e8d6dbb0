/// A pause of the shooting at an event.
package struct PaperPause: Sendable {
  /// The times as papers show them; an empty end: it has not ended.
  package var start = ""
  package var end = ""
  /// How long it took, rounded down.
  package var minutes = 0
  package var reason = ""
  /// Who began it.
  package var official = ""

  package init() {}
}

/// The pauses of the shooting, with their reasons.
package enum PausePaper {
  package static func section(
    _ pauses: [PaperPause], language: PaperLanguage = .english
  ) -> PaperSection {
    PaperSection(
      opening: "<h2>\(language("Pauses of the shooting"))</h2>\n<table>"
        + Cell.head([
          Cell(language("From")), Cell(language("To")), Cell(language("Minutes"), "n"),
          Cell(language("Reason")), Cell(language("Official")),
        ]) + "<tbody>\n", closing: "</tbody></table>\n", rowCount: pauses.count
    ) { index in
      let pause = pauses[index]
      return Cell.row([
        Cell(pause.start), Cell(pause.end.isEmpty ? "–" : pause.end),
        Cell(pause.end.isEmpty ? "" : "\(pause.minutes)", "n"),
        Cell(Markup.isolated(pause.reason)), Cell(Markup.isolated(pause.official)),
      ])
    }
  }
}
