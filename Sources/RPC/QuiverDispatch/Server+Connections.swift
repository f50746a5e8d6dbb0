import QuiverRPC
import QuiverWire
import Synchronization

extension Server: SocketOwner {
  func identified(_ socket: Socket, principal: Int64) -> Bool {
    guard let end = socket.serverEnd else { return true }
    let isAdmitted = state.withLock { $0.admission.identify(end.id, principal: principal) }
    if isAdmitted {
      socket.shard.removeAnonymous(end.id)
      socket.shard.joinTurnShare(socket, of: principal)
    }
    if !isAdmitted { configuration.onLimit?(.principalRefused(principal: principal)) }
    return isAdmitted
  }

  func mayStayAnonymous(_ socket: Socket) -> Bool {
    guard let end = socket.serverEnd else { return true }
    let mayStay = state.withLock { $0.admission.mayStayAnonymous(end.id) }
    if !mayStay { configuration.onLimit?(.connectionRefused(address: end.address)) }
    return mayStay
  }

  func located(_ socket: Socket) {
    guard let end = socket.serverEnd else { return }
    let network = CountedNetwork.name(of: end.address)
    end.move(to: budget.share(for: .address(network)))
    let decision = state.withLock { $0.admission.locate(end.id, in: network) }
    switch decision {
    case .accept: socket.network = network
    case .acceptInPlace(_, let victim):
      socket.network = network
      makeRoom(for: end.id, by: victim)
    case .reject:
      configuration.onLimit?(.connectionRefused(address: end.address))
      end.fail(.tooManyConnections, now: end.reactor.nowNanoseconds)
    }
  }

  func closed(_ socket: Socket) {
    guard let end = socket.serverEnd else { return }
    socket.shard.removeAnonymous(end.id)
    if socket.secure?.hasOpened == false { handshakeEnded(end.id) }
    if end.id == 0 || end.isMakingRoom { state.withLock { $0.rejectedCount -= 1 } }
    guard end.id != 0 else { return }
    closed(end.id, network: socket.network, principal: end.admittedPrincipal)
  }

  /// A connection that was admitted has ended.
  func closed(_ id: UInt64, network: String?, principal: Int64?) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.admission.close(id, network: network, principal: principal)
      guard state.admission.connectionCount == 0, state.isDraining else { return [] }
      defer { state.whenEmpty = [] }
      return state.whenEmpty
    }
    for continuation in waiting { continuation.resume() }
  }

  /// How many connections are tried for room before the new one is refused.
  private static let roomAttempts = 16

  /// Closes the anonymous connection `victim` if it has no open call, or one that follows it; if
  /// all have, `id` stays only if its caller has a token.
  func makeRoom(for id: UInt64, by victim: UInt64, attempt: Int = 0) {
    let shard = shard(of: victim)
    shard.runInBackground { [self] in
      if let end = shard.anonymousEnd(victim) {
        // Its HELLO may have arrived already.
        if let socket = end.driver as? Socket { shard.readGreeting(of: socket) }
        if end.isIdleAndAnonymous, shard.anonymousEnd(victim) != nil {
          return closeIdle(end, on: shard)
        }
      }
      let (needsRoom, next) = state.withLock { state -> (Bool, UInt64?) in
        state.admission.retain(victim)
        guard state.admission.needsRoom(for: id) else { return (false, nil) }
        return (true, attempt < Self.roomAttempts ? state.admission.nextVictim(for: id) : nil)
      }
      guard needsRoom else { return }
      if let next { return makeRoom(for: id, by: next, attempt: attempt + 1) }
      if let old = state.withLock({ $0.admission.keepAsSpare(id) }) { endSpare(old) }
    }
  }

  /// Closes an anonymous connection without a call. A peer whose HELLO is missing gets no GOAWAY,
  /// and the kernel keeps no state of its connection, so that many such peers cost little. Of too
  /// many other connections at once the rest is closed without a GOAWAY: new callers do not wait
  /// until they have read it.
  private func closeIdle(_ end: ServerEnd, on shard: Shard) {
    configuration.onLimit?(.anonymousClosed(address: end.address))
    if end.phase <= .hello, let socket = end.driver as? Socket {
      return shard.reset(socket, "more recent connections take its place")
    }
    let limit = limits.value.maxRejectedConnections
    let isNotified = state.withLock { state in
      guard state.rejectedCount < limit else { return false }
      state.rejectedCount += 1
      return true
    }
    if isNotified {
      end.isMakingRoom = true
      end.fail(.madeRoom, now: shard.nowNanoseconds)
    } else if let socket = end.driver as? Socket {
      shard.drop(socket, "more recent connections take its place")
    }
  }

  /// Closes a connection above the limits unless its caller is known.
  private func endSpare(_ id: UInt64) {
    let shard = shard(of: id)
    shard.runInBackground { [self] in
      guard let end = shard.anonymousEnd(id), end.phase < .closing else { return }
      configuration.onLimit?(.connectionRefused(address: end.address))
      end.fail(.tooManyConnections, now: shard.nowNanoseconds)
    }
  }

  /// Closes the connection of a share that holds most of its memory.
  func closeLargestConnection(of key: ShareKey) {
    let search = LargestConnection(shardCount: shards.count) { [self] end, byteCount in
      if let end {
        configuration.onLimit?(.memoryReclaimed(key, byteCount: byteCount))
        end.onReactor { [self] end in
          end.fail(.memoryReclaimed, now: end.reactor.nowNanoseconds)
          budget.reclaimed()
        }
      } else {
        budget.reclaimed()
      }
    }
    for shard in shards {
      shard.run {
        let ends = shard.sockets.compactMap(\.serverEnd).filter { $0.shareKey == key }
        search.add(ends.max { $0.heldBytes < $1.heldBytes })
      }
    }
  }
}

/// Finds the connection that holds most among those that the shards name.
private final class LargestConnection: Sendable {
  private struct State {
    var remaining: Int
    var end: ServerEnd?
    var byteCount = 0
  }

  private let state: Mutex<State>
  private let found: @Sendable (ServerEnd?, Int) -> Void

  init(shardCount: Int, found: @escaping @Sendable (ServerEnd?, Int) -> Void) {
    state = Mutex(State(remaining: shardCount))
    self.found = found
  }

  /// Takes a shard's answer, on that shard.
  func add(_ end: ServerEnd?) {
    let byteCount = end?.heldBytes ?? 0
    let result = state.withLock { state -> (ServerEnd?, Int)? in
      state.remaining -= 1
      if let end, byteCount >= state.byteCount { (state.end, state.byteCount) = (end, byteCount) }
      return state.remaining == 0 ? (state.end, state.byteCount) : nil
    }
    if let result { found(result.0, result.1) }
  }
}
