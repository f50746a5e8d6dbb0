import QuiverAPI
import Testing

@testable import QuiverSession

@MainActor
@Suite("The keys of changes", .timeLimit(.minutes(5)))
struct ChangeKeyTests {
  @Test("A new item changes the keys of its type and of the outbox, and no others")
  func namesWhatChanged() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      var changes = session.changes().makeAsyncIterator()
      try await session.create(Riser("Hoyt", "One"))
      #expect(await changes.next() == [.equipment(.riser), .outbox])
      var setup = BowSetup()
      setup.name = "Indoor"
      try await session.create(setup)
      #expect(await changes.next() == [.bowSetups, .outbox])
      await session.close()
      #expect(await changes.next() == nil)
    }
  }

  @Test("An entered arrow changes the keys of one participant, the position and the outbox")
  func namesOneParticipant() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      let own = try #require(scoring.position).participant
      var changes = session.changes().makeAsyncIterator()
      try await scoring.enter("9")
      #expect(
        await changes.next() == [
          .participant(own, in: event), .position(in: event), .outbox,
        ])
      await session.close()
    }
  }

  @Test(
    "Unread changes are one set, and a failed transaction changes no keys")
  func collects() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      var changes = session.changes().makeAsyncIterator()
      await #expect(throws: SessionError.self) { try await session.create(Riser("", "")) }
      try await session.create(Riser("Hoyt", "One"))
      var entry = WeightEntry()
      entry.day = 19_000
      entry.thousandths = 170_000
      entry.unit = .pound
      try await session.create(entry)
      #expect(await changes.next() == [.equipment(.riser), .weightEntries, .outbox])
      await session.close()
    }
  }
}
