import Glibc
import QuiverRPC
import QuiverWire
import Synchronization

extension Server {
  /// A connection that was accepted, before it has a socket of its own.
  private struct Arrival {
    let descriptor: Int32
    let peer: SocketAddress
    let isSecure: Bool
    /// The connection begins with a header of the PROXY protocol.
    let isProxied: Bool
    /// The network by which the connection is counted; nil: its proxy has not named it.
    var network: String? { isProxied ? nil : TrustedNetworks.counted(peer.host) }
    /// The address by which TLS handshakes are counted; nil: they are not, behind a proxy.
    var handshakeHost: String? { isSecure && !isProxied ? peer.host : nil }
  }

  /// Takes an accepted socket in, or rejects it with the reason.
  func accepted(_ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool) {
    acceptedCount.wrappingAdd(1, ordering: .relaxed)
    let arrival = Arrival(
      descriptor: descriptor, peer: peer, isSecure: isSecure,
      isProxied: trustedProxies.contains(peer))
    let id: UInt64
    var victim: UInt64?
    switch admit(arrival) {
    case .accept(let accepted): id = accepted
    case .acceptInPlace(let accepted, let old): (id, victim) = (accepted, old)
    case .reject: return reject(arrival)
    }
    if !peer.isUnix {
      SystemCall.tune(
        descriptor, userTimeoutMilliseconds: limits.value.keepaliveTimeoutMilliseconds)
    }
    let shard = shard(of: id)
    shard.run { self.adopt(arrival, id: id, on: shard) }
    if let victim { makeRoom(for: id, by: victim) }
  }

  private func admit(_ arrival: Arrival) -> ConnectionAdmission.Decision {
    let limits = limits.value
    return state.withLock { state in
      // Connections that make room are sent GOAWAY, and those are bounded.
      guard !state.isDraining, state.rejectedCount < limits.maxRejectedConnections else {
        return .reject
      }
      if let host = arrival.handshakeHost {
        guard state.handshakesByHost[host, default: 0] < limits.maxUnfinishedHandshakesPerAddress
        else { return .reject }
      }
      let decision = state.admission.admit(from: arrival.network)
      if decision != .reject, let host = arrival.handshakeHost {
        state.handshakesByHost[host, default: 0] += 1
      }
      return decision
    }
  }

  func shard(of id: UInt64) -> Shard {
    shards[Int(truncatingIfNeeded: id % UInt64(shards.count))]
  }

  private func adopt(_ arrival: Arrival, id: UInt64, on shard: Shard) {
    let peer = arrival.peer
    let end = end(id: id, host: peer.host, on: shard)
    if peer.isUnix { end.peer.unixUserID = SystemCall.peerUserID(arrival.descriptor) }
    guard arrival.isSecure else { return adopt(arrival, end, end, on: shard) }
    let handshakeHost = arrival.handshakeHost
    guard let channel = configuration.security?.makeChannel() else {
      close(arrival.descriptor)
      handshakeEnded(handshakeHost)
      return closed(id, network: arrival.network, principal: nil)
    }
    let secure = SecureEnd(
      end, channel, buffers: shard.secureBuffers, reactor: shard, startsHandshake: false,
      limits: limits.value)
    secure.onOpen = { [weak self, unowned end] identity in
      end.peer.certificate = identity
      self?.handshakeEnded(handshakeHost)
    }
    secure.onFailure = { [weak self, unowned end] error in
      self?.configuration.onSecurityFailure?(error, end.address)
    }
    adopt(arrival, secure, end, on: shard)
  }

  /// - Parameters:
  ///   - carried: the end that the socket carries.
  ///   - end: the same, or the plain one within it.
  private func adopt(
    _ arrival: Arrival, _ carried: any ConnectionEnd, _ end: ServerEnd, on shard: Shard
  ) {
    let socket = Socket(descriptor: arrival.descriptor, end: carried)
    end.driver = socket
    socket.network = arrival.network
    socket.handshakeHost = arrival.handshakeHost
    socket.owner = self
    if arrival.isProxied { socket.proxyHeader = ProxyHeaderParser() }
    shard.addAnonymous(end)
    shard.adopt(socket)
    // A drain that began meanwhile has not seen this connection.
    if state.withLock({ $0.isDraining }) { end.drain(now: shard.nowNanoseconds) }
  }

  private func end(id: UInt64, host: String, on shard: Shard) -> ServerEnd {
    ServerEnd(
      id: id, address: host, router: configuration.router, limits: limits,
      identity: configuration.identity, authenticator: configuration.authenticator,
      compressor: configuration.compressor,
      share: budget.share(for: .address(TrustedNetworks.counted(host))), metrics: shard.metrics,
      reactor: shard, coder: shard.coder)
  }

  /// Sends the reason to a caller for whom there is no room, and closes once it can have read it;
  /// of too many such callers at once the rest is closed unanswered, and so are those who would
  /// need a TLS handshake to read it.
  private func reject(_ arrival: Arrival) {
    let limit = limits.value.maxRejectedConnections
    let isAnswered = state.withLock { state in
      guard !arrival.isSecure, !arrival.isProxied, state.rejectedCount < limit
      else { return false }
      state.rejectedCount += 1
      return true
    }
    let host = arrival.peer.host
    configuration.onLimit?(.connectionRefused(address: host))
    guard isAnswered else {
      close(arrival.descriptor)
      return
    }
    let shard = shards[0]
    shard.run {
      let end = self.end(id: 0, host: host, on: shard)
      let socket = Socket(descriptor: arrival.descriptor, end: end)
      end.driver = socket
      socket.owner = self
      shard.adopt(socket)
      end.fail(.tooManyConnections, now: shard.nowNanoseconds)
    }
  }

  func handshakeEnded(_ host: String?) {
    guard let host else { return }
    state.withLock { state in
      guard let left = state.handshakesByHost[host] else { return }
      state.handshakesByHost[host] = left > 1 ? left - 1 : nil
    }
  }
}
