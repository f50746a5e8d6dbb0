import QuiverWire
import Synchronization

/// A step of a TLS handshake, which any thread may run: it takes as long as a thousand calls.
///
/// ``SecureEnd/beginStep(_:)`` makes it, and ``SecureEnd/endStep(_:now:)`` takes its result.
// Sendable because one thread at a time has it, and the channel with it: it is handed over.
package final class HandshakeStep: @unchecked Sendable {
  private let channel: any SecureChannel
  private let input: [UInt8]
  private(set) var plain = ByteQueue()
  private(set) var wire = ByteQueue()
  private(set) var error: SecureChannelError?
  private let isCancelled = Atomic(false)

  /// The most bytes that a driver passes to one step.
  package static let inputBytes = 16_384

  init(_ channel: any SecureChannel, _ input: UnsafeRawBufferPointer) {
    self.channel = channel
    self.input = Array(input)
  }

  /// The connection is gone: a step that has not begun does nothing.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Decrypts, verifies and signs. Once.
  package func run() {
    guard !isCancelled.load(ordering: .relaxed) else { return }
    input.withUnsafeBytes { bytes in
      do throws(SecureChannelError) {
        try channel.receive(bytes, plain: &plain, wire: &wire)
      } catch {
        self.error = error
      }
    }
  }
}
