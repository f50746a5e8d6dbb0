import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Decided ties in standings", .timeLimit(.minutes(5)))
struct DecidedTieTests {
  private static func decide(
    _ test: TestBracket, _ places: [Int], _ decision: TieDecision = .shootOff,
    by client: Client? = nil
  ) async -> RPCError? {
    await (client ?? test.event.organiser).refusal(
      Elimination.decideTie,
      .with { request in
        (request.tournamentID, request.categoryID) = (test.event.id, test.category)
        request.participantIDs = places.map { test.entries[$0].participantID }
        request.decision = decision
      })
  }

  /// The rows as `rank name decision`.
  private static func standings(
    _ test: TestBracket, _ change: (inout GetCategoryStandingsRequest) -> Void = { _ in }
  ) async throws -> [String] {
    var request = GetCategoryStandingsRequest()
    request.tournamentID = test.event.id
    change(&request)
    let page = try await test.event.organiser.call(Events.getCategoryStandings, request)
    return page.rows.map { row in
      let decision = row.tieDecision == .unspecified ? "" : " \(row.tieDecision.rawValue)"
      return "\(row.row?.rank ?? 0) \(row.row?.displayName ?? "")\(decision)"
    }
  }

  @Test("A decided tie splits the rank, names who decided it, and a later decision replaces it")
  func split() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(
        server, [[9, 9, 9], [9, 9, 9], [9, 9, 9], [8, 8, 8], [8, 8, 8]])
      let judge = try server.principal(named: "Tuck")
      let client = try server.client(of: judge.id, [.read, .write])
      let code = try server.code(of: judge.id)
      _ = try await test.event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (test.event.id, code, .judge) })
      #expect(
        try await Self.standings(test) == ["1 E1", "1 E2", "1 E3", "4 E4", "4 E5"])
      #expect(await Self.decide(test, [2, 0, 1], by: client) == nil)
      #expect(await Self.decide(test, [4, 3], .coinToss) == nil)
      let decided = ["1 E3 1", "2 E1 1", "3 E2 1", "4 E5 2", "5 E4 2"]
      #expect(try await Self.standings(test) == decided)
      #expect(try await Self.standings(test) { $0.categoryID = test.category } == decided)
      let page = try await test.event.organiser.call(
        Events.getCategoryStandings, .with { $0.tournamentID = test.event.id })
      #expect(page.rows.map(\.decidedBy) == ["Tuck", "Tuck", "Tuck", "Sheriff", "Sheriff"])
      #expect(page.rows.allSatisfy { $0.decidedAtMilliseconds > 0 })
      #expect(page.shootingCount == 0 && page.provisional)
      #expect(await Self.decide(test, [0, 1, 2]) == nil)
      #expect(
        try await Self.standings(test).prefix(3) == ["1 E1 1", "2 E2 1", "3 E3 1"])
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A correction that adds somebody to a tie makes all of them share the rank again")
  func correction() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9], [9, 9, 8]])
      #expect(await Self.decide(test, [1, 0]) == nil)
      #expect(try await Self.standings(test) == ["1 E2 1", "2 E1 1", "3 E3"])
      let third = test.entries[2].participantID
      let stored = try await test.event.tournament.record(third, 0, 2, 8).arrows[0]
      var correction = TestTournament.operation(third, 0, 2, 9)
      (correction.replacesID, correction.reason) = (stored.operationID, "misread")
      let sent = correction
      _ = try await test.event.organiser.call(
        Tournament.correctArrow, .with { $0.operation = sent })
      #expect(try await Self.standings(test) == ["1 E1", "1 E2", "1 E3"])
      #expect(await Self.decide(test, [1, 0])?.code == .failedPrecondition)
      #expect(await Self.decide(test, [1, 2, 0]) == nil)
      let bracket = try await test.cut(2)
      #expect(bracket.ranks.map(\.displayName) == ["E2", "E3"])
    }
  }

  @Test("A tie is not decided before all arrows are shot, and the refusal changes nothing")
  func early() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9], [9, 9], nil])
      let page = try await test.event.organiser.call(
        Events.getCategoryStandings, .with { $0.tournamentID = test.event.id })
      #expect(page.shootingCount == 3)
      let before = try server.lastSequence()
      let refusal = await Self.decide(test, [1, 0])
      #expect(refusal?.code == .failedPrecondition)
      #expect(refusal?.message.contains("has not shot all arrows") == true, "\(refusal as Any)")
      #expect(await Self.decide(test, [2, 0])?.code == .failedPrecondition)
      #expect(try server.lastSequence() == before)
      try await test.event.tournament.finalise()
      #expect(await Self.decide(test, [1, 0]) == nil)
      #expect(try await Self.standings(test) == ["1 E2 1", "2 E1 1", "3 E3"])
    }
  }
}
