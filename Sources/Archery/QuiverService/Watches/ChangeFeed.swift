import Dispatch
import QuiverMetrics
package import QuiverStore
import Synchronization

/// Notifies open watches of commits that changed something of theirs.
///
/// There is one for a server. Any thread may use it. The writer's thread only notes which keys
/// changed. Listeners are called on a queue of the feed in the turns of ``ChangeRounds``, so that
/// neither a commit nor the listeners of other keys wait for the many listeners of one. They must
/// only note that there is work and continue elsewhere. Each belongs to an open watch, or to a
/// topic with open watches, which ``WatchAdmission`` limits.
package final class ChangeFeed: Sendable {
  let store: Store
  /// From a commit until a watch has queued the change for its client, in nanoseconds.
  let delays = Histogram(.seconds)
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "quiver.changes", qos: .userInitiated)

  /// The key of a listener: the objects of a principal, or a topic such as a tournament.
  typealias Key = ChangedKey
  typealias Listener = @Sendable () -> Void

  private struct State {
    var rounds = ChangeRounds<Listener>()
    /// Whether listeners are being called, or will be at once.
    var isRunning = false
    /// When the calls continue after a pause, in nanoseconds; 0: no pause.
    var resumesAt: UInt64 = 0
  }

  package init(_ store: Store) {
    self.store = store
    store.observeCommits { [weak self] _, keys in self?.notify(keys) }
  }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.rounds.listenerCount } }

  /// Calls `listener` after each commit that changed something of `key`, once for several commits
  /// that follow one another, until ``stop(_:)`` is called with the returned number.
  func listen(to key: Key, _ listener: @escaping Listener) -> Int {
    state.withLock { $0.rounds.add(listener, to: key) }
  }

  /// Removes a listener; it may be called once more.
  func stop(_ number: Int) { state.withLock { $0.rounds.remove(number) } }

  private func notify(_ keys: Set<Key>) {
    let now = Self.now
    let starts = state.withLock { state in
      for key in keys { state.rounds.changed(key, now: now) }
      guard !state.isRunning, state.rounds.isDue else { return false }
      state.isRunning = true
      return true
    }
    if starts { queue.async { self.run() } }
  }

  private func run() {
    while true {
      let now = Self.now
      let (step, setsTimer) = state.withLock { state in
        let step = state.rounds.next(now: now)
        guard case .wait(let time) = step else {
          if case .rest = step { state.isRunning = false }
          return (step, false)
        }
        state.isRunning = false
        guard state.resumesAt == 0 || time < state.resumesAt else { return (step, false) }
        state.resumesAt = time
        return (step, true)
      }
      switch step {
      case .call(let listeners): for listener in listeners { listener() }
      case .rest: return
      case .wait(let time):
        if setsTimer { resume(after: time > now ? time - now : 0) }
        return
      }
    }
  }

  private func resume(after nanoseconds: UInt64) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds))) {
      let starts = self.state.withLock { state in
        state.resumesAt = 0
        guard !state.isRunning else { return false }
        state.isRunning = true
        return true
      }
      if starts { self.run() }
    }
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
