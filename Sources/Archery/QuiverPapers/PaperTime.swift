/// A civil time of the proleptic Gregorian calendar.
package struct PaperTime: Sendable, Equatable {
  package let year: Int64
  package let month: Int64
  package let day: Int64
  package let hour: Int64
  package let minute: Int64
  package let second: Int64

  /// The times that are shown: the years 1 to 9999.
  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The time of a number of milliseconds since 1970-01-01 00:00 there, clamped to the years 1 to
  /// 9999.
  package init(_ milliseconds: Int64) {
    let clamped = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    let seconds = Self.floored(clamped, 1_000)
    let days = Self.floored(seconds, 86_400)
    let rest = seconds - days * 86_400
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    // Days from civil, the other way: eras of 400 years, from March.
    let shifted = days + 719_468
    let era = Self.floored(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// As in `2026-05-23 09:30`.
  package var text: String {
    digits(of: year, 4) + "-" + digits(of: month, 2) + "-" + digits(of: day, 2) + " "
      + digits(of: hour, 2) + ":" + digits(of: minute, 2)
  }

  /// A number with at least this number of digits.
  func digits(of value: Int64, _ count: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
