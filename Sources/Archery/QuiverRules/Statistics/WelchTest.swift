/// Welch's test of two means whose variances need not be alike.
public enum WelchTest {
  /// How often an interval covers the truth.
  static let confidence = 0.95

  /// The difference of B's mean from A's; nil if a side has fewer than two values.
  ///
  /// Standard error and degrees of freedom as in Welch, "The generalization of 'Student's' problem
  /// when several different population variances are involved", Biometrika 34 (1947), 28–35, and
  /// Satterthwaite, Biometrics Bulletin 2 (1946), 110–114.
  public static func difference(_ a: SampleSummary, _ b: SampleSummary) -> MeanDifference? {
    guard a.count > 1, b.count > 1 else { return nil }
    let difference = b.mean - a.mean
    let error = standardError(a, b)
    guard let degrees = degreesOfFreedom(a, b) else { return unvarying(difference) }
    let t = StudentT(degreesOfFreedom: degrees)
    let margin = t.quantile(0.5 + confidence / 2) * error
    return MeanDifference(
      difference: difference, standardError: error, degreesOfFreedom: degrees,
      interval: Interval(lower: difference - margin, upper: difference + margin),
      p: t.twoSidedP(difference / error))
  }

  static func standardError(_ a: SampleSummary, _ b: SampleSummary) -> Double {
    (a.variance / Double(a.count) + b.variance / Double(b.count)).squareRoot()
  }

  /// From the smaller n − 1 to n_a + n_b − 2; nil if neither side varies.
  static func degreesOfFreedom(_ a: SampleSummary, _ b: SampleSummary) -> Double? {
    guard a.count > 1, b.count > 1 else { return nil }
    let (shareA, shareB) = (a.variance / Double(a.count), b.variance / Double(b.count))
    let sum = shareA + shareB
    guard sum > 0 else { return nil }
    // As parts of the sum, so that small variances do not vanish in the squares.
    let (partA, partB) = (shareA / sum, shareB / sum)
    return 1 / (partA * partA / Double(a.count - 1) + partB * partB / Double(b.count - 1))
  }

  /// Of values that never vary, which tell nothing of chance: no interval and no p, also where the
  /// means are equal.
  static func unvarying(_ difference: Double) -> MeanDifference {
    MeanDifference(
      difference: difference, standardError: 0, degreesOfFreedom: nil, interval: nil, p: nil)
  }
}
