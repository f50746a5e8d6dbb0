public import QuiverRPC

/// What answers ``Rounds``.
public protocol RoundsHandlers: RoundScoringHandlers {
  func listFormats(
    _ request: ListFormatsRequest, _ call: CallContext
  ) throws(RPCError) -> ListFormatsResponse
  func getFormat(
    _ request: GetFormatRequest, _ call: CallContext
  ) throws(RPCError) -> RoundFormat
  func createFormat(
    _ request: CreateFormatRequest, _ call: CallContext, _ responder: Responder<RoundFormat>)
  func deleteFormat(
    _ request: DeleteFormatRequest, _ call: CallContext,
    _ responder: Responder<DeleteFormatResponse>)
  func listFaces(
    _ request: ListFacesRequest, _ call: CallContext
  ) throws(RPCError) -> ListFacesResponse
  func createSession(
    _ request: CreateSessionRequest, _ call: CallContext, _ responder: Responder<ShootingSession>)
  func getSession(
    _ request: GetSessionRequest, _ call: CallContext
  ) throws(RPCError) -> ShootingSession
  func listSessions(
    _ request: ListSessionsRequest, _ call: CallContext
  ) throws(RPCError) -> ListSessionsResponse
  func deleteSession(
    _ request: DeleteSessionRequest, _ call: CallContext,
    _ responder: Responder<DeleteSessionResponse>)
  func addSessionGuest(
    _ request: AddSessionGuestRequest, _ call: CallContext, _ responder: Responder<ShootingSession>)
  func setRoundStatus(
    _ request: SetRoundStatusRequest, _ call: CallContext, _ responder: Responder<Round>)
  func getScorecard(
    _ request: GetScorecardRequest, _ call: CallContext
  ) throws(RPCError) -> Scorecard
  func setRoundSetup(
    _ request: SetRoundSetupRequest, _ call: CallContext, _ responder: Responder<Round>)
}

extension RoundsHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .synchronous(Rounds.listFormats, listFormats),
      .synchronous(Rounds.getFormat, getFormat),
      .responding(Rounds.createFormat, createFormat),
      .responding(Rounds.deleteFormat, deleteFormat),
      .synchronous(Rounds.listFaces, listFaces),
      .responding(Rounds.createSession, createSession),
      .synchronous(Rounds.getSession, getSession),
      .synchronous(Rounds.listSessions, listSessions),
      .responding(Rounds.deleteSession, deleteSession),
      .responding(Rounds.addSessionGuest, addSessionGuest),
      .responding(Rounds.setRoundStatus, setRoundStatus),
      .synchronous(Rounds.getScorecard, getScorecard),
      .responding(Rounds.setRoundSetup, setRoundSetup),
    ] + roundScoringRoutes
  }
}
