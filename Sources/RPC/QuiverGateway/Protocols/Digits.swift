import QuiverWire

/// Numbers in fields and queries, of digits alone: the initializers of integers accept signs, too.
enum Digits {
  /// A decimal number of 1 to `most` digits; nil: the text has another form, or is too large.
  static func decimal<Value: FixedWidthInteger>(
    _ text: HTTPText, most: Int
  ) -> Value? {
    guard 1...most ~= text.bytes.count,
      text.bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Value(text.string)
  }

  /// A byte of two hexadecimal digits at the beginning of bytes; nil: they begin in another way.
  static func hexadecimalByte(_ bytes: some Collection<UInt8>) -> UInt8? {
    let digits = bytes.prefix(2)
    return digits.count == 2 ? hexadecimal(digits).map { UInt8(truncatingIfNeeded: $0) } : nil
  }

  /// The number of at most 15 hexadecimal digits; nil: they have another form.
  static func hexadecimal(_ digits: some Collection<UInt8>) -> Int? {
    guard 1...15 ~= digits.count else { return nil }
    var number = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      number = number << 4 | Int(value)
    }
    return number
  }
}
