import QuiverRPC

/// The common part of every open watch: where it resumes, room to send, and its end.
///
/// ``WatchAdmission`` opens it. It lives on its call's reactor.
// Sendable because it is touched on its reactor alone, once it has been opened there.
final class Subscription<Response: WatchMessage>: @unchecked Sendable {
  private let replies: StreamResponder<Response>
  /// The principal that the watch is counted against.
  let principal: Int64
  /// The position at which the watch resumes; nil: it begins with a snapshot.
  let after: Int64?
  /// Whether the watch has ended.
  private(set) var isOver = false
  /// Whether a message may be made now; ``onRoom(_:)`` reports when it may again.
  private(set) var hasRoom = true
  private var endActions: [() -> Void] = []

  init(_ replies: StreamResponder<Response>, principal: Int64, after: Int64?) {
    self.replies = replies
    self.principal = principal
    self.after = after
  }

  /// The reactor that the watch lives on.
  var reactor: any Reactor { replies.reactor }

  /// From now on there is room only when the client has taken everything that was sent, so that at
  /// most one state is ahead of it.
  func sendOneStateAhead() { replies.sendOneStateAhead() }

  /// Sends an encoded message. The watch is over afterwards if its call is.
  func send(encoded bytes: [UInt8]) {
    switch replies.send(encoded: bytes) {
    case .room: break
    case .full: hasRoom = false
    case .over: end(ServerStream.over)
    }
  }

  /// Sets what runs on the reactor whenever there is room again.
  func onRoom(_ action: @escaping @Sendable () -> Void) {
    replies.onRoom { [weak self] in
      self?.hasRoom = true
      action()
    }
  }

  /// Adds what runs once, on the reactor, when the watch ends; at once if it has ended.
  func onEnd(_ action: @escaping () -> Void) {
    if isOver { action() } else { endActions.append(action) }
  }

  /// Ends the watch, once.
  func end(_ error: RPCError) {
    guard !isOver else { return }
    isOver = true
    let actions = endActions
    endActions = []
    for action in actions { action() }
    replies.fail(error)
  }
}
