public import QuiverProtobuf

/// The lease of a scoring device on a card of a target.
public struct TargetLease: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the target of matches.
  public var sessionID: Int64 = 0
  /// The number of the target.
  public var target: UInt32 = 0
  /// 1: the first card, 2: the second one.
  public var card: UInt32 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// As operations name it.
  public var device = ""
  /// When it joined, in milliseconds since 1970-01-01 UTC.
  public var joinedAtMilliseconds: Int64 = 0
  /// When the lease ends, in milliseconds since 1970-01-01 UTC.
  public var expiresAtMilliseconds: Int64 = 0
  /// Of JoinTarget: who shoots there, without licences.
  public var entries: [EventEntry] = []
  /// 0: it was not taken over from another device.
  public var takenOverAtMilliseconds: Int64 = 0
  /// The name of that device.
  public var takenOverFrom = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TargetLease",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .uint32(3, "target", \.target), .uint32(4, "card", \.card),
    .int64(5, "principal_id", \.principalID), .string(6, "display_name", \.displayName),
    .string(7, "device", \.device), .int64(8, "joined_at_ms", \.joinedAtMilliseconds),
    .int64(9, "expires_at_ms", \.expiresAtMilliseconds), .messages(10, "entries", \.entries),
    .int64(11, "taken_over_at_ms", \.takenOverAtMilliseconds),
    .string(12, "taken_over_from", \.takenOverFrom))
}

/// Demands leases in an event, or does not.
public struct SetEventLeasesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// Whether the event demands leases.
  public var demanded = false
  /// The codes so far are not valid any more.
  public var newCodes = false
  /// The revision of ListTargetLeases, as it was read: another one is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetEventLeasesRequest",
    .int64(1, "tournament_id", \.tournamentID), .bool(2, "demanded", \.demanded),
    .bool(3, "new_codes", \.newCodes),
    .uint64(4, "expected_revision", \.expectedRevision))
}

/// The event demands leases, or does not.
public struct SetEventLeasesResponse: Message {

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetEventLeasesResponse")
}

/// Requests the codes of targets.
public struct ListTargetCodesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the targets of matches.
  public var sessionID: Int64 = 0
  /// Of matches, from 1.
  public var firstTarget: UInt32 = 0
  /// Of matches; at most 200 targets.
  public var lastTarget: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetCodesRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .uint32(3, "first_target", \.firstTarget), .uint32(4, "last_target", \.lastTarget))
}

/// The codes of targets.
public struct ListTargetCodesResponse: Message {
  /// By target.
  public var codes: [TargetCode] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetCodesResponse",
    .messages(1, "codes", \.codes))
}

/// What a QR code of a target has.
public struct TargetCode: Message {
  /// The number of the target.
  public var target: UInt32 = 0
  /// A caller with the code may score the target; ASCII letters, digits, hyphens, underscores.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TargetCode",
    .uint32(1, "target", \.target), .string(2, "code", \.code))
}

/// Takes or renews the lease on a card of a target.
public struct JoinTargetRequest: Message {
  /// Of a target, or of a plate.
  public var code = ""
  /// 1 to 200 characters; operations name it.
  public var device = ""
  /// 1: the first card, 2: the second one.
  public var card: UInt32 = 0
  /// From another device: by an organiser, or by a device from one that has been silent for 3
  /// minutes.
  public var takeOver = false
  /// 32 random bytes, without a token; qd_ and their base64url are the token of the device
  /// afterwards.
  public var deviceSecret: [UInt8] = []
  /// Which of the choices of a plate: a session, or a match; both 0: the one that is open.
  public var sessionID: Int64 = 0
  /// The id of the match; 0: none.
  public var matchID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.JoinTargetRequest",
    .string(1, "code", \.code), .string(2, "device", \.device), .uint32(3, "card", \.card),
    .bool(4, "take_over", \.takeOver), .bytes(5, "device_secret", \.deviceSecret),
    .int64(6, "session_id", \.sessionID), .int64(7, "match_id", \.matchID))
}

/// The lease that was taken, or what is open at the target of a plate. The fields up to 10 are
/// those of the lease, for clients from before there was the field.
public struct JoinTargetResponse: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the session; 0: the target of matches.
  public var sessionID: Int64 = 0
  /// The number of the target.
  public var target: UInt32 = 0
  /// 1: the first card, 2: the second one.
  public var card: UInt32 = 0
  /// Of the lease; with a secret that of the device.
  public var principalID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// As operations name it.
  public var device = ""
  /// When it joined, in milliseconds since 1970-01-01 UTC.
  public var joinedAtMilliseconds: Int64 = 0
  /// When the lease ends, in milliseconds since 1970-01-01 UTC.
  public var expiresAtMilliseconds: Int64 = 0
  /// Who shoots there, without licences.
  public var entries: [EventEntry] = []
  /// Absent: nothing is leased; see choices.
  public var lease: TargetLease?
  /// What is open at the target of the plate, where that is more than one. Ask again with one of
  /// them.
  public var choices: [TargetChoice] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.JoinTargetResponse",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .uint32(3, "target", \.target), .uint32(4, "card", \.card),
    .int64(5, "principal_id", \.principalID), .string(6, "display_name", \.displayName),
    .string(7, "device", \.device), .int64(8, "joined_at_ms", \.joinedAtMilliseconds),
    .int64(9, "expires_at_ms", \.expiresAtMilliseconds), .messages(10, "entries", \.entries),
    .message(11, "lease", \.lease), .messages(12, "choices", \.choices))
}

/// Ends a lease.
public struct LeaveTargetRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the target of matches.
  public var sessionID: Int64 = 0
  /// The number of the target.
  public var target: UInt32 = 0
  /// 1: the first card, 2: the second one.
  public var card: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LeaveTargetRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .uint32(3, "target", \.target), .uint32(4, "card", \.card))
}

/// The lease is ended.
public struct LeaveTargetResponse: Message {

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LeaveTargetResponse")
}

/// Requests the leases of an event.
public struct ListTargetLeasesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetLeasesRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// The leases of an event.
public struct ListTargetLeasesResponse: Message {
  /// Whether the event demands leases.
  public var demanded = false
  /// By session, target and card; at most 2,000.
  public var leases: [TargetLease] = []
  /// The revision of what SetEventLeases sets; not 0.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTargetLeasesResponse",
    .bool(1, "demanded", \.demanded), .messages(2, "leases", \.leases),
    .uint64(3, "revision", \.revision))
}
