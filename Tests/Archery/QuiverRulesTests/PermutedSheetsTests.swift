import Foundation
import QuiverRules
import TestSupport
import Testing

@Suite("The sample tournament in any order", .timeLimit(.minutes(600)))
struct PermutedSheetsTests {
  private typealias Operation = ScoreOperation<Int>

  /// At least 200; `QUIVER_PERMUTATIONS` asks for more.
  private static var count: Int {
    max(200, ProcessInfo.processInfo.environment["QUIVER_PERMUTATIONS"].flatMap(Int.init) ?? 0)
  }

  @Test("200 permutations, splits and repeats leave the same rows byte for byte")
  func permutations() throws {
    let seed =
      TestSeed.value
    var random = SeededGenerator(seed: seed)
    let sheets = try Self.sheets()
    #expect(sheets.count >= 60 && sheets.allSatisfy { $0.arrows.count >= 30 })
    let format = try #require(RoundLibrary.format("wa18")).cut(toArrows: 30)
    let operations = try Self.operations(of: sheets, in: format, &random)
    let policies = [TiePolicy.xFirst, .waIndoor, .scoreOnly]
    let expected = policies.map { Self.rows(operations, sheets, format, $0) }
    #expect(Set(expected).count == policies.count)
    for round in 0..<Self.count {
      let repeated = operations + operations.shuffled(using: &random).prefix(500)
      let shuffled = repeated.shuffled(using: &random)
      let policy = round % policies.count
      let rows = Self.rows(shuffled, sheets, format, policies[policy])
      #expect(rows == expected[policy], "seed \(seed), round \(round)")
      if rows != expected[policy] { break }
    }
    print("permuted sheets: seed \(seed), \(Self.count) rounds")
  }

  /// The final rows as `quiver tournament replay` prints them: rank archer total x tens.
  private static func rows(
    _ operations: [(archer: Int, operation: Operation)], _ sheets: [Sheet],
    _ format: RoundFormat, _ policy: TiePolicy
  ) -> String {
    var folds = Array(repeating: ScoreFold<Int>(), count: sheets.count)
    for (archer, operation) in operations { folds[archer].apply(operation) }
    let contenders = folds.enumerated().map { place, fold in
      Ranking.Contender(id: Int64(place), tally: fold.tally(in: format))
    }
    let ranking = Ranking(TiePolicyForm.of(policy, onDay: 20_454), inProgress: false)
    return ranking.ranked(contenders).map { row in
      let tally = row.contender.tally
      let archer = sheets[Int(row.contender.id)].archer
      return "\(row.rank) \(archer) \(tally.total) \(tally.xCount) \(tally.tenCount)"
    }.joined(separator: "\n")
  }

  private struct Sheet {
    let archer: String
    let arrows: [ArrowScore]
  }

  private static func sheets() throws -> [Sheet] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Fixtures/tournament/sample.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return Sheet(
        archer: String(cells[0]), arrows: cells.dropFirst().compactMap { ArrowScore(sheet: $0) })
    }
  }

  /// A record for each arrow, some of them with a chain behind it that ends at the sheet's value.
  private static func operations(
    of sheets: [Sheet], in format: RoundFormat, _ random: inout SeededGenerator
  ) throws -> [(archer: Int, operation: Operation)] {
    var operations: [(archer: Int, operation: Operation)] = []
    for (archer, sheet) in sheets.enumerated() {
      for (index, score) in sheet.arrows.enumerated() {
        let slot = try #require(format.slot(ofArrow: index))
        let head = operations.count
        let actions: [Operation.Action] =
          switch Int.random(in: 0..<20, using: &random) {
          case 0: [.record(ArrowScore(value: 1)), .correct(score, replacing: head)]
          case 1:
            [
              .record(ArrowScore(value: 2)), .retract(replacing: head),
              .correct(score, replacing: head + 1),
            ]
          default: [.record(score)]
          }
        for action in actions {
          operations.append(
            (archer, Operation(id: operations.count, slot: slot, action: action)))
        }
      }
    }
    return operations
  }
}
