import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverSQLite
import QuiverWire
import Testing

/// Row 5 of the fault matrix, for reads of the thread that writes.
@Suite("quiverd when the device fails to read", .serialized, .timeLimit(.minutes(20)))
struct ReadErrorTests {
  @Test("row 5: a read error of a command or a checkpoint fails calls, and does not end the server")
  func errorsOfTheWriter() async throws {
    let server = try RestartableServer()
    let client = try server.client()
    var made: Set<Int64> = []
    for _ in 0..<20 { made.insert(try await client.call(Equipment.risers.create, .long).id) }
    let tracer = try Tracer(server.process, "pread64:error=EIO")
    // The pages that these change are in memory. The log grows until it has to be copied, which
    // reads it.
    var refused = 0
    for _ in 0..<1_500 {
      do throws(RPCError) {
        made.insert(try await client.call(Equipment.risers.create, .long).id)
      } catch {
        #expect([.dataLoss, .internal, .unavailable].contains(error.code), "\(error)")
        refused += 1
      }
    }
    _ = try await client.call(Health.check, HealthCheckRequest())
    tracer.detach()
    made.insert(try await client.call(Equipment.risers.create, .long).id)
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    #expect(made.count == 1_521 - refused && made.count > 500, "\(refused) calls failed")
    #expect(try await Self.ids(client) == made)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    #expect(server.stop().code == 0)
    try server.start()
    #expect(try await Self.ids(try server.client()) == made)
    #expect(server.stop().code == 0)
  }

  @Test("row 5: with nothing in memory calls fail while reads fail, and work afterwards")
  func errorsAfterAStart() async throws {
    let server = try RestartableServer()
    let first = try await server.client().call(Equipment.risers.create, .long)
    #expect(server.stop().code == 0)
    try server.start()
    let client = try server.client()
    _ = try await client.call(Health.check, HealthCheckRequest())
    let tracer = try Tracer(server.process, "pread64:error=EIO")
    let other = try Connection(path: server.database, mode: .readWrite)
    try other.execute("PRAGMA busy_timeout = 20000")
    for _ in 0..<10 {
      // After a commit of another connection SQLite discards what it has in memory.
      let version = try other.value("PRAGMA user_version") ?? ""
      try other.execute("PRAGMA user_version = \(version)")
      let refusal = await #expect(throws: RPCError.self) {
        _ = try await client.call(Equipment.risers.create, .long).id
      }
      #expect(refusal?.code == .unavailable && refusal?.isNotProcessed == true)
      let health = try await client.call(Health.check, HealthCheckRequest())
      #expect(health.status == .notServing && health.reason.contains("cannot be read"))
    }
    tracer.detach()
    let second = try await client.call(Equipment.risers.create, .long)
    #expect(try await Self.ids(client) == [first.id, second.id])
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    #expect(server.stop().code == 0)
  }

  @Test(
    "row 5: a start whose reads fail says that the device failed, and not that a file is damaged",
    arguments: ["1", "1+", "2+", "4+", "10+", "30", "30+", "100"])
  func errorsOfAStart(which: String) async throws {
    let server = try RestartableServer()
    let client = try server.client()
    var made: Set<Int64> = []
    for _ in 0..<300 { made.insert(try await client.call(Equipment.risers.create, .long).id) }
    #expect(server.stop().code == 0)
    let process = try ServerProcess(
      ["--data", server.data, "--listen", "127.0.0.1:0"],
      failedReads: (server.database, which))
    let ending = process.end()
    #expect(ending.code == 74, "\(ending.log)")
    #expect(
      ending.log.contains("\(server.database) could not be read: "),
      "\(ending.log)")
    #expect(ending.log.contains("check its device"))
    #expect(!ending.log.contains("is damaged") && !ending.log.contains("restore"))
    try server.start()
    #expect(try await Self.ids(try server.client()) == made)
    #expect(server.stop().code == 0)
  }

  private static func ids(_ client: RPCClient) async throws -> Set<Int64> {
    var ids: Set<Int64> = []
    var request = ListItemsRequest()
    request.pageSize = 500
    repeat {
      let page = try await client.call(Equipment.listItems, request)
      ids.formUnion(page.items.map(\.id))
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return ids
  }
}

extension CreateItemRequest<Riser> {
  /// A riser whose notes make the log grow.
  fileprivate static var long: Self {
    var request = Self.hoyt
    request.item?.notes = String(repeating: "n", count: 2_000)
    return request
  }
}
