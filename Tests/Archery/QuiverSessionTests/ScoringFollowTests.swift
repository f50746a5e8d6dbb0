import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("A scorer's session over streams", .timeLimit(.minutes(5)))
struct ScoringFollowTests {
  /// Returns once something is shown, which no answer of a call says.
  private func wait(
    _ scoring: ScoringModel, until isShown: () -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  private func record(
    _ server: SessionServer, _ participant: Int64, end: UInt32 = 0, arrow: UInt32, _ value: UInt32,
    by user: String
  ) async throws {
    var request = RecordArrowRequest()
    var operation = ScoringOperation()
    operation.participantID = participant
    operation.endIndex = end
    operation.arrowIndex = arrow
    operation.value = value
    request.operation = operation
    _ = try await server.client(user).call(Tournament.recordArrow, request)
  }

  @Test("The status, the participants and the scores of others follow the server")
  func moves() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff)
      let own = try await server.join(event, by: robin)
      let session = try await server.session(robin)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      scoring.follow()
      #expect(await failure { try await scoring.enter("9 9") } == nil)
      #expect(await session.syncNow().notYetCount == 2)
      var request = AddEntriesRequest()
      request.tournamentID = event.id
      request.entries = [EntryDraft()]
      request.entries[0].name = "Ann"
      let ann = try await server.client(sheriff).call(Tournament.addEntries, request)
        .participants[0].id
      try await wait(scoring) { scoring.leaderboard.count == 3 }
      try await server.start(event, by: sheriff)
      try await wait(scoring) { scoring.view?.event.tournament?.status == .inProgress }
      #expect(await session.syncNow().sentCount == 2)
      try await record(server, ann, arrow: 0, 8, by: sheriff)
      try await wait(scoring) { scoring.leaderboard.first { $0.name == "Ann" }?.tally.total == 8 }
      // What somebody else enters for whom this user scores is fetched with its slot.
      try await record(server, own.id, arrow: 2, 7, by: sheriff)
      try await wait(scoring) { scoring.participants.first?.tally.total == 25 }
      #expect(scoring.place == "Robin 2.1" && scoring.state.staleSince == nil)
      #expect(scoring.rows == ["1 Robin 25 0", "2 Ann 8 0", "3 Robin 0 0"])
      try await server.finalise(event, by: sheriff)
      try await wait(scoring) { scoring.view?.event.tournament?.status == .completed }
      scoring.stopFollowing()
      await session.close()
    }
  }

  @Test("A watch resumes after the last message, however often it is interrupted")
  func resumes() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff, arrows: 60)
      try await server.join(event, by: robin)
      try await server.start(event, by: sheriff)
      let transport = FaultyTransport(try server.client(robin))
      let session = try await server.session(robin, transport: transport) { configuration in
        configuration.limits.firstRetryDelay = .milliseconds(1)
        configuration.limits.longestRetryDelay = .milliseconds(1)
      }
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      scoring.follow()
      let other = try #require(scoring.leaderboard.first { !$0.isScoredHere }?.id)
      let id = try #require(scoring.view?.participants.first { !$0.mayScore }?.message.id)
      // What is cut off before its first message begins anew.
      try await wait(scoring) { transport.received.contains("WatchTournament") }
      for arrow in 0..<20 as Range<UInt32> {
        try await record(server, id, end: arrow / 3, arrow: arrow % 3, 5, by: sheriff)
        try await wait(scoring) {
          scoring.leaderboard.first { $0.id == other }?.tally.total == Int(arrow + 1) * 5
        }
        transport.breakStreams()
      }
      // Only the first call of each watch began with a snapshot.
      #expect(transport.positions.count { $0 == nil } == 2)
      #expect(transport.positions.count > 2)
      await session.close()
    }
  }

  @Test("A watch of an event that is no longer visible reports that")
  func lost() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff) { $0.isPublic = true }
      let session = try await server.session(robin)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      scoring.follow()
      try await wait(scoring) { scoring.leaderboard.count == 1 && scoring.state.staleSince == nil }
      var request = UpdateTournamentRequest()
      request.tournament = event
      request.tournament?.isPublic = false
      request.updateMask = ["is_public"]
      _ = try await server.client(sheriff).call(Tournament.updateTournament, request)
      try await wait(scoring) { scoring.state.errorText != nil }
      #expect(scoring.state.errorText?.contains("no such event") == true)
      #expect(scoring.leaderboard.isEmpty)
      await session.close()
    }
  }

  @Test("Batches are sent over one stream, or as separate calls if there are no streams")
  func batches() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      for hasStreams in [true, false] {
        let event = try await server.tournament(sheriff)
        try await server.start(event, by: sheriff)
        let transport = FaultyTransport(try server.client(sheriff))
        if !hasStreams { transport.carriesNoStreams() }
        let session = try await server.session(sheriff, on: "\(hasStreams)", transport: transport) {
          $0.limits.maxBatchedOperations = 4
        }
        let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
        await scoring.refresh()
        #expect(await failure { try await scoring.enter("9 9 9 8 8 8 7 7 7") } == nil)
        #expect(await session.syncNow().sentCount == 9)
        let name = hasStreams ? "SyncOperations" : "ApplyOperations"
        #expect(
          transport.sent == [name, name, name] && transport.positions.count == (hasStreams ? 1 : 0))
        #expect(await failure { try await scoring.enter(ArrowScore(value: 9)) } != nil)
        #expect(scoring.isRoundComplete)
        #expect(try await server.standings(event, by: sheriff) == ["1 Robin 72 0"])
        await session.close()
      }
    }
  }

  @Test("A stream with a lost reply is cancelled, and its batch is sent over another one")
  func lostBatch() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let transport = FaultyTransport(try server.client(sheriff))
      let session = try await server.session(sheriff, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("9") } == nil)
      transport.loseAnswers(1)
      #expect(await session.syncNow().error?.isTransient == true)
      #expect(transport.cancelled == ["SyncOperations"])
      #expect(await session.syncNow().sentCount == 1)
      #expect(
        transport.sent == ["SyncOperations", "SyncOperations"] && transport.positions.count == 2)
      #expect(try await server.standings(event, by: sheriff) == ["1 Robin 9 0"])
      await session.close()
    }
  }
}
