/// A bracket with its matches.
package struct PaperBracket: Sendable {
  /// Its category.
  package var title = ""
  /// How its matches are scored, and whether it is finished.
  package var note = ""
  package var stage: Int64 = 0
  /// The code of its category.
  package var category = ""
  package var matches: [Match] = []

  package init() {}

  /// A match.
  package struct Match: Sendable {
    package var id: Int64 = 0
    /// 8: quarterfinals, 2: medal matches.
    package var roundSize = 0
    /// As in `1/48`; empty: the round is named by its size.
    package var roundName = ""
    /// From 1; 0: a match of a bracket.
    package var group = 0
    /// From 0; of the medal matches 0 is for gold, 1 for bronze.
    package var index = 0
    /// Words of this program.
    package var state = ""
    package var decision = ""
    /// Two.
    package var sides: [Side] = []
    /// The index of a side; nil: none yet.
    package var winner: Int?

    package init() {}

    /// As in `quarterfinal 3`.
    var place: String {
      if group > 0 { return "group \(group), \(index + 1)" }
      if !roundName.isEmpty { return "\(roundName), \(index + 1)" }
      switch (roundSize, index) {
      case (2, 0): return "final"
      case (2, _): return "bronze"
      case (4, _): return "semifinal \(index + 1)"
      case (8, _): return "quarterfinal \(index + 1)"
      default: return "round of \(roundSize), \(index + 1)"
      }
    }
  }

  /// A side of a match.
  package struct Side: Sendable {
    /// 0: none, or not known yet.
    package var seed = 0
    package var entry: PaperEntry?
    package var setPoints = 0
    package var total = 0
    /// The text of its score; empty: none yet.
    package var score = ""
    /// Its ends, then its shoot-offs, as in `X 10 9 | 9 9 8`.
    package var ends = ""
    package var shootOffs = ""

    package init() {}
  }
}

