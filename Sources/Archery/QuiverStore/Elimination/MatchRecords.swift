package import QuiverRules

/// An elimination stage.
package struct EliminationStageRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let category: Int64
  package let categoryCode: String
  package let size: Int
  package let entrantCount: Int
  package let system: MatchSystem
  package let ruleDay: Int32
  package let hasBronzeMatch: Bool
  package let face: Face
  /// The result of both sides in a first shoot-off with which it is shot again.
  package let repeatedMaximum: RepeatedMaximum
  package let seed: UInt64
  package let createdAtMilliseconds: Int64
  /// Of mixed teams; 0: none.
  package let secondCategory: Int64
  /// Nil: single archers.
  package let teamGroup: TeamGroup?
  /// 0: a bracket.
  package let groupCount: Int
  /// The groups from which it was cut; 0: the qualification.
  package let fromStage: Int64
  /// The first seeds of a bracket that start some rounds later; nil: none.
  package let exempt: ExemptSeeds?
  /// Who must agree to corrections in its matches; nil: nobody.
  package let consent: CorrectionConsent?

  /// Stored.
  package enum RepeatedMaximum: Int32, Sendable {
    case none = 0
    case topValue = 1
    case x = 2

    init(_ rules: MatchRules) {
      self = rules.repeatedMaximum.map { $0.isX ? .x : .topValue } ?? .none
    }
  }

  /// The seeds of its groups; empty: a bracket.
  package var groups: [[Int]] { RoundRobin.groups(of: entrantCount, groupCount) }

  /// The round of a match of a group, from 1.
  package func groupRound(of match: MatchRecord) -> Int {
    guard (1...max(1, groupCount)).contains(match.place.roundSize), groupCount > 0 else { return 0 }
    let size = groups[match.place.roundSize - 1].count
    return match.place.index / max(1, size / 2) + 1
  }

  /// The rules that its matches are shot under.
  package var rules: MatchRules {
    let top = face.specification.topValue
    let maximum: ArrowScore? =
      switch repeatedMaximum {
      case .none: nil
      case .topValue: ArrowScore(value: top)
      case .x: ArrowScore(value: top, isX: true)
      }
    return MatchRules(
      form: MatchForm.of(system, onDay: ruleDay), face: face, repeatedMaximum: maximum)
  }
}

/// A match with its cards.
package struct MatchRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let stage: Int64
  package let place: BracketPlace
  package let revision: UInt64
  /// By side; nil: nobody, or not known yet.
  package let seeds: [Int?]
  /// Whether one side has no opponent, and that is final.
  package let isBye: Bool
  package let forfeits: Set<MatchSide>
  package let confirmations: Set<MatchSide>
  /// By side; 0: none.
  package let targets: [UInt32]
  /// 0: not known.
  package let startsAtMilliseconds: Int64
  package internal(set) var cards: [MatchCard] = [MatchCard(), MatchCard()]
  /// The operations that stored the entries of the cards.
  package internal(set) var operations: [CardPlace: (id: Int64, clientID: [UInt8])] = [:]
  /// Who agreed to the corrections that its cards have.
  package internal(set) var witnesses: [CardPlace: CorrectionWitness] = [:]

  /// An entry of a card.
  package struct CardPlace: Sendable, Hashable, Comparable {
    package let side: MatchSide
    package let isShootOff: Bool
    package let index: Int

    package static func < (left: CardPlace, right: CardPlace) -> Bool {
      (left.isShootOff ? 1 : 0, left.index) < (right.isShootOff ? 1 : 0, right.index)
    }
  }

  /// Whether both sides are confirmed, so that the bracket has advanced.
  package var isConfirmed: Bool { confirmations.count == 2 }

  package func score(_ rules: MatchRules) -> MatchScore {
    MatchScore(rules, cards, forfeits: forfeits)
  }

  /// What the bracket takes from it; nil before it is confirmed.
  func result(_ rules: MatchRules) -> BracketResult? {
    guard isConfirmed else { return nil }
    let score = score(rules)
    return BracketResult(
      winner: score.winner, setPoints: score.setPoints, totals: score.totals)
  }

  package static func == (left: MatchRecord, right: MatchRecord) -> Bool {
    left.id == right.id && left.revision == right.revision && left.cards == right.cards
      && left.seeds == right.seeds && left.isBye == right.isBye
      && left.forfeits == right.forfeits && left.confirmations == right.confirmations
      && left.targets == right.targets && left.startsAtMilliseconds == right.startsAtMilliseconds
  }
}

/// An entrant of a stage: an archer or a team.
package struct EntrantRecord: Sendable, Equatable {
  package let seed: Int
  package let participant: Int64
  package let displayName: String
  package let principal: Int64
  package let scorer: Int64
  package let kind: ParticipantRecord.Kind
  /// Of an archer what is shown to who has no part in the event; empty: the name itself.
  package let publicName: String
  /// Of a team, whose participant is 0.
  package let members: [TeamMemberRecord]
}

/// A stage with entrants of it: all, or those of one match.
package struct StageEntrants: Sendable, Equatable {
  package let stage: EliminationStageRecord
  package let entrants: [EntrantRecord]

  package func entrant(_ seed: Int?) -> EntrantRecord? {
    seed.flatMap { seed in entrants.first { $0.seed == seed } }
  }
}

/// A stage with its matches and ranks.
package struct BracketRecord: Sendable, Equatable {
  package let stage: EliminationStageRecord
  package let entrants: [EntrantRecord]
  package let matches: [MatchRecord]
  /// By seed, as far as they are decided; of groups within the group.
  package let ranks: [Int: Int]
  /// The rows of groups by seed; none for a bracket.
  package let rows: [Int: RoundRobin.Row]

  /// The stage with all entrants.
  package var stageEntrants: StageEntrants { StageEntrants(stage: stage, entrants: entrants) }

  package func entrant(_ seed: Int?) -> EntrantRecord? { stageEntrants.entrant(seed) }

  /// Of its entrants and matches.
  package var revision: UInt64 {
    var revision = ContentRevision()
    for entrant in entrants {
      revision.add(entrant.seed)
      revision.add(entrant.participant)
      for member in entrant.members { revision.add(member.participant) }
    }
    for match in matches {
      revision.add(match.id)
      revision.add(match.revision)
    }
    return revision.value
  }
}

/// A match with its stage and the entrants of its two sides.
package struct MatchInBracket: Sendable, Equatable {
  package let match: MatchRecord
  package let bracket: StageEntrants
}

/// The arrows and distances of a card as bytes.
enum CardBytes {
  static func arrows(_ arrows: [ArrowScore]) -> [UInt8] {
    arrows.map { UInt8(truncatingIfNeeded: $0.value) | ($0.isX ? 0x80 : 0) }
  }

  static func arrows(of bytes: [UInt8]) -> [ArrowScore] {
    bytes.map { ArrowScore(value: Int($0 & 0x7F), isX: $0 & 0x80 != 0) }
  }

  static func distances(_ distances: [Int]) -> [UInt8] {
    distances.flatMap { distance in
      withUnsafeBytes(of: UInt32(clamping: distance).bigEndian) { Array($0) }
    }
  }

  static func distances(of bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { first in
      Int(bytes[first..<first + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
  }
}
