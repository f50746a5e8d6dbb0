import Dispatch
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// All who watch one event's leaderboard, and the turns in which they are told.
///
/// A turn comes at most once an interval, and only where something was committed or somebody
/// waits for a first message. It runs on a queue that no shard waits for; each reactor is visited
/// once a turn.
final class LeaderboardChannel: Sendable {
  let tournament: Int64
  private let store: Store
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var windows: [LeaderboardWindowKey: Watched] = [:]
    var keys: [Int: LeaderboardWindowKey] = [:]
    var latest = 0
    var isTurnDue = false
    var lastTurn = DispatchTime(uptimeNanoseconds: 1)
    var watcherCount = 0
  }

  private struct Watched: Sendable {
    var publication: LeaderboardPublication?
    var watchers: [Int: LeaderboardWatcher] = [:]
    /// Those who have not been handed a publication yet.
    var newcomers: Set<Int> = []
  }

  /// Between two turns.
  private let intervalMilliseconds: Int

  /// Windows without watchers that are kept for those who come back.
  private static let maximumIdleWindows = 256

  init(
    _ store: Store, tournament: Int64, queue: DispatchQueue, intervalMilliseconds: Int
  ) {
    self.intervalMilliseconds = intervalMilliseconds
    self.store = store
    self.tournament = tournament
    self.queue = queue
  }

  var isIdle: Bool { state.withLock { $0.watcherCount == 0 } }

  /// Adds a watcher of a window; answers by what to take it out again.
  func add(_ watcher: LeaderboardWatcher, to key: LeaderboardWindowKey) -> Int {
    let number = state.withLock { state in
      state.latest += 1
      state.watcherCount += 1
      state.keys[state.latest] = key
      state.windows[key, default: Watched()].watchers[state.latest] = watcher
      state.windows[key]?.newcomers.insert(state.latest)
      return state.latest
    }
    askForTurn()
    return number
  }

  func remove(_ number: Int) {
    state.withLock { state in
      guard let key = state.keys.removeValue(forKey: number) else { return }
      state.watcherCount -= 1
      state.windows[key]?.watchers[number] = nil
      state.windows[key]?.newcomers.remove(number)
      let idle = state.windows.filter { $0.value.watchers.isEmpty }
      if idle.count > Self.maximumIdleWindows {
        for key in idle.keys { state.windows[key] = nil }
      }
    }
  }

  /// Says that there may be something to tell; from any thread.
  func askForTurn() {
    let deadline: DispatchTime? = state.withLock { state in
      guard !state.isTurnDue, state.watcherCount > 0 else { return nil }
      state.isTurnDue = true
      return state.lastTurn + .milliseconds(intervalMilliseconds)
    }
    guard let deadline else { return }
    queue.asyncAfter(deadline: deadline) { self.takeTurn() }
  }

  /// Ends every watch.
  func end(_ error: RPCError) {
    let watchers = state.withLock { state in
      defer { state.windows = [:] }
      return state.windows.values.flatMap { Array($0.watchers.values) }
    }
    for watcher in watchers { watcher.replies.reactor.run { watcher.end(error) } }
  }

  /// Brings every watched window on, and hands each its publication.
  private func takeTurn() {
    state.withLock { state in
      state.isTurnDue = false
      state.lastTurn = .now()
    }
    do throws(StoreError) {
      let deliveries = try store.leaderboard(tournament).read {
        (head, order, sequence) throws(StoreError) in
        state.withLock { state in Self.bring(&state, to: order, head, sequence, store.epoch) }
      }
      hand(out: deliveries)
    } catch {
      end(RPCError(error))
    }
  }

  private typealias Delivery = (watcher: LeaderboardWatcher, publication: LeaderboardPublication)

  private static func bring(
    _ state: inout State, to order: LeaderboardOrder, _ head: TournamentHead, _ sequence: Int64,
    _ epoch: UInt64
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    for (key, watched) in state.windows where !watched.watchers.isEmpty {
      var window = watched.publication?.window ?? LeaderboardWindow(key)
      var publication = watched.publication
      let isAsOpen = publication?.isPublic == head.isPublic
      let isChanged = window.bring(to: order, head, sequence: sequence) || !isAsOpen
      if isChanged {
        publication = LeaderboardPublication(window, isPublic: head.isPublic, epoch: epoch)
      }
      guard let publication else { continue }
      let due = isChanged ? Set(watched.watchers.keys) : watched.newcomers
      for number in due {
        if let watcher = watched.watchers[number] { deliveries.append((watcher, publication)) }
      }
      state.windows[key]?.publication = publication
      state.windows[key]?.newcomers = []
    }
    return deliveries
  }

  private func hand(out deliveries: [Delivery]) {
    var reactors: [ObjectIdentifier: (reactor: any Reactor, deliveries: [Delivery])] = [:]
    for delivery in deliveries {
      let reactor = delivery.watcher.replies.reactor
      reactors[ObjectIdentifier(reactor), default: (reactor, [])].deliveries.append(delivery)
    }
    for (reactor, deliveries) in reactors.values {
      reactor.run {
        for delivery in deliveries { delivery.watcher.take(delivery.publication) }
      }
    }
  }
}
