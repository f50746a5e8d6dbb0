import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Scores that others enter, too")
struct ScoringConflictTests {
  private static let first = ArrowSlot(endIndex: 0, arrowIndex: 0)

  /// An event in progress, with the sessions of its organiser and of one who takes part.
  private func twoScorers(
    _ server: SessionServer,
    _ body: (TournamentEvent, ScoringModel, ScoringModel) async throws -> Void
  ) async throws {
    let (sheriff, robin) = (try server.token(), try server.token())
    let event = try await server.tournament(sheriff) { $0.joins = false }
    try await server.join(event, by: robin)
    try await server.start(event, by: sheriff)
    let one = try server.session(sheriff, on: "tablet")
    let other = try server.session(robin)
    let oneScoring = ScoringModel(one, event: try await one.loadTournament(event.id))
    let otherScoring = ScoringModel(other, event: try await other.loadTournament(event.id))
    try await body(event, oneScoring, otherScoring)
    await one.close()
    await other.close()
  }

  @Test("are shown with what stands there, and go over it or go, as their owner decides")
  func conflict() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(one.enter("9 8") && other.enter("7 8 6"))
        await one.load()
        await other.load()
        #expect(other.needsAttention.count == 1 && other.needsAttention[0].mark == .conflict)
        #expect(other.needsAttention[0].title == "Robin, end 1, arrow 1: 7")
        let arrow = other.needsAttention[0].serverObject(ScoredArrow.self)
        #expect(arrow?.value == 9)
        // What stands counts; what was entered is beside it, and the equal one is no conflict.
        #expect(other.participants[0].tally.total == 23 && other.waitingCount == 0)
        let shown = other.card(other.participants[0].id)?.arrows[Self.first]
        #expect(shown?.score == ArrowScore(value: 9) && shown?.heldScore == ArrowScore(value: 7))
        #expect(other.participants[0].mark == .conflict)
        await other.load()
        #expect(other.needsAttention.count == 1)
        #expect(other.overwrite(other.needsAttention[0].id) && other.needsAttention.isEmpty)
        #expect(other.participants[0].tally.total == 21)
        await other.load()
        await one.load()
        #expect(
          other.needsAttention.isEmpty && one.rows == ["1 Robin 21 0"] && other.rows == one.rows)
      }
    }
  }

  @Test("may be discarded, with what was built upon them")
  func discarding() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        let robin = other.participants[0].id
        #expect(one.enter("9") && other.enter("7"))
        #expect(
          other.correct(ArrowScore(value: 6), at: Self.first, of: robin, reason: "misread"))
        await one.load()
        await other.load()
        // The correction waits for a record that will never come.
        #expect(other.needsAttention.count == 1 && other.waitingCount == 1)
        #expect(other.discard(other.needsAttention[0].id))
        #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
        #expect(other.participants[0].tally.total == 9)
      }
    }
  }

  @Test("of which one was corrected meanwhile are a conflict, not an overwriting")
  func staleCorrection() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(one.enter("9"))
        await one.load()
        await other.load()
        let (mine, theirs) = (one.participants[0].id, other.participants[0].id)
        #expect(one.correct(ArrowScore(value: 8), at: Self.first, of: mine, reason: "low"))
        #expect(other.correct(ArrowScore(value: 10), at: Self.first, of: theirs, reason: "high"))
        await one.load()
        await other.load()
        #expect(
          other.needsAttention.map(\.mark) == [.conflict] && other.participants[0].tally.total == 8)
        // Undoing what somebody else has built upon is refused, and does not stand in the way.
        await one.load()
        #expect(other.overwrite(other.needsAttention[0].id))
        await other.load()
        await one.load()
        #expect(!one.undo() && one.errorText?.contains("somebody else") == true)
        #expect(one.rows == ["1 Robin 10 0"])
      }
    }
  }

  @Test("of which one was taken back meanwhile are a conflict with an empty slot")
  func takenBack() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(one.enter("9"))
        await one.load()
        await other.load()
        let (mine, theirs) = (one.participants[0].id, other.participants[0].id)
        #expect(one.retract(at: Self.first, of: mine, reason: "not shot"))
        #expect(other.correct(ArrowScore(value: 8), at: Self.first, of: theirs, reason: "low"))
        await one.load()
        #expect(await other.session.syncNow().conflictCount == 1)
        other.clearError()
        #expect(
          other.needsAttention.map(\.mark) == [.conflict]
            && other.needsAttention[0].participant == theirs)
        #expect(other.participants[0].tally.total == 0)
        #expect(other.card(theirs)?.arrows[Self.first]?.heldScore == ArrowScore(value: 8))
        #expect(other.discard(other.needsAttention[0].id) && other.participants[0].tally.total == 0)
        #expect(other.enter("7"))
        await other.load()
        await one.load()
        #expect(
          other.needsAttention.isEmpty && other.rows == ["1 Robin 7 0"] && one.rows == other.rows)
      }
    }
  }

  @Test("over which one's own went come back when that is undone", arguments: [false, true])
  func undoneOverwriting(_ isSent: Bool) async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        let theirs = other.participants[0].id
        #expect(one.enter("9") && other.enter("7"))
        #expect(other.correct(ArrowScore(value: 6), at: Self.first, of: theirs, reason: "misread"))
        await one.load()
        await other.load()
        #expect(
          other.overwrite(other.needsAttention[0].id) && other.participants[0].tally.total == 6)
        if isSent {
          await other.load()
          #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
        }
        #expect(other.undo() && other.participants[0].tally.total == 7)
        #expect(other.undo() && other.participants[0].tally.total == 9)
        #expect(other.waitingCount == (isSent ? 1 : 0))
        await other.load()
        await one.load()
        #expect(
          other.needsAttention.isEmpty && other.rows == ["1 Robin 9 0"] && one.rows == other.rows)
      }
    }
  }

  @Test("wait for the start of their event")
  func notYet() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      let session = try server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      #expect(scoring.enter("9 9 9"))
      let report = await session.syncNow()
      #expect(report.notYetCount == 3 && report.error == nil && report.sentCount == 0)
      scoring.clearError()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 3)
      try await server.start(event, by: sheriff)
      await scoring.load()
      #expect(await session.syncNow().notYetCount == 0)
      #expect(try await server.standings(event, by: sheriff) == ["1 Robin 27 0"])
      #expect(try session.outbox().isEmpty)
      await session.close()
    }
  }

  @Test("that come after the end are kept for the organiser, and said to be")
  func late() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let session = try server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      #expect(scoring.enter("9"))
      await scoring.load()
      try await server.finalise(event, by: sheriff)
      #expect(scoring.enter("8"))
      await scoring.load()
      #expect(
        scoring.needsAttention.map(\.mark) == [.late] && scoring.participants[0].tally.total == 9)
      #expect(scoring.discard(scoring.needsAttention[0].id) && scoring.needsAttention.isEmpty)
      await session.close()
    }
  }

  @Test("of who is out of the event are refused, and go when that is undone")
  func refused() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let session = try server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      var withdrawal = WithdrawParticipantRequest()
      withdrawal.participantID = scoring.participants[0].serverID
      withdrawal.reason = "ill"
      let client = try server.client(sheriff)
      _ = try await client.call(Tournament.withdrawParticipant, withdrawal)
      #expect(scoring.enter("9"))
      await scoring.load()
      #expect(scoring.needsAttention.map(\.mark) == [.refused])
      #expect(scoring.needsAttention[0].verdict.contains("withdrawn") && scoring.position == nil)
      #expect(scoring.leaderboard.map(\.rank) == [0])
      var reinstatement = ReinstateParticipantRequest()
      reinstatement.participantID = withdrawal.participantID
      reinstatement.reason = "well again"
      _ = try await client.call(Tournament.reinstateParticipant, reinstatement)
      #expect(scoring.retry(scoring.needsAttention[0].id))
      await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.rows == ["1 Robin 9 0"])
      await session.close()
    }
  }
}
