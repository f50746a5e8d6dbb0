public import QuiverRPC

/// What answers ``Tournament`` about arrows.
public protocol TournamentScoringHandlers: Sendable {
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
  func syncOperations(
    _ requests: RequestStream<SyncOperationsRequest>, _ call: CallContext,
    _ replies: ReplyWriter<SyncOperationsResponse>
  ) async throws
  func listLateOperations(
    _ request: ListLateOperationsRequest, _ call: CallContext
  ) throws(RPCError) -> ListLateOperationsResponse
  func admitOperations(
    _ request: AdmitOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>)
  func rejectOperations(
    _ request: RejectOperationsRequest, _ call: CallContext,
    _ responder: Responder<RejectOperationsResponse>)
}

extension TournamentScoringHandlers {
  @inlinable
  public var tournamentScoringRoutes: [Route] {
    [
      .responding(Tournament.recordArrow, recordArrow),
      .responding(Tournament.recordEnd, recordEnd),
      .responding(Tournament.correctArrow, correctArrow),
      .responding(Tournament.retractArrow, retractArrow),
      .responding(Tournament.applyOperations, applyOperations),
      .bidirectional(Tournament.syncOperations, syncOperations),
      .synchronous(Tournament.listLateOperations, listLateOperations),
      .responding(Tournament.admitOperations, admitOperations),
      .responding(Tournament.rejectOperations, rejectOperations),
    ]
  }
}
