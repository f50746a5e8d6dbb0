import QuiverRPC
import Synchronization

/// Keeps data and replies in memory: calls have their effect once within this process, and both are
/// lost with it.
///
/// For tests, and for services whose data lives in memory. The work of a call changes a copy of the
/// state, which replaces the state if the work does not throw.
public final class MemoryIdempotencyStore<State: Sendable>: IdempotencyStore {
  private let content: Mutex<Content>
  private let retention: KeyRetention

  private struct Content {
    var state: State
    var replies: [Key: Entry] = [:]
    var order: [String: KeyOrder] = [:]
  }

  private struct Key: Hashable {
    var principal: String
    var key: IdempotencyKey
  }

  /// The keys of a principal, oldest first.
  private struct KeyOrder {
    private var keys: [Key] = []
    /// The places at the front whose keys were removed.
    private var removedCount = 0

    var count: Int { keys.count - removedCount }
    var oldest: Key? { count > 0 ? keys[removedCount] : nil }

    mutating func append(_ key: Key) { keys.append(key) }

    mutating func removeOldest() {
      removedCount += 1
      // Moving the others once for as many removals makes each of them cheap.
      guard removedCount * 2 > keys.count else { return }
      keys.removeFirst(removedCount)
      removedCount = 0
    }
  }

  private struct Entry {
    var method: String
    var request: [UInt8]
    var reply: [UInt8]
    var since: ContinuousClock.Instant
  }

  /// Creates a store with its first state.
  public init(_ state: State, retention: KeyRetention = KeyRetention()) {
    content = Mutex(Content(state: state))
    self.retention = retention
  }

  /// The state as it is now.
  public var state: State { content.withLock { $0.state } }

  /// The replies that are kept.
  public var keptReplyCount: Int { content.withLock { $0.replies.count } }

  public func perform(
    _ call: KeyedCall, _ work: @escaping @Sendable (inout State) throws -> [UInt8]
  ) async throws -> [UInt8] {
    try content.withLock { content in
      let id = call.key.map { Key(principal: call.principal, key: $0) }
      if let id, let kept = content.replies[id] {
        guard kept.method == call.method, kept.request == call.request else {
          throw KeyedCall.otherRequest
        }
        return kept.reply
      }
      var state = content.state
      let reply = try work(&state)
      content.state = state
      if let id { keep(reply, of: call, as: id, in: &content) }
      return reply
    }
  }

  private func keep(
    _ reply: [UInt8], of call: KeyedCall, as id: Key, in content: inout Content
  ) {
    let now = ContinuousClock.now
    content.replies[id] = Entry(
      method: call.method, request: call.request, reply: reply, since: now)
    content.order[call.principal, default: KeyOrder()].append(id)
    while let oldest = content.order[call.principal]?.oldest {
      let isExpired = (content.replies[oldest]?.since ?? now) + retention.age < now
      let count = content.order[call.principal]?.count ?? 0
      guard isExpired || count > retention.maxKeysPerPrincipal else { return }
      content.replies[oldest] = nil
      content.order[call.principal]?.removeOldest()
    }
  }
}
