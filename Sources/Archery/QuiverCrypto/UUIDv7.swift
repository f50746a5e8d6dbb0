/// The time-ordered identifiers of RFC 9562 that clients make for their objects.
package enum UUIDv7 {
  package static let byteCount = 16

  /// Whether `bytes` are 16 with version 7 and the RFC's variant.
  package static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.count == byteCount && bytes[6] >> 4 == 7 && bytes[8] >> 6 == 0b10
  }

  /// The milliseconds since 1970-01-01 in an identifier; nil if it is none.
  package static func milliseconds(_ bytes: [UInt8]) -> Int64? {
    isValid(bytes) ? bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) } : nil
  }

  /// A new identifier of the instant `unixMilliseconds`.
  package static func make(unixMilliseconds: UInt64) throws(CryptoError) -> [UInt8] {
    var bytes = try RandomBytes.make(byteCount)
    for index in 0..<6 {
      bytes[index] = UInt8(truncatingIfNeeded: unixMilliseconds >> UInt64(40 - 8 * index))
    }
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
