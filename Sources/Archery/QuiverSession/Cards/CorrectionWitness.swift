import QuiverAPI
import QuiverProtobuf

/// Who agreed to the correction of an end that has all its arrows.
///
/// An event may demand one (``ScoringModel/correctionConsent``,
/// ``SecondCardModel/correctionConsent``, ``MatchModel/correctionConsent``); organisers and judges
/// need none.
public enum CorrectionWitness: Sendable, Hashable {
  /// Another participant of the event, by the id that the server assigned.
  case participant(Int64)
  /// An organiser or a judge of the event, by the id of the account.
  case judge(Int64)

  fileprivate var ids: (witness: Int64, judge: Int64) {
    switch self {
    case .participant(let id): (id, 0)
    case .judge(let id): (0, id)
    }
  }
}

extension ScoringOperation {
  /// Names who agreed; nil leaves what is named. A record has nobody who agrees to it.
  mutating func name(_ witness: CorrectionWitness?) {
    guard let witness, kind != .record else { return }
    (witnessID, judgeID) = witness.ids
  }
}

extension CardOperation {
  /// Names who agreed; nil leaves what is named. What replaces nothing has nobody who agrees to it.
  mutating func name(_ witness: CorrectionWitness?) {
    guard let witness, !replacesClientID.isEmpty else { return }
    (witnessID, judgeID) = witness.ids
  }
}

extension MatchOperation {
  /// Names who agreed; nil leaves what is named. What replaces nothing has nobody who agrees to it.
  mutating func name(_ witness: CorrectionWitness?) {
    guard let witness, !replacesClientID.isEmpty else { return }
    (witnessID, judgeID) = witness.ids
  }
}

extension OutboxRow {
  /// Names who agreed to the correction that waits; other changes stay as they are.
  mutating func name(_ witness: CorrectionWitness?) throws(SessionError) {
    guard witness != nil else { return }
    switch action {
    case .score:
      var operation = try operation()
      operation.name(witness)
      request = operation.serializedBytes()
    case .cardEnd:
      var operation = try cardOperation()
      operation.name(witness)
      request = operation.serializedBytes()
    case .matchEnd:
      var operation = try matchOperation()
      operation.name(witness)
      request = operation.serializedBytes()
    default: return
    }
  }
}
