public import QuiverProtobuf

/// A page of the exercises that have sets, by the bytes of their names.
public struct ListExercisesRequest: Message {
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Exclude sets of more than 12 repetitions.
  public var leaveOutLowConfidence = false
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListExercisesRequest",
    .enum(1, "unit", \.unit),
    .bool(2, "leave_out_low_confidence", \.leaveOutLowConfidence),
    .uint32(3, "page_size", \.pageSize),
    .string(4, "page_token", \.pageToken))
}

/// A page of exercises.
public struct ListExercisesResponse: Message {
  public var exercises: [Exercise] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// Unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListExercisesResponse",
    .messages(1, "exercises", \.exercises),
    .string(2, "next_page_token", \.nextPageToken),
    .enum(3, "unit", \.unit))
}

/// An exercise with its record and its latest daily maximum.
public struct Exercise: Message {
  public var name = ""
  /// Lines of the log.
  public var setCount: Int64 = 0
  /// The largest; the earliest day if equal; nil without a one-rep max.
  public var record: LiftPoint?
  public var latest: LiftPoint?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Exercise",
    .string(1, "name", \.name),
    .int64(2, "set_count", \.setCount),
    .message(3, "record", \.record),
    .message(4, "latest", \.latest))
}

/// The largest one-rep max of a day; the first set if equal.
public struct LiftPoint: Message {
  public var day: Int32 = 0
  /// By Brzycki, in the shown unit.
  public var oneRepMax: Double = 0
  /// Of the same set.
  public var epley: Double = 0
  /// Of the same set.
  public var lombardi: Double = 0
  /// More than 12 repetitions.
  public var lowConfidence = false
  public var set: LiftSet?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LiftPoint",
    .int32(1, "day", \.day),
    .double(2, "one_rep_max", \.oneRepMax),
    .double(3, "epley", \.epley),
    .double(4, "lombardi", \.lombardi),
    .bool(5, "low_confidence", \.lowConfidence),
    .message(6, "set", \.set))
}

/// Daily maxima of an exercise.
public struct GetLiftSeriesRequest: Message {
  public var exercise = ""
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Number of the latest daily maxima (points, not days); 0: 31; above 5,000: 5,000.
  public var last: UInt32 = 0
  /// Instead of last: the maxima of this number of days, counted back from the latest day of the
  /// exercise; at most the latest 5,000.
  public var daysBack: UInt32 = 0
  /// Unspecified: oldest first.
  public var order = DayOrder.unspecified
  /// Exclude sets of more than 12 repetitions.
  public var leaveOutLowConfidence = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetLiftSeriesRequest",
    .string(1, "exercise", \.exercise),
    .enum(2, "unit", \.unit),
    .uint32(3, "last", \.last),
    .uint32(4, "days_back", \.daysBack),
    .enum(5, "order", \.order),
    .bool(6, "leave_out_low_confidence", \.leaveOutLowConfidence))
}

/// Daily maxima, with the record and the latest of all.
public struct GetLiftSeriesResponse: Message {
  public var points: [LiftPoint] = []
  public var record: LiftPoint?
  public var latest: LiftPoint?
  /// Unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetLiftSeriesResponse",
    .messages(1, "points", \.points),
    .message(2, "record", \.record),
    .message(3, "latest", \.latest),
    .enum(4, "unit", \.unit))
}

/// The daily maximum nearest to a day; the earlier one at equal distance.
public struct GetNearestLiftRequest: Message {
  public var exercise = ""
  public var day: Int32 = 0
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Exclude sets of more than 12 repetitions.
  public var leaveOutLowConfidence = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetNearestLiftRequest",
    .string(1, "exercise", \.exercise),
    .int32(2, "day", \.day),
    .enum(3, "unit", \.unit),
    .bool(4, "leave_out_low_confidence", \.leaveOutLowConfidence))
}

/// The order of days.
public struct DayOrder: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  public static let oldestFirst = Self(rawValue: 1)
  public static let newestFirst = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.DayOrder",
    [
      (0, "DAY_ORDER_UNSPECIFIED"),
      (1, "DAY_ORDER_OLDEST_FIRST"),
      (2, "DAY_ORDER_NEWEST_FIRST"),
    ])
}
