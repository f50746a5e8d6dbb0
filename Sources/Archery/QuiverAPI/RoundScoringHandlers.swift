public import QuiverRPC

/// What answers ``Rounds`` about arrows.
public protocol RoundScoringHandlers: Sendable {
  func recordArrow(
    _ request: RecordArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>)
  func recordEnd(
    _ request: RecordEndRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>)
  func correctArrow(
    _ request: CorrectArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>)
  func retractArrow(
    _ request: RetractArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>)
  func applyOperations(
    _ request: ApplyOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>)
}

extension RoundScoringHandlers {
  @inlinable
  public var roundScoringRoutes: [Route] {
    [
      .responding(Rounds.recordArrow, recordArrow),
      .responding(Rounds.recordEnd, recordEnd),
      .responding(Rounds.correctArrow, correctArrow),
      .responding(Rounds.retractArrow, retractArrow),
      .responding(Rounds.applyOperations, applyOperations),
    ]
  }
}
