import QuiverPlatform

/// Sixteen bytes, chosen by the caller, under which a mutating call has its effect once.
public struct IdempotencyKey: Sendable, Hashable {
  let high: UInt64
  let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A key of these bytes; nil unless there are sixteen.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { Self(reading: $0) }
  }

  init(reading bytes: UnsafeRawBufferPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// A new key: a UUIDv7 (RFC 9562), whose milliseconds since 1970 let a server tell the calls of
  /// before from others after its store was set back, and whose other 74 bits are random.
  public static func random() -> Self {
    let milliseconds = Platform.wallMilliseconds()
    let (first, second) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    return Self(
      high: milliseconds << 16 | 0x7000 | first & 0x0FFF, low: 1 << 63 | second >> 2)
  }

  /// The key's sixteen bytes.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }
}
