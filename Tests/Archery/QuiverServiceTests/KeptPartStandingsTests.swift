import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import TestSupport
import Testing

@testable import QuiverService

@Suite("Kept replies of the standings of parts", .timeLimit(.minutes(5)))
struct KeptPartStandingsTests {
  private static func request(
    _ event: TestEvent, size: UInt32 = 0,
    _ change: (inout GetCategoryStandingsRequest) -> Void = { _ in }
  ) -> GetCategoryStandingsRequest {
    .with { request in
      (request.tournamentID, request.pageSize) = (event.id, size)
      change(&request)
    }
  }

  /// Whether the server has an encoded reply for this viewer.
  private static func isKept(
    _ server: TestServer, _ event: TestEvent, principal: Int64?, category: Int64 = 0
  ) -> Bool {
    var part = Snapshot.EntryFilter()
    part.category = category
    let question = KeptStandings.Question(
      principal: principal, part: part, pageSize: 0, pageToken: "")
    return server.store.leaderboard(event.id).keptReply(for: question) != nil
  }

  private static func spectator(_ server: TestServer, _ event: TestEvent) async throws -> Client {
    let token = try await server.nobody().call(
      Tournament.getSpectatorToken, .with { $0.joinCode = event.tournament.event.joinCode })
    return try server.client(token: token.token)
  }

  @Test("A repeated page is the kept reply until an arrow or an entry changes")
  func isKept() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let compound = try await event.category("C")
      let entries = try await event.entries([
        TestEvent.draft("1", "Ann"), TestEvent.draft("2", "Ben", category: "C"),
      ])
      try await event.tournament.start()
      let request = Self.request(event) { $0.categoryID = compound.id }
      func read() async throws -> [UInt8] {
        try await event.organiser.call(Events.getCategoryStandings, request).serializedBytes()
      }
      func isKept() -> Bool {
        Self.isKept(server, event, principal: nil, category: compound.id)
      }
      let first = try await read()
      #expect(isKept())
      #expect(try await read() == first)
      try await event.tournament.record(entries[1].participantID, 0, 0, 9)
      #expect(!isKept())
      let second = try await read()
      #expect(second != first && isKept())
      var entry = entries[1]
      entry.club = "Loxley"
      let changed = entry
      _ = try await event.organiser.call(
        Events.updateEventEntry,
        .with { ($0.entry, $0.updateMask) = (changed, ["club"]) })
      #expect(!isKept())
      #expect(try await read() != second)
    }
  }

  @Test("The teams of an event are a kept reply until an arrow, and so for spectators")
  func teams() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let entries = try await event.entries(
        (1...3).map { TestEvent.draft("\($0)", "E\($0)", club: "Loxley") })
      try await event.tournament.start()
      let spectator = try await Self.spectator(server, event)
      let request = GetTeamStandingsRequest.with { request in
        (request.tournamentID, request.categoryID) = (event.id, entries[0].categoryID)
        (request.system, request.group) = (.teamSets, .club)
      }
      var scope = TeamScope()
      (scope.event, scope.category) = (event.id, entries[0].categoryID)
      let form = try TeamForm(request.system, request.group)
      let question = KeptStandings.Question(principal: nil, scope, form)
      func isKept() -> Bool { server.store.leaderboard(event.id).keptReply(for: question) != nil }
      #expect(!isKept())
      for total: UInt32 in [0, 9] {
        for client in [event.organiser, spectator, spectator] {
          let teams = try await client.call(Events.getTeamStandings, request)
          #expect(teams.rows.map(\.total) == [total] && isKept())
        }
        try await event.tournament.record(entries[1].participantID, total == 0 ? 0 : 1, 0, 9)
        #expect(!isKept())
      }
    }
  }

  @Test("Each caller sees its own row marked, and only its own, from kept replies too")
  func marksCaller() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let archers = [try server.client(named: "Robin"), try server.client(named: "Marian")]
      for archer in archers { _ = try await event.tournament.join(archer) }
      let other = try server.client(named: "Tuck")
      let spectator = try await Self.spectator(server, event)
      try await event.tournament.start()
      for _ in 0..<3 {
        for (client, marked) in [
          (archers[0], ["Robin"]), (other, []), (archers[1], ["Marian"]), (spectator, []),
        ] {
          let page = try await client.call(Events.getCategoryStandings, Self.request(event))
          #expect(page.rows.count == 2)
          #expect(
            page.rows.compactMap(\.row).filter(\.isCaller).map(\.displayName) == marked)
        }
      }
    }
  }

  @Test("A private event is served to nobody else, also after it was public")
  func hidesPrivateEvents() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      try await event.entries([TestEvent.draft("1", "Ann")])
      let other = try server.client(named: "Guy")
      for _ in 0..<2 {
        let page = try await other.call(Events.getCategoryStandings, Self.request(event))
        #expect(page.rows.count == 1)
      }
      let shown = try await event.organiser.call(
        Tournament.getTournament, .with { $0.id = event.id })
      _ = try await event.organiser.call(
        Tournament.updateTournament,
        .with { request in
          request.tournament = shown
          request.tournament?.isPublic = false
          request.updateMask = ["is_public"]
        })
      for _ in 0..<2 {
        _ = try await event.organiser.call(Events.getCategoryStandings, Self.request(event))
        let refusal = await other.refusal(Events.getCategoryStandings, Self.request(event))
        #expect(refusal?.code == .notFound)
      }
    }
  }

  @Test("The new name of an official who decided a tie is shown at once")
  func showsNames() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9]])
      let event = test.event
      let official = try server.principal(named: "Tuck")
      let judge = try server.client(of: official.id, [.read, .write])
      let code = try server.code(of: official.id)
      _ = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, .judge) })
      _ = try await judge.call(
        Elimination.decideTie,
        .with { request in
          (request.tournamentID, request.categoryID) = (event.id, test.category)
          request.participantIDs = test.entries.map(\.participantID)
          request.decision = .shootOff
        })
      for name in ["Tuck", "Friar Tuck"] {
        var profile = try await judge.call(Account.getProfile, GetProfileRequest())
        profile.displayName = name
        let given = profile
        _ = try await judge.call(
          Account.updateProfile,
          .with { ($0.profile, $0.updateMask) = (given, ["display_name"]) })
        for _ in 0..<2 {
          let page = try await event.organiser.call(
            Events.getCategoryStandings, Self.request(event))
          #expect(page.rows.map(\.decidedBy) == [name, name])
        }
      }
    }
  }

  @Test("A question about events that do not exist removes no leaderboard from memory")
  func keepsLeaderboards() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      try await event.entries([TestEvent.draft("1", "Ann")])
      _ = try await event.organiser.call(Events.getCategoryStandings, Self.request(event))
      for id in 1...Int64(StoreLimits.leaderboards) * 2 {
        let refusal = await event.organiser.refusal(
          Events.getCategoryStandings, .with { $0.tournamentID = event.id + id })
        #expect(refusal?.code == .notFound)
      }
      #expect(Self.isKept(server, event, principal: nil))
    }
  }

  @Test("A club that is too long for a kept reply is answered, and not kept")
  func refusesLongClubs() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let club = String(repeating: "a", count: StoreLimits.keptRequestBytes + 1)
      let page = try await event.organiser.call(
        Events.getCategoryStandings, Self.request(event) { $0.club = club })
      #expect(page.rows.isEmpty)
      var part = Snapshot.EntryFilter()
      part.club = club
      let question = KeptStandings.Question(
        principal: nil, part: part, pageSize: 0, pageToken: "")
      #expect(server.store.leaderboard(event.id).keptReply(for: question) == nil)
    }
  }
}
