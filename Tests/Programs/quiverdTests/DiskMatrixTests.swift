import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverSQLite
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@testable import torture

/// Rows 3, 5, 7 and 21 of the fault matrix, from the client's side.
@Suite("quiverd on a failing disk", .serialized, .timeLimit(.minutes(20)))
struct DiskMatrixTests {
  @Test(
    "row 3: on a full disk, quota or file size limit writes are refused, reads work, it recovers",
    arguments: ["ENOSPC", "EDQUOT", "EFBIG"])
  func fullDisk(error: String) async throws {
    let server = try RestartableServer()
    let client = try server.client()
    let first = try await client.call(Equipment.risers.create, .hoyt)
    let tracer = try Tracer(server.process, "pwrite64:error=\(error)")
    for _ in 0..<5 {
      let refusal = await #expect(throws: RPCError.self) {
        try await client.call(Equipment.risers.create, .hoyt)
      }
      #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
      #expect(refusal?.message.contains("disk is full") == true)
      #expect(try await client.call(Equipment.risers.get, .of(first.id)) == first)
      let list = try await client.call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.map(\.id) == [first.id])
      let health = try await client.call(Health.check, HealthCheckRequest())
      #expect(health.status == .notServing && health.reason.contains("the disk is full"))
    }
    #expect(server.process.line(of: "disk-full").contains("level=error"))
    tracer.detach()
    let second = try await client.call(Equipment.risers.create, .hoyt)
    #expect(second.id == first.id + 1)
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    #expect(server.stop().code == 0)
  }

  @Test(
    "row 3: a start on a full disk answers reads, refuses writes, and recovers without a call",
    arguments: [SIGTERM, SIGKILL])
  func startOnFullDisk(ending: Int32) async throws {
    let server = try RestartableServer()
    let client = try server.client()
    let first = try await client.call(Equipment.risers.create, .hoyt)
    server.process.send(ending)
    _ = server.process.end()
    // No file can grow, nor be written at all.
    try server.start(fileByteLimit: 0)
    for _ in 0..<3 {
      #expect(try await client.call(Equipment.risers.get, .of(first.id)) == first)
      let list = try await client.call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.map(\.id) == [first.id])
      let refusal = await #expect(throws: RPCError.self) {
        try await client.call(Equipment.risers.create, .hoyt)
      }
      #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
      let health = try await client.call(Health.check, HealthCheckRequest())
      #expect(health.status == .notServing && health.reason.contains("the disk is full"))
      var request = HealthCheckRequest()
      request.service = Reflection.name
      #expect(try await client.call(Health.check, request).status == .serving)
    }
    try server.process.removeFileByteLimit()
    // The server detects the free space by itself.
    #expect(server.process.line(of: "disk-recovered").contains("level=info"))
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    let second = try await client.call(Equipment.risers.create, .hoyt)
    #expect(second.id == first.id + 1)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    #expect(server.stop().code == 0)
    try server.start()
    let list = try await client.call(Equipment.listItems, ListItemsRequest())
    #expect(list.items.count == 2)
    #expect(server.stop().code == 0)
  }

  @Test("row 3: what a start on a full disk puts off changes the replies that were kept before it")
  func recoveryAfterFullDisk() async throws {
    let server = try RestartableServer()
    #expect(server.stop().code == 0)
    try Self.leaveImport(of: 300, in: server.data)
    try server.start(fileByteLimit: 0)
    let client = try server.client()
    // The second reply is the kept one.
    for _ in 0..<2 {
      let before = try await Self.weightRowCount(client)
      #expect(before > 0 && before < 300)
    }
    try server.process.removeFileByteLimit()
    #expect(server.process.line(of: "disk-recovered").contains("level=info"))
    // A command follows all that the writer did before it.
    _ = try await client.call(Equipment.risers.create, .hoyt)
    let after = try await Self.weightRowCount(client)
    #expect(after == 300)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    #expect(server.stop().code == 0)
  }

  /// Leaves a decided import of weight entries of the administrator of which a part was moved, as a
  /// process does that ends in the middle.
  private static func leaveImport(of count: Int32, in data: String) throws {
    let store = try Store(StoreConfiguration(directory: data))
    defer { store.close() }
    let options = CommandOptions(caller: CommandCaller(principal: 1))
    let entries = (0..<count).map { index in
      WeightEntryContent(day: 18_000 + index, thousandths: 80_000, unit: .kilogram)
    }
    let comparison = try store.compareWeights(entries, principal: 1)
    var rest = comparison.missing[...]
    var id: Int64?
    while !rest.isEmpty {
      let outcome = try store.perform(StageWeightEntries(rest, of: id), options)
      (id, rest) = (outcome.importID, rest.dropFirst(outcome.storedCount))
    }
    let staged = try #require(id)
    _ = try store.perform(DecideWeightImport(staged, comparison), options)
    #expect(try !store.perform(EndWeightImport(staged), options))
  }

  private static func weightRowCount(_ client: RPCClient) async throws -> Int {
    var request = GetWeightSectionsRequest()
    request.pageSize = 500
    let reply = try await client.call(Logbook.getWeightSections, request)
    return reply.sections.reduce(0) { $0 + $1.rows.count }
  }

  @Test("row 3: refused calls under load have no effect, and the others have one")
  func fullUnderLoad() async throws {
    let server = try RestartableServer()
    let clients = try RecordedClients(of: server)
    try await clients.waitForAcknowledged(50)
    let tracer = try Tracer(server.process, "pwrite64:error=ENOSPC:when=20..60")
    try await clients.waitForAcknowledged(200)
    tracer.detach()
    try await clients.waitForAcknowledged(50)
    await clients.stop()
    #expect(server.stop().code == 0)
    #expect(!clients.failures.isEmpty)
    #expect(clients.failures.allSatisfy { $0.code == .resourceExhausted }, "\(clients.failures)")
    let findings = try clients.findings(in: server.data)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
  }

  @Test("row 5: a damaged page fails only the calls that read it")
  func badPage() async throws {
    let server = try RestartableServer()
    let made = try await Self.fill(try server.client(), count: 300)
    #expect(server.stop().code == 0)
    // The restarted process has nothing of it in memory.
    try server.start()
    let client = try server.client()
    let lost = try Self.wipePage(holding: made[150].model, in: server.database)

    var refused: [Riser] = []
    for riser in made {
      do throws(RPCError) {
        #expect(try await client.call(Equipment.risers.get, .of(riser.id)) == riser)
      } catch {
        #expect(error.code == .dataLoss || error.code == .internal, "\(error)")
        refused.append(riser)
      }
    }
    #expect(Set(refused.map(\.model)) == lost)
    #expect(!lost.isEmpty && lost.count < 100)
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    let more = try await client.call(Equipment.risers.create, .hoyt)
    #expect(try await client.call(Equipment.risers.get, .of(more.id)) == more)
    let findings = try await client.call(Admin.verify, VerifyRequest()).findings
    #expect(findings.contains { $0.subject == "pages" })
    server.stop()

    // The next start detects it, and does not change the file.
    let again = try ServerProcess("--data", server.data, "--listen", "127.0.0.1:0")
    #expect(again.line(of: "serving").contains("event=failed"))
    let ending = again.end()
    #expect(ending.code == 73)
    #expect(ending.log.contains("quiverd restore"))
  }

  @Test("row 7: while another process has the lock, writes are UNAVAILABLE and reads work")
  func strayLock() async throws {
    let server = try RestartableServer("--shards", "2")
    let clients = try (0..<4).map { _ in try server.client() }
    let made = try await clients[0].call(Equipment.risers.create, .hoyt)
    let other = try Connection(path: server.database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    for client in clients {
      let refusal = await #expect(throws: RPCError.self) {
        try await client.call(Equipment.risers.create, .hoyt)
      }
      #expect(refusal?.code == .unavailable && refusal?.isNotProcessed == true)
      #expect(refusal?.message.contains("another process holds the database") == true)
      #expect(try await client.call(Equipment.risers.get, .of(made.id)) == made)
      let list = try await client.call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.count == 1)
    }
    try other.execute("ROLLBACK")
    for client in clients { _ = try await client.call(Equipment.risers.create, .hoyt) }
    #expect(server.stop().code == 0)
  }

  @Test("row 21: while a sync blocks for 5 s, health and reads work, and nothing is lost")
  func stuckSync() async throws {
    let server = try RestartableServer("--shards", "2")
    let clients = try (0..<4).map { _ in try server.client() }
    let made = try await clients[0].call(Equipment.risers.create, .hoyt)
    let tracer = try Tracer(server.process, "fdatasync:delay_enter=5000000:when=1")
    let ended = Count()
    let writing = clients.map { client in
      // It runs up to its call's submission before this returns, and calls start in order.
      Task.immediate {
        defer { ended.increment() }
        return try await client.call(Equipment.risers.create, .hoyt)
      }
    }
    for _ in 0..<25 {
      for client in clients {
        #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
        #expect(try await client.call(Equipment.risers.get, .of(made.id)) == made)
        let list = try await client.call(Equipment.listItems, ListItemsRequest())
        #expect(list.items.map(\.id) == [made.id])
      }
    }
    #expect(ended.value == 0)
    var ids: Set<Int64> = [made.id]
    for call in writing { ids.insert(try await call.value.id) }
    tracer.detach()
    let list = try await clients[0].call(Equipment.listItems, ListItemsRequest())
    #expect(Set(list.items.map(\.id)) == ids && ids.count == 5)
    #expect(server.stop().code == 0)
  }

  @Test("row 26: while reads are stuck for 5 s, health answers on every connection")
  func stuckReads() async throws {
    let server = try RestartableServer("--shards", "2")
    let made = try await Self.fill(try server.client(), count: 300)
    #expect(server.stop().code == 0)
    // The restarted process has nothing of it in memory.
    try server.start()
    let clients = try (0..<4).map { _ in try server.client() }
    for client in clients {
      #expect(try await client.call(Equipment.risers.get, .of(made[0].id)) == made[0])
    }
    let tracer = try Tracer(server.process, "pread64:delay_enter=5000000")
    let ended = Count()
    let reading = clients.map { client in
      // It runs up to its call's submission before this returns, and calls start in order.
      Task.immediate {
        defer { ended.increment() }
        return try await client.call(Equipment.listItems, ListItemsRequest())
      }
    }
    // The token of this client is read from the disk.
    let late = try server.client()
    let waiting = Task.immediate {
      defer { ended.increment() }
      return try await late.call(Health.check, HealthCheckRequest())
    }
    for _ in 0..<25 {
      for client in clients + [try server.client(isAnonymous: true)] {
        #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
      }
      for client in clients {
        #expect(try await client.call(Equipment.risers.get, .of(made[0].id)) == made[0])
      }
    }
    #expect(ended.value == 0)
    tracer.detach()
    for call in reading { #expect(try await call.value.items.count == 50) }
    _ = try? await waiting.value
    #expect(try await late.call(Health.check, HealthCheckRequest()).status == .serving)
    #expect(server.stop().code == 0)
  }

  private static func fill(_ client: RPCClient, count: Int) async throws -> [Riser] {
    try await withThrowingTaskGroup(of: Riser.self) { group in
      for number in 0..<count {
        var request = CreateItemRequest<Riser>.hoyt
        request.item?.model = "model-\(number + 1_000)."
        request.item?.notes = String(repeating: "n", count: 400)
        let wanted = request
        group.addTask { try await client.call(Equipment.risers.create, wanted) }
      }
      var made: [Riser] = []
      for try await riser in group { made.append(riser) }
      return made.sorted { $0.id < $1.id }
    }
  }

  /// Overwrites the page of the table with this model with zeros; returns the models on the page.
  private static func wipePage(holding model: String, in path: String) throws -> Set<String> {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    for start in stride(from: 0, to: data.count, by: 4_096) {
      let page = data[start..<min(start + 4_096, data.count)]
      let notes = Data(repeating: UInt8(ascii: "n"), count: 400)
      // A leaf of a table, with notes: neither the index of models nor the replies of keys.
      guard page.first == 0x0D, page.range(of: Data(model.utf8)) != nil,
        let text = String(bytes: page, encoding: .isoLatin1), page.range(of: notes) != nil,
        try isOfEquipment(page: start / 4_096 + 1, path)
      else { continue }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seek(toOffset: UInt64(start))
      try file.write(contentsOf: Data(count: 4_096))
      try file.close()
      return Set(
        (1_000..<1_300).map { "model-\($0)." }.filter { text.contains($0) })
    }
    return []
  }

  private static func isOfEquipment(page: Int, _ path: String) throws -> Bool {
    let connection = try Connection(path: path, mode: .readOnly)
    let name = try connection.value("SELECT name FROM dbstat WHERE pageno = \(page)")
    return name == "equipment"
  }
}

extension GetItemRequest<Riser> {
  static func of(_ id: Int64) -> Self {
    var request = Self()
    request.id = id
    return request
  }
}

private final class Count: Sendable {
  private let stored = Atomic<Int>(0)

  var value: Int { stored.load(ordering: .relaxed) }

  func increment() { stored.wrappingAdd(1, ordering: .relaxed) }
}
