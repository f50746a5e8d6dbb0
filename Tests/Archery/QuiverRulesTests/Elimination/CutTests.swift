import QuiverRules
import TestSupport
import Testing

@Suite("Cuts", .timeLimit(.minutes(5)))
struct CutTests {
  private static func rows(_ ranks: [Int]) -> [Cut.Row] {
    ranks.enumerated().map { Cut.Row(id: Int64($0 + 1), rank: $1) }
  }

  @Test("who shares the rank across the cut is named, with the places that are left")
  func tie() throws {
    let cut = try Cut(Self.rows([1, 2, 3, 4, 4, 4, 7]), size: 5, seed: 1)
    #expect(cut.qualified == [1, 2, 3])
    #expect(cut.tied == [4, 5, 6] && cut.tiedPlaces == 2)
    #expect(cut.alternates == [7])
  }

  @Test("decisions break the tie at the cut in their order")
  func decided() throws {
    let cut = try Cut(
      Self.rows([1, 2, 3, 4, 4, 4, 7]), size: 5, decisions: [6: 1, 4: 2, 5: 3], seed: 1)
    #expect(cut.qualified == [1, 2, 3, 6, 4] && cut.tied.isEmpty)
    #expect(cut.alternates == [5, 7])
  }

  @Test("two who lost the shoot-off together stay tied if one place is left")
  func partlyDecided() throws {
    let cut = try Cut(
      Self.rows([1, 2, 3, 4, 4, 4, 7]), size: 5, decisions: [6: 1], seed: 1)
    #expect(cut.qualified == [1, 2, 3, 6] && cut.tied == [4, 5] && cut.tiedPlaces == 1)
  }

  @Test("ties that do not cross the cut get seeds by lot, the same for the same seed")
  func lots() throws {
    let rows = Self.rows([1, 1, 1, 1, 5])
    let cuts = try (0..<20).map { try Cut(rows, size: 4, seed: $0).qualified }
    #expect(cuts.allSatisfy { $0.sorted() == [1, 2, 3, 4] })
    #expect(Set(cuts).count > 5)
    #expect(try Cut(rows.reversed(), size: 4, seed: 3).qualified == cuts[3])
  }

  @Test(
    "a cut above those who are ranked, below 2 or above 128 is refused", arguments: [0, 1, 4, 129])
  func refused(size: Int) {
    #expect(throws: RuleViolation.self) {
      try Cut(Self.rows([1, 2, 3, 0]), size: size, seed: 1)
    }
  }

  @Test("everybody who is ranked is qualified, tied or an alternate, and none of them twice")
  func partition() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 2...60, using: &random)
      let points = (0..<count).map { _ in Int.random(in: 0...12, using: &random) }
      let ordered = points.sorted(by: >)
      let rows = Self.rows(ordered.map { value in ordered.filter { $0 > value }.count + 1 })
      let size = Int.random(in: 2...count, using: &random)
      let cut = try Cut(rows, size: size, seed: seed)
      let all = cut.qualified + cut.tied + cut.alternates
      #expect(all.sorted() == rows.map(\.id), "seed \(seed)")
      #expect(cut.qualified.count + cut.tiedPlaces == size, "seed \(seed)")
      #expect(cut.tied.isEmpty || cut.tied.count > cut.tiedPlaces, "seed \(seed)")
    }
  }
}
