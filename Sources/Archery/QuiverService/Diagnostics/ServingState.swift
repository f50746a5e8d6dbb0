import Synchronization

/// Whether the server takes calls and can store, for Health and other readers.
///
/// Any thread may use it. A drain and a failed store last until the process exits.
package final class ServingState: Sendable {
  private let state = Mutex(State())

  /// What the server can do; nil reasons: everything.
  package struct Status: Sendable, Equatable {
    /// Why the server takes no more calls.
    package var endReason: String?
    /// Why nothing can be stored, while reads continue.
    package var storeReason: String?

    /// Whether the server takes calls.
    package var isServing: Bool { endReason == nil }
  }

  private struct State {
    var status = Status()
    var actions: [Int: @Sendable (Status) -> Void] = [:]
    var latest = 0
  }

  /// Watches that may be open at once.
  static let maxObservers = 10_000

  package init() {}

  package var status: Status { state.withLock { $0.status } }

  /// The server finishes what it has and takes nothing more.
  package func startDrain() {
    update { $0.endReason = $0.endReason ?? "the server is draining" }
  }

  /// A write or fsync failed: nothing is acknowledged any more.
  package func storeFailed() {
    update { $0.endReason = "the store failed and the server is stopping" }
  }

  /// From now on nothing can be stored, for that reason; nil: it can again.
  package func storingChanged(_ reason: String?) {
    update { $0.storeReason = reason }
  }

  /// Calls `action` now with the status, and again when it changes, until ``unwatch(_:)`` is called
  /// with the answer; nil where too many watch.
  func watch(_ action: @escaping @Sendable (Status) -> Void) -> Int? {
    let (number, status) = state.withLock { state -> (Int?, Status) in
      guard state.actions.count < Self.maxObservers else { return (nil, state.status) }
      state.latest += 1
      state.actions[state.latest] = action
      return (state.latest, state.status)
    }
    if number != nil { action(status) }
    return number
  }

  func unwatch(_ number: Int) { state.withLock { $0.actions[number] = nil } }

  private func update(_ change: (inout Status) -> Void) {
    let (actions, status) = state.withLock { state in
      let before = state.status
      change(&state.status)
      return (before == state.status ? [] : state.actions.values.map(\.self), state.status)
    }
    for action in actions { action(status) }
  }
}
