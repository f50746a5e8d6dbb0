import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverWire
import Testing

@Suite("Watches of a part of a leaderboard", .timeLimit(.minutes(5)))
struct PartWatchTests {
  /// Turns follow each other at once, so that tests wait for nothing.
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  private typealias Messages = ReplyStream<WatchLeaderboardResponse>.Iterator

  private static func watch(
    _ event: TestEvent, by client: Client? = nil, after position: WatchPosition? = nil,
    _ change: (inout WatchLeaderboardRequest) -> Void
  ) throws -> Messages {
    var request = WatchLeaderboardRequest()
    request.tournamentID = event.id
    change(&request)
    var options = CallOptions(timeout: .seconds(20))
    options.after = position
    return try (client ?? event.organiser).client.stream(
      Tournament.watchLeaderboard, request, options: options
    ).makeAsyncIterator()
  }

  private static func spectator(_ server: TestServer, _ event: TestEvent) async throws -> Client {
    let token = try await server.nobody().call(
      Tournament.getSpectatorToken, .with { $0.joinCode = event.tournament.event.joinCode })
    return try server.client(token: token.token)
  }

  /// The rows as `rank name total`, in their order.
  private static func texts(_ message: WatchLeaderboardResponse?) -> [String] {
    (message?.rows ?? []).map { "\($0.rank) \($0.displayName) \($0.total)" }
  }

  /// Two archers of compound among one of the first category, and a spectator.
  private struct Mixed {
    let event: TestEvent
    let compound: EventCategory
    let entries: [EventEntry]
    let spectator: Client

    init(_ server: TestServer) async throws {
      event = try await TestEvent(server)
      compound = try await event.category("C")
      entries = try await event.entries([
        TestEvent.draft("1", "Ann", club: "Loxley"),
        TestEvent.draft("2", "Ben", club: "Loxley", category: "C"),
        TestEvent.draft("3", "Cat", category: "C"),
      ])
      try await event.tournament.start()
      spectator = try await PartWatchTests.spectator(server, event)
    }

    func record(_ index: Int, _ arrow: UInt32, _ value: UInt32) async throws {
      try await event.tournament.record(entries[index].participantID, 0, arrow, value)
    }
  }

  @Test("A watch of a category sends its rows with their ranks, then those whose rank changes too")
  func category() async throws {
    try await TestServer.run(Self.quick) { server in
      let mixed = try await Mixed(server)
      try await mixed.record(0, 0, 10)
      try await mixed.record(1, 0, 8)
      var messages = try Self.watch(mixed.event, by: mixed.spectator) {
        $0.categoryID = mixed.compound.id
      }
      let first = try #require(try await messages.next())
      #expect(Self.texts(first) == ["1 Ben 8", "2 Cat 0"])
      #expect(first.participantCount == 2 && first.firstTotal == 8 && first.firstRank == 1)
      #expect(first.span?.isSnapshot == true)
      // An arrow of another category shows nothing here.
      try await mixed.record(0, 1, 10)
      try await mixed.record(2, 0, 9)
      let second = try #require(try await messages.next())
      #expect(Self.texts(second) == ["1 Cat 9", "2 Ben 8"] && second.firstTotal == 9)
      #expect(second.span?.after == first.span?.upto && second.removedIDs.isEmpty)
    }
  }

  @Test("Watches of a club and of a session have the rows that GetCategoryStandings has")
  func clubsAndSessions() async throws {
    try await TestServer.run(Self.quick) { server in
      let mixed = try await Mixed(server)
      let session = try await mixed.event.session("noon", targets: 1...2, archers: 2)
      try await mixed.event.entries([
        TestEvent.draft("4", "Dan", club: "Loxley", session: session.id)
      ])
      try await mixed.record(1, 0, 7)
      for change: (inout WatchLeaderboardRequest) -> Void in [
        { $0.club = "Loxley" }, { $0.sessionID = session.id }, { $0.firstRow = 1 },
      ] {
        var asked = WatchLeaderboardRequest()
        change(&asked)
        var messages = try Self.watch(mixed.event, by: mixed.spectator, change)
        let shown = Self.texts(try await messages.next())
        let all = try await mixed.event.standings { [asked] in
          ($0.club, $0.sessionID) = (asked.club, asked.sessionID)
        }
        #expect(shown == Array(all.dropFirst(Int(asked.firstRow))) && !shown.isEmpty)
      }
    }
  }

