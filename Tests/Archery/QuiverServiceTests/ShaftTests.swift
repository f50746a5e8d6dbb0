import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Numbers of shafts", .timeLimit(.minutes(5)))
struct ShaftTests {
  private static func operation(
    _ round: Round, arrow: Int, _ value: UInt32, shaft: UInt32, end: Int = 0
  ) throws -> ScoringOperation {
    var operation = try ComparisonArcher.record(
      round.participantID, end: end, arrow: arrow, value,
      at: ComparisonArcher.asOf - 3_600_000 + Int64(end * 3 + arrow))
    operation.shaft = shaft
    return operation
  }

  @Test("An arrow keeps the number of its shaft through a correction, unless it names another")
  func kept() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let round = try await archer.begin(nil)
      let first = try Self.operation(round, arrow: 0, 9, shaft: 7)
      let stored = try await archer.client.call(
        Rounds.recordArrow, .with { $0.operation = first })
      #expect(stored.arrows.map(\.shaft) == [7])
      // The same record again changes nothing, whatever shaft it names.
      var again = first
      again.clientID = try UUIDv7.make(unixMilliseconds: UInt64(ComparisonArcher.asOf))
      again.shaft = 8
      let same = try await archer.client.call(Rounds.recordArrow, .with { $0.operation = again })
      #expect(same.verdict == .same && same.arrows.map(\.shaft) == [7])

      var correction = first
      correction.kind = .correct
      correction.clientID = try UUIDv7.make(unixMilliseconds: UInt64(ComparisonArcher.asOf))
      correction.replacesClientID = first.clientID
      correction.value = 10
      correction.shaft = 0
      correction.reason = "line cutter"
      let corrected = try await archer.client.call(
        Rounds.correctArrow, .with { $0.operation = correction })
      #expect(corrected.arrows.map(\.shaft) == [7] && corrected.arrows.map(\.value) == [10])
      var other = correction
      other.clientID = try UUIDv7.make(unixMilliseconds: UInt64(ComparisonArcher.asOf))
      other.replacesClientID = correction.clientID
      other.shaft = 12
      #expect(
        try await archer.client.call(Rounds.correctArrow, .with { $0.operation = other })
          .arrows.map(\.shaft) == [12])

      var card = GetScorecardRequest()
      card.participantID = round.participantID
      card.includeHistory = true
      let found = try await archer.client.call(Rounds.getScorecard, card)
      #expect(found.arrows.map(\.shaft) == [12])
      #expect(found.history.compactMap { $0.operation?.shaft } == [7, 8, 0, 12])

      let bad = try Self.operation(round, arrow: 1, 9, shaft: 100)
      let refusal = await archer.client.refusal(Rounds.recordArrow, .with { $0.operation = bad })
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("operation.shaft: must be at most 99") == true)
    }
  }

  @Test("Statistics by shaft count each numbered shaft, whatever its place in the end")
  func statistics() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setup = try await archer.setup("Numbered")
      let round = try await archer.begin(setup)
      // Shaft 3 is shot first in one end and last in the next; one arrow has no number.
      let shots: [(end: Int, arrow: Int, value: UInt32, shaft: UInt32)] = [
        (0, 0, 6, 3), (0, 1, 10, 1), (0, 2, 9, 0), (1, 0, 10, 1), (1, 1, 9, 2), (1, 2, 7, 3),
      ]
      var request = ApplyOperationsRequest()
      request.operations = try shots.map { shot in
        try Self.operation(round, arrow: shot.arrow, shot.value, shaft: shot.shaft, end: shot.end)
      }
      _ = try await archer.client.call(Rounds.applyOperations, request)
      var question = GetArrowNumbersRequest()
      question.setup = .with { $0.id = setup.id }
      question.asOfMilliseconds = ComparisonArcher.asOf
      question.range = .with { $0.range = .thirtyDays }
      question.includeUnfinished = true
      let places = try await archer.client.call(Comparison.getArrowNumbers, question).numbers
      #expect(places.map(\.number) == [1, 2, 3])
      question.byShaft = true
      let shafts = try await archer.client.call(Comparison.getArrowNumbers, question).numbers
      #expect(shafts.map(\.number) == [1, 2, 3])
      #expect(shafts.map { $0.performance?.averageScore ?? 0 } == [10, 9, 6.5])
      #expect(shafts.map { $0.performance?.totalArrows ?? 0 } == [2, 1, 2])
    }
  }
}
