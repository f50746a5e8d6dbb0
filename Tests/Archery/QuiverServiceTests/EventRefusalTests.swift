import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Refusals of the structure of events", .timeLimit(.minutes(5)))
struct EventRefusalTests {
  /// An event of three entries with a category and a session, and calls that must be refused.
  private struct Refusals {
    let event: TestEvent
    let category: EventCategory
    let line: EventSession
    let entries: [EventEntry]

    init(_ server: TestServer) async throws {
      event = try await TestEvent(server) { $0.maxParticipants = 4 }
      category = try await event.category("RM")
      line = try await event.session("line", targets: 1...1, archers: 2)
      entries = try await event.entries([
        TestEvent.draft("1", "Ann", category: "RM", session: line.id),
        TestEvent.draft("2", "Ben", session: line.id),
        TestEvent.draft("3", "Cid", session: line.id),
      ])
    }

    func refused<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ code: StatusCode, _ field: String,
      _ change: (inout Request) -> Void
    ) async {
      let error = await event.organiser.refusal(method, .with(change))
      #expect(error?.code == code && error?.message.hasPrefix(field) == true, "\(error as Any)")
    }

    func importing(_ drafts: [EventEntryDraft]) -> (inout ImportEventEntriesRequest) -> Void {
      { ($0.tournamentID, $0.entries) = (event.id, drafts) }
    }
  }

  @Test("Bad categories and officials are refused with their field and change nothing")
  func categories() async throws {
    try await TestServer.run { server in
      let test = try await Refusals(server)
      let before = try server.lastSequence()
      let put = Events.createEventCategory
      await test.refused(put, .invalidArgument, "category: ") { _ in }
      await test.refused(put, .alreadyExists, "category.code: ") {
        $0.category = .with { ($0.tournamentID, $0.code, $0.name) = (test.event.id, "RM", "other") }
      }
      await test.refused(put, .invalidArgument, "category.code: ") {
        $0.category = .with { ($0.tournamentID, $0.code) = (test.event.id, " ") }
      }
      await test.refused(put, .invalidArgument, "category.code: ") {
        $0.category = .with { ($0.tournamentID, $0.code) = (test.event.id, "ABCDEFGHIJKLMNOPQ") }
      }
      await test.refused(put, .invalidArgument, "category.bowstyle: ") { request in
        request.category = .with { category in
          (category.tournamentID, category.code) = (test.event.id, "X")
          category.bowstyle = Bowstyle(rawValue: 99)
        }
      }
      await test.refused(Events.updateEventCategory, .aborted, "category.revision: ") { request in
        request.category = .with { changed in
          (changed.tournamentID, changed.id) = (test.event.id, test.category.id)
          (changed.code, changed.revision) = ("RX", 7)
        }
      }
      await test.refused(Events.deleteEventCategory, .failedPrecondition, "category_id: ") {
        ($0.tournamentID, $0.categoryID) = (test.event.id, test.category.id)
      }
      await test.refused(Events.setEventOfficial, .notFound, "principal_id: ") { request in
        (request.tournamentID, request.principalID) = (test.event.id, 999_999)
        request.role = .judge
      }
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("The id of an unknown user is answered as an id of nobody, whatever role it is to have")
  func unknownUsers() async throws {
    try await TestServer.run { server in
      let test = try await Refusals(server)
      let unknown = try server.principal(named: "Secret Robin").id
      let before = try server.lastSequence()
      let roles: [QuiverAPI.EventRole] = [.organiser, .judge, .scorer, .results]
      var answers: Set<String> = []
      for id in [unknown, 999_999] {
        for role in roles {
          let refusal = await test.event.organiser.refusal(
            Events.setEventOfficial,
            .with { ($0.tournamentID, $0.principalID, $0.role) = (test.event.id, id, role) })
          answers.insert(refusal.map { "\($0.code) \($0.message) \($0.details)" } ?? "none")
        }
        let refusal = await test.event.organiser.refusal(
          Tournament.appointScorer,
          .with { ($0.tournamentID, $0.principalID) = (test.event.id, id) })
        answers.insert(refusal.map { "\($0.code) \($0.message) \($0.details)" } ?? "none")
      }
      #expect(
        answers.count == 1 && answers.first?.contains("principal_id: ") == true, "\(answers)")
      #expect(answers.first?.contains("Secret") == false)
      #expect(try server.lastSequence() == before)
      // Who shows its code, or has a part in an event of the caller's, is named.
      let code = try server.code(of: unknown)
      let official = try await test.event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (test.event.id, code, .judge) })
      #expect(official.displayName == "Secret Robin" && official.principalID == unknown)
      let other = try await test.event.organiser.call(
        Tournament.createTournament,
        .with { ($0.name, $0.format) = ("Other", .library("wa18")) })
      let scorer = try await test.event.organiser.call(
        Tournament.appointScorer,
        .with { ($0.tournamentID, $0.principalID) = (other.id, unknown) })
      #expect(scorer.displayName == "Secret Robin")
      await test.refused(Events.setEventOfficial, .notFound, "principal_code: ") { request in
        (request.tournamentID, request.principalCode) = (test.event.id, code + "A")
        request.role = .judge
      }
      await test.refused(Events.setEventOfficial, .invalidArgument, "principal_code: ") { request in
        (request.tournamentID, request.principalCode) = (test.event.id, code)
        (request.principalID, request.role) = (unknown, .judge)
      }
    }
  }

  @Test("Bad entries are refused with their field, before the first of many is added")
  func entries() async throws {
    try await TestServer.run { server in
      let test = try await Refusals(server)
      let second = try await test.event.session("second", targets: 2...2, archers: 2)
      let before = try server.lastSequence()
      let adding = Events.importEventEntries
      // The same entry is that one without a session, but is not moved to another one in silence.
      let again = try await test.event.entries([TestEvent.draft("1", "Ann", category: "RM")])
      #expect(again == [test.entries[0]])
      await test.refused(
        adding, .alreadyExists, "entries[0].session_id: ",
        test.importing([TestEvent.draft("1", "Ann", category: "RM", session: second.id)]))
      await test.refused(adding, .invalidArgument, "entries: ", test.importing([]))
      await test.refused(
        adding, .alreadyExists, "entries[0].bib: ", test.importing([TestEvent.draft("1", "Dan")]))
      await test.refused(
        adding, .invalidArgument, "entries[1].bib: ",
        test.importing([TestEvent.draft("7", "Dan"), TestEvent.draft("7", "Eve")]))
      await test.refused(
        adding, .notFound, "entries[0].category_code: ",
        test.importing([TestEvent.draft("7", "Dan", category: "XX")]))
      await test.refused(
        adding, .notFound, "entries[0].session_id: ",
        test.importing([TestEvent.draft("7", "Dan", session: 999)]))
      await test.refused(
        adding, .invalidArgument, "entries[0].name: ", test.importing([TestEvent.draft("7", " ")]))
      // Of many entries the last ones are checked before the first is added.
      let many = (1...60).map { TestEvent.draft("1\($0)", "E\($0)") }
      await test.refused(adding, .failedPrecondition, "entries: ", test.importing(many))
      await test.refused(
        adding, .alreadyExists, "entries[60].bib: ",
        test.importing(many + [TestEvent.draft("2", "Zoe")])
      )
      await test.refused(Events.updateEventEntry, .alreadyExists, "entry.bib: ") { request in
        request.entry = .with { ($0.participantID, $0.bib) = (test.entries[0].participantID, "2") }
        request.updateMask = ["bib"]
      }
      await test.refused(Events.updateEventEntry, .invalidArgument, "update_mask[0]: ") { request in
        request.entry = .with { $0.participantID = test.entries[0].participantID }
        request.updateMask = ["target"]
      }
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("Bad sessions and draws are refused with their field and change nothing")
  func sessions() async throws {
    try await TestServer.run { server in
      let test = try await Refusals(server)
      let before = try server.lastSequence()
      await test.refused(Events.drawTargets, .invalidArgument, "last_target: ") { request in
        (request.tournamentID, request.sessionID) = (test.event.id, test.line.id)
        request.method = .random
      }
      await test.refused(Events.drawTargets, .invalidArgument, "method: ") { request in
        (request.tournamentID, request.sessionID) = (test.event.id, test.line.id)
      }
      await test.refused(Events.drawTargets, .invalidArgument, "first_target: ") { request in
        (request.tournamentID, request.sessionID) = (test.event.id, test.line.id)
        (request.method, request.firstTarget) = (.random, 2)
      }
      for (first, last, archers) in [(0, 1, 2), (2, 1, 2), (1, 300, 2), (1, 2, 5), (1, 2, 0)] {
        await test.refused(Events.createEventSession, .invalidArgument, "session.") { request in
          request.session = .with { session in
            (session.tournamentID, session.name) = (test.event.id, "x")
            session.firstTarget = UInt32(first)
            session.lastTarget = UInt32(last)
            session.archersPerTarget = UInt32(archers)
          }
        }
      }
      await test.refused(Events.deleteEventSession, .failedPrecondition, "session_id: ") {
        ($0.tournamentID, $0.sessionID) = (test.event.id, test.line.id)
      }
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("An entry changes to a category with another round before its first arrow only")
  func otherRound() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let short = try await event.category("S", round: "wa18", arrows: 3)
      let same = try await event.category("T")
      let entry = try await event.entries([TestEvent.draft("1", "Ann")])[0]
      func move(to category: Int64) async -> RPCError? {
        await event.organiser.refusal(
          Events.updateEventEntry,
          .with { request in
            request.entry = .with {
              ($0.participantID, $0.categoryID) = (entry.participantID, category)
            }
            request.updateMask = ["category_id"]
          })
      }
      #expect(await move(to: short.id) == nil)
      try await event.tournament.start()
      try await event.tournament.record(entry.participantID, 0, 2, 9)
      #expect(await move(to: same.id)?.code == .failedPrecondition)
      let beyond = await event.organiser.refusal(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(entry.participantID, 1, 0, 9) })
      #expect(beyond?.code == .invalidArgument)
    }
  }
}
