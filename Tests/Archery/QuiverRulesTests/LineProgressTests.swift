import QuiverRules
import Testing

@Suite("Who holds up the line", .timeLimit(.minutes(5)))
struct LineProgressTests {
  private func archer(_ target: Int, _ letter: String, _ ends: Int) -> LineProgress.Archer {
    LineProgress.Archer(target: target, letter: letter, endsCompleted: ends)
  }

  @Test("The target with the fewest complete ends is first, with its slowest archers")
  func order() {
    let targets = LineProgress.targets(of: [
      archer(1, "B", 4), archer(1, "A", 4), archer(2, "A", 4), archer(2, "B", 2),
      archer(3, "C", 3), archer(3, "A", 3), archer(3, "B", 4), archer(4, "A", 2),
    ])
    #expect(targets.map(\.target) == [2, 4, 3, 1])
    #expect(targets.map(\.endsCompleted) == [2, 2, 3, 4])
    #expect(targets.map(\.endsBehind) == [2, 2, 1, 0])
    #expect(targets.map(\.letters) == [["B"], ["A"], ["A", "C"], ["A", "B"]])
  }

  @Test("A line without archers has no targets")
  func empty() {
    #expect(LineProgress.targets(of: []).isEmpty)
  }
}
