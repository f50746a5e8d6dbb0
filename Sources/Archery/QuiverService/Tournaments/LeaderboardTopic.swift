import Dispatch
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// The subscribers of one event's leaderboard, and the turns in which they are served.
///
/// A turn comes at most once an interval, and only where something was committed or a subscriber
/// waits for its first message. It runs on a queue that no shard waits for; each reactor is visited
/// once a turn for each window that has subscribers there. Any thread may use it.
final class LeaderboardTopic: Sendable {
  let tournament: Int64
  private let store: Store
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var windows: [LeaderboardWindowKey: SubscribedWindow] = [:]
    /// How many watches each principal has open; spectators are not counted.
    var viewers: [Int64: Int] = [:]
    /// Those that came since it was last checked who sees the event.
    var newViewers: Set<Int64> = []
    /// As it was then.
    weak var board: Leaderboard?
    /// Where subscribers resume that have not been sent anything yet.
    var resuming: [LeaderboardWindowKey: Set<Int64>] = [:]
    /// The number of turns in which watches have been resumed.
    var turn = 0
    var isTurnDue = false
    var lastTurn = DispatchTime(uptimeNanoseconds: 1)
    var subscriberCount = 0
  }

  private struct SubscribedWindow: Sendable {
    var publication: LeaderboardPublication?
    /// The window with more history than the publication's, for the next turn.
    var resumed: LeaderboardWindow?
    /// By reactor.
    var subscribers: [ObjectIdentifier: LeaderboardSubscribers] = [:]
    var subscriberCount = 0
    /// The reactors with subscribers that have not been sent anything yet.
    var awaitingFirst: Set<ObjectIdentifier> = []
  }

  /// Between two turns.
  private let intervalMilliseconds: Int

  /// Windows without subscribers that are kept for those that resume.
  private static let maximumIdleWindows = 256

  init(
    _ store: Store, tournament: Int64, queue: DispatchQueue, intervalMilliseconds: Int
  ) {
    self.intervalMilliseconds = intervalMilliseconds
    self.store = store
    self.tournament = tournament
    self.queue = queue
  }

  /// Adds a subscriber of a window, on its reactor, until its watch ends.
  func add(_ subscriber: LeaderboardSubscription, to key: LeaderboardWindowKey) {
    let reactor = subscriber.subscription.reactor
    let id = ObjectIdentifier(reactor)
    let (subscribers, firstTurn) = state.withLock { state in
      state.subscriberCount += 1
      if let viewer = subscriber.viewer {
        state.viewers[viewer, default: 0] += 1
        state.newViewers.insert(viewer)
      }
      var window = state.windows[key] ?? SubscribedWindow()
      let subscribers = window.subscribers[id] ?? LeaderboardSubscribers(reactor)
      window.subscribers[id] = subscribers
      window.subscriberCount += 1
      window.awaitingFirst.insert(id)
      state.windows[key] = window
      guard let after = subscriber.subscription.after else { return (subscribers, 0) }
      state.resuming[key, default: []].insert(after)
      return (subscribers, state.turn + 1)
    }
    subscriber.firstTurn = firstTurn
    subscribers.add(subscriber)
    let viewer = subscriber.viewer
    subscriber.subscription.onEnd { [weak subscriber] in
      if let subscriber { subscribers.remove(subscriber) }
      self.remove(viewer, from: key)
    }
    requestTurn()
  }

  private func remove(_ viewer: Int64?, from key: LeaderboardWindowKey) {
    state.withLock { state in
      state.subscriberCount -= 1
      if let viewer, let count = state.viewers[viewer] {
        state.viewers[viewer] = count > 1 ? count - 1 : nil
      }
      state.windows[key]?.subscriberCount -= 1
      guard state.windows[key]?.subscriberCount == 0 else { return }
      let idle = state.windows.filter { $0.value.subscriberCount == 0 }
      if idle.count > Self.maximumIdleWindows {
        for key in idle.keys { state.windows[key] = nil }
      }
    }
  }

  /// Requests a turn, since there may be something to send; from any thread.
  func requestTurn() {
    let deadline: DispatchTime? = state.withLock { state in
      guard !state.isTurnDue, state.subscriberCount > 0 else { return nil }
      state.isTurnDue = true
      return state.lastTurn + .milliseconds(intervalMilliseconds)
    }
    guard let deadline else { return }
    queue.asyncAfter(deadline: deadline) { self.takeTurn() }
  }

  private func end(_ error: RPCError) {
    for subscribers in allSubscribers { subscribers.reactor.run { subscribers.end(error) } }
  }

  private var allSubscribers: [LeaderboardSubscribers] {
    state.withLock { state in state.windows.values.flatMap { Array($0.subscribers.values) } }
  }

  /// Updates every subscribed window, and hands each its publication.
  private func takeTurn() {
    state.withLock { state in
      state.isTurnDue = false
      state.lastTurn = .now()
    }
    do throws(StoreError) {
      let turn = try resumeWindows()
      let board = store.leaderboard(tournament)
      let deliveries = try board.read { (head, order, sequence) throws(StoreError) -> [Delivery] in
        try endUnauthorized(board, head)
        return state.withLock { state in
          Self.update(&state, to: order, head, sequence, store.epoch)
        }
      }
      for delivery in deliveries {
        delivery.subscribers.reactor.run {
          if delivery.isNews {
            delivery.subscribers.send(delivery.publication, turn)
          } else {
            delivery.subscribers.sendFirst(delivery.publication, turn)
          }
        }
      }
    } catch {
      end(RPCError(error))
    }
  }

  /// Reads from the journal what windows were at the positions where watches resume, for example
  /// after a restart. Returns the number of this turn.
  ///
  /// Where the journal does not say so, a watch begins again, as it does where that would take too
  /// long (``ResumeBudget``).
  private func resumeWindows() throws(StoreError) -> Int {
    let (turn, resuming) = state.withLock { state in
      defer { state.resuming = [:] }
      state.turn += 1
      return (state.turn, state.resuming)
    }
    var current: (head: TournamentHead, order: LeaderboardOrder)?
    var budget = ResumeBudget()
    var known: [Int64: PastLeaderboard?] = [:]
    for (key, positions) in resuming {
      var window = state.withLock { $0.windows[key]?.publication?.window }
      let missing = positions.filter { [window] in window?.canResume(after: $0) != true }
      var isExtended = false
      // From the latest on: earlier ones extend the window.
      for position in missing.sorted(by: >) {
        if known[position] == nil {
          if current == nil { current = try self.current() }
          guard let current else { continue }
          // A read that takes too long ends no other watch.
          let past = try? store.pastLeaderboard(tournament, after: position, current.order, &budget)
          known[position] = .some(past)
        }
        guard let past = known[position] ?? nil, let current else { continue }
        if window == nil {
          window = LeaderboardWindow(key, after: position, past, current.head)
        } else {
          window?.extend(backTo: position, past)
        }
        isExtended = true
      }
      guard let window, isExtended else { continue }
      state.withLock { $0.windows[key]?.resumed = window }
    }
    return turn
  }

  private func current() throws(StoreError) -> (head: TournamentHead, order: LeaderboardOrder) {
    try store.leaderboard(tournament).read { (head, order, _) in (head, order) }
  }

  /// Ends the watches of principals that have no part in a private event any more. All are checked
  /// again where the event itself has changed, which makes its leaderboard another one.
  private func endUnauthorized(
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
    let unauthorized = try store.principalsOutside(head, among: viewers)
    guard !unauthorized.isEmpty else { return }
    for subscribers in allSubscribers {
      subscribers.reactor.run { subscribers.endUnauthorized(unauthorized) }
    }
  }

  /// What the subscribers of a window on one reactor are sent: all of them where it is news, else
  /// those that came since.
  private struct Delivery: Sendable {
    let subscribers: LeaderboardSubscribers
    let publication: LeaderboardPublication
    let isNews: Bool
  }

  private static func update(
    _ state: inout State, to order: LeaderboardOrder, _ head: TournamentHead, _ sequence: Int64,
    _ epoch: UInt64
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    for (key, subscribed) in state.windows where subscribed.subscriberCount > 0 {
      var window =
        subscribed.resumed ?? subscribed.publication?.window ?? LeaderboardWindow(key)
      var publication = subscribed.publication
      let isAsOpen = publication?.isPublic == head.isPublic
      let isNews = window.update(to: order, head, sequence: sequence) || !isAsOpen
      if isNews || subscribed.resumed != nil {
        publication = LeaderboardPublication(window, isPublic: head.isPublic, epoch: epoch)
      }
      guard let publication else { continue }
      for (id, subscribers) in subscribed.subscribers
      where isNews || subscribed.awaitingFirst.contains(id) {
        deliveries.append(
          Delivery(subscribers: subscribers, publication: publication, isNews: isNews))
      }
      state.windows[key]?.publication = publication
      state.windows[key]?.resumed = nil
      // Those that came since watches were resumed are served by the next turn.
      if state.resuming[key] == nil { state.windows[key]?.awaitingFirst = [] }
    }
    return deliveries
  }
}
