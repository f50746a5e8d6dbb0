/// The text of diplomas: lines with the names of values in braces, as in `{name}`.
package struct DiplomaTemplate: Sendable, Equatable {
  /// What a diploma is filled with.
  package enum Value: String, CaseIterable, Sendable {
    /// The name of the event.
    case event
    /// The archer or the team.
    case name
    /// The archers of a team; empty for an archer.
    case members
    case club
    case country
    case category
    /// As in `1`.
    case rank
    /// As in `1st`.
    case place
    /// The day of the event, as in `2026-05-23`; empty before it starts.
    case date
  }

  /// A name in braces that is none of the values.
  package struct UnknownValue: Error, Equatable {
    package let name: String
  }

  enum Part: Sendable, Equatable {
    case text(String)
    case value(Value)
  }

  let lines: [[Part]]

  /// The text that is used if none is given.
  package static let standard = """
    Diploma
    {event}
    {name}
    {members}
    {club}
    {place} place
    {category}
    {date}
    """

  /// The same in a language.
  package static func standard(_ language: PaperLanguage) -> String {
    switch language {
    case .english: standard
    case .german: localised("Urkunde", "{rank}. Rang")
    case .french: localised("Diplôme", "Rang {rank}")
    case .italian: localised("Diploma", "Posto {rank}")
    }
  }

  private static func localised(_ head: String, _ rank: String) -> String {
    [head, "{event}", "{name}", "{members}", "{club}", rank, "{category}", "{date}"]
      .joined(separator: "\n")
  }

  /// Reads a text. Braces around anything but a word of ASCII letters are text.
  package init(_ text: String) throws(UnknownValue) {
    var lines: [[Part]] = []
    for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      lines.append(try Self.parts(line))
    }
    self.lines = lines
  }

  private static func parts(_ line: Substring) throws(UnknownValue) -> [Part] {
    var parts: [Part] = []
    var text = ""
    var rest = line[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      let inner = rest[rest.index(after: open)...]
      guard let close = inner.firstIndex(of: "}"), close > inner.startIndex,
        inner[..<close].allSatisfy({ $0.isASCII && $0.isLetter })
      else {
        text.append("{")
        rest = inner
        continue
      }
      let name = String(inner[..<close])
      guard let value = Value(rawValue: name) else { throw UnknownValue(name: name) }
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      parts.append(.value(value))
      rest = inner[inner.index(after: close)...]
    }
    text += rest
    if !text.isEmpty { parts.append(.text(text)) }
    return parts
  }
}

/// Diplomas: one page for each archer or team.
package enum DiplomaPaper {
  /// What one is filled with.
  package struct Diploma: Sendable {
    package var entry = PaperEntry()
    /// The category as it is shown.
    package var category = ""
    /// From 1.
    package var rank = 1

    package init() {}
  }

  /// The diplomas of a category or a stage; `event` is its name, `date` its day.
  package static func section(
    _ template: DiplomaTemplate, event: String, date: String, _ diplomas: [Diploma]
  ) -> PaperSection {
    PaperSection(rowCount: diplomas.count) { index in
      let lines = template.lines.enumerated().map { number, parts in
        line(number, parts, of: diplomas[index], event: event, date: date)
      }
      return "<section class=\"card diploma\">\(lines.joined())</section>\n"
    }
  }

  /// A line; empty where all of its values are.
  private static func line(
    _ number: Int, _ parts: [DiplomaTemplate.Part], of diploma: Diploma, event: String,
    date: String
  ) -> String {
    var (text, isFilled, hasValue, hasName) = ("", false, false, false)
    for part in parts {
      switch part {
      case .text(let words): text += Markup.escaped(words)
      case .value(let value):
        let shown = self.text(of: value, diploma, event: event, date: date)
        hasValue = true
        if !shown.isEmpty { isFilled = true }
        if value == .name { hasName = true }
        text += Markup.isolated(shown)
      }
    }
    guard isFilled || !hasValue else { return "" }
    let style = hasName ? " class=\"name\"" : number == 0 ? " class=\"head\"" : ""
    return "<p\(style)>\(text)</p>"
  }

  private static func text(
    of value: DiplomaTemplate.Value, _ diploma: Diploma, event: String, date: String
  ) -> String {
    switch value {
    case .event: event
    case .name: diploma.entry.name
    case .members: diploma.entry.members.joined(separator: ", ")
    case .club: diploma.entry.club
    case .country: diploma.entry.country
    case .category: diploma.category
    case .rank: "\(diploma.rank)"
    case .place: ordinal(diploma.rank)
    case .date: date
    }
  }

  /// As in `1st`, `12th` and `23rd`.
  static func ordinal(_ rank: Int) -> String {
    switch (rank % 10, rank % 100) {
    case (_, 11...13): "\(rank)th"
    case (1, _): "\(rank)st"
    case (2, _): "\(rank)nd"
    case (3, _): "\(rank)rd"
    default: "\(rank)th"
    }
  }
}
