/// The true difference that a test of this size would have found.
public enum DetectableDifference {
  /// The share of comparisons that find the difference.
  public static let power = 0.8

  /// The difference found with a probability of 80 % by the two-sided test at 5 %, in the unit of
  /// the values; nil if a side has fewer than two values or nothing varies.
  ///
  /// The power of a t test is a tail of the noncentral t (Cohen, "Statistical Power Analysis"
  /// (1988), chapter 2), here with Welch's error and degrees of freedom.
  public static func value(_ a: SampleSummary, _ b: SampleSummary) -> Double? {
    guard let degrees = WelchTest.degreesOfFreedom(a, b) else { return nil }
    return noncentrality(degreesOfFreedom: degrees) * WelchTest.standardError(a, b)
  }

  /// The δ at which the power is 80 %; degrees of freedom of at least 1.
  static func noncentrality(degreesOfFreedom: Double) -> Double {
    let critical = StudentT(degreesOfFreedom: degreesOfFreedom)
      .quantile(0.5 + WelchTest.confidence / 2)
    let series = NoncentralT.Series(critical, degreesOfFreedom: degreesOfFreedom)
    func shortfall(_ delta: Double) -> Double {
      1 - series.cumulative(delta) + (1 - series.cumulative(-delta)) - power
    }
    let high = critical + 4
    var bracket = FalsePosition(low: 0, shortfall(0), high: high, shortfall(high))
    for _ in 0..<100 where bracket.width > 1e-10 {
      let middle = bracket.next
      let atMiddle = shortfall(middle)
      if abs(atMiddle) < 1e-11 { return middle }
      bracket.narrow(to: middle, atMiddle)
    }
    return (bracket.low + bracket.high) / 2
  }
}
