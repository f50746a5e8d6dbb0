/// Compresses and decompresses messages, each independently and without a dictionary.
///
/// The methods are called on reactors, which wait for them, and may be called concurrently.
public protocol Compressor: Sendable {
  /// The name in HELLO, `zstd`.
  var name: String { get }

  /// Returns the message as one frame of fewer than `byteCount` bytes, or nil if it cannot be
  /// compressed so far.
  func compress(_ message: UnsafeRawBufferPointer, below byteCount: Int) -> [UInt8]?

  /// Decompresses one frame, which must be all of `frame`, and passes the message's bytes on in
  /// chunks.
  ///
  /// It stops before the chunk that would exceed `limit` bytes. It needs no more memory than the
  /// protocol's window, whatever size the frame states.
  func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault)
}

/// The reason why a message cannot be decompressed.
public enum InflateFault: Error, Sendable, Equatable {
  /// The bytes are not one whole frame, or not one that the protocol allows.
  case malformed
  /// The message exceeds its limit.
  case tooLarge
}
