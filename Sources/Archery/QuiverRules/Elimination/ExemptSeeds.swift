/// A form of a bracket of many entrants in which the first seeds start some rounds later.
///
/// The seeds behind them shoot a round more, 1/48, against those who would otherwise not be in the
/// bracket; a winner takes the place of the better seed of the match. The exempt seeds have a bye
/// in the next round, 1/24, and shoot from 1/16 on. In a chart of 128 places the others stand where
/// they would in 1/24, so that 1/48 has 48 matches: seed s of 9 to 56 against 113 - s.
package struct ExemptSeeds: Sendable, Hashable {
  /// How many of the first seeds are exempt.
  package let count: Int
  /// The numbers of entrants of such a bracket: at most 56 need no further round.
  package let entrantCounts: ClosedRange<Int>
  /// The places of the chart: a power of two.
  package let size: Int
  /// The first day: days since 1970-01-01.
  package let inForceFromDay: Int32

  /// All forms, oldest first. What stands here is never edited.
  ///
  /// Sources: 104 athletes go on, instead of 128 (World Archery, "Competition format", version 3,
  /// January 2012, question 19, on archivalarchery.org; article II.A.7.4.1 of the French
  /// federation's rules says the same). The first 8 "are pre-seeded for the first two rounds and
  /// will start directly in 1/16 eliminations", the others shoot 1/48 and 1/24 (World Archery,
  /// "Korea and USA win afternoon's qualifications", Shanghai 2012, worldarchery.sport/news/100945;
  /// programme of the World Championships in Berlin 2023, wm-bogen.de). Who meets whom, and rank 57
  /// for the losers of 1/48, are those of ten published events of 2019 (docs/reliability.md). The
  /// first event found with 104 places was shot on 2011-07-05 (worldarchery.org/news/100523); the
  /// text of the article in World Archery's rule book was not found.
  package static let all: [ExemptSeeds] = [
    ExemptSeeds(count: 8, entrantCounts: 57...104, size: 128, inForceFromDay: 15_160)
  ]

  /// The latest form with that many exempt seeds on a day; nil if there is none.
  package static func of(_ count: Int, onDay day: Int32) -> ExemptSeeds? {
    all.last { $0.count == count && $0.inForceFromDay <= day }
  }

  /// The form with that many exempt seeds for a number of entrants on a day; nil for 0. Throws for
  /// another number of exempt seeds, and for too few or too many entrants.
  package static func checked(
    _ count: Int, entrantCount: Int, onDay day: Int32, field: String = "exempt_seeds"
  ) throws(RuleViolation) -> ExemptSeeds? {
    guard count != 0 else { return nil }
    guard let form = of(count, onDay: day) else {
      let counts = Set(all.filter { $0.inForceFromDay <= day }.map(\.count)).sorted()
      throw RuleViolation(
        field: field,
        message: "must be 0" + counts.map { " or \($0)" }.joined())
    }
    guard form.entrantCounts.contains(entrantCount) else {
      throw form.violation(field: field)
    }
    return form
  }

  func violation(field: String) -> RuleViolation {
    RuleViolation(
      field: field,
      message: "\(count) exempt seeds need from \(entrantCounts.lowerBound) to "
        + "\(entrantCounts.upperBound) entrants")
  }

  /// The places of the round after the first one, without those of the exempt seeds.
  private var laterPlaces: Int { size / 2 - count }

  /// The rank that the losers of the first round share.
  var firstLosersRank: Int { laterPlaces + 1 }

  /// The matches of the first round by their indices in the chart: one for each place of the next
  /// round that is of no exempt seed, and of no opponent of one.
  package var firstMatches: Set<Int> {
    let order = BracketOrder.seeds(size: size / 2)
    return Set(order.indices.filter { count < order[$0] && order[$0] <= laterPlaces })
  }

  /// The name that World Archery gives a round, as in `1/48`: that of its matches without byes. Nil
  /// from the round on in which the exempt seeds shoot.
  package func roundName(size roundSize: Int) -> String? {
    guard roundSize * 2 >= size, size.isMultiple(of: roundSize) else { return nil }
    return "1/\((laterPlaces - count) * roundSize / size)"
  }

  /// The seed at the place of the chart where a full bracket has `plainSeed`; nil: nobody.
  func seed(at plainSeed: Int) -> Int? {
    if plainSeed <= laterPlaces { return plainSeed }
    let seed = plainSeed - 2 * count
    return entrantCounts.contains(seed) ? seed : nil
  }
}
