import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("What can be restored", .timeLimit(.minutes(5)))
struct RestorableModelTests {
  private func deletedOnServer(_ client: RPCClient) async throws -> [WeightEntry] {
    var request = ListWeightEntriesRequest()
    request.deleted = true
    return try await client.call(Logbook.listWeightEntries, request).entries
  }

  @Test("An entry that was deleted is restored with or without a connection, once")
  func entries() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let (logbook, model) = (LogbookModel(session), RestorableModel(session))
      try await logbook.load()
      let kept = try await logbook.add(LogbookModelTests.entry(19_782, 170_000))
      let first = try await logbook.add(LogbookModelTests.entry(19_783, 171_000, note: "n"))
      _ = await session.syncNow()
      transport.disconnect()
      let second = try await logbook.add(LogbookModelTests.entry(19_784, 172_000))
      try await logbook.delete(first)
      try await logbook.delete(second)
      await model.refresh()
      #expect(Set(model.entries.map(\.id)) == [first, second])
      #expect(model.entries.allSatisfy { $0.mark == .waiting })
      #expect(logbook.sections.flatMap(\.rows).map(\.id) == [kept])
      #expect(
        await fails(saying: "restore it first") {
          try await logbook.update(first, to: LogbookModelTests.entry(19_783, 160_000))
        })
      try await model.restore(second)
      #expect(model.entries.map(\.id) == [first])
      transport.reconnect()
      transport.loseAnswers(3)
      for _ in 0..<4 { _ = await session.syncNow() }
      #expect(try await session.outbox().isEmpty)
      let client = try server.client(token)
      #expect(try await deletedOnServer(client).map(\.thousandths) == [171_000])
      try await model.load()
      #expect(model.entries.map(\.entry.note) == ["n"] && model.entries.map(\.mark) == [.synced])
      try await model.restore(first)
      _ = await session.syncNow()
      #expect(try await deletedOnServer(client).isEmpty)
      try await logbook.load()
      #expect(
        logbook.sections.flatMap(\.rows).map(\.row.thousandths) == [172_000, 171_000, 170_000])
      #expect(logbook.sections.flatMap(\.rows).allSatisfy { $0.mark == .synced })
      await session.close()
    }
  }

  @Test("Entries that another device deleted, archived items and inactive setups can be restored")
  func others() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let model = RestorableModel(session)
      try await model.load()
      #expect(model.entries.isEmpty && model.items.isEmpty && model.setups.isEmpty)
      let riser = try await session.create(Riser("Hoyt", "Formula"))
      var setup = BowSetup()
      setup.name = "Old"
      let inactive = try await session.create(setup)
      try await session.setArchived(true, riser)
      try await session.setActive(false, inactive)
      _ = await session.syncNow()
      let client = try server.client(token)
      var create = CreateWeightEntryRequest()
      create.weightEntry = LogbookModelTests.entry(19_782, 170_000)
      let entry = try await client.call(Logbook.createWeightEntry, create)
      var delete = DeleteWeightEntryRequest()
      delete.id = entry.id
      _ = try await client.call(Logbook.deleteWeightEntry, delete)
      try await model.load()
      #expect(model.entries.map(\.entry.id) == [entry.id])
      #expect(model.items.map(\.id) == [riser] && model.setups.map(\.id) == [inactive])
      let ids = [try #require(model.entries.first).id, riser, inactive]
      for id in ids { try await model.restore(id) }
      #expect(model.entries.isEmpty && model.items.isEmpty && model.setups.isEmpty)
      #expect(await session.syncNow().error == nil)
      try await model.load()
      #expect(model.entries.isEmpty && model.items.isEmpty && model.setups.isEmpty)
      #expect(try await deletedOnServer(client).isEmpty)
      await session.close()
    }
  }

  @Test("A deletion that the server has already is no conflict")
  func deletedTwice() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let logbook = LogbookModel(session)
      try await logbook.load()
      let id = try await logbook.add(LogbookModelTests.entry(19_782, 170_000))
      try await logbook.load()
      var delete = DeleteWeightEntryRequest()
      delete.id = try #require(logbook.sections.first?.rows.first).entry.id
      _ = try await server.client(token).call(Logbook.deleteWeightEntry, delete)
      try await logbook.delete(id)
      let report = await session.syncNow()
      #expect(report.error == nil && report.conflictCount == 0 && report.refusedCount == 0)
      try await logbook.load()
      #expect(logbook.sections.isEmpty)
      await session.close()
    }
  }
}
