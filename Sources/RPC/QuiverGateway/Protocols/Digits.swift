import QuiverWire

/// Numbers in fields and queries, of digits alone: the initializers of integers accept signs, too.
enum Digits {
  /// A decimal number of 1 to `most` digits; nil: the text has another form, or is too large.
  static func decimal<Value: FixedWidthInteger>(
    _ text: some StringProtocol, most: Int
  ) -> Value? {
    guard 1...most ~= text.utf8.count,
      text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Value(text)
  }

  /// A byte of two hexadecimal digits at the beginning of a text; nil: it begins in another way.
  static func hexadecimalByte(_ text: some StringProtocol) -> UInt8? {
    let digits = text.utf8.prefix(2)
    guard digits.count == 2 else { return nil }
    var byte: UInt8 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      byte = byte << 4 | value
    }
    return byte
  }
}
