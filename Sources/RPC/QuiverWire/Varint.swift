/// Base-128 numbers as protobuf writes them, least significant group first.
public enum Varint {
  /// The longest encoding of a 64-bit number.
  public static let maximumByteCount = 10

  /// Reads a number and moves `offset` past it.
  ///
  /// Returns nil, and leaves `offset` unchanged, when the bytes end inside the number or it is
  /// longer than ten bytes. Bits beyond 64 are dropped, as libprotobuf-c does.
  @inlinable
  public static func read(_ bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt64? {
    var position = offset
    guard position >= 0, position < bytes.count else { return nil }
    let first = bytes[position]
    if first < 0x80 {
      offset = position &+ 1
      return UInt64(first)
    }
    if bytes.count &- position > 1, bytes[position &+ 1] < 0x80 {
      offset = position &+ 2
      return UInt64(first & 0x7F) | UInt64(bytes[position &+ 1]) &<< 7
    }
    let end = min(bytes.count, position &+ maximumByteCount)
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      position &+= 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        offset = position
        return value
      }
      shift &+= 7
    }
    return nil
  }

  /// How many bytes the shortest encoding of `value` takes.
  @inlinable
  public static func byteCount(of value: UInt64) -> Int {
    let bits = 64 &- (value | 1).leadingZeroBitCount
    return (bits &+ 6) / 7
  }

  /// Writes the shortest encoding of `value` and answers its size.
  ///
  /// - Precondition: ten bytes of room, or ``byteCount(of:)`` of them.
  @inlinable
  public static func write(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> Int {
    var rest = value
    var count = 0
    while rest >= 0x80 {
      bytes.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
      rest &>>= 7
      count &+= 1
    }
    bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
    return count &+ 1
  }
}
