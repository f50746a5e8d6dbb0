import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Stages of groups", .timeLimit(.minutes(5)))
struct GroupStageTests {
  private static func request(
    _ test: TestBracket, _ size: UInt32, _ groups: UInt32,
    _ change: (inout DrawGroupsRequest) -> Void = { _ in }
  ) -> DrawGroupsRequest {
    var request = DrawGroupsRequest()
    (request.tournamentID, request.categoryID) = (test.event.id, test.category)
    (request.size, request.groupCount, request.system) = (size, groups, .individualSets)
    change(&request)
    return request
  }

  private static func cut(_ stage: Int64, _ count: UInt32) -> CutGroupsRequest {
    .with { ($0.stageID, $0.perGroup, $0.system) = (stage, count, .individualSets) }
  }

  @Test("Everybody of a group meets everybody, the table follows, and the best go on to a bracket")
  func life() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let drawn = try await test.event.organiser.call(
        Elimination.drawGroups, Self.request(test, 7, 2))
      let stage = try #require(drawn.stage).id
      #expect(drawn.stage?.groupCount == 2 && drawn.stage?.size == 0)
      // Seeds 1, 4, 5 and 2, 3, 6, 7: three and six matches.
      #expect(drawn.matches.map(\.group) == [1, 1, 1, 2, 2, 2, 2, 2, 2])
      #expect(drawn.matches.map(\.groupRound) == [1, 2, 3, 1, 1, 2, 2, 3, 3])
      #expect(drawn.matches.allSatisfy { $0.roundSize == 0 && $0.state == .scheduled })
      let early = await test.event.organiser.refusal(Elimination.cutGroups, Self.cut(stage, 2))
      #expect(early?.code == .failedPrecondition)
      #expect(early?.message.contains("9 matches are not confirmed") == true)
      let ended = try await test.playAll(stage)
      #expect(
        ended.ranks.map { "\($0.group) \($0.rank) \($0.displayName) \($0.points)" } == [
          "1 1 E1 4", "1 2 E4 2", "1 3 E5 0", "2 1 E2 6", "2 2 E3 4", "2 3 E6 2", "2 4 E7 0",
        ])
      #expect(ended.ranks[3].playedCount == 3 && ended.ranks[3].wonCount == 3)
      #expect(ended.ranks[3].setPoints == 18 && ended.ranks[3].total == 270)
      let next = try await test.event.organiser.call(Elimination.cutGroups, Self.cut(stage, 2))
      #expect(next.stage?.fromStageID == stage && next.stage?.groupCount == 0)
      #expect(
        next.ranks.sorted { $0.seed < $1.seed }.map(\.displayName) == ["E2", "E1", "E3", "E4"])
      let bracketStage = try #require(next.stage).id
      #expect(try await test.playAll(bracketStage).ranks.first?.displayName == "E2")
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A match of a group is reopened alone, and the table follows")
  func reopening() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(3))
      let drawn = try await test.event.organiser.call(
        Elimination.drawGroups, Self.request(test, 3, 1))
      let stage = try #require(drawn.stage).id
      _ = try await test.playAll(stage)
      _ = try await test.event.organiser.call(
        Elimination.reopenMatch,
        .with { ($0.matchID, $0.reason) = (drawn.matches[0].id, "wrong card") })
      let open = try await test.bracket(stage)
      #expect(open.matches.map(\.state) == [.finished, .confirmed, .confirmed])
      #expect(open.ranks.reduce(0) { $0 + $1.playedCount } == 4)
      _ = try await test.event.organiser.call(
        Elimination.forfeitMatch,
        .with { ($0.matchID, $0.side, $0.reason) = (drawn.matches[0].id, 1, "injured") })
      let loser = drawn.matches[0].sides[0].seed
      let ended = try await test.bracket(stage)
      let row = try #require(ended.ranks.first { $0.seed == loser })
      #expect(row.playedCount == 2 && row.wonCount <= 1)
      let delete = await test.event.organiser.refusal(
        Elimination.deleteStage, .with { $0.stageID = stage })
      #expect(delete?.code == .failedPrecondition)
    }
  }

  @Test("The matches of a round of all groups get targets")
  func places() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let drawn = try await test.event.organiser.call(
        Elimination.drawGroups, Self.request(test, 7, 2))
      let stage = try #require(drawn.stage).id
      func place(_ size: UInt32, _ round: UInt32) async -> RPCError? {
        await test.event.organiser.refusal(
          Elimination.placeMatches,
          .with { request in
            (request.stageID, request.roundSize, request.groupRound) = (stage, size, round)
            (request.firstTarget, request.targetsPerMatch) = (1, 1)
          })
      }
      #expect(await place(0, 1) == nil)
      let placed = try await test.bracket(stage)
      #expect(placed.matches.map { $0.sides[0].target } == [1, 0, 0, 2, 3, 0, 0, 0, 0])
      let before = try server.lastSequence()
      #expect(await place(0, 4)?.code == .failedPrecondition)
      #expect(await place(0, .max)?.code == .failedPrecondition)
      #expect(await place(2, 0)?.code == .failedPrecondition)
      #expect(await place(2, 1)?.code == .invalidArgument)
      #expect(await place(0, 0)?.code == .invalidArgument)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("Groups that are too small, too large or too many are refused and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let bracket = try await test.cut(2)
      let other = try #require(bracket.stage).id
      let groups = try #require(
        try await test.event.organiser.call(Elimination.drawGroups, Self.request(test, 4, 2)).stage
      ).id
      _ = try await test.playAll(groups)
      let before = try server.lastSequence()
      let draws: [(DrawGroupsRequest, StatusCode)] = [
        (Self.request(test, 6, 0), .invalidArgument), (Self.request(test, 6, 4), .invalidArgument),
        (Self.request(test, 6, .max), .invalidArgument),
        (Self.request(test, 40, 2), .invalidArgument),
        (Self.request(test, 128, 8), .invalidArgument),
        (Self.request(test, 1, 1), .invalidArgument),
        (Self.request(test, 129, 9), .invalidArgument),
        (Self.request(test, .max, .max), .invalidArgument),
        (Self.request(test, 8, 2), .invalidArgument),
        (Self.request(test, 6, 2) { $0.system = .teamSets }, .invalidArgument),
        (Self.request(test, 6, 2) { $0.system = .unspecified }, .invalidArgument),
        (Self.request(test, 6, 2) { $0.categoryID = 999_999 }, .notFound),
      ]
      for (index, (request, code)) in draws.enumerated() {
        let error = await test.event.organiser.refusal(Elimination.drawGroups, request)
        #expect(error?.code == code, "\(index): \(error as Any)")
      }
      let cuts: [(CutGroupsRequest, StatusCode)] = [
        (Self.cut(other, 1), .failedPrecondition), (Self.cut(999_999, 1), .notFound),
        (Self.cut(groups, 0), .invalidArgument), (Self.cut(groups, 3), .invalidArgument),
        (Self.cut(groups, .max), .invalidArgument),
      ]
      for (index, (request, code)) in cuts.enumerated() {
        let error = await test.event.organiser.refusal(Elimination.cutGroups, request)
        #expect(error?.code == code, "\(index): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)
    }
  }
}
