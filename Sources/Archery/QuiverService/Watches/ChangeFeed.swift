package import QuiverStore
import Synchronization

/// Notifies watches that something which they show was committed.
///
/// One for a server. Any thread may use it. Listeners are called on the writer's thread and must
/// only note that there is work and continue elsewhere. Each belongs to an open watch, or to a
/// topic with open watches, which ``WatchAdmission`` limits.
package final class ChangeFeed: Sendable {
  let store: Store
  private let state = Mutex(State())

  /// What a listener follows: the objects of a principal, or a topic such as a tournament.
  typealias Key = ChangedKey
  typealias Listener = @Sendable (_ sequence: Int64) -> Void

  private struct State {
    var listeners: [Key: [Int: Listener]] = [:]
    var keys: [Int: Key] = [:]
    var lastNumber = 0
  }

  package init(_ store: Store) {
    self.store = store
    store.observeCommits { [weak self] sequence, keys in self?.notify(sequence, keys) }
  }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.keys.count } }

  /// Calls `listener` with the latest sequence whenever something of `key` was committed, until
  /// ``stop(_:)`` is called with the returned number.
  func listen(to key: Key, _ listener: @escaping Listener) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.listeners[key, default: [:]][state.lastNumber] = listener
      state.keys[state.lastNumber] = key
      return state.lastNumber
    }
  }

  func stop(_ number: Int) {
    state.withLock { state in
      guard let key = state.keys.removeValue(forKey: number) else { return }
      state.listeners[key]?[number] = nil
      if state.listeners[key]?.isEmpty == true { state.listeners[key] = nil }
    }
  }

  private func notify(_ sequence: Int64, _ keys: Set<Key>) {
    let listeners = state.withLock { state in
      state.listeners.isEmpty ? [] : keys.flatMap { state.listeners[$0]?.values.map(\.self) ?? [] }
    }
    for listener in listeners { listener(sequence) }
  }
}
