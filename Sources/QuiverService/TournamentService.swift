import QuiverAPI
import QuiverRPC

/// Answers `quiver.v1.Tournament`.
struct TournamentService: TournamentHandlers {
  let commands: CommandCalls

  func createTournament(
    _ request: CreateTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func getTournament(
    _ request: GetTournamentRequest, _ call: CallContext
  ) throws(RPCError) -> TournamentEvent { throw .unanswered }
  func listTournaments(
    _ request: ListTournamentsRequest, _ call: CallContext
  ) throws(RPCError) -> ListTournamentsResponse { throw .unanswered }
  func updateTournament(
    _ request: UpdateTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func deleteTournament(
    _ request: DeleteTournamentRequest, _ call: CallContext,
    _ responder: Responder<DeleteTournamentResponse>
  ) { responder.fail(.unanswered) }
  func startTournament(
    _ request: StartTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func pauseTournament(
    _ request: PauseTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func finaliseTournament(
    _ request: FinaliseTournamentRequest, _ call: CallContext,
    _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func reopenTournament(
    _ request: ReopenTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func cancelTournament(
    _ request: CancelTournamentRequest, _ call: CallContext, _ responder: Responder<TournamentEvent>
  ) { responder.fail(.unanswered) }
  func joinTournament(
    _ request: JoinTournamentRequest, _ call: CallContext, _ responder: Responder<Participant>
  ) { responder.fail(.unanswered) }
  func addGuest(
    _ request: AddGuestRequest, _ call: CallContext, _ responder: Responder<Participant>
  ) { responder.fail(.unanswered) }
  func addEntries(
    _ request: AddEntriesRequest, _ call: CallContext, _ responder: Responder<AddEntriesResponse>
  ) { responder.fail(.unanswered) }
  func listParticipants(
    _ request: ListParticipantsRequest, _ call: CallContext
  ) throws(RPCError) -> ListParticipantsResponse { throw .unanswered }
  func withdrawParticipant(
    _ request: WithdrawParticipantRequest, _ call: CallContext, _ responder: Responder<Participant>
  ) { responder.fail(.unanswered) }
  func disqualifyParticipant(
    _ request: DisqualifyParticipantRequest, _ call: CallContext,
    _ responder: Responder<Participant>
  ) { responder.fail(.unanswered) }
  func reinstateParticipant(
    _ request: ReinstateParticipantRequest, _ call: CallContext, _ responder: Responder<Participant>
  ) { responder.fail(.unanswered) }
  func appointScorer(
    _ request: AppointScorerRequest, _ call: CallContext, _ responder: Responder<Scorer>
  ) { responder.fail(.unanswered) }
  func dismissScorer(
    _ request: DismissScorerRequest, _ call: CallContext,
    _ responder: Responder<DismissScorerResponse>
  ) { responder.fail(.unanswered) }
  func listScorers(
    _ request: ListScorersRequest, _ call: CallContext
  ) throws(RPCError) -> ListScorersResponse { throw .unanswered }
  func getSpectatorToken(
    _ request: GetSpectatorTokenRequest, _ call: CallContext
  ) throws(RPCError) -> GetSpectatorTokenResponse { throw .unanswered }
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
  func listLateOperations(
    _ request: ListLateOperationsRequest, _ call: CallContext
  ) throws(RPCError) -> ListLateOperationsResponse { throw .unanswered }
  func admitOperations(
    _ request: AdmitOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>
  ) { responder.fail(.unanswered) }
  func rejectOperations(
    _ request: RejectOperationsRequest, _ call: CallContext,
    _ responder: Responder<RejectOperationsResponse>
  ) { responder.fail(.unanswered) }
  func getStandings(
    _ request: GetStandingsRequest, _ call: CallContext
  ) async throws -> GetStandingsResponse { throw RPCError.unanswered }
  func rankUnderPolicy(
    _ request: RankUnderPolicyRequest, _ call: CallContext
  ) async throws -> RankUnderPolicyResponse { throw RPCError.unanswered }
  func explainRank(
    _ request: ExplainRankRequest, _ call: CallContext
  ) async throws -> ExplainRankResponse { throw RPCError.unanswered }
  func getResults(
    _ request: GetResultsRequest, _ call: CallContext
  ) async throws -> GetResultsResponse { throw RPCError.unanswered }
  func listTiePolicies(
    _ request: ListTiePoliciesRequest, _ call: CallContext
  ) throws(RPCError) -> ListTiePoliciesResponse { throw .unanswered }
}
