import QuiverPlatform

/// The regularised incomplete beta function.
enum IncompleteBeta {
  /// I_x(a, b) for a, b > 0, with `x` and its complement 1 − x both given, so that neither loses
  /// its digits where it is small; within 0...1.
  ///
  /// The continued fraction DLMF 8.17.22 where it converges fast, elsewhere by
  /// I_x(a, b) = 1 − I_{1−x}(b, a) (DLMF 8.17.4).
  static func regularized(x: Double, complement y: Double, a: Double, b: Double) -> Double {
    if x <= 0 { return 0 }
    if y <= 0 { return 1 }
    if x < (a + 1) / (a + b + 2) { return fraction(x: x, y: y, a: a, b: b) }
    return max(0, 1 - fraction(x: y, y: x, a: b, b: a))
  }

  /// x^a·(1 − x)^b / (a·B(a, b)), what the fraction is multiplied by.
  static func factor(x: Double, complement y: Double, a: Double, b: Double) -> Double {
    let logBeta = LogGamma.value(a) + LogGamma.value(b) - LogGamma.value(a + b)
    return exp(a * log(x) + b * log(y) - logBeta) / a
  }

  /// By Lentz's method with Thompson and Barnett's guard against zeros.
  private static func fraction(x: Double, y: Double, a: Double, b: Double) -> Double {
    let tiny = 1e-300
    func guarded(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / guarded(1 - (a + b) * x / (a + 1))
    var value = d
    var m = 1.0
    // Some √max(a, b) steps suffice; the bound is there for arguments beyond all samples.
    while m < 10_000 {
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / guarded(1 + even * d)
      c = guarded(1 + even / c)
      value *= c * d
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / guarded(1 + odd * d)
      c = guarded(1 + odd / c)
      let step = c * d
      value *= step
      if abs(step - 1) < 1e-16 { break }
      m += 1
    }
    return min(1, factor(x: x, complement: y, a: a, b: b) * value)
  }
}
