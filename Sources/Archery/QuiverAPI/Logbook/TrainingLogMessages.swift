public import QuiverProtobuf
public import QuiverRPC

/// The days of a span, sent again whenever they may have changed.
public struct WatchTrainingLogRequest: Message {
  public var fromDay: Int32 = 0
  /// Inclusive; at most 93 days from ``fromDay``.
  public var toDay: Int32 = 0
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// IANA name of the time zone of rounds; empty: the profile's, else UTC.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTrainingLogRequest",
    .int32(1, "from_day", \.fromDay),
    .int32(2, "to_day", \.toDay),
    .enum(3, "unit", \.unit),
    .string(4, "time_zone", \.timeZone))
}

/// The current days, newest first.
public struct WatchTrainingLogResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  public var days: [TrainingDay] = []
  /// Unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTrainingLogResponse",
    .message(1, "span", \.span),
    .messages(2, "days", \.days),
    .enum(3, "unit", \.unit))
}

/// The days of a span with an entry, a set or a round, newest first.
public struct GetTrainingLogRequest: Message {
  public var fromDay: Int32 = 0
  /// Inclusive; at most 366 days from ``fromDay``.
  public var toDay: Int32 = 0
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// IANA name of the time zone of rounds; empty: the profile's, else UTC.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTrainingLogRequest",
    .int32(1, "from_day", \.fromDay),
    .int32(2, "to_day", \.toDay),
    .enum(3, "unit", \.unit),
    .string(4, "time_zone", \.timeZone))
}

/// Days, newest first.
public struct GetTrainingLogResponse: Message {
  public var days: [TrainingDay] = []
  /// Unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTrainingLogResponse",
    .messages(1, "days", \.days),
    .enum(2, "unit", \.unit))
}

/// The entries, sets and rounds of one day.
public struct TrainingDay: Message {
  public var day: Int32 = 0
  /// Of the weight entries, in the unit of the reply.
  public var meanWeightThousandths: Double?
  public var weightEntryCount: UInt32 = 0
  /// By the bytes of their names.
  public var exercises: [TrainedExercise] = []
  /// By their first arrows.
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

/// A round of the archer with arrows, on the day of its first arrow. Rounds that the archer
/// cancelled are omitted.
public struct ShotRound: Message {
  /// Of a tournament's session also the tournament's id.
  public var sessionID: Int64 = 0
  public var participantID: Int64 = 0
  public var tournament = false
  public var formatName = ""
  /// Of the whole round.
  public var formatArrowCount: UInt32 = 0
  /// The earliest time of an arrow, by the clients' clocks.
  public var firstShotAtMilliseconds: Int64 = 0
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
  public var name = ""
  /// Lines of the log.
  public var setCount: UInt32 = 0
  /// Nil without a one-rep max.
  public var best: LiftPoint?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TrainedExercise",
    .string(1, "name", \.name),
    .uint32(2, "set_count", \.setCount),
    .message(3, "best", \.best))
}
