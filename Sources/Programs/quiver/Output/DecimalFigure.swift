/// Numbers as text.
enum DecimalFigure {
  /// With this many decimals, up to 6; values beyond the range of the conversion print unchanged.
  static func text(_ value: Double, digits: Int = 2) -> String {
    let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let units = (value * scale).rounded(.toNearestOrEven)
    guard abs(units) < 0x1p53 else { return "\(value)" }
    let parts = Int64(abs(units)).quotientAndRemainder(dividingBy: Int64(scale))
    var text = "\(parts.quotient)"
    if digits > 0 {
      let fraction = "\(parts.remainder)"
      text += "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
    return units < 0 ? "-" + text : text
  }

  /// The same with its sign, including "+".
  static func signed(_ value: Double, digits: Int = 2) -> String {
    let text = text(value, digits: digits)
    return text.hasPrefix("-") || !text.contains { ("1"..."9").contains($0) } ? text : "+" + text
  }

  /// A share of 1 as a percentage.
  static func percent(_ share: Double) -> String { text(100 * share, digits: 1) + " %" }
}
