import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct TenRateTests {
  static func counts(_ tens: [Int], of arrows: [Int]) -> [ShotCounts] {
    zip(tens, arrows).map { tens, arrows in
      let values = Array(repeating: 10, count: tens) + Array(repeating: 7, count: arrows - tens)
      return ShotCounts([PerformanceTests.part(values)])
    }
  }

  static func isClose(_ value: Double?, _ reference: Double) -> Bool {
    value.map { abs($0 - reference) < 1e-12 } ?? false
  }

  @Test("the rate has Wilson's interval with the design effect, differences Newcombe's")
  func rates() throws {
    let a = try #require(
      TenRate(Self.counts([12, 20, 15, 9, 22, 18], of: [60, 60, 72, 36, 60, 60])))
    let b = try #require(TenRate(Self.counts([25, 22, 30, 19, 24], of: [60, 60, 72, 36, 60])))
    #expect(a.tens == 96 && a.arrows == 348 && a.rounds == 6)
    #expect(Self.isClose(a.rate, 0.27586206896551724))
    #expect(Self.isClose(a.designEffect, 1.5345238095238094))
    #expect(Self.isClose(a.interval?.lower, 0.20673547655904861))
    #expect(Self.isClose(a.interval?.upper, 0.3576806322340638))
    #expect(b.designEffect == 1)
    #expect(Self.isClose(b.interval?.lower, 0.33920998335878405))
    #expect(Self.isClose(b.interval?.upper, 0.4984680811197585))
    let difference = try #require(TenRate.difference(a, b))
    #expect(Self.isClose(difference.value, 0.14080459770114945))
    #expect(Self.isClose(difference.interval.lower, 0.028137765472730128))
    #expect(Self.isClose(difference.interval.upper, 0.24790248369455523))
  }

  @Test("no tens and tens only stay within 0 and 1, one round has no interval")
  func ends() throws {
    let none = try #require(TenRate(Self.counts([0, 0, 0], of: [30, 30, 30])))
    #expect(none.interval?.lower == 0 && none.designEffect == 1)
    #expect((none.interval?.upper ?? 0) > 0.01)
    let all = try #require(TenRate(Self.counts([30, 30], of: [30, 30])))
    #expect(all.interval?.upper == 1 && (all.interval?.lower ?? 1) < 1)
    let one = try #require(TenRate(Self.counts([3], of: [30])))
    #expect(one.interval == nil && one.rate == 0.1)
    #expect(TenRate.difference(one, all) == nil)
    #expect(TenRate.p(one, none) == nil && TenRate.p(none, one) == nil)
    #expect(TenRate(Self.counts([0], of: [0])) == nil)
  }

  @Test("the p is that of the interval that just reaches 0, for equal and other numbers of rounds")
  func reaching() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let sides = try (0..<2).map { _ in
        let rounds = Int.random(in: 2...30, using: &generator)
        let arrows = (0..<rounds).map { _ in Int.random(in: 3...72, using: &generator) }
        return try #require(
          TenRate(
            Self.counts(arrows.map { Int.random(in: 0...$0, using: &generator) }, of: arrows)))
      }
      let p = try #require(TenRate.p(sides[0], sides[1]))
      let reversed = try #require(TenRate.p(sides[1], sides[0]))
      #expect(abs(p - reversed) < 1e-9)
      // At a slightly larger p the interval leaves 0 out, at a smaller one it covers 0.
      for (tried, covers) in [(p + 1e-9, false), (p - 1e-9, true)] where tried > 0 && tried < 1 {
        let ends = sides.map { side in
          let t = StudentT(degreesOfFreedom: Double(side.rounds - 1)).quantile(1 - tried / 2)
          return TenRate.wilson(
            p: side.rate, n: Double(side.arrows) / side.designEffect, z: t)
        }
        let (a, b) = (sides[0], sides[1])
        func root(_ one: Double, _ two: Double) -> Double { (one * one + two * two).squareRoot() }
        let lower = b.rate - a.rate - root(b.rate - ends[1].lower, ends[0].upper - a.rate)
        let upper = b.rate - a.rate + root(ends[1].upper - b.rate, a.rate - ends[0].lower)
        #expect((lower <= 0 && 0 <= upper) == covers, "p \(p), \(a) and \(b)")
      }
    }
  }
}
