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

  @Test("A target is ahead of what more than half of the others have completed")
  func lead() {
    func lead(_ own: Int, _ others: Int...) -> Int {
      LineProgress.lead(
        of: 1,
        among: [archer(1, "A", own), archer(1, "B", own + 1)]
          + others.enumerated().map { archer($0.offset + 2, "A", $0.element) })
    }
    #expect(lead(4, 2) == 2)
    #expect(lead(4, 2, 3) == 2)
    #expect(lead(4, 2, 3, 4) == 1)
    #expect(lead(4, 1, 2, 4, 4) == 2)
    #expect(lead(4, 0, 0, 4, 4, 4) == 0)
    #expect(lead(2, 4, 4, 4) == 0)
    #expect(lead(4) == 0)
    #expect(LineProgress.lead(of: 9, among: [archer(1, "A", 4)]) == 0)
  }

  @Test("A line without archers has no targets")
  func empty() {
    #expect(LineProgress.targets(of: []).isEmpty)
  }
}
