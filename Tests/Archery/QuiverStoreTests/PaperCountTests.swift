import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Counts of cards on paper", .timeLimit(.minutes(15)))
struct PaperCountTests {
  private static func put(
    _ paper: TypedScore?, _ part: Int = 0, on cards: CardBench
  ) throws {
    try cards.bench.perform(SetPaperTotal(cards.own, paper, part: part), as: cards.judge)
  }

  /// The total, hits, tens and X that count.
  private static func sums(_ cards: CardBench) throws -> [Int] {
    let tally = try cards.bench.tally(cards.own)
    #expect(tally.goldCount == tally.tenCount)
    return [tally.total, tally.hitCount, tally.tenCount, tally.xCount]
  }

  /// Corrects an arrow of the first card by the judge.
  private static func correct(_ place: Int, _ text: String, on cards: CardBench) throws {
    let arrow = try cards.card(cards.own).arrows[place]
    try cards.bench.replace(
      arrow.operationID, of: cards.own, arrow.slot.endIndex, arrow.slot.arrowIndex, text,
      as: cards.judge)
  }

  @Test(
    "Each sum on paper is compared once the card has its arrows, and each lower one counts",
    arguments: BothEngines.allCases)
  func whole(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      try cards.first(cards.own, 0, "X 10 9")
      try Self.put(TypedScore(total: 57, hits: 5, golds: 2, xCount: 1), on: cards)
      // So far the card has less than the paper in each sum.
      #expect(try !cards.card(cards.own).differsFromPaper)
      try cards.first(cards.own, 1, "10 9 9")
      #expect(try cards.card(cards.own).differsFromPaper)
      #expect(try Self.sums(cards) == [57, 6, 3, 1])
      try cards.confirm(cards.own, .archer)
      #expect(try Self.sums(cards) == [57, 6, 3, 1])
      try cards.confirm(cards.own, .scorer)
      #expect(try Self.sums(cards) == [57, 5, 2, 1])
      let deduction = try cards.card(cards.own).summary?.deduction
      #expect(deduction == SumDeduction(hits: 1, golds: 1))
      #expect(try bench.standings(cards.event)[0] == "1 Robin 57 1 2")
      #expect(try bench.store.verify() == [])
      // A judge's correction keeps a count on paper while that is the lower one.
      try Self.correct(3, "9", on: cards)
      #expect(try Self.sums(cards) == [56, 5, 2, 1])
      try Self.correct(1, "9", on: cards)
      #expect(try Self.sums(cards) == [55, 5, 1, 1])
      #expect(try bench.store.verify() == [])
      try Self.correct(1, "10", on: cards)
      try Self.correct(3, "10", on: cards)
      #expect(try Self.sums(cards) == [57, 5, 2, 1])
      try bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
      #expect(try Self.sums(cards) == [57, 6, 3, 1])
      // Without counts the total alone is compared.
      try Self.put(TypedScore(total: 57), on: cards)
      #expect(try !cards.card(cards.own).differsFromPaper)
      try cards.confirm(cards.own, .archer)
      try cards.confirm(cards.own, .scorer)
      #expect(try Self.sums(cards) == [57, 6, 3, 1])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Where a paper has none of a count, corrections of such arrows leave no count behind")
  func none() throws {
    let cards = try CardBench(try EventBench())
    try Self.put(TypedScore(total: 57, golds: 0, xCount: 0), on: cards)
    try cards.confirmed(first: ["X 10 9", "10 9 9"], second: [])
    #expect(try Self.sums(cards) == [57, 6, 0, 0])
    for (place, text, total) in [(0, "9", 56), (1, "9", 55), (3, "9", 54), (3, "X", 55)] {
      try Self.correct(place, text, on: cards)
      #expect(try Self.sums(cards) == [total, 6, 0, 0])
      #expect(try cards.bench.store.verify() == [])
    }
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    #expect(try Self.sums(cards) == [55, 6, 1, 1])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test(
    "Counts of a distance are compared by themselves, those of the whole card with what is left",
    arguments: BothEngines.allCases)
  func distances(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench)
      _ = try event.category("R", rounds: 2)
      let archer = try event.enter(["Ann"], "R")[0]
      let scorer = try bench.archer("Will")
      try bench.perform(SetOfficial(try bench.code(of: scorer), of: event.id, role: .scorer))
      try bench.start(event.record)
      func card() throws -> ComparedCardRecord {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.comparedCard(participant: archer)
        }
      }
      func confirm(_ part: Int) throws {
        for role in CardRole.allCases {
          try bench.perform(
            try ConfirmScoreCard(
              archer, role, part: part, revision: UInt64(clamping: try card().revision),
              signature: role == .archer ? [1] : []), as: scorer)
        }
      }
      func sums() throws -> [Int] {
        let tally = try bench.tally(archer)
        return [tally.total, tally.hitCount, tally.tenCount, tally.xCount]
      }
      try event.end(archer, 0, ["X", "10", "10", "9", "9", "9"])
      try bench.perform(
        SetPaperTotal(archer, TypedScore(total: 56, golds: 2, xCount: 1), part: 1))
      #expect(try card().parts.map(\.differsFromPaper) == [true, false])
      try confirm(1)
      #expect(try sums() == [56, 6, 2, 1])
      #expect(try card().parts[0].distance?.deduction == SumDeduction(points: 1, golds: 1))
      // Arrows of the other distance count beside it.
      try event.end(archer, 1, ["X", "X", "10", "9", "9", "M"])
      #expect(try sums() == [104, 11, 5, 3])
      #expect(try bench.store.verify() == [])
      try bench.perform(SetPaperTotal(archer, TypedScore(total: 104, golds: 5, xCount: 2)))
      #expect(try card().differsFromPaper)
      try confirm(0)
      #expect(try sums() == [104, 11, 5, 2])
      #expect(
        try card().summary?.deduction == SumDeduction(points: 1, golds: 1, xCount: 1))
      #expect(try bench.store.verify() == [])
      let past = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedCard(participant: archer)
      }
      #expect(past.participant.tally.xCount == 2)
      try bench.perform(try ReopenScoreCard(archer, reason: "again"))
      #expect(try sums() == [105, 11, 6, 3])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Counts that no card of these arrows has are refused, and a wrong sum is not")
  func refused() throws {
    let cards = try CardBench(try EventBench())
    let cases: [(TypedScore, String)] = [
      (TypedScore(total: 61), "total"), (TypedScore(total: 50, hits: 7), "hits"),
      (TypedScore(total: 50, golds: 7), "golds"), (TypedScore(total: 50, xCount: 7), "x_count"),
      (TypedScore(total: 50, hits: 3, golds: 4), "golds"),
      (TypedScore(total: 50, golds: 1, xCount: 2), "x_count"),
      (TypedScore(total: 50, hits: -1), "hits"),
    ]
    for (paper, field) in cases {
      let refusal = try cards.refusal { try Self.put(paper, on: cards) }
      #expect(refusal?.code == .invalidArgument && refusal?.field == field, "\(paper)")
    }
    // Who added it up was wrong: the lower total counts.
    try Self.put(TypedScore(total: 40, hits: 6, golds: 6), on: cards)
    try cards.confirmed(first: ["10 10 10", "10 10 10"], second: [])
    #expect(try Self.sums(cards) == [40, 6, 6, 0])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("The audit has the counts of a paper, and the decision")
  func audited() throws {
    let cards = try CardBench(try EventBench())
    try Self.put(TypedScore(total: 57, hits: 6, golds: 2), on: cards)
    try cards.confirmed(first: ["X 10 9", "10 9 9"], second: [])
    let connection = try Connection(path: cards.bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let typed = try connection.value(
      "SELECT CAST(after AS TEXT) FROM audit WHERE action = 'card.total'")
    #expect(typed == "57 6 2 ?")
    let decided = try connection.value("SELECT count(*) FROM audit WHERE action = 'card.decide'")
    #expect(decided == "1")
  }
}
