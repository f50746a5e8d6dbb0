import Foundation
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import TestSupport

/// A whole server over a store in a directory of its own, reached through a Unix socket.
final class TestServer: Sendable {
  let store: Store
  let assembly: ServerAssembly
  let server: Server
  private let endpoint: Endpoint

  /// Runs `body` against a server, which is gone with its files afterwards.
  static func run(
    _ options: ServerAssembly.Options = .withDiagnostics,
    opening bounds: StoreBounds = StoreBounds(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.queuedCommands = bounds.queuedCommands
    configuration.readMilliseconds = bounds.readMilliseconds
    configuration.clock = bounds.clock
    configuration.quotas = bounds.quotas
    let server = try TestServer(configuration, options)
    do {
      try await body(server)
    } catch {
      await server.end()
      throw error
    }
    await server.end()
  }

  /// What a test sets of its store.
  struct StoreBounds {
    var queuedCommands = StoreLimits.queuedCommands
    var readMilliseconds = StoreLimits.readMilliseconds
    var clock = StoreClock.system
    var quotas = StoreQuotas()
  }

  private init(_ configuration: StoreConfiguration, _ options: ServerAssembly.Options) throws {
    store = try Store(configuration)
    assembly = try ServerAssembly(store, options)
    guard let endpoint = Endpoint("unix:\(configuration.directory)/socket") else {
      throw Unreachable()
    }
    self.endpoint = endpoint
    server = try Server(
      Server.Configuration(
        router: assembly.router, authenticator: assembly.authenticator,
        identity: ServerIdentity(software: "quiver-tests", instanceID: [1])))
    // The server lives as long as its store: both end with `self`.
    store.install(
      StoreHooks(permissionsEnded: { [weak server] changes in
        server?.revalidate(EndedPermissions(changes))
      }))
    assembly.connections.show(server)
    try server.listen(on: endpoint)
  }

  private func end() async {
    await server.drain()
    store.close()
  }

  private struct Unreachable: Error {}

  /// Makes a principal with a token and connects as it.
  func client(_ kind: PrincipalRecord.Kind = .user, named name: String = "Robin") throws -> Client {
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let principal = try store.perform(CreatePrincipal(kind: kind, displayName: name), nobody)
    let token = try store.perform(try CreateToken(principal: principal.id, label: ""), nobody)
    return try client(token: token.secret)
  }

  /// Makes a token for a principal, of those scopes, and connects with it.
  func client(of principal: Int64, _ scopes: TokenScopes) throws -> Client {
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let token = try store.perform(
      try CreateToken(principal: principal, label: "", scopes: scopes), nobody)
    return try client(token: token.secret)
  }

  /// Makes a principal without a token.
  func principal(
    _ kind: PrincipalRecord.Kind = .user, named name: String = "Robin"
  ) throws -> PrincipalRecord {
    try store.perform(
      CreatePrincipal(kind: kind, displayName: name),
      CommandOptions(caller: CommandCaller(principal: 0)))
  }

  /// Connects without a token.
  func nobody() throws -> Client { try client(token: "") }

  /// The address of the socket.
  var address: String { endpoint.description }

  /// Connects with a token.
  func client(token: String) throws -> Client {
    let configuration = RPCClient.Configuration(
      server: endpoint.description, token: token.isEmpty ? nil : token)
    return Client(client: try RPCClient(configuration))
  }

  /// The latest commit, to see that a refusal stored nothing.
  func lastSequence() throws -> Int64 {
    try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
  }
}

extension ServerAssembly.Options {
  static var withDiagnostics: Self {
    var options = Self()
    options.diagnostics = true
    return options
  }
}

/// A client of a ``TestServer``.
struct Client: Sendable {
  let client: RPCClient

  func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    key: IdempotencyKey? = nil,
    metadata: Metadata = [:]
  ) async throws(RPCError) -> Response {
    let options = CallOptions(
      timeout: .seconds(20), metadata: metadata, idempotencyKey: key)
    return try await client.call(method, request, options: options)
  }

  /// How a call ended that is meant to fail.
  func refusal<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    key: IdempotencyKey? = nil,
    metadata: Metadata = [:]
  ) async -> RPCError? {
    do throws(RPCError) {
      _ = try await call(method, request, key: key, metadata: metadata)
      return nil
    } catch {
      return error
    }
  }
}

extension Server: ConnectionDirectory {}
