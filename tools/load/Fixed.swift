/// Numbers in reports.
enum Fixed {
  /// With this many decimals, rounded half away from zero.
  static func text(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = (0..<digits).reduce(1.0) { result, _ in result * 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let whole = UInt64(scaled)
    let power = UInt64(scale)
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return sign + "\(whole)" }
    let fraction = "\(whole % power)"
    return sign + "\(whole / power)." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A time with its unit: `812 µs`, `3.41 ms`, `1.20 s`.
  static func time(microseconds: Double) -> String {
    switch microseconds {
    case ..<1_000: text(microseconds, 0) + " µs"
    case ..<10_000: text(microseconds / 1_000, 2) + " ms"
    case ..<1_000_000: text(microseconds / 1_000, 1) + " ms"
    default: text(microseconds / 1_000_000, 2) + " s"
    }
  }
}
