/// Base64 of RFC 4648: written in the standard alphabet with padding, read in either alphabet, with
/// padding or without.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of the bytes, with padding.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let digit = Int(bits >> UInt32(18 - 6 * index) & 63)
        text.append(index <= group.count ? alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// Nil for what is not base64, wrong padding and bits that are left over among it.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    let length = digits.count
    while digits.last == UInt8(ascii: "="), length - digits.count < 2 { digits.removeLast() }
    guard digits.count == length || length.isMultiple(of: 4), digits.count % 4 != 1 else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in digits {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
      bits &= 0xFF
    }
    return bits & (1 << UInt32(bitCount) - 1) == 0 ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
