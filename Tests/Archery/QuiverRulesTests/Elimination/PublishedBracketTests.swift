import QuiverRules
import TestSupport
import Testing

@Suite("Published brackets", .timeLimit(.minutes(5)))
struct PublishedBracketTests {
  @Test(
    "Each place, side, bye, winner and rank of a published bracket follows from seeds and scores",
    arguments: PublishedBracket.all.indices)
  func replay(index: Int) throws {
    let published = PublishedBracket.all[index]
    let exempt = published.entrantCount > 56 ? ExemptSeeds.of(8, onDay: 18_017) : nil
    #expect((exempt != nil) == (published.entrantCount > 56))
    var results: [BracketPlace: BracketResult] = [:]
    func fold() throws -> EliminationBracket {
      try EliminationBracket(
        entrantCount: published.entrantCount, exempt: exempt, results: results)
    }
    var bracket = try fold()
    var shot: [BracketPlace: PublishedBracket.Match] = [:]
    while let place = bracket.ready.filter({ shot[$0] == nil }).min() {
      let seeds = (bracket.seeds[place] ?? []).compactMap { $0 }
      let match = try #require(
        published.match(place.roundSize, isBronze: place == .bronze, seeds),
        "\(published.name): no match \(place) of \(seeds)")
      #expect(match.seeds == seeds, "\(published.name): the sides of \(place)")
      shot[place] = match
      // Equal sums were decided by a shoot-off, whose arrows were not published.
      let winner: MatchSide = match.winner == seeds[0] ? .first : .second
      #expect(
        match.scores[winner.rawValue] >= match.scores[winner.other.rawValue],
        "\(published.name): the winner of \(place)")
      results[place] = BracketResult(winner: winner, totals: match.scores)
      bracket = try fold()
    }
    #expect(shot.count == published.matches.count)
    #expect(bracket.ranks == published.ranks)
    // In the file the matches of a round stand as in the chart.
    for (size, places) in Dictionary(grouping: shot.keys, by: \.roundSize) where size > 2 {
      #expect(
        places.sorted().map { shot[$0]?.seeds }
          == published.matches.filter { $0.roundSize == size }.map(\.seeds))
    }
    // Who has a bye shot no match of that round.
    for place in bracket.byes {
      let seeds = (bracket.seeds[place] ?? []).compactMap { $0 }
      #expect(
        !published.matches.contains {
          $0.roundSize == place.roundSize && !Set($0.seeds).isDisjoint(with: seeds)
        })
    }
  }

  @Test("The file has three whole events: every entrant has a rank, and all but one lost a match")
  func file() {
    #expect(PublishedBracket.all.map(\.entrantCount) == [29, 34, 65])
    for event in PublishedBracket.all {
      #expect(event.ranks.count == event.entrantCount)
      // The loser of a semifinal shoots for bronze.
      #expect(event.matches.count == event.entrantCount)
      #expect(event.matches.allSatisfy { $0.seeds.contains($0.winner) })
    }
  }
}
