public import QuiverProtobuf

/// Requests a page of the points of the chart.
public struct GetWeightChartRequest: Message {
  /// The unit of the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The method of the moving average; unspecified: ``TrendMethod/exponential``.
  public var method = TrendMethod.unspecified
  /// The span of the moving average, 2 to 90; 0: 10. The Hacker's Diet trend has none.
  public var span: UInt32 = 0
  /// The first day, in days since 1970-01-01; nil: from the first entry.
  public var fromDay: Int32?
  /// The last day, inclusive, in days since 1970-01-01; nil: to the last entry.
  public var toDay: Int32?
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
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

/// A page of points, oldest first.
public struct GetWeightChartResponse: Message {
  /// The points of the page, one for each day with entries.
  public var points: [WeightPoint] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The unit of the values.
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
  /// The day, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The mean of the day's entries in thousandths of the unit, unrounded.
  public var meanThousandths: Double = 0
  /// The moving average in thousandths of the unit, unrounded.
  public var averageThousandths: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightPoint",
    .int32(1, "day", \.day),
    .double(2, "mean_thousandths", \.meanThousandths),
    .double(3, "average_thousandths", \.averageThousandths))
}

/// The method of a moving average of daily means.
public struct TrendMethod: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// `alpha = 2 / (span + 1)`, one step per day with entries.
  public static let exponential = Self(rawValue: 1)
  /// `1 - (1 - alpha)^days` instead of alpha, so that days without entries count.
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
