import QuiverServer
import QuiverServerSQLite
import Synchronization

/// What the services of the chain pass on.
struct Entry: Message {
  var text = ""
  /// The attempts at Get that a process of the last service has seen.
  var attempts: Int64 = 0

  static let schema = Schema<Self>(
    "quiver.chain.v1.Entry", .string(1, "text", \.text), .int64(2, "attempts", \.attempts))
}

enum Chain: RPCService {
  struct Methods: Sendable {
    let add = UnaryMethod<Entry, Entry>("quiver.chain.v1.Chain/Add", id: 14_081, mutating: true)
    let get = UnaryMethod<Entry, Entry>("quiver.chain.v1.Chain/Get", id: 14_082)
    /// The attempts that the process has seen.
    let count = UnaryMethod<Entry, Entry>("quiver.chain.v1.Chain/Count", id: 14_083)
  }

  static let methods = Methods()
}

/// One process of a service of the chain.
struct ChainLink {
  let address: String
  /// The processes of the next service; empty: this is the last one.
  var next: [String] = []
  /// The database of the last service.
  var store: String?
  var slowPercent = 0
  var failingPercent = 0

  static let schema = "CREATE TABLE IF NOT EXISTS entries (text TEXT NOT NULL)"

  init(address: String) { self.address = address }

  /// Serves until the process is told to end.
  func serve() async throws {
    let routes = try store.map(routes(of:)) ?? routes()
    let server = try RPCServer(
      .init(addresses: [address], services: [Service(Chain.self, routes)]))
    try await server.runUntilTerminated()
  }

  /// The handlers of a service that calls the next one.
  private func routes() throws -> [Route] {
    let client = try BalancedClient(.init(servers: next))
    let slowPercent = slowPercent
    return [
      .handle(Chain.add) { entry, call in
        try await client.call(
          Chain.add, entry, options: CallOptions(idempotencyKey: call.idempotencyKey))
      },
      .handle(Chain.get) { entry, _ in
        if Int.random(in: 0..<100) < slowPercent { try await Task.sleep(for: .seconds(3)) }
        return try await client.call(Chain.get, entry)
      },
      .handle(Chain.count) { entry, _ in try await client.call(Chain.count, entry) },
    ]
  }

  /// The handlers of the last service.
  private func routes(of path: String) throws -> [Route] {
    let store = try SQLiteStore(path: path, schema: Self.schema)
    let failingPercent = failingPercent
    let attempts = AttemptCount()
    return [
      .handle(Chain.add, once: store) { entry, _, connection in
        try connection.execute("INSERT INTO entries VALUES (?)", .text(entry.text))
        return entry
      },
      .handle(Chain.get) { entry, _ in
        attempts.value.wrappingAdd(1, ordering: .relaxed)
        guard Int.random(in: 0..<100) >= failingPercent else {
          throw RPCError(.unavailable, "this call was chosen to fail")
        }
        return entry
      },
      .handle(Chain.count) { _, _ in
        .with { $0.attempts = attempts.value.load(ordering: .relaxed) }
      },
    ]
  }

  private final class AttemptCount: Sendable {
    let value = Atomic<Int64>(0)
  }
}
