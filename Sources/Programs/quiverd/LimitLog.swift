import Dispatch
import QuiverDispatch
import QuiverRPC
import Synchronization

/// Logs limits that connections reach: the first of each kind at once, then a count each minute.
///
/// May be used from any thread.
final class LimitLog: Sendable {
  private let log: Log
  private let queue = DispatchQueue(label: "quiverd.limits")
  /// Events of each kind that are counted and not logged, while a minute runs.
  private let counts = Mutex<[String: Int]>([:])
  private static let intervalSeconds = 60

  init(_ log: Log) { self.log = log }

  func record(_ event: Server.LimitEvent) {
    let (name, field, value) = Self.words(event)
    let isFirst = counts.withLock { counts in
      defer { counts[name, default: -1] += 1 }
      return counts[name] == nil
    }
    guard isFirst else { return }
    log.warning(name, [field: value])
    logCount(name)
  }

  /// Logs in a minute how many more there were; if none, the next one is logged at once.
  private func logCount(_ name: String) {
    queue.asyncAfter(deadline: .now() + .seconds(Self.intervalSeconds)) { [self] in
      let count = counts.withLock { counts in
        defer { counts[name] = (counts[name] ?? 0) > 0 ? 0 : nil }
        return counts[name] ?? 0
      }
      guard count > 0 else { return }
      log.warning(name, ["count": "\(count)"])
      logCount(name)
    }
  }

  private static func words(
    _ event: Server.LimitEvent
  ) -> (name: String, field: String, value: String) {
    switch event {
    case .connectionRefused(let address): ("connection-refused", "address", address)
    case .principalRefused(let principal):
      ("principal-connections-full", "principal", "\(principal)")
    case .anonymousClosed(let address): ("anonymous-connection-closed", "address", address)
    case .memoryReclaimed(.principal(let id), _): ("memory-reclaimed", "principal", "\(id)")
    case .memoryReclaimed(.address(let address), _): ("memory-reclaimed", "address", address)
    }
  }
}
