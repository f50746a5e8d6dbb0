/// What does not count of the sums of a card, because a paper has less.
package struct SumDeduction: Sendable, Hashable {
  package var points = 0
  package var hits = 0
  package var golds = 0
  package var xCount = 0

  package init(points: Int = 0, hits: Int = 0, golds: Int = 0, xCount: Int = 0) {
    (self.points, self.hits, self.golds, self.xCount) = (points, hits, golds, xCount)
  }

  package var isNone: Bool { self == SumDeduction() }

  package static func += (sum: inout SumDeduction, other: SumDeduction) {
    sum.points += other.points
    sum.hits += other.hits
    sum.golds += other.golds
    sum.xCount += other.xCount
  }
}

extension TypedScore {
  /// The sums of the arrows of a tally.
  package init(_ tally: ScoreTally) {
    self.init(
      total: tally.total, hits: tally.hitCount, golds: tally.goldCount, xCount: tally.xCount)
  }

  package func without(_ lower: SumDeduction) -> TypedScore {
    TypedScore(
      total: total - lower.points, hits: hits.map { $0 - lower.hits },
      golds: golds.map { $0 - lower.golds }, xCount: xCount.map { $0 - lower.xCount })
  }

  /// The sums of several parts; a count that one of them does not have is not known.
  package static func sum(of parts: [TypedScore]) -> TypedScore {
    func count(_ of: (TypedScore) -> Int?) -> Int? {
      let known = parts.compactMap(of)
      return known.count == parts.count ? known.reduce(0, +) : nil
    }
    return TypedScore(
      total: parts.reduce(0) { $0 + $1.total }, hits: count(\.hits), golds: count(\.golds),
      xCount: count(\.xCount))
  }

  /// Whether a sum that both have is above that of another score; with `isComplete` also whether it
  /// is another one.
  package func exceeds(_ other: TypedScore, isComplete: Bool) -> Bool {
    let pairs = [
      (total, other.total), (hits, other.hits), (golds, other.golds), (xCount, other.xCount),
    ]
    return pairs.contains { own, other in
      guard let own, let other else { return false }
      return own > other || isComplete && own != other
    }
  }
}

extension DoubleScoringRule {
  /// What a paper deducts from the sums of a card. Of each sum that both have the rule chooses: the
  /// lower one counts.
  package func deduction(from sums: TypedScore, by paper: TypedScore) -> SumDeduction {
    func lower(_ own: Int?, _ paper: Int?) -> Int {
      guard let own, counted(first: own, second: nil, paper: paper) == .paper, let paper else {
        return 0
      }
      return own - paper
    }
    return SumDeduction(
      points: lower(sums.total, paper.total), hits: lower(sums.hits, paper.hits),
      golds: lower(sums.golds, paper.golds), xCount: lower(sums.xCount, paper.xCount))
  }
}
