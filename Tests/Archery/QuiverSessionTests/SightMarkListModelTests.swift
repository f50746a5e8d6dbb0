import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of sight marks", .timeLimit(.minutes(5)))
struct SightMarkListModelTests {
  static func mark(_ distance: Double, _ value: Double, _ unit: DistanceUnit = .metre) -> SightMark
  {
    var mark = SightMark()
    mark.distance = distance
    mark.unit = unit
    mark.markValue = value
    return mark
  }

  private func sight(_ session: OfflineSession) async throws -> LocalID {
    var sight = Sight()
    sight.brand = "Shibuya"
    sight.model = "Ultima"
    return try await session.create(sight)
  }

  @Test("Marks of a sight that the server does not have yet are there, and on the server in order")
  func offline() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      _ = await session.syncNow()
      transport.disconnect()
      let owner = try await sight(session)
      let list = SightMarkListModel(session, owner: owner)
      try await list.add(Self.mark(70, 1.5))
      let near = try await list.add(Self.mark(20, 7.5))
      try await list.add(Self.mark(60, 2, .yard))
      #expect(list.items.map(\.sightMark.distance) == [20, 60, 70])
      var moved = try #require(list.items.first).sightMark
      moved.markValue = 7.25
      try await list.update(near, to: moved)
      let double = try await list.add(Self.mark(18, 9))
      try await list.delete(double)
      #expect(list.items.map(\.sightMark.markValue) == [7.25, 2, 1.5])
      #expect(list.items.allSatisfy { $0.mark == .waiting })
      transport.reconnect()
      transport.loseAnswers(4)
      for _ in 0..<5 { _ = await session.syncNow() }
      try await list.load()
      #expect(list.items.map(\.sightMark.markValue) == [7.25, 2, 1.5])
      #expect(list.items.allSatisfy { $0.mark == .synced && $0.sightMark.id != 0 })
      #expect(try await session.outbox().isEmpty)
      var request = ListSightMarksRequest()
      request.sightID = try #require(list.items.first).sightMark.sightID
      let stored = try await server.client(token).call(Equipment.listSightMarks, request)
      #expect(stored.sightMarks.map(\.markValue) == [7.25, 2, 1.5])
      await session.close()
    }
  }

  @Test("Marks of a setup stay with it; another device's mark is loaded, and a deleted one is gone")
  func ofSetup() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      _ = await session.syncNow()
      var setup = BowSetup()
      setup.name = "Outdoor"
      let owner = try await session.create(setup)
      let list = SightMarkListModel(session, owner: owner)
      try await list.add(Self.mark(70, 1))
      try await list.load()
      let client = try server.client(token)
      var create = CreateSightMarkRequest()
      create.sightMark = Self.mark(50, 3)
      create.sightMark?.setupID = try #require(list.items.first).sightMark.setupID
      _ = try await client.call(Equipment.createSightMark, create)
      var delete = DeleteSightMarkRequest()
      delete.id = try #require(list.items.first).sightMark.id
      _ = try await client.call(Equipment.deleteSightMark, delete)
      try await list.load()
      #expect(list.items.map(\.sightMark.distance) == [50])
      try await session.delete(owner)
      await list.refresh()
      #expect(list.items.isEmpty)
      #expect(await fails(saying: "Failed to load sight marks: ") { try await list.load() })
      await list.clearError()
      #expect(list.state.error == nil)
      await session.close()
    }
  }

  @Test("Changes of two devices to different fields of a mark both stay")
  func merges() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      _ = await session.syncNow()
      let list = SightMarkListModel(session, owner: try await sight(session))
      let id = try await list.add(Self.mark(70, 1))
      try await list.load()
      var update = UpdateSightMarkRequest()
      update.sightMark = try #require(list.items.first).sightMark
      update.sightMark?.notes = "windy"
      update.updateMask = ["notes"]
      _ = try await server.client(token).call(Equipment.updateSightMark, update)
      var mine = try #require(list.items.first).sightMark
      mine.markValue = 1.25
      try await list.update(id, to: mine)
      let report = await session.syncNow()
      #expect(report.conflictCount == 0 && report.refusedCount == 0)
      try await list.load()
      #expect(list.items.map(\.sightMark.markValue) == [1.25])
      #expect(list.items.map(\.sightMark.notes) == ["windy"])
      await session.close()
    }
  }

  @Test("A mark that is not valid, or of something that has no marks, is refused and not stored")
  func badMarks() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      _ = await session.syncNow()
      let list = SightMarkListModel(session, owner: try await sight(session))
      for (mark, field) in [
        (Self.mark(0, 1), "distance"), (Self.mark(70, 100_001), "mark_value"),
        (Self.mark(70, 1, .unspecified), "unit"),
      ] {
        #expect(
          await fails(saying: "Failed to add sight mark: sight_mark.\(field)") {
            try await list.add(mark)
          })
      }
      let riser = try await session.create(Riser("Hoyt", "Formula"))
      let other = SightMarkListModel(session, owner: riser)
      #expect(await fails(saying: "no sight") { try await other.add(Self.mark(70, 1)) })
      #expect(list.items.isEmpty)
      #expect(try await session.outbox().count == 2)
      await session.close()
    }
  }
}
