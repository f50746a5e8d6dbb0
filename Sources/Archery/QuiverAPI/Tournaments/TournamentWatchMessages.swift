public import QuiverProtobuf
public import QuiverRPC

/// Requests a window of the leaderboard, and its changes: the first rows, or those around a
/// participant.
public struct WatchLeaderboardRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The number of rows from the first, at most 200; 0: 50, unless ``aroundParticipantID`` is set.
  public var top: UInt32 = 0
  /// The id of the participant in the middle of the window; 0: the window starts at the first row.
  public var aroundParticipantID: Int64 = 0
  /// The number of rows on each side of that participant, at most 100; 0: 5.
  public var around: UInt32 = 0
  /// The category whose rows are shown; 0: all.
  ///
  /// Where this, ``sessionID``, ``club`` or ``firstRow`` is given, the window has the rows of that
  /// part of the event, which are ranked among themselves.
  public var categoryID: Int64 = 0
  /// The session whose rows are shown; 0: all.
  public var sessionID: Int64 = 0
  /// The club whose rows are shown, at most 100 characters; empty: all.
  public var club = ""
  /// The index of the first row of the part, from 0.
  public var firstRow: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchLeaderboardRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "top", \.top), .int64(3, "around_participant_id", \.aroundParticipantID),
    .uint32(4, "around", \.around), .int64(5, "category_id", \.categoryID),
    .int64(6, "session_id", \.sessionID), .string(7, "club", \.club),
    .uint32(8, "first_row", \.firstRow))
}

/// A window of the leaderboard, then its changes: only rows with another total, counts or status,
/// and rows that entered the window.
///
/// To resume, ask for the same window; a position without history is OUT_OF_RANGE.
///
/// The client sorts the rows by the policy's keys, while the event is in progress by
/// ``LeaderboardRow/endsCompleted`` last, and then by id. The first row has ``firstRank``; a row
/// that does not share the rank of the previous one has its position on the whole leaderboard as
/// its rank.
///
/// The rows of a part have ranks, under the policy of the category and with decided ties. What is
/// said of the whole leaderboard is then said of the part.
public struct WatchLeaderboardResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// The new or changed rows, without difference and the caller's mark; with a rank only of a part.
  public var rows: [LeaderboardRow] = []
  /// The ids of participants that left the window.
  public var removedIDs: [Int64] = []
  /// The number of rows on the whole leaderboard before the window.
  public var rowsBefore: UInt32 = 0
  /// The rank of the window's first row.
  public var firstRank: UInt32 = 0
  /// The total of the whole leaderboard's first row, from which differences are computed.
  public var firstTotal: UInt32 = 0
  /// The number of all participants.
  public var participantCount: UInt32 = 0
  /// The policy that ranks the rows.
  public var policy = TiePolicy.unspecified
  /// The keys of the policy, without the one of an event in progress.
  public var keys: [RankKey] = []
  /// Whether the event is in progress, so that the number of complete ends is the last key.
  public var inProgress = false
  /// The state of the event.
  public var status = TournamentStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchLeaderboardResponse", .message(1, "span", \.span), .messages(2, "rows", \.rows),
    .int64s(3, "removed_ids", \.removedIDs), .uint32(4, "rows_before", \.rowsBefore),
    .uint32(5, "first_rank", \.firstRank), .uint32(6, "first_total", \.firstTotal),
    .uint32(7, "participant_count", \.participantCount), .enum(8, "policy", \.policy),
    .messages(9, "keys", \.keys), .bool(10, "in_progress", \.inProgress),
    .enum(11, "status", \.status))
}

/// Requests an event and its changes.
public struct WatchTournamentRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTournamentRequest", .int64(1, "tournament_id", \.tournamentID))
}

/// An event, its notices and its participants, or their changes.
public struct WatchTournamentResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// The event; nil: unchanged.
  public var tournament: TournamentEvent?
  /// The participants that are new or have another status, without scores.
  public var participants: [Participant] = []
  /// The new notices that the caller may see, newest first; in a snapshot all kept ones, in the
  /// message that has the event.
  public var notices: [EventNotice] = []
  /// The entries with another place, name, category or bib, without licences; not in a snapshot.
  public var entries: [EventEntry] = []
  /// The categories that are new or changed; not in a snapshot.
  public var categories: [EventCategory] = []
  /// The sessions that are new or changed; not in a snapshot.
  public var sessions: [EventSession] = []
  /// For officials the leases that are new or changed: who took a card over from whom; not in a
  /// snapshot.
  public var leases: [TargetLease] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTournamentResponse", .message(1, "span", \.span),
    .message(2, "tournament", \.tournament), .messages(3, "participants", \.participants),
    .messages(4, "notices", \.notices), .messages(5, "entries", \.entries),
    .messages(6, "categories", \.categories), .messages(7, "sessions", \.sessions),
    .messages(8, "leases", \.leases))
}
