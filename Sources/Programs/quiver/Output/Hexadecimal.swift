/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  /// The digits, lower case.
  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The bytes; nil where the text has another character or an odd number of them.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { place in
      UInt8(truncatingIfNeeded: digits[place] << 4 | digits[place + 1])
    }
  }
}
