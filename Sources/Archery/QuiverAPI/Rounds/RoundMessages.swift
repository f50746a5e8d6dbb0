public import QuiverProtobuf

/// How far a round is.
public struct RoundStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let planned = Self(rawValue: 1)
  /// From the first arrow on.
  public static let inProgress = Self(rawValue: 2)
  public static let paused = Self(rawValue: 3)
  /// When the last slot is filled, or where the owner says so.
  public static let completed = Self(rawValue: 4)
  public static let cancelled = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.RoundStatus",
    [
      (0, "ROUND_STATUS_UNSPECIFIED"), (1, "ROUND_STATUS_PLANNED"), (2, "ROUND_STATUS_IN_PROGRESS"),
      (3, "ROUND_STATUS_PAUSED"), (4, "ROUND_STATUS_COMPLETED"), (5, "ROUND_STATUS_CANCELLED"),
    ])
}

/// Rounds that are shot together.
public struct ShootingSession: Message {
  /// From the server; of a tournament's session also the tournament's id.
  public var id: Int64 = 0
  /// UUIDv7, made by the client; optional.
  public var clientID: [UInt8] = []
  public var format: RoundFormat?
  /// At most 4,000 characters.
  public var notes = ""
  public var tournament = false
  /// Of a tournament only the caller's and its guests'.
  public var rounds: [Round] = []
  public var createdAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShootingSession", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .message(3, "format", \.format), .string(4, "notes", \.notes),
    .bool(5, "tournament", \.tournament), .messages(6, "rounds", \.rounds),
    .int64(7, "created_at_ms", \.createdAtMilliseconds))
}

/// One participant's shooting of the session's format.
public struct Round: Message {
  /// Made with its participant.
  public var id: Int64 = 0
  /// What scoring operations name.
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  public var sessionID: Int64 = 0
  public var displayName = ""
  public var guest = false
  public var status = RoundStatus.unspecified
  /// 0: none; guests' rounds never have one.
  public var setupID: Int64 = 0
  public var setupVersion: UInt32 = 0
  /// Of the first arrow; 0: none yet.
  public var startedAtMilliseconds: Int64 = 0
  /// 0: it is not.
  public var completedAtMilliseconds: Int64 = 0
  public var score: Score?
  /// Of the status and the setup; arrows do not change it.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Round", .int64(1, "id", \.id), .int64(2, "participant_id", \.participantID),
    .bytes(3, "participant_client_id", \.participantClientID), .int64(4, "session_id", \.sessionID),
    .string(5, "display_name", \.displayName), .bool(6, "guest", \.guest),
    .enum(7, "status", \.status), .int64(8, "setup_id", \.setupID),
    .uint32(9, "setup_version", \.setupVersion),
    .int64(10, "started_at_ms", \.startedAtMilliseconds),
    .int64(11, "completed_at_ms", \.completedAtMilliseconds), .message(12, "score", \.score),
    .uint64(13, "revision", \.revision))
}

/// Asks for a session alone.
public struct CreateSessionRequest: Message {
  public var clientID: [UInt8] = []
  public var format: FormatReference?
  public var notes = ""
  /// At most 3.
  public var guests: [SessionGuest] = []
  /// Of the owner's own round; optional.
  public var participantClientID: [UInt8] = []
  /// Or the next; the setup's latest version unless one is named.
  public var setupID: Int64 = 0
  public var setupClientID: [UInt8] = []
  public var setupVersion: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSessionRequest", .bytes(1, "client_id", \.clientID),
    .message(2, "format", \.format), .string(3, "notes", \.notes), .messages(4, "guests", \.guests),
    .bytes(5, "participant_client_id", \.participantClientID), .int64(6, "setup_id", \.setupID),
    .bytes(7, "setup_client_id", \.setupClientID), .uint32(8, "setup_version", \.setupVersion))
}

/// A guest of a session alone.
public struct SessionGuest: Message {
  public var clientID: [UInt8] = []
  /// 1 to 50 characters.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SessionGuest", .bytes(1, "client_id", \.clientID), .string(2, "name", \.name))
}

/// Asks for a session.
public struct GetSessionRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSessionRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// Asks for a page of sessions.
public struct ListSessionsRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the filter and principal.
  public var pageToken = ""
  public var includeTournaments = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSessionsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "include_tournaments", \.includeTournaments))
}

/// A page of sessions, newest first.
public struct ListSessionsResponse: Message {
  public var sessions: [ShootingSession] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSessionsResponse", .messages(1, "sessions", \.sessions),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Asks to delete a session alone.
public struct DeleteSessionRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSessionRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// The session is gone, with its arrows.
public struct DeleteSessionResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteSessionResponse")
}

/// Asks for one guest more.
public struct AddSessionGuestRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  public var guest: SessionGuest?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddSessionGuestRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .message(3, "guest", \.guest))
}

/// Asks to pause, resume, complete or cancel a round.
public struct SetRoundStatusRequest: Message {
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  /// Not PLANNED.
  public var status = RoundStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRoundStatusRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID), .uint64(3, "revision", \.revision),
    .enum(4, "status", \.status))
}

/// Asks to say with which setup a round is shot.
public struct SetRoundSetupRequest: Message {
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  /// 0 and no client_id: none.
  public var setupID: Int64 = 0
  public var setupClientID: [UInt8] = []
  /// 0: the latest.
  public var setupVersion: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRoundSetupRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID), .uint64(3, "revision", \.revision),
    .int64(4, "setup_id", \.setupID), .bytes(5, "setup_client_id", \.setupClientID),
    .uint32(6, "setup_version", \.setupVersion))
}

/// Asks for one participant's arrows.
public struct GetScorecardRequest: Message {
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  /// Every operation that was kept, in the order of commits.
  public var includeHistory = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScorecardRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID),
    .bool(3, "include_history", \.includeHistory))
}

/// One participant's round with its arrows.
public struct Scorecard: Message {
  public var round: Round?
  public var format: RoundFormat?
  /// By end and arrow; emptied slots are left out.
  public var arrows: [ScoredArrow] = []
  public var history: [KeptOperation] = []
  /// The latest commit that it shows.
  public var sequence: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Scorecard", .message(1, "round", \.round), .message(2, "format", \.format),
    .messages(3, "arrows", \.arrows), .messages(4, "history", \.history),
    .int64(5, "sequence", \.sequence))
}

/// An operation as it was kept.
public struct KeptOperation: Message {
  /// In the order of commits.
  public var id: Int64 = 0
  public var operation: ScoringOperation?
  public var receivedAtMilliseconds: Int64 = 0
  /// Who scored.
  public var principalID: Int64 = 0
  /// Waits for the organiser.
  public var late = false
  public var rejected = false
  /// Why it was admitted or rejected.
  public var ruling = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.KeptOperation", .int64(1, "id", \.id), .message(2, "operation", \.operation),
    .int64(3, "received_at_ms", \.receivedAtMilliseconds), .int64(4, "principal_id", \.principalID),
    .bool(5, "late", \.late), .bool(6, "rejected", \.rejected), .string(7, "ruling", \.ruling))
}
