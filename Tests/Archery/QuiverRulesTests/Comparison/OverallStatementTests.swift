import Testing

@testable import QuiverRules

/// What the tests of one pair say together.
@Suite(.timeLimit(.minutes(5))) struct OverallStatementTests {
  private static func test(_ name: String, _ p: Double) -> OverallStatement.Test {
    OverallStatement.Test(name: name, p: p)
  }

  @Test("One p of 4 % among six tests shows nothing, one of 0.1 % does")
  func corrected() {
    let names = ["average score", "accuracy", "consistency", "tens", "place at 40 cm", "handicap"]
    let weak = OverallStatement(
      zip(names, [0.04, 0.5, 0.6, 0.7, 0.8, 0.9]).map { Self.test($0.0, $0.1) })
    #expect(weak.significant.isEmpty)
    #expect(
      weak.words
        == "6 tests were made on this pair; none shows a difference after Holm's correction over "
        + "them.")
    let strong = OverallStatement(
      zip(names, [0.001, 0.5, 0.6, 0.7, 0.8, 0.9]).map { Self.test($0.0, $0.1) })
    #expect(strong.significant == ["average score"] && abs(strong.adjustedP[0] - 0.006) < 1e-12)
    #expect(strong.words.hasSuffix("over them average score shows a difference."))
  }

  @Test(
    "The words of one test alone speak of no correction", arguments: [(0.01, "a"), (0.2, "no")])
  func alone(_ p: Double, _ which: String) {
    #expect(
      OverallStatement([Self.test("handicap", p)]).words
        == "One test was made on this pair: handicap shows \(which) difference.")
  }

  @Test("A pair counts each of its tests that has enough rounds")
  func pair() {
    let names = PairInference(
      PairInferenceTests.side("A", rounds: 6, from: 9, handicap: 40, position: 0.2),
      PairInferenceTests.side("B", rounds: 7, from: 8, handicap: 44, position: -0.2)
    ).overall.tests.map(\.name)
    #expect(names.contains("average score") && names.contains("handicap"))
    #expect(names.contains("place at 40 cm"))
    let few = PairInference(
      PairInferenceTests.side("A", rounds: 4, from: 9, handicap: 40),
      PairInferenceTests.side("B", rounds: 7, from: 8, handicap: 44))
    #expect(few.overall.tests.isEmpty && few.overall.words.isEmpty)
  }

  @Test("The p of a difference of tens agrees with its Newcombe interval")
  func tens() throws {
    func rate(_ tens: [Int]) throws -> TenRate {
      let rounds = tens.map { tens in
        ShotCounts([
          PerformanceTests.part(
            Array(repeating: 10, count: tens) + Array(repeating: 8, count: 30 - tens))
        ])
      }
      return try #require(TenRate(rounds))
    }
    for (a, b) in [
      ([3, 4, 5, 6], [9, 8, 7, 9]), ([3, 4, 5, 6], [4, 5, 6, 5]), ([1, 2], [20, 25]),
    ] {
      let (one, other) = (try rate(a), try rate(b))
      let p = try #require(TenRate.p(one, other))
      let interval = try #require(TenRate.difference(one, other)).interval
      #expect((p < 0.05) == (interval.lower > 0 || interval.upper < 0))
      #expect(TenRate.p(other, one) == p)
    }
    #expect(TenRate.p(try rate([3, 4]), try rate([4, 3])) == 1)
    #expect(TenRate.p(try rate([0, 0]), try rate([0, 0])) == nil)
  }
}
