import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Second cards on a device", .timeLimit(.minutes(5)))
struct SecondCardModelTests {
  /// An event that demands leases, whose two archers stand on target 1.
  private struct TestTarget {
    let server: SessionServer
    let sheriff: String
    let scorer: String
    let event: Int64
    let participants: [Int64]
    let code: String

    init(_ server: SessionServer, _ consent: CorrectionConsent = .unspecified) async throws {
      self.server = server
      sheriff = try server.token()
      scorer = try server.token()
      let archers = try (0..<2).map { _ in try server.token() }
      let made = try await server.tournament(sheriff, arrows: 6) { request in
        (request.joins, request.correctionConsent) = (false, consent)
      }
      event = made.id
      let client = try server.client(sheriff)
      let line = try await client.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { session in
            (session.tournamentID, session.name) = (made.id, "line")
            (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 2, 2)
          }
        })
      var ids: [Int64] = []
      for (archer, letter) in zip(archers, ["A", "B"]) {
        let id = try await server.join(made, by: archer).id
        ids.append(id)
        _ = try await client.call(
          Events.updateEventEntry,
          .with { request in
            request.entry = .with { ($0.participantID, $0.sessionID) = (id, line.id) }
            request.updateMask = ["session_id"]
          })
        _ = try await client.call(
          Events.placeEventEntry,
          .with { request in
            (request.participantID, request.sessionID) = (id, line.id)
            (request.target, request.letter) = (1, letter)
          })
      }
      participants = ids
      try await server.start(made, by: sheriff)
      _ = try await client.call(
        Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (made.id, true) })
      code = try await client.call(
        Events.listTargetCodes, .with { ($0.tournamentID, $0.sessionID) = (made.id, line.id) }
      ).codes[0].code
    }

    func session(
      on device: String = "phone", _ transport: FaultyTransport
    ) async throws -> OfflineSession {
      try await server.session(scorer, on: device, transport: transport) { $0.device = device }
    }

    /// The second card of an archer as the server has it, an end each.
    func card(_ place: Int) async throws -> [String] {
      let id = participants[place]
      let card = try await server.client(sheriff).call(
        Events.getComparedCard, .with { $0.participantID = id })
      return card.ends.map { end in
        "\(end.endIndex): " + end.second.map { "\($0.value)" }.joined(separator: " ")
      }
    }

    /// Gives the second card of the target to another device of the organiser.
    func takeOver() async throws {
      let code = code
      _ = try await server.client(sheriff).call(
        Events.joinTarget,
        .with { request in
          (request.code, request.device, request.card, request.takeOver) = (
            code, "tablet", 2, true
          )
        })
    }
  }

  private static func arrows(_ sheet: String) throws -> [ArrowScore] {
    try sheet.split(separator: " ").map { try #require(ArrowScore(sheet: $0)) }
  }

  @Test("Ends of second cards entered without a connection survive a restart and are applied once")
  func offline() async throws {
    try await SessionServer.run { server in
      let test = try await TestTarget(server)
      var transport = FaultyTransport(try server.client(test.scorer))
      var session = try await test.session(transport)
      var model = SecondCardModel(session, code: test.code)
      try await model.load()
      #expect(model.target?.number == 1 && model.cards.map(\.letter) == ["A", "B"])
      #expect(model.cards.map(\.endCount) == [2, 2] && model.cards.map(\.nextEnd) == [0, 0])
      transport.disconnect()
      for id in test.participants {
        try await model.enter(Self.arrows("10 9 9"), of: id, end: 0)
        try await model.enter(Self.arrows("9 9 9"), of: id, end: 1)
      }
      let first = test.participants[0]
      // The same again changes nothing, and another end must be corrected.
      try await model.enter(Self.arrows("9 9 9"), of: first, end: 1)
      #expect(
        await fails(saying: "correct them") {
          try await model.enter(Self.arrows("9 9 8"), of: first, end: 1)
        })
      try await model.correct(Self.arrows("9 9 7"), of: first, end: 1, reason: "misread")
      for (sheet, end) in [("9 9", 0), ("9 9 9", 2)] {
        #expect(
          await failure { try await model.enter(Self.arrows(sheet), of: first, end: end) } != nil)
      }
      #expect(model.waitingCount == 5 && model.cards.map(\.total) == [53, 55])
      await session.close()

      transport = FaultyTransport(try server.client(test.scorer))
      transport.loseAnswers(3)
      session = try await test.session(transport)
      model = SecondCardModel(session, code: test.code)
      await model.refresh()
      #expect(model.waitingCount == 5 && model.cards[0].ends.allSatisfy(\.isWaiting))
      for _ in 0..<10 where model.waitingCount > 0 { _ = await failure { try await model.load() } }
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      #expect(try await test.card(0) == ["0: 10 9 9", "1: 9 9 7"])
      #expect(try await test.card(1) == ["0: 10 9 9", "1: 9 9 9"])
      #expect(model.cards[0].ends.map(\.comparison) == [.waiting, .waiting])
      await session.close()
    }
  }

  @Test("Ends wait while the lease has not begun; after a takeover those that differ are late")
  func lease() async throws {
    try await SessionServer.run { server in
      let test = try await TestTarget(server)
      let transport = FaultyTransport(try server.client(test.scorer))
      let session = try await test.session(transport)
      let model = SecondCardModel(session, code: test.code)
      try await model.load()
      let (first, other) = (test.participants[0], test.participants[1])
      try await model.enter(Self.arrows("10 9 9"), of: first, end: 0)
      // The organiser ends the lease before the end is sent.
      let target = try #require(model.target)
      _ = try await server.client(test.sheriff).call(
        Events.leaveTarget,
        .with { request in
          (request.tournamentID, request.sessionID) = (target.event, target.session)
          (request.target, request.card) = (1, 2)
        })
      transport.loseAnswers(0)
      let report = await session.syncNow()
      // The device had the card: what it sends after its lease has ended fills an empty place.
      #expect(report.refusedCount + report.notYetCount == 0)
      for entry in model.needsAttention { try await model.retry(entry.id) }
      try await model.load()
      for entry in model.needsAttention { try await model.retry(entry.id) }
      try await model.load()
      #expect(try await test.card(0) == ["0: 10 9 9"])
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)

      // What fills an empty place is stored after the target was taken over, other arrows are not.
      try await model.enter(Self.arrows("9 9 9"), of: first, end: 1)
      transport.loseAnswers(1)
      _ = await session.syncNow()
      #expect(try await test.card(0).count == 2)
      try await test.takeOver()
      try await model.enter(Self.arrows("8 8 8"), of: other, end: 0)
      _ = await session.syncNow()
      await model.refresh()
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      #expect(try await test.card(1) == ["0: 8 8 8"])
      let tablet = CardOperation.with { operation in
        operation.clientID = ClientIDMaker().make(at: 1_790_000_000_000)
        operation.participantID = other
        operation.endIndex = 1
        (operation.arrows, operation.device) = (
          [5, 5, 5].map { value in .with { $0.value = value } }, "tablet"
        )
      }
      _ = try await server.client(test.sheriff).call(
        Events.applyCardOperations, .with { $0.operations = [tablet] })
      try await model.enter(Self.arrows("7 7 7"), of: other, end: 1)
      _ = await session.syncNow()
      await model.refresh()
      #expect(model.needsAttention.map(\.mark) == [.refused] && model.waitingCount == 0)
      #expect(model.needsAttention[0].title.hasSuffix("end 2: 7 7 7"))
      #expect(await fails(saying: "another device") { try await model.load() })
      await model.clearError()
      try await model.discard(model.needsAttention[0].id)
      // It reads the card no more, and so does not learn of the end of the tablet.
      #expect(model.cards.map { $0.ends.count } == [2, 1])
      await session.close()
    }
  }

  @Test("An end that another device entered otherwise conflicts, and is overwritten or discarded")
  func conflicts() async throws {
    try await SessionServer.run { server in
      let test = try await TestTarget(server)
      let transport = FaultyTransport(try server.client(test.scorer))
      let session = try await test.session(transport)
      let model = SecondCardModel(session, code: test.code)
      try await model.load()
      let id = test.participants[0]
      transport.disconnect()
      try await model.enter(Self.arrows("10 9 9"), of: id, end: 0)
      try await model.correct(Self.arrows("10 9 8"), of: id, end: 0, reason: "misread")
      try await model.enter(Self.arrows("7 7 7"), of: id, end: 1)
      // A tablet of the organiser scored the same ends, before it gave the target back.
      try await test.takeOver()
      for (end, value) in [(0, 5), (1, 6)] as [(UInt32, UInt32)] {
        var operation = CardOperation()
        operation.clientID = ClientIDMaker().make(at: 1_790_000_000_000)
        (operation.participantID, operation.endIndex) = (id, end)
        operation.arrows = (0..<3).map { _ in .with { $0.value = value } }
        operation.device = "tablet"
        let sent = operation
        let verdicts = try await server.client(test.sheriff).call(
          Events.applyCardOperations, .with { $0.operations = [sent] }
        ).verdicts
        try #require(verdicts.map(\.verdict) == [.stored])
      }
      let target = try #require(model.target)
      _ = try await server.client(test.sheriff).call(
        Events.leaveTarget,
        .with { request in
          (request.tournamentID, request.sessionID) = (target.event, target.session)
          (request.target, request.card) = (1, 2)
        })
      let joins = try server.client(test.scorer)
      let code = test.code
      _ = try await joins.call(
        Events.joinTarget, .with { ($0.code, $0.device, $0.card) = (code, "phone", 2) })
      transport.reconnect()
      try await model.load()
      // The correction waits for the end that it corrects.
      #expect(model.needsAttention.map(\.mark) == [.conflict, .conflict])
      #expect(model.waitingCount == 1)
      #expect(model.cards[0].ends.map { $0.arrows.map(\.value) }.last == [6, 6, 6])
      try await model.overwrite(model.needsAttention[0].id)
      try await model.discard(try #require(model.needsAttention.first).id)
      try await model.load()
      try await model.load()
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      #expect(try await test.card(0) == ["0: 10 9 8", "1: 6 6 6"])
      await session.close()
    }
  }

  @Test("A lease is renewed when half of its time has passed, neither too often nor too late")
  func renewal() {
    func delay(_ left: Int64) -> Duration {
      SessionLimits().leaseInterval(until: 1_000_000 + left, now: 1_000_000)
    }
    #expect(delay(14_400_000) == .seconds(7_200) && delay(7_200_000) == .seconds(3_600))
    #expect(delay(30_000) == .seconds(60) && delay(-5) == .seconds(60))
    #expect(delay(100_000_000) == .seconds(7_200))
  }

  @Test("The model knows who must agree to a correction, and names the one who did")
  func consent() async throws {
    try await SessionServer.run { server in
      let test = try await TestTarget(server, .witness)
      let session = try await test.session(FaultyTransport(try server.client(test.scorer)))
      let model = SecondCardModel(session, code: test.code)
      #expect(model.correctionConsent == .unspecified)
      try await model.load()
      #expect(model.correctionConsent == .witness)
      let (own, other) = (test.participants[0], test.participants[1])
      try await model.enter(Self.arrows("9 9 9"), of: own, end: 0)
      try await model.correct(Self.arrows("9 9 8"), of: own, end: 0, reason: "misread")
      try await model.load()
      #expect(model.needsAttention.map(\.mark) == [.refused])
      try await model.retry(
        try #require(model.needsAttention.first).id, witness: .participant(other))
      try await model.load()
      #expect(model.needsAttention.isEmpty)
      #expect(try await test.card(0) == ["0: 9 9 8"])
      await session.close()
    }
  }
}
