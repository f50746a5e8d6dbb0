import QuiverAPI
import QuiverRules

/// What `quiver event watch-bracket` and `quiver event watch-match` print: a line for each change.
struct EventMatchLines {
  private var matches: [Int64: String] = [:]
  private var ranks: [UInt32: String] = [:]
  private var entries: [Place: String] = [:]

  /// A place of a match's cards.
  private struct Place: Hashable {
    let side: Int
    let isShootOff: Bool
    let index: UInt32
  }

  /// The matches and the ranks of a message that are not as they were printed last.
  mutating func take(_ bracket: QuiverAPI.EliminationBracket) -> [String] {
    var lines = bracket.matches.compactMap { take($0.id, Self.line($0)) }
    for rank in bracket.ranks {
      let text = Self.line(rank)
      guard rank.rank > 0 || ranks[rank.seed] != nil, ranks[rank.seed] != text else { continue }
      ranks[rank.seed] = text
      lines.append(text)
    }
    return lines
  }

  /// The ends of a match that are not as they were printed last, then the match.
  mutating func take(_ match: EliminationMatch) -> [String] {
    var now: [Place: String] = [:]
    var lines: [String] = []
    for (number, side) in match.sides.enumerated() {
      for entry in side.entries {
        let place = Place(side: number, isShootOff: entry.shootOff, index: entry.index)
        let text = "\(Self.name(side)), \(Self.title(place)): \(Self.text(entry))"
        now[place] = text
        if entries[place] != text { lines.append(text) }
      }
      let removed = entries.keys.filter { $0.side == number && now[$0] == nil }
      lines += removed.map { "\(Self.name(side)), \(Self.title($0)): none" }.sorted()
    }
    entries = now
    if let line = take(match.id, Self.line(match)) { lines.append(line) }
    return lines
  }

  private mutating func take(_ id: Int64, _ line: String) -> String? {
    guard matches[id] != line else { return nil }
    matches[id] = line
    return line
  }

  /// As in `match 12, round of 8, 1, is shooting: Ann 2 (28) : 0 (27) Ben, revision 5`.
  static func line(_ match: EliminationMatch) -> String {
    var text = "match \(match.id), \(place(match)), is "
    text += EnumWord.text(of: match.state.rawValue, MatchState.schema)
    if match.sides.count == 2 {
      let (left, right) = (match.sides[0], match.sides[1])
      text += ": \(name(left)) \(left.setPoints) (\(left.total)) : "
      text += "\(right.setPoints) (\(right.total)) \(name(right))"
    }
    let targets = match.sides.map(\.target).filter { $0 > 0 }
    if let first = targets.first {
      let isOne = targets.allSatisfy { $0 == first }
      text +=
        isOne
        ? ", target \(first)" : ", targets \(targets.map { "\($0)" }.joined(separator: " and "))"
    }
    if match.startsAtMilliseconds > 0 {
      text += ", start \(TokenText.time(match.startsAtMilliseconds))"
    }
    if match.winner > 0, let winner = match.sides.dropFirst(Int(match.winner) - 1).first {
      let decision = EnumWord.text(of: match.decision.rawValue, MatchDecision.schema)
      text += ", \(name(winner)) wins by \(decision)"
    }
    for side in match.sides where side.confirmed && match.state != .confirmed {
      text += ", card of \(name(side)) is confirmed"
    }
    return text + ", revision \(match.revision)"
  }

  /// As in `rank 1: Ann`, or `group 2, rank 1: Ann, 4 points`.
  private static func line(_ rank: EliminationRank) -> String {
    var name = Terminal.oneLine(rank.displayName)
    if !rank.members.isEmpty {
      let members = rank.members.map { Terminal.oneLine($0.displayName) }
      name += " (\(members.joined(separator: ", ")))"
    }
    let group = rank.group > 0 ? "group \(rank.group), " : ""
    let points = rank.group > 0 ? ", \(rank.points) points" : ""
    return group + (rank.rank > 0 ? "rank \(rank.rank)" : "no rank") + ": \(name)\(points)"
  }

  private static func place(_ match: EliminationMatch) -> String {
    if match.group > 0 { return "group \(match.group), round \(match.groupRound)" }
    guard match.roundSize == 2 else { return "round of \(match.roundSize), \(match.index + 1)" }
    return match.index == 0 ? "for gold" : "for bronze"
  }

  private static func name(_ side: MatchSideCard) -> String {
    side.displayName.isEmpty ? "nobody" : Terminal.oneLine(side.displayName)
  }

  private static func title(_ place: Place) -> String {
    "\(place.isShootOff ? "shoot-off" : "end") \(place.index + 1)"
  }

  static func text(_ entry: MatchCardEntry) -> String {
    var text = entry.arrows.map { "\(ArrowScore(value: Int($0.value), isX: $0.isX))" }
      .joined(separator: " ")
    if !entry.distances.isEmpty {
      let tenths = entry.distances.map { "\($0 / 10).\($0 % 10) mm" }
      text += ", \(tenths.joined(separator: " and ")) from the centre"
    }
    if entry.isCloser { text += ", closer" }
    let witness = Terminal.oneLine(entry.witnessName)
    return witness.isEmpty ? text : text + ", agreed by \(witness)"
  }
}
