import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Calls on qualification rounds of events", .timeLimit(.minutes(5)))
struct QualificationRoundCallTests {
  /// The text of a document in one part.
  private static func document(
    _ event: TestEvent, _ kind: EventDocumentKind, session: Int64 = 0
  ) async throws -> String {
    let part = try await event.organiser.call(
      Events.getEventDocument,
      .with { ($0.tournamentID, $0.kind, $0.sessionID) = (event.id, kind, session) })
    return try #require(String(validating: part.content, as: UTF8.self))
  }

  private static func session(
    _ event: TestEvent, _ name: String, round: UInt32
  ) async throws -> EventSession {
    try await event.organiser.call(
      Events.createEventSession,
      .with { request in
        request.session = .with { session in
          (session.tournamentID, session.name, session.round) = (event.id, name, round)
          (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 2, 2)
        }
      })
  }

  private static func shoot(
    _ event: TestEvent, _ entry: EventEntry, _ round: UInt32, _ value: UInt32
  ) async throws {
    for arrow in 0..<UInt32(3) {
      _ = try await event.tournament.record(
        entry.participantID, round, arrow, value, by: event.organiser)
    }
  }

  @Test("Two days with a draw each: entries, standings, score cards and files have both rounds")
  func days() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let made = try await event.category("R", round: "wa18", arrows: 3)
      #expect(made.rounds.map(\.number) == [1])
      let category = try await event.organiser.call(
        Events.addQualificationRound,
        .with { request in
          (request.tournamentID, request.categoryID) = (event.id, made.id)
          (request.revision, request.format) = (made.revision, .library("wa18", arrows: 3))
        })
      #expect(category.rounds.map(\.firstEnd) == [0, 1])
      #expect(category.rounds.map(\.maximumScore) == [30, 30])
      let first = try await Self.session(event, "Saturday", round: 0)
      let second = try await Self.session(event, "Sunday", round: 2)
      #expect(first.round == 1 && second.round == 2)
      let entries = try await event.entries(
        ["Ann", "Ben"].enumerated().map {
          TestEvent.draft("\($0)", $1, category: "R", session: first.id)
        })
      _ = try await event.draw(first.id, seed: 1)
      let drawn = try await event.draw(second.id) { request in
        (request.method, request.includeWaiting) = (.ranking, true)
      }
      #expect(drawn == ["1A Ann", "1B Ben"] || drawn == ["1A Ann", "2A Ben"], "\(drawn)")
      let listed = try await event.list { $0.sessionID = second.id }
      #expect(listed.map(\.sessionID) == [second.id, second.id])
      #expect(try await event.list().allSatisfy { $0.sessionID == first.id })
      #expect(listed.map { $0.laterPlaces.map(\.round) } == [[2], [2]])

      try await event.tournament.start()
      try await Self.shoot(event, entries[0], 0, 9)
      try await Self.shoot(event, entries[1], 0, 10)
      try await Self.shoot(event, entries[0], 1, 10)
      try await Self.shoot(event, entries[1], 1, 7)
      let standings = try await event.organiser.call(
        Events.getCategoryStandings,
        .with { ($0.tournamentID, $0.categoryID) = (event.id, category.id) })
      #expect(standings.rows.map { $0.row?.total } == [57, 51])
      #expect(standings.rows.map { $0.rounds.map(\.total) } == [[27, 30], [30, 21]])
      #expect(try await event.standings { $0.sessionID = second.id } == ["1 Ann 57", "2 Ben 51"])

      let cards = try await Self.document(event, .scoreCards, session: second.id)
      #expect(cards.contains("Round 2 of 2") && !cards.contains("Round 1 of 2"))
      let list = try await Self.document(event, .targetList)
      #expect(list.contains("Saturday") && list.contains("Sunday"))
      let paper = try await Self.document(event, .standings)
      #expect(paper.contains("Round 1") && paper.contains("Round 2"))
      let file = try await Self.document(event, .standingsCSV)
      #expect(file.contains(",rounds,typed,unknown\r\n") && file.contains(",27 30,,\r\n"))
      #expect(try server.store.verify() == [])
    }
  }

  @Test("Bad requests on rounds name their field, and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let category = try await event.category("R", round: "wa18", arrows: 3)
      let before = try server.lastSequence()
      func add(
        _ change: (inout AddQualificationRoundRequest) -> Void
      ) async -> RPCError? {
        var request = AddQualificationRoundRequest()
        (request.tournamentID, request.categoryID) = (event.id, category.id)
        (request.revision, request.format) = (category.revision, .library("wa18", arrows: 3))
        change(&request)
        return await event.organiser.refusal(Events.addQualificationRound, request)
      }
      let cases: [(RPCError?, StatusCode, String)] = [
        (await add { $0.format = nil }, .invalidArgument, "format: must be given"),
        (await add { $0.format = .library("nothing") }, .notFound, "format: "),
        (await add { $0.before = 2 }, .invalidArgument, "before: must be at most 1"),
        (await add { $0.revision = 0 }, .invalidArgument, "revision: "),
        (await add { $0.revision = 9 }, .aborted, "revision: "),
        (await add { $0.categoryID = 999_999 }, .notFound, "category_id: "),
        (await add { $0.format = .library("wa720_70") }, .invalidArgument, "format: "),
        (
          await event.organiser.refusal(
            Events.removeQualificationRound,
            .with { request in
              (request.tournamentID, request.categoryID) = (event.id, category.id)
              (request.revision, request.number) = (category.revision, 1)
            }), .failedPrecondition, "number: is the only round"
        ),
      ]
      for (error, code, prefix) in cases {
        #expect(error?.code == code && error?.message.hasPrefix(prefix) == true, "\(error as Any)")
      }
      #expect(try server.lastSequence() == before)
    }
  }
}
