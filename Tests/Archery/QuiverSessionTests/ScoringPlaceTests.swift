import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Arrows entered by position", .timeLimit(.minutes(5)))
struct ScoringPlaceTests {
  /// On a 40 cm face: a ten of an arrow of 9.3 mm, a nine of a thin one.
  private static let x = 0.1 + 0.0232

  private func thinSetup(_ session: OfflineSession) async throws -> LocalID {
    var arrow = Arrow()
    arrow.brand = "Easton"
    arrow.model = "X10"
    arrow.diameterMillimetres = 5.5
    var setup = BowSetup()
    setup.name = "Outdoor"
    setup.components = [try await session.component(try await session.create(arrow))]
    return try await session.create(setup)
  }

  @Test("Arrows are scored with the setup's diameter, and guests' arrows with the default")
  func setup() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      transport.disconnect()
      let event = try await session.startRounds(
        codename: "wa18", arrowLimit: 6, guests: ["Ann"], setup: try await thinSetup(session))
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      for _ in 0..<6 { #expect(await failure { try await scoring.enter(x: Self.x, y: 0) } == nil) }
      #expect(scoring.rows == ["1 Ann 30 0", "2 Robin 27 0"])
      transport.reconnect()
      try await scoring.load()
      for _ in 0..<6 { #expect(await failure { try await scoring.enter(x: Self.x, y: 0) } == nil) }
      #expect(scoring.rows == ["1 Ann 60 0", "2 Robin 54 0"])
      try await scoring.load()
      #expect(scoring.rows == ["1 Ann 60 0", "2 Robin 54 0"] && scoring.needsAttention.isEmpty)
      for (participant, sheet) in zip(scoring.participants, ["9 9 9 9 9 9", "10 10 10 10 10 10"]) {
        let card = try await server.card(participant.serverID, by: token)
        #expect(card.sheet == sheet && card.arrows.allSatisfy { !$0.flagged })
      }
      await session.close()
    }
  }

  @Test("The server's value counts if only the server knows the arrows")
  func server() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff) { $0.joins = false }
      let transport = FaultyTransport(try server.client(robin))
      let session = try await server.session(robin, transport: transport)
      await session.syncNow()
      let setup = try await thinSetup(session)
      await session.syncNow()
      var request = JoinTournamentRequest()
      request.joinCode = event.joinCode
      request.setupID = try #require(try await session.setups().first { $0.id == setup }?.serverID)
      let own = try await server.client(robin).call(Tournament.joinTournament, request)
      try await server.start(event, by: sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(await failure { try await scoring.enter(x: Self.x, y: 0) } == nil)
      transport.loseAnswers(1)
      await session.syncNow()
      try await scoring.load()
      #expect(scoring.rows == ["1 Robin 9 0"] && scoring.needsAttention.isEmpty)
      let card = try await server.card(own.id, by: robin)
      #expect(card.sheet == "9" && card.arrows.allSatisfy { !$0.flagged })
      await session.close()
    }
  }
}
