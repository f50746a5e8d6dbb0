import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// The state of a window, for all its subscribers: each message of it is encoded once.
final class LeaderboardPublication: Sendable {
  let window: LeaderboardWindow
  /// Whether everybody may watch the event.
  let isPublic: Bool
  /// Whether its names are for those alone who have a part in the event.
  let isForMembers: Bool
  private let epoch: UInt64
  private let messages = Mutex<[Int64: [UInt8]]>([:])

  /// Messages since different commits that are kept at once.
  private static let maximumMessages = 64

  init(_ window: LeaderboardWindow, isPublic: Bool, isForMembers: Bool, epoch: UInt64) {
    self.window = window
    self.isPublic = isPublic
    self.isForMembers = isForMembers
    self.epoch = epoch
  }

  /// The message since a commit; nil: the snapshot.
  func message(since: Int64?) -> [UInt8] {
    messages.withLock { messages in
      let key = since ?? -1
      if let bytes = messages[key] { return bytes }
      let bytes = window.message(since: since, epoch: epoch)
      if messages.count < Self.maximumMessages { messages[key] = bytes }
      return bytes
    }
  }
}

/// An open watch of a leaderboard: it sends the latest state, and keeps no queue of states.
// Sendable because it is touched on its call's reactor alone.
final class LeaderboardSubscription: @unchecked Sendable {
  let subscription: Subscription<WatchLeaderboardResponse>
  /// The principal that watches; nil: a spectator, who sees public events only.
  let viewer: Int64?
  /// The index among the subscribers; nil: it is not among them.
  var index: Int?
  /// The turn that resumes it; earlier ones do not know its position. 0: it does not resume.
  var firstTurn = 0
  /// Up to which commit the client has been sent the window; nil: nothing yet.
  private var lastSent: Int64?
  /// The latest that could not be sent yet.
  private var pending: LeaderboardPublication?

  init(_ subscription: Subscription<WatchLeaderboardResponse>, viewer: Int64?) {
    self.subscription = subscription
    self.viewer = viewer
    lastSent = subscription.after
    subscription.sendOneStateAhead()
    subscription.onRoom { [weak self] in self?.sendPending() }
  }

  private func sendPending() {
    guard let publication = pending else { return }
    pending = nil
    send(publication, firstTurn)
  }

  /// Sends what is new in a turn's publication, or keeps it until there is room.
  func send(_ publication: LeaderboardPublication, _ turn: Int) {
    guard !subscription.isOver, turn >= firstTurn else { return }
    if viewer == nil, !publication.isPublic { return subscription.end(.eventNotVisible) }
    if viewer == nil, publication.isForMembers { return subscription.end(.namesHidden) }
    guard subscription.hasRoom else {
      pending = publication
      return
    }
    let window = publication.window
    if let lastSent {
      guard window.canResume(after: lastSent) else {
        return subscription.end(.historyGone)
      }
      guard lastSent < window.upto else { return }
    }
    subscription.send(encoded: publication.message(since: lastSent))
    lastSent = window.upto
  }
}
