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
  func send(_ publication: LeaderboardPublication) {
    self.publication = publication
    awaitingFirst.removeAll(keepingCapacity: true)
    left = subscribers.count
    guard !isSending else { return }
    isSending = true
    sendNext()
  }

  /// Sends a publication to those that have not been sent anything yet.
  func sendFirst(_ publication: LeaderboardPublication) {
    let indexes = awaitingFirst
    awaitingFirst.removeAll(keepingCapacity: true)
    for index in indexes { subscribers[index]?.send(publication) }
  }

  /// Ends the watches of principals that may no longer see the event.
  func endUnauthorized(_ principals: Set<Int64>) {
    for subscriber in subscribers {
      if let subscriber, let viewer = subscriber.viewer, principals.contains(viewer) {
        subscriber.subscription.end(.eventNotVisible)
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
      subscribers[next]?.send(publication)
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
