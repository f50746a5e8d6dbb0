/// The share of arrows that are tens, where arrows of one round are alike.
public struct TenRate: Sendable, Equatable {
  /// The number of arrows.
  public let arrows: Int
  /// The number of arrows of value exactly 10, including X.
  public let tens: Int
  /// The number of rounds.
  public let rounds: Int
  /// By how much the variance is larger than that of arrows without rounds; at least 1.
  public let designEffect: Double
  /// Of 95 %; nil of fewer than two rounds.
  public let interval: Interval?

  /// Of rounds with at least one arrow each; nil without rounds.
  ///
  /// The variance of a ratio over clusters (Cochran, "Sampling Techniques" (1977), 9.5 to 9.7):
  /// v = k/(k − 1)·Σ(tens_i − p·arrows_i)²/n², and deff = max(1, v/(p(1 − p)/n)). The interval is
  /// Wilson's (Journal of the American Statistical Association 22 (1927), 209–212) of n/deff
  /// arrows, with Student's t of k − 1 in place of z.
  public init?(_ counts: [ShotCounts]) {
    let counts = counts.filter { $0.arrows > 0 }
    guard !counts.isEmpty else { return nil }
    arrows = counts.reduce(0) { $0 + $1.arrows }
    tens = counts.reduce(0) { $0 + $1.tens }
    rounds = counts.count
    let (n, k) = (Double(arrows), Double(rounds))
    let p = Double(tens) / n
    guard rounds > 1 else {
      designEffect = 1
      interval = nil
      return
    }
    var squares = 0.0
    for round in counts {
      let residual = Double(round.tens) - p * Double(round.arrows)
      squares += residual * residual
    }
    let variance = k / (k - 1) * squares / (n * n)
    let simple = p * (1 - p) / n
    designEffect = simple > 0 ? max(1, variance / simple) : 1
    let t = StudentT(degreesOfFreedom: k - 1).quantile(0.5 + WelchTest.confidence / 2)
    interval = Self.wilson(p: p, n: n / designEffect, z: t)
  }

  /// From 0 to 1.
  public var rate: Double { Double(tens) / Double(arrows) }

  /// B minus A with Newcombe's interval: Statistics in Medicine 17 (1998), 873–890, method 10.
  public static func difference(_ a: TenRate, _ b: TenRate) -> (value: Double, interval: Interval)?
  {
    guard let ofA = a.interval, let ofB = b.interval else { return nil }
    return (b.rate - a.rate, newcombe(a.rate, ofA, b.rate, ofB))
  }

  /// The two-sided p of the difference: 1 minus the confidence of the Newcombe interval that just
  /// reaches 0, within 1e-9; nil if a side has fewer than two rounds.
  ///
  /// All rounds without a ten, or all tens, on both sides tell nothing of chance: nil too.
  public static func p(_ a: TenRate, _ b: TenRate) -> Double? {
    guard a.rounds > 1, b.rounds > 1, a.tens + b.tens > 0,
      a.tens + b.tens < a.arrows + b.arrows
    else { return nil }
    if a.rate == b.rate { return 1 }
    let ofA = StudentT(degreesOfFreedom: Double(a.rounds - 1))
    let ofB = StudentT(degreesOfFreedom: Double(b.rounds - 1))
    // By how much the interval covers 0, by the t of A's confidence.
    func margin(_ t: Double) -> Double {
      let other = a.rounds == b.rounds ? t : -ofB.quantile(ofA.twoSidedP(t) / 2)
      let interval = newcombe(a.rate, a.interval(t: t), b.rate, b.interval(t: other))
      return a.rate < b.rate ? -interval.lower : interval.upper
    }
    // The interval grows with t. At 0 it is the difference alone.
    var (low, high) = (0.0, 4.0)
    var (atLow, atHigh) = (-abs(b.rate - a.rate), margin(high))
    while atHigh < 0, high < 1e12 {
      (low, atLow) = (high, atHigh)
      high *= 4
      atHigh = margin(high)
    }
    guard atHigh > 0 else { return ofA.twoSidedP(high) }
    var bracket = FalsePosition(low: low, atLow, high: high, atHigh)
    for _ in 0..<200 where bracket.width > 1e-11 * bracket.high {
      let middle = bracket.next
      let atMiddle = margin(middle)
      if abs(atMiddle) < 1e-14 { return ofA.twoSidedP(middle) }
      bracket.narrow(to: middle, atMiddle)
    }
    return ofA.twoSidedP(bracket.high)
  }

  /// Wilson's interval by a t; 0 to 1 if it is infinite.
  private func interval(t: Double) -> Interval {
    guard t.isFinite else { return Interval(lower: 0, upper: 1) }
    return Self.wilson(p: rate, n: Double(arrows) / designEffect, z: t)
  }

  private static func newcombe(
    _ rateA: Double, _ ofA: Interval, _ rateB: Double, _ ofB: Interval
  ) -> Interval {
    func root(_ one: Double, _ two: Double) -> Double { (one * one + two * two).squareRoot() }
    let difference = rateB - rateA
    return Interval(
      lower: difference - root(rateB - ofB.lower, ofA.upper - rateA),
      upper: difference + root(ofB.upper - rateB, rateA - ofA.lower))
  }

  static func wilson(p: Double, n: Double, z: Double) -> Interval {
    let square = z * z / n
    let centre = (p + square / 2) / (1 + square)
    let half = z / (1 + square) * (p * (1 - p) / n + square / (4 * n)).squareRoot()
    return Interval(
      lower: p == 0 ? 0 : max(0, centre - half), upper: p == 1 ? 1 : min(1, centre + half))
  }
}
