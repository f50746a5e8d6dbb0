/// The eight bytes before every payload, read and written as one big-endian load:
/// `u24 payload length | u4 type | u4 flags | u32 stream`.
public struct FrameHeader: Sendable, Equatable {
  /// The size of a header on the wire.
  public static let byteCount = 8

  /// The header as one number, most significant byte first.
  public let bits: UInt64

  /// The header with these bits.
  @inlinable
  public init(bits: UInt64) { self.bits = bits }

  /// A header made of its parts.
  ///
  /// - Precondition: `payloadByteCount` fits in 24 bits.
  @inlinable
  public init(payloadByteCount: Int, type: FrameType, flags: FrameFlags, stream: UInt32) {
    precondition(
      payloadByteCount >= 0 && payloadByteCount < 1 << 24, "a payload is at most 2^24 - 1 bytes")
    bits =
      UInt64(truncatingIfNeeded: payloadByteCount) &<< 40
      | UInt64(type.rawValue) &<< 36 | UInt64(flags.rawValue & 15) &<< 32 | UInt64(stream)
  }

  /// Reads the header at the start of `bytes`.
  ///
  /// - Precondition: there are at least eight bytes.
  @inlinable
  public init(reading bytes: UnsafeRawPointer) {
    bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
  }

  /// The number of bytes that follow the header, below 2^24.
  @inlinable public var payloadByteCount: Int { Int(truncatingIfNeeded: bits &>> 40) }
  /// The four type bits, whether or not they name a type that this version knows.
  @inlinable public var typeBits: UInt8 { UInt8(truncatingIfNeeded: bits &>> 36) & 15 }
  /// The type; nil if this version does not know it.
  @inlinable public var type: FrameType? { FrameType(rawValue: typeBits) }
  /// The flags.
  @inlinable public var flags: FrameFlags {
    FrameFlags(rawValue: UInt8(truncatingIfNeeded: bits &>> 32) & 15)
  }
  /// A REQUEST with END and no other flag: most frames that a server reads.
  @inlinable public var isWholeRequest: Bool { bits &>> 32 & 0xFF == 0x21 }
  /// END or MORE is set: a REQUEST carries a message.
  @inlinable public var hasMessage: Bool { bits &>> 32 & 3 != 0 }
  /// The number of the stream; 0: the connection.
  @inlinable public var stream: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// Writes the header's eight bytes to `bytes`.
  @inlinable
  public func write(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: bits.bigEndian, as: UInt64.self)
  }
}
