/// The difference of two means within strata, pooled over the strata.
public enum PooledDifference {
  /// The strata's differences weighted by their precision, B minus A; nil if no stratum has a
  /// difference whose error is known.
  ///
  /// Weights w = 1/se². The variance of a mean with estimated weights is
  /// (1 + 4·Σ w(W − w)/(W²·df))/W with W = Σ w: Meier, "Variance of a weighted mean", Biometrics 9
  /// (1953), 59–73. Degrees of freedom W²/Σ(w²/df), by Satterthwaite, Biometrics Bulletin 2 (1946),
  /// 110–114.
  public static func value(_ strata: [MeanDifference]) -> MeanDifference? {
    let known = strata.compactMap { stratum -> (difference: Double, weight: Double, df: Double)? in
      guard stratum.standardError > 0, let degrees = stratum.degreesOfFreedom else { return nil }
      return (stratum.difference, 1 / (stratum.standardError * stratum.standardError), degrees)
    }
    let sum = known.reduce(0) { $0 + $1.weight }
    guard sum > 0, sum.isFinite else { return nil }
    let difference = known.reduce(0) { $0 + $1.weight / sum * $1.difference }
    let correction = known.reduce(0) { total, stratum in
      let share = stratum.weight / sum
      return total + share * (1 - share) / stratum.df
    }
    let error = ((1 + 4 * correction) / sum).squareRoot()
    let degrees =
      1 / known.reduce(0) { $0 + $1.weight / sum * ($1.weight / sum) / $1.df }
    let t = StudentT(degreesOfFreedom: degrees)
    let margin = t.quantile(0.5 + WelchTest.confidence / 2) * error
    return MeanDifference(
      difference: difference, standardError: error, degreesOfFreedom: degrees,
      interval: Interval(lower: difference - margin, upper: difference + margin),
      p: t.twoSidedP(difference / error))
  }
}
