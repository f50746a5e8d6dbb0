import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Stages of teams", .timeLimit(.minutes(5)))
struct TeamStageTests {
  /// A started event of one end: men in RM, women in RW, of the clubs A to D.
  ///
  /// Of club A there are four men, of B and C three, of D two, and one woman of each.
  private struct Clubs {
    let event: TestEvent
    let men: EventCategory
    let women: EventCategory
    let entries: [String: Int64]

    private static let totals: [(name: String, club: String, isMan: Bool, total: UInt32)] = [
      ("A1", "A", true, 30), ("A2", "A", true, 29), ("A3", "A", true, 28), ("A4", "A", true, 27),
      ("B1", "B", true, 30), ("B2", "B", true, 30), ("B3", "B", true, 26),
      ("C1", "C", true, 30), ("C2", "C", true, 30), ("C3", "C", true, 26),
      ("D1", "D", true, 30), ("D2", "D", true, 30),
      ("A9", "A", false, 25), ("B9", "B", false, 30), ("C9", "C", false, 22),
      ("D9", "D", false, 23),
    ]

    init(_ server: TestServer) async throws {
      event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
      men = try await Self.category("RM", .open, event)
      women = try await Self.category("RW", .female, event)
      var entries: [String: Int64] = [:]
      let drafts = Self.totals.enumerated().map { index, archer in
        TestEvent.draft(
          "\(index)", archer.name, club: archer.club, category: archer.isMan ? "RM" : "RW")
      }
      for entry in try await event.entries(drafts) {
        entries[entry.displayName] = entry.participantID
      }
      self.entries = entries
      try await event.tournament.start()
      for archer in Self.totals {
        for arrow in 0..<UInt32(3) {
          try await event.tournament.record(
            entries[archer.name] ?? 0, 0, arrow, (archer.total + arrow) / 3)
        }
      }
    }

    private static func category(
      _ code: String, _ gender: ArcherGender, _ event: TestEvent
    ) async throws -> EventCategory {
      try await event.organiser.call(
        Events.createEventCategory,
        .with { request in
          request.category = .with { category in
            (category.tournamentID, category.code, category.gender) = (event.id, code, gender)
          }
        })
    }

    func cut(
      _ size: UInt32, _ change: (inout CutTeamsRequest) -> Void = { _ in }
    ) -> CutTeamsRequest {
      var request = CutTeamsRequest()
      (request.tournamentID, request.categoryID) = (event.id, men.id)
      (request.size, request.system, request.group) = (size, .teamSets, .club)
      change(&request)
      return request
    }

    func substitution(
      _ stage: Int64, _ seed: UInt32, _ member: String, _ substitute: String
    ) -> SubstituteTeamMemberRequest {
      .with { request in
        (request.stageID, request.seed, request.reason) = (stage, seed, "ill")
        request.participantID = entries[member] ?? 0
        request.substituteID = entries[substitute] ?? 0
      }
    }
  }

  private static func text(_ bracket: EliminationBracket) -> [String] {
    bracket.ranks.sorted { $0.seed < $1.seed }.map { rank in
      "\(rank.displayName) " + rank.members.map(\.displayName).joined(separator: " ")
    }
  }

