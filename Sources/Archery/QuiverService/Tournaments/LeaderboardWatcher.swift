import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// What a window has come to, for all who watch it: each message of it is encoded once.
final class LeaderboardPublication: Sendable {
  let window: LeaderboardWindow
  let isPublic: Bool
  private let epoch: UInt64
  private let messages = Mutex<[Int64: [UInt8]]>([:])

  /// Messages since different commits that are kept at once.
  private static let maximumMessages = 64

  init(_ window: LeaderboardWindow, isPublic: Bool, epoch: UInt64) {
    self.window = window
    self.isPublic = isPublic
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

/// One open watch of a leaderboard: it sends the latest state, and keeps no queue of states.
// Sendable because it is touched on its call's reactor alone.
final class LeaderboardWatcher: @unchecked Sendable {
  let replies: StreamResponder<WatchLeaderboardResponse>
  /// Who watches; nil: a spectator, who sees public events alone.
  let viewer: Int64?
  /// Of its audience; nil: it is in none.
  var place: Int?
  /// What is done once when it is over.
  var leaves: (() -> Void)?
  /// Up to which commit its client has been told; nil: nothing yet.
  private var told: Int64?
  private var isFull = false
  private var isOver = false
  /// The latest that could not be sent yet.
  private var pending: LeaderboardPublication?

  init(
    _ replies: StreamResponder<WatchLeaderboardResponse>, after sequence: Int64?,
    viewer: Int64?
  ) {
    self.replies = replies
    self.viewer = viewer
    told = sequence
  }

  /// Takes up that the stream has room again.
  func hasRoom() {
    isFull = false
    guard let publication = pending else { return }
    pending = nil
    take(publication)
  }

  /// Sends what a publication brings, or remembers that it is owed.
  func take(_ publication: LeaderboardPublication) {
    guard !isOver else { return }
    if viewer == nil, !publication.isPublic {
      return end(RPCError(.notFound, "tournament_id: the event is not public any more"))
    }
    guard !isFull else {
      pending = publication
      return
    }
    let window = publication.window
    if let told {
      guard told >= window.floor, told <= window.upto else {
        return end(
          RPCError(
            .outOfRange, "after_sequence: the history is gone; watch from a snapshot"))
      }
      guard told < window.upto else { return }
    }
    switch replies.send(encoded: publication.message(since: told)) {
    case .room: break
    case .full: isFull = true
    case .over: leave()
    }
    told = window.upto
  }

  /// Ends the watch; later publications are dropped.
  func end(_ error: RPCError) {
    guard !isOver else { return }
    leave()
    replies.fail(error)
  }

  private func leave() {
    isOver = true
    pending = nil
    leaves?()
    leaves = nil
  }
}
