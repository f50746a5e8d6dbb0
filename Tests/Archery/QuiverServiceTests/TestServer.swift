import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import TestPostgres
import TestServers
import TestSupport

/// A whole server over a store in a directory of its own, reached through a Unix socket.
final class TestServer: Sendable {
  private let own: ArcheryServer
  var store: Store { own.store }
  var assembly: ServerAssembly { own.assembly }
  var server: Server { own.server }

  /// Runs `body` against a server, and removes the server and its files afterwards.
  static func run(
    _ options: ServerAssembly.Options = .withDiagnostics,
    opening bounds: StoreBounds = StoreBounds(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var choices = ArcheryServer.Choices(directory: directory.path)
    choices.options = options
    choices.store.queuedCommands = bounds.queuedCommands
    choices.store.readMilliseconds = bounds.readMilliseconds
    choices.store.clock = bounds.clock
    choices.store.quotas = bounds.quotas
    let server = TestServer(try ArcheryServer(choices))
    do {
      try await body(server)
    } catch {
      await server.own.end()
      throw error
    }
    await server.own.end()
  }

  /// Runs `first` against a server, restarts it on the same data, and runs `second`.
  static func restart<Value>(
    _ options: ServerAssembly.Options, first: (TestServer) async throws -> Value,
    second: (TestServer, Value) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var choices = ArcheryServer.Choices(directory: directory.path)
    choices.options = options
    let before = TestServer(try ArcheryServer(choices))
    let value: Value
    do {
      value = try await first(before)
    } catch {
      await before.own.end()
      throw error
    }
    await before.own.end()
    let after = TestServer(try ArcheryServer(choices))
    do {
      try await second(after, value)
    } catch {
      await after.own.end()
      throw error
    }
    await after.own.end()
  }

  /// Runs `body` against two servers on one new database of PostgreSQL.
  static func runShared(
    _ options: ServerAssembly.Options = .withDiagnostics,
    _ body: (TestServer, TestServer) async throws -> Void
  ) async throws {
    let postgres = try PostgresServer.shared
    let database = try postgres.makeDatabase()
    let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
    defer { withExtendedLifetime(directories) {} }
    var servers: [TestServer] = []
    for directory in directories {
      var choices = ArcheryServer.Choices(directory: directory.path)
      choices.options = options
      choices.store.databaseWorkers = 4
      choices.store.databaseAddress = postgres.socketAddress.replacing(
        "/quiver?", with: "/\(database)?")
      servers.append(TestServer(try ArcheryServer(choices)))
    }
    var failure: (any Error)?
    do {
      try await body(servers[0], servers[1])
    } catch {
      failure = error
    }
    for server in servers { await server.own.end() }
    if let failure { throw failure }
  }

  /// What a test sets of its store.
  struct StoreBounds {
    var queuedCommands = StoreLimits.queuedCommands
    var readMilliseconds = StoreLimits.readMilliseconds
    var clock = StoreClock.system
    var quotas = StoreQuotas()
  }

  private init(_ own: ArcheryServer) { self.own = own }

  /// Creates a principal with a token and connects as it.
  func client(_ kind: PrincipalRecord.Kind = .user, named name: String = "Robin") throws -> Client {
    try client(token: own.token(kind, named: name))
  }

  /// Creates a token for a principal, of those scopes, and connects with it.
  func client(of principal: Int64, _ scopes: TokenScopes) throws -> Client {
    try client(token: own.token(of: principal, scopes))
  }

  /// Creates a principal without a token.
  func principal(
    _ kind: PrincipalRecord.Kind = .user, named name: String = "Robin"
  ) throws -> PrincipalRecord {
    try own.principal(kind, named: name)
  }

  /// Creates a token of a principal.
  func secret(of principal: Int64) throws -> String { try own.token(of: principal) }

  /// Connects without a token.
  func nobody() throws -> Client { try client(token: "") }

  /// The address of the socket.
  var address: String { own.address }

  /// Connects with a token.
  /// The code that a principal shows to an organiser.
  func code(of principal: Int64) throws -> String {
    try store.read { (snapshot) throws(StoreError) in
      snapshot.introductionCode(of: principal, nowMilliseconds: store.nowMilliseconds).code
    }
  }

  func client(token: String) throws -> Client {
    let configuration = RPCClient.Configuration(
      server: address, token: token.isEmpty ? nil : token)
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
