import QuiverAPI
import QuiverRPC
import QuiverWire
import Testing

@Suite("All ten types of equipment", .timeLimit(.minutes(5)))
struct EquipmentTypesTests {
  @Test(
    "An item of each type is created, read, updated, archived, restored and deleted",
    arguments: ItemCase.all)
  func lives(_ type: ItemCase) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      try await type.life(client)
      #expect(try await client.call(Equipment.getHub, GetHubRequest()).total == 0)
    }
  }

  @Test("A value that is not valid is refused with its field's path", arguments: ItemCase.all)
  func refusals(_ type: ItemCase) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      try await type.refusals(client)
      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      #expect(hub.total == 1, "only the one that was good")
    }
  }

  @Test("The hub counts all types in groups and order, and the setups")
  func hub() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      for (number, type) in ItemCase.all.enumerated() {
        for _ in 0...number { _ = try await type.make(client) }
      }
      var away = ArchiveItemRequest<Accessory>()
      away.id = 55
      _ = try await client.call(Equipment.accessories.archive, away)
      var creation = CreateBowSetupRequest()
      creation.bowSetup = BowSetup()
      _ = try await client.call(Equipment.createBowSetup, creation)
      creation.bowSetup?.isActive = false
      _ = try await client.call(Equipment.createBowSetup, creation)

      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      #expect(
        hub.groups.map(\.label) == [
          "Bow components", "String & stabilization", "Arrows & accessories",
        ])
      #expect(hub.groups.map(\.total) == [15, 21, 18])
      #expect(hub.groups.flatMap(\.counts).map(\.count) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
      #expect(hub.groups.flatMap(\.counts).map(\.type.rawValue) == Array(1...10))
      #expect(hub.groups.last?.counts.map(\.pluralLabel) == ["Arrows", "Accessories"])
      #expect(hub.groups.last?.counts.last?.archivedCount == 1)
      #expect(hub.total == 54 && hub.archivedTotal == 1)
      #expect(hub.setupCount == 1 && hub.inactiveSetupCount == 1)

      let otherUser = try await server.client(named: "Marian")
        .call(Equipment.getHub, GetHubRequest())
      #expect(otherUser.total == 0 && otherUser.groups.flatMap(\.counts).count == 10)
    }
  }
}
