/// A chosen range with the ends of a custom one, as it is stored for its user.
public struct KeptRange: Sendable, Equatable {
  /// The kind of the range.
  public let range: ArrowSelection
  /// Milliseconds UTC; of a custom range only.
  public let start: Int64?
  /// The end of a custom range, exclusive, in milliseconds since 1970-01-01 UTC; nil for other
  /// ranges.
  public let end: Int64?

  /// The key under which it is kept among a user's preferences.
  public static let preferenceKey = "comparison.range"

  /// Thirty days, if none was chosen.
  public static let standard = KeptRange(range: .standard)

  /// Creates a value; each parameter is the property of its name.
  public init(range: ArrowSelection, start: Int64? = nil, end: Int64? = nil) {
    self.range = range
    self.start = start
    self.end = end
  }

  /// The range that a text means, as `text` writes it; nil of any other.
  public init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let word = words.first,
      let range = ArrowSelection.allCases.first(where: { Self.word($0) == word })
    else { return nil }
    if range == .custom {
      guard words.count == 3, let start = Int64(words[1]), let end = Int64(words[2]) else {
        return nil
      }
      self.init(range: range, start: start, end: end)
    } else {
      guard words.count == 1 else { return nil }
      self.init(range: range)
    }
    guard (try? span(asOf: 0, prefix: "")) != nil else { return nil }
  }

  /// As in `THIRTY_DAYS`, and `CUSTOM 1790000000000 1792000000000`.
  public var text: String {
    guard range == .custom, let start, let end else { return Self.word(range) }
    return "\(Self.word(range)) \(start) \(end)"
  }

  /// The span that it means at an instant; throws as `ArrowSelection.span` does.
  public func span(asOf: Int64, prefix: String) throws(RuleViolation) -> ShotSpan {
    try range.span(asOf: asOf, start: start, end: end, prefix: prefix)
  }

  private static func word(_ range: ArrowSelection) -> String {
    switch range {
    case .sevenDays: "SEVEN_DAYS"
    case .thirtyDays: "THIRTY_DAYS"
    case .ninetyDays: "NINETY_DAYS"
    case .allTime: "ALL_TIME"
    case .custom: "CUSTOM"
    }
  }
}
