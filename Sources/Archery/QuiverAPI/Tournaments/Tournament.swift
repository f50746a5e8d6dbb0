public import QuiverRPC

/// `quiver.v1.Tournament`: several archers at one event, and who is ahead.
public enum Tournament: RPCService {
  public struct Methods: Sendable {
    public let createTournament = UnaryMethod<CreateTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/CreateTournament", id: 4609, mutating: true)
    public let getTournament = UnaryMethod<GetTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/GetTournament", id: 4610)
    /// Newest first (by id).
    public let listTournaments = UnaryMethod<ListTournamentsRequest, ListTournamentsResponse>(
      "quiver.v1.Tournament/ListTournaments", id: 4611)
    /// By the organiser; the format and the policy are locked from the start on.
    public let updateTournament = UnaryMethod<UpdateTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/UpdateTournament", id: 4612, mutating: true)
    /// An event that nobody has scored in; others are cancelled.
    public let deleteTournament = UnaryMethod<
      DeleteTournamentRequest, DeleteTournamentResponse
    >(
      "quiver.v1.Tournament/DeleteTournament", id: 4613, mutating: true)
    /// OPEN to IN_PROGRESS; goes on after a pause.
    public let startTournament = UnaryMethod<StartTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/StartTournament", id: 4614, mutating: true)
    /// Until it goes on, operations are NOT_YET.
    public let pauseTournament = UnaryMethod<PauseTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/PauseTournament", id: 4615, mutating: true)
    /// IN_PROGRESS to COMPLETED; what comes later is kept as late.
    public let finaliseTournament = UnaryMethod<FinaliseTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/FinaliseTournament", id: 4616, mutating: true)
    /// COMPLETED to IN_PROGRESS.
    public let reopenTournament = UnaryMethod<ReopenTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/ReopenTournament", id: 4617, mutating: true)
    public let cancelTournament = UnaryMethod<CancelTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/CancelTournament", id: 4618, mutating: true)

    /// While OPEN and below capacity; 10 tries of a code a minute and address. Joining again
    /// answers the participant that is there.
    public let joinTournament = UnaryMethod<JoinTournamentRequest, Participant>(
      "quiver.v1.Tournament/JoinTournament", id: 4624, mutating: true)
    /// By a user who takes part, while OPEN or IN_PROGRESS.
    public let addGuest = UnaryMethod<AddGuestRequest, Participant>(
      "quiver.v1.Tournament/AddGuest", id: 4625, mutating: true)
    /// By the organiser, without an account, all or none; while OPEN or IN_PROGRESS.
    public let addEntries = UnaryMethod<AddEntriesRequest, AddEntriesResponse>(
      "quiver.v1.Tournament/AddEntries", id: 4626, mutating: true)
    /// By id.
    public let listParticipants = UnaryMethod<
      ListParticipantsRequest, ListParticipantsResponse
    >(
      "quiver.v1.Tournament/ListParticipants", id: 4627)
    /// By the participant, who added it, or the organiser.
    public let withdrawParticipant = UnaryMethod<WithdrawParticipantRequest, Participant>(
      "quiver.v1.Tournament/WithdrawParticipant", id: 4628, mutating: true)
    public let disqualifyParticipant = UnaryMethod<DisqualifyParticipantRequest, Participant>(
      "quiver.v1.Tournament/DisqualifyParticipant", id: 4629, mutating: true)
    /// By the organiser: a withdrawn or disqualified one is ACTIVE again.
    public let reinstateParticipant = UnaryMethod<ReinstateParticipantRequest, Participant>(
      "quiver.v1.Tournament/ReinstateParticipant", id: 4630, mutating: true)
    /// By the organiser; the participants that are named are assigned to that scorer alone.
    public let appointScorer = UnaryMethod<AppointScorerRequest, Scorer>(
      "quiver.v1.Tournament/AppointScorer", id: 4632, mutating: true)
    public let dismissScorer = UnaryMethod<DismissScorerRequest, DismissScorerResponse>(
      "quiver.v1.Tournament/DismissScorer", id: 4633, mutating: true)
    public let listScorers = UnaryMethod<ListScorersRequest, ListScorersResponse>(
      "quiver.v1.Tournament/ListScorers", id: 4634)
    /// Answers without a caller: a token that a connection shows to watch this public event, and
    /// for nothing else. Tries count as those of JoinTournament.
    public let getSpectatorToken = UnaryMethod<
      GetSpectatorTokenRequest, GetSpectatorTokenResponse
    >(
      "quiver.v1.Tournament/GetSpectatorToken", id: 4635, anonymous: true)

    public let recordArrow = UnaryMethod<RecordArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/RecordArrow", id: 4640, mutating: true)
    public let recordEnd = UnaryMethod<RecordEndRequest, ScoreResponse>(
      "quiver.v1.Tournament/RecordEnd", id: 4641, mutating: true)
    public let correctArrow = UnaryMethod<CorrectArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/CorrectArrow", id: 4642, mutating: true)
    public let retractArrow = UnaryMethod<RetractArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/RetractArrow", id: 4643, mutating: true)
    public let applyOperations = UnaryMethod<ApplyOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Tournament/ApplyOperations", id: 4644, mutating: true)
    /// Batches of operations, each answered in its turn, for as long as the client likes.
    public let syncOperations = BidirectionalMethod<
      SyncOperationsRequest, SyncOperationsResponse
    >(
      "quiver.v1.Tournament/SyncOperations", id: 4645)
    /// What came after the event was finalised, oldest first; by the organiser.
    public let listLateOperations = UnaryMethod<
      ListLateOperationsRequest, ListLateOperationsResponse
    >(
      "quiver.v1.Tournament/ListLateOperations", id: 4646)
    /// By the organiser; an operation that cannot be applied any more stays late, with its verdict.
    public let admitOperations = UnaryMethod<AdmitOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Tournament/AdmitOperations", id: 4647, mutating: true)
    public let rejectOperations = UnaryMethod<
      RejectOperationsRequest, RejectOperationsResponse
    >(
      "quiver.v1.Tournament/RejectOperations", id: 4648, mutating: true)

    public let getStandings = UnaryMethod<GetStandingsRequest, GetStandingsResponse>(
      "quiver.v1.Tournament/GetStandings", id: 4656)
    public let rankUnderPolicy = UnaryMethod<RankUnderPolicyRequest, RankUnderPolicyResponse>(
      "quiver.v1.Tournament/RankUnderPolicy", id: 4657)
    public let explainRank = UnaryMethod<ExplainRankRequest, ExplainRankResponse>(
      "quiver.v1.Tournament/ExplainRank", id: 4658)
    public let getResults = UnaryMethod<GetResultsRequest, GetResultsResponse>(
      "quiver.v1.Tournament/GetResults", id: 4659)
    public let listTiePolicies = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesResponse>(
      "quiver.v1.Tournament/ListTiePolicies", id: 4660)
    /// At most 4 messages a second, the latest state wins; also with a spectator's token.
    public let watchLeaderboard = ServerStreamingMethod<
      WatchLeaderboardRequest, WatchLeaderboardResponse
    >(
      "quiver.v1.Tournament/WatchLeaderboard", id: 4664)
    /// The event and who takes part, without scores; also with a spectator's token.
    public let watchTournament = ServerStreamingMethod<
      WatchTournamentRequest, WatchTournamentResponse
    >(
      "quiver.v1.Tournament/WatchTournament", id: 4665)
  }

  public static let methods = Methods()
}
