import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Confirmations of score cards on a device", .timeLimit(.minutes(5)))
struct ScoreCardModelTests {
  /// An event of 6 arrows in which an archer scores itself, and a scorer keeps the second card.
  private struct TestCard {
    let server: SessionServer
    let sheriff: String
    let archer: String
    let event: TournamentEvent
    let participant: Int64

    /// With two distances each has an end of three arrows.
    init(_ server: SessionServer, distances: UInt32 = 1) async throws {
      self.server = server
      sheriff = try server.token()
      archer = try server.token()
      event = try await server.tournament(sheriff, arrows: 6 / distances) { $0.joins = false }
      let id = event.id
      if distances > 1 {
        let client = try server.client(sheriff)
        let category = try await client.call(
          Events.listEventCategories, .with { $0.tournamentID = id }
        ).categories[0]
        _ = try await client.call(
          Events.addQualificationRound,
          .with { request in
            (request.tournamentID, request.categoryID) = (id, category.id)
            request.revision = category.revision
            request.format = .with { ($0.codename, $0.arrowLimit) = ("wa18", 3) }
          })
      }
      participant = try await server.join(event, by: archer).id
      try await server.start(event, by: sheriff)
    }

    /// Stores an end of the second card, as the organiser.
    func second(_ values: [UInt32], _ end: UInt32, replacing head: [UInt8] = []) async throws {
      var operation = CardOperation()
      operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
      (operation.participantID, operation.endIndex) = (participant, end)
      operation.arrows = values.map { value in .with { $0.value = value } }
      (operation.replacesClientID, operation.reason) = (head, head.isEmpty ? "" : "misread")
      let sent = operation
      let verdicts = try await server.client(sheriff).call(
        Events.applyCardOperations, .with { $0.operations = [sent] }
      ).verdicts
      try #require(verdicts.map(\.verdict) == [.stored])
    }

    func card() async throws -> ComparedCard {
      let id = participant
      return try await server.client(sheriff).call(
        Events.getComparedCard, .with { $0.participantID = id })
    }
  }

  private static func arrows(_ sheet: String) throws -> [ArrowScore] {
    try sheet.split(separator: " ").map { try #require(ArrowScore(sheet: $0)) }
  }

  @Test("A card confirmed without a connection is sent behind its arrows, and applied once")
  func offline() async throws {
    try await SessionServer.run { server in
      let test = try await TestCard(server)
      var transport = FaultyTransport(try server.client(test.archer))
      var session = try await server.session(test.archer, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(test.event.id))
      await scoring.refresh()
      var model = ScoreCardModel(session, participant: test.participant)
      try await model.load()
      #expect(model.card?.status == .provisional && model.card?.ends.isEmpty == true)
      #expect(await fails(saying: "all arrows") { try await model.confirm(.archer) })
      transport.disconnect()
      try await scoring.enter("10 9 8 7 7")
      await model.refresh()
      #expect(await fails(saying: "end 2") { try await model.confirm(.archer) })
      try await scoring.enter("6")
      await model.refresh()
      #expect(model.card?.rounds.map(\.firstTotal) == [47])
      #expect(
        await fails(saying: "16384") {
          try await model.confirm(.archer, signature: [UInt8](repeating: 1, count: 16_385))
        })
      try await model.confirm(.archer)
      #expect(model.card?.confirmations.map(\.isWaiting) == [true] && model.waitingCount == 1)
      // Another arrow takes it back.
      try await scoring.correct(
        ArrowScore(value: 9), at: ArrowSlot(endIndex: 0, arrowIndex: 2),
        of: scoring.participants[0].id, reason: "misread")
      await model.refresh()
      #expect(model.waitingCount == 0 && model.card?.confirmations.isEmpty == true)
      try await model.confirm(.archer)
      await session.close()

      transport = FaultyTransport(try server.client(test.archer))
      session = try await server.session(test.archer, transport: transport)
      model = ScoreCardModel(session, participant: test.participant)
      await model.refresh()
      #expect(model.waitingCount == 1)
      // The server confirms the card, and its reply is lost.
      let gate = transport.hold("ConfirmScoreCard")
      let sending = Task { await session.syncNow() }
      await gate.arrival()
      transport.loseAnswers(1)
      gate.open()
      _ = await sending.value
      await model.refresh()
      #expect(model.waitingCount == 1 && model.card?.confirmations.map(\.isWaiting) == [true])
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      let stored = try await test.card()
      #expect(stored.total == 48 && stored.confirmations.map(\.role) == [.archer])
      #expect(model.card?.confirmations.map(\.isWaiting) == [false])
      // The same request was sent under the same key.
      #expect(transport.sent.suffix(2) == ["ConfirmScoreCard", "ConfirmScoreCard"])
      #expect(transport.keys.count == 1)
      // A second confirmation in the same role changes nothing.
      try await model.confirm(.archer)
      #expect(model.waitingCount == 0)
      #expect(try await test.card() == stored)
      await session.close()
    }
  }

