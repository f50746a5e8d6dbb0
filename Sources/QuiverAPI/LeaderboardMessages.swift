public import QuiverProtobuf

/// Ties of the total are broken by a policy's keys, one after the other; full ties share a rank.
public struct TiePolicy: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The default, or the event's own.
  public static let unspecified = Self(rawValue: 0)
  /// Score, X, 10.
  public static let xFirst = Self(rawValue: 1)
  /// Score, X, 10.
  public static let waOutdoor2026 = Self(rawValue: 2)
  /// Score, 10 with X, X.
  public static let waOutdoorLegacy = Self(rawValue: 3)
  /// Score, 10, 9.
  public static let waIndoor = Self(rawValue: 4)
  /// Score, 6, 5.
  public static let waField = Self(rawValue: 5)
  /// Score, 11, 10.
  public static let wa3D = Self(rawValue: 6)
  /// Score, hits, golds.
  public static let imperial = Self(rawValue: 7)
  public static let scoreOnly = Self(rawValue: 8)

  public static let schema = EnumSchema(
    "quiver.v1.TiePolicy",
    [
      (0, "TIE_POLICY_UNSPECIFIED"), (1, "TIE_POLICY_X_FIRST"), (2, "TIE_POLICY_WA_OUTDOOR_2026"),
      (3, "TIE_POLICY_WA_OUTDOOR_LEGACY"), (4, "TIE_POLICY_WA_INDOOR"), (5, "TIE_POLICY_WA_FIELD"),
      (6, "TIE_POLICY_WA_3D"), (7, "TIE_POLICY_IMPERIAL"), (8, "TIE_POLICY_SCORE_ONLY"),
    ])
}

/// What a policy counts.
public struct RankKeyKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let score = Self(rawValue: 1)
  public static let x = Self(rawValue: 2)
  /// Of arrows of exactly one value, X included in 10.
  public static let count = Self(rawValue: 3)
  /// Of arrows above 0.
  public static let hits = Self(rawValue: 4)
  /// Of arrows of the face's top value.
  public static let golds = Self(rawValue: 5)
  /// The last key while an event is IN_PROGRESS.
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
  public var kind = RankKeyKind.unspecified
  /// Of COUNT.
  public var value: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankKey", .enum(1, "kind", \.kind), .uint32(2, "value", \.value))
}

/// One policy as it is from a day on.
///
/// An event keeps the one that it was shot under.
public struct TiePolicyInfo: Message {
  public var policy = TiePolicy.unspecified
  /// As in WA_INDOOR.
  public var name = ""
  public var keys: [RankKey] = []
  /// Days since 1970-01-01.
  public var inForceFromDay: Int32 = 0
  /// The last day; absent: still.
  public var inForceUntilDay: Int32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TiePolicyInfo", .enum(1, "policy", \.policy), .string(2, "name", \.name),
    .messages(3, "keys", \.keys), .int32(4, "in_force_from_day", \.inForceFromDay),
    .optionalInt32(5, "in_force_until_day", \.inForceUntilDay))
}

/// Whether a participant is ranked.
public struct ParticipantStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let active = Self(rawValue: 1)
  public static let withdrawn = Self(rawValue: 2)
  public static let disqualified = Self(rawValue: 3)
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
  public var participantID: Int64 = 0
  /// From 1; 0: withdrawn or disqualified; in a watch, the client derives it.
  public var rank: UInt32 = 0
  public var displayName = ""
  public var total: UInt32 = 0
  public var xCount: UInt32 = 0
  public var tenCount: UInt32 = 0
  public var endsCompleted: UInt32 = 0
  public var lastActiveAtMilliseconds: Int64 = 0
  public var guest = false
  /// In a watch, the client knows.
  public var isCaller = false
  /// The first row's total minus this one's; in a watch, derived.
  public var difference: Int32 = 0
  public var status = ParticipantStatus.unspecified
  /// Of arrows by value, from 0 to 11.
  public var counts: [UInt32] = []
  public var goldCount: UInt32 = 0
  public var arrowCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LeaderboardRow", .int64(1, "participant_id", \.participantID),
    .uint32(2, "rank", \.rank), .string(3, "display_name", \.displayName),
    .uint32(4, "total", \.total), .uint32(5, "x_count", \.xCount),
    .uint32(6, "ten_count", \.tenCount), .uint32(7, "ends_completed", \.endsCompleted),
    .int64(8, "last_active_at_ms", \.lastActiveAtMilliseconds), .bool(9, "guest", \.guest),
    .bool(10, "is_caller", \.isCaller), .sint32(11, "difference", \.difference),
    .enum(12, "status", \.status), .uint32s(13, "counts", \.counts),
    .uint32(14, "gold_count", \.goldCount), .uint32(15, "arrow_count", \.arrowCount))
}

