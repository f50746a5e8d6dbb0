import QuiverRPC

/// The TLS handshakes of a shard's connections that are not over: how many there may be, and whose
/// next step waits for its turn. Lives on the shard.
struct HandshakeQueue {
  private let limit: Int
  /// In the order in which they came, with some that are over.
  private var unfinished: [Socket] = []
  private var waiting: [Socket] = []
  private var waitingHead = 0

  /// - Parameter limit: how many handshakes of clients may be unfinished.
  init(limit: Int) { self.limit = limit }

  /// Counts a new connection; answers the oldest unfinished one if there is one too many.
  mutating func begin(_ socket: Socket) -> Socket? {
    unfinished.append(socket)
    guard unfinished.count > limit else { return nil }
    unfinished.removeAll { !Self.isUnfinished($0) }
    return unfinished.count > limit ? unfinished.removeFirst() : nil
  }

  var hasWaiting: Bool { waitingHead < waiting.count }

  /// Notes that a connection has input for its handshake.
  mutating func enqueue(_ socket: Socket) {
    guard !socket.isInHandshakeQueue else { return }
    socket.isInHandshakeQueue = true
    waiting.append(socket)
  }

  /// The connection whose turn it is; nil: nobody waits.
  mutating func next() -> Socket? {
    while waitingHead < waiting.count {
      let socket = waiting[waitingHead]
      waitingHead += 1
      if waitingHead == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        waitingHead = 0
      }
      socket.isInHandshakeQueue = false
      if !socket.isClosed { return socket }
    }
    return nil
  }

  private static func isUnfinished(_ socket: Socket) -> Bool {
    !socket.isClosed && socket.secure?.isInHandshake == true
  }
}
