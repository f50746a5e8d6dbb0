/// An entry of an event as papers show it; all texts are as they are stored.
package struct PaperEntry: Sendable, Equatable {
  package var id: Int64 = 0
  package var name = ""
  package var bib = ""
  package var club = ""
  package var country = ""
  /// Empty for callers who may not see it.
  package var licence = ""
  /// The code of its category.
  package var category = ""
  /// The name of its session; empty: none.
  package var session = ""
  package var sessionID: Int64 = 0
  /// 0: no place.
  package var target = 0
  /// A to D.
  package var letter = ""
  /// A word of this program, for example `checked in`.
  package var state = ""
  /// Whether the state is shown beside the name: it does not shoot, or no longer.
  package var isOut = false
  /// The names of the archers of a team.
  package var members: [String] = []
  /// What the entry says of its archer, as words of the import of entries; empty: nothing.
  package var bow = ""
  package var gender = ""
  package var age = ""
  package var face = ""
  package var shown = ""
  package var fixed = ""
  package var wheelchair = ""

  package init() {}

  /// As in `12A`; empty: no place.
  var place: String { target > 0 ? "\(target)\(letter)" : "" }

  /// The name in a cell, with the state of an entry that does not shoot.
  func nameCell(_ language: PaperLanguage) -> String {
    let note = isOut ? " <span class=\"m\">(\(language(state)))</span>" : ""
    return Markup.isolated(name) + note
  }

  /// The club and the country in cells, with room for words where they are long.
  var clubCell: Cell { Cell(Markup.isolated(club), club.count > 16 ? "club" : "") }
  var countryCell: Cell { Cell(Markup.isolated(country), country.count > 8 ? "c" : "") }

  /// The name of an archer, or of a team with its archers below.
  var nameWithMembers: String {
    guard !members.isEmpty else { return Markup.isolated(name) }
    let names = members.map(Markup.isolated).joined(separator: ", ")
    return "\(Markup.isolated(name))<br><span class=\"m\">\(names)</span>"
  }

  /// The order of a list of names.
  static func isBefore(_ left: PaperEntry, _ right: PaperEntry) -> Bool {
    (left.name, left.id) < (right.name, right.id)
  }

  /// The order on the line.
  static func isFurtherLeft(_ left: PaperEntry, _ right: PaperEntry) -> Bool {
    (left.target, left.letter, left.id) < (right.target, right.letter, right.id)
  }
}

/// A cell of a table; its text is markup already.
struct Cell {
  let text: String
  /// Its class in the style sheet; empty: none.
  let style: String

  init(_ text: String, _ style: String = "") {
    self.text = text
    self.style = style
  }

  /// A title without words is an empty cell, not a header that a reader announces as nothing.
  static func head(_ titles: [Cell]) -> String {
    "<thead><tr>" + titles.map { $0.element($0.text.isEmpty ? "td" : "th") }.joined()
      + "</tr></thead>\n"
  }

  static func row(_ cells: [Cell], style: String = "") -> String {
    "<tr\(attribute(style))>" + cells.map { $0.element("td") }.joined() + "</tr>\n"
  }

  private func element(_ name: String) -> String {
    "<\(name)\(Self.attribute(style))>\(text)</\(name)>"
  }

  private static func attribute(_ style: String) -> String {
    style.isEmpty ? "" : " class=\"\(style)\""
  }
}
