import QuiverPlatform

/// The size of a difference in units of the spread, corrected for small samples.
public enum HedgesG {
  /// (mean of B − mean of A) / pooled s · J(n_a + n_b − 2); nil if a side has fewer than two
  /// values or nothing varies.
  ///
  /// Hedges, "Distribution theory for Glass's estimator of effect size and related estimators",
  /// Journal of Educational Statistics 6 (1981), 107–128, with the exact J.
  public static func value(_ a: SampleSummary, _ b: SampleSummary) -> Double? {
    guard a.count > 1, b.count > 1 else { return nil }
    let degrees = Double(a.count + b.count - 2)
    let pooled =
      (Double(a.count - 1) * a.variance + Double(b.count - 1) * b.variance) / degrees
    guard pooled > 0 else { return nil }
    return (b.mean - a.mean) / pooled.squareRoot() * correction(degreesOfFreedom: degrees)
  }

  /// J(m) = Γ(m/2) / (√(m/2)·Γ((m − 1)/2)), for m of at least 2.
  static func correction(degreesOfFreedom m: Double) -> Double {
    exp(LogGamma.value(m / 2) - LogGamma.value((m - 1) / 2)) / (m / 2).squareRoot()
  }
}