  @Test("A page of a part begins at a row, and says how many rows are before it and in all")
  func pages() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await TestEvent(server)
      let entries = try await event.entries(
        (1...5).map { TestEvent.draft("\($0)", "E\($0)") })
      try await event.tournament.start()
      for (index, entry) in entries.enumerated() {
        try await event.tournament.record(entry.participantID, 0, 0, UInt32(10 - index))
      }
      var messages = try Self.watch(event) { ($0.firstRow, $0.top) = (2, 2) }
      let first = try #require(try await messages.next())
      #expect(Self.texts(first) == ["3 E3 8", "4 E4 7"])
      #expect(first.rowsBefore == 2 && first.participantCount == 5 && first.firstTotal == 10)
      // The last one comes to the first place, and everybody moves by one.
      try await event.tournament.record(entries[4].participantID, 0, 1, 10)
      let second = try #require(try await messages.next())
      #expect(Self.texts(second) == ["3 E2 9", "4 E3 8"])
      #expect(second.removedIDs == [entries[3].participantID])
      var beyond = try Self.watch(event) { $0.firstRow = 100 }
      let none = try #require(try await beyond.next())
      #expect(none.rows.isEmpty && none.participantCount == 5)
    }
  }

  @Test("A decided tie splits the rank in a watch of its category")
  func ties() async throws {
    try await TestServer.run(Self.quick) { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9]])
      var messages = try Self.watch(test.event) { $0.categoryID = test.category }
      #expect(Self.texts(try await messages.next()) == ["1 E1 27", "1 E2 27"])
      _ = try await test.event.organiser.call(
        Elimination.decideTie,
        .with { request in
          (request.tournamentID, request.categoryID) = (test.event.id, test.category)
          request.participantIDs = test.entries.reversed().map(\.participantID)
          request.decision = .shootOff
        })
      #expect(Self.texts(try await messages.next()) == ["2 E1 27"])
    }
  }

  @Test("Who goes to another category leaves the watch; of a deleted one it ends, and others go on")
  func changes() async throws {
    try await TestServer.run(Self.quick) { server in
      let mixed = try await Mixed(server)
      var compound = try Self.watch(mixed.event, by: mixed.spectator) {
        $0.categoryID = mixed.compound.id
      }
      var first = try Self.watch(mixed.event, by: mixed.spectator) {
        $0.categoryID = mixed.entries[0].categoryID
      }
      _ = try await compound.next()
      #expect(Self.texts(try await first.next()) == ["1 Ann 0"])
      for index in [1, 2] {
        var moved = mixed.entries[index]
        moved.categoryID = mixed.entries[0].categoryID
        _ = try await mixed.event.organiser.call(
          Events.updateEventEntry,
          .with { [moved] in ($0.entry, $0.updateMask) = (moved, ["category_id"]) })
        #expect(try await compound.next()?.removedIDs == [mixed.entries[index].participantID])
        #expect(try await first.next()?.rows.count == 1)
      }
      _ = try await mixed.event.organiser.call(
        Events.deleteEventCategory,
        .with { request in
          (request.tournamentID, request.categoryID) = (mixed.event.id, mixed.compound.id)
        })
      let gone = await #expect(throws: RPCError.self) { _ = try await compound.next() }
      #expect(gone?.code == .notFound)
      try await mixed.record(2, 0, 9)
      #expect(Self.texts(try await first.next()).contains("1 Cat 9"))
    }
  }

  @Test("A watch of a part resumes where it was, and a position that is not known is OUT_OF_RANGE")
  func resumes() async throws {
    try await TestServer.run(Self.quick) { server in
      let mixed = try await Mixed(server)
      func watch(after position: WatchPosition? = nil) throws -> Messages {
        try Self.watch(mixed.event, by: mixed.spectator, after: position) {
          $0.categoryID = mixed.compound.id
        }
      }
      var messages = try watch()
      let span = try #require(try await messages.next()?.span)
      try await mixed.record(1, 0, 8)
      let position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
      var resumed = try watch(after: position)
      let change = try #require(try await resumed.next())
      #expect(change.span?.after == span.upto && Self.texts(change).contains("1 Ben 8"))
      var unknown = try watch(
        after: WatchPosition(sequence: 1, storeEpoch: span.storeEpoch))
      let refused = await #expect(throws: RPCError.self) { _ = try await unknown.next() }
      #expect(refused?.code == .outOfRange)
    }
  }

  @Test("A part of another event, a long club and a part around an archer are refused")
  func refusals() async throws {
    try await TestServer.run(Self.quick) { server in
      let mixed = try await Mixed(server)
      let other = try await TestEvent(server)
      let elsewhere = try await other.category("X")
      for (code, change): (StatusCode, (inout WatchLeaderboardRequest) -> Void) in [
        (.notFound, { $0.categoryID = elsewhere.id }),
        (.notFound, { $0.sessionID = 999_999 }),
        (.invalidArgument, { $0.club = String(repeating: "a", count: 101) }),
        (.invalidArgument, { ($0.categoryID, $0.top) = (mixed.compound.id, 201) }),
        (
          .invalidArgument,
          { request in
            request.categoryID = mixed.compound.id
            request.aroundParticipantID = mixed.entries[1].participantID
          }
        ),
      ] {
        var messages = try Self.watch(mixed.event, by: mixed.spectator, change)
        let refused = await #expect(throws: RPCError.self) { _ = try await messages.next() }
        #expect(refused?.code == code)
      }
    }
  }

  @Test("A watch of the event tells spectators of a new elimination stage and of a deleted one")
  func stages() async throws {
    try await TestServer.run(Self.quick) { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let spectator = try await Self.spectator(server, test.event)
      var messages = try spectator.client.stream(
        Tournament.watchTournament, WatchTournamentRequest.with { $0.tournamentID = test.event.id }
      ).makeAsyncIterator()
      #expect(try await messages.next()?.tournament?.id == test.event.id)
      func stages() async throws -> [Int64] {
        try await spectator.call(
          Elimination.listStages, .with { $0.tournamentID = test.event.id }
        ).stages.map(\.id)
      }
      let stage = try #require(try await test.cut(2).stage?.id)
      #expect(try await messages.next()?.tournament?.id == test.event.id)
      #expect(try await stages() == [stage])
      _ = try await test.event.organiser.call(
        Elimination.deleteStage, .with { $0.stageID = stage })
      #expect(try await messages.next()?.tournament?.id == test.event.id)
      #expect(try await stages().isEmpty)
    }
  }

  @Test("Spectators are shown the names of archers as all others are, in every reply of an event")
  func names() async throws {
    try await TestServer.run(Self.quick) { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let bracket = try await test.cut(2)
      let stage = try #require(bracket.stage?.id)
      let spectator = try await Self.spectator(server, test.event)
      let renamed = ["E1", "E2"]
      var messages = try Self.watch(test.event, by: spectator) { $0.categoryID = test.category }
      #expect(try await messages.next()?.rows.map(\.displayName) == renamed)
      let shown = try await spectator.call(Elimination.getBracket, .with { $0.stageID = stage })
      #expect(shown.matches.first?.sides.map(\.displayName) == renamed)
      let standings = try await spectator.call(
        Events.getCategoryStandings, .with { $0.tournamentID = test.event.id })
      #expect(standings.rows.compactMap(\.row?.displayName) == renamed)
      #expect(standings.rows.compactMap(\.entry?.licence) == ["", ""])
    }
  }
}
