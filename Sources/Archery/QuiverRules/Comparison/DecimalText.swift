/// Numbers as people read them.
public enum DecimalText {
  /// With that many digits after the point (up to 6), rounded half-even on the exact value of the
  /// double; never "-0.00". Beyond 2^53 units of the last digit as the double prints itself.
  public static func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<min(max(digits, 0), 6)).reduce(1.0) { product, _ in product * 10 }
    guard abs(value) * scale < 0x1p53 else { return "\(value)" }
    let units = rounded(value, scale: scale)
    let whole = Int64(abs(units)).quotientAndRemainder(dividingBy: Int64(scale))
    var text = "\(whole.quotient)"
    if digits > 0 {
      let fraction = "\(whole.remainder)"
      text += "." + String(repeating: "0", count: min(digits, 6) - fraction.count) + fraction
    }
    return units < 0 ? "-" + text : text
  }

  /// The same with its sign, "+" too; zero has none.
  public static func signed(_ value: Double, digits: Int) -> String {
    let text = fixed(value, digits: digits)
    return value > 0 && text.contains { ("1"..."9").contains($0) } ? "+" + text : text
  }

  /// A probability: "p = 0.043", and "p < 0.001" below that.
  static func p(_ value: Double) -> String {
    value < 0.001 ? "p < 0.001" : "p = " + fixed(value, digits: 3)
  }

  /// The product may round to a tie that the value does not lie on: its error decides then.
  private static func rounded(_ value: Double, scale: Double) -> Double {
    let product = value * scale
    let error = (-product).addingProduct(value, scale)
    let floor = product.rounded(.down)
    guard product - floor == 0.5, error != 0 else { return product.rounded(.toNearestOrEven) }
    return error > 0 ? floor + 1 : floor
  }
}
