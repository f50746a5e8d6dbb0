import Dispatch
import Glibc
import QuiverObservability
import Synchronization

/// SIGTERM and SIGINT: the first asks for a drain, the second ends the process at once.
final class StopSignals: Sendable {
  private let state = Mutex(State())
  // Unsafe because Dispatch does not say that its sources are Sendable: kept, never touched again.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  private struct State {
    var count = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  /// From here on the signals do not kill by themselves.
  init(_ log: Log) {
    let queue = DispatchQueue(label: "quiverd.signals")
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    signal(SIGPIPE, SIG_IGN)
    for source in sources {
      source.setEventHandler { [unowned self] () -> Void in self.received(log) }
      source.activate()
    }
  }

  /// Returns when the first signal has come.
  func first() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if state.count == 0 { state.waiting = continuation }
        return state.count > 0
      }
      if hasCome { continuation.resume() }
    }
  }

  private func received(_ log: Log) {
    let (count, waiting) = state.withLock { state in
      state.count += 1
      defer { state.waiting = nil }
      return (state.count, state.waiting)
    }
    if count > 1 {
      log.write(.endedAtOnce, ["reason": "a second signal"])
      Quiverd.leave(.interrupted, log)
    }
    log.write(.draining, ["reason": "a signal"])
    waiting?.resume()
  }
}
