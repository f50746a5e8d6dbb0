package import QuiverRules

/// What became of one operation.
package struct ScoringOutcome: Sendable {
  package let verdict: Verdict

  /// 0: it was not kept.
  package let operationID: Int64

  /// What stands in its slot afterwards; nil where that was never filled, or is not known.
  package let arrow: ScoredArrowRecord?

  /// Why it was refused, is a conflict, or must wait; nil where it was stored.
  package let refusal: StoreError?

  /// The raw values are those of `quiver.v1.Verdict`.
  package enum Verdict: Int32, Sendable {
    case stored = 1
    case same = 2
    case late = 3
    case notYet = 4
    case conflict = 5
    case refused = 6
  }

  init(
    _ verdict: Verdict, operationID: Int64 = 0, arrow: ScoredArrowRecord? = nil,
    refusal: StoreError? = nil
  ) {
    self.verdict = verdict
    self.operationID = operationID
    self.arrow = arrow
    self.refusal = refusal
  }

  /// A refusal of the kind that its code says.
  static func refused(_ error: StoreError) -> ScoringOutcome {
    ScoringOutcome(.refused, refusal: error)
  }

  /// The operation depends on an operation or a state that the store does not have; the client
  /// sends it again later.
  static func notYet(_ message: String, field: String) -> ScoringOutcome {
    ScoringOutcome(
      .notYet,
      refusal: StoreError(.failedPrecondition, message, field: field, marker: .notYet))
  }

  /// Something else stands in the slot.
  static func conflict(_ message: String, _ arrow: ScoredArrowRecord?) -> ScoringOutcome {
    ScoringOutcome(
      .conflict, arrow: arrow,
      refusal: StoreError(.aborted, message, current: arrow.map(CurrentObject.arrow)))
  }
}

/// What the calls of one arrow or one end answer.
package struct ScoringReply: Sendable {
  /// Stored where any of them was.
  package let verdict: ScoringOutcome.Verdict

  /// What stands in the slots, in the order of the operations.
  package let arrows: [ScoredArrowRecord]
  package let tally: ScoreTally
  package let turn: ScoringTurn

  /// Whose turn it is; nil where the scorer is done.
  package let next: ParticipantRecord?
}
