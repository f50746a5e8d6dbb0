/// An entry with its rank in the standings of a category.
package struct PaperStanding: Sendable {
  package var entry = PaperEntry()
  /// From 1; 0: not ranked.
  package var rank = 0
  package var total = 0
  package var xCount = 0
  /// The number of arrows by value, from 0; an X is in its value's.
  package var counts: [Int] = []
  package var endCount = 0
  /// The criteria of the tie policy, in the order of the columns.
  package var keys: [Int] = []
  /// The indexes of criteria that a paper does not have.
  package var unknownKeys: Set<Int> = []
  /// Whether a part of the card is typed from a paper.
  package var isTyped = false
  /// The counts that a paper does not have, as the columns name them.
  package var unknown: [String] = []
  /// The totals of the rounds; empty if there is one.
  package var rounds: [Int] = []

  package init() {}
}

extension PaperStanding {
  /// The total of a card with a typed part is marked.
  fileprivate var keyCells: [Cell] {
    keys.enumerated().map { index, count in
      let text = unknownKeys.contains(index) ? "?" : "\(count)"
      return Cell(text + (isTyped && index == 0 ? "*" : ""), "n")
    }
  }
}

/// The standings of a category.
package enum StandingsPaper {
  /// `keys` are the titles of the criteria of the tie policy.
  package static func section(
    title: String, note: String, keys: [String], language: PaperLanguage = .english,
    _ rows: [PaperStanding]
  ) -> PaperSection {
    let roundCount = rows.map(\.rounds.count).max() ?? 0
    // Many columns of numbers leave less for the names.
    let archer = roundCount > 3 ? "" : "archer"
    return PaperSection(
      opening: "<h2>\(Markup.isolated(title))</h2>\n<p class=\"note\">\(Markup.escaped(note))</p>\n"
        + "<table>"
        + Cell.head(
          [
            Cell(language("Rank"), "n"), Cell(language("Bib"), "s"), Cell(language("Name")),
            Cell(language("Club")), Cell(language("Country")),
          ]
            + (0..<roundCount).map { index in
              Cell(language("Round {number}", ["number": "\(index + 1)"]), "n")
            }
            + keys.map { Cell($0, "n") }) + "<tbody>\n",
      closing: "</tbody></table>\n", rowCount: rows.count
    ) { index in
      let row = rows[index]
      return Cell.row(
        [
          Cell(row.rank > 0 ? "\(row.rank)" : "–", "n"),
          Cell(Markup.isolated(row.entry.bib), "s"), Cell(row.entry.nameCell(language), archer),
          row.entry.clubCell, row.entry.countryCell,
        ]
          + (0..<roundCount).map { index in
            Cell(row.rounds.indices.contains(index) ? "\(row.rounds[index])" : "", "n")
          } + row.keyCells)
    }
  }
}

/// Standings as comma-separated values.
package enum StandingsLines {
  package static let header = CSVText.line(
    [
      "category", "rank", "bib", "name", "club", "country", "total", "x", "11", "10", "9", "8",
      "7", "6", "5", "4", "3", "2", "1", "miss", "ends", "state", "rounds", "typed", "unknown",
    ].map { .plain($0) })

  /// The rows of a category. An entry without a rank has an empty rank.
  package static func section(_ rows: [PaperStanding]) -> PaperSection {
    PaperSection(rowCount: rows.count) { index in
      let row = rows[index]
      let counts = (0...11).reversed().map { value in
        CSVText.Field.number(row.counts.indices.contains(value) ? row.counts[value] : 0)
      }
      return CSVText.line(
        [
          .text(row.entry.category), .plain(row.rank > 0 ? "\(row.rank)" : ""),
          .text(row.entry.bib), .text(row.entry.name), .text(row.entry.club),
          .text(row.entry.country), .number(row.total), .number(row.xCount),
        ] + counts + [
          .number(row.endCount), .plain(row.entry.state),
          .plain(row.rounds.map { "\($0)" }.joined(separator: " ")),
          .plain(row.isTyped ? "yes" : ""), .plain(row.unknown.joined(separator: " ")),
        ])
    }
  }
}
