import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import TestPostgres
import TestServers
import TestSupport
import Testing

/// Servers on one database of PostgreSQL, in the process of the test.
final class SharedServers: Sendable {
  let database: String
  private let directories: [TemporaryDirectory]
  let servers: [ArcheryServer]

  init(count: Int, replica: ReplicaServer? = nil) throws {
    database = try PostgresServer.shared.makeDatabase()
    let database = database
    let address = try PostgresServer.shared.socketAddress.replacing(
      "/quiver?", with: "/\(database)?")
    directories = try (0..<count).map { _ in try TemporaryDirectory() }
    servers = try directories.map { directory in
      var choices = ArcheryServer.Choices(directory: directory.path)
      choices.store.databaseAddress = address
      choices.store.databaseWorkers = 4
      choices.store.readDatabaseAddress = replica?.address(database: database)
      return try ArcheryServer(choices)
    }
  }

  /// Runs `body` against new servers, and ends them.
  static func run(
    count: Int = 1, replica: ReplicaServer? = nil, _ body: (SharedServers) async throws -> Void
  ) async throws {
    let servers = try SharedServers(count: count, replica: replica)
    do {
      try await body(servers)
    } catch {
      await servers.end()
      throw error
    }
    await servers.end()
  }

  private func end() async {
    for server in servers { await server.end() }
  }

  /// A client of one server, which makes one attempt at each call.
  func client(_ place: Int, token: String) throws -> Client {
    var configuration = RPCClient.Configuration(server: servers[place].address, token: token)
    configuration.limits.maxAttempts = 1
    return Client(client: try RPCClient(configuration))
  }
}

@Suite("Positions of calls to servers on PostgreSQL", .timeLimit(.minutes(5)))
struct DatabasePositionTests {
  private func metadata(_ epoch: UInt64, _ sequence: Int64) -> Metadata {
    let text = StorePosition(epoch: epoch, sequence: sequence).bytes
    return [StorePosition.key: String(decoding: text, as: UTF8.self)]
  }

  @Test("a change states a position, with which another server answers from no older state")
  func twoServers() async throws {
    try await SharedServers.run(count: 2) { own in
      let token = try own.servers[0].token()
      let (first, second) = try (own.client(0, token: token), own.client(1, token: token))
      _ = try await first.call(Equipment.listItems, ListItemsRequest())
      #expect(first.client.positions.value == nil)
      var last: Int64 = 0
      for _ in 0..<5 {
        let made = try await first.call(Equipment.risers.create, .of(.hoyt))
        let position = try #require(first.client.positions.value)
        #expect(position.epoch == own.servers[0].store.epoch && position.sequence > last)
        last = position.sequence
        let found = try await second.call(
          Equipment.risers.get, .of(id: made.id), metadata: metadata(position.epoch, last))
        #expect(found == made)
      }
    }
  }

  @Test("a position that is never reached ends the call unprocessed, with the store's position")
  func unreached() async throws {
    try await SharedServers.run { own in
      let client = try own.client(0, token: own.servers[0].token())
      let epoch = own.servers[0].store.epoch
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      let known = try #require(client.client.positions.value).sequence
      let refusal = await client.refusal(
        Equipment.risers.create, .of(.hoyt), metadata: metadata(epoch, .max))
      let error = try #require(refusal)
      #expect(error.code == .unavailable && error.isNotProcessed)
      #expect(error.message.hasPrefix("quiver-position: the store has not come"), "\(error)")
      let stated = try #require(StorePosition(in: error.metadata))
      #expect(stated.epoch == epoch && stated.sequence >= known && stated.sequence < .max / 2)
      let items = try await client.call(Equipment.listItems, ListItemsRequest()).items
      #expect(items.count == 1)
    }
  }

