import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Matches as tables.
enum MatchTable {
  private static let heading = [
    "MATCH", "ROUND", "TARGETS", "ARCHER 1", "ARCHER 2", "SETS", "TOTAL", "STATE", "WINNER",
    "START", "ID",
  ]

  /// The matches of a bracket or of groups, a row each.
  static func rows(_ bracket: QuiverAPI.EliminationBracket) -> [[String]] {
    let stage = bracket.stage ?? EliminationStage()
    let isCumulative = [
      MatchSystem.individualCumulative, .teamCumulative, .mixedTeamCumulative,
    ].contains(stage.system)
    return [heading]
      + bracket.matches.map { match in
        [
          StageName.code(match, in: stage), StageName.round(match, in: stage), targets(match),
          name(match, 0), name(match, 1),
          isCumulative ? "" : score(match) { $0.setPoints }, score(match) { $0.total },
          EnumWord.text(of: match.state.rawValue, MatchState.schema), winner(match),
          match.startsAtMilliseconds > 0 ? InstantText.text(match.startsAtMilliseconds) : "",
          "\(match.id)",
        ]
      }
  }

  /// As in `3`, or `3, 4` where each side has its own.
  static func targets(_ match: EliminationMatch) -> String {
    var targets: [UInt32] = []
    for side in match.sides where side.target > 0 && !targets.contains(side.target) {
      targets.append(side.target)
    }
    return targets.map { "\($0)" }.joined(separator: ", ")
  }

  private static func name(_ match: EliminationMatch, _ side: Int) -> String {
    match.sides.indices.contains(side) ? Terminal.oneLine(match.sides[side].displayName) : ""
  }

  private static func winner(_ match: EliminationMatch) -> String {
    match.winner > 0 ? name(match, Int(match.winner) - 1) : ""
  }

  /// As in `6 : 2`; empty before the first arrow.
  private static func score(
    _ match: EliminationMatch, _ value: (MatchSideCard) -> UInt32
  ) -> String {
    guard match.sides.count == 2, match.sides.contains(where: { $0.total > 0 || $0.setPoints > 0 })
    else { return "" }
    return match.sides.map { "\(value($0))" }.joined(separator: " : ")
  }

  /// What a match is and how it stands, as in
  /// `RM-8-1, quarterfinal, targets 3, 4, finished: Ann 6 (112) : 2 (108) Ben, Ann wins by arrows`.
  static func title(_ match: EliminationMatch) -> String {
    let stage = match.stage ?? EliminationStage()
    var text = "\(StageName.code(match, in: stage)), \(StageName.round(match, in: stage))"
    let targets = targets(match)
    if !targets.isEmpty { text += ", \(targets.contains(",") ? "targets" : "target") \(targets)" }
    if match.startsAtMilliseconds > 0 {
      text += ", start \(InstantText.text(match.startsAtMilliseconds))"
    }
    text += ", \(EnumWord.text(of: match.state.rawValue, MatchState.schema))"
    let winner = winner(match)
    if !winner.isEmpty {
      text +=
        ", \(winner) wins by \(EnumWord.text(of: match.decision.rawValue, MatchDecision.schema))"
    }
    return text + ", revision \(match.revision)"
  }

  /// The cards of both sides beside each other: a row for each end and each shoot-off.
  static func cards(_ match: EliminationMatch) -> [[String]] {
    guard match.sides.count == 2 else { return [] }
    var places: [(isShootOff: Bool, index: UInt32)] = []
    for entry in match.sides.flatMap(\.entries)
    where !places.contains(where: { $0 == (entry.shootOff, entry.index) }) {
      places.append((entry.shootOff, entry.index))
    }
    places.sort { ($0.isShootOff ? 1 : 0, $0.index) < ($1.isShootOff ? 1 : 0, $1.index) }
    let names = (0..<2).map { name(match, $0).isEmpty ? "NOBODY" : name(match, $0) }
    var rows = [["END", names[0], "SUM", names[1], "SUM"]]
    for place in places {
      let entries = match.sides.map { side in
        side.entries.first { $0.shootOff == place.isShootOff && $0.index == place.index }
      }
      rows.append(
        [place.isShootOff ? "shoot-off \(place.index + 1)" : "\(place.index + 1)"]
          + entries.flatMap { [$0.map(EventMatchLines.text) ?? "", sum($0)] })
    }
    let marks = match.sides.map { side in
      side.forfeited ? "forfeited" : side.confirmed ? "confirmed" : ""
    }
    rows.append(["total", marks[0], "\(match.sides[0].total)", marks[1], "\(match.sides[1].total)"])
    if match.sides.contains(where: { $0.setPoints > 0 }) {
      rows.append(
        ["sets", "", "\(match.sides[0].setPoints)", "", "\(match.sides[1].setPoints)"])
    }
    return rows
  }

  private static func sum(_ entry: MatchCardEntry?) -> String {
    guard let entry, !entry.arrows.isEmpty else { return "" }
    return "\(entry.arrows.reduce(0) { $0 + $1.value })"
  }
}
