import Dispatch
import QuiverMetrics
package import QuiverStore
import Synchronization

/// Notifies watches that something which they show was committed.
///
/// One for a server. Any thread may use it. The writer's thread only notes which keys changed.
/// Listeners are called on a queue of the feed, some of each key in turn, so that neither a commit
/// nor the listeners of other keys wait for the many listeners of one. They must only note that
/// there is work and continue elsewhere. Each belongs to an open watch, or to a topic with open
/// watches, which ``WatchAdmission`` limits.
package final class ChangeFeed: Sendable {
  let store: Store
  /// From a commit until a watch has queued the change for its client, in nanoseconds.
  let delays = Histogram(.seconds)
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "quiver.changes", qos: .userInitiated)

  /// What a listener follows: the objects of a principal, or a topic such as a tournament.
  typealias Key = ChangedKey
  typealias Listener = @Sendable () -> Void

  /// Listeners of one key that are called before those of another key have their turn.
  private static let listenersPerTurn = 64

  fileprivate struct State {
    var topics: [Key: Topic] = [:]
    var keys: [Int: Key] = [:]
    var lastNumber = 0
    /// The calls of listeners that are due, at most one for each key.
    var rounds: [Round] = []
    var isRunning = false
  }

  /// The listeners of one key.
  fileprivate struct Topic {
    var listeners: [Int: Listener] = [:]
    /// Whether its listeners are being called.
    var hasRound = false
    /// Whether the key changed after the round began.
    var changedSince = false
  }

  /// The listeners of a key that are still to be called.
  fileprivate struct Round: Sendable {
    let key: Key
    var listeners: ArraySlice<Listener>
  }

  package init(_ store: Store) {
    self.store = store
    store.observeCommits { [weak self] _, keys in self?.notify(keys) }
  }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.keys.count } }

  /// Calls `listener` after each commit that changed something of `key`, once for several commits
  /// that follow one another, until ``stop(_:)`` is called with the returned number.
  func listen(to key: Key, _ listener: @escaping Listener) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.topics[key, default: Topic()].listeners[state.lastNumber] = listener
      state.keys[state.lastNumber] = key
      return state.lastNumber
    }
  }

  /// Removes a listener; it may be called once more.
  func stop(_ number: Int) {
    state.withLock { state in
      guard let key = state.keys.removeValue(forKey: number) else { return }
      state.topics[key]?.listeners[number] = nil
      guard let topic = state.topics[key], topic.listeners.isEmpty, !topic.hasRound else { return }
      state.topics[key] = nil
    }
  }

  private func notify(_ keys: Set<Key>) {
    let starts = state.withLock { state in
      for key in keys { state.begin(key) }
      guard !state.isRunning, !state.rounds.isEmpty else { return false }
      state.isRunning = true
      return true
    }
    if starts { queue.async { self.run() } }
  }

  private func run() {
    while let listeners = state.withLock({ $0.next(Self.listenersPerTurn) }) {
      for listener in listeners { listener() }
    }
  }
}

extension ChangeFeed.State {
  /// Begins a round of a key that changed.
  fileprivate mutating func begin(_ key: ChangeFeed.Key) {
    guard let topic = topics[key] else { return }
    guard !topic.hasRound else {
      topics[key]?.changedSince = true
      return
    }
    topics[key]?.hasRound = true
    rounds.append(ChangeFeed.Round(key: key, listeners: Array(topic.listeners.values)[...]))
  }

  /// The next listeners to call; nil if there are none.
  fileprivate mutating func next(_ limit: Int) -> ArraySlice<ChangeFeed.Listener>? {
    guard !rounds.isEmpty else {
      isRunning = false
      return nil
    }
    var round = rounds.removeFirst()
    let listeners = round.listeners.prefix(limit)
    round.listeners = round.listeners.dropFirst(limit)
    if !round.listeners.isEmpty {
      rounds.append(round)
    } else if let topic = topics[round.key] {
      topics[round.key]?.hasRound = false
      topics[round.key]?.changedSince = false
      if topic.listeners.isEmpty {
        topics[round.key] = nil
      } else if topic.changedSince {
        begin(round.key)
      }
    }
    return listeners
  }
}
