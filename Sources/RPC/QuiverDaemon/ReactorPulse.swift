import Glibc
package import QuiverRPC
import Synchronization

/// Asks every event loop once a second whether it still runs. From any thread.
package final class ReactorPulse: Sendable {
  private let reactors: [any Reactor]
  /// When each reactor was asked and has not answered; 0: it has.
  private let askedAt: Mutex<[Int]>

  /// A loop that has not answered for so long is blocked.
  private static let patienceSeconds = 10

  package init(_ reactors: [any Reactor]) {
    self.reactors = reactors
    askedAt = Mutex(Array(repeating: 0, count: reactors.count))
  }

  /// Asks those that have answered. Call it once a second or so.
  package func ask() {
    let now = Self.nowSeconds
    for (index, reactor) in reactors.enumerated() {
      let isFree = askedAt.withLock { askedAt in
        guard askedAt[index] == 0 else { return false }
        askedAt[index] = now
        return true
      }
      guard isFree else { continue }
      reactor.run { [weak self] in self?.askedAt.withLock { $0[index] = 0 } }
    }
  }

  /// For how many seconds a loop has not answered; nil: all run.
  package var blockedSeconds: Int? {
    let oldest = askedAt.withLock { $0.filter { $0 != 0 }.min() }
    guard let oldest else { return nil }
    let seconds = Self.nowSeconds - oldest
    return seconds >= Self.patienceSeconds ? seconds : nil
  }

  private static var nowSeconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + 1
  }
}
