/// The table of one round: the score of each handicap, computed on demand.
public struct HandicapTable: Sendable {
  private let passes: [HandicapPass]
  private var scores: [Int?]

  /// Nil for a round that cannot be scored by rings.
  public init?(_ passes: [HandicapPass]) {
    guard !passes.isEmpty, passes.allSatisfy({ !$0.rings.isEmpty }) else { return nil }
    self.passes = passes
    scores = Array(repeating: nil, count: HandicapScheme.range.count)
  }

  /// The highest possible score.
  public var maximumScore: Int { passes.reduce(0) { $0 + $1.maximumScore } }

  /// The score of a handicap within `HandicapScheme.range`; another traps.
  public mutating func score(_ handicap: Int) -> Int {
    let place = handicap - HandicapScheme.range.lowerBound
    if let known = scores[place] { return known }
    let expected = HandicapScheme.expectedScore(handicap: Double(handicap), passes: passes)
    let score = Int(expected.rounded(.up))
    scores[place] = score
    return score
  }

  /// The handicap of a score: the largest whose table score equals it, else the smallest whose
  /// table score is not above it; nil of a score of 0 or above the maximum.
  public mutating func handicap(_ score: Int) -> Int? {
    guard score > 0, score <= maximumScore else { return nil }
    // Table scores never rise with the handicap: `low` becomes the smallest whose score is below.
    var (low, high) = (HandicapScheme.range.lowerBound, HandicapScheme.range.upperBound + 1)
    while low < high {
      let middle = (low + high) >> 1
      if self.score(middle) < score { high = middle } else { low = middle + 1 }
    }
    if low > HandicapScheme.range.lowerBound, self.score(low - 1) == score { return low - 1 }
    return min(low, HandicapScheme.range.upperBound)
  }
}
