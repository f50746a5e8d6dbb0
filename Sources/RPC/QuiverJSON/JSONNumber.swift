/// A JSON number, read exactly.
struct JSONNumber {
  private let isNegative: Bool
  /// Without leading and trailing zeros.
  private var digits: [UInt8]
  /// Of ten, to multiply the digits by.
  private var exponent: Int

  /// Nil unless the text is a number as JSON spells it.
  init?(_ text: String) {
    guard
      case .number(let spelling)? = try? JSONReader.value(
        of: Array(text.utf8), limits: JSONLimits()), spelling.utf8.count == text.utf8.count
    else { return nil }
    isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts.first ?? ""
    // An exponent too long for an Int is far out of any range, in its direction.
    var exponent = 0
    if parts.count > 1 {
      exponent = Int(parts[1]) ?? (parts[1].hasPrefix("-") ? -1_000_000 : 1_000_000)
    }
    exponent = min(max(exponent, -1_000_000), 1_000_000)
    let halves = mantissa.drop { $0 == "-" }.split(separator: ".")
    digits = halves.flatMap { $0.utf8.map { $0 &- UInt8(ascii: "0") } }
    self.exponent = exponent - (halves.count > 1 ? halves[1].utf8.count : 0)
    while digits.last == 0 {
      digits.removeLast()
      self.exponent += 1
    }
    digits = Array(digits.drop { $0 == 0 })
    if digits.isEmpty { self.exponent = 0 }
  }

  /// Whether it has no fraction, however it is spelt.
  var isIntegral: Bool { exponent >= 0 }

  /// The number as an integer of a type, or nil when it does not fit.
  func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
    guard isIntegral, digits.count + exponent <= 20 else { return nil }
    var value: Value = 0
    for digit in digits + [UInt8](repeating: 0, count: exponent) {
      let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
      let (next, overflowsToo) =
        isNegative
        ? tens.subtractingReportingOverflow(Value(digit))
        : tens.addingReportingOverflow(Value(digit))
      guard !overflows, !overflowsToo else { return nil }
      value = next
    }
    return value
  }
}
