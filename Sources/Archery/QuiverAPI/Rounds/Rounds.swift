public import QuiverRPC

/// The service `quiver.v1.Rounds`: formats, practice sessions, and arrows.
///
/// A session groups the rounds of archers who shoot together. A tournament has a session, and these
/// methods read its scores too. A round belongs to exactly one participant. Only the owner sees a
/// practice session. A request names an object by its id or by its client id, not both.
public enum Rounds: RPCService {
  /// The methods of ``Rounds``.
  public struct Methods: Sendable {
    /// Lists the formats of the library and the caller's own formats.
    public let listFormats = UnaryMethod<ListFormatsRequest, ListFormatsResponse>(
      "quiver.v1.Rounds/ListFormats", id: 5633)
    /// Returns one format.
    public let getFormat = UnaryMethod<GetFormatRequest, RoundFormat>(
      "quiver.v1.Rounds/GetFormat", id: 5634)
    /// Creates a custom format; at most 200 per principal.
    public let createFormat = UnaryMethod<CreateFormatRequest, RoundFormat>(
      "quiver.v1.Rounds/CreateFormat", id: 5635, mutating: true)
    /// Removes a custom format from the list. Rounds that use it keep it.
    public let deleteFormat = UnaryMethod<DeleteFormatRequest, DeleteFormatResponse>(
      "quiver.v1.Rounds/DeleteFormat", id: 5636, mutating: true)
    /// Lists all target faces with their values and rings.
    public let listFaces = UnaryMethod<ListFacesRequest, ListFacesResponse>(
      "quiver.v1.Rounds/ListFaces", id: 5637)

    /// Creates a practice session with the owner's round and those of up to 3 guests, all PLANNED.
    public let createSession = UnaryMethod<CreateSessionRequest, ShootingSession>(
      "quiver.v1.Rounds/CreateSession", id: 5648, mutating: true)
    /// Returns one session with its rounds.
    public let getSession = UnaryMethod<GetSessionRequest, ShootingSession>(
      "quiver.v1.Rounds/GetSession", id: 5649)
    /// Lists sessions, newest first (by id): practice sessions, and tournaments on request.
    public let listSessions = UnaryMethod<ListSessionsRequest, ListSessionsResponse>(
      "quiver.v1.Rounds/ListSessions", id: 5650)
    /// Deletes a practice session with its rounds and arrows.
    public let deleteSession = UnaryMethod<DeleteSessionRequest, DeleteSessionResponse>(
      "quiver.v1.Rounds/DeleteSession", id: 5651, mutating: true)
    /// Adds a guest to a practice session; at most 3.
    public let addSessionGuest = UnaryMethod<AddSessionGuestRequest, ShootingSession>(
      "quiver.v1.Rounds/AddSessionGuest", id: 5652, mutating: true)
    /// Pauses, resumes, completes or cancels a round of a practice session.
    public let setRoundStatus = UnaryMethod<SetRoundStatusRequest, Round>(
      "quiver.v1.Rounds/SetRoundStatus", id: 5653, mutating: true)
    /// Returns one participant's round with its arrows by slot, also in a tournament that the
    /// caller may see.
    public let getScorecard = UnaryMethod<GetScorecardRequest, Scorecard>(
      "quiver.v1.Rounds/GetScorecard", id: 5654)
    /// Sets the setup of the owner's round. Rounds of guests have no setup.
    public let setRoundSetup = UnaryMethod<SetRoundSetupRequest, Round>(
      "quiver.v1.Rounds/SetRoundSetup", id: 5655, mutating: true)

    /// Returns the caller's best score in each format, by bowstyle: of completed rounds with all
    /// their arrows.
    public let getPersonalBests = UnaryMethod<GetPersonalBestsRequest, GetPersonalBestsResponse>(
      "quiver.v1.Rounds/GetPersonalBests", id: 5656)
    /// Returns the caller's running handicap by Archery GB's rule (SAP7, 2023), with the rounds
    /// that made it.
    public let getRunningHandicap = UnaryMethod<
      GetRunningHandicapRequest, GetRunningHandicapResponse
    >(
      "quiver.v1.Rounds/GetRunningHandicap", id: 5657)

    /// Replaces the conditions of a practice session, which comparisons use as strata.
    public let setSessionConditions = UnaryMethod<SetSessionConditionsRequest, ShootingSession>(
      "quiver.v1.Rounds/SetSessionConditions", id: 5658, mutating: true)

    /// Stores one arrow. A slot with another value is ABORTED with the ``ScoredArrow`` as a detail.
    public let recordArrow = UnaryMethod<RecordArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/RecordArrow", id: 5664, mutating: true)
    /// Stores the arrows of one end: all of them or none.
    public let recordEnd = UnaryMethod<RecordEndRequest, ScoreResponse>(
      "quiver.v1.Rounds/RecordEnd", id: 5665, mutating: true)
    /// Replaces the value of a filled slot.
    public let correctArrow = UnaryMethod<CorrectArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/CorrectArrow", id: 5666, mutating: true)
    /// Empties a filled slot.
    public let retractArrow = UnaryMethod<RetractArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/RetractArrow", id: 5667, mutating: true)
    /// Applies up to 1,000 operations, each with a verdict of its own.
    public let applyOperations = UnaryMethod<ApplyOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Rounds/ApplyOperations", id: 5668, mutating: true)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
