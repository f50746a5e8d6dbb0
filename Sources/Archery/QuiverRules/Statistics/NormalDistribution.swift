import QuiverPlatform

/// The standard normal distribution.
public enum NormalDistribution {
  /// P(Z ≤ z).
  public static func cumulative(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

  /// The z with P(Z ≤ z) = p, for p strictly between 0 and 1; infinite at and beyond the ends.
  ///
  /// Abramowitz and Stegun 26.2.23 (wrong by at most 4.5e-4), then Halley's method on the
  /// complementary error function.
  public static func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    let tail = min(p, 1 - p)
    let t = (-2 * log(tail)).squareRoot()
    let above = 2.515517 + t * (0.802853 + t * 0.010328)
    let below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
    var z = above / below - t  // Of the lower tail, so not above 0.
    for _ in 0..<3 {
      let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
      let step = (cumulative(z) - tail) / density
      z -= step / (1 + z * step / 2)
    }
    return p < 0.5 ? z : -z
  }
}
