public import QuiverProtobuf

/// Requests the stored choice of a range.
public struct GetRangeRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetRangeRequest")
}

/// Stores the choice of a range.
public struct SetRangeRequest: Message {
  /// The range to store.
  public var range: RangeChoice?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRangeRequest", .message(1, "range", \.range))
}

/// Requests the score of a handicap.
public struct GetHandicapScoreRequest: Message {
  /// The format of the round.
  public var format: FormatReference?
  /// The handicap, -75 to 300.
  public var handicap: Int32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHandicapScoreRequest", .message(1, "format", \.format),
    .sint32(2, "handicap", \.handicap))
}

/// The score of a handicap.
public struct GetHandicapScoreResponse: Message {
  /// The score, rounded up as in the tables.
  public var score: UInt32 = 0
  /// The highest possible score of the format.
  public var maximumScore: UInt32 = 0
  /// The name of the format.
  public var formatName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHandicapScoreResponse", .uint32(1, "score", \.score),
    .uint32(2, "maximum_score", \.maximumScore), .string(3, "format_name", \.formatName))
}

/// Requests the handicap of a score.
public struct GetScoreHandicapRequest: Message {
  /// The format of the round.
  public var format: FormatReference?
  /// The score, from 1 to the highest possible one.
  public var score: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScoreHandicapRequest", .message(1, "format", \.format),
    .uint32(2, "score", \.score))
}

/// The handicap of a score.
public struct GetScoreHandicapResponse: Message {
  /// The handicap; a lower one is better.
  public var handicap: Int32 = 0
  /// The highest possible score of the format.
  public var maximumScore: UInt32 = 0
  /// The name of the format.
  public var formatName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScoreHandicapResponse", .sint32(1, "handicap", \.handicap),
    .uint32(2, "maximum_score", \.maximumScore), .string(3, "format_name", \.formatName))
}
