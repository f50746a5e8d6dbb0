import QuiverRules
import TestSupport
import Testing

@Suite("Brackets with exempt seeds", .timeLimit(.minutes(5)))
struct ExemptSeedsTests {
  private static let day: Int32 = 20_000

  private func form() throws -> ExemptSeeds {
    try #require(ExemptSeeds.of(8, onDay: Self.day))
  }

  @Test("With 104 entrants seed s of 9 to 56 first meets 113 - s, and the first 8 wait until 1/16")
  func full() throws {
    let bracket = try EliminationBracket(entrantCount: 104, exempt: try form())
    let first = bracket.seeds.filter { $0.key.roundSize == 128 }
    #expect(bracket.size == 128 && first.count == 48)
    #expect(
      Set(first.values.map { Set($0.compactMap { $0 }) })
        == Set((9...56).map { [$0, 113 - $0] }))
    #expect(bracket.ready == Set(first.keys))
    let byes = bracket.byes.compactMap { bracket.seeds[$0]?.compactMap { $0 } }
    #expect(byes.allSatisfy { $0.count == 1 } && Set(byes.joined()) == Set(1...8))
    #expect(bracket.byes.allSatisfy { $0.roundSize == 64 })
    #expect(
      EliminationBracket.places(size: 128, exempt: try form()).count == 48 + 32 + 16 + 8 + 4 + 2 + 2
    )
  }

  @Test("In 1/24 and 1/16 each seed stands where it does in a bracket of 56")
  func places() throws {
    let form = try form()
    var results: [BracketPlace: BracketResult] = [:]
    let drawn = try EliminationBracket(entrantCount: 90, exempt: form)
    for place in drawn.ready {
      let seeds = (drawn.seeds[place] ?? []).compactMap { $0 }
      results[place] = BracketResult(winner: seeds[0] < seeds[1] ? .first : .second)
    }
    #expect(drawn.ready.count { $0.roundSize == 128 } == 90 - 56)
    let bracket = try EliminationBracket(entrantCount: 90, exempt: form, results: results)
    let plain = try EliminationBracket(entrantCount: 56)
    for (place, seeds) in plain.seeds where place.roundSize >= 32 {
      #expect(bracket.seeds[place] == seeds)
    }
    #expect(bracket.byes.filter { $0.roundSize < 128 } == plain.byes)
    #expect(Set(bracket.ranks.keys) == Set(57...90))
    #expect(bracket.ranks.values.allSatisfy { $0 == 57 })
  }

  @Test("Other numbers of exempt seeds or of entrants are refused by name, and 0 exempts none")
  func refusals() throws {
    func refusal(_ count: Int, _ entrants: Int) -> RuleViolation? {
      do throws(RuleViolation) {
        _ = try ExemptSeeds.checked(count, entrantCount: entrants, onDay: Self.day)
        return nil
      } catch {
        return error
      }
    }
    for entrants in [57, 58, 103, 104] { #expect(refusal(8, entrants) == nil) }
    for entrants in [2, 56, 105, 128] {
      #expect(refusal(8, entrants)?.field == "exempt_seeds")
      #expect(refusal(8, entrants)?.message.contains("57 to 104") == true)
      let form = try form()
      #expect(throws: RuleViolation.self) {
        try EliminationBracket(entrantCount: entrants, exempt: form)
      }
    }
    for count in [1, 4, 7, 9, 16] { #expect(refusal(count, 64)?.message == "must be 0 or 8") }
    #expect(refusal(0, 64) == nil && refusal(0, 3) == nil)
    #expect(try ExemptSeeds.checked(0, entrantCount: 64, onDay: Self.day) == nil)
    #expect(ExemptSeeds.of(8, onDay: 15_159) == nil)
  }

  @Test("The rounds before the exempt seeds shoot are named 1/48 and 1/24")
  func names() throws {
    let form = try form()
    #expect(form.roundName(size: 128) == "1/48" && form.roundName(size: 64) == "1/24")
    #expect([32, 16, 8, 4, 2].allSatisfy { form.roundName(size: $0) == nil })
  }

  @Test("The ranks are those of a preliminary round and a plain bracket of 56, with any results")
  func naive() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let form = try form()
    for round in 0..<200 {
      let count = Int.random(in: 57...104, using: &random)
      var results: [BracketPlace: BracketResult] = [:]
      var bracket = try EliminationBracket(entrantCount: count, exempt: form)
      while true {
        let open = bracket.ready.filter { results[$0] == nil }.sorted()
        guard !open.isEmpty else { break }
        for place in open {
          let isDouble = place.roundSize > 32 && Int.random(in: 0..<40, using: &random) == 0
          let winner = MatchSide.allCases.randomElement(using: &random)
          let points = (0..<2).map { _ in Int.random(in: 0...5, using: &random) }
          results[place] = BracketResult(winner: isDouble ? nil : winner, setPoints: points)
        }
        bracket = try EliminationBracket(entrantCount: count, exempt: form, results: results)
      }
      // The places of a bracket of 56 by who has won them; nil: two who forfeited.
      var holders: [Int: Int?] = [:]
      var expected: [Int: Int] = [:]
      for place in 1...56 {
        holders[place] = place
        guard place > 8, 113 - place <= count else { continue }
        let found = bracket.seeds.first {
          $0.key.roundSize == 128 && Set($0.value) == [place, 113 - place]
        }
        let (key, pair) = try #require(found)
        let side = try #require(results[key]).winner
        holders.updateValue(side.flatMap { pair[$0.rawValue] }, forKey: place)
        for entrant in pair.compactMap({ $0 }) where entrant != holders[place] ?? nil {
          expected[entrant] = 57
        }
      }
      let isWhole = holders.values.allSatisfy { $0 != nil }
      if isWhole {
        let plain = try EliminationBracket(
          entrantCount: 56, results: results.filter { $0.key.roundSize <= 64 })
        for (place, rank) in plain.ranks { expected[(holders[place] ?? nil) ?? 0] = rank }
        #expect(bracket.ranks == expected, "seed \(seed), round \(round), \(count) entrants")
      }
      #expect(
        expected.allSatisfy { bracket.ranks[$0.key] == $0.value },
        "seed \(seed), round \(round), \(count) entrants")
      #expect(bracket.ranks.count == count, "seed \(seed), round \(round), \(count) entrants")
    }
  }
}
