import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("Who agreed to corrections on a device", .timeLimit(.minutes(5)))
struct CorrectionWitnessModelTests {
  private static let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)

  /// Where a witness must agree, a scorer and one of two archers whom it scores have three arrows.
  private struct Line {
    let server: SessionServer
    let sheriff: String
    let scorer: String
    let event: TournamentEvent
    let archers: [Int64]

    init(_ server: SessionServer) async throws {
      self.server = server
      sheriff = try server.token()
      scorer = try server.token()
      event = try await server.tournament(sheriff) { request in
        (request.joins, request.correctionConsent) = (false, .witness)
      }
      let client = try server.client(sheriff)
      let id = event.id
      var ids: [Int64] = []
      for _ in 0..<2 { ids.append(try await server.join(event, by: try server.token()).id) }
      archers = ids
      let code = try await server.client(scorer).call(
        Account.getIntroductionCode, GetIntroductionCodeRequest()
      ).code
      _ = try await client.call(
        Tournament.appointScorer,
        .with { request in
          (request.tournamentID, request.principalCode) = (id, code)
          request.participantIDs = ids
        })
      try await server.start(event, by: sheriff)
    }

    /// The operations of the first archer with who agreed to each; 0: nobody.
    func history() async throws -> [String] {
      try await server.card(archers[0], by: sheriff).history.compactMap(\.operation).map {
        "\($0.kind.rawValue) \($0.witnessID == archers[1] ? "witness" : "\($0.witnessID)")"
      }
    }
  }

  @Test("Corrections of a full end name who agreed, also those that were refused without a name")
  func arrows() async throws {
    try await SessionServer.run { server in
      let line = try await Line(server)
      let session = try await server.session(line.scorer)
      let scoring = ScoringModel(session, event: try await session.loadTournament(line.event.id))
      await scoring.refresh()
      #expect(scoring.correctionConsent == .witness)
      let archer = try #require(scoring.participants.first { $0.serverID == line.archers[0] })
      let witness = CorrectionWitness.participant(line.archers[1])
      try await scoring.switchTo(archer.id)
      try await scoring.enter("9 9 9")
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty)
      // Without a name it is refused, and sent again with one.
      try await scoring.correct(
        ArrowScore(value: 8), at: Self.slot, of: archer.id, reason: "misread")
      try await scoring.load()
      #expect(scoring.needsAttention.map(\.mark) == [.refused])
      #expect(try await line.history() == ["1 0", "1 0", "1 0"])
      try await scoring.retry(try #require(scoring.needsAttention.first).id, witness: witness)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 0)
      try await scoring.correct(
        ArrowScore(value: 7), at: Self.slot, of: archer.id, reason: "misread", witness: witness)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty)
      try await scoring.undo(witness: witness)
      try await scoring.load()
      try await scoring.retract(
        at: Self.slot, of: archer.id, reason: "of another archer", witness: witness)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 0)
      // The end is not full any more: nobody need agree.
      try await scoring.enter(ArrowScore(value: 6), at: Self.slot, of: archer.id)
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty)
      let card = try await server.card(line.archers[0], by: line.sheriff)
      #expect(card.arrows.map(\.value) == [6, 9, 9])
      let agreed = try await line.history().filter { $0.hasSuffix("witness") }
      #expect(agreed.sorted() == ["2 witness", "2 witness", "2 witness", "3 witness"])
      await session.close()
    }
  }

  @Test("An arrow in conflict is overwritten with who agreed to that")
  func conflict() async throws {
    try await SessionServer.run { server in
      let line = try await Line(server)
      let session = try await server.session(line.scorer)
      let scoring = ScoringModel(session, event: try await session.loadTournament(line.event.id))
      await scoring.refresh()
      let archer = try #require(scoring.participants.first { $0.serverID == line.archers[0] })
      try await scoring.switchTo(archer.id)
      let client = try server.client(line.sheriff)
      let id = line.archers[0]
      for arrow in 0..<UInt32(3) {
        var request = RecordArrowRequest()
        request.operation = .with { operation in
          (operation.participantID, operation.arrowIndex, operation.value) = (id, arrow, 5)
        }
        _ = try await client.call(Tournament.recordArrow, request)
      }
      try await scoring.enter(ArrowScore(value: 9), at: Self.slot, of: archer.id)
      try await scoring.load()
      #expect(scoring.needsAttention.map(\.mark) == [.conflict])
      try await scoring.overwrite(
        try #require(scoring.needsAttention.first).id, witness: .participant(line.archers[1]))
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 0)
      #expect(try await line.history() == ["1 0", "1 0", "1 0", "2 witness"])
      await session.close()
    }
  }

  @Test("Corrections in a match name who agreed, also those that were refused without a name")
  func matches() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server, consent: .witness)
      let session = try await server.session(test.archers[0])
      let model = MatchModel(session, match: test.id)
      try await model.load()
      #expect(model.correctionConsent == .witness)
      func arrows(_ values: [Int]) -> [ArrowScore] { values.map { ArrowScore(value: $0) } }
      func entries() async throws -> [String] {
        try await test.match().sides[0].entries.map { entry in
          "\(entry.arrows.map(\.value)) \(entry.witnessID == test.participants[1])"
        }
      }
      try await model.enter(arrows([9, 9, 9]), side: 1, end: 0)
      try await model.correct(arrows([9, 9, 8]), side: 1, end: 0, reason: "misread")
      try await model.load()
      #expect(model.needsAttention.map(\.mark) == [.refused])
      #expect(try await entries() == ["[9, 9, 9] false"])
      let witness = CorrectionWitness.participant(test.participants[1])
      try await model.retry(try #require(model.needsAttention.first).id, witness: witness)
      try await model.load()
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      #expect(try await entries() == ["[9, 9, 8] true"])
      try await model.remove(
        try #require(model.sides[0].entries.first), side: 1, reason: "of another archer",
        witness: witness)
      try await model.enter(arrows([7, 7, 7]), side: 1, end: 0)
      try await model.correct(
        arrows([7, 7, 6]), side: 1, end: 0, reason: "misread", witness: witness)
      try await model.load()
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      #expect(try await entries() == ["[7, 7, 6] true"])
      // Another phone corrects it meanwhile.
      let tablet = try await server.session(test.sheriff, on: "tablet")
      let other = MatchModel(tablet, match: test.id)
      try await other.load()
      try await other.correct(arrows([7, 7, 5]), side: 1, end: 0, reason: "misread")
      try await other.load()
      try await model.correct(
        arrows([7, 7, 4]), side: 1, end: 0, reason: "misread", witness: witness)
      try await model.load()
      #expect(model.needsAttention.map(\.mark) == [.conflict])
      try await model.overwrite(try #require(model.needsAttention.first).id, witness: witness)
      try await model.load()
      #expect(model.needsAttention.isEmpty && model.waitingCount == 0)
      #expect(try await entries() == ["[7, 7, 4] true"])
      await tablet.close()
      await session.close()
    }
  }
}
