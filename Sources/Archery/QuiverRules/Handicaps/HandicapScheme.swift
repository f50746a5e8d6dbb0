import QuiverPlatform

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
    var table = try table(passes)
    return table.score(handicap)
  }

  /// The handicap of a score: the largest whose table score equals it, else the smallest whose
  /// table score is not above it.
  ///
  /// Throws where the score is 0 or less, above the maximum, or the round cannot be scored by
  /// rings.
  public static func handicap(score: Int, passes: [HandicapPass]) throws(RuleViolation) -> Int {
    var table = try table(passes)
    guard let handicap = table.handicap(score) else {
      throw RuleViolation(field: "score", message: "must be from 1 to \(table.maximumScore)")
    }
    return handicap
  }

  private static func table(_ passes: [HandicapPass]) throws(RuleViolation) -> HandicapTable {
    guard let table = HandicapTable(passes) else {
      throw RuleViolation(
        field: "format", message: "must be shot at faces with rings to have a handicap")
    }
    return table
  }
}
