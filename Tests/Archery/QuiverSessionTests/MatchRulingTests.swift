import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Rulings over a match on a device", .timeLimit(.minutes(5)))
struct MatchRulingTests {
  @Test("A judge records a forfeit and reopens the match, each once; a spectator changes nothing")
  func judge() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let client = try server.client(test.organiser)
      let judge = try server.token()
      let shown = try await server.client(judge).call(
        Account.getIntroductionCode, GetIntroductionCodeRequest())
      _ = try await client.call(
        Events.setEventOfficial,
        .with { request in
          (request.tournamentID, request.principalCode) = (test.event, shown.code)
          request.role = .judge
        })
      let cut = try await test.cut(to: 4)
      let id = try #require(cut.matches.first).id
      let transport = FaultyTransport(try server.client(judge))
      let session = try await server.session(judge, transport: transport)
      let model = MatchModel(session, match: id)
      try await model.load()
      let mayScore = model.sides.map(\.mayScore)
      // Closures inside and outside a macro of one function get the same name: none is inside.
      let blank = await fails(saying: "reason") { try await model.forfeit(side: 1, reason: "") }
      #expect(blank)
      #expect(model.changeError?.operation == "record a forfeit" && !model.isConfirmed)
      let wrong = await fails(saying: "side") { try await model.forfeit(side: -1, reason: "ill") }
      #expect(wrong)
      try await repeatAfterLostReply(over: transport, "ForfeitMatch") {
        try await model.forfeit(side: 1, reason: "ill")
      }
      #expect(model.isConfirmed && model.changeError == nil)
      try await repeatAfterLostReply(over: transport, "ReopenMatch") {
        try await model.reopen(reason: "the wrong side")
      }
      #expect(!model.isConfirmed && model.sides.map(\.mayScore) == mayScore)
      transport.disconnect()
      let cutOff = await failure { try await model.forfeit(side: 2, reason: "ill") }
      #expect(cutOff != nil)
      #expect(model.changeError?.code == .call(.unavailable) && !model.isConfirmed)
      transport.reconnect()
      try await model.forfeit(side: 2, reason: "ill")
      #expect(model.isConfirmed)

      // A later match with scores stays, unless it is voided.
      let other = try #require(cut.matches.dropFirst().first).id
      _ = try await client.call(
        Elimination.forfeitMatch, .with { ($0.matchID, $0.side, $0.reason) = (other, 2, "ill") })
      let final = try #require(cut.matches.first { $0.roundSize == 2 && $0.index == 0 }).id
      let medals = MatchModel(session, match: final)
      try await medals.load()
      try await medals.enter(
        [10, 9, 9].map { ArrowScore(value: $0) }, side: 1, end: 0)
      try await medals.load()
      #expect(medals.waitingCount == 0 && medals.needsAttention.isEmpty)
      let voiding = await fails(saying: "voided") { try await model.reopen(reason: "an error") }
      #expect(voiding)
      #expect(model.isConfirmed)
      try await model.reopen(reason: "an error", voidsLater: true)
      #expect(!model.isConfirmed)

      let viewer = try await server.session(try server.token(), on: "other")
      let foreign = MatchModel(viewer, match: id)
      try await foreign.load()
      let foreignFailure = await failure { try await foreign.forfeit(side: 1, reason: "ill") }
      #expect(foreignFailure != nil)
      #expect(foreign.changeError?.code == .call(.permissionDenied) && !foreign.isConfirmed)
      for session in [session, viewer] { await session.close() }
    }
  }
}
