import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("The models of the list of tournaments and of results", .timeLimit(.minutes(5)))
struct TournamentListModelTests {
  private static let format = FormatReference.with { ($0.codename, $0.arrowLimit) = ("wa18", 3) }

  @Test("A tournament that the model creates is in the list, also if its reply was lost")
  func creates() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = TournamentListModel(session)
      try await model.load()
      #expect(model.tournaments.isEmpty && model.state == .loaded(staleSince: nil))
      let made = try await resultAfterLostReply(over: transport, "CreateTournament") {
        try await model.create("Club", format: Self.format) { $0.isPublic = true }
      }
      #expect(made.name == "Club" && made.isPublic && model.tournaments.map(\.id) == [made.id])
      let other = try await model.create("Club", format: Self.format) { $0.isPublic = true }
      #expect(Set(model.tournaments.map(\.id)) == [made.id, other.id])
      let error = await failure { try await model.create("", format: Self.format) }
      #expect(error?.hasPrefix("Failed to create a tournament: name") == true)
      #expect(model.changeError != nil && model.tournaments.count == 2)
      transport.disconnect()
      try await model.load()
      #expect(model.tournaments.count == 2 && model.state.staleSince != nil)
      await session.close()
    }
  }

  @Test("An archer joins by a code and from the public list, and then has the tournament")
  func joins() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let hidden = try await server.tournament(organiser, arrows: 3)
      let shown = try await server.tournament(organiser, arrows: 3) { $0.isPublic = true }
      let session = try await server.session(try server.token())
      let model = TournamentListModel(session, part: .everybodys)
      try await model.load()
      #expect(model.tournaments.map(\.id) == [shown.id])
      let first = try await model.join(try #require(model.tournaments.first))
      #expect(first.tournamentID == shown.id && model.tournaments.first?.participantID == first.id)
      try await model.choose(.own)
      #expect(model.tournaments.map(\.id) == [shown.id])
      let second = try await model.join(code: hidden.joinCode)
      #expect(second.tournamentID == hidden.id)
      #expect(Set(model.tournaments.map(\.id)) == [shown.id, hidden.id])
      #expect(await failure { try await model.join(code: "0000-0000-0000-0000") } != nil)
      #expect(model.changeError != nil && model.tournaments.count == 2)

      // The archer's own row, on both screens.
      let scoring = ScoringModel(session, event: try await session.loadTournament(shown.id))
      await scoring.refresh()
      #expect(scoring.leaderboard.count == 2)
      #expect(scoring.leaderboard.filter(\.isCurrentUser).map(\.name) == [first.displayName])
      #expect(scoring.participants.map(\.isCurrentUser) == [true])
      await session.close()
    }
  }

  @Test("A finalised event has results, which stay without a connection")
  func results() async throws {
    try await SessionServer.run { server in
      let scene = try await ScoredEvent(server, [7, 10, 9])
      let transport = try scene.transport()
      let session = try await scene.session(transport)
      let model = EventResultsModel(session, event: scene.event)
      #expect(await failure { try await model.load() }?.contains("Failed to load results") == true)
      #expect(model.rows.isEmpty)
      let office = EventOfficeModel(session, event: scene.event)
      try await office.finalise(anyway: true)
      await model.clearError()
      try await model.load()
      #expect(model.rows.map(\.displayName) == ["A2", "A3", "A1"])
      #expect(model.rows.map(\.total) == [30, 27, 21] && model.rows.map(\.rank) == [1, 2, 3])
      #expect(model.policy != nil && model.lateCount == 0 && model.ownRow == nil)
      #expect(model.openSteps.map(\.kind) == [])
      transport.disconnect()
      try await model.load()
      #expect(model.rows.count == 3 && model.state.staleSince != nil)
      await session.close()
    }
  }

  @Test("The results name the row of the user")
  func ownResult() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser, arrows: 3)
      let archer = try server.token()
      let own = try await server.join(event, by: archer)
      try await server.start(event, by: organiser)
      try await server.finalise(event, by: organiser)
      let session = try await server.session(archer)
      let model = EventResultsModel(session, event: event.id)
      try await model.load()
      #expect(model.rows.count == 2 && model.ownRow?.participantID == own.id)
      #expect(model.openSteps.map(\.missing) == ["2 entries have not shot all arrows"])
      await session.close()
    }
  }
}
