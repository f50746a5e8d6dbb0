package import QuiverRules

/// The outcome of one operation.
package struct ScoringOutcome: Sendable {
  package let verdict: Verdict

  /// 0 if it was not stored.
  package let operationID: Int64

  /// The slot's arrow afterwards; nil if the slot was never filled or is not known.
  package let arrow: ScoredArrowRecord?

  /// Why it was refused, conflicts or must wait; nil if it was stored.
  package let refusal: StoreError?

  /// The raw values are those of `quiver.v1.Verdict`.
  package enum Verdict: Int32, Sendable {
    case stored = 1
    case same = 2
    case late = 3
    case notYet = 4
    case conflict = 5
    case refused = 6

    /// The verdict of an operation that an error refuses; nil for failures of the store.
    init?(refusal error: StoreError) {
      switch error.code {
      case .invalidArgument, .notFound, .permissionDenied, .failedPrecondition, .alreadyExists,
        .resourceExhausted:
        self = error.marker == .notYet ? .notYet : .refused
      case .aborted: self = .conflict
      case .cancelled, .deadlineExceeded, .outOfRange, .internalError, .unavailable, .dataLoss,
        .unauthenticated:
        return nil
      }
    }
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

  /// A refusal; the verdict follows from the error's code.
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

  /// The slot has another arrow.
  static func conflict(_ message: String, _ arrow: ScoredArrowRecord?) -> ScoringOutcome {
    ScoringOutcome(
      .conflict, arrow: arrow,
      refusal: StoreError(.aborted, message, current: arrow.map(CurrentObject.arrow)))
  }
}

/// The reply to the calls that score one arrow or one end.
package struct ScoringReply: Sendable {
  /// Stored if any operation was stored.
  package let verdict: ScoringOutcome.Verdict

  /// The arrows in the slots, in the order of the operations.
  package let arrows: [ScoredArrowRecord]
  package let tally: ScoreTally
  package let turn: ScoringTurn

  /// The participant to score next; nil if the scorer has none left.
  package let next: ParticipantRecord?
}

extension ScoringReply {
  /// The reply to a repeated operation on a participant whom the caller may not see any more.
  init(ofHidden verdict: ScoringOutcome.Verdict) {
    self.init(
      verdict: verdict, arrows: [], tally: ScoreTally(),
      turn: ScoringTurn.after(0, endIndex: 0, openInEnd: nil, among: []), next: nil)
  }
}
