/// Packs messages and unpacks them: each by itself, without a dictionary or anything kept between
/// two messages.
///
/// Called on reactors, which it holds up for as long as it works; several may call at once.
public protocol Compressor: Sendable {
  /// As a HELLO lists it, `zstd`.
  var name: String { get }

  /// The message as one frame of fewer than `byteCount` bytes; nil where it does not get that
  /// small.
  func compress(_ message: UnsafeRawBufferPointer, below byteCount: Int) -> [UInt8]?

  /// Unpacks one frame, which must be all of `frame`, and hands the message's bytes over in chunks.
  ///
  /// Ends at the first chunk that would take the message over `limit` bytes, which is not handed
  /// over. Needs no more memory than the protocol's window, whatever the frame states.
  func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault)
}

/// Why a message cannot be unpacked.
public enum InflateFault: Error, Sendable, Equatable {
  /// It is not one whole frame, or not one that the protocol allows.
  case malformed
  /// It has more bytes than it may have.
  case tooLarge
}
