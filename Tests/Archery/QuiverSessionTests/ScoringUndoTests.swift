import QuiverAPI
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Undoing arrows", .timeLimit(.minutes(5)))
struct ScoringUndoTests {
  @Test("Undoing restores the previous state, also if the last undo was not sent yet")
  func again() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      let own = scoring.participants[0].id
      let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)
      #expect(await failure { try await scoring.enter("9") } == nil)
      for value in [8, 10] {
        try await scoring.load()
        #expect(
          await failure {
            try await scoring.correct(
              ArrowScore(value: value), at: slot, of: own, reason: "seen again")
          } == nil)
      }
      try await scoring.load()
      for total in [8, 9, 0] {
        #expect(await failure { try await scoring.undo() } == nil)
        #expect(scoring.waitingCount == 1)
        #expect(scoring.participants[0].tally.total == total)
      }
      #expect(await failure { try await scoring.undo() } != nil)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.participants[0].tally.total == 0)
      let card = try await server.card(scoring.participants[0].serverID, by: token)
      let kinds = card.history.compactMap { $0.operation?.kind }
      #expect(card.arrows.isEmpty && kinds == [.record, .correct, .correct, .retract])
      await session.close()
    }
  }

  @Test("Undoing fails for an arrow that the organiser has")
  func late() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let session = try await server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("9") } == nil)
      try await scoring.load()
      try await server.finalise(event, by: sheriff)
      #expect(await failure { try await scoring.enter("8 7") } == nil)
      try await scoring.load()
      #expect(scoring.needsAttention.map(\.mark) == [.late, .late])
      #expect(await fails(saying: "organiser") { try await scoring.undo() })
      #expect(scoring.needsAttention.map(\.mark) == [.late, .late])
      // Tried again, it is still the organiser's: an operation undoes it.
      #expect(await failure { try await scoring.retry(scoring.needsAttention[0].id) } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(scoring.waitingCount == 2)
      await session.close()
    }
  }
}
