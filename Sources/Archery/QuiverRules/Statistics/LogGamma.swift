import QuiverPlatform

/// The logarithm of the gamma function.
enum LogGamma {
  /// ln Γ(x) for x > 0, to about 1e-14.
  ///
  /// Stirling's series (DLMF 5.11.1) from 10 on, below that by Γ(x + 1) = x·Γ(x) (DLMF 5.5.1).
  static func value(_ x: Double) -> Double {
    var shifted = x
    var product = 1.0
    while shifted < 10 {
      product *= shifted
      shifted += 1
    }
    let inverse = 1 / shifted
    let square = inverse * inverse
    // B(2k) / (2k·(2k − 1)), k from 1, by Horner's rule.
    var series = 1.0 / 156
    series = series * square - 691.0 / 360_360
    series = series * square + 1.0 / 1_188
    series = series * square - 1.0 / 1_680
    series = series * square + 1.0 / 1_260
    series = series * square - 1.0 / 360
    series = series * square + 1.0 / 12
    let stirling = (shifted - 0.5) * log(shifted) - shifted + 0.5 * log(2 * .pi)
    return stirling + series * inverse - log(product)
  }
}
