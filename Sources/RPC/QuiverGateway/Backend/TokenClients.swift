import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// Clients of the server for each caller, identified by the token: a connection has the rights of
/// its token. May be used from any thread.
///
/// Callers whose token the server has accepted and others have places of their own, so that wrong
/// tokens never take the place of a valid one.
///
/// A caller has a client for each reactor on which its requests arrive, with connections on that
/// reactor: a call and its reply change no thread.
final class TokenClients: Sendable {
  /// Belongs to the state, behind its lock.
  private final class Entry {
    let caller: GatewayCaller
    /// By reactor; nil: for those that come on none.
    var clients: [ObjectIdentifier?: RPCClient] = [:]
    /// The latest position of the server's store that its calls have seen, over all connections.
    let positions = KnownPosition()
    var lastUse: UInt64 = 0

    init(_ caller: GatewayCaller) { self.caller = caller }
  }

  private struct State {
    /// Those whose token the server has accepted, and the one without a token.
    var proven: [String: Entry] = [:]
    var unproven: [String: Entry] = [:]
    var uses: UInt64 = 0
    var transports: [ObjectIdentifier: DispatchTransport] = [:]
  }

  private let configuration: RPCClient.Configuration
  private let limits: GatewayLimits
  private let observer: GatewayObserver
  private let wire: Limits
  private let transport: DispatchTransport
  private let endpoint: Endpoint
  private let state = Mutex(State())
  private let closed = Atomic<UInt64>(0)

  /// How long the calls of a client may continue after another caller has taken its place.
  private static let evictionGrace: Duration = .seconds(600)

  /// - Parameter configuration: of every client; the token is the caller's.
  init(
    _ configuration: RPCClient.Configuration, limits: GatewayLimits, observer: GatewayObserver
  ) throws(RPCError) {
    // Validates the address and its options.
    _ = try RPCClient(configuration)
    var configuration = configuration
    configuration.limits.maxConnections = limits.maxServerConnections
    configuration.limits.maxWaitingCalls = limits.maxWaitingCalls
    var wire = Limits()
    wire.initialStreamCredit = limits.streamCreditBytes
    wire.initialConnectionCredit = limits.connectionCreditBytes
    guard let endpoint = Endpoint(configuration.server),
      let transport = try? DispatchTransport(limits: wire)
    else {
      throw RPCError(.unavailable, "no connections to \(configuration.server) can be made")
    }
    self.configuration = configuration
    self.wire = wire
    self.endpoint = endpoint
    self.transport = transport
    self.limits = limits
    self.observer = observer
  }

  /// How many times clients were closed.
  var closedCount: UInt64 { closed.load(ordering: .acquiring) }

  /// How many callers have clients.
  var callerCount: Int { state.withLock { $0.proven.count + $0.unproven.count } }

  /// The client for a token, and its caller; nil: the client without a token. Its connections are
  /// on `reactor` if there is one.
  func client(
    for token: String?, on reactor: (any Reactor)?
  ) -> (client: RPCClient, caller: GatewayCaller) {
    let key = token ?? ""
    let place = reactor.map { ObjectIdentifier($0) }
    let (client, caller, evicted) = state.withLock {
      state -> (RPCClient, GatewayCaller, [RPCClient]) in
      state.uses += 1
      let known = state.proven[key] ?? state.unproven[key]
      known?.lastUse = state.uses
      if let known, let client = known.clients[place] { return (client, known.caller, []) }
      var configuration = configuration
      configuration.token = token
      let entry = known ?? Entry(GatewayCaller(key, isProven: key.isEmpty, of: self))
      let made = RPCClient(
        configuration, transport: transport(on: reactor, &state), endpoint: endpoint,
        positions: entry.positions)
      entry.clients[place] = made
      guard known == nil else { return (made, entry.caller, []) }
      entry.lastUse = state.uses
      guard !key.isEmpty else {
        state.proven[key] = entry
        return (made, entry.caller, [])
      }
      let evicted = Self.makeRoom(in: &state.unproven, limits.maxUnprovenCallers)
      state.unproven[key] = entry
      return (made, entry.caller, evicted)
    }
    close(evicted, .unprovenCallers)
    return (client, caller)
  }

  /// The server has accepted the caller's token, or refused it.
  func move(_ caller: GatewayCaller, isProven: Bool) {
    let evicted = state.withLock { state -> [RPCClient] in
      if isProven {
        // A caller whose place was taken meanwhile is closing.
        guard let entry = state.unproven.removeValue(forKey: caller.token) else { return [] }
        defer { state.proven[caller.token] = entry }
        return Self.makeRoom(in: &state.proven, limits.maxCallers)
      }
      guard let entry = state.proven.removeValue(forKey: caller.token) else { return [] }
      defer { state.unproven[caller.token] = entry }
      return Self.makeRoom(in: &state.unproven, limits.maxUnprovenCallers)
    }
    close(evicted, isProven ? .callers : .unprovenCallers)
  }

  /// Removes the entry that was used longest ago where there are as many as may be.
  private static func makeRoom(in entries: inout [String: Entry], _ limit: Int) -> [RPCClient] {
    guard entries.count >= limit else { return [] }
    // The callers without a token keep their place.
    let oldest = entries.lazy.filter { !$0.key.isEmpty }
      .min { $0.value.lastUse < $1.value.lastUse }
    let entry = oldest.flatMap { entries.removeValue(forKey: $0.key) }
    return entry.map { Array($0.clients.values) } ?? []
  }

  private func close(_ evicted: [RPCClient], _ limit: GatewayLimit) {
    guard !evicted.isEmpty else { return }
    closed.wrappingAdd(1, ordering: .releasing)
    observer.reached(limit, address: "")
    for client in evicted { Task { await client.close(gracePeriod: Self.evictionGrace) } }
  }

  private func transport(on reactor: (any Reactor)?, _ state: inout State) -> DispatchTransport {
    guard let reactor else { return transport }
    let place = ObjectIdentifier(reactor)
    if let known = state.transports[place] { return known }
    let made = DispatchTransport(on: reactor, limits: wire) ?? transport
    state.transports[place] = made
    return made
  }

  /// Closes all clients; open calls may continue for the grace period.
  func close(gracePeriod: Duration) async {
    closed.wrappingAdd(1, ordering: .releasing)
    let clients = state.withLock { state in
      defer { (state.proven, state.unproven) = ([:], [:]) }
      return (Array(state.proven.values) + state.unproven.values).flatMap(\.clients.values)
    }
    await withTaskGroup { group in
      for client in clients { group.addTask { await client.close(gracePeriod: gracePeriod) } }
    }
  }
}
