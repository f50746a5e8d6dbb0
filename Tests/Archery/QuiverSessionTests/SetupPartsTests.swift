import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@Suite("Parts of setups, and changes of two devices", .timeLimit(.minutes(5)))
struct SetupPartsTests {
  private static func setup(_ components: SetupComponent...) -> BowSetup {
    .with {
      $0.name = "Outdoor"
      $0.components = components
    }
  }

  private static func server(_ client: RPCClient, _ name: String) async throws -> BowSetup {
    let list = try await client.call(Equipment.listBowSetups, .init())
    let id = try #require(list.setups.first { $0.name == name }?.id)
    return try await client.call(Equipment.getBowSetup, .with { $0.id = id })
  }

  @Test("A setup shows the current name of a renamed item, and a change of its name has no parts")
  func names() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let riser = try await session.create(Riser("Hoyt", "One"))
      let id = try await session.create(Self.setup(try await session.component(riser)))
      #expect(await session.syncNow().sentCount == 2)
      try await session.change(riser) { $0.model = "Two" }
      var setup = try #require(try await session.setup(id))
      #expect(setup.components.map(\.displayModel) == ["Two"])
      setup.name = "Renamed"
      try await session.update(id, to: setup)
      #expect(await session.syncNow().sentCount == 2)
      let stored = try await Self.server(client, "Renamed")
      #expect(stored.version == 1 && stored.components.map(\.displayModel) == ["Two"])
      await session.close()
    }
  }

  @Test("A second riser is rejected without a connection, and another riser replaces the first")
  func single() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let one = try await session.create(Riser("Hoyt", "One"))
      let two = try await session.create(Riser("Hoyt", "Two"))
      let parts = [try await session.component(one), try await session.component(two)]
      let pending = try await session.outbox().count
      let error = await #expect(throws: SessionError.self) {
        try await session.create(Self.setup(parts[0], parts[1]))
      }
      #expect(error?.field == "bow_setup.components[1]")
      let id = try await session.create(Self.setup(parts[0]))
      var setup = try #require(try await session.setup(id))
      setup.components = parts
      await #expect(throws: SessionError.self) { try await session.update(id, to: setup) }
      #expect(try await session.outbox().count == pending + 1)
      try await session.put(two, in: id)
      #expect(try await session.setup(id)?.components.map(\.displayModel) == ["Two"])
      #expect(await session.syncNow().refusedCount == 0)
      #expect(
        try await Self.server(client, "Outdoor").components.map(\.displayModel) == ["Two"])
      try await session.remove(two, from: id)
      #expect(try await session.setup(id)?.components.isEmpty == true)
      #expect(await session.syncNow().sentCount == 1)
      await session.close()
    }
  }

  @Test("Deleting an item that setups have does not conflict with later changes of these setups")
  func detached() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let riser = try await session.create(Riser("Hoyt", "One"))
      let sight = try await session.create(
        Sight.with {
          $0.brand = "Axcel"
          $0.model = "Achieve"
        })
      let id = try await session.create(
        Self.setup(try await session.component(riser), try await session.component(sight)))
      #expect(await session.syncNow().sentCount == 3)
      try await session.delete(riser, detaches: true)
      var setup = try #require(try await session.setup(id))
      #expect(setup.components.map(\.displayModel) == ["Achieve"])
      setup.name = "Indoor"
      try await session.update(id, to: setup)
      let other = try await session.create(Riser("Hoyt", "Other"))
      try await session.put(other, in: id)
      let report = await session.syncNow()
      #expect(report.conflictCount == 0 && report.refusedCount == 0 && report.sentCount == 4)
      let stored = try await Self.server(client, "Indoor")
      #expect(stored.components.map(\.displayModel) == ["Other", "Achieve"])
      await session.close()
    }
  }

  @Test("Changes of different fields by two devices both stay")
  func merged() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      let serverID = try await session.serverID(id)
      try await client.note(serverID, "theirs")
      try await session.change(id) { $0.material = "carbon" }
      try await session.setArchived(true, id)
      let report = await session.syncNow()
      #expect(report.conflictCount == 0 && report.sentCount == 2)
      let riser = try await client.riser(serverID)
      #expect(riser.notes == "theirs" && riser.material == "carbon" && riser.archived)
      // The same field is a conflict as before.
      try await client.note(serverID, "again")
      try await session.change(id) { $0.notes = "mine" }
      #expect(await session.syncNow().conflictCount == 1)
      await session.close()
    }
  }

  @Test("Changes that a restored database left behind are sent to it")
  func orphaned() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let known = try await session.create(Riser("Hoyt", "Known"))
      let gone = try await session.create(Riser("Hoyt", "Gone"))
      await session.syncNow()
      let old = try #require(session.identity)
      try await session.change(known) { $0.notes = "mine" }
      try await session.create(Riser("Hoyt", "New"))
      try await session.change(gone) { $0.notes = "lost" }
      await server.stop()
      try server.changeEpoch()
      try await server.start()
      let client = try server.client(token)
      let items = try await client.call(Equipment.listItems, .init()).items
      let lost = try #require(items.first { $0.displayModel == "Gone" }?.id)
      _ = try await client.call(Equipment.risers.delete, .with { $0.id = lost })
      #expect(await session.syncNow().error == nil)
      #expect(try await session.outbox().isEmpty)
      #expect(try await session.sendOrphanedChanges(old) == 1)
      #expect(await session.syncNow().refusedCount == 0)
      let models = try await client.call(Equipment.listItems, .init()).items.map(\.displayModel)
      #expect(Set(models) == ["Known", "New"] && models.count == 2)
      let id = try #require(items.first { $0.displayModel == "Known" }?.id)
      #expect(try await client.riser(id).notes == "mine")
      let left = try await session.orphanedChanges()
      #expect(left.flatMap(\.entries).map(\.title) == ["Hoyt Gone"])
      // Nothing is added twice.
      #expect(try await session.sendOrphanedChanges(old) == 1)
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }
}
