import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of past rounds, and the state of a round", .timeLimit(.minutes(5)))
struct RoundHistoryModelTests {
  @Test("Past rounds are listed newest first, stay without a connection, and can be opened")
  func lists() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token)
      await phone.syncNow()
      for codename in ["wa18", "bray_i"] {
        let event = try await phone.startRounds(codename: codename, arrowLimit: 3)
        let scoring = ScoringModel(phone, event: event)
        try await scoring.enter("10 9 8")
      }
      await phone.syncNow()
      let tournament = try await server.tournament(token)
      await phone.close()

      let transport = FaultyTransport(try server.client(token))
      let tablet = try await server.session(token, on: "tablet", transport: transport)
      let model = RoundHistoryModel(tablet)
      try await model.load()
      #expect(model.sessions.map { $0.format?.codename } == ["bray_i", "wa18"])
      #expect(model.sessions.map { $0.rounds.map { $0.score?.total } } == [[27], [27]])
      let all = RoundHistoryModel(tablet, includesTournaments: true)
      try await all.load()
      #expect(all.sessions.count == 3 && all.sessions.first?.id == tournament.id)
      let oldest = try #require(model.sessions.last)
      let opened = ScoringModel(tablet, event: try await tablet.loadRounds(oldest.id))
      await opened.refresh()
      #expect(opened.rows.count == 1 && opened.leaderboard.first?.tally.total == 27)
      #expect(opened.participants.map(\.isCurrentUser) == [true])
      transport.disconnect()
      try await model.load()
      #expect(model.sessions.count == 2 && model.state.staleSince != nil)
      #expect(await failure { _ = try await tablet.loadRounds(model.sessions[0].id) } != nil)
      await tablet.close()
    }
  }

  @Test("A round is paused, resumed and completed, with the arrows that waited before")
  func states() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6, guests: ["Guest"])
      let model = ScoringModel(session, event: event)
      await model.refresh()
      #expect(model.participants.map(\.isCurrentUser) == [true, false])
      #expect(model.participants.map(\.roundStatus) == [.unspecified, .unspecified])
      let own = try #require(model.participants.first).id
      try await model.enter("10 9 8")
      try await session.setRoundStatus(.paused, of: own)
      await model.refresh()
      #expect(model.participants.first?.roundStatus == .paused)
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      try await session.setRoundStatus(.inProgress, of: own)
      await model.refresh()
      #expect(model.participants.first?.roundStatus == .inProgress)
      try await repeatAfterLostReply(over: transport, "SetRoundStatus") {
        try await session.setRoundStatus(.completed, of: own)
      }
      await model.refresh()
      #expect(model.participants.first?.roundStatus == .completed)
      #expect(model.participants.first?.tally.total == 27)
      transport.disconnect()
      let error = await failure { try await session.setRoundStatus(.paused, of: own) }
      #expect(error?.hasPrefix("Failed to change a round") == true)
      await session.close()
    }
  }

  @Test("A round of a tournament has no state of its own")
  func tournament() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser)
      let session = try await server.session(organiser)
      let model = ScoringModel(session, event: try await session.loadTournament(event.id))
      await model.refresh()
      let own = try #require(model.participants.first)
      #expect(own.roundStatus == .unspecified && own.isCurrentUser)
      #expect(
        await fails(saying: "end with the tournament") {
          try await session.setRoundStatus(.completed, of: own.id)
        })
      await session.close()
    }
  }
}
