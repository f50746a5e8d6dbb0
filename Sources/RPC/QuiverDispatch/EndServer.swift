import Dispatch
import QuiverPlatform
package import QuiverRPC
package import QuiverWire
import Synchronization

/// A connection of another protocol than Quiver's, as ``EndServer`` makes and drains it.
package protocol DrivenEnd: ConnectionEnd {
  /// Writes the output. Set before the first byte arrives, on the reactor; it refers to the end,
  /// which releases it when it is closed.
  var driver: (any ConnectionDriver)? { get set }
  /// The address of the peer, or of the proxy before it until that has named the peer.
  var address: String { get }
  /// A trusted proxy has named the peer's address. Called before the first byte, on the reactor.
  func located(at address: String)
  /// Takes no more requests; the end closes when the open ones have ended. Called on the reactor.
  func drain(now: UInt64)
}

/// Listens for connections of another protocol than Quiver's, has an end made for each, and shares
/// them out among its shards.
///
/// May be used from any thread.
package final class EndServer: Sendable {
  /// Why a connection is closed unanswered.
  package enum Refusal: Sendable {
    case connections, connectionsPerAddress
  }

  package typealias MakeEnd = @Sendable (_ address: String, any Reactor) -> any DrivenEnd

  /// What a server is made of.
  package struct Configuration: Sendable {
    /// Makes the end of a connection from an address. Called on the reactor of the connection.
    package var makeEnd: MakeEnd
    /// Its limits of handshakes, reads and keepalive count; the others are Quiver's own.
    package var limits = Limits()
    /// How connections of endpoints with `tls://` are encrypted; nil: there are none.
    package var security: (any SecureServerContext)?
    /// The most connections at once; a further one is closed unanswered.
    package var maxConnections = 10_000
    /// The most connections from one address, IPv6 counted by /64; a further one is closed
    /// unanswered. Those of Unix sockets are one address.
    package var maxConnectionsPerAddress = 1_000
    /// Networks whose connections begin with a header of the PROXY protocol, version 2.
    package var trustedProxies = TrustedNetworks()
    /// The permissions of the files of Unix sockets.
    package var unixMode: UInt32 = 0o600
    /// Is called with the address of a connection that is closed unanswered.
    package var onRefused: @Sendable (Refusal, String) -> Void = { _, _ in }
    /// Is called with the address of a connection that could not be encrypted.
    package var onSecurityFailure: @Sendable (SecureChannelError, String) -> Void = { _, _ in }
    /// Is called when accepting is paused because no descriptor is free, and when it is resumed.
    package var onAcceptPaused: @Sendable (Bool) -> Void = { _ in }
    /// How many shards; 0: one for each core that the process may run on.
    package var shardCount = 0

    package init(makeEnd: @escaping MakeEnd) { self.makeEnd = makeEnd }
  }

  /// What may change while the server runs.
  private struct Adjustable {
    var maxConnections: Int
    var maxConnectionsPerAddress: Int
    var trustedProxies: TrustedNetworks
  }

  /// A connection that was accepted, before it has a socket of its own.
  private struct Arrival {
    let descriptor: Int32
    let peer: SocketAddress
    /// The network by which it is counted; nil: its proxy has not named it.
    let network: String?
    /// The number of a connection with TLS; nil: it has none.
    let handshake: UInt64?
    let makeEnd: MakeEnd
  }

  private struct State {
    var adjustable: Adjustable
    var acceptedCount = 0
    var droppedCount = 0
    var listeners: [Listener] = []
    var connectionCount = 0
    var countsByNetwork: [String: Int] = [:]
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
    let adjustable = Adjustable(
      maxConnections: configuration.maxConnections,
      maxConnectionsPerAddress: configuration.maxConnectionsPerAddress,
      trustedProxies: configuration.trustedProxies)
    state = Mutex(
      State(adjustable: adjustable, handshakes: HandshakeAdmission(configuration.limits)))
  }

  /// How many connections are open.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Whether a further connection is refused, from whatever address.
  package var isFull: Bool {
    state.withLock { $0.connectionCount >= $0.adjustable.maxConnections }
  }

  /// How many connections were accepted since the start, refused ones included.
  package var acceptedConnectionCount: Int { state.withLock { $0.acceptedCount } }

  /// How many connections were closed unanswered since the start, because no descriptor was left.
  package var droppedConnectionCount: Int { state.withLock { $0.droppedCount } }

  /// The reactors on which requests are answered.
  package var reactors: [any Reactor] { shards }

  /// Changes what connections from now on are accepted with.
  package func adjust(
    maxConnections: Int, maxConnectionsPerAddress: Int, trustedProxies: TrustedNetworks
  ) {
    let adjustable = Adjustable(
      maxConnections: maxConnections, maxConnectionsPerAddress: maxConnectionsPerAddress,
      trustedProxies: trustedProxies)
    state.withLock { $0.adjustable = adjustable }
  }

  /// Listens at `endpoint` and returns the addresses; for port 0 the kernel chooses one.
  ///
  /// - Parameter makeEnd: instead of that of the configuration.
  @discardableResult
  package func listen(
    on endpoint: Endpoint, makeEnd: MakeEnd? = nil
  ) throws(EndpointError) -> [SocketAddress] {
    guard !endpoint.isSecure || configuration.security != nil else {
      throw EndpointError("\(endpoint): a certificate and a key are needed to listen with TLS")
    }
    let makeEnd = makeEnd ?? configuration.makeEnd
    var bound: [SocketAddress] = []
    for address in try endpoint.resolve(passive: true) {
      let listener = try Listener(
        address, endpoint: endpoint, unixMode: configuration.unixMode, queue: acceptQueue,
        stateChanged: { [weak self] in self?.accepting($0) },
        accepted: { [weak self] descriptor, peer in
          guard let self else {
            close(descriptor)
            return
          }
          accepted(descriptor, peer, isSecure: endpoint.isSecure, makeEnd)
        })
      state.withLock { $0.listeners.append(listener) }
      bound.append(listener.address)
    }
    return bound
  }

  /// Listens on a socket that another process has opened, and answers its address.
  @discardableResult
  package func listen(
    adopting descriptor: Int32, isSecure: Bool
  ) throws(EndpointError) -> SocketAddress {
    guard !isSecure || configuration.security != nil else {
      throw EndpointError("a certificate and a key are needed to listen with TLS")
    }
    let listener = try Listener(
      adopting: descriptor, queue: acceptQueue,
      stateChanged: { [weak self] in self?.accepting($0) },
      accepted: { [weak self] descriptor, peer in
        guard let self else {
          close(descriptor)
          return
        }
        accepted(descriptor, peer, isSecure: isSecure, configuration.makeEnd)
      })
    state.withLock { $0.listeners.append(listener) }
    return listener.address
  }

  private func accepting(_ event: Listener.AcceptEvent) {
    switch event {
    case .paused: configuration.onAcceptPaused(true)
    case .dropped: state.withLock { $0.droppedCount += 1 }
    case .resumed: configuration.onAcceptPaused(false)
    }
  }

  /// What becomes of a connection that was accepted.
  private enum Admission {
    case accepted(UInt64, isProxied: Bool)
    case refused(Refusal)
    case draining
  }

  private func admit(_ peer: SocketAddress, _ network: String) -> Admission {
    state.withLock { state in
      state.acceptedCount += 1
      guard !state.isDraining else { return .draining }
      guard state.connectionCount < state.adjustable.maxConnections else {
        return .refused(.connections)
      }
      let isProxied = state.adjustable.trustedProxies.contains(peer)
      if !isProxied {
        guard Self.count(network, in: &state) else { return .refused(.connectionsPerAddress) }
      }
      state.connectionCount += 1
      state.next &+= 1
      return .accepted(state.next, isProxied: isProxied)
    }
  }

  /// Counts one more connection of a network; false: it may not have one more.
  private static func count(_ network: String, in state: inout State) -> Bool {
    guard
      state.countsByNetwork[network, default: 0] < state.adjustable.maxConnectionsPerAddress
    else { return false }
    state.countsByNetwork[network, default: 0] += 1
    return true
  }

  private func accepted(
    _ descriptor: Int32, _ peer: SocketAddress, isSecure: Bool, _ makeEnd: @escaping MakeEnd
  ) {
    let network = CountedNetwork.name(of: peer.host)
    let number: UInt64
    let isBehindProxy: Bool
    switch admit(peer, network) {
    case .accepted(let accepted, let isProxied): (number, isBehindProxy) = (accepted, isProxied)
    case .refused(let refusal):
      close(descriptor)
      return configuration.onRefused(refusal, peer.host)
    case .draining:
      close(descriptor)
      return
    }
    if !peer.isUnix {
      SystemCall.tune(
        descriptor, userTimeoutMilliseconds: configuration.limits.keepaliveTimeoutMilliseconds)
    }
    let shard = shard(of: number)
    let arrival = Arrival(
      descriptor: descriptor, peer: peer, network: isBehindProxy ? nil : network,
      handshake: isSecure ? number : nil, makeEnd: makeEnd)
    shard.run { self.adopt(arrival, on: shard) }
    guard isSecure else { return }
    let counted = isBehindProxy ? nil : network
    let replaced = state.withLock { $0.handshakes.begin(number, from: counted) }
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

  private func adopt(_ arrival: Arrival, on shard: Shard) {
    let end = arrival.makeEnd(arrival.peer.host, shard)
    var carried: any ConnectionEnd = end
    if let handshake = arrival.handshake {
      guard let channel = configuration.security?.makeChannel() else {
        close(arrival.descriptor)
        state.withLock { $0.handshakes.end(handshake) }
        return ended(arrival.network)
      }
      let secure = SecureEnd(end, channel, shared: shard.secure, startsHandshake: false)
      secure.observer = self
      carried = secure
    }
    let socket = Socket(descriptor: arrival.descriptor, end: carried)
    end.driver = socket
    socket.network = arrival.network
    socket.owner = self
    if arrival.network == nil { socket.proxyHeader = ProxyHeaderParser() }
    if let handshake = arrival.handshake { shard.beginHandshake(handshake, socket) }
    shard.adopt(socket)
    // A drain that began meanwhile has not seen this connection.
    if state.withLock({ $0.isDraining }) { end.drain(now: shard.nowNanoseconds) }
  }

  /// - Parameter network: by which the connection was counted; nil: it was not.
  private func ended(_ network: String?) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.connectionCount -= 1
      if let network {
        let left = state.countsByNetwork[network, default: 1] - 1
        state.countsByNetwork[network] = left > 0 ? left : nil
      }
      guard state.connectionCount == 0, state.isDraining else { return [] }
      defer { state.whenEmpty = [] }
      return state.whenEmpty
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Stops accepting, drains every connection, and returns when the last has ended.
  package func drain() async {
    for listener in beginDraining() { listener.stop() }
    for shard in shards {
      shard.run {
        for socket in shard.sockets { socket.drivenEnd?.drain(now: shard.nowNanoseconds) }
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
}

extension EndServer: SocketOwner {
  func identified(_ socket: Socket, principal: Int64) -> Bool { true }
  func mayStayAnonymous(_ socket: Socket) -> Bool { true }

  func located(_ socket: Socket) {
    guard let end = socket.drivenEnd else { return }
    let network = CountedNetwork.name(of: end.address)
    let isAdmitted = state.withLock { Self.count(network, in: &$0) }
    guard isAdmitted else {
      configuration.onRefused(.connectionsPerAddress, end.address)
      return socket.shard.drop(socket, "the address has as many connections as it may")
    }
    socket.network = network
  }

  func closed(_ socket: Socket) {
    if socket.secure?.hasOpened == false { handshakeEnded(socket) }
    ended(socket.network)
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

  package func failed(_ end: SecureEnd, _ error: SecureChannelError) {
    let address = (end.plain as? any DrivenEnd)?.address ?? ""
    configuration.onSecurityFailure(error, address)
  }
}
