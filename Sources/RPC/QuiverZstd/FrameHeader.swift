/// The header of a zstd frame (RFC 8878, section 3.1.1.1).
struct FrameHeader {
  /// What the decoder must keep: the window, or all of the message in a frame of one segment.
  let windowByteCount: UInt64
  /// The message's size, where the frame states it.
  let contentByteCount: UInt64?

  static let largestWindowLog: Int32 = 20
  static let largestWindow: UInt64 = 1 << largestWindowLog
  private static let magic: UInt32 = 0xFD2F_B528

  /// Nil: not the start of a frame that the protocol allows; one with a dictionary is not.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 6,
      UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == Self.magic
    else { return nil }
    let descriptor = bytes[4]
    let isOneSegment = descriptor & 0x20 != 0
    // The reserved bit, and the size of a dictionary's id.
    guard descriptor & 0x08 == 0, descriptor & 0x03 == 0 else { return nil }
    var offset = 5
    var window: UInt64 = 0
    if !isOneSegment {
      let base = UInt64(1) << (10 + UInt64(bytes[5] >> 3))
      window = base + base / 8 * UInt64(bytes[5] & 7)
      offset = 6
    }
    switch descriptor >> 6 {
    case 0: contentByteCount = isOneSegment ? Self.number(bytes, offset, 1) : nil
    case 1: contentByteCount = Self.number(bytes, offset, 2).map { $0 + 256 }
    case 2: contentByteCount = Self.number(bytes, offset, 4)
    default: contentByteCount = Self.number(bytes, offset, 8)
    }
    if isOneSegment {
      guard let contentByteCount else { return nil }
      window = contentByteCount
    }
    windowByteCount = window
  }

  /// The little-endian number of `size` bytes; nil: the bytes end before it does.
  private static func number(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ size: Int
  ) -> UInt64? {
    guard bytes.count >= offset + size else { return nil }
    return (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
  }
}