  @Test("Teams are ranked by the sum of their best archers, cut, and shoot their matches")
  func teams() async throws {
    try await TestServer.run { server in
      let test = try await Clubs(server)
      let standings = try await test.event.organiser.call(
        Events.getTeamStandings,
        .with { request in
          (request.tournamentID, request.categoryID) = (test.event.id, test.men.id)
          (request.system, request.group) = (.teamSets, .club)
        })
      #expect(
        standings.rows.map { "\($0.rank) \($0.name) \($0.total)" }
          == ["1 A 87", "2 B 86", "2 C 86"])
      #expect(
        standings.rowCount == 3
          && standings.rows[0].members.map(\.displayName)
            == ["A1", "A2", "A3"]
      )
      let bracket = try await test.event.organiser.call(Elimination.cutTeams, test.cut(3))
      #expect(Set(Self.text(bracket)) == ["A A1 A2 A3", "B B1 B2 B3", "C C1 C2 C3"])
      #expect(bracket.stage?.teamGroup == .club && bracket.stage?.size == 4)
      let semifinal = try #require(bracket.matches.first { $0.state == .scheduled })
      let match = try await test.event.organiser.call(
        Elimination.getMatch, .with { $0.matchID = semifinal.id })
      #expect(match.sides.allSatisfy { $0.participantID == 0 && $0.members.count == 3 })
      try await Self.shoot(test, semifinal.id)
      let after = try await test.event.organiser.call(
        Elimination.getBracket, .with { $0.stageID = bracket.stage?.id ?? 0 })
      #expect(after.matches.last?.sides.allSatisfy { $0.seed > 0 } == true)
      try await Self.checkPapers(test, after)
      #expect(try server.store.verify() == [])
    }
  }

  /// Shoots the final, and reads the papers of the teams.
  private static func checkPapers(_ test: Clubs, _ bracket: EliminationBracket) async throws {
    func paper(_ kind: EventDocumentKind) async throws -> String {
      let part = try await test.event.organiser.call(
        Events.getEventDocument,
        .with { request in
          (request.tournamentID, request.kind) = (test.event.id, kind)
          request.diplomaText = "Bravo {name}!\n{members}\n{rank}. {category}\n{country}"
        })
      return String(decoding: part.content, as: UTF8.self)
    }
    #expect(try await paper(.medals).contains("From the bracket, not finished"))
    let open = try #require(
      bracket.matches.first { $0.state == .scheduled && $0.sides.allSatisfy { $0.seed > 0 } })
    try await shoot(test, open.id)
    let final = try await test.event.organiser.call(
      Elimination.getMatch, .with { $0.matchID = open.id })
    let winner = final.sides[0]
    let members = winner.members.map { "<bdi>\($0.displayName)</bdi>" }
    #expect(members.count == 3)
    let brackets = try await paper(.brackets)
    #expect(brackets.contains(members.joined(separator: ", ")))
    #expect(brackets.contains("<bdi>RM, teams</bdi>"))
    let medals = try await paper(.medals)
    #expect(medals.contains("<td>Gold</td><td><bdi>\(winner.displayName)</bdi><br>"))
    let diplomas = try await paper(.diplomas)
    let plain = winner.members.map(\.displayName).joined(separator: ", ")
    #expect(
      diplomas.contains(
        "<p class=\"name\">Bravo <bdi>\(winner.displayName)</bdi>!</p>"
          + "<p><bdi>\(plain)</bdi></p>"
          + "<p><bdi>1</bdi>. <bdi>RM, teams</bdi></p></section>"))
  }

  /// The first side wins 6 to 0 with sets of six arrows; sets of three are refused.
  private static func shoot(_ test: Clubs, _ match: Int64) async throws {
    func operation(_ side: UInt32, _ end: UInt32, _ values: [UInt32]) throws -> MatchOperation {
      try .with { operation in
        operation.clientID = try test.event.tournament.clientID()
        (operation.matchID, operation.side) = (match, side)
        operation.entry = .with { entry in
          entry.index = end
          entry.arrows = values.map { value in MatchArrow.with { $0.value = value } }
        }
      }
    }
    var operations = [try operation(1, 0, [10, 10, 10])]
    for end in 0..<UInt32(3) {
      operations.append(try operation(1, end, [10, 10, 10, 9, 9, 9]))
      operations.append(try operation(2, end, [9, 9, 9, 9, 9, 9]))
    }
    let sent = operations
    let verdicts = try await test.event.organiser.call(
      Elimination.applyMatchOperations, .with { $0.operations = sent }
    ).verdicts
    #expect(verdicts.map(\.verdict) == [.refused] + Array(repeating: .stored, count: 6))
    for side in [UInt32(1), 2] {
      let shown = try await test.event.organiser.call(
        Elimination.getMatch, .with { $0.matchID = match })
      _ = try await test.event.organiser.call(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (match, side, shown.revision) })
    }
  }

  @Test("A tie of teams across the cut waits for the order in which they were told apart")
  func ties() async throws {
    try await TestServer.run { server in
      let test = try await Clubs(server)
      func refusal(_ change: (inout CutTeamsRequest) -> Void) async -> RPCError? {
        await test.event.organiser.refusal(Elimination.cutTeams, test.cut(2, change))
      }
      let before = try server.lastSequence()
      let tied = await refusal { _ in }
      #expect(tied?.code == .failedPrecondition)
      #expect(tied?.message.contains("2 teams share") == true, "\(tied as Any)")
      #expect(tied?.message.contains("1 place is left") == true)
      let cases: [([String], TieDecision, StatusCode)] = [
        (["B"], .shootOff, .failedPrecondition), (["A", "B"], .shootOff, .failedPrecondition),
        (["B", "C", "A"], .shootOff, .failedPrecondition),
        (["B", "B"], .shootOff, .invalidArgument),
        (["B", "C"], .unspecified, .invalidArgument), ([], .shootOff, .invalidArgument),
        (["B", "C"], TieDecision(rawValue: 9), .invalidArgument),
        ((0...128).map { "\($0)" }, .shootOff, .invalidArgument),
      ]
      for (names, decision, code) in cases {
        let error = await refusal { ($0.tieOrder, $0.tieDecision) = (names, decision) }
        #expect(error?.code == code, "\(names): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)
      let bracket = try await test.event.organiser.call(
        Elimination.cutTeams,
        test.cut(2) { ($0.tieOrder, $0.tieDecision) = (["C", "B"], .coinToss) })
      #expect(Self.text(bracket) == ["A A1 A2 A3", "C C1 C2 C3"])
      let open = await test.event.organiser.refusal(
        Elimination.cutTeams,
        test.cut(3) { ($0.tieOrder, $0.tieDecision) = (["C", "B"], .coinToss) })
      #expect(open?.message.contains("no tie is across the cut") == true)
    }
  }

  @Test("Mixed teams are the best woman and man of a club, from two categories")
  func mixed() async throws {
    try await TestServer.run { server in
      let test = try await Clubs(server)
      func mixed(_ second: Int64) -> CutTeamsRequest {
        test.cut(4) { ($0.secondCategoryID, $0.system) = (second, .mixedTeamSets) }
      }
      let bracket = try await test.event.organiser.call(
        Elimination.cutTeams, mixed(test.women.id))
      #expect(Self.text(bracket) == ["B B9 B1", "A A9 A1", "D D9 D1", "C C9 C1"])
      #expect(bracket.stage?.secondCategoryID == test.women.id)
      let before = try server.lastSequence()
      let first = try #require(
        try await test.event.organiser.call(
          Events.listEventCategories, .with { $0.tournamentID = test.event.id }
        ).categories.first { $0.isFirst })
      let refusals: [(CutTeamsRequest, StatusCode)] = [
        (mixed(0), .invalidArgument), (mixed(test.men.id), .invalidArgument),
        (mixed(first.id), .failedPrecondition), (mixed(999_999), .notFound),
        (test.cut(3) { $0.secondCategoryID = test.women.id }, .invalidArgument),
        (test.cut(3) { $0.system = .individualSets }, .invalidArgument),
        (test.cut(3) { $0.group = .unspecified }, .invalidArgument),
        (test.cut(3) { $0.group = .country }, .invalidArgument),
        (test.cut(1), .invalidArgument), (test.cut(4), .invalidArgument),
        (test.cut(.max), .invalidArgument),
      ]
      for (index, (request, code)) in refusals.enumerated() {
        let error = await test.event.organiser.refusal(Elimination.cutTeams, request)
        #expect(error?.code == code, "\(index): \(error as Any)")
      }
      let used = await test.event.organiser.refusal(
        Events.deleteEventCategory,
        .with { ($0.tournamentID, $0.categoryID) = (test.event.id, test.women.id) })
      #expect(used?.code == .failedPrecondition)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A member is replaced before the team shoots, by an archer of its club and category")
  func substitutes() async throws {
    try await TestServer.run { server in
      let test = try await Clubs(server)
      let drawn = try await test.event.organiser.call(Elimination.cutTeams, test.cut(3))
      let stage = try #require(drawn.stage).id
      func seed(_ club: String) -> UInt32 {
        drawn.ranks.first { $0.displayName == club }?.seed ?? 0
      }
      let before = try server.lastSequence()
      let refusals: [(SubstituteTeamMemberRequest, StatusCode)] = [
        (test.substitution(stage, seed("A"), "A1", "B1"), .failedPrecondition),
        (test.substitution(stage, seed("A"), "A1", "A9"), .failedPrecondition),
        (test.substitution(stage, seed("A"), "A1", "A2"), .failedPrecondition),
        (test.substitution(stage, seed("A"), "A1", "A1"), .invalidArgument),
        (test.substitution(stage, seed("A"), "A4", "A1"), .notFound),
        (test.substitution(stage, seed("A"), "A1", "nobody"), .notFound),
        (test.substitution(stage, 99, "A1", "A4"), .notFound),
        (test.substitution(stage, .max, "A1", "A4"), .notFound),
        (test.substitution(999_999, 1, "A1", "A4"), .notFound),
      ]
      for (index, (request, code)) in refusals.enumerated() {
        let error = await test.event.organiser.refusal(Elimination.substituteTeamMember, request)
        #expect(error?.code == code, "\(index): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)
      let changed = try await test.event.organiser.call(
        Elimination.substituteTeamMember, test.substitution(stage, seed("A"), "A2", "A4"))
      #expect(Self.text(changed).contains("A A1 A4 A3"))
      let match = try #require(drawn.matches.first { $0.state == .scheduled }).id
      try await Self.shoot(test, match)
      let late = await test.event.organiser.refusal(
        Elimination.substituteTeamMember, test.substitution(stage, seed("B"), "B1", "A2"))
      #expect(late?.code == .failedPrecondition && late?.message.contains("begun") == true)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A member of a team scores its card, and nobody else's")
  func members() async throws {
    try await TestServer.run { server in
      let test = try await Clubs(server)
      let much = try server.principal(named: "Much")
      let client = try server.client(of: much.id, [.read, .write])
      let code = try server.code(of: much.id)
      _ = try await test.event.organiser.call(
        Tournament.appointScorer,
        .with { request in
          (request.tournamentID, request.principalCode) = (test.event.id, code)
          request.participantIDs = [test.entries["B2"] ?? 0]
        })
      let drawn = try await test.event.organiser.call(Elimination.cutTeams, test.cut(3))
      let match = try #require(drawn.matches.first { $0.state == .scheduled })
      let shown = try await client.call(Elimination.getMatch, .with { $0.matchID = match.id })
      #expect(shown.sides.map(\.mayScore) == shown.sides.map { $0.displayName == "B" })
      #expect(shown.sides.contains { $0.mayScore })
      let robin = try server.client(named: "Robin")
      let other = try await robin.call(Elimination.getMatch, .with { $0.matchID = match.id })
      #expect(!other.sides.contains { $0.mayScore })
    }
  }
}
