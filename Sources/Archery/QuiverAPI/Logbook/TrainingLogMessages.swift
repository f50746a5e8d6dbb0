public import QuiverProtobuf
public import QuiverRPC

/// Requests the days of a span, and the days again whenever they may have changed.
public struct WatchTrainingLogRequest: Message {
  /// The first day, in days since 1970-01-01.
  public var fromDay: Int32 = 0
  /// The last day, inclusive; at most 93 days from ``fromDay``.
  public var toDay: Int32 = 0
  /// The unit of weights in the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The IANA name of the time zone in which rounds get their day; empty: the profile's, else UTC.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTrainingLogRequest",
    .int32(1, "from_day", \.fromDay),
    .int32(2, "to_day", \.toDay),
    .enum(3, "unit", \.unit),
    .string(4, "time_zone", \.timeZone))
}

/// The current days of the span.
public struct WatchTrainingLogResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// The days, newest first; days without anything are omitted.
  public var days: [TrainingDay] = []
  /// The unit of weights.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTrainingLogResponse",
    .message(1, "span", \.span),
    .messages(2, "days", \.days),
    .enum(3, "unit", \.unit))
}

/// Requests the days of a span that have an entry, a set or a round.
public struct GetTrainingLogRequest: Message {
  /// The first day, in days since 1970-01-01.
  public var fromDay: Int32 = 0
  /// The last day, inclusive; at most 366 days from ``fromDay``.
  public var toDay: Int32 = 0
  /// The unit of weights in the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The IANA name of the time zone in which rounds get their day; empty: the profile's, else UTC.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTrainingLogRequest",
    .int32(1, "from_day", \.fromDay),
    .int32(2, "to_day", \.toDay),
    .enum(3, "unit", \.unit),
    .string(4, "time_zone", \.timeZone))
}

/// The days of a span.
public struct GetTrainingLogResponse: Message {
  /// The days, newest first; days without anything are omitted.
  public var days: [TrainingDay] = []
  /// The unit of weights.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTrainingLogResponse",
    .messages(1, "days", \.days),
    .enum(2, "unit", \.unit))
}

/// The entries, sets and rounds of one day.
public struct TrainingDay: Message {
  /// The day, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The mean of the weight entries, in thousandths of the unit of the response; nil without
  /// entries.
  public var meanWeightThousandths: Double?
  /// The number of weight entries.
  public var weightEntryCount: UInt32 = 0
  /// The exercises by the bytes of their names.
  public var exercises: [TrainedExercise] = []
  /// The rounds by the times of their first arrows.
  public var rounds: [ShotRound] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TrainingDay",
    .int32(1, "day", \.day),
    .optionalDouble(2, "mean_weight_thousandths", \.meanWeightThousandths),
    .uint32(3, "weight_entry_count", \.weightEntryCount),
    .messages(4, "exercises", \.exercises),
    .messages(5, "rounds", \.rounds))
}

/// A round of the caller, on the day of its first arrow. Rounds in which nobody has shot, and those
/// that were cancelled, are omitted.
public struct ShotRound: Message {
  /// The id of the session; for a tournament's session also the id of the tournament.
  public var sessionID: Int64 = 0
  /// The id of the caller as a participant.
  public var participantID: Int64 = 0
  /// Whether the session belongs to a tournament.
  public var tournament = false
  /// The name of the format.
  public var formatName = ""
  /// The number of arrows in the whole format.
  public var formatArrowCount: UInt32 = 0
  /// The time of the earliest arrow by the clients' clocks, in milliseconds since 1970-01-01 UTC.
  public var firstShotAtMilliseconds: Int64 = 0
  /// The sums of the round; where they are typed, a part of it has no arrows.
  public var score: Score?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShotRound",
    .int64(1, "session_id", \.sessionID),
    .int64(2, "participant_id", \.participantID),
    .bool(3, "tournament", \.tournament),
    .string(4, "format_name", \.formatName),
    .uint32(5, "format_arrow_count", \.formatArrowCount),
    .int64(6, "first_shot_at_ms", \.firstShotAtMilliseconds),
    .message(7, "score", \.score))
}

/// An exercise on one day.
public struct TrainedExercise: Message {
  /// The name of the exercise.
  public var name = ""
  /// The number of lines in the log.
  public var setCount: UInt32 = 0
  /// The largest one-rep max of the day; nil if no set has one.
  public var best: LiftPoint?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TrainedExercise",
    .string(1, "name", \.name),
    .uint32(2, "set_count", \.setCount),
    .message(3, "best", \.best))
}
