import Glibc

/// The Archery GB handicaps of 2023.
///
/// J. Atkinson, "The Archery GB handicap scheme" (Archery GB 2023), after D. Lane's model of 1978:
/// arrows spread about the centre by a two-dimensional normal distribution whose angle grows by
/// 3.5 % with each step, and with the distance.
public enum HandicapScheme {
  /// The handicaps that tables have.
  public static let range = -75...300

  /// The angle of the spread, in radians: 5e-4·1.035^(h + 6)·e^(0.00365·d).
  public static func sigmaTheta(handicap: Double, distanceMetres: Double) -> Double {
    5e-4 * pow(1.035, handicap + 6) * exp(0.00365 * distanceMetres)
  }

  /// The score that is expected of one arrow:
  /// S_max − Σ (s_i − s_{i+1})·exp(−((r_arrow + D_i/2)/sigma_r)²).
  public static func expectedArrow(handicap: Double, pass: HandicapPass) -> Double {
    let distance = pass.distanceMetres
    let sigma = distance * sigmaTheta(handicap: handicap, distanceMetres: distance)
    var score = Double(pass.rings.first?.value ?? 0)
    for (index, ring) in pass.rings.enumerated() {
      let outer = index + 1 < pass.rings.count ? pass.rings[index + 1].value : 0
      let reach =
        (pass.arrowDiameterMetres + ring.diameterShare * pass.faceDiameterMetres) / 2 / sigma
      score -= Double(ring.value - outer) * exp(-reach * reach)
    }
    return score
  }

  /// The score that is expected of a round, passes added before anything is rounded.
  public static func expectedScore(handicap: Double, passes: [HandicapPass]) -> Double {
    var score = 0.0
    for pass in passes {
      score += Double(pass.arrows) * expectedArrow(handicap: handicap, pass: pass)
    }
    return score
  }

  /// The score in the tables, which round up.
  ///
  /// Throws where the handicap lies outside `range` or the round cannot be scored by rings.
  public static func score(handicap: Int, passes: [HandicapPass]) throws(RuleViolation) -> Int {
    guard range.contains(handicap) else {
      throw RuleViolation(
        field: "handicap", message: "must be from \(range.lowerBound) to \(range.upperBound)")
    }
    try check(passes)
    return tableScore(handicap, passes)
  }

  /// The handicap of a score: the largest whose table score equals it, else the smallest whose
  /// table score is not above it.
  ///
  /// Throws where the score is 0 or less, above the maximum, or the round cannot be scored by
  /// rings.
  public static func handicap(score: Int, passes: [HandicapPass]) throws(RuleViolation) -> Int {
    try check(passes)
    let maximum = passes.reduce(0) { $0 + $1.maximumScore }
    guard score > 0, score <= maximum else {
      throw RuleViolation(field: "score", message: "must be from 1 to \(maximum)")
    }
    // Table scores never rise with the handicap: `low` is the smallest whose score is below.
    var (low, high) = (range.lowerBound, range.upperBound + 1)
    while low < high {
      let middle = (low + high) >> 1
      if tableScore(middle, passes) < score { high = middle } else { low = middle + 1 }
    }
    if low > range.lowerBound, tableScore(low - 1, passes) == score { return low - 1 }
    return min(low, range.upperBound)
  }

  private static func tableScore(_ handicap: Int, _ passes: [HandicapPass]) -> Int {
    Int(expectedScore(handicap: Double(handicap), passes: passes).rounded(.up))
  }

  private static func check(_ passes: [HandicapPass]) throws(RuleViolation) {
    guard !passes.isEmpty, passes.allSatisfy({ !$0.rings.isEmpty }) else {
      throw RuleViolation(
        field: "round", message: "must be shot at faces with rings to have a handicap")
    }
  }
}
