public import QuiverProtobuf

/// Requests a page of the archers who share with the caller.
public struct GetSquadRequest: Message {
  /// How many weeks are shown, with the current one: at most 26; 0 means 8.
  public var weeks: UInt32 = 0
  /// The largest number of archers on the page. 0, and a value above 50, means 50.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSquadRequest", .uint32(1, "weeks", \.weeks),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of archers, in the order in which they began to share.
public struct GetSquadResponse: Message {
  /// The archers of the page.
  public var members: [SquadMember] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSquadResponse", .messages(1, "members", \.members),
    .string(2, "next_page_token", \.nextPageToken))
}

/// An archer who shares with the caller. What the share does not include is empty.
public struct SquadMember: Message {
  /// The share, with the archer's id and name.
  public var share: Share?
  /// The latest rounds, newest first, at most 3: with the part rounds or training log.
  public var lastRounds: [ShotRound] = []
  /// The weeks of the request, newest first, also those without a round.
  public var weeks: [SquadWeek] = []
  /// The latest of the best scores, newest first, at most 5: with the part rounds.
  public var bests: [PersonalBest] = []
  /// How many best scores the archer has shot in these weeks.
  public var newBestCount: UInt32 = 0
  /// The bow setups whose components were changed in these weeks, newest first, at most 5: with
  /// the part equipment.
  public var setups: [ChangedSetup] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SquadMember", .message(1, "share", \.share),
    .messages(2, "last_rounds", \.lastRounds), .messages(3, "weeks", \.weeks),
    .messages(4, "bests", \.bests), .uint32(5, "new_best_count", \.newBestCount),
    .messages(6, "setups", \.setups))
}

/// What an archer did in one week, by the days of its own time zone.
public struct SquadWeek: Message {
  /// The Monday.
  public var firstDay: Int32 = 0
  /// Rounds that began in the week, with the part rounds or training log.
  public var roundCount: UInt32 = 0
  /// Arrows of these rounds, also of typed totals.
  public var arrowCount: UInt32 = 0
  /// Lines of the strength log, with the part strength or training log.
  public var setCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SquadWeek", .int32(1, "first_day", \.firstDay),
    .uint32(2, "round_count", \.roundCount), .uint32(3, "arrow_count", \.arrowCount),
    .uint32(4, "set_count", \.setCount))
}

/// A bow setup that got a new version.
public struct ChangedSetup: Message {
  /// The id of the setup.
  public var setupID: Int64 = 0
  /// Its name; empty: it has none.
  public var name = ""
  /// Its latest version.
  public var version: UInt32 = 0
  /// When that version was made, in milliseconds since 1970-01-01.
  public var changedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ChangedSetup", .int64(1, "setup_id", \.setupID), .string(2, "name", \.name),
    .uint32(3, "version", \.version), .int64(4, "changed_at_ms", \.changedAtMilliseconds))
}
