import QuiverAPI
import QuiverRPC
import QuiverWire

/// Answers `quiver.v1.Rounds`.
struct RoundsService: RoundsHandlers {
  let commands: CommandCalls

  func listFormats(
    _ request: ListFormatsRequest, _ call: CallContext
  ) throws(RPCError) -> ListFormatsResponse { throw .unanswered }
  func getFormat(
    _ request: GetFormatRequest, _ call: CallContext
  ) throws(RPCError) -> RoundFormat { throw .unanswered }
  func createFormat(
    _ request: CreateFormatRequest, _ call: CallContext, _ responder: Responder<RoundFormat>
  ) { responder.fail(.unanswered) }
  func deleteFormat(
    _ request: DeleteFormatRequest, _ call: CallContext,
    _ responder: Responder<DeleteFormatResponse>
  ) { responder.fail(.unanswered) }
  func listFaces(
    _ request: ListFacesRequest, _ call: CallContext
  ) throws(RPCError) -> ListFacesResponse { throw .unanswered }
  func createSession(
    _ request: CreateSessionRequest, _ call: CallContext, _ responder: Responder<ShootingSession>
  ) { responder.fail(.unanswered) }
  func getSession(
    _ request: GetSessionRequest, _ call: CallContext
  ) throws(RPCError) -> ShootingSession { throw .unanswered }
  func listSessions(
    _ request: ListSessionsRequest, _ call: CallContext
  ) throws(RPCError) -> ListSessionsResponse { throw .unanswered }
  func deleteSession(
    _ request: DeleteSessionRequest, _ call: CallContext,
    _ responder: Responder<DeleteSessionResponse>
  ) { responder.fail(.unanswered) }
  func addSessionGuest(
    _ request: AddSessionGuestRequest, _ call: CallContext, _ responder: Responder<ShootingSession>
  ) { responder.fail(.unanswered) }
  func setRoundStatus(
    _ request: SetRoundStatusRequest, _ call: CallContext, _ responder: Responder<Round>
  ) { responder.fail(.unanswered) }
  func getScorecard(
    _ request: GetScorecardRequest, _ call: CallContext
  ) throws(RPCError) -> Scorecard { throw .unanswered }
  func setRoundSetup(
    _ request: SetRoundSetupRequest, _ call: CallContext, _ responder: Responder<Round>
  ) { responder.fail(.unanswered) }
  func recordArrow(
    _ request: RecordArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) { responder.fail(.unanswered) }
  func recordEnd(
    _ request: RecordEndRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) { responder.fail(.unanswered) }
  func correctArrow(
    _ request: CorrectArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) { responder.fail(.unanswered) }
  func retractArrow(
    _ request: RetractArrowRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) { responder.fail(.unanswered) }
  func applyOperations(
    _ request: ApplyOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>
  ) { responder.fail(.unanswered) }
}

extension RPCError {
  /// A call that this server does not answer yet.
  static let unanswered = RPCError(.unimplemented, "this server does not answer this call yet")
}
