import QuiverAPI

/// Ranges on the command line: `7d`, `30d`, `90d`, `all`, `2w`, `2026-05-01..2026-06-01`.
enum RangeWord {
  static let usage =
    "7d, 30d, 90d, all, another length like 2w, or days like 2026-05-01..2026-06-01"
  private static let dayMilliseconds: Int64 = 86_400_000

  /// The range of the word; nil if it is not valid. `now` is in milliseconds UTC.
  ///
  /// The days of a custom range are days in UTC, including the last.
  static func range(_ word: String, now: Int64) -> RangeChoice? {
    var range = RangeChoice()
    switch word {
    case "7d": range.range = .sevenDays
    case "30d": range.range = .thirtyDays
    case "90d": range.range = .ninetyDays
    case "all": range.range = .allTime
    default: return custom(word, now: now)
    }
    return range
  }

  private static func custom(_ word: String, now: Int64) -> RangeChoice? {
    var range = RangeChoice()
    range.range = .custom
    if let length = TimeSpan.milliseconds(word) {
      range.startMilliseconds = max(0, now - length)
      range.endMilliseconds = now
      return range
    }
    let days = word.split(separator: ".", omittingEmptySubsequences: false)
    guard days.count == 3, days[1].isEmpty, let first = DayText.day(String(days[0])),
      let last = DayText.day(String(days[2]))
    else { return nil }
    range.startMilliseconds = Int64(first) * dayMilliseconds
    range.endMilliseconds = (Int64(last) + 1) * dayMilliseconds
    return range
  }

  /// A range in words, with its instants.
  static func text(_ range: ShownRange) -> String {
    let end = TokenText.time(range.endMilliseconds)
    guard let start = range.startMilliseconds else { return "all time, up to \(end)" }
    return "\(TokenText.time(start)) to \(end)"
  }
}
