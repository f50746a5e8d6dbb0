import QuiverAPI
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Undoing arrows")
struct ScoringUndoTests {
  @Test("goes on to what stood before, also where the last undoing was not sent yet")
  func again() async throws {
    try await House.run { house in
      let token = try house.token()
      let session = try house.session(token)
      await session.syncNow()
      let event = try session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringSession(session, event: event)
      let own = scoring.participants[0].id
      let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)
      #expect(scoring.enter("9"))
      for value in [8, 10] {
        await scoring.load()
        #expect(scoring.correct(ArrowScore(value: value), at: slot, of: own, reason: "seen again"))
      }
      await scoring.load()
      for total in [8, 9, 0] {
        #expect(scoring.undo() && scoring.waitingCount == 1)
        #expect(scoring.participants[0].tally.total == total)
      }
      #expect(!scoring.undo())
      await scoring.load()
      #expect(scoring.held.isEmpty && scoring.participants[0].tally.total == 0)
      let card = try await house.card(scoring.participants[0].serverID, by: token)
      let kinds = card.history.compactMap { $0.operation?.kind }
      #expect(card.arrows.isEmpty && kinds == [.record, .correct, .correct, .retract])
      await session.close()
    }
  }

  @Test("leaves an arrow that the organiser has, and says so")
  func late() async throws {
    try await House.run { house in
      let sheriff = try house.token()
      let event = try await house.tournament(sheriff)
      try await house.start(event, by: sheriff)
      let session = try house.session(sheriff)
      let scoring = ScoringSession(session, event: try await session.loadTournament(event.id))
      #expect(scoring.enter("9"))
      await scoring.load()
      try await house.finalise(event, by: sheriff)
      #expect(scoring.enter("8 7"))
      await scoring.load()
      #expect(scoring.held.map(\.mark) == [.late, .late])
      #expect(!scoring.undo() && scoring.errorText?.contains("organiser") == true)
      #expect(scoring.held.map(\.mark) == [.late, .late])
      // Tried again, it is still the organiser's: an operation undoes it.
      #expect(scoring.retry(scoring.held[0].id) && scoring.undo() && scoring.waitingCount == 2)
      await session.close()
    }
  }
}
