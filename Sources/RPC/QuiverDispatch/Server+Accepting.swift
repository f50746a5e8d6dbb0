import Glibc
import QuiverRPC
import QuiverWire
import Synchronization

extension Server {
  /// Takes an accepted socket in, or tells its client that there is no room.
  func accepted(_ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool) {
    let host = peer.host
    let limits = configuration.limits
    let id: UInt64? = state.withLock { state in
      guard !state.isDraining, state.connectionCount < limits.maxConnections,
        state.connectionsByHost[host, default: 0] < limits.maxConnectionsPerAddress,
        !isSecure
          || state.handshakesByHost[host, default: 0] < limits.maxUnfinishedHandshakesPerAddress
      else { return nil }
      state.connectionCount += 1
      state.connectionsByHost[host, default: 0] += 1
      if isSecure { state.handshakesByHost[host, default: 0] += 1 }
      state.nextConnection += 1
      return state.nextConnection - 1
    }
    guard let id else {
      // Who is to hear it encrypted would first cost a handshake.
      guard !isSecure else {
        close(descriptor)
        return
      }
      return reject(descriptor, peer)
    }
    if !peer.isUnix {
      SystemCall.tune(descriptor, userTimeoutMilliseconds: limits.keepaliveTimeoutMilliseconds)
    }
    let shard = shards[Int(truncatingIfNeeded: id % UInt64(shards.count))]
    shard.run { self.adopt(descriptor, peer, id: id, isSecure: isSecure, on: shard) }
  }

  private func adopt(
    _ descriptor: Int32, _ peer: SocketAddress, id: UInt64, isSecure: Bool, on shard: Shard
  ) {
    let host = peer.host
    let end = end(id: id, host: host, on: shard)
    if peer.isUnix { end.peer.unixUserID = SystemCall.peerUserID(descriptor) }
    guard isSecure else { return adopt(descriptor, end, end, on: shard) }
    guard let channel = configuration.security?.makeChannel() else {
      close(descriptor)
      handshakeEnded(host)
      return closed(host)
    }
    let secure = SecureEnd(
      end, channel, buffers: shard.secureBuffers, reactor: shard, startsHandshake: false,
      limits: limits.value)
    secure.onOpen = { [weak self, unowned end] identity in
      end.peer.certificate = identity
      self?.handshakeEnded(host)
    }
    secure.onFailure = { [weak self] error in
      self?.configuration.onSecurityFailure?(error, host)
    }
    adopt(descriptor, secure, end, on: shard)
  }

  /// - Parameters:
  ///   - carried: the end that the socket carries.
  ///   - end: the same, or the plain one within it.
  private func adopt(
    _ descriptor: Int32, _ carried: any ConnectionEnd, _ end: ServerEnd, on shard: Shard
  ) {
    let host = end.address
    let socket = Socket(descriptor: descriptor, end: carried)
    end.driver = socket
    socket.onClose = { [weak self, weak socket] in
      if let secure = socket?.secure, !secure.hasOpened { self?.handshakeEnded(host) }
      self?.closed(host)
    }
    shard.adopt(socket)
    // A drain that began meanwhile has not seen this connection.
    if state.withLock({ $0.isDraining }) { end.drain(now: shard.nowNanoseconds) }
  }

  private func end(id: UInt64, host: String, on shard: Shard) -> ServerEnd {
    ServerEnd(
      id: id, address: host, router: configuration.router, limits: limits,
      identity: configuration.identity, authenticator: configuration.authenticator,
      compressor: configuration.compressor, budget: budget, reactor: shard, coder: shard.coder)
  }

  /// Says why to a caller that there is no room for, and closes once it can have read it; of too
  /// many such callers at once the rest is closed unanswered.
  private func reject(_ descriptor: Int32, _ peer: SocketAddress) {
    let isAnswered = state.withLock { state in
      guard state.rejectedCount < configuration.limits.maxRejectedConnections else { return false }
      state.rejectedCount += 1
      return true
    }
    guard isAnswered else {
      close(descriptor)
      return
    }
    let host = peer.host
    let shard = shards[0]
    shard.run {
      let end = self.end(id: 0, host: host, on: shard)
      let socket = Socket(descriptor: descriptor, end: end)
      end.driver = socket
      socket.onClose = { [weak self] in self?.state.withLock { $0.rejectedCount -= 1 } }
      shard.adopt(socket)
      end.fail(.tooManyConnections, now: shard.nowNanoseconds)
    }
  }

  private func handshakeEnded(_ host: String) {
    state.withLock { state in
      guard let left = state.handshakesByHost[host] else { return }
      state.handshakesByHost[host] = left > 1 ? left - 1 : nil
    }
  }

  private func closed(_ host: String) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.connectionCount -= 1
      if let left = state.connectionsByHost[host] {
        state.connectionsByHost[host] = left > 1 ? left - 1 : nil
      }
      guard state.connectionCount == 0, state.isDraining else { return [] }
      defer { state.whenEmpty = [] }
      return state.whenEmpty
    }
    for continuation in waiting { continuation.resume() }
  }
}
