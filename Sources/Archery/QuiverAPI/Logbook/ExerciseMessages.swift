public import QuiverProtobuf

/// Requests a page of the exercises that have sets.
public struct ListExercisesRequest: Message {
  /// The unit of the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Whether sets of more than 12 repetitions are ignored.
  public var leaveOutLowConfidence = false
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListExercisesRequest",
    .enum(1, "unit", \.unit),
    .bool(2, "leave_out_low_confidence", \.leaveOutLowConfidence),
    .uint32(3, "page_size", \.pageSize),
    .string(4, "page_token", \.pageToken))
}

/// A page of exercises by the bytes of their names.
public struct ListExercisesResponse: Message {
  /// The exercises of the page.
  public var exercises: [Exercise] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The unit of the values.
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
  /// The name of the exercise, which identifies it byte by byte.
  public var name = ""
  /// The number of lines in the log.
  public var setCount: Int64 = 0
  /// The largest one-rep max; the earliest day if equal; nil if no set has a one-rep max.
  public var record: LiftPoint?
  /// The latest daily maximum; nil if no set has a one-rep max.
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
  /// The day, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The one-rep max by Brzycki, in the unit of the response.
  public var oneRepMax: Double = 0
  /// The one-rep max of the same set by Epley.
  public var epley: Double = 0
  /// The one-rep max of the same set by Lombardi.
  public var lombardi: Double = 0
  /// Whether the set has more than 12 repetitions.
  public var lowConfidence = false
  /// The set.
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

/// Requests daily maxima of an exercise.
public struct GetLiftSeriesRequest: Message {
  /// The name of the exercise, byte by byte.
  public var exercise = ""
  /// The unit of the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The number of the latest daily maxima (points, not days). 0 means 31; a value above 5,000
  /// means 5,000.
  public var last: UInt32 = 0
  /// The number of days, counted back from the exercise's latest day, whose maxima are returned
  /// instead of ``last``; at most the latest 5,000 maxima.
  public var daysBack: UInt32 = 0
  /// The order of days; unspecified: oldest first.
  public var order = DayOrder.unspecified
  /// Whether sets of more than 12 repetitions are ignored.
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
  /// The daily maxima in the requested order.
  public var points: [LiftPoint] = []
  /// The largest of all daily maxima; nil without one.
  public var record: LiftPoint?
  /// The latest of all daily maxima; nil without one.
  public var latest: LiftPoint?
  /// The unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetLiftSeriesResponse",
    .messages(1, "points", \.points),
    .message(2, "record", \.record),
    .message(3, "latest", \.latest),
    .enum(4, "unit", \.unit))
}

/// Requests the daily maximum nearest to a day; the earlier one at equal distance.
public struct GetNearestLiftRequest: Message {
  /// The name of the exercise, byte by byte.
  public var exercise = ""
  /// The day, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The unit of the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Whether sets of more than 12 repetitions are ignored.
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
  /// The oldest day first.
  public static let oldestFirst = Self(rawValue: 1)
  /// The newest day first.
  public static let newestFirst = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.DayOrder",
    [
      (0, "DAY_ORDER_UNSPECIFIED"),
      (1, "DAY_ORDER_OLDEST_FIRST"),
      (2, "DAY_ORDER_NEWEST_FIRST"),
    ])
}
