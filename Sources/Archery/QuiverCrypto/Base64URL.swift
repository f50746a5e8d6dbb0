/// Base64 in the alphabet of RFC 4648 section 5, without padding.
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value of each byte in the alphabet; 255 for those outside it.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()

  /// The text of `bytes`: four characters for each three bytes, the last group as short as can be.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var pending: UInt32 = 0
    var pendingBitCount: UInt32 = 0
    for byte in bytes {
      pending = (pending << 8 | UInt32(byte)) & 0xFFFF
      pendingBitCount += 8
      while pendingBitCount >= 6 {
        pendingBitCount -= 6
        text.append(alphabet[Int(pending >> pendingBitCount & 63)])
      }
    }
    if pendingBitCount > 0 {
      text.append(alphabet[Int(pending << (6 - pendingBitCount) & 63)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of `text`, or nil if it is not the one text that `encode` writes for them.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var pendingBitCount: UInt32 = 0
    for character in text.utf8 {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      pending = (pending << 6 | UInt32(value)) & 0xFFFF
      pendingBitCount += 6
      if pendingBitCount >= 8 {
        pendingBitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> pendingBitCount))
      }
    }
    let rest = pending & ((1 << pendingBitCount) - 1)
    return pendingBitCount < 6 && rest == 0 ? bytes : nil
  }
}
