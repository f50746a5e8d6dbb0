import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@Suite("A session off line")
struct OfflineTests {
  @Test("keeps what is done while the server is away, and syncs it once")
  func away() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try server.session(token)
      #expect(await session.syncNow().error == nil)
      let before = try session.create(Riser("Hoyt", "Before"))
      #expect(await session.syncNow().sentCount == 1)
      await server.stop()
      var made: [LocalID] = []
      for index in 0..<30 { made.append(try session.create(Riser("Hoyt", "R\(index)"))) }
      for id in made.prefix(10) { try session.change(id) { $0.notes = "edited" } }
      for id in made.suffix(5) { try session.delete(id) }
      try session.delete(before)
      try makeOneOfEach(session)
      let report = await session.syncNow()
      #expect(report.error?.isTransient == true)
      #expect(!session.isOnline && session.staleSince != nil)
      #expect(try session.outbox().count == 30 + 10 + 5 + 1 + 9)
      #expect(try session.items(of: .riser).count == 25)
      try await server.start()
      let sent = await session.syncNow()
      #expect(sent.error == nil)
      #expect(sent.sentCount == 30 + 10 + 5 + 1 + 9)
      #expect(try session.outbox().isEmpty)
      let client = try server.client(token)
      let there = try await client.everything()
      #expect(there.count == 25 + 9)
      let notes = try await client.riser(try session.serverID(made[0])).notes
      #expect(notes == "edited")
      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      #expect(try session.hub() == hub)
      #expect(await session.syncNow().sentCount == 0)
      await session.close()
    }
  }

  @Test("starts without a server where somebody has signed in before, and only there")
  func starting() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let first = try server.session(token)
      #expect(throws: SessionError.self) { try first.create(Riser("A", "B")) }
      await first.syncNow()
      let identity = first.identity
      try first.create(Riser("A", "B"))
      await first.close()
      await server.stop()
      let second = try server.session(token)
      #expect(second.identity == identity)
      #expect(second.shownName == "Robin")
      #expect(try second.items(of: .riser).map(\.displayBrand) == ["A"])
      try second.create(Riser("C", "D"))
      await second.close()
      try await server.start()
      let third = try server.session(token)
      #expect(await third.syncNow().sentCount == 2)
      await third.close()
    }
  }

  @Test("sends nothing of one sign-in by another, and keeps it for the first")
  func identities() async throws {
    try await SessionServer.run { server in
      let tokens = [try server.token(), try server.token()]
      let first = try server.session(tokens[0])
      await first.syncNow()
      try first.create(Riser("First", "Riser"))
      await first.close()
      let transport = FaultyTransport(try server.client(tokens[1]))
      let second = try server.session(tokens[1], transport: transport)
      #expect(await second.syncNow().error == nil)
      #expect(transport.sent.isEmpty)
      #expect(try second.outbox().isEmpty && second.orphanedChanges().isEmpty)
      #expect(try second.items(of: .riser).isEmpty)
      try second.create(Riser("Second", "Riser"))
      #expect(await second.syncNow().sentCount == 1)
      await second.close()
      let again = try server.session(tokens[0])
      #expect(try again.outbox().count == 1)
      #expect(await again.syncNow().sentCount == 1)
      let brands = try await server.client(tokens[0]).everything().map(\.displayBrand)
      #expect(brands == ["First"])
      await again.close()
    }
  }

  @Test("leaves what it did not send behind where the server has another database")
  func anotherEpoch() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      await session.syncNow()
      let old = try #require(session.identity)
      try session.create(Riser("Old", "Riser"))
      // The same files under another epoch: what a restore from a backup is.
      await server.stop()
      try server.changeEpoch()
      try await server.start()
      #expect(await session.syncNow().error == nil)
      #expect(session.identity != old && session.identity?.principalID == old.principalID)
      #expect(transport.sent.isEmpty)
      #expect(try session.outbox().isEmpty)
      let left = try session.orphanedChanges()
      #expect(left.map(\.identity) == [old])
      #expect(left.first?.entries.map(\.title) == ["Old Riser"])
      try session.discardOrphanedChanges(old)
      #expect(try session.orphanedChanges().isEmpty)
      await session.close()
    }
  }

  @Test("keeps no file of another database in which nothing waits")
  func emptyEpoch() async throws {
    try await SessionServer.run { server in
      let session = try server.session(try server.token())
      await session.syncNow()
      let old = try #require(session.identity)
      await server.stop()
      try server.changeEpoch()
      try await server.start()
      await session.syncNow()
      #expect(session.identity != old)
      #expect(!session.directory.hasStore(old) && session.directory.hasStore(session.identity!))
      try await session.discardLocalData()
      let files = try FileManager.default.contentsOfDirectory(
        atPath: session.configuration.directory)
      #expect(!files.contains { $0.hasPrefix("quiver-") })
    }
  }

  @Test("opens an item as the server has it, and off line as it is here")
  func opening() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      await session.syncNow()
      let id = try session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      try await server.client(token).note(try session.serverID(id), "theirs")
      #expect(try await session.open(Riser.self, id).notes == "theirs")
      transport.disconnect()
      #expect(try await session.open(Riser.self, id).notes == "theirs")
      await #expect(throws: SessionError.self) { try await session.open(Limbs.self, id) }
      await session.close()
    }
  }

  @Test("refuses what is over its limits, and keeps nothing of it")
  func limits() async throws {
    try await SessionServer.run { server in
      let session = try server.session(try server.token()) { configuration in
        configuration.limits.maxOutboxRows = 3
        configuration.limits.maxCachedObjects = 2
      }
      await session.syncNow()
      let id = try session.create(Riser("A", "1"))
      try session.create(Riser("A", "2"))
      let objects = #expect(throws: SessionError.self) { try session.create(Riser("A", "3")) }
      #expect(objects?.code == .full)
      try session.change(id) { $0.notes = "n" }
      let rows = #expect(throws: SessionError.self) { try session.delete(id) }
      #expect(rows?.code == .full)
      #expect(try session.outbox().count == 3)
      #expect(try session.items(of: .riser).count == 2)
      await session.syncNow()
      try session.delete(id)
      await session.close()
    }
  }

  @Test("refuses at once what no server would take, with the field's path")
  func rules() async throws {
    try await SessionServer.run { server in
      let session = try server.session(try server.token())
      await session.syncNow()
      let blank = #expect(throws: SessionError.self) { try session.create(Riser(" ", "B")) }
      #expect(blank?.code == .invalid && blank?.field == "riser.brand")
      let id = try session.create(Riser(" Hoyt ", "B"))
      #expect(try session.item(Riser.self, id)?.brand == "Hoyt")
      #expect(throws: SessionError.self) { try session.change(id) { $0.weightGrams = -1 } }
      try session.change(id) { $0.brand = "Hoyt  " }
      #expect(try session.outbox().count == 1)
      await session.close()
    }
  }

  @Test("sends in the order of the changes")
  func order() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      await session.syncNow()
      let one = try session.create(Riser("A", "1"))
      let two = try session.create(Riser("A", "2"))
      try session.change(one) { $0.notes = "n" }
      try session.setArchived(true, two)
      try session.setArchived(false, two)
      try session.delete(one)
      await session.syncNow()
      #expect(
        transport.sent == [
          "CreateRiser", "CreateRiser", "UpdateRiser", "ArchiveRiser", "RestoreRiser",
          "DeleteRiser",
        ])
      #expect(try session.outbox().isEmpty)
      await session.close()
    }
  }

  private func makeOneOfEach(_ session: OfflineSession) throws {
    var limbs = Limbs()
    (limbs.brand, limbs.model) = ("Uukha", "VX")
    try session.create(limbs)
    var sight = Sight()
    (sight.brand, sight.model) = ("Axcel", "Achieve")
    try session.create(sight)
    var rest = Rest()
    (rest.brand, rest.model) = ("Shibuya", "Ultima")
    try session.create(rest)
    var plunger = Plunger()
    (plunger.brand, plunger.model) = ("Beiter", "B")
    try session.create(plunger)
    var string = BowString()
    (string.maker, string.stringType) = ("Me", "8125")
    try session.create(string)
    var stabilizer = Stabilizer()
    (stabilizer.brand, stabilizer.model) = ("Easton", "Z")
    try session.create(stabilizer)
    var weight = Weight()
    (weight.location, weight.name) = ("Long rod", "2 oz")
    try session.create(weight)
    var arrow = Arrow()
    (arrow.brand, arrow.model) = ("Easton", "X10")
    try session.create(arrow)
    var accessory = Accessory()
    (accessory.name, accessory.type) = ("Tab", .tab)
    try session.create(accessory)
  }
}
