import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// A client of the server for each caller, told apart by the token: a connection has the rights of
/// its token. May be used from any thread.
final class TokenClients: Sendable {
  private struct Entry {
    let client: RPCClient
    var lastUse: UInt64
  }

  private struct State {
    var clients: [String: Entry] = [:]
    var uses: UInt64 = 0
  }

  private let configuration: RPCClient.Configuration
  private let limit: Int
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
    self.endpoint = endpoint
    self.transport = transport
    limit = limits.maxCallers
  }

  /// The client for a token; nil: the one without.
  func client(for token: String?) -> RPCClient {
    let key = token ?? ""
    if let client = use(key) { return client }
    var configuration = configuration
    configuration.token = token
    let made = RPCClient(configuration, transport: transport, endpoint: endpoint)
    let (client, evicted) = state.withLock { state -> (RPCClient, RPCClient?) in
      state.uses += 1
      if let existing = state.clients[key] { return (existing.client, made) }
      var evicted: RPCClient?
      if state.clients.count >= limit {
        let oldest = state.clients.min { $0.value.lastUse < $1.value.lastUse }
        evicted = oldest.flatMap { state.clients.removeValue(forKey: $0.key)?.client }
      }
      state.clients[key] = Entry(client: made, lastUse: state.uses)
      return (made, evicted)
    }
    if let evicted { Task { await evicted.close(gracePeriod: Self.evictionGrace) } }
    return client
  }

  private func use(_ key: String) -> RPCClient? {
    state.withLock { state in
      state.uses += 1
      state.clients[key]?.lastUse = state.uses
      return state.clients[key]?.client
    }
  }

  /// Closes all clients; open calls may go on for the grace period.
  func close(gracePeriod: Duration) async {
    let clients = state.withLock { state in
      defer { state.clients = [:] }
      return state.clients.values.map(\.client)
    }
    await withTaskGroup { group in
      for client in clients { group.addTask { await client.close(gracePeriod: gracePeriod) } }
    }
  }
}
