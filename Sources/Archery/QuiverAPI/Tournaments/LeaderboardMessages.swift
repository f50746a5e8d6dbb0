public import QuiverProtobuf

/// The keys that rank participants, the total first. Rows that are equal in all keys share a rank.
public struct TiePolicy: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The default, or the event's own.
  public static let unspecified = Self(rawValue: 0)
  /// Total, X, 10; the default.
  public static let xFirst = Self(rawValue: 1)
  /// Total, X, 10.
  public static let waOutdoor2026 = Self(rawValue: 2)
  /// Total, 10 including X, X; World Archery's rule until 2025.
  public static let waOutdoorLegacy = Self(rawValue: 3)
  /// Total, 10, 9.
  public static let waIndoor = Self(rawValue: 4)
  /// Total, 6, 5.
  public static let waField = Self(rawValue: 5)
  /// Total, 11, 10.
  public static let wa3D = Self(rawValue: 6)
  /// Total, hits, golds.
  public static let imperial = Self(rawValue: 7)
  /// Only the total.
  public static let scoreOnly = Self(rawValue: 8)

  public static let schema = EnumSchema(
    "quiver.v1.TiePolicy",
    [
      (0, "TIE_POLICY_UNSPECIFIED"), (1, "TIE_POLICY_X_FIRST"), (2, "TIE_POLICY_WA_OUTDOOR_2026"),
      (3, "TIE_POLICY_WA_OUTDOOR_LEGACY"), (4, "TIE_POLICY_WA_INDOOR"), (5, "TIE_POLICY_WA_FIELD"),
      (6, "TIE_POLICY_WA_3D"), (7, "TIE_POLICY_IMPERIAL"), (8, "TIE_POLICY_SCORE_ONLY"),
    ])
}

/// What a key of a policy counts.
public struct RankKeyKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The total.
  public static let score = Self(rawValue: 1)
  /// The number of X.
  public static let x = Self(rawValue: 2)
  /// The number of arrows of exactly one value; 10 includes X.
  public static let count = Self(rawValue: 3)
  /// The number of arrows above 0.
  public static let hits = Self(rawValue: 4)
  /// The number of arrows of the face's top value.
  public static let golds = Self(rawValue: 5)
  /// The number of complete ends, which is the last key while an event is in progress.
  public static let endsCompleted = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.RankKeyKind",
    [
      (0, "RANK_KEY_KIND_UNSPECIFIED"), (1, "RANK_KEY_KIND_SCORE"), (2, "RANK_KEY_KIND_X"),
      (3, "RANK_KEY_KIND_COUNT"), (4, "RANK_KEY_KIND_HITS"), (5, "RANK_KEY_KIND_GOLDS"),
      (6, "RANK_KEY_KIND_ENDS_COMPLETED"),
    ])
}

/// One key of a policy.
public struct RankKey: Message {
  /// What the key counts.
  public var kind = RankKeyKind.unspecified
  /// The value of the arrows that ``RankKeyKind/count`` counts; otherwise 0.
  public var value: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankKey", .enum(1, "kind", \.kind), .uint32(2, "value", \.value))
}

/// A policy in the form that is in force from a day. An event keeps the form under which it was
/// shot.
public struct TiePolicyInfo: Message {
  /// The policy.
  public var policy = TiePolicy.unspecified
  /// The name of the policy, for example `WA_INDOOR`.
  public var name = ""
  /// The keys in order; a larger count ranks higher.
  public var keys: [RankKey] = []
  /// The first day of this form, in days since 1970-01-01.
  public var inForceFromDay: Int32 = 0
  /// The last day of this form, in days since 1970-01-01; nil: still in force.
  public var inForceUntilDay: Int32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TiePolicyInfo", .enum(1, "policy", \.policy), .string(2, "name", \.name),
    .messages(3, "keys", \.keys), .int32(4, "in_force_from_day", \.inForceFromDay),
    .optionalInt32(5, "in_force_until_day", \.inForceUntilDay))
}

/// The state of a participant.
public struct ParticipantStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The participant is ranked.
  public static let active = Self(rawValue: 1)
  /// The participant withdrew and is listed after the ranked ones.
  public static let withdrawn = Self(rawValue: 2)
  /// The organiser disqualified the participant, who is listed last.
  public static let disqualified = Self(rawValue: 3)
  /// The participant's round is complete; it is ranked.
  public static let completed = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.ParticipantStatus",
    [
      (0, "PARTICIPANT_STATUS_UNSPECIFIED"), (1, "PARTICIPANT_STATUS_ACTIVE"),
      (2, "PARTICIPANT_STATUS_WITHDRAWN"), (3, "PARTICIPANT_STATUS_DISQUALIFIED"),
      (4, "PARTICIPANT_STATUS_COMPLETED"),
    ])
}

/// One participant on a leaderboard.
public struct LeaderboardRow: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The rank, from 1; 0: withdrawn or disqualified. A watch does not set it: see
  /// ``WatchLeaderboardResponse``.
  public var rank: UInt32 = 0
  /// The shown name of the participant.
  public var displayName = ""
  /// The sum of the values.
  public var total: UInt32 = 0
  /// The number of X.
  public var xCount: UInt32 = 0
  /// The number of arrows of value exactly 10, including X.
  public var tenCount: UInt32 = 0
  /// The number of ends with all slots filled.
  public var endsCompleted: UInt32 = 0
  /// The time of the participant's last operation, in milliseconds since 1970-01-01 UTC; 0: none.
  public var lastActiveAtMilliseconds: Int64 = 0
  /// Whether the participant is a guest of a user.
  public var guest = false
  /// Whether the participant is the caller. A watch does not set it.
  public var isCaller = false
  /// The first row's total minus this one's. A watch does not set it.
  public var difference: Int32 = 0
  /// The state of the participant.
  public var status = ParticipantStatus.unspecified
  /// The number of arrows by value, from 0 to 11; an X counts as its value.
  public var counts: [UInt32] = []
  /// The number of arrows of the face's top value.
  public var goldCount: UInt32 = 0
  /// The number of arrows.
  public var arrowCount: UInt32 = 0
  /// Whether a part of the card is typed from a paper.
  public var typed = false
  /// The counts that a paper does not have, as bits: 0 to 11 for the arrows of that value, where 0
  /// is also hits, 12 for X and 13 for golds. The row shares its rank with those of equal keys
  /// before the count.
  public var missingCounts: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LeaderboardRow", .int64(1, "participant_id", \.participantID),
    .uint32(2, "rank", \.rank), .string(3, "display_name", \.displayName),
    .uint32(4, "total", \.total), .uint32(5, "x_count", \.xCount),
    .uint32(6, "ten_count", \.tenCount), .uint32(7, "ends_completed", \.endsCompleted),
    .int64(8, "last_active_at_ms", \.lastActiveAtMilliseconds), .bool(9, "guest", \.guest),
    .bool(10, "is_caller", \.isCaller), .sint32(11, "difference", \.difference),
    .enum(12, "status", \.status), .uint32s(13, "counts", \.counts),
    .uint32(14, "gold_count", \.goldCount), .uint32(15, "arrow_count", \.arrowCount),
    .bool(16, "typed", \.typed), .uint32(17, "missing_counts", \.missingCounts))
}
