public import QuiverProtobuf

/// How far an event is.
public struct TournamentStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  public static let open = Self(rawValue: 1)
  public static let inProgress = Self(rawValue: 2)
  public static let completed = Self(rawValue: 3)
  public static let cancelled = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.TournamentStatus",
    [
      (0, "TOURNAMENT_STATUS_UNSPECIFIED"), (1, "TOURNAMENT_STATUS_OPEN"),
      (2, "TOURNAMENT_STATUS_IN_PROGRESS"), (3, "TOURNAMENT_STATUS_COMPLETED"),
      (4, "TOURNAMENT_STATUS_CANCELLED"),
    ])
}

/// One event.
public struct TournamentEvent: Message {
  /// The id of the tournament event, assigned by the server.
  public var id: Int64 = 0
  /// UUIDv7 from the client; optional.
  public var clientID: [UInt8] = []
  /// 1 to 200 characters.
  public var name = ""
  public var format: RoundFormat?
  public var status = TournamentStatus.unspecified
  public var paused = false
  /// Visible and joinable without the code.
  public var isPublic = false
  /// 8 characters of Crockford's base32; only for the organiser.
  public var joinCode = ""
  public var maxParticipants: UInt32 = 0
  public var participantCount: UInt32 = 0
  public var tiePolicy = TiePolicy.unspecified
  /// The day whose form of the policy applies: days since 1970-01-01.
  public var tiePolicyDay: Int32 = 0
  public var organiserID: Int64 = 0
  public var organiserName = ""
  public var guestsPerUser: UInt32 = 0
  /// Of all users together.
  public var guestLimit: UInt32 = 0
  /// Operations that wait for a decision of the organiser.
  public var lateCount: UInt32 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// 0: not yet.
  public var startedAtMilliseconds: Int64 = 0
  /// 0: not yet, or reopened.
  public var finalisedAtMilliseconds: Int64 = 0
  /// From 1; joins and arrows do not change it.
  public var revision: UInt64 = 0
  /// The caller's own; 0: none.
  public var participantID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TournamentEvent", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "name", \.name), .message(4, "format", \.format), .enum(5, "status", \.status),
    .bool(6, "paused", \.paused), .bool(7, "is_public", \.isPublic),
    .string(8, "join_code", \.joinCode), .uint32(9, "max_participants", \.maxParticipants),
    .uint32(10, "participant_count", \.participantCount), .enum(11, "tie_policy", \.tiePolicy),
    .int32(12, "tie_policy_day", \.tiePolicyDay), .int64(13, "organiser_id", \.organiserID),
    .string(14, "organiser_name", \.organiserName), .uint32(15, "guests_per_user", \.guestsPerUser),
    .uint32(16, "guest_limit", \.guestLimit), .uint32(17, "late_count", \.lateCount),
    .int64(18, "created_at_ms", \.createdAtMilliseconds),
    .int64(19, "started_at_ms", \.startedAtMilliseconds),
    .int64(20, "finalised_at_ms", \.finalisedAtMilliseconds), .uint64(21, "revision", \.revision),
    .int64(22, "participant_id", \.participantID))
}

/// Asks for a new event.
public struct CreateTournamentRequest: Message {
  /// The client id of the tournament; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  public var name = ""
  public var format: FormatReference?
  public var isPublic = false
  /// 0: 50; at most 20,000.
  public var maxParticipants: UInt32 = 0
  /// Unspecified: X_FIRST.
  public var tiePolicy = TiePolicy.unspecified
  /// Nil: 2.
  public var guestsPerUser: UInt32?
  /// Nil: 10.
  public var guestLimit: UInt32?
  /// The organiser participates too.
  public var joins = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateTournamentRequest", .bytes(1, "client_id", \.clientID),
    .string(2, "name", \.name), .message(3, "format", \.format), .bool(4, "is_public", \.isPublic),
    .uint32(5, "max_participants", \.maxParticipants), .enum(6, "tie_policy", \.tiePolicy),
    .optionalUint32(7, "guests_per_user", \.guestsPerUser),
    .optionalUint32(8, "guest_limit", \.guestLimit), .bool(9, "joins", \.joins))
}

/// Asks for one event.
public struct GetTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTournamentRequest", .int64(1, "id", \.id))
}

/// Asks for a page of events.
public struct ListTournamentsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same filter and principal.
  public var pageToken = ""
  /// All public events instead of the caller's events.
  public var publicOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTournamentsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "public_only", \.publicOnly))
}

/// A page of events, newest first.
public struct ListTournamentsResponse: Message {
  public var tournaments: [TournamentEvent] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTournamentsResponse", .messages(1, "tournaments", \.tournaments),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Asks to change an event.
public struct UpdateTournamentRequest: Message {
  /// With its id and the revision that was read.
  public var tournament: TournamentEvent?
  /// Names of name, `is_public`, `max_participants`, `guests_per_user` and `guest_limit`, and while
  /// OPEN of `tie_policy`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateTournamentRequest", .message(1, "tournament", \.tournament),
    .strings(2, "update_mask", \.updateMask))
}

/// Asks to delete an event.
public struct DeleteTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteTournamentRequest", .int64(1, "id", \.id))
}

/// The event is gone.
public struct DeleteTournamentResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteTournamentResponse")
}

/// Asks to start an event, or to go on with it.
public struct StartTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StartTournamentRequest", .int64(1, "id", \.id))
}

/// Asks to hold an event.
public struct PauseTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PauseTournamentRequest", .int64(1, "id", \.id))
}

/// Asks to end an event.
public struct FinaliseTournamentRequest: Message {
  /// The id of the finalise tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FinaliseTournamentRequest", .int64(1, "id", \.id))
}

/// Asks to go on with a finalised event.
public struct ReopenTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReopenTournamentRequest", .int64(1, "id", \.id), .string(2, "reason", \.reason))
}

/// Asks to call an event off.
public struct CancelTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// At most 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CancelTournamentRequest", .int64(1, "id", \.id), .string(2, "reason", \.reason))
}
