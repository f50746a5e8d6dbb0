import Dispatch
import Glibc
import QuiverPlatform
import Synchronization

/// SIGTERM and SIGINT: the first asks for a drain, the second ends the process at once.
package final class StopSignals: Sendable {
  private let state: Reception
  private let handlers: [SignalHandler]

  private final class Reception: Sendable {
    let value = Mutex(State())

    func received(
      _ onFirst: @Sendable () -> Void, _ onSecond: @Sendable () -> Void
    ) {
      let (count, waiting) = value.withLock { state in
        state.count += 1
        defer { state.waiting = nil }
        return (state.count, state.waiting)
      }
      guard count == 1 else { return onSecond() }
      onFirst()
      waiting?.resume()
    }
  }

  private struct State {
    var count = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  /// From here on the signals do not kill by themselves.
  ///
  /// - Parameters:
  ///   - onFirst: is called with the first signal.
  ///   - onSecond: is called with each further one, and ends the process.
  package init(
    onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void
  ) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "quiver.signals")
    let state = Reception()
    handlers = [SIGTERM, SIGINT].map { number in
      SignalHandler(number, on: queue) { state.received(onFirst, onSecond) }
    }
    self.state = state
  }

  /// Returns when the first signal has come.
  package func first() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.value.withLock { state in
        if state.count == 0 { state.waiting = continuation }
        return state.count > 0
      }
      if hasCome { continuation.resume() }
    }
  }
}
