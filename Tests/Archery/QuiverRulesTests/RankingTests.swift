import QuiverRules
import Testing

@Suite("Rankings", .timeLimit(.minutes(5)))
struct RankingTests {
  private static func row(
    _ id: Int64, _ total: Int, x: Int = 0, tens: Int = 0, nines: Int = 0, hits: Int = 0,
    golds: Int = 0, ends: Int = 0, _ standing: Ranking.Standing = .ranked
  ) -> Ranking.Contender {
    var counts = [Int](repeating: 0, count: ScoreTally.valueCount)
    counts[10] = tens
    counts[9] = nines
    let tally = ScoreTally(
      total: total, xCount: x, goldCount: golds, arrowCount: hits, endsCompleted: ends,
      counts: counts)
    return Ranking.Contender(id: id, standing: standing, tally: tally)
  }

  private static func ranks(
    _ policy: TiePolicy, inProgress: Bool = false, _ rows: [Ranking.Contender]
  ) -> [Int64: Int] {
    let ranking = Ranking(TiePolicyForm.of(policy, onDay: 20_454), inProgress: inProgress)
    let ranked = ranking.ranked(rows).map { ($0.contender.id, $0.rank) }
    return Dictionary(uniqueKeysWithValues: ranked)
  }

  @Test("(300,10 X)(300,10 X)(260,5) give 1, 1, 3")
  func twoAtTheTop() {
    let ranks = Self.ranks(
      .xFirst,
      [
        Self.row(1, 300, x: 10), Self.row(2, 300, x: 10),
        Self.row(3, 260, x: 5),
      ])
    #expect(ranks == [1: 1, 2: 1, 3: 3])
  }

  @Test("300, 300, 280, 280, 260 give 1, 1, 3, 3, 5")
  func pairs() {
    let ranks = Self.ranks(
      .scoreOnly,
      [300, 300, 280, 280, 260].enumerated().map {
        Self.row(Int64($0.offset), $0.element)
      })
    #expect(ranks == [0: 1, 1: 1, 2: 3, 3: 3, 4: 5])
  }

  @Test("Each policy has its keys, and compares them one after the other")
  func policies() {
    let rows = [
      Self.row(1, 300, x: 5, tens: 8, nines: 1, hits: 40, golds: 9),
      Self.row(2, 300, x: 4, tens: 9, nines: 1, hits: 41, golds: 8),
      Self.row(3, 300, x: 4, tens: 9, nines: 2, hits: 41, golds: 9),
    ]
    let expected: [(TiePolicy, [Int64: Int])] = [
      (.xFirst, [1: 1, 2: 2, 3: 2]), (.waOutdoor2026, [1: 1, 2: 2, 3: 2]),
      (.waOutdoorLegacy, [1: 3, 2: 1, 3: 1]), (.waIndoor, [1: 3, 2: 2, 3: 1]),
      (.imperial, [1: 3, 2: 2, 3: 1]), (.scoreOnly, [1: 1, 2: 1, 3: 1]),
    ]
    for (policy, ranks) in expected { #expect(Self.ranks(policy, rows) == ranks, "\(policy)") }
    #expect(TiePolicyForm.of(.waField, onDay: 0).keys == [.score, .count(6), .count(5)])
    #expect(TiePolicyForm.of(.wa3D, onDay: 0).keys == [.score, .count(11), .count(10)])
  }

  @Test("Ends completed are the last key while in progress, and count for the rank")
  func inProgress() {
    let rows = [Self.row(1, 100, ends: 3), Self.row(2, 100, ends: 4), Self.row(3, 100, ends: 4)]
    #expect(Self.ranks(.xFirst, inProgress: true, rows) == [1: 3, 2: 1, 3: 1])
    #expect(Self.ranks(.xFirst, rows) == [1: 1, 2: 1, 3: 1])
  }

  @Test("The withdrawn, then the disqualified, are listed last and not ranked")
  func unranked() {
    let rows = [
      Self.row(1, 300, .disqualified), Self.row(2, 299, .withdrawn), Self.row(3, 10),
      Self.row(4, 9), Self.row(5, 299, .withdrawn),
    ]
    let ranking = Ranking(TiePolicyForm.of(.xFirst, onDay: 0), inProgress: false)
    let ranked = ranking.ranked(rows)
    #expect(ranked.map(\.contender.id) == [3, 4, 2, 5, 1])
    #expect(ranked.map(\.rank) == [1, 2, 0, 0, 0])
  }

  @Test("Under another policy only the rows that move are told, and why one is above another")
  func moves() {
    let rows = [
      Self.row(1, 300, x: 5, tens: 8), Self.row(2, 300, x: 4, tens: 9), Self.row(3, 290, x: 1),
    ]
    let before = Ranking(TiePolicyForm.of(.xFirst, onDay: 0), inProgress: false)
    let after = Ranking(TiePolicyForm.of(.waIndoor, onDay: 0), inProgress: false)
    let moves = after.moves(rows, from: before)
    #expect(moves.map(\.contender.id) == [2, 1])
    #expect(moves.map(\.rankBefore) == [2, 1] && moves.map(\.rank) == [1, 2])
    #expect(before.moves(rows, from: before).isEmpty)

    let why = before.explain(rows[0], over: rows[1])
    #expect(why.order == -1 && why.key == .x && why.value == 5 && why.otherValue == 4)
    #expect(why.text("Robin", "Marian") == "Robin is above Marian by X: 5 against 4")
    let other = before.explain(rows[1], over: rows[0])
    #expect(other.text("Marian", "Robin") == "Robin is above Marian by X: 5 against 4")
    #expect(before.explain(rows[0], over: rows[0]).order == 0)
    let out = before.explain(Self.row(9, 400, .withdrawn), over: rows[0])
    #expect(out.order == 1 && out.key == nil)
  }

  @Test("An event keeps the form of its policy that held on its day")
  func forms() {
    let forms = TiePolicyForm.all + [TiePolicyForm(.waIndoor, [.score, .x], fromDay: 22_000)]
    #expect(TiePolicyForm.of(.waIndoor, onDay: 21_999, among: forms).keys.count == 3)
    #expect(TiePolicyForm.of(.waIndoor, onDay: 22_000, among: forms).keys == [.score, .x])
    #expect(TiePolicyForm.of(.waOutdoor2026, onDay: 0).keys == [.score, .x, .count(10)])
    #expect(Set(TiePolicyForm.all.map(\.policy)) == Set(TiePolicy.allCases))
    #expect(TiePolicy(name: "wa_indoor") == .waIndoor && TiePolicy(name: "best") == nil)
  }
}
