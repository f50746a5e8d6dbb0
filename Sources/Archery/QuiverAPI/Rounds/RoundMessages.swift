public import QuiverProtobuf

/// The state of a round.
public struct RoundStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// No arrow was shot.
  public static let planned = Self(rawValue: 1)
  /// From the first arrow.
  public static let inProgress = Self(rawValue: 2)
  /// Paused by the owner.
  public static let paused = Self(rawValue: 3)
  /// Completed when the last slot was filled, or by the owner.
  public static let completed = Self(rawValue: 4)
  /// Cancelled by the owner. Statistics ignore it.
  public static let cancelled = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.RoundStatus",
    [
      (0, "ROUND_STATUS_UNSPECIFIED"), (1, "ROUND_STATUS_PLANNED"), (2, "ROUND_STATUS_IN_PROGRESS"),
      (3, "ROUND_STATUS_PAUSED"), (4, "ROUND_STATUS_COMPLETED"), (5, "ROUND_STATUS_CANCELLED"),
    ])
}

/// A group of rounds that are shot together: a practice session or a tournament.
public struct ShootingSession: Message {
  /// The id of the session, assigned by the server; for a tournament's session also the id of the
  /// tournament.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made; empty if none.
  public var clientID: [UInt8] = []
  /// The format of all rounds of the session.
  public var format: RoundFormat?
  /// Free text of the owner; at most 4,000 characters.
  public var notes = ""
  /// Whether the session belongs to a tournament.
  public var tournament = false
  /// The rounds; for a tournament only those of the caller and its guests.
  public var rounds: [Round] = []
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The conditions of the session; nil: nothing is known.
  public var conditions: SessionConditions?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShootingSession", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .message(3, "format", \.format), .string(4, "notes", \.notes),
    .bool(5, "tournament", \.tournament), .messages(6, "rounds", \.rounds),
    .int64(7, "created_at_ms", \.createdAtMilliseconds),
    .message(8, "conditions", \.conditions))
}

/// One participant's round in the session's format.
public struct Round: Message {
  /// The id of the round, assigned by the server with its participant.
  public var id: Int64 = 0
  /// The id of the participant, which scoring operations name.
  public var participantID: Int64 = 0
  /// The client id of the participant; empty if none.
  public var participantClientID: [UInt8] = []
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The shown name of the participant.
  public var displayName = ""
  /// Whether the participant is a guest.
  public var guest = false
  /// The state of the round.
  public var status = RoundStatus.unspecified
  /// The id of the bow setup that is used; 0: none. Rounds of guests have none.
  public var setupID: Int64 = 0
  /// The version of the bow setup; 0: none.
  public var setupVersion: UInt32 = 0
  /// The time of the first arrow, in milliseconds since 1970-01-01 UTC; 0: not started.
  public var startedAtMilliseconds: Int64 = 0
  /// The time of completion, in milliseconds since 1970-01-01 UTC; 0: not completed.
  public var completedAtMilliseconds: Int64 = 0
  /// The sums of the arrows.
  public var score: Score?
  /// The revision of the status and the setup, from 1; arrows do not change it.
  public var revision: UInt64 = 0
  /// The bowstyle of an archer's own round; unspecified: not known.
  public var bowstyle = Bowstyle.unspecified
  /// What a round without arrows was shot in.
  public var shootStatus = ShootStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Round", .int64(1, "id", \.id), .int64(2, "participant_id", \.participantID),
    .bytes(3, "participant_client_id", \.participantClientID), .int64(4, "session_id", \.sessionID),
    .string(5, "display_name", \.displayName), .bool(6, "guest", \.guest),
    .enum(7, "status", \.status), .int64(8, "setup_id", \.setupID),
    .uint32(9, "setup_version", \.setupVersion),
    .int64(10, "started_at_ms", \.startedAtMilliseconds),
    .int64(11, "completed_at_ms", \.completedAtMilliseconds), .message(12, "score", \.score),
    .uint64(13, "revision", \.revision), .enum(14, "bowstyle", \.bowstyle),
    .enum(15, "shoot_status", \.shootStatus))
}

/// Requests a practice session.
public struct CreateSessionRequest: Message {
  /// The UUIDv7 (16 bytes) of the session; empty if none.
  public var clientID: [UInt8] = []
  /// The format of the session.
  public var format: FormatReference?
  /// Free text of the owner; at most 4,000 characters.
  public var notes = ""
  /// The guests; at most 3.
  public var guests: [SessionGuest] = []
  /// The UUIDv7 (16 bytes) of the owner as a participant; empty if none.
  public var participantClientID: [UInt8] = []
  /// The id of the owner's bow setup; 0 for none, or if ``setupClientID`` names it.
  public var setupID: Int64 = 0
  /// The client id of the owner's bow setup; empty if none, or if ``setupID`` names it.
  public var setupClientID: [UInt8] = []
  /// The version of the bow setup; 0: the latest.
  public var setupVersion: UInt32 = 0
  /// The bowstyle of the owner's own round; unspecified: the profile's.
  public var bowstyle = Bowstyle.unspecified
  /// The conditions of the session; nil: nothing is known.
  public var conditions: SessionConditions?
  /// Of the owner's round, which then has no arrows; no guests.
  public var past: PastRound?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSessionRequest", .bytes(1, "client_id", \.clientID),
    .message(2, "format", \.format), .string(3, "notes", \.notes), .messages(4, "guests", \.guests),
    .bytes(5, "participant_client_id", \.participantClientID), .int64(6, "setup_id", \.setupID),
    .bytes(7, "setup_client_id", \.setupClientID), .uint32(8, "setup_version", \.setupVersion),
    .enum(9, "bowstyle", \.bowstyle), .message(10, "conditions", \.conditions),
    .message(11, "past", \.past))
}

