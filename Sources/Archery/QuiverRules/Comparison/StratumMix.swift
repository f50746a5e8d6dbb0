/// Which share of a setup's shooting each stratum has, rounds weighing alike.
///
/// A round of several passes counts in each of its strata by its share of arrows there, as it does
/// in the mean of round means.
struct StratumMix: Equatable {
  /// The share of each stratum that was shot, from above 0 to 1; they add up to 1.
  let shares: [Stratum: Double]

  /// How much of the shooting may lie at other strata before the mixes count as different.
  ///
  /// Strata differ by about 2 points an arrow (70 m against 18 m), so that a shift of 5 % moves a
  /// mean by 0.1 points at most, which is below what a comparison of 30 rounds detects.
  static let tolerance = 0.05

  private init(shares: [Stratum: Double]) { self.shares = shares }

  init(_ rounds: [ComparedRound]) {
    var sums: [Stratum: Double] = [:]
    var latest: (stratum: Stratum, sum: Double)?
    var count = 0
    for round in rounds {
      let arrows = round.parts.reduce(0) { $0 + $1.rollup.arrowCount }
      guard arrows > 0 else { continue }
      count += 1
      for part in round.parts where part.rollup.arrowCount > 0 {
        if latest?.stratum != part.stratum {
          if let latest { sums[latest.stratum] = latest.sum }
          latest = (part.stratum, sums[part.stratum] ?? 0)
        }
        latest?.sum += Double(part.rollup.arrowCount) / Double(arrows)
      }
    }
    if let latest { sums[latest.stratum] = latest.sum }
    shares = sums.mapValues { $0 / Double(max(count, 1)) }
  }

  /// The share of the shooting that lies at other strata: half the sum of the differences of all
  /// shares (the total variation distance), from 0 to 1.
  func distance(to other: StratumMix) -> Double {
    // In one order, so that sums do not depend on how the dictionaries are laid out.
    let strata = Set(shares.keys).union(other.shares.keys).sorted()
    return strata.reduce(0) { $0 + abs((shares[$1] ?? 0) - (other.shares[$1] ?? 0)) } / 2
  }

  /// Whether points of the two sides are not comparable; never where a side has no arrows.
  ///
  /// The 1e-9 is what rounding may leave of a distance that equals the tolerance.
  func differs(from other: StratumMix) -> Bool {
    !shares.isEmpty && !other.shares.isEmpty && distance(to: other) > Self.tolerance + 1e-9
  }

  /// The shares by one aspect of the strata.
  private func by(_ aspect: StratumFeature) -> StratumMix {
    var sums: [Stratum: Double] = [:]
    for stratum in shares.keys.sorted() {
      sums[stratum.only(aspect), default: 0] += shares[stratum] ?? 0
    }
    return StratumMix(shares: sums)
  }

  /// The aspects by which the mixes differ, each by itself.
  func differing(from other: StratumMix) -> [StratumFeature] {
    StratumFeature.allCases.filter { by($0).differs(from: other.by($0)) }
  }

  /// The strata that both shot, by distance.
  func common(with other: StratumMix) -> [Stratum] {
    shares.keys.filter { other.shares[$0] != nil }.sorted()
  }
}
