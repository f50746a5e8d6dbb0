import QuiverPlatform
package import QuiverRPC
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
    /// The address of `peer` without its port.
    let host: String
    /// The network of `host`.
    let peerNetwork: String
    /// The network by which the connection is counted; nil: its proxy has not named it.
    var network: String? { isProxied ? nil : peerNetwork }
    /// The network by which TLS handshakes are counted; nil: they are not, behind a proxy.
    var handshakeHost: String? { isSecure && !isProxied ? peerNetwork : nil }

    init(_ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool, isProxied: Bool) {
      self.descriptor = descriptor
      self.peer = peer
      self.isSecure = isSecure
      self.isProxied = isProxied
      host = peer.host
      peerNetwork = CountedNetwork.name(of: host)
    }
  }

  /// Takes an accepted socket in, or rejects it with the reason.
  func accepted(_ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool) {
    acceptedCount.wrappingAdd(1, ordering: .relaxed)
    let arrival = Arrival(
      descriptor, peer, isSecure: isSecure, isProxied: trustedProxies.contains(peer))
    let id: UInt64
    var victim: UInt64?
    switch admit(arrival) {
    case .accept(let accepted): id = accepted
    case .acceptInPlace(let accepted, let old): (id, victim) = (accepted, old)
    case .reject: return reject(arrival)
    }
    var replaced: UInt64?
    if isSecure {
      replaced = state.withLock { $0.handshakes.begin(id, from: arrival.handshakeHost) }
    }
    if !peer.isUnix {
      SystemCall.tune(
        descriptor, userTimeoutMilliseconds: limits.value.keepaliveTimeoutMilliseconds)
    }
    let shard = shard(of: id)
    // In the background, as all that makes room for it: a storm of connections lets open calls go
    // first.
    shard.runInBackground { self.adopt(arrival, id: id, on: shard) }
    if let victim { makeRoom(for: id, by: victim) }
    if let replaced { endHandshake(of: replaced) }
  }

  private func admit(_ arrival: Arrival) -> ConnectionAdmission.Decision {
    state.withLock { state in
      state.isDraining ? .reject : state.admission.admit(from: arrival.network)
    }
  }

  func shard(of id: UInt64) -> Shard {
    shards[Int(truncatingIfNeeded: id % UInt64(shards.count))]
  }

  private func adopt(_ arrival: Arrival, id: UInt64, on shard: Shard) {
    let peer = arrival.peer
    let end = end(id: id, arrival, on: shard)
    if peer.isUnix { end.peer.unixUserID = Platform.peerUserID(arrival.descriptor) }
    guard arrival.isSecure else { return adopt(arrival, end, end, on: shard) }
    guard let channel = configuration.security?.makeChannel() else {
      close(arrival.descriptor)
      handshakeEnded(id)
      return closed(id, network: arrival.network, principal: nil)
    }
    let secure = SecureEnd(
      end, channel, shared: shard.secure, startsHandshake: false)
    secure.observer = self
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
    socket.owner = self
    if arrival.isProxied { socket.proxyHeader = ProxyHeaderParser() }
    shard.addAnonymous(end)
    shard.adopt(socket)
    // A drain that began meanwhile has not seen this connection.
    if state.withLock({ $0.isDraining }) { end.drain(now: shard.nowNanoseconds) }
  }

  private func end(id: UInt64, _ arrival: Arrival, on shard: Shard) -> ServerEnd {
    ServerEnd(
      id: id, address: arrival.host, router: configuration.router, limits: limits,
      identity: configuration.identity, authenticator: configuration.authenticator,
      compressor: configuration.compressor,
      share: budget.share(for: .address(arrival.peerNetwork)), metrics: shard.metrics,
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
    configuration.onLimit?(.connectionRefused(address: arrival.host))
    guard isAnswered else {
      close(arrival.descriptor)
      return
    }
    let shard = shards[0]
    shard.runInBackground {
      let end = self.end(id: 0, arrival, on: shard)
      let socket = Socket(descriptor: arrival.descriptor, end: end)
      end.driver = socket
      socket.owner = self
      shard.adopt(socket)
      end.fail(.tooManyConnections, now: shard.nowNanoseconds)
    }
  }

  /// A TLS handshake is complete, or its connection has ended.
  func handshakeEnded(_ id: UInt64) { state.withLock { $0.handshakes.end(id) } }

  /// How many handshakes are tried for room before one ends although its peer has done its part.
  private static let handshakeAttempts = 16

  /// Closes a connection whose handshake is not over, or one that follows it if the first has input
  /// that waits for its turn, or was answered: half-open connections go first.
  private func endHandshake(of id: UInt64, attempt: Int = 0) {
    let shard = shard(of: id)
    shard.runInBackground { [self] in
      guard let socket = shard.anonymousEnd(id)?.driver as? Socket,
        socket.secure?.isInHandshake == true
      else { return }
      shard.readHandshake(of: socket)
      guard !socket.isClosed, let secure = socket.secure else { return }
      if secure.isInStep || secure.hasAnswered, attempt < Self.handshakeAttempts {
        let address = socket.proxyHeader == nil ? socket.serverEnd?.address : nil
        let network = address.map(CountedNetwork.name)
        let next = state.withLock { $0.handshakes.retain(id, from: network) }
        if let next, next != id { return endHandshake(of: next, attempt: attempt + 1) }
      }
      shard.reset(socket, "more recent TLS handshakes take its place")
    }
  }
}

extension Server: SecureEndObserver {
  package func opened(_ end: SecureEnd, _ identity: PeerIdentity?) {
    guard let server = end.plain as? ServerEnd else { return }
    server.peer.certificate = identity
    handshakeEnded(server.id)
  }

  package func failed(_ end: SecureEnd, _ error: SecureChannelError) {
    guard let server = end.plain as? ServerEnd else { return }
    configuration.onSecurityFailure?(error, server.address)
  }
}
