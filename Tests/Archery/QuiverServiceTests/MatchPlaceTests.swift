import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Targets of matches", .timeLimit(.minutes(5)))
struct MatchPlaceTests {
  private static func place(
    _ test: TestBracket, _ stage: Int64, _ roundSize: UInt32, _ first: UInt32,
    on targets: UInt32 = 1, at start: Int64 = 0
  ) async -> RPCError? {
    await test.event.organiser.refusal(
      Elimination.placeMatches,
      .with { request in
        (request.stageID, request.roundSize) = (stage, roundSize)
        (request.firstTarget, request.targetsPerMatch) = (first, targets)
        request.startsAtMilliseconds = start
      })
  }

  private static func place(
    _ test: TestBracket, match: Int64, _ first: UInt32, on targets: UInt32 = 1, at start: Int64 = 0
  ) async -> RPCError? {
    await test.event.organiser.refusal(
      Elimination.placeMatch,
      .with { request in
        (request.matchID, request.firstTarget) = (match, first)
        (request.targetsPerMatch, request.startsAtMilliseconds) = (targets, start)
      })
  }

  @Test(
    "The matches of a round get targets in their order, byes none, and they stay when it advances")
  func rounds() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let drawn = try await test.cut(6)
      let stage = try #require(drawn.stage).id
      #expect(await Self.place(test, stage, 8, 11, on: 2, at: 5_000) == nil)
      #expect(await Self.place(test, stage, 2, 1, at: 9_000) == nil)
      let placed = try await test.bracket(stage)
      #expect(
        placed.matches.map { $0.sides.map(\.target) } == [
          [0, 0], [11, 12], [13, 14], [0, 0], [0, 0], [0, 0], [1, 1], [2, 2],
        ])
      #expect(
        placed.matches.map(\.startsAtMilliseconds) == [0, 5_000, 5_000, 0, 0, 0, 9_000, 9_000])
      let ended = try await test.playAll(stage)
      #expect(ended.matches.suffix(2).map { $0.sides.map(\.target) } == [[1, 1], [2, 2]])
      let sequence = try server.lastSequence()
      #expect(await Self.place(test, stage, 2, 1, at: 9_000) == nil)
      #expect(try server.lastSequence() == sequence)
      #expect(await Self.place(test, match: ended.matches[1].id, 0) == nil)
      #expect(try await test.match(ended.matches[1].id).sides.map(\.target) == [0, 0])
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A target has one match at a time, and bad places are refused and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(6))
      let first = try #require(try await test.cut(4).stage).id
      let other = try await test.cut(3)
      let second = try #require(other.stage).id
      #expect(await Self.place(test, first, 4, 3, on: 2, at: 5_000) == nil)
      let before = try server.lastSequence()
      let taken = await Self.place(test, second, 4, 5, at: 5_000)
      #expect(taken?.code == .failedPrecondition)
      #expect(taken?.message.contains("is on target 5 at this time") == true, "\(taken as Any)")
      let bye = try #require(other.matches.first { $0.state == .bye }).id
      let refused: [(RPCError?, StatusCode)] = [
        (await Self.place(test, first, 3, 1), .invalidArgument),
        (await Self.place(test, first, 256, 1), .invalidArgument),
        (await Self.place(test, first, 8, 1), .failedPrecondition),
        (await Self.place(test, first, 4, 9_999), .invalidArgument),
        (await Self.place(test, first, 4, 10_000), .invalidArgument),
        (await Self.place(test, first, 4, .max, on: 2), .invalidArgument),
        (await Self.place(test, first, 4, 1, on: 0), .invalidArgument),
        (await Self.place(test, first, 4, 1, on: 3), .invalidArgument),
        (await Self.place(test, first, 4, 1, at: -1), .invalidArgument),
        (await Self.place(test, 999_999, 4, 1), .notFound),
        (await Self.place(test, match: 999_999, 1), .notFound),
        (await Self.place(test, match: bye, 1), .failedPrecondition),
      ]
      for (index, (error, code)) in refused.enumerated() {
        #expect(error?.code == code, "\(index): \(error as Any)")
      }
      #expect(try server.lastSequence() == before)
      #expect(await Self.place(test, second, 4, 5, at: 6_000) == nil)
    }
  }
}
