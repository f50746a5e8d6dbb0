/// What a body weighs, in whole thousandths of a unit.
public struct BodyWeight: Sendable, Hashable {
  /// The weight in thousandths of ``unit``.
  public var thousandths: Int64
  /// The unit of the weight.
  public var unit: MassUnit

  /// Creates a value; each parameter is the property of its name.
  public init(thousandths: Int64, unit: MassUnit) {
    self.thousandths = thousandths
    self.unit = unit
  }

  /// Thousandths of another unit, by 0.45359237 kg a pound, rounded half to even.
  ///
  /// What is far outside of a body's range is clamped to it first, so that nothing overflows.
  public func thousandths(in other: MassUnit) -> Int64 {
    guard unit != other else { return thousandths }
    let bound: Int64 = 1_000_000_000
    let bounded = max(-bound, min(bound, thousandths))
    return switch other {
    case .kilogram: Self.quotient(bounded * 45_359_237, 100_000_000)
    case .pound: Self.quotient(bounded * 100_000_000, 45_359_237)
    }
  }

  /// Rounded half to even; the divisor is positive.
  private static func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let (floor, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    let magnitude = rest.magnitude
    let half = divisor.magnitude - magnitude
    guard magnitude > half || (magnitude == half && floor % 2 != 0) else { return floor }
    return floor + (dividend < 0 ? -1 : 1)
  }

  /// The number as it is written, with as many of its three digits as it needs.
  public static func text(thousandths: Int64) -> String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    var fraction = String(rest + 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = thousandths < 0 ? "-" : ""
    return sign + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Thousandths of a number of at most nine digits before its point and three after it; nil for
  /// any other text.
  public static func thousandths(of text: some StringProtocol) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...9).contains(parts[0].count) else { return nil }
    var digits = Array(parts[0])
    if parts.count == 2 {
      guard (1...3).contains(parts[1].count) else { return nil }
      digits += parts[1]
    }
    digits += Array(repeating: UInt8(ascii: "0"), count: parts[0].count + 3 - digits.count)
    var number: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
