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

    init(_ server: SessionServer) async throws {
      self.server = server
      sheriff = try server.token()
      archer = try server.token()
      event = try await server.tournament(sheriff, arrows: 6) { $0.joins = false }
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
      #expect(card.card?.paperTotal == 45)
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
