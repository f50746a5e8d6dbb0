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

  /// A random key.
  public static func random() -> Self {
    Self(high: UInt64.random(in: .min ... .max), low: UInt64.random(in: .min ... .max))
  }

  /// The key's sixteen bytes.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }
}
