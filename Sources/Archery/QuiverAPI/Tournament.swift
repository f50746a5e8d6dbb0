package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Tournament`: several archers at one event, and who is ahead.
public enum Tournament {
  public static let createTournament = UnaryMethod<CreateTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/CreateTournament", id: 4609, mutating: true)
  public static let getTournament = UnaryMethod<GetTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/GetTournament", id: 4610)
  /// Newest first (by id).
  public static let listTournaments = UnaryMethod<ListTournamentsRequest, ListTournamentsResponse>(
    "quiver.v1.Tournament/ListTournaments", id: 4611)
  /// By the organiser; the format and the policy are locked from the start on.
  public static let updateTournament = UnaryMethod<UpdateTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/UpdateTournament", id: 4612, mutating: true)
  /// An event that nobody has scored in; others are cancelled.
  public static let deleteTournament = UnaryMethod<
    DeleteTournamentRequest, DeleteTournamentResponse
  >(
    "quiver.v1.Tournament/DeleteTournament", id: 4613, mutating: true)
  /// OPEN to IN_PROGRESS; goes on after a pause.
  public static let startTournament = UnaryMethod<StartTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/StartTournament", id: 4614, mutating: true)
  /// Until it goes on, operations are NOT_YET.
  public static let pauseTournament = UnaryMethod<PauseTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/PauseTournament", id: 4615, mutating: true)
  /// IN_PROGRESS to COMPLETED; what comes later is kept as late.
  public static let finaliseTournament = UnaryMethod<FinaliseTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/FinaliseTournament", id: 4616, mutating: true)
  /// COMPLETED to IN_PROGRESS.
  public static let reopenTournament = UnaryMethod<ReopenTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/ReopenTournament", id: 4617, mutating: true)
  public static let cancelTournament = UnaryMethod<CancelTournamentRequest, TournamentEvent>(
    "quiver.v1.Tournament/CancelTournament", id: 4618, mutating: true)

  /// While OPEN and below capacity; 10 tries of a code a minute and address. Joining again answers
  /// the participant that is there.
  public static let joinTournament = UnaryMethod<JoinTournamentRequest, Participant>(
    "quiver.v1.Tournament/JoinTournament", id: 4624, mutating: true)
  /// By a user who takes part, while OPEN or IN_PROGRESS.
  public static let addGuest = UnaryMethod<AddGuestRequest, Participant>(
    "quiver.v1.Tournament/AddGuest", id: 4625, mutating: true)
  /// By the organiser, without an account, all or none; while OPEN or IN_PROGRESS.
  public static let addEntries = UnaryMethod<AddEntriesRequest, AddEntriesResponse>(
    "quiver.v1.Tournament/AddEntries", id: 4626, mutating: true)
  /// By id.
  public static let listParticipants = UnaryMethod<
    ListParticipantsRequest, ListParticipantsResponse
  >(
    "quiver.v1.Tournament/ListParticipants", id: 4627)
  /// By the participant, who added it, or the organiser.
  public static let withdrawParticipant = UnaryMethod<WithdrawParticipantRequest, Participant>(
    "quiver.v1.Tournament/WithdrawParticipant", id: 4628, mutating: true)
  public static let disqualifyParticipant = UnaryMethod<DisqualifyParticipantRequest, Participant>(
    "quiver.v1.Tournament/DisqualifyParticipant", id: 4629, mutating: true)
  /// By the organiser: a withdrawn or disqualified one is ACTIVE again.
  public static let reinstateParticipant = UnaryMethod<ReinstateParticipantRequest, Participant>(
    "quiver.v1.Tournament/ReinstateParticipant", id: 4630, mutating: true)
  /// By the organiser; the participants that are named are assigned to that scorer alone.
  public static let appointScorer = UnaryMethod<AppointScorerRequest, Scorer>(
    "quiver.v1.Tournament/AppointScorer", id: 4632, mutating: true)
  public static let dismissScorer = UnaryMethod<DismissScorerRequest, DismissScorerResponse>(
    "quiver.v1.Tournament/DismissScorer", id: 4633, mutating: true)
  public static let listScorers = UnaryMethod<ListScorersRequest, ListScorersResponse>(
    "quiver.v1.Tournament/ListScorers", id: 4634)
  /// Answers without a caller: a token that a connection shows to watch this public event, and for
  /// nothing else. Tries count as those of JoinTournament.
  public static let getSpectatorToken = UnaryMethod<
    GetSpectatorTokenRequest, GetSpectatorTokenResponse
  >(
    "quiver.v1.Tournament/GetSpectatorToken", id: 4635, anonymous: true)

  public static let recordArrow = UnaryMethod<RecordArrowRequest, ScoreResponse>(
    "quiver.v1.Tournament/RecordArrow", id: 4640, mutating: true)
  public static let recordEnd = UnaryMethod<RecordEndRequest, ScoreResponse>(
    "quiver.v1.Tournament/RecordEnd", id: 4641, mutating: true)
  public static let correctArrow = UnaryMethod<CorrectArrowRequest, ScoreResponse>(
    "quiver.v1.Tournament/CorrectArrow", id: 4642, mutating: true)
  public static let retractArrow = UnaryMethod<RetractArrowRequest, ScoreResponse>(
    "quiver.v1.Tournament/RetractArrow", id: 4643, mutating: true)
  public static let applyOperations = UnaryMethod<ApplyOperationsRequest, ApplyOperationsResponse>(
    "quiver.v1.Tournament/ApplyOperations", id: 4644, mutating: true)
  /// Batches of operations, each answered in its turn, for as long as the client likes.
  public static let syncOperations = BidirectionalMethod<
    SyncOperationsRequest, SyncOperationsResponse
  >(
    "quiver.v1.Tournament/SyncOperations", id: 4645)
  /// What came after the event was finalised, oldest first; by the organiser.
  public static let listLateOperations = UnaryMethod<
    ListLateOperationsRequest, ListLateOperationsResponse
  >(
    "quiver.v1.Tournament/ListLateOperations", id: 4646)
  /// By the organiser; an operation that cannot be applied any more stays late, with its verdict.
  public static let admitOperations = UnaryMethod<AdmitOperationsRequest, ApplyOperationsResponse>(
    "quiver.v1.Tournament/AdmitOperations", id: 4647, mutating: true)
  public static let rejectOperations = UnaryMethod<
    RejectOperationsRequest, RejectOperationsResponse
  >(
    "quiver.v1.Tournament/RejectOperations", id: 4648, mutating: true)

  public static let getStandings = UnaryMethod<GetStandingsRequest, GetStandingsResponse>(
    "quiver.v1.Tournament/GetStandings", id: 4656)
  public static let rankUnderPolicy = UnaryMethod<RankUnderPolicyRequest, RankUnderPolicyResponse>(
    "quiver.v1.Tournament/RankUnderPolicy", id: 4657)
  public static let explainRank = UnaryMethod<ExplainRankRequest, ExplainRankResponse>(
    "quiver.v1.Tournament/ExplainRank", id: 4658)
  public static let getResults = UnaryMethod<GetResultsRequest, GetResultsResponse>(
    "quiver.v1.Tournament/GetResults", id: 4659)
  public static let listTiePolicies = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesResponse>(
    "quiver.v1.Tournament/ListTiePolicies", id: 4660)
  /// At most 4 messages a second, the latest state wins; also with a spectator's token.
  public static let watchLeaderboard = ServerStreamingMethod<
    WatchLeaderboardRequest, WatchLeaderboardResponse
  >(
    "quiver.v1.Tournament/WatchLeaderboard", id: 4664)
  /// The event and who takes part, without scores; also with a spectator's token.
  public static let watchTournament = ServerStreamingMethod<
    WatchTournamentRequest, WatchTournamentResponse
  >(
    "quiver.v1.Tournament/WatchTournament", id: 4665)

  package static let methods: [MethodInfo] = [
    createTournament.info, getTournament.info, listTournaments.info, updateTournament.info,
    deleteTournament.info, startTournament.info, pauseTournament.info, finaliseTournament.info,
    reopenTournament.info, cancelTournament.info, joinTournament.info, addGuest.info,
    addEntries.info, listParticipants.info, withdrawParticipant.info, disqualifyParticipant.info,
    reinstateParticipant.info, appointScorer.info, dismissScorer.info, listScorers.info,
    getSpectatorToken.info, recordArrow.info, recordEnd.info, correctArrow.info, retractArrow.info,
    applyOperations.info, syncOperations.info, listLateOperations.info, admitOperations.info,
    rejectOperations.info, getStandings.info, rankUnderPolicy.info, explainRank.info,
    getResults.info, listTiePolicies.info, watchLeaderboard.info, watchTournament.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Tournament", number: 18, methods.map(\.schema))
}
