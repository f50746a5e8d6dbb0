/// The recent time of a shard that the connections of one caller have used. Confined to the shard.
final class TurnShare {
  let principal: Int64
  /// The connections that refer to it.
  var connectionCount = 0
  private var window: UInt64 = 0
  private var used: UInt64 = 0

  /// Windows have 2 to this power of nanoseconds, about 17 ms.
  private static let windowBits: UInt64 = 24
  /// A caller that used more within a window waits until the input of others is processed.
  private static let mostNanoseconds: UInt64 = 1_000_000

  init(of principal: Int64) { self.principal = principal }

  /// Whether the caller has used much time in the window of `now`.
  func isBusy(at now: UInt64) -> Bool {
    used >= Self.mostNanoseconds && now >> Self.windowBits == window
  }

  /// Counts the time from `start` to `end`.
  func use(from start: UInt64, to end: UInt64) {
    if end >> Self.windowBits != window {
      window = end >> Self.windowBits
      used = 0
    }
    used &+= end &- start
  }
}

@available(*, unavailable)
extension TurnShare: Sendable {}

/// The callers of a shard's connections, by principal.
struct TurnShares {
  private var shares: [Int64: TurnShare] = [:]

  /// Counts the time of a connection for its caller.
  mutating func join(_ socket: Socket, of principal: Int64) {
    leave(socket)
    let share = shares[principal] ?? TurnShare(of: principal)
    shares[principal] = share
    share.connectionCount += 1
    socket.turnShare = share
  }

  /// The connection has ended.
  mutating func leave(_ socket: Socket) {
    guard let share = socket.turnShare else { return }
    socket.turnShare = nil
    share.connectionCount -= 1
    if share.connectionCount == 0 { shares[share.principal] = nil }
  }
}

/// Connections of busy callers that have input, in their order. It waits until the shard has
/// processed the input of other callers.
struct PostponedSockets {
  /// Tags, and the events that were reported.
  private var list: [(tag: UInt64, events: SocketEvents)] = []
  private var head = 0

  /// Adds a socket, unless it is there.
  mutating func add(_ socket: Socket, _ events: SocketEvents) {
    guard !socket.isPostponed else { return }
    socket.isPostponed = true
    list.append((socket.tag, events))
  }

  mutating func popFirst() -> (tag: UInt64, events: SocketEvents)? {
    guard head < list.count else { return nil }
    let first = list[head]
    head += 1
    if head == list.count {
      list.removeAll(keepingCapacity: list.count <= 128)
      head = 0
    } else if head >= 128, head * 2 >= list.count {
      list.removeSubrange(0..<head)
      head = 0
    }
    return first
  }
}
