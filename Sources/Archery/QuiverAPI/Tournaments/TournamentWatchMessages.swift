public import QuiverProtobuf
public import QuiverRPC

/// A window of the leaderboard: the first rows, or those around a participant.
public struct WatchLeaderboardRequest: Message {
  public var tournamentID: Int64 = 0
  /// Number of rows from the first, at most 200; 0: 50, unless the next is given.
  public var top: UInt32 = 0
  /// The rows around this one.
  public var aroundParticipantID: Int64 = 0
  /// Number of rows on each side, at most 100; 0: 5.
  public var around: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchLeaderboardRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "top", \.top), .int64(3, "around_participant_id", \.aroundParticipantID),
    .uint32(4, "around", \.around))
}

/// A window, then its changes: only rows with another total, counts or status, and rows that
/// entered the window. To resume, ask for the same window; a position without history is
/// OUT_OF_RANGE. The client sorts the rows by the policy's keys, while the event is in progress by
/// `ends_completed` last, and then by id. The first row has ``firstRank``; a row that does not
/// share the rank of the previous one has its position on the whole leaderboard as its rank.
public struct WatchLeaderboardResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// Without rank, difference and `is_caller`.
  public var rows: [LeaderboardRow] = []
  /// Participants that left the window.
  public var removedIDs: [Int64] = []
  /// On the whole leaderboard, before the window.
  public var rowsBefore: UInt32 = 0
  public var firstRank: UInt32 = 0
  /// Of the whole leaderboard's first row.
  public var firstTotal: UInt32 = 0
  public var participantCount: UInt32 = 0
  public var policy = TiePolicy.unspecified
  /// Of the policy, without the one of an event in progress.
  public var keys: [RankKey] = []
  public var inProgress = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchLeaderboardResponse", .message(1, "span", \.span), .messages(2, "rows", \.rows),
    .int64s(3, "removed_ids", \.removedIDs), .uint32(4, "rows_before", \.rowsBefore),
    .uint32(5, "first_rank", \.firstRank), .uint32(6, "first_total", \.firstTotal),
    .uint32(7, "participant_count", \.participantCount), .enum(8, "policy", \.policy),
    .messages(9, "keys", \.keys), .bool(10, "in_progress", \.inProgress))
}

/// Asks for an event, and for what changes in it.
public struct WatchTournamentRequest: Message {
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTournamentRequest", .int64(1, "tournament_id", \.tournamentID))
}

/// An event and who takes part.
public struct WatchTournamentResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// Nil: unchanged.
  public var tournament: TournamentEvent?
  /// New or with another status; without scores.
  public var participants: [Participant] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTournamentResponse", .message(1, "span", \.span),
    .message(2, "tournament", \.tournament), .messages(3, "participants", \.participants))
}
