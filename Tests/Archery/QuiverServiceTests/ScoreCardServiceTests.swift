import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Score cards over the wire", .timeLimit(.minutes(5)))
struct ScoreCardServiceTests {
  private static func arrows(_ values: [UInt32]) -> [MatchArrow] {
    values.map { value in MatchArrow.with { $0.value = value } }
  }

  private static func second(
    _ participant: Int64, _ values: [UInt32], _ event: TestEvent, by client: Client
  ) async throws -> CardOperationVerdict {
    let operation = try CardOperation.with { operation in
      operation.clientID = try event.tournament.clientID()
      operation.participantID = participant
      operation.arrows = arrows(values)
      operation.device = "phone"
    }
    let answer = try await client.call(
      Events.applyCardOperations, .with { $0.operations = [operation] })
    #expect(answer.verdicts.map(\.clientID) == [operation.clientID])
    return try #require(answer.verdicts.first)
  }

  private static func summary(_ participant: Int64, _ event: TestEvent) async throws
    -> CategoryStandingsRow?
  {
    let page = try await event.organiser.call(
      Events.getCategoryStandings, .with { $0.tournamentID = event.id })
    return page.rows.first { $0.row?.participantID == participant }
  }

  @Test("Counts on paper are shown beside the card, with what differs and what is deducted")
  func paper() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
      let archer = try await event.tournament.join(try server.client(named: "Robin")).id
      try await event.tournament.start()
      for index in 0..<3 { try await event.tournament.record(archer, 0, UInt32(index), 10) }
      func put(
        _ change: @Sendable (inout SetPaperTotalRequest) -> Void
      ) async throws -> ComparedCard {
        var request = SetPaperTotalRequest()
        request.participantID = archer
        change(&request)
        return try await event.organiser.call(Events.setPaperTotal, request)
      }
      let equal = try await put { ($0.total, $0.hits, $0.golds, $0.xCount) = (30, 3, 3, 0) }
      #expect(!equal.paperDiffers && equal.summary?.paper?.golds == 3)
      #expect(equal.summary?.paper?.xCount == 0 && equal.summary?.deductions == nil)
      let fewer = try await put { ($0.total, $0.golds) = (30, 2) }
      #expect(fewer.paperDiffers && fewer.summary?.paper?.hits == nil)
      let part = try await put { ($0.part, $0.total, $0.golds) = (1, 30, 2) }
      #expect(part.parts.map(\.paperDiffers) == [true])
      #expect(part.parts[0].paper?.total == 30 && part.parts[0].paper?.golds == 2)
      for role in [QuiverAPI.CardRole.archer, .scorer] {
        let revision = try await event.organiser.call(
          Events.getComparedCard, .with { $0.participantID = archer }
        ).revision
        _ = try await event.organiser.call(
          Events.confirmScoreCard,
          .with { request in
            (request.participantID, request.role, request.revision) = (archer, role, revision)
            (request.part, request.signature) = (1, role == .archer ? [1] : [])
          })
      }
      let after = try await event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = archer })
      #expect(after.parts[0].deductions?.golds == 1 && after.parts[0].deducted == 0)
      #expect(after.summary?.deductions?.golds == 1 && after.total == 30)
      // What the distance counts is what the whole paper has.
      #expect(!after.paperDiffers)
      #expect(try await Self.summary(archer, event)?.row?.tenCount == 2)
      let lone = await event.organiser.refusal(
        Events.setPaperTotal, .with { ($0.participantID, $0.golds) = (archer, 1) })
      #expect(lone?.code == .invalidArgument && lone?.message.contains("golds") == true)
      let many = await event.organiser.refusal(
        Events.setPaperTotal,
        .with { ($0.participantID, $0.total, $0.golds) = (archer, 30, 4) })
      #expect(many?.code == .invalidArgument)
    }
  }

  @Test("Two cards are shown, ruled, confirmed, and told apart in the standings")
  func shown() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
      let robin = try server.client(named: "Robin")
      let archer = try await event.tournament.join(robin).id
      let will = try server.principal(named: "Will")
      let scorer = try server.client(of: will.id, [.read, .write])
      let code = try server.code(of: will.id)
      _ = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, .scorer) })
      try await event.tournament.start()
      #expect(try await Self.summary(archer, event)?.card == nil)
      for index in 0..<3 { try await event.tournament.record(archer, 0, UInt32(index), 9) }
      let verdict = try await Self.second(archer, [9, 9, 8], event, by: scorer)
      #expect(verdict.verdict == .stored && verdict.end?.state == .disputed)
      let conflict = try await Self.second(archer, [9, 9, 7], event, by: scorer)
      #expect(conflict.verdict == .conflict && conflict.message.contains("correct them"))
      #expect(conflict.code == UInt32(StatusCode.aborted.rawValue))
      let listed = try await robin.call(
        Events.listCardDisputes, .with { $0.tournamentID = event.id })
      #expect(listed.disputes.map(\.displayName) == ["Robin"])
      #expect(listed.disputes.first?.second.map(\.value) == [9, 9, 8])
      #expect(try await Self.summary(archer, event)?.card?.disputedEnds == 1)
      let ruled = try await event.organiser.call(
        Events.ruleOnEnd,
        .with { request in
          (request.participantID, request.reason) = (archer, "measured")
          request.arrows = Self.arrows([9, 9, 8])
        })
      #expect(ruled.ends.first?.state == .ruled && ruled.ends.first?.ruledBy == "Sheriff")
      #expect(ruled.total == 26 && ruled.secondTotal == 26 && ruled.summary?.status == .agreed)
      let signed = try await robin.call(
        Events.confirmScoreCard,
        .with { request in
          (request.participantID, request.role) = (archer, .archer)
          (request.revision, request.signature) = (ruled.revision, [1, 2, 3])
        })
      #expect(signed.confirmations.map(\.signed) == [true])
      #expect(signed.confirmations.map(\.signature) == [[]])
      _ = try await scorer.call(
        Events.confirmScoreCard,
        .with { request in
          (request.participantID, request.role) = (archer, .scorer)
          request.revision = signed.revision
        })
      let row = try #require(try await Self.summary(archer, event))
      #expect(row.card?.status == .confirmed && row.card?.confirmedEnds == 1)
      #expect(row.row?.total == 26)
      // Only who rules, and the archer, see the drawing.
      let seen: [(Client, [UInt8])] = [
        (robin, [1, 2, 3]), (event.organiser, [1, 2, 3]), (scorer, []),
      ]
      for (client, signature) in seen {
        let card = try await client.call(
          Events.getComparedCard, .with { $0.participantID = archer })
        #expect(card.confirmations.first?.signature == signature)
        #expect(card.rule.contains("lower total"))
      }
      let late = await robin.refusal(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(archer, 0, 0, 10) })
      #expect(late?.code == .failedPrecondition)
    }
  }

  @Test("A scorer of the event may score everybody, and learns it from the list and the watch")
  func scorer() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let archers = try await event.entries(
        [TestEvent.draft("1", "Ann"), TestEvent.draft("2", "Ben")]
      ).map(\.participantID)
      let will = try server.principal(named: "Will")
      let scorer = try server.client(of: will.id, [.read, .write])
      func listed() async throws -> [Participant] {
        try await scorer.call(
          Tournament.listParticipants,
          .with { ($0.tournamentID, $0.mineOnly) = (event.id, true) }
        ).participants
      }
      #expect(try await listed().isEmpty)
      var messages = try scorer.client.stream(
        Tournament.watchTournament, .with { $0.tournamentID = event.id }
      ).makeAsyncIterator()
      #expect(try await messages.next()?.participants.map(\.mayScore) == [false, false])
      let code = try server.code(of: will.id)
      _ = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, .scorer) })
      #expect(try await listed().map(\.id) == archers)
      #expect(try await listed().allSatisfy(\.mayScore))
      #expect(try await messages.next()?.participants.map(\.mayScore) == [true, true])
    }
  }

  @Test("Requests that are not valid are INVALID_ARGUMENT")
  func invalid() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let organiser = event.organiser
      let many = await organiser.refusal(
        Events.applyCardOperations,
        .with { $0.operations = Array(repeating: CardOperation(), count: 51) })
      let none = await organiser.refusal(
        Events.applyCardOperations, ApplyCardOperationsRequest())
      let role = await organiser.refusal(
        Events.confirmScoreCard, .with { ($0.participantID, $0.revision) = (1, 1) })
      let long = await organiser.refusal(
        Events.ruleOnEnd,
        .with { request in
          (request.participantID, request.reason) = (1, "seen")
          request.arrows = Self.arrows(Array(repeating: 9, count: 500))
        })
      for refusal in [many, none, role, long] { #expect(refusal?.code == .invalidArgument) }
      // An operation that cannot be valid is refused alone.
      let archer = try await event.tournament.join(try server.client(named: "Robin")).id
      try await event.tournament.start()
      let high = try await Self.second(archer, [9, 9, 12], event, by: organiser)
      #expect(high.verdict == .refused && high.code == UInt32(StatusCode.invalidArgument.rawValue))
      #expect(high.message.hasPrefix("operations[0].arrows: "))
    }
  }
}
