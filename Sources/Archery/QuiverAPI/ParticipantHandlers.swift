public import QuiverRPC

/// What answers ``Tournament`` about those who take part.
public protocol ParticipantHandlers: Sendable {
  func joinTournament(
    _ request: JoinTournamentRequest, _ call: CallContext, _ responder: Responder<Participant>)
  func addGuest(
    _ request: AddGuestRequest, _ call: CallContext, _ responder: Responder<Participant>)
  func addEntries(
    _ request: AddEntriesRequest, _ call: CallContext, _ responder: Responder<AddEntriesResponse>)
  func listParticipants(
    _ request: ListParticipantsRequest, _ call: CallContext
  ) throws(RPCError) -> ListParticipantsResponse
  func withdrawParticipant(
    _ request: WithdrawParticipantRequest, _ call: CallContext, _ responder: Responder<Participant>)
  func disqualifyParticipant(
    _ request: DisqualifyParticipantRequest, _ call: CallContext,
    _ responder: Responder<Participant>)
  func reinstateParticipant(
    _ request: ReinstateParticipantRequest, _ call: CallContext, _ responder: Responder<Participant>
  )
  func appointScorer(
    _ request: AppointScorerRequest, _ call: CallContext, _ responder: Responder<Scorer>)
  func dismissScorer(
    _ request: DismissScorerRequest, _ call: CallContext,
    _ responder: Responder<DismissScorerResponse>)
  func listScorers(
    _ request: ListScorersRequest, _ call: CallContext
  ) throws(RPCError) -> ListScorersResponse
  func getSpectatorToken(
    _ request: GetSpectatorTokenRequest, _ call: CallContext
  ) throws(RPCError) -> GetSpectatorTokenResponse
}

extension ParticipantHandlers {
  @inlinable
  public var participantRoutes: [Route] {
    [
      .responding(Tournament.joinTournament, joinTournament),
      .responding(Tournament.addGuest, addGuest),
      .responding(Tournament.addEntries, addEntries),
      .synchronous(Tournament.listParticipants, listParticipants),
      .responding(Tournament.withdrawParticipant, withdrawParticipant),
      .responding(Tournament.disqualifyParticipant, disqualifyParticipant),
      .responding(Tournament.reinstateParticipant, reinstateParticipant),
      .responding(Tournament.appointScorer, appointScorer),
      .responding(Tournament.dismissScorer, dismissScorer),
      .synchronous(Tournament.listScorers, listScorers),
      .synchronous(Tournament.getSpectatorToken, getSpectatorToken),
    ]
  }
}
