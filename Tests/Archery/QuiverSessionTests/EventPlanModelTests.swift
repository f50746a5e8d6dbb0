import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("An event of several rounds on a device", .timeLimit(.minutes(5)))
struct EventPlanModelTests {
  /// An event with two categories of two rounds, whose rounds are shot on two days.
  ///
  /// Ann shoots 6 and 3 arrows of the WA 18 m round, on target 1A and then on 1B; Bea 3 and 3
  /// arrows of the Portsmouth round, on 1B and then on 1A.
  @MainActor
  private struct TestDays {
    let event: TournamentEvent
    let plan: EventPlanModel
    let days: [EventSession]
    let ann: Int64
    let bea: Int64

    init(_ server: SessionServer, _ organiser: String, _ session: OfflineSession) async throws {
      event = try await server.tournament(organiser, arrows: 6) { $0.joins = false }
      plan = EventPlanModel(session, event: event.id)
      try await plan.load()
      let first = try #require(plan.categories.first)
      try await plan.addRound(Self.format("wa18"), to: first)
      let other = try await plan.createCategory(
        .with { ($0.code, $0.name) = ("CW", "Compound") }, format: Self.format("portsmouth"))
      try await plan.addRound(Self.format("portsmouth"), to: other)
      var days: [EventSession] = []
      for round in [1, 2] as [UInt32] {
        days.append(
          try await plan.createSession(
            .with { session in
              (session.name, session.round) = ("Day \(round)", round)
              session.startsAtMilliseconds = 1_800_000_000_000 + Int64(round) * 86_400_000
              (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 2, 2)
            }))
      }
      self.days = days
      let entries = try await plan.importEntries([
        .with { draft in
          (draft.name, draft.bib, draft.club, draft.sessionID) = ("Ann", "1", "Ash", days[0].id)
        },
        .with { draft in
          (draft.name, draft.bib, draft.club, draft.sessionID) = ("Bea", "2", "Elm", days[0].id)
          draft.categoryCode = "CW"
        },
      ])
      (ann, bea) = (entries[0].participantID, entries[1].participantID)
      for (id, letters) in [(ann, ["A", "B"]), (bea, ["B", "A"])] {
        try await plan.updateEntry(
          .with { ($0.participantID, $0.sessionID) = (id, days[1].id) }, fields: ["session_id"])
        for (day, letter) in zip(days, letters) {
          try await plan.place(id, inSession: day.id, target: 1, letter: letter)
        }
      }
      try await server.start(event, by: organiser)
    }

    static func format(_ codename: String) -> FormatReference {
      .with { ($0.codename, $0.arrowLimit) = (codename, 3) }
    }
  }

