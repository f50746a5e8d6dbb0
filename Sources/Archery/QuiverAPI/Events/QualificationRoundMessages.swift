public import QuiverProtobuf

/// A round of the qualification of a category: a part of the card of an archer.
public struct QualificationRound: Message {
  /// The number, from 1.
  public var number: UInt32 = 0
  /// The index of its first end on the card, from 0.
  public var firstEnd: UInt32 = 0
  /// The end count.
  public var endCount: UInt32 = 0
  /// The arrow count.
  public var arrowCount: UInt32 = 0
  /// The highest possible score.
  public var maximumScore: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.QualificationRound",
    .uint32(1, "number", \.number), .uint32(2, "first_end", \.firstEnd),
    .uint32(3, "end_count", \.endCount), .uint32(4, "arrow_count", \.arrowCount),
    .uint32(5, "maximum_score", \.maximumScore))
}

/// Adds a round to the qualification of a category.
public struct AddQualificationRoundRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The revision of the category that was read.
  public var revision: UInt64 = 0
  /// The format of the round.
  public var format: FormatReference?
  /// The number of the round before which it is shot; 0: after all of them.
  public var before: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddQualificationRoundRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .uint64(3, "revision", \.revision), .message(4, "format", \.format),
    .uint32(5, "before", \.before))
}

/// Removes a round of the qualification of a category.
public struct RemoveQualificationRoundRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The revision of the category that was read.
  public var revision: UInt64 = 0
  /// The number of the round, from 1.
  public var number: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveQualificationRoundRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .uint64(3, "revision", \.revision), .uint32(4, "number", \.number))
}

/// The session and the place of an entry in one round.
public struct EventRoundPlace: Message {
  /// The number of the round, from 2.
  public var round: UInt32 = 0
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The target; 0: no place.
  public var target: UInt32 = 0
  /// The letter; A to D.
  public var letter = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventRoundPlace",
    .uint32(1, "round", \.round), .int64(2, "session_id", \.sessionID),
    .uint32(3, "target", \.target), .string(4, "letter", \.letter))
}

/// What an archer has shot in one round.
public struct RoundTotal: Message {
  /// The number of the round, from 1.
  public var round: UInt32 = 0
  /// The sum of the arrows, without a deduction.
  public var total: UInt32 = 0
  /// The X count.
  public var xCount: UInt32 = 0
  /// The number of tens; Xs included.
  public var tenCount: UInt32 = 0
  /// The number of arrows that were shot.
  public var arrowCount: UInt32 = 0
  /// Whether a part of it is typed from a paper.
  public var typed = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RoundTotal",
    .uint32(1, "round", \.round), .uint32(2, "total", \.total), .uint32(3, "x_count", \.xCount),
    .uint32(4, "ten_count", \.tenCount), .uint32(5, "arrow_count", \.arrowCount),
    .bool(6, "typed", \.typed))
}
