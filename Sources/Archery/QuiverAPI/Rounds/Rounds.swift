public import QuiverRPC

/// `quiver.v1.Rounds`: what an archer shoots, arrow by arrow.
public enum Rounds: RPCService {
  public struct Methods: Sendable {
    public let listFormats = UnaryMethod<ListFormatsRequest, ListFormatsResponse>(
      "quiver.v1.Rounds/ListFormats", id: 5633)
    public let getFormat = UnaryMethod<GetFormatRequest, RoundFormat>(
      "quiver.v1.Rounds/GetFormat", id: 5634)
    public let createFormat = UnaryMethod<CreateFormatRequest, RoundFormat>(
      "quiver.v1.Rounds/CreateFormat", id: 5635, mutating: true)
    public let deleteFormat = UnaryMethod<DeleteFormatRequest, DeleteFormatResponse>(
      "quiver.v1.Rounds/DeleteFormat", id: 5636, mutating: true)
    public let listFaces = UnaryMethod<ListFacesRequest, ListFacesResponse>(
      "quiver.v1.Rounds/ListFaces", id: 5637)

    /// A session alone, with the owner's round and those of up to 3 guests, all PLANNED.
    public let createSession = UnaryMethod<CreateSessionRequest, ShootingSession>(
      "quiver.v1.Rounds/CreateSession", id: 5648, mutating: true)
    public let getSession = UnaryMethod<GetSessionRequest, ShootingSession>(
      "quiver.v1.Rounds/GetSession", id: 5649)
    /// Newest first (by id); those alone, tournaments on request.
    public let listSessions = UnaryMethod<ListSessionsRequest, ListSessionsResponse>(
      "quiver.v1.Rounds/ListSessions", id: 5650)
    /// With its rounds and arrows; only sessions alone.
    public let deleteSession = UnaryMethod<DeleteSessionRequest, DeleteSessionResponse>(
      "quiver.v1.Rounds/DeleteSession", id: 5651, mutating: true)
    public let addSessionGuest = UnaryMethod<AddSessionGuestRequest, ShootingSession>(
      "quiver.v1.Rounds/AddSessionGuest", id: 5652, mutating: true)
    /// Of a session alone: pause, resume, complete, cancel.
    public let setRoundStatus = UnaryMethod<SetRoundStatusRequest, Round>(
      "quiver.v1.Rounds/SetRoundStatus", id: 5653, mutating: true)
    /// One participant's round with its arrows by slot, also of a tournament that the caller sees.
    public let getScorecard = UnaryMethod<GetScorecardRequest, Scorecard>(
      "quiver.v1.Rounds/GetScorecard", id: 5654)
    /// The setup that a round is shot with; of the owner's round, not of guests'.
    public let setRoundSetup = UnaryMethod<SetRoundSetupRequest, Round>(
      "quiver.v1.Rounds/SetRoundSetup", id: 5655, mutating: true)

    public let recordArrow = UnaryMethod<RecordArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/RecordArrow", id: 5664, mutating: true)
    public let recordEnd = UnaryMethod<RecordEndRequest, ScoreResponse>(
      "quiver.v1.Rounds/RecordEnd", id: 5665, mutating: true)
    public let correctArrow = UnaryMethod<CorrectArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/CorrectArrow", id: 5666, mutating: true)
    public let retractArrow = UnaryMethod<RetractArrowRequest, ScoreResponse>(
      "quiver.v1.Rounds/RetractArrow", id: 5667, mutating: true)
    public let applyOperations = UnaryMethod<ApplyOperationsRequest, ApplyOperationsResponse>(
      "quiver.v1.Rounds/ApplyOperations", id: 5668, mutating: true)
  }

  public static let methods = Methods()
}
