import Dispatch
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Synchronization

/// The subscribers of one event's leaderboard, and the turns in which they are served.
///
/// A turn runs at most once an interval, and only if something was committed or a subscriber waits
/// for its first message. It runs on a queue that no shard waits for; each reactor is visited once
/// a turn for each window that has subscribers there. Any thread may use it.
final class LeaderboardTopic: Sendable {
  let tournament: Int64
  /// What the positions of its watches belong to: the store, or, where servers share the store,
  /// this object. Each server sees the commits in groups of its own then, and a transaction that is
  /// still open holds the position of the journal back while later ones are already shown, so that
  /// what one server has shown at a position says nothing about another one.
  let epoch: UInt64
  /// The same of watches of parts: what these show changes by commits that change no row.
  private let partEpoch = UInt64.random(in: 1 ... .max)
  private let store: Store
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var windows: [LeaderboardWindowKey: SubscribedWindow] = [:]
    /// How many watches each principal has open; spectators are not counted.
    var viewers: [Int64: Int] = [:]
    /// Those that came since it was last checked who sees the event.
    var newViewers: Set<Int64> = []
    /// The leaderboard as it was then, and how often it had changed who sees the event.
    weak var board: Leaderboard?
    var accessCount: UInt64 = 0
    /// When a lease expires by which one of them sees it, in milliseconds since 1970-01-01.
    var validUntilMilliseconds = Int64.max
    /// Whether who watched was checked then, since the event is private or hides names.
    var wasChecked = false
    /// Where subscribers resume that have not been sent anything yet.
    var resuming: [LeaderboardWindowKey: Set<Int64>] = [:]
    /// The number of turns in which watches have been resumed.
    var turn = 0
    /// The position of the last turn, among those that are this object's own.
    var lastPosition: Int64 = 0
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

  init(
    _ store: Store, tournament: Int64, queue: DispatchQueue, intervalMilliseconds: Int
  ) {
    self.intervalMilliseconds = intervalMilliseconds
    epoch = store.isShared ? .random(in: 1 ... .max) : store.epoch
    self.store = store
    self.tournament = tournament
    self.queue = queue
  }

