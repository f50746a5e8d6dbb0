import QuiverAPI
import QuiverSession

/// The archers whom somebody scores, by name, bib, target and letter, and club.
struct ScoredArchers {
  /// In turn order.
  let archers: [Archer]

  /// An archer with what tells equal names apart.
  struct Archer {
    /// The place of the archer among the participants.
    let index: Int
    /// Of the participant; 0: the server does not know it yet.
    let serverID: Int64
    let name: String
    /// Empty: none.
    let bib: String
    /// Empty: not known.
    let club: String
    /// As in `12B`, of all rounds.
    let places: [String]
  }

  private static let shownCount = 20

  /// `participants` are in turn order, and `entries` are those that are known; a target limits the
  /// archers to those who stand there.
  init(
    _ participants: [(serverID: Int64, name: String)], _ entries: [EventEntry],
    on target: JoinedTarget? = nil
  ) {
    let known = Dictionary(entries.map { ($0.participantID, $0) }) { first, _ in first }
    archers = participants.enumerated().compactMap { index, participant in
      let entry = known[participant.serverID]
      let places = entry?.allPlaces ?? []
      if let target {
        let stands = places.contains { $0.session == target.session && $0.target == target.number }
        guard stands else { return nil }
      }
      return Archer(
        index: index, serverID: participant.serverID, name: Terminal.oneLine(participant.name),
        bib: entry?.bib ?? "", club: Terminal.oneLine(entry?.club ?? ""),
        places: places.map { "\($0.target)\($0.letter)" })
    }
  }

  /// The only archer that a text names: a bib, a target with its letter, `#` and the id of a
  /// participant, or a name or the beginning of one, with a bib, a place or a club behind it.
  func archer(named text: String) throws(SessionError) -> Archer {
    let wanted = Self.folded(text)
    let ranks: [(Archer) -> Bool] = [
      { $0.isNamedExactly(wanted) }, { $0.isNamedLoosely(wanted) }, { $0.stands(onTarget: wanted) },
    ]
    let found = ranks.lazy.map { archers.filter($0) }.first { !$0.isEmpty } ?? []
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw SessionError(
        .notFound,
        "\(Terminal.oneLine(text)) may be any of \(shown(found)); add the bib, the target and"
          + " letter, or the club")
    }
    throw SessionError(
      .notFound, "nobody is called \(Terminal.oneLine(text)); there are \(shown(archers))")
  }

  /// The archers with what tells them apart.
  private func shown(_ archers: [Archer]) -> String {
    let names = archers.prefix(Self.shownCount).map(label).joined(separator: ", ")
    let rest = archers.count - Self.shownCount
    return rest > 0 ? "\(names) and \(rest) more" : names
  }

  /// The name, with bib, place and club where another archer has the same name.
  func label(_ archer: Archer) -> String {
    let name = Self.folded(archer.name)
    let equal = archers.filter { Self.folded($0.name) == name }
    guard equal.count > 1 else {
      return archer.places.first.map { "\(archer.name) (\($0))" } ?? archer.name
    }
    var marks = archer.bib.isEmpty ? [] : ["bib \(archer.bib)"]
    marks += archer.places
    if !archer.club.isEmpty { marks.append(archer.club) }
    let isTold = !equal.contains { other in
      other.index != archer.index && other.bib == archer.bib && other.places == archer.places
        && other.club == archer.club
    }
    if !isTold { marks.append("#\(archer.serverID)") }
    return "\(archer.name) (\(marks.joined(separator: ", ")))"
  }

  /// The text as it is compared: in lower case, with one space between two words.
  fileprivate static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension ScoredArchers.Archer {
  private var foldedName: String { ScoredArchers.folded(name) }
  private var marks: [String] {
    ([bib, club] + places).filter { !$0.isEmpty }.map(ScoredArchers.folded)
  }

  /// What stands behind the whole name in a text; nil if the text does not begin with it.
  private func mark(in text: String) -> Substring? {
    guard text.hasPrefix(foldedName) else { return nil }
    let rest = text.dropFirst(foldedName.count)
    guard let first = rest.first, first == " " || first == "," else { return nil }
    return rest.drop { $0 == " " || $0 == "," }
  }

  fileprivate func isNamedExactly(_ text: String) -> Bool {
    if text == foldedName || !bib.isEmpty && text == ScoredArchers.folded(bib) { return true }
    if serverID > 0, text == "#\(serverID)" { return true }
    let joined = text.filter { $0 != " " }
    if places.contains(where: { $0.lowercased() == joined }) { return true }
    return mark(in: text).map { mark in marks.contains { $0 == mark } } ?? false
  }

  fileprivate func isNamedLoosely(_ text: String) -> Bool {
    if foldedName.hasPrefix(text) { return true }
    return mark(in: text).map { !$0.isEmpty && ScoredArchers.folded(club).hasPrefix($0) } ?? false
  }

  fileprivate func stands(onTarget text: String) -> Bool {
    places.contains { $0.prefix(while: \.isNumber) == text }
  }
}

extension EventEntry {
  /// The places in all rounds that have one.
  fileprivate var allPlaces: [(session: Int64, target: Int, letter: String)] {
    ([(sessionID, target, letter)] + laterPlaces.map { ($0.sessionID, $0.target, $0.letter) })
      .filter { $0.1 > 0 }.map { ($0.0, Int($0.1), $0.2) }
  }
}
