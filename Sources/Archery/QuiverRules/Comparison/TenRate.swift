/// The share of arrows that are tens, where arrows of one round are alike.
public struct TenRate: Sendable, Equatable {
  public let arrows: Int
  public let tens: Int
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
    let difference = b.rate - a.rate
    func root(_ one: Double, _ two: Double) -> Double { (one * one + two * two).squareRoot() }
    return (
      difference,
      Interval(
        lower: difference - root(b.rate - ofB.lower, ofA.upper - a.rate),
        upper: difference + root(ofB.upper - b.rate, a.rate - ofA.lower))
    )
  }

  static func wilson(p: Double, n: Double, z: Double) -> Interval {
    let square = z * z / n
    let centre = (p + square / 2) / (1 + square)
    let half = z / (1 + square) * (p * (1 - p) / n + square / (4 * n)).squareRoot()
    return Interval(
      lower: p == 0 ? 0 : max(0, centre - half), upper: p == 1 ? 1 : min(1, centre + half))
  }
}
