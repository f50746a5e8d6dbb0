/// A match of a bracket by its place.
package struct BracketPlace: Sendable, Hashable, Comparable {
  /// How many sides the round has: 8 is the quarterfinals, 2 the medal matches.
  package let roundSize: Int
  /// From 0, from the top of the chart. Of the medal matches 0 is for gold, 1 for bronze.
  package let index: Int

  /// Creates a value; each parameter is the property of its name.
  package init(roundSize: Int, index: Int) {
    self.roundSize = roundSize
    self.index = index
  }

  /// The match for gold.
  package static let gold = BracketPlace(roundSize: 2, index: 0)
  /// The match for bronze.
  package static let bronze = BracketPlace(roundSize: 2, index: 1)

  /// The first rounds first, each from the top; the match for bronze before that for gold.
  package static func < (left: BracketPlace, right: BracketPlace) -> Bool {
    if left.roundSize != right.roundSize { return left.roundSize > right.roundSize }
    return left.roundSize == 2 ? left.index > right.index : left.index < right.index
  }

  /// Where the winner shoots next; nil after a medal match.
  package var winnersNext: (place: BracketPlace, side: MatchSide)? {
    guard roundSize > 2 else { return nil }
    return (BracketPlace(roundSize: roundSize / 2, index: index / 2), side)
  }

  /// Where the loser shoots next: after a semifinal the match for bronze, else nowhere.
  package var losersNext: (place: BracketPlace, side: MatchSide)? {
    roundSize == 4 ? (.bronze, side) : nil
  }

  private var side: MatchSide { index.isMultiple(of: 2) ? .first : .second }
}

/// How one match of a bracket ended.
package struct BracketResult: Sendable, Hashable {
  /// The winner; nil if both sides forfeited.
  package let winner: MatchSide?
  /// The set points by side.
  package let setPoints: [Int]
  /// The sums of the arrows by side.
  package let totals: [Int]

  /// Creates a value; each parameter is the property of its name.
  package init(winner: MatchSide?, setPoints: [Int] = [0, 0], totals: [Int] = [0, 0]) {
    self.winner = winner
    self.setPoints = setPoints
    self.totals = totals
  }
}

