public import QuiverRPC

/// What answers ``Tournament``.
public protocol TournamentHandlers: ParticipantHandlers, TournamentScoringHandlers,
  StandingsHandlers
{
  func createTournament(
    _ request: CreateTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  )
  func getTournament(
    _ request: GetTournamentRequest, _ call: CallContext
  ) throws(RPCError) -> TournamentEvent
  func listTournaments(
    _ request: ListTournamentsRequest, _ call: CallContext
  ) throws(RPCError) -> ListTournamentsResponse
  func updateTournament(
    _ request: UpdateTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  )
  func deleteTournament(
    _ request: DeleteTournamentRequest, _ call: CallContext,
    _ responder: Responder<DeleteTournamentResponse>)
  func startTournament(
    _ request: StartTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>)
  func pauseTournament(
    _ request: PauseTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>)
  func finaliseTournament(
    _ request: FinaliseTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>)
  func reopenTournament(
    _ request: ReopenTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  )
  func cancelTournament(
    _ request: CancelTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  )
}

extension TournamentHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .responding(Tournament.createTournament, createTournament),
      .synchronous(Tournament.getTournament, getTournament),
      .synchronous(Tournament.listTournaments, listTournaments),
      .responding(Tournament.updateTournament, updateTournament),
      .responding(Tournament.deleteTournament, deleteTournament),
      .responding(Tournament.startTournament, startTournament),
      .responding(Tournament.pauseTournament, pauseTournament),
      .responding(Tournament.finaliseTournament, finaliseTournament),
      .responding(Tournament.reopenTournament, reopenTournament),
      .responding(Tournament.cancelTournament, cancelTournament),
    ] + participantRoutes + tournamentScoringRoutes + standingsRoutes
  }
}
