import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// Clients of the server for each caller, told apart by the token: a connection has the rights of
/// its token. May be used from any thread.
///
/// A caller has a client for each reactor on which its requests come, whose connections live there:
/// a call and its reply change no thread.
final class TokenClients: Sendable {
  /// Belongs to the state, behind its lock.
  private final class Entry {
    /// By reactor; nil: for those that come on none.
    var clients: [ObjectIdentifier?: RPCClient] = [:]
    var lastUse: UInt64 = 0
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var uses: UInt64 = 0
    var transports: [ObjectIdentifier: DispatchTransport] = [:]
  }

  private let configuration: RPCClient.Configuration
  private let limit: Int
  private let wire: Limits
  private let transport: DispatchTransport
  private let endpoint: Endpoint
  private let state = Mutex(State())

  /// How long the calls of a client may go on whose place another caller has taken.
  private static let evictionGrace: Duration = .seconds(600)

  /// - Parameter configuration: of every client; the token is the caller's.
  init(_ configuration: RPCClient.Configuration, limits: GatewayLimits) throws(RPCError) {
    // Validates the address, and what goes with it.
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
    limit = limits.maxCallers
  }

  /// The client for a token; nil: the one without. Its connections live on `reactor` if there is
  /// one.
  func client(for token: String?, on reactor: (any Reactor)?) -> RPCClient {
    let key = token ?? ""
    let place = reactor.map { ObjectIdentifier($0) }
    let (client, evicted) = state.withLock { state -> (RPCClient, [RPCClient]) in
      state.uses += 1
      let known = state.entries[key]
      known?.lastUse = state.uses
      if let client = known?.clients[place] { return (client, []) }
      var evicted: [RPCClient] = []
      if known == nil, state.entries.count >= limit {
        let oldest = state.entries.min { $0.value.lastUse < $1.value.lastUse }
        let entry = oldest.flatMap { state.entries.removeValue(forKey: $0.key) }
        evicted = entry.map { Array($0.clients.values) } ?? []
      }
      var configuration = configuration
      configuration.token = token
      let made = RPCClient(
        configuration, transport: transport(on: reactor, &state), endpoint: endpoint)
      let entry = known ?? Entry()
      entry.clients[place] = made
      entry.lastUse = state.uses
      state.entries[key] = entry
      return (made, evicted)
    }
    for client in evicted { Task { await client.close(gracePeriod: Self.evictionGrace) } }
    return client
  }

  private func transport(on reactor: (any Reactor)?, _ state: inout State) -> DispatchTransport {
    guard let reactor else { return transport }
    let place = ObjectIdentifier(reactor)
    if let known = state.transports[place] { return known }
    let made = DispatchTransport(on: reactor, limits: wire) ?? transport
    state.transports[place] = made
    return made
  }

  /// Closes all clients; open calls may go on for the grace period.
  func close(gracePeriod: Duration) async {
    let clients = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.flatMap(\.clients.values)
    }
    await withTaskGroup { group in
      for client in clients { group.addTask { await client.close(gracePeriod: gracePeriod) } }
    }
  }
}