/// A bracket with its results so far: the seeds of its matches, and the ranks.
package struct EliminationBracket: Sendable, Hashable {
  /// The number of places: a power of two.
  package let size: Int
  /// The number of seeds; those above it are byes.
  package let entrantCount: Int
  /// Whether the losers of the semifinals shoot for bronze; else they share rank 3.
  package let hasBronzeMatch: Bool
  /// The first seeds that start some rounds later; nil: all start in the first round.
  package let exempt: ExemptSeeds?
  /// The seeds of each match by side; nil: none, or not known yet.
  package private(set) var seeds: [BracketPlace: [Int?]] = [:]
  /// The matches whose two sides are known.
  package private(set) var ready: Set<BracketPlace> = []
  /// The matches that one side wins because it has no opponent.
  package private(set) var byes: Set<BracketPlace> = []
  /// The ranks by seed, as far as they are decided.
  package private(set) var ranks: [Int: Int] = [:]

  /// All matches of a bracket, in the order in which they are shot. With exempt seeds the first
  /// round has only some of the indices of the chart.
  package static func places(
    size: Int, hasBronzeMatch: Bool = true, exempt: ExemptSeeds? = nil
  ) -> [BracketPlace] {
    var places: [BracketPlace] = []
    var roundSize = size
    while roundSize >= 2 {
      places += (0..<roundSize / 2).map { BracketPlace(roundSize: roundSize, index: $0) }
      roundSize /= 2
    }
    if hasBronzeMatch, size > 2 { places.append(.bronze) }
    if let indices = exempt?.firstMatches {
      places.removeAll { $0.roundSize == size && !indices.contains($0.index) }
    }
    return places.sorted()
  }

  /// A bracket of 2 to 128 seeds; throws for another number, and for one that `exempt` does not
  /// allow.
  package init(
    entrantCount: Int, hasBronzeMatch: Bool = true, exempt: ExemptSeeds? = nil,
    results: [BracketPlace: BracketResult] = [:]
  ) throws(RuleViolation) {
    guard let size = BracketOrder.size(for: entrantCount) else {
      throw RuleViolation(field: "entrants", message: "must be from 2 to 128")
    }
    if let exempt, !exempt.entrantCounts.contains(entrantCount) {
      throw exempt.violation(field: "entrants")
    }
    self.size = exempt?.size ?? size
    self.entrantCount = entrantCount
    self.exempt = exempt
    self.hasBronzeMatch = hasBronzeMatch && size > 2
    fold(results)
  }

  private mutating func fold(_ results: [BracketPlace: BracketResult]) {
    let order = BracketOrder.seeds(size: size)
    // The seed that has reached each side, if any.
    var arrivals: [BracketPlace: [MatchSide: Int?]] = [:]
    let shotFirst = exempt?.firstMatches
    for index in 0..<size / 2 {
      let pair = order[index * 2...index * 2 + 1].map(entrant)
      let place = BracketPlace(roundSize: size, index: index)
      if let shotFirst, !shotFirst.contains(index), let next = place.winnersNext {
        arrivals[next.place, default: [:]].updateValue(pair[0] ?? pair[1], forKey: next.side)
      } else {
        arrivals[place] = [.first: pair[0], .second: pair[1]]
      }
    }
    var losers: [QuarterfinalLoser] = []
    var decidedQuarterfinals = 0
    for place in Self.places(size: size, hasBronzeMatch: hasBronzeMatch, exempt: exempt) {
      let arrived = arrivals[place] ?? [:]
      let pair = MatchSide.allCases.map { arrived[$0] ?? nil }
      seeds[place] = pair
      guard arrived.count == 2 else { continue }
      if pair.allSatisfy({ $0 != nil }) { ready.insert(place) } else { byes.insert(place) }
      guard let ending = ending(of: pair, results[place]) else { continue }
      if let next = place.winnersNext {
        arrivals[next.place, default: [:]].updateValue(ending.winner, forKey: next.side)
      }
      if hasBronzeMatch, let next = place.losersNext {
        // Two who forfeited a semifinal do not shoot for bronze.
        let loser = ending.losers.count == 1 ? ending.losers[0].seed : nil
        if loser == nil { for both in ending.losers { ranks[both.seed] = 4 } }
        arrivals[next.place, default: [:]].updateValue(loser, forKey: next.side)
      }
      if place.roundSize == 8 {
        decidedQuarterfinals += 1
        losers += ending.losers.map { QuarterfinalLoser($0.seed, results[place], $0.side) }
      } else {
        rank(ending, at: place)
      }
    }
    if decidedQuarterfinals == 4 { rank(losers) }
  }

  /// The entrant at the place of the chart where a full bracket has a seed.
  private func entrant(_ plainSeed: Int) -> Int? {
    let seed = exempt.map { $0.seed(at: plainSeed) } ?? plainSeed
    return seed.flatMap { $0 <= entrantCount ? $0 : nil }
  }

  private typealias Ending = (winner: Int?, losers: [(seed: Int, side: MatchSide)])

  /// The seeds that win and lose a match; nil if it is not decided.
  private func ending(of pair: [Int?], _ result: BracketResult?) -> Ending? {
    guard let first = pair[0], let second = pair[1] else {
      return (pair[0] ?? pair[1], [])
    }
    guard let result else { return nil }
    switch result.winner {
    case .first: return (first, [(second, .second)])
    case .second: return (second, [(first, .first)])
    case nil: return (nil, [(first, .first), (second, .second)])
    }
  }

  /// Losers share the first rank below those who advance.
  private mutating func rank(_ ending: Ending, at place: BracketPlace) {
    switch (place.roundSize, place.index) {
    case (2, 0):
      if let winner = ending.winner { ranks[winner] = 1 }
      for loser in ending.losers { ranks[loser.seed] = 2 }
    case (2, _):
      if let winner = ending.winner { ranks[winner] = 3 }
      for loser in ending.losers { ranks[loser.seed] = 4 }
    case (4, _):
      if !hasBronzeMatch { for loser in ending.losers { ranks[loser.seed] = 3 } }
    default:
      let first = place.roundSize == size ? exempt?.firstLosersRank : nil
      for loser in ending.losers { ranks[loser.seed] = first ?? place.roundSize / 2 + 1 }
    }
  }

  private struct QuarterfinalLoser {
    let seed: Int
    /// Set points in that match, then the sum of its arrows.
    let key: [Int]

    init(_ seed: Int, _ result: BracketResult?, _ side: MatchSide) {
      self.seed = seed
      key = [result?.setPoints[side.rawValue] ?? 0, result?.totals[side.rawValue] ?? 0]
    }
  }

  /// Ranks 5 to 8; equal ones share a rank.
  private mutating func rank(_ losers: [QuarterfinalLoser]) {
    for loser in losers {
      let above = losers.filter { loser.key.lexicographicallyPrecedes($0.key) }
      ranks[loser.seed] = 5 + above.count
    }
  }
}