  /// What the positions of the watches of a window belong to.
  func epoch(of key: LeaderboardWindowKey) -> UInt64 { key.isPart ? partEpoch : epoch }

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
    }
  }

  /// Forgets a window, unless it has subscribers again; without them it is kept for those that
  /// resume.
  func forget(_ key: LeaderboardWindowKey) {
    state.withLock { state in
      if state.windows[key]?.subscriberCount == 0 { state.windows[key] = nil }
    }
  }

  /// How many windows are in memory.
  var windowCount: Int { state.withLock { $0.windows.count } }

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
      // Windows are computed on a copy, so that nobody waits for them.
      let shown = try board.read { (head, order, sequence) in
        let own = nextPosition(above: sequence)
        return Shown(
          head: head, order: order, sequence: store.isShared ? own : sequence, partSequence: own,
          accessCount: board.accessCount,
          isWatchable: head.visibility.isWatchable(at: store.nowMilliseconds))
      }
      try endUnauthorized(board, shown)
      let windows = state.withLock { state in
        state.windows.filter { $0.value.subscriberCount > 0 }
      }
      let updates = windows.compactMap { key, window in update(key, window, to: shown) }
      for delivery in state.withLock({ state in Self.store(updates, in: &state) }) {
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

  /// The own position of what a turn shows, which includes the commits up to `sequence`: above
  /// those of all turns before.
  private func nextPosition(above sequence: Int64) -> Int64 {
    state.withLock { state in
      state.lastPosition = max(state.lastPosition + 1, sequence)
      return state.lastPosition
    }
  }

  /// Reads the state of windows at positions where watches resume from the journal, for example
  /// after a restart. Returns the number of this turn.
  ///
  /// If the journal does not have that state, or reading it would take too long, a watch begins
  /// again (``ResumeBudget``).
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
      // A part goes on from what is in memory alone.
      for position in missing.sorted(by: >) where !key.isPart {
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

  /// A state of the leaderboard that a turn shows.
  private struct Shown {
    let head: TournamentHead
    let order: LeaderboardOrder
    let sequence: Int64
    /// The position for windows of parts.
    let partSequence: Int64
    let accessCount: UInt64
    /// Whether everybody may watch the event now.
    let isWatchable: Bool
  }

  /// Ends the watches of principals that have no part in a private event any more, and those that
  /// show names to principals that have no part in an event which hides them. All are checked
  /// again where the event has changed, which makes its leaderboard another one, where a permission
  /// in it has, and where a lease has expired.
  private func endUnauthorized(
    _ board: Leaderboard, _ shown: Shown
  ) throws(StoreError) {
    let now = store.nowMilliseconds
    let isChecked = !shown.isWatchable || shown.order.hidesNames
    let viewers = state.withLock { state -> [Int64] in
      let isSame =
        state.board === board && state.accessCount == shown.accessCount
        && state.validUntilMilliseconds > now && state.wasChecked
      defer {
        state.board = board
        state.wasChecked = isChecked
        state.accessCount = shown.accessCount
        state.newViewers = []
        if !isSame { state.validUntilMilliseconds = .max }
      }
      guard isChecked else { return [] }
      return Array(isSame ? state.newViewers : Set(state.viewers.keys))
    }
    guard !viewers.isEmpty else { return }
    let outside = try store.principalsOutside(shown.head, among: viewers)
    state.withLock { state in
      state.validUntilMilliseconds = min(
        state.validUntilMilliseconds, outside.validUntilMilliseconds)
    }
    guard !outside.principals.isEmpty else { return }
    guard shown.isWatchable else {
      for subscribers in allSubscribers {
        subscribers.reactor.run { subscribers.endUnauthorized(outside.principals) }
      }
      return
    }
    let showing = state.withLock { state in
      state.windows.filter { $0.key.reader == .member }.values
        .flatMap { Array($0.subscribers.values) }
    }
    for subscribers in showing {
      subscribers.reactor.run { subscribers.endMembers(outside.principals) }
    }
  }

  /// What the subscribers of a window on one reactor are sent: all of them where it is news, else
  /// those that came since.
  private struct Delivery: Sendable {
    let subscribers: LeaderboardSubscribers
    let publication: LeaderboardPublication
    let isNews: Bool
  }

  /// A window as a turn found it.
  private struct WindowUpdate: Sendable {
    let key: LeaderboardWindowKey
    let publication: LeaderboardPublication
    let isNews: Bool
  }

  /// The window as it is now; nil where nothing is to be sent. The watches of a part that is gone
  /// end.
  private func update(
    _ key: LeaderboardWindowKey, _ subscribed: SubscribedWindow, to shown: Shown
  ) -> WindowUpdate? {
    let found: (rows: LeaderboardRows, form: TiePolicyForm)
    do throws(StoreError) {
      found = try rows(of: key, in: shown)
    } catch {
      let end = RPCError(error)
      for subscribers in subscribed.subscribers.values {
        subscribers.reactor.run { subscribers.end(end) }
      }
      return nil
    }
    var window = subscribed.resumed ?? subscribed.publication?.window ?? LeaderboardWindow(key)
    var publication = subscribed.publication
    let isForMembers = key.reader == .member && shown.order.hidesNames
    let isAsOpen =
      publication?.isPublic == shown.isWatchable && publication?.isForMembers == isForMembers
    let isNews =
      window.update(
        to: found.rows, found.form, shown.head.status,
        sequence: key.isPart ? shown.partSequence : shown.sequence) || !isAsOpen
    if isNews || subscribed.resumed != nil {
      publication = LeaderboardPublication(
        window, isPublic: shown.isWatchable, isForMembers: isForMembers, epoch: epoch(of: key))
    }
    return publication.map { WindowUpdate(key: key, publication: $0, isNews: isNews) }
  }

  private func rows(
    of key: LeaderboardWindowKey, in shown: Shown
  ) throws(StoreError) -> (rows: LeaderboardRows, form: TiePolicyForm) {
    guard case .part(let part, let first, let count) = key.rows else {
      let head = shown.head
      return (LeaderboardWindow.shown(key, shown.order), head.form(of: head.tiePolicy))
    }
    let found = try store.rows(ofPart: part, of: tournament, from: first, limit: count)
    return (found.rows.shown(to: key.reader), found.form)
  }

  /// Stores what a turn found; returns what its subscribers are sent, also those that came
  /// meanwhile.
  private static func store(
    _ updates: [WindowUpdate], in state: inout State
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    for update in updates {
      guard let subscribed = state.windows[update.key] else { continue }
      for (id, subscribers) in subscribed.subscribers
      where update.isNews || subscribed.awaitingFirst.contains(id) {
        deliveries.append(
          Delivery(
            subscribers: subscribers, publication: update.publication, isNews: update.isNews))
      }
      state.windows[update.key]?.publication = update.publication
      state.windows[update.key]?.resumed = nil
      // Those that came since watches were resumed are served by the next turn.
      if state.resuming[update.key] == nil { state.windows[update.key]?.awaitingFirst = [] }
    }
    return deliveries
  }
}
