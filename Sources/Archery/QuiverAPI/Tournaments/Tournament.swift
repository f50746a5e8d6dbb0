public import QuiverRPC

/// The service `quiver.v1.Tournament`: events of many archers, their scores, standings and results.
///
/// A user may score for themself and for the guests that they added, the organiser for all
/// participants, and an appointed scorer for the participants assigned to them. Anyone else is
/// PERMISSION_DENIED, and nothing changes. A private event is NOT_FOUND for callers who have no
/// part in it.
public enum Tournament: RPCService {
  /// The methods of ``Tournament``.
  public struct Methods: Sendable {
    /// Creates an event with the caller as its organiser; at most 5,000 per principal.
    public let createTournament = UnaryMethod<CreateTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/CreateTournament", id: 4609, mutating: true)
    /// Returns one event that the caller may see.
    public let getTournament = UnaryMethod<GetTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/GetTournament", id: 4610)
    /// Lists the caller's events, or all public ones, newest first (by id).
    public let listTournaments = UnaryMethod<ListTournamentsRequest, ListTournamentsResponse>(
      "quiver.v1.Tournament/ListTournaments", id: 4611)
    /// Changes the fields of an event that the mask names; by the organiser. The format and the
    /// policy cannot be changed after the start.
    public let updateTournament = UnaryMethod<UpdateTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/UpdateTournament", id: 4612, mutating: true)
    /// Deletes an event without scores. Other events can be cancelled.
    public let deleteTournament = UnaryMethod<
      DeleteTournamentRequest, DeleteTournamentResponse
    >(
      "quiver.v1.Tournament/DeleteTournament", id: 4613, mutating: true)
    /// Starts an open event, or resumes a paused one; by the organiser. An open event in which
    /// nobody takes part is FAILED_PRECONDITION with ``OpenEventSteps``, unless `anyway` is set.
    public let startTournament = UnaryMethod<StartTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/StartTournament", id: 4614, mutating: true)
    /// Pauses an event; by the organiser. Operations are ``Verdict/notYet`` until the event
    /// resumes. A pause of the shooting, in which arrows are still entered, is
    /// `Events.PauseShooting`.
    public let pauseTournament = UnaryMethod<PauseTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/PauseTournament", id: 4615, mutating: true)
    /// Finalises an event in progress; by the organiser. Later operations are stored as late.
    /// Matches without confirmation, missing second cards, cards without confirmation, ends in
    /// dispute and late operations, each where the event has any, and an event without
    /// participants are FAILED_PRECONDITION with ``OpenEventSteps``, unless `anyway` is set. Arrows
    /// that were not shot are no obstacle.
    public let finaliseTournament = UnaryMethod<FinaliseTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/FinaliseTournament", id: 4616, mutating: true)
    /// Reopens a finalised event; by the organiser.
    public let reopenTournament = UnaryMethod<ReopenTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/ReopenTournament", id: 4617, mutating: true)
    /// Cancels an event; by the organiser.
    public let cancelTournament = UnaryMethod<CancelTournamentRequest, TournamentEvent>(
      "quiver.v1.Tournament/CancelTournament", id: 4618, mutating: true)

    /// Joins an event while it is open and below capacity. After 10 failed codes within a minute,
    /// further ones of the address are RESOURCE_EXHAUSTED. Joining again returns the existing
    /// participant.
    public let joinTournament = UnaryMethod<JoinTournamentRequest, Participant>(
      "quiver.v1.Tournament/JoinTournament", id: 4624, mutating: true)
    /// Adds a guest of a participating user, while the event is open or in progress.
    public let addGuest = UnaryMethod<AddGuestRequest, Participant>(
      "quiver.v1.Tournament/AddGuest", id: 4625, mutating: true)
    /// Adds participants without an account, all or none, while the event is open or in progress;
    /// by the organiser.
    public let addEntries = UnaryMethod<AddEntriesRequest, AddEntriesResponse>(
      "quiver.v1.Tournament/AddEntries", id: 4626, mutating: true)
    /// Lists participants by id.
    public let listParticipants = UnaryMethod<
      ListParticipantsRequest, ListParticipantsResponse
    >(
      "quiver.v1.Tournament/ListParticipants", id: 4627)
    /// Withdraws a participant; by the participant, the user who added it, or the organiser.
    public let withdrawParticipant = UnaryMethod<WithdrawParticipantRequest, Participant>(
      "quiver.v1.Tournament/WithdrawParticipant", id: 4628, mutating: true)
    /// Disqualifies a participant; by the organiser.
    public let disqualifyParticipant = UnaryMethod<DisqualifyParticipantRequest, Participant>(
      "quiver.v1.Tournament/DisqualifyParticipant", id: 4629, mutating: true)
    /// Makes a withdrawn or disqualified participant active again; by the organiser.
    public let reinstateParticipant = UnaryMethod<ReinstateParticipantRequest, Participant>(
      "quiver.v1.Tournament/ReinstateParticipant", id: 4630, mutating: true)
    /// Allows a principal to score the named participants, which are assigned to this scorer only;
    /// by the organiser.
    public let appointScorer = UnaryMethod<AppointScorerRequest, Scorer>(
      "quiver.v1.Tournament/AppointScorer", id: 4632, mutating: true)
    /// Ends the appointment of a scorer; by the organiser.
    public let dismissScorer = UnaryMethod<DismissScorerRequest, DismissScorerResponse>(
      "quiver.v1.Tournament/DismissScorer", id: 4633, mutating: true)
    /// Lists all scorers of an event.
    public let listScorers = UnaryMethod<ListScorersRequest, ListScorersResponse>(
      "quiver.v1.Tournament/ListScorers", id: 4634)
    /// Returns a token for connections that only watch this public event, the same for an address
    /// within a minute. It needs no token. Failed codes count with those of ``joinTournament``.
    public let getSpectatorToken = UnaryMethod<
      GetSpectatorTokenRequest, GetSpectatorTokenResponse
    >(
      "quiver.v1.Tournament/GetSpectatorToken", id: 4635, anonymous: true)

