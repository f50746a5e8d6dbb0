public import QuiverProtobuf

/// The filter of rows: rows that match all conditions. The values of a row do not depend on it.
public struct WeightLogFilter: Message {
  /// Only rows with a note that is more than white space.
  public var withNotes = false
  /// Only the first row at or beyond each milestone of the plan; FAILED_PRECONDITION without a
  /// plan.
  public var milestones = false
  /// 1 Sunday to 7 Saturday; none: all.
  public var weekdays: [Int32] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightLogFilter",
    .bool(1, "with_notes", \.withNotes),
    .bool(2, "milestones", \.milestones),
    .int32s(3, "weekdays", \.weekdays))
}

/// The log by calendar months, newest first. A page ends early at about 1 MiB. A single month with
/// more than 3 MiB of entries is RESOURCE_EXHAUSTED: list its entries instead.
public struct GetWeightSectionsRequest: Message {
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// Of the moving average, 2 to 90; 0: 7.
  public var span: UInt32 = 0
  public var filter: WeightLogFilter?
  /// With month: only that month.
  public var year: Int32 = 0
  /// 1 to 12.
  public var month: Int32 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightSectionsRequest",
    .enum(1, "unit", \.unit),
    .uint32(2, "span", \.span),
    .message(3, "filter", \.filter),
    .int32(4, "year", \.year),
    .int32(5, "month", \.month),
    .uint32(6, "page_size", \.pageSize),
    .string(7, "page_token", \.pageToken))
}

/// Months with rows.
public struct GetWeightSectionsResponse: Message {
  public var sections: [WeightSection] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// Unit of the values.
  public var unit = WeightUnit.unspecified
  /// Why there are no sections; unspecified if there are.
  public var empty = EmptyLog.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightSectionsResponse",
    .messages(1, "sections", \.sections),
    .string(2, "next_page_token", \.nextPageToken),
    .enum(3, "unit", \.unit),
    .enum(4, "empty", \.empty))
}

/// One calendar month.
public struct WeightSection: Message {
  public var year: Int32 = 0
  /// 1 to 12.
  public var month: Int32 = 0
  /// Newest first.
  public var rows: [WeightLogRow] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightSection",
    .int32(1, "year", \.year),
    .int32(2, "month", \.month),
    .messages(3, "rows", \.rows))
}

/// One entry with values that are computed over all entries.
public struct WeightLogRow: Message {
  public var entry: WeightEntry?
  /// 1 Sunday to 7 Saturday.
  public var weekday: Int32 = 0
  /// The weight in the unit of the reply, rounded half to even.
  public var thousandths: Int64 = 0
  /// Of its day, over daily means, in the unit of the reply.
  public var movingAverageThousandths: Double = 0
  /// Nil without an entry that is at least 7 civil days older.
  public var weeklyRate: WeeklyWeightRate?
  /// Of the weekly rate.
  public var direction = TrendDirection.unspecified
  public var hasNote = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightLogRow",
    .message(1, "entry", \.entry),
    .int32(2, "weekday", \.weekday),
    .int64(3, "thousandths", \.thousandths),
    .double(4, "moving_average_thousandths", \.movingAverageThousandths),
    .message(5, "weekly_rate", \.weeklyRate),
    .enum(6, "direction", \.direction),
    .bool(7, "has_note", \.hasNote))
}

/// The weight minus that of the latest entry that is at least 7 civil days older.
public struct WeeklyWeightRate: Message {
  /// Positive: gained.
  public var thousandths: Int64 = 0
  /// At least 7.
  public var daysBetween: Int32 = 0
  public var thousandthsPerSevenDays: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeeklyWeightRate",
    .int64(1, "thousandths", \.thousandths),
    .int32(2, "days_between", \.daysBetween),
    .double(3, "thousandths_per_seven_days", \.thousandthsPerSevenDays))
}

/// The direction of a weight.
public struct TrendDirection: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Less than a tenth of the unit, or nothing to compare with.
  public static let stable = Self(rawValue: 1)
  public static let up = Self(rawValue: 2)
  public static let down = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.TrendDirection",
    [
      (0, "TREND_DIRECTION_UNSPECIFIED"),
      (1, "TREND_DIRECTION_STABLE"),
      (2, "TREND_DIRECTION_UP"),
      (3, "TREND_DIRECTION_DOWN"),
    ])
}

/// Why a list is empty.
public struct EmptyLog: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// There are no entries, or all are deleted.
  public static let noEntries = Self(rawValue: 1)
  /// There are entries, but none matches the filter.
  public static let nothingMatches = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.EmptyLog",
    [
      (0, "EMPTY_LOG_UNSPECIFIED"),
      (1, "EMPTY_LOG_NO_ENTRIES"),
      (2, "EMPTY_LOG_NOTHING_MATCHES"),
    ])
}
