import Dispatch
import QuiverPlatform
package import QuiverRPC
package import QuiverWire
import Synchronization

/// A connection of another protocol than Quiver's, as ``EndServer`` makes and drains it.
package protocol DrivenEnd: ConnectionEnd {
  /// Writes the output. Set before the first byte arrives, on the reactor.
  var driver: (any ConnectionDriver)? { get set }
  /// Takes no more requests; the end closes when the open ones have ended. Called on the reactor.
  func drain(now: UInt64)
}

/// Listens for connections of another protocol than Quiver's, has an end made for each, and shares
/// them out among its shards.
///
/// May be used from any thread.
package final class EndServer: Sendable {
  /// What a server is made of.
  package struct Configuration: Sendable {
    /// Makes the end of a connection from an address. Called on the reactor of the connection.
    package var makeEnd: @Sendable (_ address: String, any Reactor) -> any DrivenEnd
    /// Its limits of handshakes, reads and keepalive count; the others are Quiver's own.
    package var limits = Limits()
    /// How connections of endpoints with `tls://` are encrypted; nil: there are none.
    package var security: (any SecureServerContext)?
    /// The most connections at once; a further one is closed unanswered.
    package var maxConnections = 10_000
    /// The most connections from one address, IPv6 counted by /64; a further one is closed
    /// unanswered. Those of Unix sockets are one address.
    package var maxConnectionsPerAddress = 1_000
    /// How many shards; 0: one for each core that the process may run on.
    package var shardCount = 0

    package init(makeEnd: @escaping @Sendable (String, any Reactor) -> any DrivenEnd) {
      self.makeEnd = makeEnd
    }
  }

  private struct State {
    var listeners: [Listener] = []
    var connectionCount = 0
    var countsByNetwork: [String: Int] = [:]
    var refusedCount = 0
    var next: UInt64 = 0
    var handshakes: HandshakeAdmission
    var isDraining = false
    var whenEmpty: [CheckedContinuation<Void, Never>] = []
  }

  private let configuration: Configuration
  private let shards: [Shard]
  private let acceptQueue = DispatchQueue(label: "quiver.accept")
  private let state: Mutex<State>

  /// Makes the shards; nothing listens yet.
  package init(_ configuration: Configuration) throws(SystemError) {
    self.configuration = configuration
    let count =
      configuration.shardCount > 0 ? configuration.shardCount : Platform.usableCoreCount()
    var shards: [Shard] = []
    for number in 0..<count {
      shards.append(try Shard(label: "quiver.end.\(number)", limits: configuration.limits))
    }
    self.shards = shards
    state = Mutex(State(handshakes: HandshakeAdmission(configuration.limits)))
  }

  /// How many connections are open.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// How many connections were closed unanswered since the start, because of a limit.
  package var refusedConnectionCount: Int { state.withLock { $0.refusedCount } }

  /// Listens at `endpoint` and answers the addresses; port 0 asks the kernel for one.
  @discardableResult
  package func listen(on endpoint: Endpoint) throws(EndpointError) -> [SocketAddress] {
    guard !endpoint.isSecure || configuration.security != nil else {
      throw EndpointError("\(endpoint): a certificate and a key are needed to listen with TLS")
    }
    var bound: [SocketAddress] = []
    for address in try endpoint.resolve(passive: true) {
      let listener = try Listener(
        address, endpoint: endpoint, queue: acceptQueue, stateChanged: { _ in },
        accepted: { [weak self] descriptor, peer in
          guard let self else {
            close(descriptor)
            return
          }
          accepted(descriptor, peer, isSecure: endpoint.isSecure)
        })
      state.withLock { $0.listeners.append(listener) }
      bound.append(listener.address)
    }
    return bound
  }

  private func accepted(_ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool) {
    let network = TrustedNetworks.counted(peer.host)
    let number = state.withLock { state -> UInt64? in
      guard !state.isDraining, state.connectionCount < configuration.maxConnections,
        state.countsByNetwork[network, default: 0] < configuration.maxConnectionsPerAddress
      else {
        state.refusedCount += 1
        return nil
      }
      state.connectionCount += 1
      state.countsByNetwork[network, default: 0] += 1
      state.next &+= 1
      return state.next
    }
    guard let number else {
      close(descriptor)
      return
    }
    if !peer.isUnix {
      SystemCall.tune(
        descriptor, userTimeoutMilliseconds: configuration.limits.keepaliveTimeoutMilliseconds)
    }
    let shard = shard(of: number)
    shard.run {
      self.adopt(descriptor, peer, network, isSecure ? number : nil, on: shard)
    }
    guard isSecure else { return }
    let replaced = state.withLock { $0.handshakes.begin(number, from: peer.host) }
    guard let replaced else { return }
    let other = self.shard(of: replaced)
    other.run {
      guard let socket = other.endHandshake(replaced) else { return }
      other.drop(socket, "more recent TLS handshakes take its place")
    }
  }

  private func shard(of number: UInt64) -> Shard {
    shards[Int(truncatingIfNeeded: number % UInt64(shards.count))]
  }

  /// - Parameter handshake: the number of a connection with TLS; nil: it has none.
  private func adopt(
    _ descriptor: Int32, _ peer: SocketAddress, _ network: String, _ handshake: UInt64?,
    on shard: Shard
  ) {
    let end = configuration.makeEnd(peer.host, shard)
    var carried: any ConnectionEnd = end
    if let handshake {
      guard let channel = configuration.security?.makeChannel() else {
        close(descriptor)
        state.withLock { $0.handshakes.end(handshake) }
        return ended(network)
      }
      let secure = SecureEnd(end, channel, shared: shard.secure, startsHandshake: false)
      secure.observer = self
      carried = secure
    }
    let socket = Socket(descriptor: descriptor, end: carried)
    end.driver = socket
    socket.network = network
    socket.owner = self
    if let handshake { shard.beginHandshake(handshake, socket) }
    shard.adopt(socket)
    // A drain that began meanwhile has not seen this connection.
    if state.withLock({ $0.isDraining }) { end.drain(now: shard.nowNanoseconds) }
  }

  private func ended(_ network: String) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.connectionCount -= 1
      let left = state.countsByNetwork[network, default: 1] - 1
      state.countsByNetwork[network] = left > 0 ? left : nil
      guard state.connectionCount == 0, state.isDraining else { return [] }
      defer { state.whenEmpty = [] }
      return state.whenEmpty
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Accepts no more, drains every connection, and returns when the last is gone.
  package func drain() async {
    for listener in beginDraining() { listener.stop() }
    for shard in shards {
      shard.run {
        for socket in shard.sockets { Self.end(of: socket)?.drain(now: shard.nowNanoseconds) }
      }
    }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.connectionCount > 0 { state.whenEmpty.append(continuation) }
        return state.connectionCount == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  /// Ends every connection at once.
  package func stop() {
    for listener in beginDraining() { listener.stop() }
    for shard in shards {
      shard.run { for socket in shard.sockets { shard.drop(socket, "the server stopped") } }
    }
  }

  private func beginDraining() -> [Listener] {
    state.withLock { state in
      state.isDraining = true
      defer { state.listeners = [] }
      return state.listeners
    }
  }

  private static func end(of socket: Socket) -> (any DrivenEnd)? {
    (socket.secure?.plain ?? socket.end) as? any DrivenEnd
  }
}

extension EndServer: SocketOwner {
  func identified(_ socket: Socket, principal: Int64) -> Bool { true }
  func mayStayAnonymous(_ socket: Socket) -> Bool { true }
  func located(_ socket: Socket) {}

  func closed(_ socket: Socket) {
    if socket.secure?.hasOpened == false { handshakeEnded(socket) }
    ended(socket.network ?? "")
  }

  private func handshakeEnded(_ socket: Socket) {
    guard let number = socket.shard.endHandshake(of: socket) else { return }
    state.withLock { $0.handshakes.end(number) }
  }
}

extension EndServer: SecureEndObserver {
  package func opened(_ end: SecureEnd, _ identity: PeerIdentity?) {
    guard let socket = (end.plain as? any DrivenEnd)?.driver as? Socket else { return }
    handshakeEnded(socket)
  }

  package func failed(_ end: SecureEnd, _ error: SecureChannelError) {}
}