/// A bracket: a tree of its last rounds, and tables of those before them.
package enum BracketPaper {
  /// More rounds do not fit on a page.
  private static let treeSize = 16

  package static func section(
    _ bracket: PaperBracket, language: PaperLanguage = .english
  ) -> PaperSection {
    let hasShootOffs = bracket.matches.contains { $0.sides.contains { !$0.shootOffs.isEmpty } }
    let note = bracket.note + (hasShootOffs ? ", " + language("shoot-offs in parentheses") : "")
    return PaperSection(
      opening: "<h2>\(Markup.isolated(bracket.title))</h2>\n"
        + "<p class=\"note\">\(Markup.escaped(note))</p>\n", rowCount: 1
    ) { _ in
      let groups = Dictionary(grouping: bracket.matches.filter { $0.group > 0 }, by: \.group)
      guard groups.isEmpty else {
        return groups.keys.sorted().map { group in
          table(
            language("Group {number}", ["number": "\(group)"]), ordered(groups[group]), language)
        }.joined()
      }
      let rounds = Dictionary(grouping: bracket.matches, by: \.roundSize)
      let sizes = rounds.keys.sorted(by: >)
      let tables = sizes.filter { $0 > treeSize }.map {
        table(
          title($0, named: rounds[$0]?.first?.roundName, language), ordered(rounds[$0]), language)
      }
      let tree = sizes.filter { $0 <= treeSize }.map { round($0, ordered(rounds[$0]), language) }
      return tables.joined() + "<div class=\"tree\">\(tree.joined())</div>\n"
    }
  }

  private static func ordered(_ matches: [PaperBracket.Match]?) -> [PaperBracket.Match] {
    (matches ?? []).sorted { $0.index < $1.index }
  }

  static func title(
    _ roundSize: Int, named name: String? = nil, _ language: PaperLanguage = .english
  ) -> String {
    if let name, !name.isEmpty {
      return language("Round {name}", ["name": Markup.escaped(name)])
    }
    return switch roundSize {
    case 2: language("Finals")
    case 4: language("Semifinals")
    case 8: language("Quarterfinals")
    default: language("Round of {size}", ["size": "\(roundSize)"])
    }
  }

  private static func round(
    _ size: Int, _ matches: [PaperBracket.Match], _ language: PaperLanguage
  ) -> String {
    let boxes = matches.map { match in
      let title = size == 2 ? "<h3>\(language(match.index == 0 ? "Gold" : "Bronze"))</h3>" : ""
      return title + "<div class=\"match\">" + side(0, of: match, language)
        + side(1, of: match, language) + "</div>"
    }
    return """
      <div class="round"><h3>\(title(size, named: nil, language))</h3>\
      <div class="matches">\(boxes.map { "<div>\($0)</div>" }.joined())</div></div>
      """
  }

  private static func side(
    _ index: Int, of match: PaperBracket.Match, _ language: PaperLanguage
  ) -> String {
    guard match.sides.indices.contains(index) else { return "<div></div>" }
    let side = match.sides[index]
    return """
      <div\(match.winner == index ? " class=\"won\"" : "")>\
      <span class="seed">\(side.seed > 0 ? "\(side.seed)" : "")</span>\
      <span class="name">\(name(side, in: match, language))</span>\
      <span class="score">\(score(side))</span></div>
      """
  }

  /// As in `5 (10+)`: several shoot-offs have commas between them.
  private static func score(_ side: PaperBracket.Side) -> String {
    let score = Markup.escaped(side.score)
    guard !side.shootOffs.isEmpty else { return score }
    let shootOffs = Markup.escaped(side.shootOffs.replacing(" | ", with: ", "))
    return "\(score) <span class=\"m\">(\(shootOffs))</span>"
  }

  private static func name(
    _ side: PaperBracket.Side, in match: PaperBracket.Match, _ language: PaperLanguage
  ) -> String {
    if let entry = side.entry { return entry.nameWithMembers }
    return match.state == "bye" ? "<span class=\"m\">\(language("bye"))</span>" : "&nbsp;"
  }

  private static func table(
    _ title: String, _ matches: [PaperBracket.Match], _ language: PaperLanguage
  ) -> String {
    let rows = matches.map { match in
      func cells(_ index: Int) -> [Cell] {
        guard match.sides.indices.contains(index) else { return [Cell(""), Cell(""), Cell("")] }
        let side = match.sides[index]
        let won = match.winner == index ? "won" : ""
        return [
          Cell(side.seed > 0 ? "\(side.seed)" : "", "n"),
          Cell(name(side, in: match, language), won),
          Cell(score(side), "n"),
        ]
      }
      return Cell.row([Cell("\(match.index + 1)", "n")] + cells(0) + cells(1))
    }
    return "<h3>\(title)</h3>\n<table>"
      + Cell.head([
        Cell(language("Match"), "n"), Cell(language("Seed"), "n"), Cell(language("Name")),
        Cell(language("Score"), "n"), Cell(language("Seed"), "n"), Cell(language("Name")),
        Cell(language("Score"), "n"),
      ]) + "<tbody>\n\(rows.joined())</tbody></table>\n"
  }
}

/// Matches as comma-separated values.
package enum MatchLines {
  private static let sideNames = [
    "seed", "bib", "name", "club", "set_points", "total", "score", "ends", "shoot_offs",
  ]

  package static let header = CSVText.line(
    (["category", "stage", "match", "place", "state", "decision", "winner"]
      + sideNames.map { $0 + "_1" } + sideNames.map { $0 + "_2" }).map { .plain($0) })

  /// The matches of a bracket.
  package static func section(_ bracket: PaperBracket) -> PaperSection {
    PaperSection(rowCount: bracket.matches.count) { index in
      let match = bracket.matches[index]
      var fields: [CSVText.Field] = [
        .text(bracket.category), .number(bracket.stage), .number(match.id), .plain(match.place),
        .plain(match.state), .plain(match.decision), .plain(match.winner.map { "\($0 + 1)" } ?? ""),
      ]
      for side in match.sides.prefix(2) {
        fields += [
          .plain(side.seed > 0 ? "\(side.seed)" : ""), .text(side.entry?.bib ?? ""),
          .text(side.entry?.name ?? ""), .text(side.entry?.club ?? ""), .number(side.setPoints),
          .number(side.total), .plain(side.score), .plain(side.ends), .plain(side.shootOffs),
        ]
      }
      return CSVText.line(fields)
    }
  }
}
