import QuiverAPI

/// A bracket from the results of its matches, written anew for the rehearsal.
struct PlainBracket {
  /// By the size of the round, then by index: the seeds of both sides; nil: none.
  private(set) var pairs: [Int: [[Int?]]] = [:]
  private(set) var ranks: [Int: Int] = [:]

  /// `result` has what became of the match of a round and an index; nil: it is not decided. With 8
  /// exempt seeds seed 9 first meets 104, 10 meets 103 and so on to 56 and 57; the winners shoot on
  /// in a bracket of 56 entrants.
  init(
    entrants: Int, exempt: Int = 0, result: (_ round: Int, _ index: Int) -> PlainMatch?
  ) {
    let places = exempt > 0 ? 56 : entrants
    var size = 2
    while size < places { size *= 2 }
    var seeds: [Int?] = []
    for (place, seed) in Self.places(1, of: 1, upTo: size, isFlipped: false).enumerated() {
      let other = 113 - seed
      guard exempt > 0, seed > exempt, seed <= places else {
        seeds.append(seed <= places ? seed : nil)
        continue
      }
      let opponent = other <= entrants ? other : nil
      let pair = place.isMultiple(of: 2) ? [seed, opponent] : [opponent, seed]
      first[place] = pair
      guard opponent != nil else {
        seeds.append(seed)
        continue
      }
      guard let side = result(size * 2, place)?.winner, let loser = pair[1 - side] else { return }
      seeds.append(pair[side])
      ranks[loser] = places + 1
    }
    var quarterfinalLosers: [(seed: Int, key: [Int])] = []
    while seeds.count >= 2 {
      let round = seeds.count
      var winners: [Int?] = []
      var losers: [Int?] = []
      for index in 0..<round / 2 {
        let pair = [seeds[2 * index], seeds[2 * index + 1]]
        pairs[round, default: []].append(pair)
        guard let one = pair[0], let other = pair[1] else {
          winners.append(pair[0] ?? pair[1])
          losers.append(nil)
          continue
        }
        guard let match = result(round, index), let side = match.winner else { return }
        let loser = side == 0 ? other : one
        winners.append(side == 0 ? one : other)
        losers.append(loser)
        if round == 8 {
          quarterfinalLosers.append(
            (loser, [match.setPoints[1 - side], match.totals[1 - side]]))
        } else if round > 4 {
          ranks[loser] = round / 2 + 1
        }
      }
      if round == 4 { shootForBronze(losers, result(2, 1)) }
      if round == 2 {
        if let winner = winners[0] { ranks[winner] = 1 }
        if let loser = losers[0] { ranks[loser] = 2 }
      }
      seeds = winners
      if seeds.count == 1 { break }
    }
    for loser in quarterfinalLosers {
      ranks[loser.seed] =
        5 + quarterfinalLosers.count { loser.key.lexicographicallyPrecedes($0.key) }
    }
  }

  private mutating func shootForBronze(_ losers: [Int?], _ match: PlainMatch?) {
    bronze = losers
    switch (losers[0], losers[1]) {
    case (let one?, let other?):
      guard let side = match?.winner else { return }
      ranks[side == 0 ? one : other] = 3
      ranks[side == 0 ? other : one] = 4
    case (let one?, nil), (nil, let one?): ranks[one] = 3
    case (nil, nil): break
    }
  }

  /// With exempt seeds the pairs of the first round by index.
  private(set) var first: [Int: [Int?]] = [:]

  /// The seeds of the match for bronze.
  private(set) var bronze: [Int?] = []

  /// The seeds from the top to the bottom: the best of each half stands at its outer end.
  private static func places(
    _ seed: Int, of size: Int, upTo full: Int, isFlipped: Bool
  ) -> [Int] {
    guard size < full else { return [seed] }
    let other = size * 2 + 1 - seed
    let pair = isFlipped ? [other, seed] : [seed, other]
    return places(pair[0], of: size * 2, upTo: full, isFlipped: false)
      + places(pair[1], of: size * 2, upTo: full, isFlipped: true)
  }
}

/// The table of a group from the results of its matches, implemented separately for the rehearsal.
struct PlainGroup {
  /// A member's row.
  struct Row {
    var played = 0
    var won = 0
    var setPoints = 0
    var total = 0
    var rank = 0
    var points: Int { won * 2 }
  }

  /// By seed.
  private(set) var rows: [Int: Row] = [:]

  init(_ seeds: [Int], _ matches: [(seeds: [Int], score: PlainMatch)]) {
    for seed in seeds { rows[seed] = Row() }
    for match in matches {
      for side in [0, 1] {
        rows[match.seeds[side]]?.played += 1
        rows[match.seeds[side]]?.won += match.score.winner == side ? 1 : 0
        rows[match.seeds[side]]?.setPoints += match.score.setPoints[side]
        rows[match.seeds[side]]?.total += match.score.totals[side]
      }
    }
    var keys: [Int: [Int]] = [:]
    for (seed, row) in rows {
      let direct = matches.count { match in
        guard let side = match.score.winner, match.seeds[side] == seed else { return false }
        return rows[match.seeds[1 - side]]?.points == row.points
      }
      keys[seed] = [row.points, direct, row.setPoints, row.total]
    }
    for (seed, key) in keys {
      rows[seed]?.rank = 1 + keys.values.count { key.lexicographicallyPrecedes($0) }
    }
  }
}
