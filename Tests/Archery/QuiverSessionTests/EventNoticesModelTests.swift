import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Notices of an event on a device", .timeLimit(.minutes(5)))
struct EventNoticesModelTests {
  private func wait(
    until isShown: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  @Test("An organiser sends a notice, pauses and resumes, each once, also if replies are lost")
  func office() async throws {
    try await SessionServer.run { server in
      let (organiser, archer) = (try server.token(), try server.token())
      let event = try await server.tournament(organiser) { $0.joins = false }
      try await server.join(event, by: archer)
      let transport = FaultyTransport(try server.client(organiser))
      let session = try await server.session(organiser, transport: transport)
      let office = EventOfficeModel(session, event: event.id)
      let board = EventNoticesModel(session, event: event.id)
      try await office.load()
      try await board.load()
      #expect(office.pause == nil && board.notices.isEmpty && board.pause == nil)
      #expect(await failure { try await office.pauseShooting(reason: "fog") } != nil)
      #expect(office.pauses.isEmpty)
      try await server.start(event, by: organiser)

      transport.loseAnswers(1)
      #expect(await failure { try await office.send("Lunch at noon") } != nil)
      try await office.send("Lunch at noon")
      try await wait { board.notices.map(\.text) == ["Lunch at noon"] }
      transport.loseAnswers(1)
      #expect(await failure { try await office.pauseShooting(reason: "lightning") } != nil)
      try await office.pauseShooting(reason: "lightning")
      #expect(office.pause?.reason == "lightning" && office.pauses.count == 1)
      try await wait { board.pause?.reason == "lightning" && board.pausedSince != nil }
      #expect(await failure { try await office.pauseShooting(reason: "fog") } != nil)
      #expect(office.pauses.count == 1)
      transport.loseAnswers(1)
      #expect(await failure { try await office.resumeShooting() } != nil)
      try await office.resumeShooting()
      #expect(office.pause == nil && office.pauses.map(\.reason) == ["lightning"])
      try await wait { board.pause == nil }
      #expect(await failure { try await office.resumeShooting() } != nil)
      let kept = try await server.client(organiser).call(
        Events.listEventNotices, .with { $0.tournamentID = event.id })
      #expect(kept.notices.count == 1)

      // An archer's phone sends none.
      let phone = try await server.session(archer, on: "archer")
      await phone.syncNow()
      let own = EventOfficeModel(phone, event: event.id)
      #expect(await failure { try await own.send("Hello") } != nil)
      for session in [session, phone] { await session.close() }
    }
  }

  @Test("A device gets notices and pauses by its watch, and reads the last ones without connection")
  func follow() async throws {
    try await SessionServer.run { server in
      let (organiser, archer) = (try server.token(), try server.token())
      let event = try await server.tournament(organiser) { $0.joins = false }
      try await server.join(event, by: archer)
      try await server.start(event, by: organiser)
      let client = try server.client(organiser)
      let line = try await client.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { session in
            (session.tournamentID, session.name) = (event.id, "Line")
            (session.firstTarget, session.lastTarget) = (1, 4)
            session.archersPerTarget = 2
          }
        })
      let transport = FaultyTransport(try server.client(archer))
      let session = try await server.session(archer, transport: transport)
      let board = EventNoticesModel(session, event: event.id)
      try await board.load()
      board.follow()
      try await wait { transport.received.contains { $0.hasSuffix("WatchTournament") } }
      _ = try await client.call(
        Events.sendEventNotice,
        .with { request in
          (request.tournamentID, request.text) = (event.id, "New face on 2 and 3")
          (request.sessionID, request.firstTarget, request.lastTarget) = (line.id, 2, 3)
        })
      _ = try await client.call(
        Events.pauseShooting, .with { ($0.tournamentID, $0.reason) = (event.id, "lightning") })
      try await wait { board.pause?.reason == "lightning" && board.notices.count == 1 }
      #expect(board.notices(forTarget: 3, inSession: line.id).count == 1)
      #expect(board.notices(forTarget: 4, inSession: line.id).isEmpty)
      #expect(board.notices(forTarget: 3, inSession: line.id + 1).isEmpty)
      // What came while there was no connection follows without a gap.
      transport.disconnect()
      _ = try await client.call(
        Events.sendEventNotice, .with { ($0.tournamentID, $0.text) = (event.id, "Back at two") })
      transport.reconnect()
      _ = try? await board.load()
      try await wait { board.notices.map(\.text) == ["Back at two", "New face on 2 and 3"] }
      board.stopFollowing()
      transport.disconnect()
      try await board.load()
      #expect(board.notices.count == 2 && board.state.staleSince != nil)
      #expect(board.pause?.reason == "lightning")
      let again = EventNoticesModel(session, event: event.id)
      try await wait { again.notices.count == 2 && again.pause?.reason == "lightning" }
      let other = EventNoticesModel(session, event: event.id + 999)
      #expect(await failure { try await other.load() } != nil)
      #expect(other.notices.isEmpty && other.state.error != nil)
      await session.close()
    }
  }

  @Test("A resumption whose reply was lost does not stand for a later one")
  func laterPause() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser) { $0.joins = false }
      try await server.start(event, by: organiser)
      let transport = FaultyTransport(try server.client(organiser))
      let session = try await server.session(organiser, transport: transport)
      let office = EventOfficeModel(session, event: event.id)
      try await office.load()
      try await office.pauseShooting(reason: "lightning")
      transport.loseAnswers(1)
      let lost = await failure { try await office.resumeShooting() }
      #expect(lost != nil && office.changeError != nil)
      try await office.load()
      #expect(office.pause == nil)
      try await office.pauseShooting(reason: "lightning")
      #expect(office.pause != nil && office.pauses.count == 2 && office.changeError == nil)
      try await office.resumeShooting()
      #expect(office.pause == nil)
      let refusal = await failure { try await office.resumeShooting() }
      #expect(refusal != nil)
      #expect(office.changeError?.code == .call(.failedPrecondition))
      let shown = try await server.client(organiser).call(
        Tournament.getTournament, .with { $0.id = event.id })
      #expect(shown.shootingPause == nil)
      await session.close()
    }
  }

  @Test("A load or a reply that is older than a message of the watch changes nothing of it")
  func order() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser) { $0.joins = false }
      let session = try await server.session(organiser)
      await session.syncNow()
      let board = EventNoticesModel(session, event: event.id)
      let store = try session.store()
      let limits = store.limits
      func message(pause: Int64, notices: [Int64] = []) -> WatchTournamentResponse {
        .with { message in
          message.span = .with { $0.isSnapshot = true }
          message.tournament = .with { shown in
            shown.id = event.id
            if pause != 0 { shown.shootingPause = Self.pause(pause) }
          }
          message.notices = notices.map { id in .with { ($0.id, $0.text) = (id, "\(id)") } }
        }
      }
      @MainActor func take(
        _ message: WatchTournamentResponse, over known: NoticeBoard.Newest? = nil
      ) async throws -> (pause: Int64, notices: [Int64]) {
        let id = event.id
        try await store.write { (transaction) throws(SessionError) in
          try transaction.takeNotices(message, of: id, loadedOver: known, limits: limits)
        }
        await board.refresh()
        return (board.pause?.id ?? 0, board.notices.map(\.id))
      }
      let before = NoticeBoard.Newest(notice: 3, pause: 4)
      #expect(try await take(message(pause: 5, notices: [4, 3, 2])) == (5, [4, 3, 2]))
      // The load began before pause 5 and notice 4, and after notice 2 was erased.
      #expect(try await take(message(pause: 0, notices: [3]), over: before) == (5, [4, 3]))
      let after = NoticeBoard.Newest(notice: 4, pause: 5)
      #expect(try await take(message(pause: 0, notices: [4]), over: after) == (0, [4]))
      // A late load or reply of pause 5 does not begin it again; the next one is another pause.
      #expect(try await take(message(pause: 5, notices: [4]), over: before) == (0, [4]))
      #expect(try await take(message(pause: 6)) == (6, []))
      let id = event.id
      try await store.write { (transaction) throws(SessionError) in
        try transaction.takePause(NoticeBoard.ended(Self.pause(5)), of: id, limits: limits)
      }
      await board.refresh()
      #expect(board.pause?.id == 6)
      await session.close()
    }
  }

  nonisolated private static func pause(_ id: Int64) -> ShootingPause {
    .with { ($0.id, $0.reason, $0.startedAtMilliseconds) = (id, "fog", 1_000 + id) }
  }

  @Test("A scorer gets notices and the pause through the watch of its scores, and enters arrows")
  func scorer() async throws {
    try await SessionServer.run { server in
      let (organiser, archer) = (try server.token(), try server.token())
      let event = try await server.tournament(organiser)
      try await server.join(event, by: archer)
      try await server.start(event, by: organiser)
      let transport = FaultyTransport(try server.client(archer))
      let session = try await server.session(archer, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      scoring.follow()
      let board = EventNoticesModel(session, event: event.id)
      let client = try server.client(organiser)
      try await wait { transport.received.contains { $0.hasSuffix("WatchTournament") } }
      _ = try await client.call(
        Events.sendEventNotice, .with { ($0.tournamentID, $0.text) = (event.id, "Storm ahead") })
      _ = try await client.call(
        Events.pauseShooting, .with { ($0.tournamentID, $0.reason) = (event.id, "lightning") })
      try await wait {
        scoring.shootingPause?.reason == "lightning" && board.pause?.reason == "lightning"
          && board.notices.map(\.text) == ["Storm ahead"]
      }
      // What was shot before the pause is entered and sent.
      #expect(await failure { try await scoring.enter("9 9") } == nil)
      #expect(await session.syncNow().sentCount == 2)
      _ = try await client.call(Events.resumeShooting, .with { $0.tournamentID = event.id })
      try await wait { scoring.shootingPause == nil && board.pause == nil }
      scoring.stopFollowing()
      await session.close()
    }
  }

  @Test("The standings of a session show which target holds up the line")
  func line() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser, arrows: 6) { $0.joins = false }
      let session = try await server.session(organiser)
      let plan = EventPlanModel(session, event: event.id)
      try await plan.load()
      let line = try await plan.createSession(
        .with { session in
          (session.name, session.firstTarget, session.lastTarget) = ("Line", 1, 2)
          session.archersPerTarget = 2
        })
      let entries = try await plan.importEntries(
        ["Ann", "Ben", "Cid"].map { name in
          .with { ($0.name, $0.sessionID) = (name, line.id) }
        })
      for (entry, place) in zip(entries, [(1, "A"), (1, "B"), (2, "A")]) {
        try await plan.place(
          entry.participantID, inSession: line.id, target: place.0, letter: place.1)
      }
      try await server.start(event, by: organiser)
      let client = try server.client(organiser)
      for entry in [entries[0], entries[2]] {
        for arrow in 0..<UInt32(3) {
          _ = try await client.call(
            Tournament.recordArrow,
            .with { request in
              request.operation = .with { operation in
                operation.participantID = entry.participantID
                (operation.arrowIndex, operation.value) = (arrow, 9)
              }
            })
        }
      }
      let standings = CategoryStandingsModel(
        session, event: event.id, part: .init(session: line.id))
      try await standings.load()
      #expect(standings.line.map(\.target) == [1, 2])
      #expect(standings.line.map(\.endsBehind) == [1, 0])
      #expect(standings.line.map(\.letters) == [["B"], ["A"]])
      await session.close()
    }
  }
}
