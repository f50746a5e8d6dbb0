/// The F distribution.
public enum FDistribution {
  /// P(F > f), of m and n degrees of freedom: I_{n/(n+m·f)}(n/2, m/2)
  /// (Abramowitz and Stegun 26.6.2).
  public static func upperTail(_ f: Double, _ m: Double, _ n: Double) -> Double {
    guard f > 0 else { return 1 }
    let sum = n + m * f
    guard sum.isFinite else { return 0 }
    return IncompleteBeta.regularized(x: n / sum, complement: m * f / sum, a: n / 2, b: m / 2)
  }
}
