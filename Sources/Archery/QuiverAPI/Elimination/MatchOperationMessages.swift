public import QuiverProtobuf

/// Records all arrows of an end or a shoot-off, or replaces what another operation recorded.
public struct MatchOperation: Message {
  /// The client id; UUIDv7, unique per principal.
  public var clientID: [UInt8] = []
  /// The id of the match.
  public var matchID: Int64 = 0
  /// The side; 1 or 2.
  public var side: UInt32 = 0
  /// The entry; no arrows: empties it, with replaces_client_id.
  public var entry: MatchCardEntry?
  /// The replaces client id; the operation whose entry is corrected.
  public var replacesClientID: [UInt8] = []
  /// The reason; at most 200 characters; of a correction: 1 to 200 characters.
  public var reason = ""
  /// When it was shot by the client's clock, in milliseconds since 1970-01-01 UTC; 0, or more than
  /// 5 minutes ahead: now.
  public var scoredAtMilliseconds: Int64 = 0
  /// The id of the participant whose arrows these are, from the side's card. Another archer on the
  /// side is FAILED_PRECONDITION: a bracket can change while a device is offline. 0: not checked.
  public var participantID: Int64 = 0
  /// The device, at most 200 characters; in an event that demands leases that of the lease.
  public var device = ""
  /// The participant who agreed to a correction and is not on the side; 0: none.
  public var witnessID: Int64 = 0
  /// The organiser or judge who agreed instead; 0: none.
  public var judgeID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MatchOperation",
    .bytes(1, "client_id", \.clientID), .int64(2, "match_id", \.matchID),
    .uint32(3, "side", \.side), .message(4, "entry", \.entry),
    .bytes(5, "replaces_client_id", \.replacesClientID), .string(6, "reason", \.reason),
    .int64(7, "scored_at_ms", \.scoredAtMilliseconds),
    .int64(8, "participant_id", \.participantID), .string(9, "device", \.device),
    .int64(10, "witness_id", \.witnessID), .int64(11, "judge_id", \.judgeID))
}

/// Applies operations on cards.
public struct ApplyMatchOperationsRequest: Message {
  /// The operations; 1 to 50.
  public var operations: [MatchOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyMatchOperationsRequest",
    .messages(1, "operations", \.operations))
}

/// What became of the operations.
public struct ApplyMatchOperationsResponse: Message {
  /// The verdicts; one for each, in their order.
  public var verdicts: [MatchOperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyMatchOperationsResponse",
    .messages(1, "verdicts", \.verdicts))
}

/// What became of an operation.
public struct MatchVerdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Stored.
  public static let stored = Self(rawValue: 1)
  /// It was stored before, whoever may score the match now, or the same arrows are there.
  public static let same = Self(rawValue: 2)
  /// Other arrows are there.
  public static let conflict = Self(rawValue: 3)
  /// Refused.
  public static let refused = Self(rawValue: 4)
  /// No device has joined the target, or the operation that it replaces has not arrived; send it
  /// again later.
  public static let notYet = Self(rawValue: 5)
  /// The device had lost its lease, and other arrows are there: an official sees these.
  public static let late = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.MatchVerdict",
    [
      (0, "MATCH_VERDICT_UNSPECIFIED"), (1, "MATCH_VERDICT_STORED"), (2, "MATCH_VERDICT_SAME"),
      (3, "MATCH_VERDICT_CONFLICT"), (4, "MATCH_VERDICT_REFUSED"),
      (5, "MATCH_VERDICT_NOT_YET"), (6, "MATCH_VERDICT_LATE"),
    ])
}

/// Match operation verdict.
public struct MatchOperationVerdict: Message {
  /// The client id.
  public var clientID: [UInt8] = []
  /// The verdict.
  public var verdict = MatchVerdict.unspecified
  /// The code; of CONFLICT, NOT_YET and REFUSED: the status code.
  public var code: UInt32 = 0
  /// The message.
  public var message = ""
  /// The match; after the operation; absent if the caller may not see it.
  public var match: EliminationMatch?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MatchOperationVerdict",
    .bytes(1, "client_id", \.clientID), .enum(2, "verdict", \.verdict), .uint32(3, "code", \.code),
    .string(4, "message", \.message), .message(5, "match", \.match))
}

/// Confirms a card of a match.
public struct ConfirmMatchCardRequest: Message {
  /// The id of the match.
  public var matchID: Int64 = 0
  /// The side; 1 or 2.
  public var side: UInt32 = 0
  /// The revision, from 1; that was read: what is confirmed.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConfirmMatchCardRequest",
    .int64(1, "match_id", \.matchID), .uint32(2, "side", \.side), .uint64(3, "revision", \.revision)
  )
}

/// Records that a side does not shoot.
public struct ForfeitMatchRequest: Message {
  /// The id of the match.
  public var matchID: Int64 = 0
  /// The side; 1 or 2.
  public var side: UInt32 = 0
  /// The reason; at most 200 characters; 1 to 200 characters.
  public var reason = ""
  /// The revision of the match, as it was read: a match that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ForfeitMatchRequest",
    .int64(1, "match_id", \.matchID), .uint32(2, "side", \.side), .string(3, "reason", \.reason),
    .uint64(4, "expected_revision", \.expectedRevision))
}

/// Takes confirmations and forfeits of a match back.
public struct ReopenMatchRequest: Message {
  /// The id of the match.
  public var matchID: Int64 = 0
  /// The reason; at most 200 characters; 1 to 200 characters.
  public var reason = ""
  /// The void later; empties the later matches that depend on it.
  public var voidLater = false
  /// The revision of the match, as it was read: a match that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReopenMatchRequest",
    .int64(1, "match_id", \.matchID), .string(2, "reason", \.reason),
    .bool(3, "void_later", \.voidLater),
    .uint64(4, "expected_revision", \.expectedRevision))
}
