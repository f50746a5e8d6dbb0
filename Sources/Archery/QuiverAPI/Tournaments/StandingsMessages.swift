public import QuiverProtobuf

/// Requests all policies.
public struct ListTiePoliciesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListTiePoliciesRequest")
}

/// All policies in all their forms.
public struct ListTiePoliciesResponse: Message {
  /// The policies, each form with its days.
  public var policies: [TiePolicyInfo] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTiePoliciesResponse", .messages(1, "policies", \.policies))
}

/// Requests a page of standings.
public struct GetStandingsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The policy to rank by; unspecified: the event's.
  public var policy = TiePolicy.unspecified
  /// The time whose state is shown, after the last commit at or before it, in milliseconds since
  /// 1970-01-01 UTC; nil: the current state.
  public var asOfMilliseconds: Int64?
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same other fields and caller.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetStandingsRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .uint32(4, "page_size", \.pageSize), .string(5, "page_token", \.pageToken))
}

/// A page of standings.
public struct GetStandingsResponse: Message {
  /// The ranked rows by rank, then by id; then withdrawn, then disqualified participants.
  public var rows: [LeaderboardRow] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The policy that ranks them.
  public var policy: TiePolicyInfo?
  /// Whether the event is in progress, so that the number of complete ends is the last key.
  public var inProgress = false
  /// The number of all participants.
  public var participantCount: UInt32 = 0
  /// The latest commit that the page shows; 0 if the request names a time.
  public var sequence: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetStandingsResponse", .messages(1, "rows", \.rows),
    .string(2, "next_page_token", \.nextPageToken), .message(3, "policy", \.policy),
    .bool(4, "in_progress", \.inProgress), .uint32(5, "participant_count", \.participantCount),
    .int64(6, "sequence", \.sequence))
}

/// Requests the rows whose rank differs under another policy.
public struct RankUnderPolicyRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The other policy.
  public var policy = TiePolicy.unspecified
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyRequest", .int64(1, "tournament_id", \.tournamentID),
    .enum(2, "policy", \.policy), .uint32(3, "page_size", \.pageSize),
    .string(4, "page_token", \.pageToken))
}

/// The rows whose rank differs under the policy.
public struct RankUnderPolicyResponse: Message {
  /// The rows by their rank under the policy, then by id.
  public var moves: [RankMove] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The number of all rows whose rank differs.
  public var movedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankUnderPolicyResponse", .messages(1, "moves", \.moves),
    .string(2, "next_page_token", \.nextPageToken), .uint32(3, "moved_count", \.movedCount))
}

/// A row whose rank differs.
public struct RankMove: Message {
  /// The row as it is under the policy.
  public var row: LeaderboardRow?
  /// The rank under the event's policy.
  public var rankBefore: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RankMove", .message(1, "row", \.row), .uint32(2, "rank_before", \.rankBefore))
}

/// Requests the reason why one row is above another.
public struct ExplainRankRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of one participant.
  public var participantID: Int64 = 0
  /// The id of the other participant.
  public var otherParticipantID: Int64 = 0
  /// The policy to rank by; unspecified: the event's.
  public var policy = TiePolicy.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExplainRankRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "participant_id", \.participantID),
    .int64(3, "other_participant_id", \.otherParticipantID), .enum(4, "policy", \.policy))
}

/// The reason why one row is above another.
public struct ExplainRankResponse: Message {
  /// -1: the participant is above the other; 1: below; 0: they share a rank.
  public var order: Int32 = 0
  /// The first key that differs; nil if they share a rank or one is unranked.
  public var key: RankKey?
  /// The participant's count for the key.
  public var value: UInt32 = 0
  /// The other participant's count for the key.
  public var otherValue: UInt32 = 0
  /// The reason as an English sentence.
  public var text = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExplainRankResponse", .sint32(1, "order", \.order), .message(2, "key", \.key),
    .uint32(3, "value", \.value), .uint32(4, "other_value", \.otherValue),
    .string(5, "text", \.text))
}

/// Requests a page of the results of a finalised event.
public struct GetResultsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of the results of a finalised event, under the policy in force when it was shot.
public struct GetResultsResponse: Message {
  /// The ranked rows by rank, then by id; then withdrawn, then disqualified participants.
  public var rows: [LeaderboardRow] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The policy that ranks them.
  public var policy: TiePolicyInfo?
  /// The time of finalising, in milliseconds since 1970-01-01 UTC.
  public var finalisedAtMilliseconds: Int64 = 0
  /// The number of operations that wait for a decision of the organiser.
  public var lateCount: UInt32 = 0
  /// What is not finished, although the event is finalised; empty: nothing. The same on each page.
  public var openSteps: [EventStep] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetResultsResponse", .messages(1, "rows", \.rows),
    .string(2, "next_page_token", \.nextPageToken), .message(3, "policy", \.policy),
    .int64(4, "finalised_at_ms", \.finalisedAtMilliseconds), .uint32(5, "late_count", \.lateCount),
    .messages(6, "open_steps", \.openSteps))
}