    /// Stores one arrow. A slot with another value is ABORTED with the ``ScoredArrow`` as a detail.
    public let recordArrow = UnaryMethod<RecordArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/RecordArrow", id: 4640, mutating: true)
    /// Stores the arrows of one end: all of them or none.
    public let recordEnd = UnaryMethod<RecordEndRequest, ScoreResponse>(
      "quiver.v1.Tournament/RecordEnd", id: 4641, mutating: true)
    /// Replaces the value of a filled slot.
    public let correctArrow = UnaryMethod<CorrectArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/CorrectArrow", id: 4642, mutating: true)
    /// Empties a filled slot.
    public let retractArrow = UnaryMethod<RetractArrowRequest, ScoreResponse>(
      "quiver.v1.Tournament/RetractArrow", id: 4643, mutating: true)
    /// Applies up to 1,000 operations, each with a verdict of its own.
    public let applyOperations = UnaryMethod<ApplyOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Tournament/ApplyOperations", id: 4644, mutating: true)
    /// Applies batches of operations, each answered in order, until the client ends the stream.
    public let syncOperations = BidirectionalMethod<
      SyncOperationsRequest, SyncOperationsResponse
    >(
      "quiver.v1.Tournament/SyncOperations", id: 4645, mutating: true)
    /// Lists the operations that arrived after the event was finalised, oldest first; by the
    /// organiser.
    public let listLateOperations = UnaryMethod<
      ListLateOperationsRequest, ListLateOperationsResponse
    >(
      "quiver.v1.Tournament/ListLateOperations", id: 4646)
    /// Applies late operations; by the organiser. An operation that can no longer be applied stays
    /// late, with its verdict.
    public let admitOperations = UnaryMethod<AdmitOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Tournament/AdmitOperations", id: 4647, mutating: true)
    /// Rejects late operations; by the organiser.
    public let rejectOperations = UnaryMethod<
      RejectOperationsRequest, RejectOperationsResponse
    >(
      "quiver.v1.Tournament/RejectOperations", id: 4648, mutating: true)

    /// Returns the ranked participants, now or at a time, under the event's policy or another.
    public let getStandings = UnaryMethod<GetStandingsRequest, GetStandingsResponse>(
      "quiver.v1.Tournament/GetStandings", id: 4656)
    /// Returns the rows whose rank differs under another policy.
    public let rankUnderPolicy = UnaryMethod<RankUnderPolicyRequest, RankUnderPolicyResponse>(
      "quiver.v1.Tournament/RankUnderPolicy", id: 4657)
    /// Returns the first key by which one participant is above another.
    public let explainRank = UnaryMethod<ExplainRankRequest, ExplainRankResponse>(
      "quiver.v1.Tournament/ExplainRank", id: 4658)
    /// Returns the results of a finalised event.
    public let getResults = UnaryMethod<GetResultsRequest, GetResultsResponse>(
      "quiver.v1.Tournament/GetResults", id: 4659)
    /// Lists all policies with the days on which they are in force.
    public let listTiePolicies = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesResponse>(
      "quiver.v1.Tournament/ListTiePolicies", id: 4660)
    /// Sends a window of the leaderboard, then its changes: at most 4 messages a second, each with
    /// the latest state. A spectator's token may call it.
    public let watchLeaderboard = ServerStreamingMethod<
      WatchLeaderboardRequest, WatchLeaderboardResponse
    >(
      "quiver.v1.Tournament/WatchLeaderboard", id: 4664)
    /// Sends the event, its notices and its participants, without scores, then their changes. A
    /// spectator's token may call it.
    public let watchTournament = ServerStreamingMethod<
      WatchTournamentRequest, WatchTournamentResponse
    >(
      "quiver.v1.Tournament/WatchTournament", id: 4665)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
