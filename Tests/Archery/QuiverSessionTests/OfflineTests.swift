import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@Suite("A session without a connection", .timeLimit(.minutes(5)))
struct OfflineTests {
  @Test("Offline changes are stored, and sent once")
  func away() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      #expect(await session.syncNow().error == nil)
      let before = try await session.create(Riser("Hoyt", "Before"))
      #expect(await session.syncNow().sentCount == 1)
      await server.stop()
      var made: [LocalID] = []
      for index in 0..<30 { made.append(try await session.create(Riser("Hoyt", "R\(index)"))) }
      for id in made.prefix(10) { try await session.change(id) { $0.notes = "edited" } }
      for id in made.suffix(5) { try await session.delete(id) }
      try await session.delete(before)
      try await makeOneOfEach(session)
      let report = await session.syncNow()
      #expect(report.error?.isTransient == true)
      #expect(!session.isOnline && session.staleSince != nil)
      #expect(try await session.outbox().count == 30 + 10 + 5 + 1 + 9)
      #expect(try await session.items(of: .riser).count == 25)
      try await server.start()
      let sent = await session.syncNow()
      #expect(sent.error == nil)
      #expect(sent.sentCount == 30 + 10 + 5 + 1 + 9)
      #expect(try await session.outbox().isEmpty)
      let client = try server.client(token)
      let there = try await client.everything()
      #expect(there.count == 25 + 9)
      let notes = try await client.riser(try await session.serverID(made[0])).notes
      #expect(notes == "edited")
      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      #expect(try await session.hub() == hub)
      #expect(await session.syncNow().sentCount == 0)
      await session.close()
    }
  }

  @Test("A session starts without a server only after an earlier sign-in")
  func starting() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let first = try await server.session(token)
      await #expect(throws: SessionError.self) { try await first.create(Riser("A", "B")) }
      await first.syncNow()
      let identity = first.identity
      try await first.create(Riser("A", "B"))
      await first.close()
      await server.stop()
      let second = try await server.session(token)
      #expect(second.identity == identity)
      #expect(second.shownName == "Robin")
      #expect(try await second.items(of: .riser).map(\.displayBrand) == ["A"])
      try await second.create(Riser("C", "D"))
      await second.close()
      try await server.start()
      let third = try await server.session(token)
      #expect(await third.syncNow().sentCount == 2)
      await third.close()
    }
  }

  @Test("The changes of one sign-in are not sent by another one, and stay stored")
  func identities() async throws {
    try await SessionServer.run { server in
      let tokens = [try server.token(), try server.token()]
      let first = try await server.session(tokens[0])
      await first.syncNow()
      try await first.create(Riser("First", "Riser"))
      await first.close()
      let transport = FaultyTransport(try server.client(tokens[1]))
      let second = try await server.session(tokens[1], transport: transport)
      #expect(await second.syncNow().error == nil)
      #expect(transport.sent.isEmpty)
      #expect(try await second.outbox().isEmpty)
      #expect(try await second.orphanedChanges().isEmpty)
      #expect(try await second.items(of: .riser).isEmpty)
      try await second.create(Riser("Second", "Riser"))
      #expect(await second.syncNow().sentCount == 1)
      await second.close()
      let again = try await server.session(tokens[0])
      #expect(try await again.outbox().count == 1)
      #expect(await again.syncNow().sentCount == 1)
      let brands = try await server.client(tokens[0]).everything().map(\.displayBrand)
      #expect(brands == ["First"])
      await again.close()
    }
  }

  @Test("Unsent changes for another database of the server are kept as orphaned")
  func anotherEpoch() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let old = try #require(session.identity)
      try await session.create(Riser("Old", "Riser"))
      // The same files under another epoch: what a restore from a backup is.
      await server.stop()
      try server.changeEpoch()
      try await server.start()
      #expect(await session.syncNow().error == nil)
      #expect(session.identity != old && session.identity?.principalID == old.principalID)
      #expect(transport.sent.isEmpty)
      #expect(try await session.outbox().isEmpty)
      let left = try await session.orphanedChanges()
      #expect(left.map(\.identity) == [old])
      #expect(left.first?.entries.map(\.title) == ["Old Riser"])
      try await session.discardOrphanedChanges(old)
      #expect(try await session.orphanedChanges().isEmpty)
      await session.close()
    }
  }

  @Test("A file of another database without pending changes is deleted")
  func emptyEpoch() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      let old = try #require(session.identity)
      await server.stop()
      try server.changeEpoch()
      try await server.start()
      await session.syncNow()
      #expect(session.identity != old)
      #expect(await !session.directory.hasStore(old))
      #expect(await session.directory.hasStore(session.identity!))
      try await session.discardLocalData()
      let files = try FileManager.default.contentsOfDirectory(
        atPath: session.configuration.directory)
      #expect(!files.contains { $0.hasPrefix("quiver-") })
    }
  }

  @Test("Opening an item returns the server's state, and offline this device's")
  func opening() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      try await server.client(token).note(try await session.serverID(id), "theirs")
      #expect(try await session.open(Riser.self, id).notes == "theirs")
      transport.disconnect()
      #expect(try await session.open(Riser.self, id).notes == "theirs")
      await #expect(throws: SessionError.self) { try await session.open(Limbs.self, id) }
      await session.close()
    }
  }

  @Test("Changes above the limits are refused and not stored")
  func limits() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token()) { configuration in
        configuration.limits.maxOutboxRows = 3
        configuration.limits.maxCachedObjects = 2
      }
      await session.syncNow()
      let id = try await session.create(Riser("A", "1"))
      try await session.create(Riser("A", "2"))
      let objects = await #expect(throws: SessionError.self) {
        try await session.create(Riser("A", "3"))
      }
      #expect(objects?.code == .full)
      try await session.change(id) { $0.notes = "n" }
      let rows = await #expect(throws: SessionError.self) { try await session.delete(id) }
      #expect(rows?.code == .full)
      #expect(try await session.outbox().count == 3)
      #expect(try await session.items(of: .riser).count == 2)
      await session.syncNow()
      try await session.delete(id)
      await session.close()
    }
  }

  @Test("A value that is not valid is refused at once with the field's path")
  func rules() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      let blank = await #expect(throws: SessionError.self) {
        try await session.create(Riser(" ", "B"))
      }
      #expect(blank?.code == .invalid && blank?.field == "riser.brand")
      let id = try await session.create(Riser(" Hoyt ", "B"))
      #expect(try await session.item(Riser.self, id)?.brand == "Hoyt")
      await #expect(throws: SessionError.self) {
        try await session.change(id) { $0.weightGrams = -1 }
      }
      try await session.change(id) { $0.brand = "Hoyt  " }
      #expect(try await session.outbox().count == 1)
      await session.close()
    }
  }

  @Test("Changes are sent in order")
  func order() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let one = try await session.create(Riser("A", "1"))
      let two = try await session.create(Riser("A", "2"))
      try await session.change(one) { $0.notes = "n" }
      try await session.setArchived(true, two)
      try await session.setArchived(false, two)
      try await session.delete(one)
      await session.syncNow()
      #expect(
        transport.sent == [
          "CreateRiser", "CreateRiser", "UpdateRiser", "ArchiveRiser", "RestoreRiser",
          "DeleteRiser",
        ])
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }

  private func makeOneOfEach(_ session: OfflineSession) async throws {
    var limbs = Limbs()
    (limbs.brand, limbs.model) = ("Uukha", "VX")
    try await session.create(limbs)
    var sight = Sight()
    (sight.brand, sight.model) = ("Axcel", "Achieve")
    try await session.create(sight)
    var rest = Rest()
    (rest.brand, rest.model) = ("Shibuya", "Ultima")
    try await session.create(rest)
    var plunger = Plunger()
    (plunger.brand, plunger.model) = ("Beiter", "B")
    try await session.create(plunger)
    var string = BowString()
    (string.maker, string.stringType) = ("Me", "8125")
    try await session.create(string)
    var stabilizer = Stabilizer()
    (stabilizer.brand, stabilizer.model) = ("Easton", "Z")
    try await session.create(stabilizer)
    var weight = Weight()
    (weight.location, weight.name) = ("Long rod", "2 oz")
    try await session.create(weight)
    var arrow = Arrow()
    (arrow.brand, arrow.model) = ("Easton", "X10")
    try await session.create(arrow)
    var accessory = Accessory()
    (accessory.name, accessory.type) = ("Tab", .tab)
    try await session.create(accessory)
  }
}
