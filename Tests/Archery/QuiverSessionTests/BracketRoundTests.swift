import QuiverAPI
import QuiverProtobuf
import Testing

@testable import QuiverSession

@Suite("Rounds of a bracket", .timeLimit(.minutes(5)))
struct BracketRoundTests {
  private func matches(_ sizes: [(size: UInt32, count: UInt32)]) -> [EliminationMatch] {
    sizes.flatMap { size, count in
      (0..<count).map { index in
        .with { ($0.roundSize, $0.index) = (size, count - 1 - index) }
      }
    }
  }

  @Test("Rounds are in the order in which they are shot, and named by their matches")
  func plain() {
    let stage = EliminationStage.with { ($0.size, $0.ruleDay) = (8, 20_000) }
    let rounds = BracketRound.rounds(of: stage, matches([(2, 2), (8, 4), (4, 2)]))
    #expect(rounds.map(\.size) == [8, 4, 2])
    #expect(rounds.map(\.name) == ["1/4", "1/2", ""])
    #expect(rounds[0].matches.map(\.index) == [0, 1, 2, 3])
    #expect(BracketRound.rounds(of: nil, []).isEmpty)
    let groups = EliminationStage.with { $0.groupCount = 2 }
    #expect(BracketRound.rounds(of: groups, matches([(0, 3)])).isEmpty)
  }

  @Test("With exempt seeds the first rounds are 1/48 and 1/24")
  func exempt() {
    let stage = EliminationStage.with {
      ($0.size, $0.ruleDay, $0.exemptSeeds) = (128, 20_000, 8)
    }
    let rounds = BracketRound.rounds(of: stage, matches([(128, 48), (64, 32), (32, 16)]))
    #expect(rounds.map(\.name) == ["1/48", "1/24", "1/16"])
  }
}
