import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The stages of an event on a device", .timeLimit(.minutes(5)))
struct StageListModelTests {
  @Test("A category is cut once where the reply is lost, and its bracket stays on the device")
  func cut() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stages = StageListModel(session, event: test.event)
      try await stages.load()
      #expect(stages.stages.isEmpty && stages.state == .loaded(staleSince: nil))
      let made = try await resultAfterLostReply(over: transport, "CutCategory") {
        try await stages.cut(category: test.category, to: 4, .individualSets, seed: 7)
      }
      let stage = try #require(made.stage)
      #expect(stage.bronzeMatch && stage.seed == 7 && made.matches.count == 4)
      #expect(stages.stages.map(\.id) == [stage.id] && stages.changeError == nil)
      #expect(try await test.stages().map(\.id) == [stage.id])

      transport.disconnect()
      let bracket = BracketModel(session, event: test.event, stage: stage.id)
      await bracket.refresh()
      #expect(bracket.matches == made.matches && bracket.ranks.count == 4)
      try await stages.load()
      #expect(stages.state.staleSince != nil && stages.stages.count == 1)
      let refused = await failure {
        try await stages.cut(
          category: test.category, to: 2, .individualSets, hasBronzeMatch: false)
      }
      #expect(refused == stages.changeError?.description && refused != nil)
      transport.reconnect()
      try await stages.cut(category: test.category, to: 2, .individualSets, hasBronzeMatch: false)
      #expect(stages.stages.map(\.bronzeMatch) == [true, false] && stages.changeError == nil)

      try await repeatAfterLostReply(over: transport, "DeleteStage") {
        try await stages.deleteStage(stage.id)
      }
      #expect(stages.stages.map(\.size) == [2])
      #expect(try await test.stages().count == 1)
      await bracket.refresh()
      #expect(bracket.matches.isEmpty && bracket.stage == nil)
      #expect(await failure { try await bracket.load() } != nil)
      #expect(bracket.state.error?.code == .call(.notFound))
      await session.close()
    }
  }

  @Test("A cut whose reply was lost is another one after its stage was deleted")
  func again() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stages = StageListModel(session, event: test.event)
      try await stages.load()
      transport.loseAnswers(1)
      let lost = await failure {
        try await stages.cut(category: test.category, to: 4, .individualSets, seed: 7)
      }
      #expect(lost != nil)
      try await stages.load()
      let first = try #require(stages.stages.first).id
      try await stages.deleteStage(first)
      #expect(stages.stages.isEmpty)
      let made = try await stages.cut(category: test.category, to: 4, .individualSets, seed: 7)
      let second = try #require(made.stage).id
      #expect(second != first && stages.stages.map(\.id) == [second])
      #expect(try await test.stages().map(\.id) == [second])
      await session.close()
    }
  }

  @Test("A cut that the server or the device refuses changes nothing, and says why")
  func refusals() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 9, 7])
      let session = try await test.session(try test.transport())
      let stages = StageListModel(session, event: test.event)
      try await stages.load()
      #expect(
        await fails(saying: "decide the tie first") {
          try await stages.cut(category: test.category, to: 2, .individualSets)
        })
      #expect(stages.changeError?.operation == "cut a category")
      #expect(stages.changeError?.code == .call(.failedPrecondition))
      #expect(
        await fails(saying: "size") {
          try await stages.cut(category: test.category, to: -2, .individualSets)
        })
      #expect(stages.changeError?.code == .invalid && stages.changeError?.field == "size")
      #expect(
        await fails(saying: "system") {
          try await stages.cut(category: test.category, to: 4, .teamSets)
        })
      // A spectator of the public event sees the stages, and does not cut.
      let viewer = try server.token()
      let other = try await server.session(viewer, on: "other")
      let foreign = StageListModel(other, event: test.event)
      try await foreign.load()
      #expect(
        await failure { try await foreign.cut(category: test.category, to: 4, .individualSets) }
          != nil)
      #expect(foreign.changeError?.code == .call(.permissionDenied))
      #expect(await failure { try await foreign.deleteStage(1) } != nil)
      #expect(try await test.stages().isEmpty)
      for session in [session, other] { await session.close() }
    }
  }

  @Test("Groups are drawn once, get targets, and are cut to a bracket when they are confirmed")
  func groups() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9, 8, 7])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let stages = StageListModel(session, event: test.event)
      let drawn = try await resultAfterLostReply(over: transport, "DrawGroups") {
        try await stages.drawGroups(
          ofCategory: test.category, from: 4, groups: 2, .individualSets)
      }
      let id = try #require(drawn.stage?.id)
      #expect(stages.stages.map(\.groupCount) == [2] && drawn.matches.count == 2)
      let groups = BracketModel(session, event: test.event, stage: id)
      try await repeatAfterLostReply(over: transport, "PlaceMatches") {
        try await groups.place(
          .groups(1), at: MatchPlaces(firstTarget: 3, startsAt: WallClock.date(1_800_000_000_000)))
      }
      #expect(groups.matches.map { $0.sides.map(\.target) } == [[3, 3], [4, 4]])
      #expect(Set(groups.matches.map(\.startsAtMilliseconds)) == [1_800_000_000_000])
      #expect(
        await fails(saying: "not confirmed") {
          try await stages.cutGroups(ofStage: id, bestOfEach: 1, .individualSets)
        })
      for match in groups.matches {
        try await groups.forfeit(match: match.id, side: 2, reason: "ill")
      }
      #expect(groups.matches.allSatisfy { $0.state == .confirmed && $0.winner == 1 })
      let cut = try await resultAfterLostReply(over: transport, "CutGroups") {
        try await stages.cutGroups(ofStage: id, bestOfEach: 1, .individualSets)
      }
      #expect(cut.stage?.fromStageID == id && cut.matches.count == 1)
      #expect(stages.stages.map(\.fromStageID) == [0, id])
      #expect(try await test.stages().count == 2)
      await session.close()
    }
  }
}
