import CPostgres
import Dispatch
import Synchronization

/// Cancels what a connection runs, from any thread (`PQcancel`).
///
/// The server takes the request over a connection of its own. One that arrives late cancels the
/// next statement, so use it only if the connection's transaction is abandoned anyway.
// `@unchecked`: the pointer is constant, and `PQcancel` may be called on any thread.
package final class PostgresCancellation: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let flag = Atomic<Bool>(false)
  /// The requests that the server has not taken yet.
  private let open = DispatchGroup()

  /// Nil where libpq has no memory for it.
  init?(_ connection: OpaquePointer) {
    guard let pointer = PQgetCancel(connection) else { return nil }
    self.pointer = pointer
  }

  deinit {
    PQfreeCancel(pointer)
  }

  /// Asks the server to cancel; returns whether the request was sent.
  ///
  /// It blocks until the server has taken the request, so do not call it on a thread that others
  /// wait for.
  @discardableResult
  package func cancel() -> Bool {
    flag.store(true, ordering: .releasing)
    var message = [CChar](repeating: 0, count: 256)
    return PQcancel(pointer, &message, Int32(message.count)) == 1
  }

  /// Asks the server to cancel, and returns at once: a server that is frozen or cut off takes no
  /// request.
  func begin() {
    flag.store(true, ordering: .releasing)
    DispatchQueue.global(qos: .utility).async(group: open) { self.cancel() }
  }

  /// Waits until the server has taken what was begun; false where it has not by then.
  func wait(milliseconds: UInt64) -> Bool {
    open.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds))) == .success
  }

  /// Whether a cancellation was requested; forgets it.
  func take() -> Bool {
    flag.exchange(false, ordering: .acquiring)
  }
}
