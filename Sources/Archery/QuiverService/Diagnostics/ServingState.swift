import Synchronization

/// Whether the server takes calls, for Health and for whoever asks.
///
/// Any thread may use it. What has ended does not begin again: a process leaves instead.
package final class ServingState: Sendable {
  private let draining = Atomic<Bool>(false)
  private let storeHasFailed = Atomic<Bool>(false)
  private let watchers = Mutex(Watchers())

  private struct Watchers {
    var actions: [Int: @Sendable (Bool) -> Void] = [:]
    var latest = 0
  }

  /// Watches that may be open at once.
  static let maxWatchers = 10_000

  package init() {}

  package var isServing: Bool {
    !draining.load(ordering: .relaxed) && !storeHasFailed.load(ordering: .relaxed)
  }

  /// The server finishes what it has and takes nothing more.
  package func startDrain() {
    draining.store(true, ordering: .relaxed)
    tellWatchers()
  }

  /// A write or fsync failed: nothing is acknowledged any more.
  package func storeFailed() {
    storeHasFailed.store(true, ordering: .relaxed)
    tellWatchers()
  }

  /// Tells `action` now whether the server takes calls, and again when that changes, until
  /// ``unwatch(_:)`` is called with the answer; nil where too many watch.
  func watch(_ action: @escaping @Sendable (Bool) -> Void) -> Int? {
    let number = watchers.withLock { watchers -> Int? in
      guard watchers.actions.count < Self.maxWatchers else { return nil }
      watchers.latest += 1
      watchers.actions[watchers.latest] = action
      return watchers.latest
    }
    if number != nil { action(isServing) }
    return number
  }

  func unwatch(_ number: Int) { watchers.withLock { $0.actions[number] = nil } }

  private func tellWatchers() {
    for action in watchers.withLock({ $0.actions.values.map(\.self) }) { action(isServing) }
  }
}
