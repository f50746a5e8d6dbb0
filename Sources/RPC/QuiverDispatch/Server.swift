import Dispatch
import QuiverPlatform
package import QuiverRPC
package import QuiverWire
import Synchronization

/// Listens, shares the connections out among its shards, and ends them.
///
/// May be used from any thread.
package final class Server: Sendable {
  package let configuration: Configuration
  private let adjustable: Mutex<Adjustable>
  let shards: [Shard]
  /// What all connections together may hold.
  package let budget: ByteBudget
  let acceptedCount = Atomic<UInt64>(0)
  private let acceptQueue = DispatchQueue(label: "quiver.accept")
  let state: Mutex<State>

  /// What a server is made of.
  package struct Configuration: Sendable {
    package var router: Router
    package var authenticator: any Authenticator
    package var identity: ServerIdentity
    package var limits = Limits()
    /// What messages are compressed with where the client does so too; nil: nothing.
    package var compressor: (any Compressor)?
    /// How connections of endpoints with `tls://` are encrypted; nil: there are none.
    package var security: (any SecureServerContext)?
    /// Told why a connection could not be encrypted, and of whose address; runs on a shard.
    package var onSecurityFailure: (@Sendable (SecureChannelError, _ address: String) -> Void)?
    /// How many shards; 0: one for each core that the process may run on.
    package var shardCount = 0
    /// Called when accepting is paused because descriptors or kernel memory are exhausted, and when
    /// it was resumed and no caller waits, with ``Server/droppedConnectionCount``; on the queue
    /// that accepts.
    package var onAcceptPaused:
      (@Sendable (_ isPaused: Bool, _ droppedConnectionCount: UInt64) -> Void)?
    /// Connections from these networks begin with a PROXY protocol header.
    package var trustedProxies = TrustedNetworks()
    /// The permissions of the files of Unix sockets.
    package var unixMode: UInt32 = 0o600
    /// Called when a connection is closed or refused for a limit; on any thread.
    package var onLimit: (@Sendable (LimitEvent) -> Void)?
    /// What is counted of calls; nil: nothing.
    package var callMetrics: CallMetrics.Options?
    /// Receives the occurrences that are logged, if calls are counted; runs on a shard.
    package var onOccurrence: CallMetrics.Receiver?

    package init(router: Router, authenticator: any Authenticator, identity: ServerIdentity) {
      self.router = router
      self.authenticator = authenticator
      self.identity = identity
    }
  }

  /// Which limit closed or refused a connection.
  package enum LimitEvent: Sendable, Equatable {
    /// There is no room for a connection from this address.
    case connectionRefused(address: String)
    /// The principal has as many connections as it may.
    case principalRefused(principal: Int64)
    /// An anonymous connection without a call made room for another.
    case anonymousClosed(address: String)
    /// The connection that held most of the memory of the share that holds most.
    case memoryReclaimed(ShareKey, byteCount: Int)
  }

  /// What may change while the server runs; new connections take it.
  private struct Adjustable {
    var limits: SharedLimits
    var trustedProxies: TrustedNetworks
  }

  struct State {
    var listeners: [Listener] = []
    var admission: ConnectionAdmission
    /// Connections that are sent GOAWAY because there is no room, or because they make room.
    var rejectedCount = 0
    /// Connections that were closed without an answer because no descriptor was free.
    var droppedConnectionCount: UInt64 = 0
    var handshakes: HandshakeAdmission
    var isDraining = false
    var whenEmpty: [CheckedContinuation<Void, Never>] = []
  }

  /// Makes the shards; nothing listens yet.
  package init(_ configuration: Configuration) throws(SystemError) {
    self.configuration = configuration
    adjustable = Mutex(
      Adjustable(
        limits: SharedLimits(configuration.limits),
        trustedProxies: configuration.trustedProxies))
    budget = ByteBudget(limits: configuration.limits)
    state = Mutex(
      State(
        admission: ConnectionAdmission(configuration.limits),
        handshakes: HandshakeAdmission(configuration.limits)))
    let count =
      configuration.shardCount > 0 ? configuration.shardCount : Platform.usableCoreCount()
    var shards: [Shard] = []
    for number in 0..<count {
      let metrics = configuration.callMetrics.map {
        CallMetrics(
          configuration.router, $0, clock: SystemCall.monotonicNanoseconds,
          receiver: configuration.onOccurrence)
      }
      shards.append(
        try Shard(label: "quiver.shard.\(number)", limits: configuration.limits, metrics: metrics))
    }
    self.shards = shards
    budget.onCritical { [weak self] key in self?.closeLargestConnection(of: key) }
    budget.onRelease { ProcessMemory.releaseFreedSoon() }
  }

  deinit { stop() }

  /// The limits of new connections.
  var limits: SharedLimits { adjustable.withLock { $0.limits } }

  /// Networks whose new connections begin with a PROXY protocol header.
  var trustedProxies: TrustedNetworks { adjustable.withLock { $0.trustedProxies } }

  /// Changes what connections from now on are accepted with; those that are open keep their limits.
  ///
  /// Limits of the process and of its shards stay: `processBytes`, `sharePercent`, `readTurnBytes`
  /// and `maxUnfinishedHandshakes`.
  package func adjust(limits: Limits, trustedProxies: TrustedNetworks) {
    adjustable.withLock {
      $0 = Adjustable(limits: SharedLimits(limits), trustedProxies: trustedProxies)
    }
    state.withLock { state in
      state.admission.limits = limits
      state.handshakes.adjust(limits)
    }
  }

  /// The limits that new connections have.
  package var currentLimits: Limits { adjustable.withLock { $0.limits.value } }

  /// The reactors on which handlers run.
  package var reactors: [any Reactor] { shards }

  /// How many connections are open.
  package var connectionCount: Int { state.withLock { $0.admission.connectionCount } }

  /// The counts of calls, one of each shard; empty where nothing is counted.
  package var callMetrics: [CallMetrics] { shards.compactMap(\.metrics) }

  /// How many connections were accepted since the start, refused ones included.
  package var acceptedConnectionCount: UInt64 { acceptedCount.load(ordering: .relaxed) }

  /// How many connections were closed without an answer since the start, because no descriptor was
  /// left.
  package var droppedConnectionCount: UInt64 { state.withLock { $0.droppedConnectionCount } }

  /// Listens at `endpoint` and returns the addresses; for port 0 the kernel chooses one.
  @discardableResult
  package func listen(on endpoint: Endpoint) throws(EndpointError) -> [SocketAddress] {
    guard !endpoint.isSecure || configuration.security != nil else {
      throw EndpointError("\(endpoint): a certificate and a key are needed to listen with TLS")
    }
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
          accepted(descriptor, peer, isSecure: endpoint.isSecure)
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
        accepted(descriptor, peer, isSecure: isSecure)
      })
    state.withLock { $0.listeners.append(listener) }
    return listener.address
  }

  // MARK: Accepting

  private func accepting(_ event: Listener.AcceptEvent) {
    switch event {
    case .paused: configuration.onAcceptPaused?(true, droppedConnectionCount)
    case .dropped: state.withLock { $0.droppedConnectionCount += 1 }
    case .resumed: configuration.onAcceptPaused?(false, droppedConnectionCount)
    }
  }

  // MARK: Ending

  /// Runs `body` with every connection's end, each on its shard.
  package func forEachConnection(_ body: @escaping @Sendable (ServerEnd) -> Void) {
    for shard in shards {
      shard.run {
        for socket in shard.sockets {
          if let end = socket.serverEnd { body(end) }
        }
      }
    }
  }

  /// How every connection stands, by id, lowest first.
  package func connections() async -> [ConnectionSummary] {
    var found: [ConnectionSummary] = []
    for shard in shards {
      let ofShard: [ConnectionSummary] = await withCheckedContinuation { continuation in
        shard.run {
          let ends = shard.sockets.compactMap(\.serverEnd)
          continuation.resume(returning: ends.map(\.summary))
        }
      }
      found += ofShard
    }
    return found.sorted { $0.id < $1.id }
  }

  /// Ends the connections and streams that rest on permissions which have ended.
  package func revalidate(_ ended: EndedPermissions) {
    forEachConnection { $0.revalidate(ended) }
  }

  /// Stops accepting, drains every connection, and returns when the last has ended.
  ///
  /// Open calls have ``Limits/drainMilliseconds`` to finish.
  package func drain() async {
    let listeners = state.withLock { state in
      state.isDraining = true
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.stop() }
    forEachConnection { $0.drain(now: $0.reactor.nowNanoseconds) }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.admission.connectionCount > 0 { state.whenEmpty.append(continuation) }
        return state.admission.connectionCount == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  /// Returns when every shard has done and written what was handed to it before, or when the time
  /// is up; answers whether it has. Not to be called on a shard.
  @discardableResult
  package func awaitIdle(milliseconds: Int) -> Bool {
    let group = DispatchGroup()
    for shard in shards {
      group.enter()
      // After the jobs of both kinds; the last turn runs after their hand-overs and writes.
      shard.run { shard.runInBackground { shard.run { group.leave() } } }
    }
    return group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }

  /// Ends every connection at once.
  package func stop() {
    let listeners = state.withLock { state in
      state.isDraining = true
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { listener.stop() }
    for shard in shards {
      // Behind the connections that were accepted before.
      shard.runInBackground {
        for socket in shard.sockets { shard.drop(socket, "the server stopped") }
      }
    }
  }
}