  @Test("Each archer shoots the rounds of its category, day by day, also without a connection")
  func days() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      var transport = FaultyTransport(try server.client(organiser))
      var session = try await server.session(organiser, transport: transport)
      let test = try await TestDays(server, organiser, session)
      let key = try await session.loadTournament(test.event.id)
      var scoring = ScoringModel(session, event: key)
      await scoring.refresh()
      #expect(scoring.participants.map(\.name) == ["Ann", "Bea"])
      let (ann, bea) = (scoring.participants[0].id, scoring.participants[1].id)
      #expect(scoring.rounds(of: ann).map(\.firstEnd) == [0, 2])
      #expect(scoring.rounds(of: ann).map(\.maximumScore) == [60, 30])
      #expect(scoring.rounds(of: bea).map(\.firstEnd) == [0, 1])
      #expect(scoring.rounds(of: ann).map(\.place?.sessionName) == ["Day 1", "Day 2"])
      #expect(
        scoring.rounds(of: bea).map { "\($0.place?.target ?? 0)\($0.place?.letter ?? "")" }
          == ["1B", "1A"])
      transport.disconnect()

      // The first day is shot before the second one begins, in the order of its places; on the
      // second day Bea is first.
      var turns: [String] = []
      let sheets = [
        "Ann 1": "10 9 8", "Bea 1": "9 9 9", "Ann 2": "8 8 8", "Bea 2": "7 7 7", "Ann 3": "6 6 6",
      ]
      for _ in 0..<5 {
        let position = try #require(scoring.position)
        let turn = "\(scoring.current?.name ?? "") \(position.endIndex + 1)"
        turns.append(turn)
        try await scoring.enter(try #require(sheets[turn]))
        if turn == "Bea 1" {
          #expect(scoring.openRound(of: ann)?.id == 1 && scoring.openRound(of: bea)?.id == 2)
        }
      }
      #expect(turns == ["Ann 1", "Bea 1", "Ann 2", "Bea 2", "Ann 3"])
      #expect(scoring.isRoundComplete && scoring.openRound(of: ann) == nil)
      // Bea has no third end: her rounds have two.
      #expect(
        await failure {
          try await scoring.enter(
            ArrowScore(value: 5), at: ArrowSlot(endIndex: 2, arrowIndex: 0), of: bea)
        } != nil)
      await session.close()

      transport = FaultyTransport(try server.client(organiser))
      transport.disconnect()
      session = try await server.session(organiser, transport: transport)
      scoring = ScoringModel(session, event: key)
      await scoring.refresh()
      #expect(scoring.rounds(of: ann).map(\.tally.total) == [51, 18])
      #expect(scoring.rounds(of: bea).map(\.tally.total) == [27, 21])
      #expect(scoring.rounds(of: ann).map(\.waitingCount) == [6, 3])
      #expect(scoring.card(ann)?.tally.total == 69 && scoring.card(bea)?.tally.total == 48)
      let category = try await checkPlan(test, session)
      transport.reconnect()
      transport.loseAnswers(1)
      for _ in 0..<5 where scoring.waitingCount > 0 {
        _ = await failure { try await scoring.load() }
      }
      #expect(scoring.waitingCount == 0 && scoring.needsAttention.isEmpty)
      #expect(try await server.card(test.bea, by: organiser).sheet == "9 9 9 7 7 7")
      #expect(scoring.rounds(of: ann).map(\.waitingCount) == [0, 0])

      try await checkStandings(test, category, session, transport)
      await session.close()
    }
  }

  /// Shows the structure without a connection; returns the id of the first category.
  private func checkPlan(
    _ test: TestDays, _ session: OfflineSession
  ) async throws -> Int64 {
    let plan = EventPlanModel(session, event: test.event.id)
    await plan.refresh()
    #expect(plan.sessions.map(\.name) == ["Day 1", "Day 2"])
    #expect(plan.entries(inSession: test.days[1].id).map(\.entry.displayName) == ["Bea", "Ann"])
    #expect(plan.places(of: test.ann).map(\.letter) == ["A", "B"])
    return try #require(plan.categories.first).id
  }

  /// Shows the standings of parts of the event, with and without a connection.
  private func checkStandings(
    _ test: TestDays, _ category: Int64, _ session: OfflineSession, _ transport: FaultyTransport
  ) async throws {
    let standings = CategoryStandingsModel(
      session, event: test.event.id, part: .init(category: category))
    try await standings.load()
    #expect(standings.rows.map { $0.rounds.map(\.total) } == [[51, 18]])
    #expect(standings.isProvisional && standings.unconfirmedCount == 1)
    #expect(standings.rows.map(CategoryStandingsModel.isConfirmed) == [false])
    try await standings.choose(.init(club: "Elm"))
    #expect(standings.rows.compactMap(\.entry?.displayName) == ["Bea"])
    try await standings.choose(.init(session: test.days[1].id))
    #expect(standings.rows.count == 2)
    transport.disconnect()
    try await standings.choose(.init(club: "Elm"))
    #expect(standings.rows.count == 1 && standings.state.staleSince != nil)
    #expect(await failure { try await standings.choose(.init(club: "Oak")) } != nil)
    #expect(standings.rows.isEmpty && standings.state.error != nil)
  }

  @Test("A change of an organiser whose reply is lost is made once, also after a restart")
  func once() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser) { $0.joins = false }
      var transport = FaultyTransport(try server.client(organiser))
      var session = try await server.session(organiser, transport: transport)
      var plan = EventPlanModel(session, event: event.id)
      try await plan.load()
      let line = EventSession.with { session in
        (session.name, session.firstTarget, session.lastTarget) = ("Line", 1, 4)
        session.archersPerTarget = 4
      }
      transport.loseAnswers(1)
      #expect(await failure { try await plan.createSession(line) } != nil)
      await session.close()
      transport = FaultyTransport(try server.client(organiser))
      session = try await server.session(organiser, transport: transport)
      plan = EventPlanModel(session, event: event.id)
      let made = try await plan.createSession(line)
      #expect(plan.sessions.map(\.id) == [made.id])
      // The reply was seen: the same again is another session.
      let other = try await plan.createSession(line)
      #expect(plan.sessions.map(\.id) == [made.id, other.id] && made.id != other.id)
      // A refusal changes nothing, and leaves no key behind.
      transport.refuseNext(RPCError(.permissionDenied, "not you", origin: .server))
      #expect(await fails(saying: "not you") { try await plan.deleteSession(other.id) })
      #expect(plan.sessions.count == 2)
      try await plan.deleteSession(other.id)
      #expect(plan.sessions.map(\.id) == [made.id])
      await session.close()
    }
  }

  @Test("Changes of the structure by an archer, and a target twice, are refused and change nothing")
  func refusals() async throws {
    try await SessionServer.run { server in
      let (organiser, archer) = (try server.token(), try server.token())
      let office = try await server.session(organiser, on: "office")
      let test = try await TestDays(server, organiser, office)
      let before = try await server.client(organiser).call(
        Events.listEventEntries, .with { $0.tournamentID = test.event.id })
      #expect(
        await failure {
          try await test.plan.place(
            test.ann, inSession: test.days[0].id, target: 1, letter: "B")
        } != nil)
      #expect(test.plan.changeError?.operation == "place an entry")
      // Target 0 would remove the place.
      #expect(
        await fails(saying: "target: must be from 0") {
          try await test.plan.place(
            test.ann, inSession: test.days[0].id, target: -1, letter: "A")
        })
      #expect(test.plan.changeError?.code == .invalid)
      let phone = try await server.session(archer)
      let other = EventPlanModel(phone, event: test.event.id)
      // It has no part in the event, which is private.
      #expect(await failure { try await other.load() } != nil)
      #expect(other.categories.isEmpty && other.state.error != nil)
      #expect(
        await failure { try await other.setState(.didNotFinish, of: test.ann, reason: "tired") }
          != nil)
      let after = try await server.client(organiser).call(
        Events.listEventEntries, .with { $0.tournamentID = test.event.id })
      #expect(before == after)
      await office.close()
      await phone.close()
    }
  }
}
