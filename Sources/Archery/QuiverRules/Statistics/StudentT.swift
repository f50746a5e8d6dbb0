import QuiverPlatform

/// Student's t distribution, of any number of degrees of freedom above 0, whole or not.
public struct StudentT: Sendable {
  /// The degrees of freedom.
  public let degreesOfFreedom: Double
  private let logScale: Double

  /// Creates a value; each parameter is the property of its name.
  public init(degreesOfFreedom: Double) {
    self.degreesOfFreedom = degreesOfFreedom
    let half = degreesOfFreedom / 2
    logScale =
      LogGamma.value(half + 0.5) - LogGamma.value(half) - 0.5 * log(degreesOfFreedom * .pi)
  }

  /// The density at t.
  public func density(_ t: Double) -> Double {
    exp(logScale - (degreesOfFreedom + 1) / 2 * log1p(t * t / degreesOfFreedom))
  }

  /// P(T > t) for t ≥ 0: half of I_{ν/(ν+t²)}(ν/2, 1/2) (Abramowitz and Stegun 26.7.1, 26.5.27).
  private func upperTail(_ t: Double) -> Double {
    let sum = degreesOfFreedom + t * t
    guard sum.isFinite else { return 0 }
    return 0.5
      * IncompleteBeta.regularized(
        x: degreesOfFreedom / sum, complement: t * t / sum, a: degreesOfFreedom / 2, b: 0.5)
  }

  /// P(T ≤ t).
  public func cumulative(_ t: Double) -> Double { t < 0 ? upperTail(-t) : 1 - upperTail(t) }

  /// P(|T| ≥ |t|).
  public func twoSidedP(_ t: Double) -> Double { min(1, 2 * upperTail(abs(t))) }

  /// The t with P(T ≤ t) = p, for p strictly between 0 and 1; infinite at and beyond the ends.
  ///
  /// Newton's method within a bracket, from the first term of Abramowitz and Stegun 26.7.5.
  public func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    let tail = min(p, 1 - p)
    if tail == 0.5 { return 0 }
    let z = -NormalDistribution.quantile(tail)
    var t = z + (z * z * z + z) / (4 * degreesOfFreedom)
    var low = 0.0
    var high = Double.infinity
    for _ in 0..<200 {
      let excess = upperTail(t) - tail
      if excess > 0 { low = t } else { high = t }
      var next = t + excess / density(t)
      if !(next > low && next < high) { next = high.isFinite ? (low + high) / 2 : 2 * t }
      let isClose = abs(next - t) <= 1e-14 * next
      t = next
      if isClose { break }
    }
    return p < 0.5 ? -t : t
  }
}