  @Test("a call with little time is answered within it that the store has not come so far")
  func halfOfTheDeadline() async throws {
    try await SharedServers.run { own in
      let client = try own.client(0, token: own.servers[0].token())
      // The connection to the database for such questions is made with the first one.
      let metadata = metadata(own.servers[0].store.epoch, .max)
      _ = await client.refusal(Equipment.listItems, ListItemsRequest(), metadata: metadata)
      let options = CallOptions(timeout: .milliseconds(1_500), metadata: metadata)
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.client.call(
          Equipment.listItems, ListItemsRequest(), options: options)
      }
      #expect(error?.code == .unavailable && error?.isNotProcessed == true)
    }
  }

  @Test("the position of another epoch is ignored, and one of another form is refused")
  func otherEpoch() async throws {
    try await SharedServers.run { own in
      let client = try own.client(0, token: own.servers[0].token())
      let epoch = own.servers[0].store.epoch
      let list = try await client.call(
        Equipment.listItems, ListItemsRequest(), metadata: metadata(epoch &+ 1, .max))
      #expect(list.items.isEmpty)
      let refusal = await client.refusal(
        Equipment.listItems, ListItemsRequest(), metadata: [StorePosition.key: "12"])
      let error = try #require(refusal)
      #expect(error.code == .invalidArgument && error.isNotProcessed)
      #expect(error.message.hasPrefix("quiver-position:"))
    }
  }

  @Test("revision 0 does not match for a call whose position is of another epoch")
  func otherEpochOfEdit() async throws {
    try await SharedServers.run { own in
      let client = try own.client(0, token: own.servers[0].token())
      var archive = ArchiveItemRequest<Riser>()
      archive.id = try await client.call(Equipment.risers.create, .of(.hoyt)).id
      let epoch = own.servers[0].store.epoch
      let refusal = await client.refusal(
        Equipment.risers.archive, archive, metadata: metadata(epoch &+ 1, 1))
      let error = try #require(refusal)
      #expect(error.code == .aborted && error.details.map(\.type) == ["quiver.v1.Riser"])
      #expect(StorePosition(in: error.metadata)?.epoch == epoch)
      // Its key is new, whatever the position: a client states one of before until it is answered.
      _ = try await client.call(
        Equipment.risers.create, .of(.hoyt), metadata: metadata(epoch &+ 1, 1))
      let archived = try await client.call(
        Equipment.risers.archive, archive, metadata: metadata(epoch, 1))
      #expect(archived.archived)
    }
  }

  @Test("few calls of one principal may wait for their position, and others continue meanwhile")
  func limit() async throws {
    try await SharedServers.run { own in
      let server = own.servers[0]
      let token = try server.token()
      let (client, other) = try (
        own.client(0, token: token), own.client(0, token: server.token(named: "Marian"))
      )
      let metadata = metadata(server.store.epoch, .max)
      let limit = StoreLimits.positionWaitsPerPrincipal
      let errors = await withTaskGroup(of: RPCError?.self) { group in
        for _ in 0..<limit * 3 {
          group.addTask {
            await client.refusal(
              Equipment.listItems, ListItemsRequest(), metadata: metadata)
          }
        }
        var errors: [RPCError] = []
        for await error in group {
          if let error { errors.append(error) }
        }
        return errors
      }
      #expect(errors.count == limit * 3)
      #expect(errors.allSatisfy { $0.isNotProcessed })
      let refused = errors.filter { $0.code == .resourceExhausted }
      #expect(!refused.isEmpty && refused.allSatisfy { $0.retryAfterMilliseconds != nil })
      #expect(errors.count { $0.code == .unavailable } >= limit)
      _ = try await other.call(Equipment.listItems, ListItemsRequest())
    }
  }

  @Test("own changes are read back over two servers and a replica that is held back now and then")
  func replica() async throws {
    let replica = try ReplicaServer(of: PostgresServer.shared, named: "calls")
    try await SharedServers.run(count: 2, replica: replica) { own in
      let token = try own.servers[0].token()
      let clients = try (0..<2).map { try own.client($0, token: token) }
      var list = ListItemsRequest()
      list.pageSize = 200
      var known: StorePosition?
      func stating() -> Metadata { known.map { metadata($0.epoch, $0.sequence) } ?? [:] }
      for turn in 0..<60 {
        if turn % 20 == 5 { try replica.hold(true) }
        if turn % 20 == 12 { try replica.hold(false) }
        let (writer, reader) = (clients[turn % 2], clients[(turn / 2) % 2])
        _ = try await writer.call(Equipment.risers.create, .of(.hoyt), metadata: stating())
        known = writer.client.positions.value
        for _ in 0..<3 {
          let items = try await reader.call(
            Equipment.listItems, list, metadata: stating()
          ).items
          #expect(items.count == turn + 1)
          // A read states how far its snapshot shows the store.
          let stated = try #require(reader.client.positions.value)
          let before = try #require(known)
          #expect(stated.sequence >= before.sequence)
          known = stated
          try await Task.sleep(for: .milliseconds(turn % 4 == 0 ? 60 : 1))
        }
      }
      let reads = own.servers.map { $0.store.databaseStatus?.replica?.readCount ?? 0 }
      #expect(reads.reduce(0, +) > 0)
    }
  }

  @Test("a server on SQLite states no position, and ignores those of calls")
  func withoutPostgreSQL() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      _ = try await client.call(
        Equipment.risers.create, .of(.hoyt), metadata: metadata(server.store.epoch, .max))
      #expect(client.client.positions.value == nil && server.store.positions == nil)
    }
  }
}
