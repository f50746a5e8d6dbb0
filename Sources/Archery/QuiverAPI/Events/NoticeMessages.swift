public import QuiverProtobuf

/// A short text for those who take part in an event.
public struct EventNotice: Message {
  /// The id, assigned by the server; a later notice has a greater one.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The text; 1 to 300 characters, none of them a control character.
  public var text = ""
  /// Whether everybody who sees the event sees it.
  public var isPublic = false
  /// The session for which it is; 0: it is for all. Others who take part see it too. The session
  /// may have been deleted since.
  public var sessionID: Int64 = 0
  /// The first target of the session for which it is; 0: it is for all of its targets.
  public var firstTarget: UInt32 = 0
  /// The last of these targets.
  public var lastTarget: UInt32 = 0
  /// The role of the author: organiser or judge.
  public var authorRole = EventRole.unspecified
  /// When it was sent, in milliseconds since 1970-01-01 UTC.
  public var sentAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventNotice",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID), .string(3, "text", \.text),
    .bool(4, "is_public", \.isPublic), .int64(5, "session_id", \.sessionID),
    .uint32(6, "first_target", \.firstTarget), .uint32(7, "last_target", \.lastTarget),
    .enum(8, "author_role", \.authorRole), .int64(9, "sent_at_ms", \.sentAtMilliseconds))
}

/// Sends a notice.
public struct SendEventNoticeRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The text; 1 to 300 characters, without control characters.
  public var text = ""
  /// Whether everybody who sees the event sees it.
  public var isPublic = false
  /// The session for which it is; 0: it is for all.
  public var sessionID: Int64 = 0
  /// The first target of the session for which it is; 0: it is for all of its targets.
  public var firstTarget: UInt32 = 0
  /// The last of these targets; 0: the first one only.
  public var lastTarget: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SendEventNoticeRequest",
    .int64(1, "tournament_id", \.tournamentID), .string(2, "text", \.text),
    .bool(3, "is_public", \.isPublic), .int64(4, "session_id", \.sessionID),
    .uint32(5, "first_target", \.firstTarget), .uint32(6, "last_target", \.lastTarget))
}

/// Requests the notices of an event.
public struct ListEventNoticesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventNoticesRequest", .int64(1, "tournament_id", \.tournamentID))
}

/// The notices of an event.
public struct ListEventNoticesResponse: Message {
  /// The notices, newest first; at most 50.
  public var notices: [EventNotice] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventNoticesResponse", .messages(1, "notices", \.notices))
}

/// A time in which nobody shoots. Arrows that were shot before are entered meanwhile.
public struct ShootingPause: Message {
  /// The id, assigned by the server.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// Why nobody shoots; 1 to 200 characters, none of them a control character.
  public var reason = ""
  /// When it began, in milliseconds since 1970-01-01 UTC.
  public var startedAtMilliseconds: Int64 = 0
  /// The name of the official who began it.
  public var startedBy = ""
  /// The role of that official: organiser or judge.
  public var startedByRole = EventRole.unspecified
  /// When it ended, in milliseconds since 1970-01-01 UTC; 0: it has not.
  public var endedAtMilliseconds: Int64 = 0
  /// The name of the official who ended it; empty: nobody has.
  public var endedBy = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShootingPause",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID),
    .string(3, "reason", \.reason), .int64(4, "started_at_ms", \.startedAtMilliseconds),
    .string(5, "started_by", \.startedBy), .enum(6, "started_by_role", \.startedByRole),
    .int64(7, "ended_at_ms", \.endedAtMilliseconds), .string(8, "ended_by", \.endedBy))
}

/// Begins a pause of the shooting.
public struct PauseShootingRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// Why nobody shoots; 1 to 200 characters, without control characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PauseShootingRequest",
    .int64(1, "tournament_id", \.tournamentID), .string(2, "reason", \.reason))
}

/// Ends the pause of the shooting.
public struct ResumeShootingRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The pause that was read: another one is ABORTED; 0: any.
  public var pauseID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ResumeShootingRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "pause_id", \.pauseID))
}
