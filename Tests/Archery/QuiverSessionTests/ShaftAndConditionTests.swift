import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Shafts and conditions of practice sessions", .timeLimit(.minutes(5)))
struct ShaftAndConditionTests {
  static func conditions(_ place: String, _ wind: Wind = .light) -> SessionConditions {
    var conditions = SessionConditions()
    conditions.place = place
    conditions.wind = wind
    return conditions
  }

  @Test("Numbers of shafts that are entered offline are on the scorecard and on the server")
  func shafts() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      _ = await session.syncNow()
      transport.disconnect()
      let event = try await session.startRounds(codename: "wa18")
      let model = ScoringModel(session, event: event)
      try await model.enter(ArrowScore(value: 10), shaft: 7)
      try await model.enter(ArrowScore(value: 9))
      try await model.enter(x: 0, y: 0.05, shaft: 99)
      let me = try #require(model.participants.first).id
      let slots = (0..<3).map { ArrowSlot(endIndex: 0, arrowIndex: $0) }
      let shown = { @MainActor in
        let arrows = model.card(me)?.arrows ?? [:]
        return slots.map { arrows[$0]?.shaft }
      }
      #expect(shown() == [7, nil, 99])
      try await model.correct(ArrowScore(value: 8), at: slots[0], of: me, reason: "misread")
      try await model.correct(ArrowScore(value: 9), at: slots[1], of: me, shaft: 3, reason: "shaft")
      #expect(shown() == [7, 3, 99])
      for bad in [0, 100, -1] {
        #expect(
          await fails(saying: "shaft") { try await model.enter(ArrowScore(value: 1), shaft: bad) })
      }
      transport.reconnect()
      #expect(await session.syncNow().error == nil)
      try await model.load()
      #expect(shown() == [7, 3, 99] && model.needsAttention.isEmpty)
      var request = GetScorecardRequest()
      request.participantID = try #require(model.participants.first).serverID
      let card = try await server.client(token).call(Rounds.getScorecard, request)
      #expect(card.arrows.map(\.shaft) == [7, 3, 99] && card.arrows.map(\.value) == [8, 9, 10])
      await session.close()
    }
  }

  @Test("Conditions that are set offline are with the session, the last of them on the server")
  func conditions() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      _ = await session.syncNow()
      transport.disconnect()
      let event = try await session.startRounds(
        codename: "wa18", conditions: Self.conditions("Hall A", .calm))
      let model = ScoringModel(session, event: event)
      await model.refresh()
      #expect(model.conditions?.place == "Hall A")
      try await model.setConditions(Self.conditions("Hall B"))
      try await model.setConditions(Self.conditions(" Field "))
      #expect(model.conditions == Self.conditions("Field") && model.waitingCount == 2)
      transport.reconnect()
      transport.loseAnswers(2)
      for _ in 0..<3 { _ = await session.syncNow() }
      #expect(try await session.outbox().isEmpty)
      let sessions = try await server.client(token).call(
        Rounds.listSessions, ListSessionsRequest())
      #expect(sessions.sessions.map(\.conditions?.place) == ["Field"])
      transport.disconnect()
      try await model.setConditions(nil)
      #expect(model.conditions == nil)
      transport.reconnect()
      let gate = transport.hold("SetSessionConditions")
      let syncing = Task { await session.syncNow() }
      await gate.arrival()
      // A change while another one is on its way is sent after it.
      try await model.setConditions(Self.conditions("Hill"))
      gate.open()
      _ = await syncing.value
      _ = await session.syncNow()
      try await model.load()
      #expect(model.conditions?.place == "Hill")
      #expect(
        await fails(saying: "conditions.place") {
          try await model.setConditions(Self.conditions(String(repeating: "a", count: 201)))
        })
      await session.close()
    }
  }

  @Test("The conditions of a tournament cannot be set on a device")
  func tournaments() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      var request = CreateTournamentRequest()
      request.name = "Open"
      request.format = FormatReference()
      request.format?.codename = "wa18"
      let tournament = try await server.client(token).call(Tournament.createTournament, request)
      let event = try await session.loadTournament(tournament.id)
      #expect(
        await fails(saying: "organiser") {
          try await session.setConditions(Self.conditions("Hall"), of: event)
        })
      await session.close()
    }
  }
}
