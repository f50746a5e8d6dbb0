import QuiverAPI

/// The codes of stages and matches, which their tables show and their commands take.
enum StageName {
  /// As in `RM`, `RM-groups`, `RM-clubs`.
  static func code(_ stage: EliminationStage) -> String {
    var code = Terminal.oneLine(stage.categoryCode)
    switch stage.teamGroup {
    case .club: code += "-clubs"
    case .country: code += "-countries"
    default: break
    }
    return stage.groupCount > 0 ? code + "-groups" : code
  }

  /// As in `RM-8-1` for the first quarterfinal, `RM-gold`, or `RM-groups-2-1-3` for the third match
  /// of the first round of the second group.
  static func code(_ match: EliminationMatch, in stage: EliminationStage) -> String {
    "\(code(stage))-\(place(match))"
  }

  /// The place of a match in its stage, as in `8-1`.
  static func place(_ match: EliminationMatch) -> String {
    if match.group > 0 { return "\(match.group)-\(match.groupRound)-\(match.index + 1)" }
    guard match.roundSize == 2 else { return "\(match.roundSize)-\(match.index + 1)" }
    return match.index == 0 ? "gold" : "bronze"
  }

  /// The name of the round of a match, as in `1/8`, `quarterfinal`, `gold`.
  static func round(_ match: EliminationMatch, in stage: EliminationStage) -> String {
    if match.group > 0 { return "group \(match.group), round \(match.groupRound)" }
    switch match.roundSize {
    case 2: return match.index == 0 ? "gold" : "bronze"
    case 4: return "semifinal"
    case 8: return "quarterfinal"
    case 64 where stage.exemptSeeds > 0: return "1/24"
    case 128 where stage.exemptSeeds > 0: return "1/48"
    case let size: return "1/\(size / 2)"
    }
  }

  /// The words for the sizes of rounds, beside the sizes themselves.
  static let rounds: [(word: String, size: UInt32)] = [
    ("medals", 2), ("finals", 2), ("semifinals", 4), ("quarterfinals", 8), ("1/2", 4), ("1/4", 8),
    ("1/8", 16), ("1/16", 32), ("1/24", 64), ("1/32", 64), ("1/48", 128), ("1/64", 128),
  ]

  /// The size of a round that a text names; nil: it names none.
  static func size(_ text: String) -> UInt32? {
    let word = text.lowercased()
    if let size = rounds.first(where: { $0.word == word || $0.word == word + "s" })?.size {
      return size
    }
    return NameChoice.number(text).flatMap { UInt32(exactly: $0) }
  }
}
