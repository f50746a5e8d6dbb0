/// A date of the Gregorian calendar, which a day's number since 1970-01-01 stands for.
///
/// Arithmetic only: no zone, no locale.
public struct CivilDate: Sendable, Hashable {
  /// From 1 to 9999 where it was made of a stored day.
  public let year: Int32
  /// From 1, January.
  public let month: Int32
  /// From 1.
  public let day: Int32

  /// The days that are stored: 0001-01-01 to 9999-12-31.
  public static let dayRange: ClosedRange<Int32> = -719_162...2_932_896

  /// The date of a day.
  ///
  /// Counted in years that begin in March, so that a leap day is a year's last, and in spans of 400
  /// years, which have 146,097 days; 1970-01-01 is day 719,468 since 0000-03-01.
  public init(dayNumber: Int32) {
    let days = Int64(dayNumber) + 719_468
    let era = Self.floored(days, by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = Int32(truncatingIfNeeded: yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
    self.month = Int32(truncatingIfNeeded: month)
    day = Int32(truncatingIfNeeded: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// A date of the years 1 to 9999; nil if the calendar has none such.
  public init?(year: Int32, month: Int32, day: Int32) {
    guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Its number since 1970-01-01.
  public var dayNumber: Int32 {
    let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
    let era = Self.floored(yearFromMarch, by: 400)
    let yearOfEra = yearFromMarch - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(truncatingIfNeeded: era * 146_097 + dayOfEra - 719_468)
  }

  /// The weekday of a day, from 1, Sunday, to 7, Saturday.
  public static func weekday(ofDayNumber number: Int32) -> Int32 {
    // 1970-01-01 was a Thursday.
    let days = Int64(number) + 4
    return Int32(truncatingIfNeeded: days - floored(days, by: 7) * 7) + 1
  }

  /// How many days a month has.
  public static func length(ofMonth month: Int32, year: Int32) -> Int32 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date as `2024-02-29`.
  public var text: String {
    Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(day, 2)
  }

  private static func digits(_ number: Int32, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
