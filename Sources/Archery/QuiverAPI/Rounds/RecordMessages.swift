public import QuiverProtobuf

/// Requests the caller's best scores.
public struct GetPersonalBestsRequest: Message {
  /// Only rounds of this bowstyle; unspecified: all.
  public var bowstyle = Bowstyle.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPersonalBestsRequest", .enum(1, "bowstyle", \.bowstyle))
}

/// The caller's best scores.
public struct GetPersonalBestsResponse: Message {
  /// By the name of the format, then by bowstyle.
  public var bests: [PersonalBest] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPersonalBestsResponse", .messages(1, "bests", \.bests))
}

/// The best score in one format with one bowstyle. Of equal scores the one with more X, then the
/// first.
public struct PersonalBest: Message {
  /// The id of the format.
  public var formatID: Int64 = 0
  /// The codename of a library format; empty for custom formats.
  public var codename = ""
  /// The name of the format.
  public var formatName = ""
  /// The number of arrows of the format.
  public var arrowCount: UInt32 = 0
  /// The highest possible score of the format.
  public var maximumScore: UInt32 = 0
  /// The bowstyle of the round; the profile's if the round has none.
  public var bowstyle = Bowstyle.unspecified
  /// The score.
  public var score: UInt32 = 0
  /// The number of X.
  public var xCount: UInt32 = 0
  /// The handicap of the score; nil: the format has no handicaps, or the score is 0.
  public var handicap: Int32?
  /// The class of the score for the profile's gender and age group; empty: none, or not known.
  public var classCode = ""
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The id of the participant, which names the scorecard.
  public var participantID: Int64 = 0
  /// Whether the session belongs to a tournament.
  public var tournament = false
  /// The time of the first arrow, in milliseconds since 1970-01-01 UTC.
  public var shotAtMilliseconds: Int64 = 0
  /// How many rounds of the format the caller completed with the bowstyle.
  public var roundCount: UInt32 = 0
  /// Whether a part of it is sums without arrows.
  public var typed = false
  /// What a round without arrows was shot in.
  public var shootStatus = ShootStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PersonalBest", .int64(1, "format_id", \.formatID),
    .string(2, "codename", \.codename), .string(3, "format_name", \.formatName),
    .uint32(4, "arrow_count", \.arrowCount), .uint32(5, "maximum_score", \.maximumScore),
    .enum(6, "bowstyle", \.bowstyle), .uint32(7, "score", \.score),
    .uint32(8, "x_count", \.xCount), .optionalSint32(9, "handicap", \.handicap),
    .string(10, "class_code", \.classCode), .int64(11, "session_id", \.sessionID),
    .int64(12, "participant_id", \.participantID), .bool(13, "tournament", \.tournament),
    .int64(14, "shot_at_ms", \.shotAtMilliseconds), .uint32(15, "round_count", \.roundCount),
    .bool(16, "typed", \.typed), .enum(17, "shoot_status", \.shootStatus))
}

/// Requests the caller's running handicap.
public struct GetRunningHandicapRequest: Message {
  /// Indoor, outdoor or field: each has a handicap of its own; required.
  public var location = RoundLocation.unspecified
  /// The bowstyle; unspecified: the profile's.
  public var bowstyle = Bowstyle.unspecified
  /// Only rounds that began before this instant count, in milliseconds since 1970-01-01 UTC, and
  /// seasons that ended before it have ended; nil: now.
  public var asOfMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetRunningHandicapRequest", .enum(1, "location", \.location),
    .enum(2, "bowstyle", \.bowstyle), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds))
}

/// A running handicap.
public struct GetRunningHandicapResponse: Message {
  /// The handicap; nil before the third round.
  public var handicap: Int32?
  /// How many more rounds this season give the first handicap; 0 with a handicap.
  public var missingRounds: UInt32 = 0
  /// The latest rounds that counted, newest first; at most 200.
  public var steps: [HandicapStep] = []
  /// How many rounds counted.
  public var roundCount: UInt32 = 0
  /// The bowstyle of the handicap; unspecified: of rounds without one.
  public var bowstyle = Bowstyle.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetRunningHandicapResponse", .optionalSint32(1, "handicap", \.handicap),
    .uint32(2, "missing_rounds", \.missingRounds), .messages(3, "steps", \.steps),
    .uint32(4, "round_count", \.roundCount), .enum(5, "bowstyle", \.bowstyle))
}

/// What a round did to a running handicap.
public struct HandicapStep: Message {
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The id of the participant, which names the scorecard.
  public var participantID: Int64 = 0
  /// The name of the format.
  public var formatName = ""
  /// The score of the round.
  public var score: UInt32 = 0
  /// The time of the first arrow, in milliseconds since 1970-01-01 UTC.
  public var shotAtMilliseconds: Int64 = 0
  /// The civil day of the first arrow in the profile's zone, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The handicap of the round.
  public var roundHandicap: Int32 = 0
  /// The handicap before the round, after the end of the last season; nil: there was none.
  public var before: Int32?
  /// The handicap after the round; nil: there is none yet.
  public var after: Int32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HandicapStep", .int64(1, "session_id", \.sessionID),
    .int64(2, "participant_id", \.participantID), .string(3, "format_name", \.formatName),
    .uint32(4, "score", \.score), .int64(5, "shot_at_ms", \.shotAtMilliseconds),
    .int32(6, "day", \.day), .sint32(7, "round_handicap", \.roundHandicap),
    .optionalSint32(8, "before", \.before), .optionalSint32(9, "after", \.after))
}
