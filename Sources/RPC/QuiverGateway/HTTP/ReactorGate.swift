import QuiverRPC

/// Where a task of an exchange waits, on the exchange's reactor.
///
/// A wait ends when the gate opens and when the task is cancelled, whichever comes first, also
/// before the wait begins: whoever has waited looks why. No wait begins behind ``close()``. One
/// task waits at a time.
// Sendable because it is touched on one reactor alone.
final class ReactorGate: @unchecked Sendable {
  private let reactor: any Reactor
  private var waiting: UnsafeContinuation<Void, Never>?
  private var isClosed = false

  init(_ reactor: any Reactor) { self.reactor = reactor }

  func wait() async {
    reactor.preconditionOnReactor()
    guard !isClosed else { return }
    await withTaskCancellationHandler {
      await withUnsafeContinuation {
        open()
        waiting = $0
      }
    } onCancel: {
      // From any thread, and after the wait has begun, because the reactor is busy until then.
      reactor.run { [self] in open() }
    }
  }

  /// Ends the wait, if there is one.
  func open() {
    let waiting = waiting
    self.waiting = nil
    waiting?.resume()
  }

  /// Ends the wait, and lets no other begin.
  func close() {
    isClosed = true
    open()
  }
}
