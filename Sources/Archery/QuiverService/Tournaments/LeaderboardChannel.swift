import Dispatch
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// All who watch one event's leaderboard, and the turns in which they are told.
///
/// A turn comes at most once an interval, and only where something was committed or somebody
/// waits for a first message. It runs on a queue that no shard waits for; each reactor is visited
/// once a turn for each window that is watched there.
final class LeaderboardChannel: Sendable {
  let tournament: Int64
  private let store: Store
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var windows: [LeaderboardWindowKey: Watched] = [:]
    /// How many watches each principal has open; spectators are in none of them.
    var viewers: [Int64: Int] = [:]
    /// Those who came since it was last looked at who sees the event.
    var newViewers: Set<Int64> = []
    /// As it was then.
    weak var board: Leaderboard?
    var isTurnDue = false
    var lastTurn = DispatchTime(uptimeNanoseconds: 1)
    var watcherCount = 0
  }

  private struct Watched: Sendable {
    var publication: LeaderboardPublication?
    /// By reactor.
    var audiences: [ObjectIdentifier: LeaderboardAudience] = [:]
    var watcherCount = 0
    /// The reactors where somebody has not been told anything yet.
    var waiting: Set<ObjectIdentifier> = []
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

  /// Adds a watcher of a window, on its reactor; it goes when it is over.
  func add(_ watcher: LeaderboardWatcher, to key: LeaderboardWindowKey) {
    let reactor = watcher.replies.reactor
    let id = ObjectIdentifier(reactor)
    let audience = state.withLock { state in
      state.watcherCount += 1
      if let viewer = watcher.viewer {
        state.viewers[viewer, default: 0] += 1
        state.newViewers.insert(viewer)
      }
      var watched = state.windows[key] ?? Watched()
      let audience = watched.audiences[id] ?? LeaderboardAudience(reactor)
      watched.audiences[id] = audience
      watched.watcherCount += 1
      watched.waiting.insert(id)
      state.windows[key] = watched
      return audience
    }
    audience.add(watcher)
    watcher.leaves = { [weak watcher] in
      guard let watcher else { return }
      audience.remove(watcher)
      self.forget(watcher, of: key)
    }
    askForTurn()
  }

  private func forget(_ watcher: LeaderboardWatcher, of key: LeaderboardWindowKey) {
    state.withLock { state in
      state.watcherCount -= 1
      if let viewer = watcher.viewer, let count = state.viewers[viewer] {
        state.viewers[viewer] = count > 1 ? count - 1 : nil
      }
      state.windows[key]?.watcherCount -= 1
      guard state.windows[key]?.watcherCount == 0 else { return }
      let idle = state.windows.filter { $0.value.watcherCount == 0 }
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
    let audiences = state.withLock { state in
      state.windows.values.flatMap { Array($0.audiences.values) }
    }
    for audience in audiences { audience.reactor.run { audience.endAll(error) } }
  }

  /// Brings every watched window on, and hands each its publication.
  private func takeTurn() {
    state.withLock { state in
      state.isTurnDue = false
      state.lastTurn = .now()
    }
    do throws(StoreError) {
      let board = store.leaderboard(tournament)
      let deliveries = try board.read { (head, order, sequence) throws(StoreError) -> [Delivery] in
        try endBlind(board, head)
        return state.withLock { state in
          Self.bring(&state, to: order, head, sequence, store.epoch)
        }
      }
      for delivery in deliveries {
        delivery.audience.reactor.run {
          if delivery.isNews {
            delivery.audience.take(delivery.publication)
          } else {
            delivery.audience.welcome(delivery.publication)
          }
        }
      }
    } catch {
      end(RPCError(error))
    }
  }

  /// Ends the watches of those who have no part in a private event any more: it looks again at
  /// everybody where the event itself has changed, which makes its leaderboard another one.
  private func endBlind(
    _ board: Leaderboard, _ head: TournamentHead
  ) throws(StoreError) {
    let viewers = state.withLock { state -> [Int64] in
      defer {
        state.board = board
        state.newViewers = []
      }
      guard !head.isPublic else { return [] }
      return Array(state.board === board ? state.newViewers : Set(state.viewers.keys))
    }
    guard !viewers.isEmpty else { return }
    let blind = try store.strangers(to: head, among: viewers)
    guard !blind.isEmpty else { return }
    let audiences = state.withLock { state in
      state.windows.values.flatMap { Array($0.audiences.values) }
    }
    let error = RPCError(.notFound, "tournament_id: there is no such event")
    for audience in audiences { audience.reactor.run { audience.end(blind, error) } }
  }

  /// What one audience is told: all of them where there is news, else those who came since.
  private struct Delivery: Sendable {
    let audience: LeaderboardAudience
    let publication: LeaderboardPublication
    let isNews: Bool
  }

  private static func bring(
    _ state: inout State, to order: LeaderboardOrder, _ head: TournamentHead, _ sequence: Int64,
    _ epoch: UInt64
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    for (key, watched) in state.windows where watched.watcherCount > 0 {
      var window = watched.publication?.window ?? LeaderboardWindow(key)
      var publication = watched.publication
      let isAsOpen = publication?.isPublic == head.isPublic
      let isNews = window.bring(to: order, head, sequence: sequence) || !isAsOpen
      if isNews {
        publication = LeaderboardPublication(window, isPublic: head.isPublic, epoch: epoch)
      }
      guard let publication else { continue }
      for (id, audience) in watched.audiences where isNews || watched.waiting.contains(id) {
        deliveries.append(
          Delivery(audience: audience, publication: publication, isNews: isNews))
      }
      state.windows[key]?.publication = publication
      state.windows[key]?.waiting = []
    }
    return deliveries
  }
}