/// A guest of a practice session.
public struct SessionGuest: Message {
  /// The UUIDv7 (16 bytes) of the guest as a participant; empty if none.
  public var clientID: [UInt8] = []
  /// The name of the guest; 1 to 50 characters.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SessionGuest", .bytes(1, "client_id", \.clientID), .string(2, "name", \.name))
}

/// Requests one session.
public struct GetSessionRequest: Message {
  /// The id of the session; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the session; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSessionRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// Requests a page of sessions.
public struct ListSessionsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same filter and principal.
  public var pageToken = ""
  /// Whether sessions of tournaments are included.
  public var includeTournaments = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSessionsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "include_tournaments", \.includeTournaments))
}

/// A page of sessions, newest first.
public struct ListSessionsResponse: Message {
  /// The sessions of the page.
  public var sessions: [ShootingSession] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSessionsResponse", .messages(1, "sessions", \.sessions),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Deletes a practice session.
public struct DeleteSessionRequest: Message {
  /// The id of the session; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the session; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSessionRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// The session was deleted with its rounds and arrows.
public struct DeleteSessionResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteSessionResponse")
}

/// Adds a guest to a practice session.
public struct AddSessionGuestRequest: Message {
  /// The id of the session; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the session; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The guest to add.
  public var guest: SessionGuest?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddSessionGuestRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .message(3, "guest", \.guest))
}

/// Pauses, resumes, completes or cancels a round of a practice session.
public struct SetRoundStatusRequest: Message {
  /// The id of the round's participant; 0 if ``participantClientID`` names it.
  public var participantID: Int64 = 0
  /// The client id of the round's participant; empty if ``participantID`` names it.
  public var participantClientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0
  /// The new status; not ``RoundStatus/planned``.
  public var status = RoundStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRoundStatusRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID), .uint64(3, "revision", \.revision),
    .enum(4, "status", \.status))
}

/// Sets the bow setup of the owner's round.
public struct SetRoundSetupRequest: Message {
  /// The id of the round's participant; 0 if ``participantClientID`` names it.
  public var participantID: Int64 = 0
  /// The client id of the round's participant; empty if ``participantID`` names it.
  public var participantClientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0
  /// The id of the bow setup. 0 with an empty ``setupClientID`` removes the setup from the round.
  public var setupID: Int64 = 0
  /// The client id of the bow setup; empty if ``setupID`` names it.
  public var setupClientID: [UInt8] = []
  /// The version of the bow setup; 0: the latest.
  public var setupVersion: UInt32 = 0
  /// The bowstyle of the round; unspecified: as it was.
  public var bowstyle = Bowstyle.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRoundSetupRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID), .uint64(3, "revision", \.revision),
    .int64(4, "setup_id", \.setupID), .bytes(5, "setup_client_id", \.setupClientID),
    .uint32(6, "setup_version", \.setupVersion), .enum(7, "bowstyle", \.bowstyle))
}

/// Requests one participant's arrows.
public struct GetScorecardRequest: Message {
  /// The id of the participant; 0 if ``participantClientID`` names it.
  public var participantID: Int64 = 0
  /// The client id of the participant; empty if ``participantID`` names it.
  public var participantClientID: [UInt8] = []
  /// Whether the response has every stored operation.
  public var includeHistory = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScorecardRequest", .int64(1, "participant_id", \.participantID),
    .bytes(2, "participant_client_id", \.participantClientID),
    .bool(3, "include_history", \.includeHistory))
}

/// One participant's round with its arrows.
public struct Scorecard: Message {
  /// The round with its sums.
  public var round: Round?
  /// The format of the round.
  public var format: RoundFormat?
  /// The arrows by end and arrow; empty slots are omitted.
  public var arrows: [ScoredArrow] = []
  /// The stored operations in the order of commits, at most 10,000; empty unless requested.
  public var history: [KeptOperation] = []
  /// The latest commit that the scorecard shows.
  public var sequence: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Scorecard", .message(1, "round", \.round), .message(2, "format", \.format),
    .messages(3, "arrows", \.arrows), .messages(4, "history", \.history),
    .int64(5, "sequence", \.sequence))
}

/// A stored operation.
public struct KeptOperation: Message {
  /// The id of the operation, in the order of commits.
  public var id: Int64 = 0
  /// The operation as it was sent.
  public var operation: ScoringOperation?
  /// The time when the server received it, in milliseconds since 1970-01-01 UTC; it never
  /// decreases.
  public var receivedAtMilliseconds: Int64 = 0
  /// The id of the principal who scored.
  public var principalID: Int64 = 0
  /// Whether it arrived after the event was finalised and waits for a decision of the organiser.
  public var late = false
  /// Whether the organiser rejected it.
  public var rejected = false
  /// The organiser's reason to admit or reject it; empty without a decision.
  public var ruling = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.KeptOperation", .int64(1, "id", \.id), .message(2, "operation", \.operation),
    .int64(3, "received_at_ms", \.receivedAtMilliseconds), .int64(4, "principal_id", \.principalID),
    .bool(5, "late", \.late), .bool(6, "rejected", \.rejected), .string(7, "ruling", \.ruling))
}
