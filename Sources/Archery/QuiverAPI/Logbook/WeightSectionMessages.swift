public import QuiverProtobuf

/// The conditions for rows, all of which must match. The values of a row do not depend on them.
public struct WeightLogFilter: Message {
  /// Only rows with a note that is more than white space.
  public var withNotes = false
  /// Only the first row at or beyond each milestone of the plan; FAILED_PRECONDITION without a
  /// plan.
  public var milestones = false
  /// Only rows of these weekdays, 1 Sunday to 7 Saturday; empty: of all.
  public var weekdays: [Int32] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightLogFilter",
    .bool(1, "with_notes", \.withNotes),
    .bool(2, "milestones", \.milestones),
    .int32s(3, "weekdays", \.weekdays))
}

/// Requests the log by calendar months.
public struct GetWeightSectionsRequest: Message {
  /// The unit of the response; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The span of the moving average, 2 to 90; 0: 7.
  public var span: UInt32 = 0
  /// The conditions for rows; nil: all rows.
  public var filter: WeightLogFilter?
  /// The year of a single month; 0: all months.
  public var year: Int32 = 0
  /// The month of the year, 1 to 12; 0: all months.
  public var month: Int32 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
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

/// Months with rows, newest first.
///
/// A page ends early at about 1 MiB. A single month with more than 3 MiB of entries is
/// RESOURCE_EXHAUSTED: list its entries instead.
public struct GetWeightSectionsResponse: Message {
  /// The months of the page.
  public var sections: [WeightSection] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The unit of the values.
  public var unit = WeightUnit.unspecified
  /// The reason why there are no sections; unspecified if there are.
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
  /// The year.
  public var year: Int32 = 0
  /// The month, 1 to 12.
  public var month: Int32 = 0
  /// The rows, newest first.
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
  /// The entry as it was made.
  public var entry: WeightEntry?
  /// The day of the week, 1 Sunday to 7 Saturday.
  public var weekday: Int32 = 0
  /// The weight in thousandths of the response's unit, rounded half to even.
  public var thousandths: Int64 = 0
  /// The moving average over daily means at the entry's day, in thousandths of the response's unit.
  public var movingAverageThousandths: Double = 0
  /// The change in a week; nil without an entry that is at least 7 civil days older.
  public var weeklyRate: WeeklyWeightRate?
  /// The direction of the weekly rate.
  public var direction = TrendDirection.unspecified
  /// Whether the note is more than white space.
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
  /// The difference in thousandths of the response's unit; positive: gained.
  public var thousandths: Int64 = 0
  /// The days between the entries, at least 7.
  public var daysBetween: Int32 = 0
  /// The difference per 7 days.
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
  /// A gain of a tenth of the unit or more.
  public static let up = Self(rawValue: 2)
  /// A loss of a tenth of the unit or more.
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

/// The reason why a list is empty.
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
