/// Over which arrows a comparison goes, numbered as in `quiver.v1.ComparisonRange`.
public enum ArrowSelection: Int32, CaseIterable, Sendable, Hashable {
  /// 7 times 24 hours back.
  case sevenDays = 1
  /// 30 times 24 hours back.
  case thirtyDays = 2
  /// 90 times 24 hours back.
  case ninetyDays = 3
  /// All arrows.
  case allTime = 4
  /// From a start to before an end.
  case custom = 5

  /// The range of comparisons until one is chosen.
  public static let standard = ArrowSelection.thirtyDays

  /// The instants that are taken, in milliseconds UTC: up to the end of the year 9999.
  public static let instants: ClosedRange<Int64> = 0...253_402_300_799_999

  private static let dayMilliseconds: Int64 = 86_400_000

  /// Nil if there is no beginning, or one has to be named.
  private var days: Int64? {
    switch self {
    case .sevenDays: 7
    case .thirtyDays: 30
    case .ninetyDays: 90
    case .allTime, .custom: nil
    }
  }

  /// The span of arrows: N times 24 hours back from `asOf`, or from `start` to `end` of a custom
  /// range.
  ///
  /// Throws where an instant is none that is taken, a custom range lacks an end or is inverted,
  /// or another range has one; `prefix` is the path of the range in the request.
  public func span(asOf: Int64, start: Int64?, end: Int64?, prefix: String) throws(RuleViolation)
    -> ShotSpan
  {
    guard self == .custom else {
      guard start == nil, end == nil else {
        throw RuleViolation(
          field: prefix + (start != nil ? ".start_ms" : ".end_ms"),
          message: "is for custom ranges only")
      }
      // A clock before 1970 has no arrows behind it.
      return ShotSpan(start: days.map { max(0, asOf - $0 * Self.dayMilliseconds) }, end: asOf)
    }
    guard let start, Self.instants.contains(start) else {
      throw RuleViolation(
        field: prefix + ".start_ms", message: "must be an instant, from 1970 to 9999")
    }
    guard let end, Self.instants.contains(end) else {
      throw RuleViolation(
        field: prefix + ".end_ms", message: "must be an instant, from 1970 to 9999")
    }
    guard start < end else {
      throw RuleViolation(field: prefix + ".end_ms", message: "must be after start")
    }
    return ShotSpan(start: start, end: end)
  }
}

/// Instants from `start` to before `end`, in milliseconds UTC.
public struct ShotSpan: Sendable, Hashable {
  /// Nil from the first arrow on.
  public let start: Int64?
  /// The end, exclusive, in milliseconds since 1970-01-01 UTC.
  public let end: Int64

  /// Creates a value; each parameter is the property of its name.
  public init(start: Int64?, end: Int64) {
    self.start = start
    self.end = end
  }

  /// Whether an instant is at or after the start and before the end.
  public func contains(_ instant: Int64) -> Bool {
    instant < end && start.map { instant >= $0 } ?? true
  }
}
