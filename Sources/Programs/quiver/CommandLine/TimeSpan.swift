/// Durations on the command line: `500ms`, `5s`, `2m`, `12h`, `30d`, `8w`.
enum TimeSpan {
  private static let units: [(String, Int64)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000),
  ]
  /// A hundred years.
  private static let longestMilliseconds: Int64 = 100 * 366 * 86_400_000

  /// Milliseconds above 0; nil if the text is not a duration.
  static func milliseconds(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), number > 0,
      let unit = units.first(where: { $0.0 == text.dropFirst(digits.count) })
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.1)
    return overflow || product > longestMilliseconds ? nil : product
  }
}
