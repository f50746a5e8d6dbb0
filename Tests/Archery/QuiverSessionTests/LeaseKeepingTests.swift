import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Leases that models keep", .timeLimit(.minutes(5)))
struct LeaseKeepingTests {
  private func wait(
    until isShown: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  /// A session that renews leases often.
  private func phone(
    _ server: SessionServer, _ token: String, _ transport: FaultyTransport
  ) async throws -> OfflineSession {
    try await server.session(token, transport: transport) { configuration in
      configuration.device = "phone"
      configuration.limits.shortestLeaseInterval = .milliseconds(20)
      configuration.limits.longestLeaseInterval = .milliseconds(20)
    }
  }

  @Test("A phone keeps the lease of the target on which it scores, until another device has it")
  func scoring() async throws {
    try await SessionServer.run { server in
      let (organiser, archer) = (try server.token(), try server.token())
      let event = try await server.tournament(organiser, arrows: 3) { $0.joins = false }
      let office = try await server.session(organiser, on: "office")
      let plan = EventPlanModel(office, event: event.id)
      try await plan.load()
      let line = try await plan.createSession(
        .with { session in
          (session.name, session.firstTarget, session.lastTarget) = ("Line", 1, 1)
          session.archersPerTarget = 1
        })
      let id = try await server.join(event, by: archer).id
      try await plan.updateEntry(
        .with { ($0.participantID, $0.sessionID) = (id, line.id) }, fields: ["session_id"])
      try await plan.place(id, inSession: line.id, target: 1, letter: "A")
      try await server.start(event, by: organiser)
      let leases = EventOfficeModel(office, event: event.id)
      try await leases.demandLeases(true)
      let code = try #require(try await leases.codes(ofSession: line.id).first).code

      let transport = FaultyTransport(try server.client(archer))
      let session = try await phone(server, archer, transport)
      let model = ScoringModel(session, event: try await session.loadTournament(event.id))
      await model.refresh()
      try await model.enter("10 9 8")
      try await model.load()
      #expect(model.waitingCount > 0 && model.target == nil)
      transport.disconnect()
      model.keepLease(ofTarget: code)
      try await wait { model.leaseError != nil }
      #expect(model.leaseError?.code == .call(.unavailable) && model.target == nil)
      transport.reconnect()
      try await wait { model.target != nil }
      #expect(model.target?.number == 1 && model.leaseError == nil)
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      #expect(try await server.card(id, by: organiser).sheet == "10 9 8")
      let joins = transport.sent.count { $0 == "JoinTarget" }
      try await wait { transport.sent.count { $0 == "JoinTarget" } > joins + 2 }
      try await leases.load()
      #expect(leases.leases.map(\.device) == ["phone"])

      _ = try await server.client(organiser).call(
        Events.joinTarget,
        .with { request in
          (request.code, request.device, request.card) = (code, "tablet", 1)
          request.takeOver = true
        })
      try await wait { model.leaseError != nil }
      #expect(model.leaseError?.operation == "join a target" && model.target == nil)
      #expect(model.keeping == nil)
      model.stopKeepingLease()
      #expect(model.leaseError == nil)
      for session in [session, office] { await session.close() }
    }
  }

  @Test("A phone keeps the lease of the target of a match, and scores both sides")
  func match() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9])
      let client = try server.client(test.organiser)
      let cut = try await test.cut(to: 2)
      let id = try #require(cut.matches.first).id
      _ = try await client.call(
        Elimination.placeMatch,
        .with { ($0.matchID, $0.firstTarget, $0.targetsPerMatch) = (id, 4, 1) })
      _ = try await client.call(
        Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (test.event, true) })
      let code = try await client.call(
        Events.listTargetCodes,
        .with { request in
          (request.tournamentID, request.firstTarget, request.lastTarget) = (test.event, 4, 4)
        }
      ).codes[0].code

      let scorer = try server.token()
      let session = try await phone(server, scorer, FaultyTransport(try server.client(scorer)))
      let model = MatchModel(session, match: id)
      try await model.load()
      #expect(model.sides.allSatisfy { !$0.mayScore })
      model.keepLease(ofTarget: code)
      try await wait { model.target != nil }
      #expect(model.target?.number == 4 && model.target?.session == 0)
      try await model.load()
      #expect(model.sides.allSatisfy { $0.mayScore })
      try await model.enter([10, 9, 9].map { ArrowScore(value: $0) }, side: 1, end: 0)
      try await model.enter([9, 9, 9].map { ArrowScore(value: $0) }, side: 2, end: 0)
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      let stored = try await client.call(Elimination.getMatch, .with { $0.matchID = id })
      #expect(stored.sides.map(\.setPoints) == [2, 0])
      model.keepLease(ofTarget: "qt_none")
      try await wait { model.leaseError != nil }
      #expect(model.target == nil && model.leaseError?.operation == "join a target")
      await session.close()
    }
  }
}
