/// The bootstrap-t of a difference of two means.
public enum BootstrapT {
  /// The number of resamples by default.
  public static let defaultResamples = 999

  /// The most resamples that one call makes.
  public static let maximumResamples = 9_999

  /// The difference of B's mean from A's; nil if a side has fewer than two values, or the task
  /// was cancelled. The same seed gives the same answer.
  ///
  /// Each side is drawn again with replacement, and the difference from the observed one is held
  /// against its own standard error: Efron and Tibshirani, "An Introduction to the Bootstrap"
  /// (1993), section 12.5. The p is twice the smaller tail, counted with the sample itself
  /// (Davison and Hinkley, "Bootstrap Methods and their Application" (1997), 4.11).
  public static func difference(
    _ a: [Double], _ b: [Double], seed: UInt64, resamples: Int = defaultResamples
  ) -> MeanDifference? {
    let (summaryA, summaryB) = (SampleSummary(a), SampleSummary(b))
    guard a.count > 1, b.count > 1 else { return nil }
    let difference = summaryB.mean - summaryA.mean
    let error = WelchTest.standardError(summaryA, summaryB)
    guard error > 0 else { return WelchTest.unvarying(difference) }
    var generator = SplitMix64(seed: seed)
    var studentized: [Double] = []
    for _ in 0..<min(max(resamples, 1), maximumResamples) {
      if Task.isCancelled { return nil }
      studentized.append(draw(a, b, about: difference, from: &generator))
    }
    studentized.sort()
    let tail = (1 - WelchTest.confidence) / 2
    let observed = difference / error
    let below = studentized.count { $0 <= observed }
    let above = studentized.count { $0 >= observed }
    let p = 2 * Double(min(below, above) + 1) / Double(studentized.count + 1)
    return MeanDifference(
      difference: difference, standardError: error,
      degreesOfFreedom: WelchTest.degreesOfFreedom(summaryA, summaryB),
      interval: Interval(
        lower: difference - quantile(1 - tail, of: studentized) * error,
        upper: difference - quantile(tail, of: studentized) * error),
      p: min(1, p))
  }

  /// The studentized difference of one resample.
  private static func draw(
    _ a: [Double], _ b: [Double], about difference: Double, from generator: inout SplitMix64
  ) -> Double {
    // A resample of one value alone has no error of its own: it is drawn again, a few times.
    for _ in 0..<100 {
      let drawnA = resampled(a, from: &generator)
      let drawnB = resampled(b, from: &generator)
      let error = WelchTest.standardError(drawnA, drawnB)
      if error > 0 { return (drawnB.mean - drawnA.mean - difference) / error }
    }
    return 0
  }

  private static func resampled(
    _ values: [Double], from generator: inout SplitMix64
  ) -> SampleSummary {
    let origin = values[0]
    var (sum, squares) = (0.0, 0.0)
    for _ in 0..<values.count {
      let value = values[generator.index(below: values.count)] - origin
      sum += value
      squares += value * value
    }
    let count = Double(values.count)
    let variance = (squares - sum * sum / count) / (count - 1)
    // What rounding leaves of equal values is no variance.
    return SampleSummary(
      count: values.count, mean: origin + sum / count,
      variance: variance > 1e-14 * squares ? variance : 0)
  }

  /// The value at p·(n + 1), between its neighbours (Hyndman and Fan 1996, definition 6).
  private static func quantile(_ p: Double, of sorted: [Double]) -> Double {
    let position = p * Double(sorted.count + 1) - 1
    let low = min(max(Int(position.rounded(.down)), 0), sorted.count - 1)
    let high = min(low + 1, sorted.count - 1)
    let share = min(max(position - Double(low), 0), 1)
    return sorted[low] + share * (sorted[high] - sorted[low])
  }
}
