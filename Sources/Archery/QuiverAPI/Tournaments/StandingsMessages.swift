public import QuiverProtobuf

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
  /// The state after the last commit at or before this instant; nil: the current state.
  public var asOfMilliseconds: Int64?
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same other fields and caller.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetStandingsRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .uint32(4, "page_size", \.pageSize), .string(5, "page_token", \.pageToken))
}

/// Ranked rows by rank, then by id; then withdrawn, then disqualified participants.
public struct GetStandingsResponse: Message {
  public var rows: [LeaderboardRow] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  public var policy: TiePolicyInfo?
  /// Ends completed are the last key.
  public var inProgress = false
  public var participantCount: UInt32 = 0
  /// The latest commit that it shows; 0 with an instant.
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
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .uint32(3, "page_size", \.pageSize),
    .string(4, "page_token", \.pageToken))
}

/// The rows whose rank differs under the policy, by their rank under it, then by id.
public struct RankUnderPolicyResponse: Message {
  public var moves: [RankMove] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  public var movedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyResponse", .messages(1, "moves", \.moves),
    .string(2, "next_page_token", \.nextPageToken), .uint32(3, "moved_count", \.movedCount))
}

/// A row whose rank is another.
public struct RankMove: Message {
  /// Under the policy.
  public var row: LeaderboardRow?
  /// Under the event's policy.
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
  /// The first key that differs; nil if they share a rank or one is unranked.
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
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// Of a finalised event, under the policy in force when it was shot.
public struct GetResultsResponse: Message {
  public var rows: [LeaderboardRow] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  public var policy: TiePolicyInfo?
  public var finalisedAtMilliseconds: Int64 = 0
  /// Operations that wait for a decision of the organiser.
  public var lateCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsResponse", .messages(1, "rows", \.rows),
    .string(2, "next_page_token", \.nextPageToken), .message(3, "policy", \.policy),
    .int64(4, "finalised_at_ms", \.finalisedAtMilliseconds), .uint32(5, "late_count", \.lateCount))
}
