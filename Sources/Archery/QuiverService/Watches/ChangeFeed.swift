package import QuiverStore
import Synchronization

/// Tells watches that something which they show was committed.
///
/// One for a server. Any thread may use it; who listens is called on the writer's thread and must
/// only note that it has work and go on elsewhere.
package final class ChangeFeed: Sendable {
  let store: Store
  private let state = Mutex(State())

  /// What a listener wants to hear of: a principal's things, or a topic such as a tournament.
  typealias Key = ChangedKey

  private struct State {
    var listeners: [Key: [Int: Listener]] = [:]
    var keys: [Int: Key] = [:]
    var latest = 0
    var isEnded = false
  }

  private struct Listener: Sendable {
    let changed: @Sendable (Int64) -> Void
    let ended: @Sendable () -> Void
  }

  /// Listeners that may be there at once.
  static let maxListeners = 100_000

  package init(_ store: Store) {
    self.store = store
    store.observeCommits { [weak self] sequence, keys in self?.tell(sequence, keys) }
  }

  /// Calls `changed` with the latest sequence whenever something of `key` was committed, and
  /// `ended` once when the server stops, until ``stop(_:)`` is called with the answer; nil where
  /// too many listen, or the server stops already.
  func listen(
    to key: Key, changed: @escaping @Sendable (Int64) -> Void,
    ended: @escaping @Sendable () -> Void
  ) -> Int? {
    state.withLock { state in
      guard !state.isEnded, state.keys.count < Self.maxListeners else { return nil }
      state.latest += 1
      state.listeners[key, default: [:]][state.latest] = Listener(changed: changed, ended: ended)
      state.keys[state.latest] = key
      return state.latest
    }
  }

  func stop(_ number: Int) {
    state.withLock { state in
      guard let key = state.keys.removeValue(forKey: number) else { return }
      state.listeners[key]?[number] = nil
      if state.listeners[key]?.isEmpty == true { state.listeners[key] = nil }
    }
  }

  /// Ends every watch: the server takes no more calls, and clients go on elsewhere.
  func end() {
    let listeners = state.withLock { state in
      state.isEnded = true
      return state.listeners.values.flatMap(\.values)
    }
    for listener in listeners { listener.ended() }
  }

  private func tell(_ sequence: Int64, _ keys: Set<Key>) {
    let listeners = state.withLock { state in
      state.listeners.isEmpty ? [] : keys.flatMap { state.listeners[$0]?.values.map(\.self) ?? [] }
    }
    for listener in listeners { listener.changed(sequence) }
  }
}
