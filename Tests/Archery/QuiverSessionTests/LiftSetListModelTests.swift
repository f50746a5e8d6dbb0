import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of strength sets", .timeLimit(.minutes(5)))
struct LiftSetListModelTests {
  static func set(
    _ day: Int32, _ weight: Double, of exercise: String = "Squat", repetitions: UInt32 = 5
  ) -> LiftSet {
    var set = LiftSet()
    set.day = day
    set.exercise = exercise
    set.repetitions = repetitions
    set.weight = weight
    set.unit = .kilogram
    return set
  }

  private func stored(_ client: RPCClient, _ exercise: String) async throws -> [LiftSet] {
    var request = ListSetsRequest()
    request.exercise = exercise
    request.pageSize = 500
    return try await client.call(Logbook.listSets, request).sets
  }

  @Test("Sets that are made, changed and deleted offline are on the server once after a sync")
  func offline() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let list = LiftSetListModel(session)
      try await list.load("Squat")
      #expect(list.items.isEmpty && list.state == .loaded(staleSince: nil))
      transport.disconnect()
      let first = try await list.add(Self.set(19_000, 100))
      let second = try await list.add(Self.set(19_001, 105))
      let gone = try await list.add(Self.set(19_002, 110))
      try await list.add(Self.set(19_000, 50, of: "Press"))
      #expect(list.items.map(\.set.weight) == [110, 105, 100])
      #expect(list.items.allSatisfy { $0.mark == .waiting })
      var changed = try #require(list.items.first { $0.id == second }).set
      changed.repetitions = 3
      try await list.update(second, to: changed)
      try await list.delete(gone)
      #expect(list.items.map(\.id) == [second, first])
      try await list.load("Squat")
      #expect(list.state.staleSince != nil && list.items.count == 2)
      transport.reconnect()
      transport.loseAnswers(3)
      for _ in 0..<4 { _ = await session.syncNow() }
      try await list.load("Squat")
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.state.staleSince == nil)
      let client = try server.client(token)
      let sets = try await stored(client, "Squat")
      #expect(sets.map(\.weight) == [105, 100] && sets.map(\.repetitions) == [3, 5])
      #expect(try await stored(client, "Press").map(\.weight) == [50])
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }

  @Test(
    "Changes of two devices to different fields of a set both stay; to the same, the user decides")
  func merges() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token, on: "phone")
      let tablet = try await server.session(token, on: "tablet")
      let (one, other) = (LiftSetListModel(phone), LiftSetListModel(tablet))
      try await one.load("Squat")
      let id = try await one.add(Self.set(19_000, 100))
      try await one.load("Squat")
      try await other.load("Squat")
      let theirs = try #require(other.items.first)
      var set = theirs.set
      set.weight = 102.5
      try await other.update(theirs.id, to: set)
      _ = await tablet.syncNow()
      var mine = try #require(one.items.first).set
      mine.repetitions = 8
      try await one.update(id, to: mine)
      #expect(await phone.syncNow().conflictCount == 0)
      try await one.load("Squat")
      #expect(one.items.map(\.set.weight) == [102.5] && one.items.map(\.set.repetitions) == [8])

      try await other.load("Squat")
      set = try #require(other.items.first).set
      set.weight = 90
      try await other.update(theirs.id, to: set)
      _ = await tablet.syncNow()
      mine = try #require(one.items.first).set
      mine.weight = 95
      try await one.update(id, to: mine)
      #expect(await phone.syncNow().conflictCount == 1)
      await one.refresh()
      #expect(one.items.map(\.mark) == [.conflict])
      let entry = try #require(try await phone.outbox().first)
      #expect(entry.kind == "Strength set" && entry.title == "Squat")
      #expect(entry.serverObject(LiftSet.self)?.weight == 90)
      try await phone.discard(entry.id)
      await one.refresh()
      #expect(one.items.map(\.set.weight) == [90] && one.items.map(\.mark) == [.synced])
      await phone.close()
      await tablet.close()
    }
  }

  @Test("An exercise with more sets than the device keeps shows the newest, and says so")
  func cut() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let client = try server.client(token)
      for day in 0..<7 {
        var request = CreateSetRequest()
        request.set = Self.set(Int32(day), Double(100 + day))
        _ = try await client.call(Logbook.createSet, request)
      }
      let session = try await server.session(token) { $0.limits.maxFetchedObjects = 500 }
      let list = LiftSetListModel(session)
      try await list.load("Squat")
      #expect(list.items.count == 7 && !list.isCut)
      await session.close()
      for day in 7..<520 {
        var request = CreateSetRequest()
        request.set = Self.set(Int32(day), Double(100))
        _ = try await client.call(Logbook.createSet, request)
      }
      let later = try await server.session(token) { $0.limits.maxFetchedObjects = 500 }
      let cut = LiftSetListModel(later)
      try await cut.load("Squat")
      // The seven that were fetched before stay: they are older than the list.
      #expect(cut.isCut && cut.items.count == 507 && cut.items.first?.set.day == 519)
      await later.close()
    }
  }

  @Test("A set that is not valid is refused and not stored")
  func badSets() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let list = LiftSetListModel(session)
      try await list.load("Squat")
      let changes: [(String, (inout LiftSet) -> Void)] = [
        ("set.exercise", { $0.exercise = " " }), ("set.repetitions", { $0.repetitions = 0 }),
        ("set.weight", { $0.weight = 911 }), ("set.unit", { $0.unit = .unspecified }),
        ("set.sets", { $0.sets = 0 }), ("set.sets", { $0.sets = 101 }),
      ]
      for (field, change) in changes {
        var set = Self.set(19_000, 100)
        change(&set)
        let refused = set
        #expect(
          await fails(saying: "Failed to add strength set: \(field)") {
            try await list.add(refused)
          })
      }
      #expect(list.items.isEmpty)
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }
}
