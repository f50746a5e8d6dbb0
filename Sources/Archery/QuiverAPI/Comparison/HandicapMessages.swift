public import QuiverProtobuf

/// Asks for the range that is kept.
public struct GetRangeRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetRangeRequest")
}

/// Keeps a range.
public struct SetRangeRequest: Message {
  public var range: RangeChoice?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetRangeRequest", .message(1, "range", \.range))
}

/// Asks for the score of a handicap.
public struct GetHandicapScoreRequest: Message {
  public var format: FormatReference?
  /// -75 to 300.
  public var handicap: Int32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHandicapScoreRequest", .message(1, "format", \.format),
    .sint32(2, "handicap", \.handicap))
}

/// The score of a handicap.
public struct GetHandicapScoreResponse: Message {
  public var score: UInt32 = 0
  public var maximumScore: UInt32 = 0
  public var formatName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHandicapScoreResponse", .uint32(1, "score", \.score),
    .uint32(2, "maximum_score", \.maximumScore), .string(3, "format_name", \.formatName))
}

/// Asks for the handicap of a score.
public struct GetScoreHandicapRequest: Message {
  public var format: FormatReference?
  /// 1 to the maximum.
  public var score: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScoreHandicapRequest", .message(1, "format", \.format),
    .uint32(2, "score", \.score))
}

/// The handicap of a score.
public struct GetScoreHandicapResponse: Message {
  public var handicap: Int32 = 0
  public var maximumScore: UInt32 = 0
  public var formatName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetScoreHandicapResponse", .sint32(1, "handicap", \.handicap),
    .uint32(2, "maximum_score", \.maximumScore), .string(3, "format_name", \.formatName))
}
