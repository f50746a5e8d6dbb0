import QuiverRPC
import QuiverStore
import QuiverWire

/// The subscribers of one window on one reactor. Each turn of the reactor serves some of them, so
/// that other calls are answered in between.
// Sendable because all but its reactor is touched on that reactor alone.
final class LeaderboardSubscribers: @unchecked Sendable {
  let reactor: any Reactor
  /// nil where one has ended; a later one takes its index.
  private var subscribers: [LeaderboardSubscription?] = []
  private var free: [Int] = []
  /// Indexes of those that have not been sent anything yet.
  private var awaitingFirst: [Int] = []
  private var publication: LeaderboardPublication?
  /// The turn that made the publication.
  private var turn = 0
  /// Whose turn it is, and how many remain to be served.
  private var next = 0
  private var left = 0
  private var isSending = false

  /// Subscribers that one turn of the reactor serves.
  private static let subscribersPerTurn = 256

  init(_ reactor: any Reactor) { self.reactor = reactor }

  func add(_ subscriber: LeaderboardSubscription) {
    let index = free.popLast() ?? subscribers.count
    if index == subscribers.count {
      subscribers.append(subscriber)
    } else {
      subscribers[index] = subscriber
    }
    subscriber.index = index
    awaitingFirst.append(index)
  }

  func remove(_ subscriber: LeaderboardSubscription) {
    guard let index = subscriber.index else { return }
    subscriber.index = nil
    subscribers[index] = nil
    free.append(index)
  }

  /// Sends a publication to all; an earlier one that some have not been sent is dropped.
  func send(_ publication: LeaderboardPublication, _ turn: Int) {
    self.publication = publication
    self.turn = turn
    _ = takeAwaitingFirst(turn)
    left = subscribers.count
    guard !isSending else { return }
    isSending = true
    sendNext()
  }

  /// Sends a publication to those that have not been sent anything yet.
  func sendFirst(_ publication: LeaderboardPublication, _ turn: Int) {
    for index in takeAwaitingFirst(turn) { subscribers[index]?.send(publication, turn) }
  }

  /// Those that have not been sent anything yet, without those that a later turn resumes.
  private func takeAwaitingFirst(_ turn: Int) -> [Int] {
    let indexes = awaitingFirst
    awaitingFirst.removeAll(keepingCapacity: true)
    return indexes.filter { index in
      guard let subscriber = subscribers[index], subscriber.firstTurn > turn else { return true }
      awaitingFirst.append(index)
      return false
    }
  }

  /// Ends the watches of principals that may no longer see the event.
  func endUnauthorized(_ principals: Set<Int64>) {
    for subscriber in subscribers {
      if let subscriber, let viewer = subscriber.viewer, principals.contains(viewer) {
        subscriber.subscription.end(.eventNotVisible)
      }
    }
  }

  /// Ends the watches of principals that have no part in an event which hides names.
  func endMembers(_ principals: Set<Int64>) {
    for subscriber in subscribers {
      if let subscriber, let viewer = subscriber.viewer, principals.contains(viewer) {
        subscriber.subscription.end(.namesHidden)
      }
    }
  }

  /// Ends every watch.
  func end(_ error: RPCError) {
    for subscriber in subscribers { subscriber?.subscription.end(error) }
  }

  private func sendNext() {
    guard let publication else { return }
    for _ in 0..<min(left, Self.subscribersPerTurn) {
      if next >= subscribers.count { next = 0 }
      // One that ends here gives its index up at once.
      subscribers[next]?.send(publication, turn)
      next += 1
      left -= 1
    }
    guard left > 0 else {
      isSending = false
      return
    }
    reactor.run { [self] in sendNext() }
  }
}
