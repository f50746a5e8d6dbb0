import QuiverRules
import TestSupport
import Testing

@Suite("Elimination brackets", .timeLimit(.minutes(5)))
struct BracketTests {
  @Test("a bracket of 8 pairs 1 and 8, 5 and 4, 3 and 6, 7 and 2")
  func orderOfEight() {
    #expect(BracketOrder.seeds(size: 8) == [1, 8, 5, 4, 3, 6, 7, 2])
    #expect(BracketOrder.seeds(size: 4) == [1, 4, 3, 2])
    #expect(BracketOrder.seeds(size: 2) == [1, 2])
  }

  @Test(
    "each pair of a round adds up to the round plus 1 while the higher seeds win",
    arguments: BracketOrder.sizes)
  func order(size: Int) {
    var left = BracketOrder.seeds(size: size)
    #expect(left.sorted() == Array(1...size))
    while left.count > 1 {
      let pairs = stride(from: 0, to: left.count, by: 2).map { (left[$0], left[$0 + 1]) }
      #expect(pairs.allSatisfy { $0.0 + $0.1 == left.count + 1 })
      left = pairs.map { min($0.0, $0.1) }
    }
  }

  @Test("there are brackets for 2 to 128 entrants", arguments: [0, 1, 129])
  func sizes(count: Int) {
    #expect(BracketOrder.size(for: count) == nil)
    #expect(throws: RuleViolation.self) { try EliminationBracket(entrantCount: count) }
  }

  @Test("of 5 entrants the first three have byes, and 4 meets 5")
  func byes() throws {
    let bracket = try EliminationBracket(entrantCount: 5)
    #expect(bracket.size == 8 && bracket.byes.count == 3)
    #expect(
      bracket.ready == [BracketPlace(roundSize: 8, index: 1), BracketPlace(roundSize: 4, index: 1)])
    #expect(bracket.seeds[BracketPlace(roundSize: 4, index: 0)] == [1, nil])
    #expect(bracket.seeds[BracketPlace(roundSize: 4, index: 1)] == [3, 2])
  }

  @Test("ranks 5 to 8 follow set points, then the sum of the arrows, and equal ones share")
  func quarterfinals() throws {
    let losers: [(setPoints: Int, total: Int)] = [(4, 130), (4, 131), (2, 140), (4, 130)]
    var results: [BracketPlace: BracketResult] = [:]
    for (index, loser) in losers.enumerated() {
      results[BracketPlace(roundSize: 8, index: index)] = BracketResult(
        winner: .first, setPoints: [6, loser.setPoints], totals: [140, loser.total])
    }
    let bracket = try EliminationBracket(entrantCount: 8, results: results)
    #expect(bracket.ranks == [8: 6, 4: 5, 6: 8, 2: 6])
    results[BracketPlace(roundSize: 8, index: 3)] = nil
    #expect(try EliminationBracket(entrantCount: 8, results: results).ranks.isEmpty)
  }

  @Test("who meets an opponent that forfeited goes on, and two who forfeit are both out")
  func forfeits() throws {
    let results = [
      BracketPlace(roundSize: 4, index: 0): BracketResult(winner: nil),
      BracketPlace(roundSize: 4, index: 1): BracketResult(winner: .second),
    ]
    let bracket = try EliminationBracket(entrantCount: 4, results: results)
    #expect(bracket.ranks == [1: 4, 4: 4, 2: 1, 3: 3])
    #expect(bracket.byes == [.gold, .bronze])
  }

  @Test("without a match for bronze the losers of the semifinals share rank 3")
  func noBronze() throws {
    let results = [
      BracketPlace(roundSize: 4, index: 0): BracketResult(winner: .first),
      BracketPlace(roundSize: 4, index: 1): BracketResult(winner: .first),
    ]
    let bracket = try EliminationBracket(
      entrantCount: 4, hasBronzeMatch: false, results: results)
    #expect(bracket.ranks == [4: 3, 2: 3])
    #expect(!EliminationBracket.places(size: 4, hasBronzeMatch: false).contains(.bronze))
  }

  @Test("the ranks are those of a naive model for any number of entrants and any results")
  func naive() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for round in 0..<400 {
      let count = Int.random(in: 2...128, using: &random)
      let model = NaiveBracket(count, &random)
      let bracket = try EliminationBracket(entrantCount: count, results: model.results)
      #expect(bracket.ranks == model.ranks, "seed \(seed), round \(round), \(count) entrants")
      #expect(bracket.ranks.count == count)
    }
  }
}

/// A bracket as one would play it with cards on a table: a list of those who are left, of which
/// neighbours meet. Written without the rules of the module.
private struct NaiveBracket {
  var results: [BracketPlace: BracketResult] = [:]
  var ranks: [Int: Int] = [:]

  init(_ count: Int, _ random: inout SeededGenerator) {
    var size = 2
    while size < count { size *= 2 }
    // The chart by its definition: the best of a section meets its worst, on its outer side.
    func section(_ best: Int, _ players: Int, _ isLower: Bool) -> [Int] {
      if players == size { return [best] }
      let worst = players * 2 + 1 - best
      let pair = isLower ? [worst, best] : [best, worst]
      return section(pair[0], players * 2, false) + section(pair[1], players * 2, true)
    }
    var left = section(1, 1, false)
    var semifinalLosers: [Int] = []
    while left.count > 1 {
      var winners: [Int] = []
      var losers: [(Int, BracketResult, Int)] = []
      for match in 0..<left.count / 2 {
        let pair = [left[match * 2], left[match * 2 + 1]]
        if pair.max()! > count {
          winners.append(pair.min()!)
          continue
        }
        let result = Self.result(&random)
        results[BracketPlace(roundSize: left.count, index: match)] = result
        let winner = result.winner == .first ? 0 : 1
        winners.append(pair[winner])
        losers.append((pair[1 - winner], result, 1 - winner))
      }
      switch left.count {
      case 2:
        ranks[winners[0]] = 1
        ranks[losers[0].0] = 2
      case 4: semifinalLosers = losers.map(\.0)
      case 8:
        let worth = losers.map { $0.1.setPoints[$0.2] * 1_000 + $0.1.totals[$0.2] }
        for (index, loser) in losers.enumerated() {
          ranks[loser.0] = 5 + worth.filter { $0 > worth[index] }.count
        }
      default: for loser in losers { ranks[loser.0] = left.count / 2 + 1 }
      }
      left = winners
    }
    if semifinalLosers.count == 2 {
      let result = Self.result(&random)
      results[.bronze] = result
      let winner = result.winner == .first ? 0 : 1
      ranks[semifinalLosers[winner]] = 3
      ranks[semifinalLosers[1 - winner]] = 4
    } else if let loser = semifinalLosers.first {
      ranks[loser] = 3
    }
  }

  private static func result(_ random: inout SeededGenerator) -> BracketResult {
    let winner = MatchSide.allCases.randomElement(using: &random)!
    let loserPoints = Int.random(in: 0...2, using: &random)
    let loserTotal = Int.random(in: 100...103, using: &random)
    return winner == .first
      ? BracketResult(winner: winner, setPoints: [6, loserPoints], totals: [110, loserTotal])
      : BracketResult(winner: winner, setPoints: [loserPoints, 6], totals: [loserTotal, 110])
  }
}
