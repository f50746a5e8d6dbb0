import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Scorers of targets", .timeLimit(.minutes(5)))
struct ScorerTargetTests {
  /// An event with two targets, entries E1 to E5 on the places 2B, 1A, 2A, 1B and none, and a user
  /// who is to score.
  private struct Line {
    let event: TestEvent
    let session: Int64
    let entries: [EventEntry]
    let scorer: (id: Int64, client: Client)
    let code: String

    init(_ server: TestServer, _ change: (inout CreateTournamentRequest) -> Void = { _ in })
      async throws
    {
      event = try await TestEvent(server) { request in
        request.format = .library("wa18", arrows: 6)
        change(&request)
      }
      let line = try await event.session("line", targets: 1...3, archers: 2)
      session = line.id
      entries = try await event.entries(
        (1...5).map { TestEvent.draft("\($0)", "E\($0)", session: line.id) })
      for (entry, place) in zip(entries, [(2, "B"), (1, "A"), (2, "A"), (1, "B")]) {
        _ = try await event.organiser.call(
          Events.placeEventEntry,
          .with { request in
            (request.participantID, request.sessionID) = (entry.participantID, line.id)
            (request.target, request.letter) = (UInt32(place.0), place.1)
          })
      }
      let principal = try server.principal(named: "Much")
      scorer = (principal.id, try server.client(of: principal.id, [.read, .write]))
      code = try server.code(of: principal.id)
    }

    func request(_ targets: [UInt32], session: Int64? = nil) -> AppointScorerRequest {
      .with { request in
        (request.tournamentID, request.principalCode) = (event.id, code)
        (request.sessionID, request.targets) = (session ?? self.session, targets)
      }
    }

    func name(_ participant: Int64) -> String {
      entries.first { $0.participantID == participant }?.displayName ?? ""
    }
  }

  @Test("A scorer of targets is sent from one archer to the next by target and letter")
  func order() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      let appointed = try await line.event.organiser.call(
        Tournament.appointScorer, line.request([2, 1]))
      #expect(appointed.assignedCount == 4)
      try await line.event.tournament.start()
      var next = line.entries[1].participantID
      var visited: [String] = []
      for end in 0..<UInt32(2) {
        for _ in 0..<4 {
          visited.append(line.name(next))
          var step: NextStep?
          for arrow in 0..<UInt32(3) {
            step = try await line.event.tournament.record(
              next, end, arrow, 9, by: line.scorer.client
            ).next
          }
          next = step?.participantID ?? 0
        }
      }
      #expect(visited == ["E2", "E4", "E3", "E1", "E2", "E4", "E3", "E1"])
      #expect(next == 0)
      let foreign = await line.scorer.client.refusal(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(line.entries[4].participantID, 0, 0, 9) })
      #expect(foreign?.code == .permissionDenied)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A scorer of the event stays at the target of the archer whom it scores")
  func ofTheEvent() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      _ = try await line.event.organiser.call(
        Events.setEventOfficial,
        .with { request in
          (request.tournamentID, request.principalCode) = (line.event.id, line.code)
          request.role = .scorer
        })
      try await line.event.tournament.start()
      func end(_ participant: Int64, _ end: UInt32) async throws -> NextStep? {
        var step: NextStep?
        for arrow in 0..<UInt32(3) {
          step = try await line.event.tournament.record(
            participant, end, arrow, 9, by: line.scorer.client
          ).next
        }
        return step
      }
      // Who stands on no target is followed by nobody.
      #expect(try await end(line.entries[4].participantID, 0)?.kind == .done)
      var next = line.entries[2].participantID
      var visited: [String] = []
      for number in [0, 0, 1, 1] as [UInt32] {
        visited.append(line.name(next))
        next = try await end(next, number)?.participantID ?? 0
      }
      #expect(visited == ["E3", "E1", "E3", "E1"] && next == 0)
      let first = try await end(line.entries[1].participantID, 0)
      #expect(first?.kind == .participant && line.name(first?.participantID ?? 0) == "E4")
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A move to another target changes the order, and the archer stays assigned")
  func moved() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      _ = try await line.event.organiser.call(Tournament.appointScorer, line.request([1, 2]))
      try await line.event.tournament.start()
      _ = try await line.event.organiser.call(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (
            line.entries[1].participantID, line.session
          )
          (request.target, request.letter) = (3, "A")
        })
      var step: NextStep?
      for arrow in 0..<UInt32(3) {
        step = try await line.event.tournament.record(
          line.entries[0].participantID, 0, arrow, 9, by: line.scorer.client
        ).next
      }
      #expect(line.name(step?.participantID ?? 0) == "E2" && step?.kind == .participant)
    }
  }

  @Test("Archers who have finished a shorter round do not hide those who have not")
  func rounds() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      let short = try await line.event.category("S", round: "wa18", arrows: 3)
      _ = try await line.event.organiser.call(
        Events.updateEventEntry,
        .with { request in
          request.entry = .with {
            ($0.participantID, $0.categoryID) = (line.entries[1].participantID, short.id)
          }
          request.updateMask = ["category_id"]
        })
      _ = try await line.event.organiser.call(Tournament.appointScorer, line.request([1]))
      try await line.event.tournament.start()
      let (long, quick) = (line.entries[3].participantID, line.entries[1].participantID)
      func end(_ id: Int64, _ end: UInt32) async throws -> NextStep? {
        var step: NextStep?
        for arrow in 0..<UInt32(3) {
          step = try await line.event.tournament.record(
            id, end, arrow, 9, by: line.scorer.client
          ).next
        }
        return step
      }
      #expect(try await end(quick, 0)?.participantID == long)
      let next = try await end(long, 0)
      #expect(next?.participantID == long && next?.endIndex == 1 && next?.kind == .end)
      #expect(try await end(long, 1)?.kind == .done)
    }
  }

  @Test("Targets without an entry, of another event or twice are refused and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      let other = try await Line(server)
      let before = try server.lastSequence()
      let cases: [(AppointScorerRequest, StatusCode, String)] = [
        (line.request([1, 3]), .failedPrecondition, "targets: nobody has a place on target 3"),
        (line.request([0]), .failedPrecondition, "targets: "),
        (line.request([.max]), .failedPrecondition, "targets: "),
        (line.request([1, 1]), .invalidArgument, "targets: "),
        (line.request([]), .invalidArgument, "targets: "),
        (line.request(Array(1...201)), .invalidArgument, "targets: "),
        (line.request([1], session: 0), .invalidArgument, "session_id: "),
        (line.request([1], session: other.session), .notFound, "session_id: "),
        (line.request([1], session: -1), .notFound, "session_id: "),
      ]
      for (request, code, prefix) in cases {
        let error = await line.event.organiser.refusal(Tournament.appointScorer, request)
        #expect(error?.code == code && error?.message.hasPrefix(prefix) == true, "\(error as Any)")
      }
      let denied = await line.scorer.client.refusal(Tournament.appointScorer, line.request([1]))
      #expect(denied?.code == .permissionDenied)
      #expect(try server.lastSequence() == before)
    }
  }
}
