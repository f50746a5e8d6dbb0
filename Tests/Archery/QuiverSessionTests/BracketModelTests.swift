import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("A bracket on a device", .timeLimit(.minutes(5)))
struct BracketModelTests {
  private func wait(
    until isShown: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  @Test("A bracket is kept current by its watch, and stays without a connection")
  func follow() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let viewer = try server.token()
      let client = try server.client(test.organiser)
      let stage = try #require(try await test.cut(to: 4).stage).id
      let transport = FaultyTransport(try server.client(viewer))
      let session = try await server.session(viewer, transport: transport)
      let stages = StageListModel(session, event: test.event)
      try await stages.load()
      #expect(stages.stages.map(\.id) == [stage])
      let bracket = BracketModel(session, event: test.event, stage: stage)
      try await bracket.load()
      #expect(bracket.matches.map(\.roundSize) == [4, 4, 2, 2] && bracket.ranks.count == 4)
      bracket.follow()
      try await wait { transport.received.contains { $0.hasSuffix("WatchBracket") } }
      let match = bracket.matches[0]
      _ = try await client.call(
        Elimination.forfeitMatch,
        .with { ($0.matchID, $0.side, $0.reason) = (match.id, 2, "a broken bow") })
      try await wait { bracket.matches[0].winner == 1 }
      #expect(bracket.matches.count == 4)
      #expect(bracket.matches[0].decision == .forfeit)
      bracket.stopFollowing()
      transport.disconnect()
      try await bracket.load()
      #expect(bracket.matches.count == 4 && bracket.state.staleSince != nil)
      let other = BracketModel(session, event: test.event, stage: stage + 1)
      #expect(await failure { try await other.load() } != nil)
      #expect(other.matches.isEmpty && other.state.error != nil)
      await session.close()
    }
  }

  @Test("Matches get targets once, and a target that is taken or negative changes nothing")
  func places() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stage = try #require(try await test.cut(to: 4).stage).id
      let bracket = BracketModel(session, event: test.event, stage: stage)
      try await bracket.load()
      let start = WallClock.date(1_800_000_000_000)
      try await repeatAfterLostReply(over: transport, "PlaceMatches") {
        try await bracket.place(
          .bracket(4),
          at: MatchPlaces(firstTarget: 1, hasTargetForEachSide: true, startsAt: start))
      }
      let targets = bracket.matches.map { $0.sides.map(\.target) }
      #expect(targets == [[1, 2], [3, 4], [0, 0], [0, 0]])
      let second = bracket.matches[1].id
      let taken = await failure {
        try await bracket.place(match: second, at: MatchPlaces(firstTarget: 1, startsAt: start))
      }
      #expect(taken == bracket.changeError?.description)
      #expect(bracket.changeError?.code == .call(.failedPrecondition))
      let negative = await failure {
        try await bracket.place(match: second, at: MatchPlaces(firstTarget: -1))
      }
      #expect(negative?.contains("target: must be from 1 to 9999") == true)
      #expect(bracket.matches[1].sides.map(\.target) == [3, 4])
      try await repeatAfterLostReply(over: transport, "PlaceMatch") {
        try await bracket.place(match: second, at: MatchPlaces(firstTarget: 9))
      }
      #expect(bracket.matches[1].sides.map(\.target) == [9, 9] && bracket.changeError == nil)
      #expect(bracket.matches[1].startsAtMilliseconds == 0)
      #expect(try await test.bracket(stage).matches == bracket.matches)
      await session.close()
    }
  }

  @Test("Forfeits and reopening are made once, and models of the match show them")
  func rulings() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stage = try #require(try await test.cut(to: 4).stage).id
      let bracket = BracketModel(session, event: test.event, stage: stage)
      try await bracket.load()
      let id = bracket.matches[0].id
      let match = MatchModel(session, match: id)
      try await match.load()
      for (side, reason) in [(3, "ill"), (2, ""), (-1, "ill")] {
        let refused = await failure {
          try await bracket.forfeit(match: id, side: side, reason: reason)
        }
        #expect(refused != nil && refused == bracket.changeError?.description)
      }
      #expect(bracket.matches[0].winner == 0)
      try await repeatAfterLostReply(over: transport, "ForfeitMatch") {
        try await bracket.forfeit(match: id, side: 2, reason: "a broken bow")
      }
      #expect(bracket.matches[0].decision == .forfeit && bracket.matches[0].winner == 1)
      await match.refresh()
      #expect(match.isConfirmed && bracket.changeError == nil)
      try await repeatAfterLostReply(over: transport, "ReopenMatch") {
        try await bracket.reopen(match: id, reason: "it was repaired")
      }
      #expect(bracket.matches[0].winner == 0 && bracket.matches[0].state == .scheduled)
      #expect(try await test.bracket(stage).matches == bracket.matches)
      await session.close()
    }
  }

  @Test("A change that was taken back since its reply was lost has its effect again")
  func taken() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stage = try #require(try await test.cut(to: 4).stage).id
      let bracket = BracketModel(session, event: test.event, stage: stage)
      try await bracket.load()
      let id = bracket.matches[0].id
      for losesReopening in [false, true] {
        transport.loseAnswers(1)
        #expect(
          await failure { try await bracket.forfeit(match: id, side: 2, reason: "ill") } != nil)
        try await bracket.load()
        #expect(bracket.matches[0].winner == 1)
        transport.loseAnswers(losesReopening ? 1 : 0)
        _ = await failure { try await bracket.reopen(match: id, reason: "an error") }
        try await bracket.load()
        #expect(bracket.matches[0].winner == 0)
        try await bracket.forfeit(match: id, side: 2, reason: "ill")
        #expect(bracket.matches[0].winner == 1)
        try await bracket.reopen(match: id, reason: "another error")
        #expect(bracket.matches[0].winner == 0)
      }
      await session.close()
    }
  }
}
