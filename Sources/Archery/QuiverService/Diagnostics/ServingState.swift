import Synchronization

/// Whether the server accepts calls.
///
/// Any thread may use it. The state never returns to serving: the process ends instead.
package final class ServingState: Sendable {
  private let draining = Atomic<Bool>(false)
  private let storeHasFailed = Atomic<Bool>(false)
  private let observers = Mutex(Observers())

  private struct Observers {
    var actions: [Int: @Sendable (Bool) -> Void] = [:]
    var latest = 0
  }

  /// The maximum number of concurrent observers.
  static let maxObservers = 10_000

  package init() {}

  package var isServing: Bool {
    !draining.load(ordering: .relaxed) && !storeHasFailed.load(ordering: .relaxed)
  }

  /// Starts a drain: the server finishes open calls and refuses new ones.
  package func startDrain() {
    draining.store(true, ordering: .relaxed)
    notifyObservers()
  }

  /// Records that a write or fsync failed: nothing is acknowledged any more.
  package func storeFailed() {
    storeHasFailed.store(true, ordering: .relaxed)
    notifyObservers()
  }

  /// Calls `action` now and after each change, until ``unwatch(_:)`` is called with the returned
  /// number; returns nil above ``maxObservers``.
  func watch(_ action: @escaping @Sendable (Bool) -> Void) -> Int? {
    let number = observers.withLock { observers -> Int? in
      guard observers.actions.count < Self.maxObservers else { return nil }
      observers.latest += 1
      observers.actions[observers.latest] = action
      return observers.latest
    }
    if number != nil { action(isServing) }
    return number
  }

  func unwatch(_ number: Int) { observers.withLock { $0.actions[number] = nil } }

  private func notifyObservers() {
    for action in observers.withLock({ $0.actions.values.map(\.self) }) { action(isServing) }
  }
}