  @Test("A distance is confirmed without a connection, and arrows of another one leave it so")
  func distances() async throws {
    try await SessionServer.run { server in
      let test = try await TestCard(server, distances: 2)
      let transport = FaultyTransport(try server.client(test.archer))
      let session = try await server.session(test.archer, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(test.event.id))
      await scoring.refresh()
      let model = ScoreCardModel(session, participant: test.participant)
      try await model.load()
      @MainActor func waiting() -> [[Bool]]? {
        model.card?.distances.map { $0.confirmations.map(\.isWaiting) }
      }
      #expect(waiting() == [[], []])
      transport.disconnect()
      try await scoring.enter("10 9")
      await model.refresh()
      #expect(await fails(saying: "end 1") { try await model.confirm(.archer, part: 1) })
      #expect(await fails(saying: "part") { try await model.confirm(.archer, part: 3) })
      try await scoring.enter("8")
      await model.refresh()
      try await model.confirm(.archer, part: 1)
      #expect(waiting() == [[true], []])
      try await scoring.enter("7 7 6")
      await model.refresh()
      #expect(waiting() == [[true], []])
      transport.reconnect()
      try await model.load()
      #expect(waiting() == [[false], []] && model.waitingCount == 0)
      let stored = try await test.card()
      #expect(stored.partConfirmations.map(\.part) == [1] && stored.confirmations.isEmpty)
      // A correction of the distance takes it back, until it is undone.
      let own = scoring.participants[0].id
      transport.disconnect()
      try await scoring.correct(
        ArrowScore(value: 9), at: ArrowSlot(endIndex: 0, arrowIndex: 0), of: own, reason: "misread")
      await model.refresh()
      #expect(waiting() == [[], []])
      try await model.confirm(.archer, part: 1)
      #expect(waiting() == [[true], []])
      try await scoring.undo()
      await model.refresh()
      #expect(waiting() == [[false], []])
      transport.reconnect()
      try await model.load()
      #expect(try await test.card().partConfirmations.map(\.part) == [1])
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      let office = try await server.session(test.sheriff)
      let card = ScoreCardModel(office, participant: test.participant)
      try await card.load()
      try await card.setPaperTotal(26, part: 1, golds: 2)
      let first = try #require(card.card?.distances.first)
      #expect(first.paperTotal == 26 && first.paperDiffers)
      for part in [1, 2] {
        try await card.confirm(.archer, part: part, signature: [1])
        try await card.confirm(.scorer, part: part)
      }
      #expect(card.card?.distances.map(\.confirmations.count) == [2, 2])
      #expect(card.card?.total == 46 && card.card?.distances.map(\.deducted) == [1, 0])
      try await card.reopen(part: 2, reason: "another archer")
      #expect(card.card?.distances.map(\.confirmations.count) == [2, 0])
      await office.close()
      await session.close()
    }
  }

  @Test("A card that has changed since it was confirmed is not confirmed, and the user decides")
  func changed() async throws {
    try await SessionServer.run { server in
      let test = try await TestCard(server)
      let transport = FaultyTransport(try server.client(test.archer))
      let session = try await server.session(test.archer, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(test.event.id))
      try await scoring.enter("10 9 8 7 7 6")
      let model = ScoreCardModel(session, participant: test.participant)
      try await model.load()
      transport.disconnect()
      try await model.confirm(.archer)
      try await test.second([10, 9, 7], 0)
      transport.reconnect()
      _ = await session.syncNow()
      await model.refresh()
      #expect(model.needsAttention.map(\.mark) == [.conflict] && model.waitingCount == 0)
      #expect(model.needsAttention[0].title.hasSuffix("confirmed by the archer"))
      #expect(try await test.card().confirmations.isEmpty)
      let entry = model.needsAttention[0].id
      #expect(await fails(saying: "confirm again") { try await session.overwrite(entry) })
      try await model.discard(entry)
      #expect(model.needsAttention.isEmpty)
      // The second card is not complete, and then it is not what the archer saw.
      #expect(await fails(saying: "second card") { try await model.confirm(.archer) })
      try await test.second([7, 7, 6], 1)
      try await model.load()
      try await model.confirm(.archer)
      #expect(try await test.card().confirmations.map(\.role) == [.archer])
      await session.close()
    }
  }

