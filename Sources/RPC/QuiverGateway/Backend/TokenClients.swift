import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// Clients of the server for each caller, identified by the token: a connection has the rights of
/// its token. May be used from any thread.
///
/// Callers whose token the server has accepted, spectators among them, and others have places of
/// their own, so that neither wrong tokens nor those that everybody gets take the place of a
/// user's. Callers without a token share the connections of one caller for unary calls, and those
/// of another for streams, so that no call waits for the end of a stream.
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
    /// Without a token: for unary calls, and for streams.
    var anonymous: Entry?
    var anonymousStreams: Entry?
    /// Those whose token the server has accepted, and spectators apart from them.
    var proven: [String: Entry] = [:]
    var spectators: [String: Entry] = [:]
    var unproven: [String: Entry] = [:]
    var uses: UInt64 = 0
    var transports: [ObjectIdentifier: DispatchTransport] = [:]

    var entries: [Entry] {
      [anonymous, anonymousStreams].compactMap(\.self) + proven.values + spectators.values
        + unproven.values
    }

    func entry(of token: String) -> Entry? {
      proven[token] ?? spectators[token] ?? unproven[token]
    }
  }

  private let configuration: RPCClient.Configuration
  private let limits: GatewayLimits
  private let observer: GatewayObserver
  private let wire: Limits
  private let transport: DispatchTransport
  private let endpoint: Endpoint
  private let state = Mutex(State())
  private let closed = Atomic<UInt64>(0)

  /// Tokens that begin so belong to spectators, of whom everybody can be one.
  private static let spectatorPrefix: HTTPText = "qs_"
  /// The most connections that a client may have.
  private static let mostConnections = 256
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
    configuration.limits.idleTimeout = .milliseconds(limits.serverIdleMilliseconds)
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
  var callerCount: Int { state.withLock { $0.entries.count } }

  /// How many connections to the server are open or being made.
  var connectionCount: Int {
    state.withLock { $0.entries.flatMap(\.clients.values) }
      .reduce(0) { $0 + $1.connectionCount }
  }

  /// The client for a token, and its caller; nil: the client without a token, which for streams is
  /// another one. Its connections are on `reactor` if there is one.
  func client(
    for token: String?, on reactor: (any Reactor)?, isStream: Bool = false
  ) -> (client: RPCClient, caller: GatewayCaller) {
    guard let token, !token.isEmpty else {
      let place: any WritableKeyPath<State, Entry?> & Sendable =
        isStream ? \.anonymousStreams : \.anonymous
      return state.withLock { state in
        let entry = state[keyPath: place] ?? Entry(GatewayCaller("", isProven: true, of: self))
        state[keyPath: place] = entry
        return (made(of: entry, nil, on: reactor, isStream: isStream, &state), entry.caller)
      }
    }
    let (client, caller, evicted) = state.withLock {
      state -> (RPCClient, GatewayCaller, [RPCClient]) in
      state.uses += 1
      let known = state.entry(of: token)
      let entry = known ?? Entry(GatewayCaller(token, isProven: false, of: self))
      entry.lastUse = state.uses
      let client = made(of: entry, token, on: reactor, &state)
      guard known == nil else { return (client, entry.caller, []) }
      let evicted = Self.makeRoom(in: &state.unproven, limits.maxUnprovenCallers)
      state.unproven[token] = entry
      return (client, entry.caller, evicted)
    }
    close(evicted, .unprovenCallers)
    return (client, caller)
  }

  /// The client of a caller on a reactor; makes it at first.
  private func made(
    of entry: Entry, _ token: String?, on reactor: (any Reactor)?, isStream: Bool = false,
    _ state: inout State
  ) -> RPCClient {
    let place = reactor.map { ObjectIdentifier($0) }
    if let client = entry.clients[place] { return client }
    var configuration = configuration
    configuration.token = token
    // Without a credential of the gateway the server takes one such stream on a connection.
    if isStream {
      configuration.limits.maxConnections = min(limits.maxAnonymousStreams, Self.mostConnections)
    }
    let made = RPCClient(
      configuration, transport: transport(on: reactor, &state), endpoint: endpoint,
      positions: entry.positions)
    entry.clients[place] = made
    return made
  }

  /// The server has accepted the caller's token, or refused it.
  func move(_ caller: GatewayCaller, isProven: Bool) {
    let isSpectator = HTTPText(caller.token).begins(with: Self.spectatorPrefix)
    let place: any WritableKeyPath<State, [String: Entry]> & Sendable =
      isSpectator ? \.spectators : \.proven
    let limit = isSpectator ? limits.maxSpectatorCallers : limits.maxCallers
    let evicted = state.withLock { state -> [RPCClient] in
      if isProven {
        // A caller whose place was taken meanwhile is closing.
        guard let entry = state.unproven.removeValue(forKey: caller.token) else { return [] }
        defer { state[keyPath: place][caller.token] = entry }
        return Self.makeRoom(in: &state[keyPath: place], limit)
      }
      guard let entry = state[keyPath: place].removeValue(forKey: caller.token) else { return [] }
      defer { state.unproven[caller.token] = entry }
      return Self.makeRoom(in: &state.unproven, limits.maxUnprovenCallers)
    }
    close(
      evicted, !isProven ? .unprovenCallers : isSpectator ? .spectatorCallers : .callers)
  }

  /// Removes the entry that was used longest ago where there are as many as may be.
  private static func makeRoom(in entries: inout [String: Entry], _ limit: Int) -> [RPCClient] {
    guard entries.count >= limit else { return [] }
    let oldest = entries.min { $0.value.lastUse < $1.value.lastUse }
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
      defer {
        (state.anonymous, state.anonymousStreams) = (nil, nil)
        (state.proven, state.spectators, state.unproven) = ([:], [:], [:])
      }
      return state.entries.flatMap(\.clients.values)
    }
    await withTaskGroup { group in
      for client in clients { group.addTask { await client.close(gracePeriod: gracePeriod) } }
    }
  }
}
