import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT: the first asks for a drain, the second ends the process at once.
package final class StopSignals: Sendable {
  private let state = Mutex(State())
  // Unsafe because Dispatch does not say that its sources are Sendable: kept, never touched again.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

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
    let queue = DispatchQueue(label: "quiver.signals")
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    signal(SIGPIPE, SIG_IGN)
    for source in sources {
      source.setEventHandler { [unowned self] () -> Void in received(onFirst, onSecond) }
      source.activate()
    }
  }

  /// Returns when the first signal has come.
  package func first() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if state.count == 0 { state.waiting = continuation }
        return state.count > 0
      }
      if hasCome { continuation.resume() }
    }
  }

  private func received(
    _ onFirst: @Sendable () -> Void, _ onSecond: @Sendable () -> Void
  ) {
    let (count, waiting) = state.withLock { state in
      state.count += 1
      defer { state.waiting = nil }
      return (state.count, state.waiting)
    }
    guard count == 1 else { return onSecond() }
    onFirst()
    waiting?.resume()
  }
}
