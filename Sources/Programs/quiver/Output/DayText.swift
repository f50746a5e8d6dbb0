import Glibc

/// Days since 1970-01-01 as YYYY-MM-DD.
enum DayText {
  /// The civil day that it is now in this machine's time zone.
  static func today() -> Int32 {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return number(year: local.tm_year + 1_900, month: local.tm_mon + 1, day: local.tm_mday)
  }

  /// The day of a text; nil if the calendar has no such day.
  static func day(_ text: String) -> Int32? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }),
      let year = Int32(parts[0]), let month = Int32(parts[1]), let day = Int32(parts[2]),
      year >= 1, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let number = number(year: year, month: month, day: day)
    // The 30th of February becomes a day of March.
    return self.text(number) == text ? number : nil
  }

  /// The text of a day in the years 1 to 9999; the number itself for others.
  static func text(_ day: Int32) -> String {
    guard (-719_162...2_932_896).contains(day) else { return "\(day)" }
    // Eras of 400 years from March of the year 0, so that leap days end their years.
    let shifted = day + 719_468
    let era = shifted / 146_097
    let ofEra = shifted % 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * ofYear + 2) / 153
    let dayOfMonth = ofYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
  }

  private static func number(year: Int32, month: Int32, day: Int32) -> Int32 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year % 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  private static func padded(_ number: Int32, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
