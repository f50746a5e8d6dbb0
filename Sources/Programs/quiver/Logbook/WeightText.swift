import QuiverAPI

/// Weights and their units as text.
enum WeightText {
  static let unitFlag = Flag("--unit", .word("lb|kg"), "lb or kg; else by your profile, else lb")

  /// The unit of a flag; unspecified by default.
  static func unit(_ arguments: Arguments) throws(Failure) -> WeightUnit {
    guard let text = arguments.value(of: unitFlag) else { return .unspecified }
    guard let number = unit(text) else { throw arguments.usage("--unit is lb or kg, not \(text)") }
    return number
  }

  static func unit(_ text: String) -> WeightUnit? {
    switch text.lowercased() {
    case "lb": .pound
    case "kg": .kilogram
    default: nil
    }
  }

  static func symbol(_ unit: WeightUnit) -> String { unit == .kilogram ? "kg" : "lb" }

  /// The thousandths of a number with at most three decimals; nil for another text.
  static func thousandths(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...6).contains(parts[0].count),
      text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (48...57).contains($0) })
    else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard (1...3).contains(fraction.count) else { return nil }
    return Int64(parts[0] + fraction.padded(to: 3).replacing(" ", with: "0"))
  }

  /// Thousandths with one decimal.
  static func tenths(_ thousandths: Double) -> String { fixed(thousandths / 1_000, digits: 1) }

  /// Thousandths with the decimals that they need.
  static func exact(_ thousandths: Int64) -> String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    var fraction = String(rest + 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = thousandths < 0 ? "-" : ""
    return "\(sign)\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// The same with its sign, as a difference.
  static func difference(_ thousandths: Int64) -> String {
    (thousandths > 0 ? "+" : "") + exact(thousandths)
  }

  /// A number with this many decimals.
  static func fixed(_ value: Double, digits: Int) -> String {
    let scale = digits == 1 ? 10.0 : 100
    let units = (value * scale).rounded()
    guard units.magnitude < 0x1p53 else { return "\(value)" }
    let whole = Int64(units.magnitude).quotientAndRemainder(dividingBy: Int64(scale))
    let fraction = "\(Int64(scale) + whole.remainder)".dropFirst()
    return (units < 0 ? "-" : "") + "\(whole.quotient).\(fraction)"
  }
}
