/// Numbers as files write them: digits and a point, no exponent.
public enum PlainDecimal {
  /// The shortest text that reads as the same number, without an exponent.
  public static func text(_ value: Double) -> String {
    let text = value.description
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard let exponentMark = text.firstIndex(of: "e"),
      let exponent = Int(text[text.index(after: exponentMark)...])
    else { return text }
    return expanded(text[..<exponentMark], exponent)
  }

  /// The number of a text with at most 40 digits and a point; nil for any other text.
  public static func value(_ text: some StringProtocol) -> Double? {
    var hasDigit = false
    var hasPoint = false
    guard text.utf8.count <= 40 else { return nil }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      default: return nil
      }
    }
    return hasDigit ? Double(text) : nil
  }

  private static func expanded(_ mantissa: Substring, _ exponent: Int) -> String {
    let isNegative = mantissa.hasPrefix("-")
    let digits = mantissa.filter(\.isNumber)
    let wholeCount = mantissa.drop { $0 == "-" }.prefix { $0 != "." }.count
    let point = wholeCount + exponent
    let sign = isNegative ? "-" : ""
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + trimmed(digits) }
    if point >= digits.count {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + trimmed(String(digits.dropFirst(point)))
  }

  private static func trimmed(_ digits: String) -> String {
    var digits = digits
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return digits
  }
}
