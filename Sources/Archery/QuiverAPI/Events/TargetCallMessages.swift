public import QuiverProtobuf
public import QuiverRPC

/// What a target asks for.
public struct TargetCallKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The judge.
  public static let judge = Self(rawValue: 1)
  /// Names the archer.
  public static let absentArcher = Self(rawValue: 2)
  /// Names the archer.
  public static let archerStopped = Self(rawValue: 3)
  /// Names the archer, with the arrows that it owes.
  public static let equipmentFailure = Self(rawValue: 4)
  /// Names the archer.
  public static let undecidedArrow = Self(rawValue: 5)
  /// The help.
  public static let help = Self(rawValue: 6)
  /// From the server: a device that had lost its lease sent arrows of a second card or of a match
  /// where others are. The text has them; they count nothing until an official enters them.
  public static let lateArrows = Self(rawValue: 7)

  public static let schema = EnumSchema(
    "quiver.v1.TargetCallKind",
    [
      (0, "TARGET_CALL_KIND_UNSPECIFIED"),
      (1, "TARGET_CALL_KIND_JUDGE"),
      (2, "TARGET_CALL_KIND_ABSENT_ARCHER"),
      (3, "TARGET_CALL_KIND_ARCHER_STOPPED"),
      (4, "TARGET_CALL_KIND_EQUIPMENT_FAILURE"),
      (5, "TARGET_CALL_KIND_UNDECIDED_ARROW"),
      (6, "TARGET_CALL_KIND_HELP"),
      (7, "TARGET_CALL_KIND_LATE_ARROWS"),
    ])
}

/// A call from a target.
public struct TargetCall: Message {
  /// From the server; a later call has a greater one.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the target of matches.
  public var sessionID: Int64 = 0
  /// The number of the target.
  public var target: UInt32 = 0
  /// What the target asks for.
  public var kind = TargetCallKind.unspecified
  /// 0: of nobody alone.
  public var participantID: Int64 = 0
  /// Of the participant.
  public var displayName = ""
  /// Of EQUIPMENT_FAILURE.
  public var owedArrows: UInt32 = 0
  /// At most 300 characters, without control characters.
  public var text = ""
  /// When it was raised, in milliseconds since 1970-01-01 UTC.
  public var raisedAtMilliseconds: Int64 = 0
  /// The principal.
  public var raisedByID: Int64 = 0
  /// The name of the device or of the official.
  public var raisedBy = ""
  /// 0: open.
  public var resolvedAtMilliseconds: Int64 = 0
  /// The name of the official.
  public var resolvedBy = ""
  /// What was decided: at most 300 characters.
  public var decision = ""
  /// UUIDv7 from the client.
  public var clientID: [UInt8] = []
  /// In which arrows are owed, from 0; nil: it is not known.
  public var endIndex: UInt32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TargetCall",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID),
    .int64(3, "session_id", \.sessionID), .uint32(4, "target", \.target), .enum(5, "kind", \.kind),
    .int64(6, "participant_id", \.participantID), .string(7, "display_name", \.displayName),
    .uint32(8, "owed_arrows", \.owedArrows), .string(9, "text", \.text),
    .int64(10, "raised_at_ms", \.raisedAtMilliseconds), .int64(11, "raised_by_id", \.raisedByID),
    .string(12, "raised_by", \.raisedBy), .int64(13, "resolved_at_ms", \.resolvedAtMilliseconds),
    .string(14, "resolved_by", \.resolvedBy), .string(15, "decision", \.decision),
    .bytes(16, "client_id", \.clientID), .optionalUint32(17, "end_index", \.endIndex))
}

/// Calls an official to a target.
public struct RaiseTargetCallRequest: Message {
  /// UUIDv7; the same one again is the same call.
  public var clientID: [UInt8] = []
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the target of matches.
  public var sessionID: Int64 = 0
  /// The number of the target.
  public var target: UInt32 = 0
  /// Not LATE_ARROWS.
  public var kind = TargetCallKind.unspecified
  /// Who stands there; 0: nobody alone.
  public var participantID: Int64 = 0
  /// Of EQUIPMENT_FAILURE, at most 36; else 0.
  public var owedArrows: UInt32 = 0
  /// At most 300 characters, without control characters.
  public var text = ""
  /// With owed arrows on a target of a session: the end of the card in which they are owed, from 0;
  /// nil: the first end that lacks arrows.
  public var endIndex: UInt32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RaiseTargetCallRequest",
    .bytes(1, "client_id", \.clientID), .int64(2, "tournament_id", \.tournamentID),
    .int64(3, "session_id", \.sessionID), .uint32(4, "target", \.target), .enum(5, "kind", \.kind),
    .int64(6, "participant_id", \.participantID), .uint32(7, "owed_arrows", \.owedArrows),
    .string(8, "text", \.text), .optionalUint32(9, "end_index", \.endIndex))
}

/// Requests the calls of an event.
public struct ListTargetCallsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// Those that are resolved too.
  public var includeResolved = false
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same other fields.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetCallsRequest",
    .int64(1, "tournament_id", \.tournamentID), .bool(2, "include_resolved", \.includeResolved),
    .uint32(3, "page_size", \.pageSize), .string(4, "page_token", \.pageToken))
}

/// Calls of an event.
public struct ListTargetCallsResponse: Message {
  /// Newest first.
  public var calls: [TargetCall] = []
  /// The next page token.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetCallsResponse",
    .messages(1, "calls", \.calls), .string(2, "next_page_token", \.nextPageToken))
}

/// Requests a watch of the calls of an event.
public struct WatchTargetCallsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTargetCallsRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// Calls that were raised or resolved.
public struct WatchTargetCallsResponse: WatchMessage {
  /// The span.
  public var span: WatchSpan?
  /// In a snapshot those that are open; then each that changes.
  public var calls: [TargetCall] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTargetCallsResponse",
    .message(1, "span", \.span), .messages(2, "calls", \.calls))
}

/// Says what was decided of a call.
public struct ResolveTargetCallRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the call.
  public var callID: Int64 = 0
  /// 1 to 300 characters, without control characters.
  public var decision = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ResolveTargetCallRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "call_id", \.callID),
    .string(3, "decision", \.decision))
}
