import Dispatch
import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// The leaderboards with subscribers, one topic for each event; one for a server. Any thread may
/// use it.
final class LeaderboardTopics: Sendable {
  private let admission: WatchAdmission
  private let queue = DispatchQueue(label: "quiver.leaderboards")
  private let state = Mutex(State())

  private struct State {
    /// Topics without subscribers are kept for those that resume, while there is room.
    var topics: [Int64: Entry] = [:]
    /// How many topics each principal has watches of.
    var topicCounts: [Int64: Int] = [:]
    var windows = LeaderboardWindowUse()
  }

  private struct Entry: Sendable {
    let topic: LeaderboardTopic
    /// Of the change feed, while there are subscribers.
    var listener: Int?
    /// How many watches each principal has open.
    var subscribers: [Int64: Int] = [:]
  }

  /// Between two messages to one subscriber: four a second.
  static let standardIntervalMilliseconds = 250

  private let intervalMilliseconds: Int

  init(_ admission: WatchAdmission, intervalMilliseconds: Int) {
    self.admission = admission
    self.intervalMilliseconds = intervalMilliseconds
  }

  /// Starts a watch for a call, on its reactor; `viewer` is nil for a spectator. Throws where it is
  /// not admitted.
  func start(
    _ key: LeaderboardWindowKey, of tournament: Int64, _ call: CallContext, viewer: Int64?,
    _ replies: StreamResponder<WatchLeaderboardResponse>
  ) throws(RPCError) {
    let subscription = try admission.openInAnyEpoch(call, replies)
    let principal = subscription.principal
    let place = call.spectatorPlace
    let window = LeaderboardWindowUse.Window(tournament: tournament, key: key)
    let topic: LeaderboardTopic
    do throws(RPCError) {
      topic = try subscribe(principal, at: place, to: window)
    } catch {
      return subscription.end(error)
    }
    subscription.onEnd { self.unsubscribe(principal, at: place, from: window) }
    guard call.resumes(in: topic.epoch(of: key)) else { return subscription.end(.otherEpoch) }
    topic.add(LeaderboardSubscription(subscription, viewer: viewer), to: key)
  }

  /// How many windows without watches are kept for those that resume.
  var idleWindowCount: Int { state.withLock { $0.windows.idle.count } }

  private func subscribe(
    _ principal: Int64, at place: SpectatorPlace?, to window: LeaderboardWindowUse.Window
  ) throws(RPCError) -> LeaderboardTopic {
    let tournament = window.tournament
    let limits = admission.limits
    return try state.withLock { state throws(RPCError) in
      let isFirst = state.topics[tournament]?.subscribers[principal] == nil
      guard !isFirst || state.topicCounts[principal] ?? 0 < limits.leaderboardTopicsPerPrincipal
      else {
        throw .limitReached(
          .leaderboardTopicsPerPrincipal,
          "this caller watches \(limits.leaderboardTopicsPerPrincipal) leaderboards; end one first")
      }
      var entry: Entry
      if let known = state.topics[tournament] {
        entry = known
      } else {
        entry = try newEntry(tournament, &state, limits)
      }
      try state.windows.add(window, of: principal, at: place, limits)
      entry.subscribers[principal, default: 0] += 1
      let topic = entry.topic
      if entry.listener == nil {
        entry.listener = admission.feed.listen(to: .topic(tournament)) { topic.requestTurn() }
        admission.feed.store.setLeaderboardWatched(tournament, true)
      }
      if isFirst { state.topicCounts[principal, default: 0] += 1 }
      state.topics[tournament] = entry
      return topic
    }
  }

  private func newEntry(
    _ tournament: Int64, _ state: inout State, _ limits: WatchLimits
  ) throws(RPCError) -> Entry {
    if state.topics.count >= limits.leaderboardTopics {
      for (tournament, entry) in state.topics where entry.subscribers.isEmpty {
        state.topics[tournament] = nil
        state.windows.forget(tournament)
      }
    }
    guard state.topics.count < limits.leaderboardTopics else {
      throw .limitReached(
        .leaderboardTopics, "\(limits.leaderboardTopics) leaderboards are watched")
    }
    return Entry(
      topic: LeaderboardTopic(
        admission.feed.store, tournament: tournament, queue: queue,
        intervalMilliseconds: intervalMilliseconds))
  }

  private func unsubscribe(
    _ principal: Int64, at place: SpectatorPlace?, from window: LeaderboardWindowUse.Window
  ) {
    let forgotten = state.withLock { state in
      unsubscribe(principal, from: window.tournament, &state)
      let kept = state.windows.remove(window, of: principal, at: place, admission.limits)
      return kept.map { window in
        (topic: state.topics[window.tournament]?.topic, key: window.key)
      }
    }
    for (topic, key) in forgotten { topic?.forget(key) }
  }

  private func unsubscribe(
    _ principal: Int64, from tournament: Int64, _ state: inout State
  ) {
    guard let count = state.topics[tournament]?.subscribers[principal] else { return }
    guard count == 1 else {
      state.topics[tournament]?.subscribers[principal] = count - 1
      return
    }
    state.topics[tournament]?.subscribers[principal] = nil
    let topicCount = state.topicCounts[principal] ?? 0
    state.topicCounts[principal] = topicCount > 1 ? topicCount - 1 : nil
    guard state.topics[tournament]?.subscribers.isEmpty == true else { return }
    if let listener = state.topics[tournament]?.listener { admission.feed.stop(listener) }
    state.topics[tournament]?.listener = nil
    admission.feed.store.setLeaderboardWatched(tournament, false)
  }
}