/// Asks for all policies.
public struct ListTiePoliciesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListTiePoliciesRequest")
}

/// All policies in all their forms.
public struct ListTiePoliciesResponse: Message {
  public var policies: [TiePolicyInfo] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTiePoliciesResponse", .messages(1, "policies", \.policies))
}

/// Asks for a page of standings.
public struct GetStandingsRequest: Message {
  public var tournamentID: Int64 = 0
  /// Unspecified: the event's.
  public var policy = TiePolicy.unspecified
  /// As it stood after the last commit at or before this instant; absent: as it is.
  public var asOfMilliseconds: Int64?
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the other fields and the caller.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetStandingsRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .uint32(4, "page_size", \.pageSize), .string(5, "page_token", \.pageToken))
}

/// Ranked rows by rank, then by id; after them the withdrawn, then the disqualified.
public struct GetStandingsResponse: Message {
  public var rows: [LeaderboardRow] = []
  public var nextPageToken = ""
  public var policy: TiePolicyInfo?
  /// Ends completed are the last key.
  public var inProgress = false
  public var participantCount: UInt32 = 0
  /// The latest commit that it shows; 0: as of a time.
  public var sequence: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetStandingsResponse", .messages(1, "rows", \.rows),
    .string(2, "next_page_token", \.nextPageToken), .message(3, "policy", \.policy),
    .bool(4, "in_progress", \.inProgress), .uint32(5, "participant_count", \.participantCount),
    .int64(6, "sequence", \.sequence))
}

/// Asks who would move under another policy.
public struct RankUnderPolicyRequest: Message {
  public var tournamentID: Int64 = 0
  public var policy = TiePolicy.unspecified
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .uint32(3, "page_size", \.pageSize),
    .string(4, "page_token", \.pageToken))
}

/// The rows whose rank is another under the policy, by the rank there, then by id.
public struct RankUnderPolicyResponse: Message {
  public var moves: [RankMove] = []
  public var nextPageToken = ""
  public var movedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyResponse", .messages(1, "moves", \.moves),
    .string(2, "next_page_token", \.nextPageToken), .uint32(3, "moved_count", \.movedCount))
}

/// A row whose rank is another.
public struct RankMove: Message {
  /// As it stands under the policy.
  public var row: LeaderboardRow?
  /// Under the event's.
  public var rankBefore: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankMove", .message(1, "row", \.row), .uint32(2, "rank_before", \.rankBefore))
}

/// Asks why one row is above another.
public struct ExplainRankRequest: Message {
  public var tournamentID: Int64 = 0
  public var participantID: Int64 = 0
  public var otherParticipantID: Int64 = 0
  /// Unspecified: the event's.
  public var policy = TiePolicy.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExplainRankRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "participant_id", \.participantID),
    .int64(3, "other_participant_id", \.otherParticipantID), .enum(4, "policy", \.policy))
}

/// Why one row is above another.
public struct ExplainRankResponse: Message {
  /// -1: the participant is above the other, 1: below, 0: they share a rank.
  public var order: Int32 = 0
  /// The first key that differs; absent where they share a rank or one is unranked.
  public var key: RankKey?
  public var value: UInt32 = 0
  public var otherValue: UInt32 = 0
  /// In English.
  public var text = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExplainRankResponse", .sint32(1, "order", \.order), .message(2, "key", \.key),
    .uint32(3, "value", \.value), .uint32(4, "other_value", \.otherValue),
    .string(5, "text", \.text))
}

/// Asks for a page of results.
public struct GetResultsRequest: Message {
  public var tournamentID: Int64 = 0
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// Of a finalised event, under the policy that it was shot under.
public struct GetResultsResponse: Message {
  public var rows: [LeaderboardRow] = []
  public var nextPageToken = ""
  public var policy: TiePolicyInfo?
  public var finalisedAtMilliseconds: Int64 = 0
  /// Operations that wait for the organiser.
  public var lateCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsResponse", .messages(1, "rows", \.rows),
    .string(2, "next_page_token", \.nextPageToken), .message(3, "policy", \.policy),
    .int64(4, "finalised_at_ms", \.finalisedAtMilliseconds), .uint32(5, "late_count", \.lateCount))
}
