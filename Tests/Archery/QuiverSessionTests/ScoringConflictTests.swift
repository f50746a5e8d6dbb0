import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Scores that other scorers enter too", .timeLimit(.minutes(5)))
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
    let one = try await server.session(sheriff, on: "tablet")
    let other = try await server.session(robin)
    let oneScoring = ScoringModel(one, event: try await one.loadTournament(event.id))
    let otherScoring = ScoringModel(other, event: try await other.loadTournament(event.id))
    await oneScoring.refresh()
    await otherScoring.refresh()
    try await body(event, oneScoring, otherScoring)
    await one.close()
    await other.close()
  }

  @Test("Conflicting scores are shown with the server's, and overwrite it or are discarded")
  func conflict() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(await failure { try await one.enter("9 8") } == nil)
        #expect(await failure { try await other.enter("7 8 6") } == nil)
        try await one.load()
        try await other.load()
        #expect(other.needsAttention.count == 1 && other.needsAttention[0].mark == .conflict)
        #expect(other.needsAttention[0].title == "Robin, end 1, arrow 1: 7")
        let arrow = other.needsAttention[0].serverObject(ScoredArrow.self)
        #expect(arrow?.value == 9)
        // What stands counts; what was entered is beside it, and the equal one is no conflict.
        #expect(other.participants[0].tally.total == 23 && other.waitingCount == 0)
        let shown = other.card(other.participants[0].id)?.arrows[Self.first]
        #expect(shown?.score == ArrowScore(value: 9) && shown?.heldScore == ArrowScore(value: 7))
        #expect(other.participants[0].mark == .conflict)
        try await other.load()
        #expect(other.needsAttention.count == 1)
        #expect(await failure { try await other.overwrite(other.needsAttention[0].id) } == nil)
        #expect(other.needsAttention.isEmpty)
        #expect(other.participants[0].tally.total == 21)
        try await other.load()
        try await one.load()
        #expect(
          other.needsAttention.isEmpty && one.rows == ["1 Robin 21 0"] && other.rows == one.rows)
      }
    }
  }

  @Test("Discarding a conflicting score discards the entries that depend on it")
  func discarding() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        let robin = other.participants[0].id
        #expect(await failure { try await one.enter("9") } == nil)
        #expect(await failure { try await other.enter("7") } == nil)
        #expect(
          await failure {
            try await other.correct(
              ArrowScore(value: 6), at: Self.first, of: robin, reason: "misread")
          } == nil)
        try await one.load()
        try await other.load()
        // The correction waits for a record that will never come.
        #expect(other.needsAttention.count == 1 && other.waitingCount == 1)
        #expect(await failure { try await other.discard(other.needsAttention[0].id) } == nil)
        #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
        #expect(other.participants[0].tally.total == 9)
      }
    }
  }

  @Test("A correction of an arrow that was corrected elsewhere conflicts")
  func staleCorrection() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(await failure { try await one.enter("9") } == nil)
        try await one.load()
        try await other.load()
        let (mine, theirs) = (one.participants[0].id, other.participants[0].id)
        #expect(
          await failure {
            try await one.correct(ArrowScore(value: 8), at: Self.first, of: mine, reason: "low")
          } == nil)
        #expect(
          await failure {
            try await other.correct(
              ArrowScore(value: 10), at: Self.first, of: theirs, reason: "high")
          } == nil)
        try await one.load()
        try await other.load()
        #expect(
          other.needsAttention.map(\.mark) == [.conflict] && other.participants[0].tally.total == 8)
        // Undoing what somebody else has built upon is refused, and does not stand in the way.
        try await one.load()
        #expect(await failure { try await other.overwrite(other.needsAttention[0].id) } == nil)
        try await other.load()
        try await one.load()
        #expect(await fails(saying: "somebody else") { try await one.undo() })
        #expect(one.rows == ["1 Robin 10 0"])
      }
    }
  }

  @Test("A correction of an arrow that was retracted elsewhere conflicts with an empty slot")
  func takenBack() async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        #expect(await failure { try await one.enter("9") } == nil)
        try await one.load()
        try await other.load()
        let (mine, theirs) = (one.participants[0].id, other.participants[0].id)
        #expect(
          await failure { try await one.retract(at: Self.first, of: mine, reason: "not shot") }
            == nil)
        #expect(
          await failure {
            try await other.correct(ArrowScore(value: 8), at: Self.first, of: theirs, reason: "low")
          } == nil)
        try await one.load()
        #expect(await other.session.syncNow().conflictCount == 1)
        await other.refresh()
        #expect(
          other.needsAttention.map(\.mark) == [.conflict]
            && other.needsAttention[0].participant == theirs)
        #expect(other.participants[0].tally.total == 0)
        #expect(other.card(theirs)?.arrows[Self.first]?.heldScore == ArrowScore(value: 8))
        #expect(await failure { try await other.discard(other.needsAttention[0].id) } == nil)
        #expect(other.participants[0].tally.total == 0)
        #expect(await failure { try await other.enter("7") } == nil)
        try await other.load()
        try await one.load()
        #expect(
          other.needsAttention.isEmpty && other.rows == ["1 Robin 7 0"] && one.rows == other.rows)
      }
    }
  }

  @Test(
    "Undoing a correction that another one replaced restores the earlier arrow",
    arguments: [false, true])
  func undoneOverwriting(_ isSent: Bool) async throws {
    try await SessionServer.run { server in
      try await twoScorers(server) { _, one, other in
        let theirs = other.participants[0].id
        #expect(await failure { try await one.enter("9") } == nil)
        #expect(await failure { try await other.enter("7") } == nil)
        #expect(
          await failure {
            try await other.correct(
              ArrowScore(value: 6), at: Self.first, of: theirs, reason: "misread")
          } == nil)
        try await one.load()
        try await other.load()
        #expect(await failure { try await other.overwrite(other.needsAttention[0].id) } == nil)
        #expect(other.participants[0].tally.total == 6)
        if isSent {
          try await other.load()
          #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
        }
        #expect(await failure { try await other.undo() } == nil)
        #expect(other.participants[0].tally.total == 7)
        #expect(await failure { try await other.undo() } == nil)
        #expect(other.participants[0].tally.total == 9)
        #expect(other.waitingCount == (isSent ? 1 : 0))
        try await other.load()
        try await one.load()
        #expect(
          other.needsAttention.isEmpty && other.rows == ["1 Robin 9 0"] && one.rows == other.rows)
      }
    }
  }

  @Test("Scores wait for the start of their event")
  func notYet() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      let session = try await server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("9 9 9") } == nil)
      let report = await session.syncNow()
      #expect(report.notYetCount == 3 && report.error == nil && report.sentCount == 0)
      await scoring.refresh()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 3)
      try await server.start(event, by: sheriff)
      try await scoring.load()
      #expect(await session.syncNow().notYetCount == 0)
      #expect(try await server.standings(event, by: sheriff) == ["1 Robin 27 0"])
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }

  @Test("Scores after the end are stored for the organiser and marked as late")
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
      #expect(await failure { try await scoring.enter("8") } == nil)
      try await scoring.load()
      #expect(
        scoring.needsAttention.map(\.mark) == [.late] && scoring.participants[0].tally.total == 9)
      #expect(await failure { try await scoring.discard(scoring.needsAttention[0].id) } == nil)
      #expect(scoring.needsAttention.isEmpty)
      await session.close()
    }
  }

  @Test("Scores of a withdrawn participant are refused, and sent after a reinstatement")
  func refused() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let session = try await server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      var withdrawal = WithdrawParticipantRequest()
      withdrawal.participantID = scoring.participants[0].serverID
      withdrawal.reason = "ill"
      let client = try server.client(sheriff)
      _ = try await client.call(Tournament.withdrawParticipant, withdrawal)
      #expect(await failure { try await scoring.enter("9") } == nil)
      try await scoring.load()
      #expect(scoring.needsAttention.map(\.mark) == [.refused])
      #expect(scoring.needsAttention[0].verdict.contains("withdrawn") && scoring.position == nil)
      #expect(scoring.leaderboard.map(\.rank) == [0])
      var reinstatement = ReinstateParticipantRequest()
      reinstatement.participantID = withdrawal.participantID
      reinstatement.reason = "well again"
      _ = try await client.call(Tournament.reinstateParticipant, reinstatement)
      #expect(await failure { try await scoring.retry(scoring.needsAttention[0].id) } == nil)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.rows == ["1 Robin 9 0"])
      await session.close()
    }
  }
}
