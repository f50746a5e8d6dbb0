import Glibc

/// Instants in the zone of this machine, which `TZ` names.
enum InstantText {
  /// Milliseconds since 1970 of `2026-12-05T09:30`, also with seconds, a blank instead of the T,
  /// and a zone as `Z` or `+01:00`; a day alone is its beginning. Nil for other texts, and for
  /// times that the zone does not have.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.utf8.count >= 10, let day = DayText.day(String(text.prefix(10))) else { return nil }
    var rest = text.dropFirst(10)
    guard let mark = rest.first else { return local(day, 0) }
    guard mark == "T" || mark == "t" || mark == " " else { return nil }
    rest = rest.dropFirst()
    let end = rest.firstIndex { $0 == "Z" || $0 == "z" || $0 == "+" || $0 == "-" } ?? rest.endIndex
    guard let seconds = secondsOfDay(rest[..<end]) else { return nil }
    let zone = rest[end...]
    guard !zone.isEmpty else { return local(day, seconds) }
    guard let offset = offset(zone) else { return nil }
    return (Int64(day) * 86_400 + Int64(seconds) - Int64(offset)) * 1_000
  }

  /// The time with the offset of the zone: `2026-12-05T09:30:00+01:00`, or with `Z` in UTC.
  static func text(_ milliseconds: Int64) -> String {
    var seconds = time_t(
      milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0))
    var local = tm()
    localtime_r(&seconds, &local)
    let shifted = Int64(seconds) + Int64(local.tm_gmtoff)
    let (days, ofDay) = (shifted.flooredDivision(by: 86_400), shifted.remainderOfFloor(by: 86_400))
    let time = [ofDay / 3_600, ofDay / 60 % 60, ofDay % 60].map(padded).joined(separator: ":")
    return "\(DayText.text(Int32(clamping: days)))T\(time)\(zoneText(local.tm_gmtoff))"
  }

  private static func zoneText(_ offset: Int) -> String {
    guard offset != 0 else { return "Z" }
    let minutes = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    return "\(sign)\(padded(Int64(minutes / 60))):\(padded(Int64(minutes % 60)))"
  }

  private static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// The seconds of `09:30` or `09:30:15`.
  private static func secondsOfDay(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    let numbers = parts.compactMap(twoDigits)
    guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
  }

  private static func twoDigits(_ text: Substring) -> Int? {
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// The seconds of `Z` or `+01:00`.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(twoDigits)
    guard parts.count == 2, numbers.count == 2, numbers[0] <= 14, numbers[1] < 60 else {
      return nil
    }
    return (numbers[0] * 60 + numbers[1]) * 60 * (text.hasPrefix("-") ? -1 : 1)
  }

  /// The instant of a time of a day in the zone of this machine; nil where a change of the clock
  /// leaves that time out.
  private static func local(_ day: Int32, _ seconds: Int) -> Int64? {
    var parts = tm()
    let date = DayText.text(day).split(separator: "-").compactMap { Int32($0) }
    guard date.count == 3 else { return nil }
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1_900, date[1] - 1, date[2])
    parts.tm_hour = Int32(seconds / 3_600)
    parts.tm_min = Int32(seconds / 60 % 60)
    parts.tm_sec = Int32(seconds % 60)
    parts.tm_isdst = -1
    let (hour, minute) = (parts.tm_hour, parts.tm_min)
    let instant = mktime(&parts)
    guard parts.tm_hour == hour, parts.tm_min == minute else { return nil }
    return Int64(instant) * 1_000
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }

  fileprivate func remainderOfFloor(by divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
