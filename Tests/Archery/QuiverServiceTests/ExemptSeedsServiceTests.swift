import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import TestSupport
import Testing

@Suite("Cuts with exempt seeds", .timeLimit(.minutes(5)))
struct ExemptSeedsServiceTests {
  private static let arrowCount = 9

  /// An event whose entries have shot totals of 90, 89 and so on.
  private func event(_ server: TestServer, _ count: Int) async throws -> TestBracket {
    let test = try await TestBracket(server, [[UInt32]?](repeating: nil, count: count)) {
      $0.format = .library("wa18", arrows: UInt32(Self.arrowCount))
    }
    var operations: [ScoringOperation] = []
    for (place, entry) in test.entries.enumerated() {
      let total = Self.arrowCount * 10 - place
      for arrow in 0..<Self.arrowCount {
        var operation = TestTournament.operation(
          entry.participantID, UInt32(arrow / 3), UInt32(arrow % 3),
          UInt32(total / Self.arrowCount + (arrow < total % Self.arrowCount ? 1 : 0)))
        operation.clientID = try test.event.tournament.clientID()
        operation.kind = .record
        operations.append(operation)
      }
    }
    for first in stride(from: 0, to: operations.count, by: 50) {
      let part = Array(operations[first..<min(first + 50, operations.count)])
      let response = try await test.event.organiser.call(
        Tournament.applyOperations, .with { $0.operations = part })
      #expect(response.verdicts.allSatisfy { $0.verdict == .stored })
    }
    return test
  }

  private func request(
    _ test: TestBracket, _ size: UInt32, exempt: UInt32
  ) -> CutCategoryRequest {
    test.cutRequest(size) { request in
      request.system = .individualCumulative
      request.exemptSeeds = exempt
    }
  }

  @Test("Wrong numbers of exempt seeds and of archers are refused, and nothing is drawn")
  func refusals() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let organiser = test.event.organiser
      for (size, exempt) in [(4, 8), (56, 8), (105, 8), (128, 8), (64, 7), (64, 16)] {
        let refusal = await organiser.refusal(
          Elimination.cutCategory, request(test, UInt32(size), exempt: UInt32(exempt)))
        #expect(refusal?.code == .invalidArgument, "\(size) \(exempt)")
        #expect(refusal?.message.contains("exempt") == true, "\(size) \(exempt)")
      }
      let stages = try await organiser.call(
        Elimination.listStages, .with { $0.tournamentID = test.event.id })
      #expect(stages.stages.isEmpty)
      let plain = try await organiser.call(Elimination.cutCategory, request(test, 4, exempt: 0))
      #expect(plain.stage?.exemptSeeds == 0 && plain.matches.count == 4)
    }
  }

  @Test("A published event with 65 archers that is cut, shot and confirmed has the published ranks")
  func published() async throws {
    let published = try #require(PublishedBracket.all.first { $0.entrantCount == 65 })
    try await TestServer.run { server in
      let test = try await event(server, 65)
      let organiser = test.event.organiser
      let drawn = try await organiser.call(
        Elimination.cutCategory, request(test, 65, exempt: 8))
      let stage = try #require(drawn.stage)
      #expect(stage.size == 128 && stage.exemptSeeds == 8 && drawn.matches.count == 112)
      #expect(drawn.matches.count { $0.roundSize == 128 } == 48)
      #expect(drawn.matches.count { $0.state == .scheduled } == 9 + 15)
      #expect(drawn.ranks.map(\.seed) == Array(1...65))
      let targets = try await organiser.call(
        Elimination.placeMatches,
        .with { request in
          (request.stageID, request.roundSize) = (stage.id, 128)
          (request.firstTarget, request.targetsPerMatch) = (1, 2)
        })
      #expect(targets.matches.filter { $0.roundSize == 128 && $0.sides[0].target > 0 }.count == 9)

      var shotCount = 0
      while true {
        let bracket = try await test.bracket(stage.id)
        let open = bracket.matches.filter { $0.state == .scheduled }
        guard !open.isEmpty else { break }
        for match in open {
          try await shoot(match, published, test)
          shotCount += 1
        }
      }
      let ended = try await test.bracket(stage.id)
      #expect(shotCount == published.matches.count)
      for row in ended.ranks {
        #expect(Int(row.rank) == published.ranks[Int(row.seed)], "seed \(row.seed)")
      }
      #expect(ended.matches.allSatisfy { $0.state == .confirmed || $0.state == .bye })
      let document = try await organiser.call(
        Events.getEventDocument,
        .with { request in
          (request.tournamentID, request.kind) = (test.event.id, .matchesCSV)
        })
      let text = String(decoding: document.content, as: UTF8.self)
      #expect(text.contains(",\"1/48, 3\","), "\(text.prefix(600))")
      #expect(try server.store.verify() == [])
    }
  }

  /// Shoots a match with the published sums, and confirms both cards.
  private func shoot(
    _ match: EliminationMatch, _ published: PublishedBracket, _ test: TestBracket
  ) async throws {
    let seeds = match.sides.map { Int($0.seed) }
    let facts = try #require(
      published.match(
        Int(match.roundSize), isBronze: match.roundSize == 2 && match.index == 1, seeds),
      "no match of \(seeds) in round \(match.roundSize)")
    #expect(facts.seeds == seeds)
    var operations: [MatchOperation] = []
    for side in [0, 1] {
      for end in 0..<5 {
        let arrows = (0..<3).map { arrow in
          UInt32(facts.scores[side] / 15 + (end * 3 + arrow < facts.scores[side] % 15 ? 1 : 0))
        }
        operations.append(
          try test.operation(match.id, UInt32(side + 1), UInt32(end), arrows))
      }
    }
    if facts.scores[0] == facts.scores[1] {
      for side in [0, 1] {
        operations.append(
          try test.operation(
            match.id, UInt32(side + 1), 0, [facts.winner == seeds[side] ? 10 : 9],
            shootOff: true))
      }
    }
    let verdicts = try await test.apply(operations)
    #expect(verdicts.allSatisfy { $0.verdict == .stored }, "match of \(seeds)")
    try await test.confirm(match.id)
    let ended = try await test.match(match.id)
    #expect(Int(ended.sides[Int(ended.winner) - 1].seed) == facts.winner)
  }
}
