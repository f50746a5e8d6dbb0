public import QuiverRPC

/// The service `quiver.v1.Elimination`: elimination stages of events.
///
/// A stage starts from the ranking of a category. Its matches are shot after the qualification,
/// also while the event is finalised; in a cancelled event nothing changes. A private event is
/// NOT_FOUND for callers who have no part in it; a caller without the role is PERMISSION_DENIED. A
/// refused call changes nothing.
public enum Elimination: RPCService {
  /// The methods of ``Elimination``.
  public struct Methods: Sendable {
    /// Cuts a category and draws the bracket; at most 4 stages a category. Everybody who is ranked
    /// must have shot all arrows, or the event be finalised. A tie across the cut is
    /// FAILED_PRECONDITION until DecideTie has decided it; other ties are broken by lot. By an
    /// organiser.
    public let cutCategory = UnaryMethod<
      CutCategoryRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/CutCategory", id: 6145, mutating: true)
    /// Records how the tie of all archers who share a rank was decided, after they have shot all
    /// arrows. Their places in standings and in later cuts follow it. If a correction changes their
    /// keys, or adds somebody to the tie, they share the rank again. By an organiser or a judge.
    public let decideTie = UnaryMethod<
      DecideTieRequest, DecideTieResponse
    >(
      "quiver.v1.Elimination/DecideTie", id: 6146, mutating: true)
    /// Lists the elimination stages of an event.
    public let listStages = UnaryMethod<
      ListStagesRequest, ListStagesResponse
    >(
      "quiver.v1.Elimination/ListStages", id: 6147)
    /// Returns a stage with all its matches and the ranks so far. A spectator's token may call it.
    public let getBracket = UnaryMethod<
      GetBracketRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/GetBracket", id: 6148)
    /// Deletes a stage in which nothing was recorded. By an organiser.
    public let deleteStage = UnaryMethod<
      DeleteStageRequest, DeleteStageResponse
    >(
      "quiver.v1.Elimination/DeleteStage", id: 6149, mutating: true)
    /// Returns a match with its two cards. A spectator's token may call it.
    public let getMatch = UnaryMethod<
      GetMatchRequest, EliminationMatch
    >(
      "quiver.v1.Elimination/GetMatch", id: 6152)
    /// Applies up to 50 operations on cards, each with a verdict of its own. An operation that was
    /// applied before is SAME. By organisers, judges and scorers of the event, by the archer of the
    /// card or a member of its team, and by the scorer to whom one of these is assigned.
    public let applyMatchOperations = UnaryMethod<
      ApplyMatchOperationsRequest, ApplyMatchOperationsResponse
    >(
      "quiver.v1.Elimination/ApplyMatchOperations", id: 6153, mutating: true)
    /// Confirms one card of a match that is decided. When both are confirmed, the bracket advances.
    /// By callers who may score the card.
    public let confirmMatchCard = UnaryMethod<
      ConfirmMatchCardRequest, EliminationMatch
    >(
      "quiver.v1.Elimination/ConfirmMatchCard", id: 6154, mutating: true)
    /// Records that a side does not shoot, or stopped. The match is decided, and both cards are
    /// confirmed. By an organiser or a judge.
    public let forfeitMatch = UnaryMethod<
      ForfeitMatchRequest, EliminationMatch
    >(
      "quiver.v1.Elimination/ForfeitMatch", id: 6155, mutating: true)
    /// Revokes confirmations and forfeits. Later matches in which something was recorded are
    /// FAILED_PRECONDITION, unless they are voided. By an organiser or a judge.
    public let reopenMatch = UnaryMethod<
      ReopenMatchRequest, EliminationMatch
    >(
      "quiver.v1.Elimination/ReopenMatch", id: 6156, mutating: true)
    /// Sends a bracket, then its changed matches. A spectator's token may call it.
    public let watchBracket = ServerStreamingMethod<
      WatchBracketRequest, WatchBracketResponse
    >(
      "quiver.v1.Elimination/WatchBracket", id: 6160)
    /// Gives the matches of a round, without byes, targets from the first one on and a start; those
    /// of the match for bronze come before those for gold. A target that another match of the event
    /// has at that start is FAILED_PRECONDITION. By an organiser or a judge.
    public let placeMatches = UnaryMethod<
      PlaceMatchesRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/PlaceMatches", id: 6161, mutating: true)
    /// Gives one match its targets and its start, by the same rules. By an organiser or a judge.
    public let placeMatch = UnaryMethod<
      PlaceMatchRequest, EliminationMatch
    >(
      "quiver.v1.Elimination/PlaceMatch", id: 6162, mutating: true)
    /// Cuts the teams of clubs or countries by the sums of their best archers, and draws the
    /// bracket. The rules of CutCategory hold; teams that share the rank across the cut are named
    /// in tie_order. By an organiser.
    public let cutTeams = UnaryMethod<
      CutTeamsRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/CutTeams", id: 6163, mutating: true)
    /// Replaces a member of a team that has not begun to shoot by a ranked archer of the same club
    /// or country and category who is in no team of the stage. By an organiser or a judge.
    public let substituteTeamMember = UnaryMethod<
      SubstituteTeamMemberRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/SubstituteTeamMember", id: 6164, mutating: true)
    /// Cuts a category by the rules of CutCategory, and draws round-robin groups; at most 256
    /// matches. By an organiser.
    public let drawGroups = UnaryMethod<
      DrawGroupsRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/DrawGroups", id: 6165, mutating: true)
    /// Draws a bracket of the best of each group, when all matches of the groups are confirmed: the
    /// winners first. Archers who are equal in a group are ordered by seed. By an organiser.
    public let cutGroups = UnaryMethod<
      CutGroupsRequest, EliminationBracket
    >(
      "quiver.v1.Elimination/CutGroups", id: 6166, mutating: true)
    /// Sends a match with its two cards, then again after each change. A spectator's token may call
    /// it.
    public let watchMatch = ServerStreamingMethod<WatchMatchRequest, WatchMatchResponse>(
      "quiver.v1.Elimination/WatchMatch", id: 6176)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
