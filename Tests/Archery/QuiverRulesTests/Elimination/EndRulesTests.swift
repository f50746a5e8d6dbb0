import QuiverRules
import TestSupport
import Testing

@Suite("Rules about the arrows of an end", .timeLimit(.minutes(5)))
struct EndRulesTests {
  private static func arrows(_ text: String) -> [ArrowScore] {
    text.split(separator: " ").compactMap { ArrowScore(sheet: String($0)) }
  }

  @Test(
    "Of too many arrows the lowest count, and an X is above a 10",
    arguments: [
      (3, "X 10 9 8", "10 9 8"), (3, "M 9 X 9", "9 9 M"), (3, "10 X X 10 9 8", "10 9 8"),
      (1, "X 10", "10"), (3, "5 5 5 5", "5 5 5"), (0, "5", ""),
    ])
  func lowest(count: Int, shot: String, counted: String) {
    #expect(EndRules.lowest(count, of: Self.arrows(shot)) == Self.arrows(counted))
  }

  @Test(
    "A shot out of time takes the highest arrow, and the others stay in their order",
    arguments: [
      (1, "9 X 10", "9 M 10"), (2, "9 X 10", "9 M M"), (1, "9 9 8", "M 9 8"),
      (3, "1 2 3", "M M M"), (4, "1 2 3", "M M M"), (0, "9", "9"), (1, "M M M", "M M M"),
    ])
  func highest(count: Int, shot: String, counted: String) {
    #expect(EndRules.withoutHighest(count, in: Self.arrows(shot)) == Self.arrows(counted))
  }

  @Test("Both rules keep the number of arrows that they name, and never raise a total")
  func totals() {
    var random = SeededGenerator(seed: TestSeed.value)
    func total(_ arrows: [ArrowScore]) -> Int { arrows.reduce(0) { $0 + $1.value } }
    for _ in 0..<500 {
      let count = Int.random(in: 1...6, using: &random)
      let shot = (0..<count + Int.random(in: 0...6, using: &random)).map { _ in
        let value = Int.random(in: 0...10, using: &random)
        return ArrowScore(value: value, isX: value == 10 && Bool.random(using: &random))
      }
      let lowest = EndRules.lowest(count, of: shot)
      #expect(lowest.count == count)
      // No choice of as many of them has a lower total.
      #expect(total(lowest) == shot.map(\.value).sorted().prefix(count).reduce(0, +))
      let without = EndRules.withoutHighest(1, in: shot)
      #expect(without.count == shot.count)
      #expect(total(without) == total(shot) - (shot.map(\.value).max() ?? 0))
    }
  }
}