  @Test("A judge rules on disputes, reopens a card and types a total, each once, and others do not")
  func judge() async throws {
    try await SessionServer.run { server in
      let test = try await TestCard(server)
      let phone = try await server.session(test.archer)
      let scoring = ScoringModel(phone, event: try await phone.loadTournament(test.event.id))
      try await scoring.enter("10 9 8 7 7 6")
      try await scoring.load()
      try await test.second([10, 9, 7], 0)
      try await test.second([7, 7, 6], 1)
      let transport = FaultyTransport(try server.client(test.sheriff))
      let office = try await server.session(test.sheriff, on: "office", transport: transport)
      let list = CardDisputesModel(office, event: test.event.id)
      try await list.load()
      let dispute = try #require(list.disputes.first)
      #expect(list.disputes.count == 1 && dispute.endIndex == 0)
      // The archer is no judge: nothing changes.
      let own = ScoreCardModel(phone, participant: test.participant)
      try await own.load()
      #expect(own.card?.disputes.map(\.index) == [0])
      let ruled = try Self.arrows("10 9 8")
      #expect(
        await failure { try await own.rule(onEnd: 0, ruled, reason: "I was there") } != nil)
      #expect(await failure { try await own.reopen(reason: "wrong") } != nil)
      #expect(await failure { try await own.setPaperTotal(40) } != nil)
      #expect(try await test.card().summary?.disputedEnds == 1)

      transport.loseAnswers(1)
      #expect(await failure { try await list.rule(dispute, ruled, reason: "seen") } != nil)
      try await list.rule(dispute, ruled, reason: "seen")
      #expect(list.disputes.isEmpty)
      try await own.load()
      #expect(own.card?.ends[0].comparison == .ruled && own.card?.ends[0].reason == "seen")
      #expect(own.card?.rounds.map(\.agreedEndCount) == [2])
      // The archer confirms with its token, the organiser as the scorer.
      try await own.confirm(.archer)
      let card = ScoreCardModel(office, participant: test.participant)
      try await card.load()
      try await card.confirm(.scorer)
      #expect(card.card?.isConfirmed == true && card.card?.status == .confirmed)
      #expect(await fails(saying: "confirmed") { try await scoring.enter("10") } == false)
      transport.loseAnswers(1)
      #expect(await failure { try await card.reopen(reason: "the archer was not asked") } != nil)
      try await card.reopen(reason: "the archer was not asked")
      #expect(card.card?.confirmations.isEmpty == true && card.card?.total == 47)
      try await card.setPaperTotal(45)
      #expect(card.card?.paperTotal == 45 && card.card?.paperDiffers == true)
      try await card.setPaperTotal(47)
      #expect(card.card?.paperDiffers == false)
      try await card.setPaperTotal(47, xCount: 3)
      #expect(card.card?.paperTotal == 47 && card.card?.paperDiffers == true)
      #expect(await fails(saying: "x_count") { try await card.setPaperTotal(47, xCount: 7) })
      await phone.close()
      await office.close()
    }
  }

  @Test("A judge changes an end by a rule once, also where the answer is lost, and others do not")
  func endRule() async throws {
    try await SessionServer.run { server in
      let test = try await TestCard(server)
      let phone = try await server.session(test.archer)
      let scoring = ScoringModel(phone, event: try await phone.loadTournament(test.event.id))
      try await scoring.enter("10 9 8 7 7 6")
      try await scoring.load()
      let own = ScoreCardModel(phone, participant: test.participant)
      try await own.load()
      #expect(
        await failure { try await own.apply(.outOfTime, toEnd: 0, reason: "I was slow") } != nil)
      let transport = FaultyTransport(try server.client(test.sheriff))
      let office = try await server.session(test.sheriff, on: "office", transport: transport)
      let card = ScoreCardModel(office, participant: test.participant)
      try await card.load()
      transport.loseAnswers(1)
      #expect(
        await failure { try await card.apply(.outOfTime, toEnd: 0, reason: "late") } != nil)
      try await card.apply(.outOfTime, toEnd: 0, reason: "late")
      #expect(try await test.card().total == 37)
      #expect(card.card?.total == 37)
      // The second such shot is another change.
      try await card.apply(.outOfTime, toEnd: 0, reason: "late")
      #expect(card.card?.total == 28)
      try await card.apply(
        .tooManyArrows, toEnd: 1, arrows: try Self.arrows("7 7 6 5"), reason: "four in the face")
      #expect(card.card?.total == 26)
      await phone.close()
      await office.close()
    }
  }
}
