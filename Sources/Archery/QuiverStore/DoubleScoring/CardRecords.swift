package import QuiverRules

/// What a participant has besides its arrows; the raw values are stored.
enum CardState: Int64, Sendable {
  /// Neither a second card nor a confirmation.
  case none = 0
  case open = 1
  /// Archer and scorer have confirmed.
  case confirmed = 2
}

/// How the two cards of an end compare; the raw values are those of `quiver.v1.CardEndState`, and
/// are stored.
package enum CardEndState: Int32, Sendable {
  /// The first card does not have all arrows of the end.
  case waiting = 1
  case agreed = 2
  case disputed = 3
  /// By a judge, or by the rule set after both confirmations.
  case ruled = 4
}

/// Who confirms a card; the raw values are those of `quiver.v1.CardRole`, and are stored.
package enum CardRole: Int32, Sendable, CaseIterable {
  case archer = 1
  case scorer = 2

  /// The bit of a stored set.
  fileprivate var bit: Int64 { 1 << Int64(rawValue - 1) }

  static func roles(of bits: Int64) -> Set<CardRole> {
    Set(allCases.filter { bits & $0.bit != 0 })
  }

  static func bits(of roles: Set<CardRole>) -> Int64 { roles.reduce(0) { $0 | $1.bit } }
}

/// How far the card of a participant is checked.
package struct CardSummary: Sendable, Equatable {
  package let participant: Int64
  package let event: Int64
  /// Counts the changes, except those of arrows.
  package let revision: Int64
  /// Operations on the second card.
  package let operationCount: Int64
  /// Ends of the round.
  package let endCount: Int
  /// Ends of the second card, and how they compare.
  package let ends: Int
  package let agreed: Int
  package let disputed: Int
  package let ruled: Int
  package let confirmations: Set<CardRole>
  /// The sums on paper; nil: none were typed.
  package let paper: TypedScore?
  /// By what the sums on paper are lower than the card and its distances, once they count.
  package let deduction: SumDeduction
  /// When the rule set decided.
  package let decidedAtMilliseconds: Int64

  /// The raw values are those of `quiver.v1.CardStatus`.
  package enum Status: Int32, Sendable {
    /// There is one card, or the two are not compared in all ends, or differ.
    case provisional = 1
    /// The two cards agree in all ends of the round, or a judge has ruled.
    case agreed = 2
    case confirmed = 3
  }

  package var status: Status {
    if confirmations.count == CardRole.allCases.count { return .confirmed }
    return endCount > 0 && agreed + ruled == endCount ? .agreed : .provisional
  }
}

/// An end of a second card.
package struct CardEndRecord: Sendable, Equatable {
  package let index: Int
  package let arrows: [ArrowScore]
  package let state: CardEndState
  package let operationID: Int64
  package let operationClientID: [UInt8]
  /// 0: none, or the rule set.
  package let ruledBy: Int64
  package let ruledByName: String
  package let ruledAtMilliseconds: Int64
  package let reason: String
  /// Who agreed to the correction that it has; nil: nobody was named.
  package internal(set) var witness: CorrectionWitness?
}

/// Who confirmed a card.
package struct CardConfirmationRecord: Sendable, Equatable {
  package let role: CardRole
  package let principal: Int64
  package let displayName: String
  package let atMilliseconds: Int64
  /// A drawing; nil: none.
  package let signature: [UInt8]?
  /// The number of a distance, from 1; 0: the whole card.
  package let part: Int
}

/// Both cards of a participant.
package struct ComparedCardRecord: Sendable, Equatable {
  package let participant: ParticipantRecord
  /// Changes with each operation that is applied to one of the cards, and with each ruling,
  /// confirmation and total on paper.
  package let revision: Int64
  /// Of the first card: by slot, without retracted ones.
  package let arrows: [ScoredArrowRecord]
  /// Of the second card.
  package let ends: [CardEndRecord]
  /// Nil: there is neither a second card nor a confirmation.
  package let summary: CardSummary?
  package let confirmations: [CardConfirmationRecord]
  /// The rule of the event for cards that differ.
  package let rule: String
  /// The parts of the card, each by arrows or typed.
  package var parts: [CardPart] = []
  /// Who must agree to corrections; nil: nobody.
  package var consent: CorrectionConsent?
  /// What the archer owes after equipment failures, by end.
  package var owed: [OwedArrows] = []

  /// Whether a sum of the whole card on paper is another one than that which counts after its
  /// distances, or, while arrows are missing, a lower one.
  package var differsFromPaper: Bool {
    guard let paper = summary?.paper else { return false }
    let sums = parts.map { $0.sums.without($0.distance?.deduction ?? SumDeduction()) }
    return TypedScore.sum(of: sums).exceeds(paper, isComplete: parts.allSatisfy(\.isComplete))
  }

  /// Without the arrows of the second card.
  var withoutSecond: ComparedCardRecord {
    ComparedCardRecord(
      participant: participant, revision: revision, arrows: arrows, ends: [], summary: summary,
      confirmations: confirmations, rule: rule, parts: parts, consent: consent, owed: owed)
  }

  /// The ids alone, for who may not see the event any more.
  var hidden: ComparedCardRecord {
    let shown = ParticipantRecord(
      id: participant.id, sessionID: participant.sessionID, clientID: [], kind: participant.kind,
      principal: 0, scorer: 0, status: .active, displayName: "", joinedAtMilliseconds: 0,
      lastActiveAtMilliseconds: 0, tally: ScoreTally(), nextEnd: 0)
    return ComparedCardRecord(
      participant: shown, revision: 0, arrows: [], ends: [], summary: nil, confirmations: [],
      rule: "")
  }
}

/// An end on which two cards differ.
package struct CardDisputeRecord: Sendable, Equatable {
  package let entry: EventEntryRecord
  package let index: Int
  package let first: [ArrowScore]
  package let second: [ArrowScore]
}
