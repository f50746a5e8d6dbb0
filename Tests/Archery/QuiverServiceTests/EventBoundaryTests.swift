import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

/// Calls that reach beyond their event or its state.
@Suite("The boundaries of events", .timeLimit(.minutes(5)))
struct EventBoundaryTests {
  /// A call that must be refused.
  private struct Attempt {
    let name: String
    let call: (Client) async -> RPCError?

    init<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ change: (inout Request) -> Void
    ) {
      let request = Request.with(change)
      name = method.name
      call = { await $0.refusal(method, request) }
    }
  }

  /// An event with a session, a category, a cut and a match.
  private struct Whole {
    let test: TestBracket
    let session: Int64
    let stage: Int64
    let match: Int64

    var event: Int64 { test.event.id }
    var entry: Int64 { test.entries[0].participantID }

    init(_ server: TestServer) async throws {
      test = try await TestBracket(server, TestBracket.descending(3)) { $0.isPublic = false }
      session = try await test.event.session("line", targets: 1...2, archers: 2).id
      let bracket = try await test.cut(2)
      stage = try #require(bracket.stage).id
      match = bracket.matches[0].id
    }
  }

  @Test("Ids of another event are not found, whoever organises this one, and nothing changes")
  func otherEvents() async throws {
    try await TestServer.run { server in
      let (own, other) = (try await Whole(server), try await Whole(server))
      let before = try server.lastSequence()
      for attempt in Self.foreign(own, other) {
        let error = await attempt.call(own.test.event.organiser)
        #expect(error?.code == .notFound, "\(attempt.name): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)
    }
  }

  private static func foreign(_ own: Whole, _ other: Whole) -> [Attempt] {
    foreignEntries(own, other) + foreignStages(own, other)
  }

  private static func foreignEntries(_ own: Whole, _ other: Whole) -> [Attempt] {
    [
      Attempt(Events.drawTargets) { request in
        (request.tournamentID, request.sessionID) = (own.event, other.session)
        request.method = .ranking
      },
      Attempt(Events.drawTargets) { request in
        (request.tournamentID, request.sessionID) = (own.event, own.session)
        (request.method, request.categoryID) = (.random, other.test.category)
      },
      Attempt(Events.placeEventEntry) { request in
        (request.participantID, request.sessionID) = (own.entry, other.session)
        (request.target, request.letter) = (1, "A")
      },
      Attempt(Events.placeEventEntry) { request in
        (request.participantID, request.sessionID) = (other.entry, own.session)
        (request.target, request.letter) = (1, "A")
      },
      Attempt(Events.updateEventEntry) { request in
        request.entry = .with {
          ($0.participantID, $0.categoryID) = (own.entry, other.test.category)
        }
        request.updateMask = ["category_id"]
      },
      Attempt(Events.updateEventEntry) { request in
        request.entry = .with { ($0.participantID, $0.sessionID) = (own.entry, other.session) }
        request.updateMask = ["session_id"]
      },
      Attempt(Events.importEventEntries) { request in
        request.tournamentID = own.event
        request.entries = [TestEvent.draft("99", "Ann", session: other.session)]
      },
      Attempt(Events.setEventEntryState) {
        ($0.participantID, $0.state) = (other.entry, .checkedIn)
      },
      Attempt(Events.getCategoryStandings) {
        ($0.tournamentID, $0.categoryID) = (own.event, other.test.category)
      },
      Attempt(Events.getTeamStandings) { request in
        (request.tournamentID, request.categoryID) = (own.event, other.test.category)
        (request.system, request.group) = (.teamSets, .club)
      },
    ]
  }

  private static func foreignStages(_ own: Whole, _ other: Whole) -> [Attempt] {
    [
      Attempt(Elimination.cutCategory) {
        ($0.tournamentID, $0.categoryID) = (own.event, other.test.category)
        ($0.size, $0.system) = (2, .individualSets)
      },
      Attempt(Elimination.cutTeams) { request in
        (request.tournamentID, request.categoryID) = (own.event, other.test.category)
        (request.size, request.system, request.group) = (2, .teamSets, .club)
      },
      Attempt(Elimination.drawGroups) { request in
        (request.tournamentID, request.categoryID) = (own.event, other.test.category)
        (request.size, request.groupCount, request.system) = (2, 1, .individualSets)
      },
      Attempt(Elimination.decideTie) { request in
        (request.tournamentID, request.categoryID) = (own.event, own.test.category)
        (request.participantIDs, request.decision) = ([own.entry, other.entry], .coinToss)
      },
      Attempt(Elimination.getBracket) { $0.stageID = other.stage },
      Attempt(Elimination.deleteStage) { $0.stageID = other.stage },
      Attempt(Elimination.placeMatches) { request in
        (request.stageID, request.roundSize, request.targetsPerMatch) = (other.stage, 2, 1)
      },
      Attempt(Elimination.placeMatch) { ($0.matchID, $0.targetsPerMatch) = (other.match, 1) },
      Attempt(Elimination.cutGroups) {
        ($0.stageID, $0.perGroup, $0.system) = (other.stage, 1, .individualSets)
      },
      Attempt(Elimination.substituteTeamMember) { request in
        (request.stageID, request.seed, request.reason) = (other.stage, 1, "ill")
        (request.participantID, request.substituteID) = (other.entry, own.entry)
      },
      Attempt(Elimination.forfeitMatch) {
        ($0.matchID, $0.side, $0.reason) = (other.match, 1, "late")
      },
      Attempt(Elimination.reopenMatch) { ($0.matchID, $0.reason) = (other.match, "late") },
      Attempt(Elimination.confirmMatchCard) {
        ($0.matchID, $0.side, $0.revision) = (other.match, 1, 1)
      },
    ]
  }

  @Test("In a cancelled event nothing changes, and before the start nothing is cut")
  func states() async throws {
    try await TestServer.run { server in
      let whole = try await Whole(server)
      let organiser = whole.test.event.organiser
      _ = try await organiser.call(
        Tournament.cancelTournament, .with { $0.id = whole.event })
      let before = try server.lastSequence()
      for attempt in Self.changes(whole.event, whole.test.category, whole.session, whole.entry)
        + Self.matchChanges(whole)
      {
        let error = await attempt.call(organiser)
        #expect(error?.code == .failedPrecondition, "\(attempt.name): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)

      let open = try await TestEvent(server)
      let entry = try await open.entries([TestEvent.draft("1", "Ann")])[0]
      for attempt in Self.cuts(open.id, entry.categoryID, entry.participantID) {
        let error = await attempt.call(open.organiser)
        #expect(error?.code == .failedPrecondition, "\(attempt.name): \(error as Any)")
      }
    }
  }

  private static func cuts(_ event: Int64, _ category: Int64, _ entry: Int64) -> [Attempt] {
    [
      Attempt(Elimination.cutCategory) { request in
        (request.tournamentID, request.categoryID) = (event, category)
        (request.size, request.system) = (2, .individualSets)
      },
      Attempt(Elimination.cutTeams) { request in
        (request.tournamentID, request.categoryID) = (event, category)
        (request.size, request.system, request.group) = (2, .teamSets, .club)
      },
      Attempt(Elimination.drawGroups) { request in
        (request.tournamentID, request.categoryID) = (event, category)
        (request.size, request.groupCount, request.system) = (2, 1, .individualSets)
      },
      Attempt(Elimination.decideTie) { request in
        (request.tournamentID, request.categoryID) = (event, category)
        (request.participantIDs, request.decision) = ([entry, entry + 1], .coinToss)
      },
    ]
  }

  private static func changes(
    _ event: Int64, _ category: Int64, _ session: Int64, _ entry: Int64
  ) -> [Attempt] {
    cuts(event, category, entry) + [
      Attempt(Events.createEventCategory) {
        $0.category = .with { ($0.tournamentID, $0.code) = (event, "XX") }
      },
      Attempt(Events.createEventSession) { request in
        request.session = .with { session in
          (session.tournamentID, session.name) = (event, "x")
          (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 1, 1)
        }
      },
      Attempt(Events.deleteEventSession) {
        ($0.tournamentID, $0.sessionID) = (event, session)
      },
      Attempt(Events.setSessionPlaces) { request in
        (request.tournamentID, request.sessionID) = (event, session)
        request.blockedPlaces = ["1"]
      },
      Attempt(Events.importEventEntries) {
        ($0.tournamentID, $0.entries) = (event, [TestEvent.draft("99", "Ann")])
      },
      Attempt(Events.drawTargets) { request in
        (request.tournamentID, request.sessionID, request.method) = (event, session, .random)
      },
      Attempt(Events.placeEventEntry) { request in
        (request.participantID, request.sessionID) = (entry, session)
        (request.target, request.letter) = (1, "A")
      },
      Attempt(Events.setEventEntryState) { ($0.participantID, $0.state) = (entry, .checkedIn) },
    ]
  }

  private static func matchChanges(_ whole: Whole) -> [Attempt] {
    [
      Attempt(Elimination.deleteStage) { $0.stageID = whole.stage },
      Attempt(Elimination.placeMatches) { request in
        (request.stageID, request.roundSize, request.targetsPerMatch) = (whole.stage, 2, 1)
      },
      Attempt(Elimination.placeMatch) { ($0.matchID, $0.targetsPerMatch) = (whole.match, 1) },
      Attempt(Elimination.cutGroups) {
        ($0.stageID, $0.perGroup, $0.system) = (whole.stage, 1, .individualSets)
      },
      Attempt(Elimination.substituteTeamMember) { request in
        (request.stageID, request.seed, request.reason) = (whole.stage, 1, "ill")
        (request.participantID, request.substituteID) = (1, 2)
      },
      Attempt(Elimination.forfeitMatch) {
        ($0.matchID, $0.side, $0.reason) = (whole.match, 1, "late")
      },
      Attempt(Elimination.reopenMatch) { ($0.matchID, $0.reason) = (whole.match, "late") },
      Attempt(Elimination.confirmMatchCard) {
        ($0.matchID, $0.side, $0.revision) = (whole.match, 1, 1)
      },
    ]
  }

  @Test("An official finds a private event among its own, until the role is taken away")
  func officials() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let judge = try server.principal(named: "Tuck")
      let client = try server.client(of: judge.id, [.read, .write])
      func own() async throws -> [Int64] {
        try await client.call(Tournament.listTournaments, ListTournamentsRequest())
          .tournaments.map(\.id)
      }
      #expect(try await own() == [])
      let code = try server.code(of: judge.id)
      _ = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, .judge) })
      #expect(try await own() == [event.id])
      _ = try await event.organiser.call(
        Events.removeEventOfficial,
        .with { ($0.tournamentID, $0.principalID) = (event.id, judge.id) })
      #expect(try await own() == [])
    }
  }
}
