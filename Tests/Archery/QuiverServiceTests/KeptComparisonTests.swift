import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Kept rounds and positions of comparisons", .timeLimit(.minutes(5)))
struct KeptComparisonTests {
  private static let hour: Int64 = 3_600_000

  private static func principal(_ archer: ComparisonArcher) async throws -> Int64 {
    try await archer.client.call(Account.getProfile, GetProfileRequest()).principalID
  }

  /// A comparison of two setups as it is answered, again, and without what is kept.
  private static func replies(
    _ archer: ComparisonArcher, _ setups: [BowSetup], _ principal: Int64, _ server: TestServer
  ) async throws -> [[UInt8]] {
    let kept = server.store.keptComparisons
    var replies: [[UInt8]] = []
    for isEmptied in [false, false, true] {
      if isEmptied {
        #expect(kept.byteCount > 0)
        kept.removeAll(of: principal)
        #expect(kept.byteCount == 0)
      }
      let reply = try await archer.compare(setups)
      #expect(reply.setups.allSatisfy { $0.performance != nil })
      replies.append(reply.serializedBytes())
    }
    return replies
  }

  @Test(
    "A comparison shows each arrow, correction and deleted session at once",
    arguments: TestSeed.seeds(2))
  func followsChanges(seed: UInt64) async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let principal = try await Self.principal(archer)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      for setup in setups {
        try await archer.shootRounds(setup, 3, level: 8, drift: 0.1)
      }
      var random = SeededGenerator(seed: seed)
      var rounds: [(round: Round, first: OperationVerdict)] = []
      var different: Set<[UInt8]> = []
      for step in 0..<15 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let round = try await archer.begin(setups[step % 2])
          // Some begin before the range.
          let hours = Int64.random(in: 1..<1_000, using: &random)
          let values = (0..<60).map { _ in UInt32.random(in: 6...10, using: &random) }
          let verdicts = try await archer.shoot(
            round, values, at: ComparisonArcher.asOf - hours * Self.hour,
            drift: Double.random(in: -0.5..<0.5, using: &random))
          rounds.append((round, try #require(verdicts.first)))
        case 2:
          guard let (round, first) = rounds.randomElement(using: &random) else { continue }
          var operation = try ComparisonArcher.record(
            round.participantID, end: 0, arrow: 0, 7, at: ComparisonArcher.asOf - 1,
            x: Double.random(in: -0.5..<0.5, using: &random))
          operation.kind = .correct
          (operation.replacesID, operation.reason) = (first.operationID, "misread")
          let sent = operation
          // The second correction of an arrow conflicts.
          _ = await archer.client.refusal(
            Rounds.applyOperations, .with { $0.operations = [sent] })
        default:
          guard let place = rounds.indices.randomElement(using: &random) else { continue }
          let id = rounds.remove(at: place).round.sessionID
          _ = try await archer.client.call(Rounds.deleteSession, .with { $0.id = id })
        }
        let replies = try await Self.replies(archer, setups, principal, server)
        #expect(Set(replies).count == 1, "seed \(seed), step \(step)")
        different.formUnion(replies)
      }
      #expect(different.count > 5, "seed \(seed)")
    }
  }

  @Test("What was read before a commit of the principal is not kept")
  func refusesOldReads() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let principal = try await Self.principal(archer)
      let kept = server.store.keptComparisons
      let setup = try await archer.setup("A")
      let reading = try #require(kept.reading(of: principal))
      let round = try await archer.begin(setup)
      reading.keep([0: []], of: round.id)
      #expect(kept.byteCount == 0)
      try #require(kept.reading(of: principal)).keep([0: []], of: round.id)
      #expect(kept.byteCount > 0)
      #expect(kept.reading(of: principal)?.round(round.id) != nil)
      #expect(kept.reading(of: principal + 1)?.round(round.id) == nil)
      try await archer.set(.paused, round)
      #expect(kept.byteCount == 0)
    }
  }

  @Test("A comparison shows at once that an organiser ended, reopened or cancelled the event")
  func followsEvents() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      let tournament = try await TestTournament(server)
      let entry = try await archer.client.call(
        Tournament.joinTournament,
        .with { request in
          request.joinCode = tournament.event.joinCode
          request.setupID = setups[0].id
        })
      try await tournament.start()
      try await tournament.record(entry.id, 0, 0, 9, by: archer.client)
      var request = ComparisonArcher.request(setups, .none, range: .allTime)
      request.asOfMilliseconds = nil
      func rounds() async throws -> UInt64? {
        let replies = [
          try await archer.client.call(Comparison.compare, request),
          try await archer.client.call(Comparison.compare, request),
        ]
        #expect(replies[0].setups == replies[1].setups)
        #expect(server.store.keptComparisons.byteCount > 0)
        return replies[0].setups.first?.performance?.roundCount
      }
      #expect(try await rounds() == 0)
      try await tournament.finalise()
      #expect(try await rounds() == 1)
      _ = try await tournament.organiser.call(
        Tournament.reopenTournament,
        .with { request in
          request.id = tournament.event.id
          request.reason = "a late card"
        })
      #expect(try await rounds() == 0)
      try await tournament.finalise()
      #expect(try await rounds() == 1)
      _ = try await tournament.organiser.call(
        Tournament.reopenTournament,
        .with { request in
          request.id = tournament.event.id
          request.reason = "a late card"
        })
      _ = try await tournament.organiser.call(
        Tournament.cancelTournament, .with { $0.id = tournament.event.id })
      #expect(try await rounds() == 0)
    }
  }
}
