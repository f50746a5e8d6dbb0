import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct MeanDifferenceTests {
  static let a = [8.1, 8.35, 7.9, 8.42, 8.6, 8.2]
  static let b = [8.7, 8.55, 8.95, 8.3, 8.8]

  static func isClose(_ value: Double?, _ reference: Double, _ tolerance: Double = 1e-10) -> Bool {
    value.map { abs($0 - reference) <= tolerance } ?? false
  }

  @Test("Welch's test agrees with scipy's")
  func welch() throws {
    let test = try #require(
      WelchTest.difference(SampleSummary(Self.a), SampleSummary(Self.b)))
    #expect(Self.isClose(test.difference, 0.39833333333333165))
    #expect(Self.isClose(test.degreesOfFreedom, 8.639209995795863))
    #expect(Self.isClose(test.p, 0.027460481551654134))
    #expect(Self.isClose(test.interval?.lower, 0.05593204936541524))
    #expect(Self.isClose(test.interval?.upper, 0.7407346173012481))
  }

  @Test("Hedges' g is corrected exactly")
  func hedges() {
    let summaries = (SampleSummary(Self.a), SampleSummary(Self.b))
    #expect(Self.isClose(HedgesG.value(summaries.0, summaries.1), 1.4658028338024927))
    for (m, reference) in [
      (2.0, 0.564189583547756), (3, 0.723601254558268), (8, 0.90270333367641),
      (18, 0.957646427023718), (78, 0.990348513053265),
    ] {
      #expect(Self.isClose(HedgesG.correction(degreesOfFreedom: m), reference, 1e-13))
    }
  }

  @Test("the bootstrap-t is near Welch, and the same for the same seed")
  func bootstrap() throws {
    let first = try #require(BootstrapT.difference(Self.a, Self.b, seed: 7))
    #expect(first == BootstrapT.difference(Self.a, Self.b, seed: 7))
    #expect(first != BootstrapT.difference(Self.a, Self.b, seed: 8))
    let interval = try #require(first.interval)
    #expect(abs(interval.lower - 0.056) < 0.15)
    #expect(abs(interval.upper - 0.741) < 0.15)
    let p = try #require(first.p)
    #expect(p > 0.001 && p < 0.12)
  }

  @Test("the bootstrap-t of a side with one value gives no answer")
  func bootstrapOfOne() {
    #expect(BootstrapT.difference([8.1], Self.b, seed: 7) == nil)
    #expect(BootstrapT.difference(Self.a, [8.7], seed: 7) == nil)
    #expect(BootstrapT.difference([8.1, 8.2], [8.7, 8.9], seed: 7) != nil)
  }

  @Test("a cancelled bootstrap gives no answer")
  func cancelled() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return BootstrapT.difference(Self.a, Self.b, seed: 7)
    }
    #expect(await task.value == nil)
  }

  @Test("Values that never vary have neither an interval nor a p, whether or not means are equal")
  func degenerate() throws {
    let one = SampleSummary([9])
    let same = SampleSummary([9, 9, 9])
    let other = SampleSummary([8.1, 8.1])
    #expect(WelchTest.difference(one, same) == nil)
    #expect(WelchTest.difference(SampleSummary([]), same) == nil)
    let equal = try #require(WelchTest.difference(same, same))
    #expect(equal.p == nil && equal.interval == nil && equal.difference == 0)
    let apart = try #require(WelchTest.difference(same, other))
    #expect(apart.p == nil && apart.interval == nil && apart.difference < 0)
    #expect(BootstrapT.difference([9, 9], [8.1, 8.1], seed: 1) == apart)
    #expect(HedgesG.value(same, other) == nil)
    #expect(DetectableDifference.value(same, other) == nil)
    let varied = try #require(WelchTest.difference(same, SampleSummary(Self.a)))
    #expect(Self.isClose(varied.degreesOfFreedom, 5))
  }

  @Test("equal values have a variance of exactly 0, wherever they lie")
  func exactVariance() {
    for value in [0.1, 8.333333333333334, 1e9 / 3] {
      let summary = SampleSummary(Array(repeating: value, count: 7))
      #expect(summary.variance == 0 && summary.mean == value)
    }
  }

  @Test("Holm's correction multiplies the smallest p most, never falls and keeps what is missing")
  func holm() {
    let adjusted = HolmCorrection.adjusted([0.01, 0.04, nil, 0.03, 0.005])
    for (value, reference) in zip(adjusted, [0.03, 0.06, nil, 0.06, 0.02]) {
      #expect(
        reference.map { Self.isClose(value, $0, 1e-15) } ?? (value == nil), "\(adjusted)")
    }
    #expect(HolmCorrection.adjusted([0.9, 0.8]) == [1, 1])
    #expect(HolmCorrection.adjusted([0.2]) == [0.2])
  }
}
