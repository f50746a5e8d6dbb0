public import QuiverProtobuf

/// A page of the points of the chart, oldest first.
public struct GetWeightChartRequest: Message {
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Unspecified: exponential.
  public var method = TrendMethod.unspecified
  /// 2 to 90; 0: 10; not for the Hacker's Diet.
  public var span: UInt32 = 0
  /// Nil: from the first day.
  public var fromDay: Int32?
  /// Inclusive; nil: to the last day.
  public var toDay: Int32?
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightChartRequest",
    .enum(1, "unit", \.unit),
    .enum(2, "method", \.method),
    .uint32(3, "span", \.span),
    .optionalInt32(4, "from_day", \.fromDay),
    .optionalInt32(5, "to_day", \.toDay),
    .uint32(6, "page_size", \.pageSize),
    .string(7, "page_token", \.pageToken))
}

/// A page of points.
public struct GetWeightChartResponse: Message {
  public var points: [WeightPoint] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// Unit of the values.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightChartResponse",
    .messages(1, "points", \.points),
    .string(2, "next_page_token", \.nextPageToken),
    .enum(3, "unit", \.unit))
}

/// One day that has entries.
public struct WeightPoint: Message {
  public var day: Int32 = 0
  /// Of the day's entries, unrounded.
  public var meanThousandths: Double = 0
  public var averageThousandths: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightPoint",
    .int32(1, "day", \.day),
    .double(2, "mean_thousandths", \.meanThousandths),
    .double(3, "average_thousandths", \.averageThousandths))
}

/// The method of a trend through daily means.
public struct TrendMethod: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Alpha = 2/(span+1), one step per day with entries.
  public static let exponential = Self(rawValue: 1)
  /// 1-(1-alpha)^days instead of alpha.
  public static let timeAware = Self(rawValue: 2)
  /// A step of a tenth towards each daily mean.
  public static let hackersDiet = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.TrendMethod",
    [
      (0, "TREND_METHOD_UNSPECIFIED"),
      (1, "TREND_METHOD_EXPONENTIAL"),
      (2, "TREND_METHOD_TIME_AWARE"),
      (3, "TREND_METHOD_HACKERS_DIET"),
    ])
}
