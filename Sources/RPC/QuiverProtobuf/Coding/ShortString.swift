/// Strings of up to 15 bytes, which Swift keeps inside the value: the bytes from its start, and in
/// its last byte the count and whether they are ASCII.
///
/// Creating and reading them in this way takes a tenth of the time of the general functions, which
/// is half of the cost of converting a message of short strings. If the layout is different
/// (`isKnown` is false), the general functions are used.
package enum ShortString {
  /// The most bytes that such a string holds.
  static let maxByteCount = 15

  private static let isShort: UInt64 = 0x20 << 56
  private static let isShortASCII: UInt64 = 0xE0 << 56
  private static let isShortUnicode: UInt64 = 0xA0 << 56

  /// Whether strings have the described layout, determined from a few strings.
  package static let isKnown: Bool = {
    guard MemoryLayout<String>.size == 16, Int(1).littleEndian == 1 else { return false }
    let short = ["a", "seven b", "exactly8", "nine byte", "exactly fifteen", "é", "exactly fourté"]
    let long = [String(repeating: "long", count: 4), String(repeating: "é", count: 20)]
    for text in short {
      let string = String(decoding: Array(text.utf8), as: UTF8.self)
      guard raw(string) == words(of: Array(text.utf8)) else { return false }
    }
    return long.allSatisfy { raw($0).1 & isShort == 0 }
  }()

  private static func raw(_ string: String) -> (UInt64, UInt64) {
    unsafeBitCast(string, to: (UInt64, UInt64).self)
  }

  private static func words(of bytes: [UInt8]) -> (UInt64, UInt64) {
    var result: (UInt64, UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      let bits = UInt64(byte) << UInt64(8 * (index % 8))
      if index < 8 { result.0 |= bits } else { result.1 |= bits }
    }
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    result.1 |= (isASCII ? isShortASCII : isShortUnicode) | UInt64(bytes.count) << 56
    return result
  }

  /// Puts an ASCII string of 1 to 15 bytes over an empty one.
  ///
  /// - Parameter bytes: 16 of them can be read, those behind the string's are zero.
  @inline(__always)
  static func initialize(
    _ target: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer, count: Int
  ) {
    initialize(
      target, (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self)),
      count: count)
  }

  /// The same of bytes that ``words(_:count:)`` has read.
  @inline(__always)
  static func initialize(
    _ target: UnsafeMutableRawPointer, _ words: (UInt64, UInt64), count: Int
  ) {
    target.storeBytes(of: words.0, as: UInt64.self)
    target.storeBytes(
      of: words.1 | isShortASCII | UInt64(truncatingIfNeeded: count) &<< 56, toByteOffset: 8,
      as: UInt64.self)
  }

  /// The 1 to 15 bytes at an address, and zeros behind them; reads no other byte.
  @inline(__always)
  static func words(_ bytes: UnsafeRawPointer, count: Int) -> (UInt64, UInt64) {
    // Two loads that overlap read any number of bytes between one and two of their size.
    if count > 8 {
      let last = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      let shift = UInt64(truncatingIfNeeded: 8 &* (16 &- count))
      return (bytes.loadUnaligned(as: UInt64.self), last &>> shift)
    }
    if count >= 4 {
      let first = UInt64(bytes.loadUnaligned(as: UInt32.self))
      let last = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return (first | last &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4)), 0)
    }
    var word: UInt64 = 0
    for offset in 0..<count {
      let byte = UInt64(bytes.load(fromByteOffset: offset, as: UInt8.self))
      word |= byte &<< UInt64(truncatingIfNeeded: 8 &* offset)
    }
    return (word, 0)
  }

  /// The count of the string at an address, whose bytes start there too; nil if it is a longer one.
  @inline(__always)
  static func count(_ string: UnsafeRawPointer) -> Int? {
    let last = string.load(fromByteOffset: 8, as: UInt64.self)
    guard last & isShort != 0 else { return nil }
    return Int(truncatingIfNeeded: last &>> 56 & 0x0F)
  }
}
