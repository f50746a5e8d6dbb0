import Testing

@testable import QuiverRules

/// Many comparisons of rounds that differ among themselves, of whose truth we know all.
@Suite(.timeLimit(.minutes(5))) struct CoverageTests {
  /// Values of 64 arrows, from which arrows are drawn: their mean is 8.1875.
  private static let arrows: [Double] = {
    let counts = [(10.0, 12), (9, 18), (8, 16), (7, 9), (6, 5), (5, 3), (0, 1)]
    return counts.flatMap { Array(repeating: $0.0, count: $0.1) }
  }()

  /// Means of rounds of 8 arrows each, whose own levels are spread by about `spread`.
  private static func rounds(
    _ count: Int, spread: Double, shift: Double, _ generator: inout SplitMix64
  ) -> SampleSummary {
    var means: [Double] = []
    for _ in 0..<count {
      // The sum of four 16-bit numbers is nearly normal; its standard deviation is 65,536/√3.
      let bits = generator.next()
      let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
      let level = (Double(sum) - 131_070) / 37_837 * spread
      var drawn = generator.next()
      var score = 0.0
      for _ in 0..<8 {
        score += arrows[Int(drawn & 63)]
        drawn >>= 6
      }
      means.append(score / 8 + level + shift)
    }
    return SampleSummary(means)
  }

  @Test(
    "the 95 % interval covers 93 to 97 % of 2,000 pairs, and at most 7 % of verdicts are false",
    arguments: [5, 10, 40])
  func coverage(count: Int) throws {
    let seed: UInt64 = 20_261_121
    var generator = SplitMix64(seed: seed &+ UInt64(count))
    let pairs = 2_000
    var (covered, coveredShift, claims) = (0, 0, 0)
    for _ in 0..<pairs {
      let a = Self.rounds(count, spread: 0.3, shift: 0, &generator)
      let b = Self.rounds(count, spread: 0.5, shift: 0, &generator)
      let none = try #require(WelchTest.difference(a, b))
      if none.interval?.contains(0) == true { covered += 1 }
      let verdict = ComparisonVerdict(
        roundsA: count, roundsB: count, difference: none, adjustedP: none.p)
      if verdict == .aBetter || verdict == .bBetter { claims += 1 }
      let shifted = SampleSummary(count: count, mean: b.mean + 0.4, variance: b.variance)
      let some = try #require(WelchTest.difference(a, shifted))
      if some.interval?.contains(0.4) == true { coveredShift += 1 }
    }
    #expect((pairs * 93 / 100...pairs * 97 / 100).contains(covered), "seed \(seed): \(covered)")
    #expect(
      (pairs * 93 / 100...pairs * 97 / 100).contains(coveredShift), "seed \(seed): \(coveredShift)")
    #expect(claims <= pairs * 7 / 100, "seed \(seed): \(claims)")
  }

  @Test("the bootstrap-t covers about as much as Welch does")
  func bootstrapCoverage() throws {
    let seed: UInt64 = 20_261_122
    var generator = SplitMix64(seed: seed)
    let pairs = 200
    var covered = 0
    for pair in 0..<pairs {
      var (a, b): ([Double], [Double]) = ([], [])
      for _ in 0..<8 {
        a.append(Self.rounds(1, spread: 0.3, shift: 0, &generator).mean)
        b.append(Self.rounds(1, spread: 0.5, shift: 0, &generator).mean)
      }
      let test = try #require(BootstrapT.difference(a, b, seed: UInt64(pair), resamples: 199))
      if test.interval?.contains(0) == true { covered += 1 }
    }
    #expect((180...200).contains(covered), "seed \(seed): \(covered)")
  }
}
