import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

/// Compares events of one to three rounds with a naive model: lists of arrows, which are added up.
@Suite("Qualification rounds and a naive model", .timeLimit(.minutes(10)))
struct RoundModelTests {
  /// An archer of the model. A round has two ends of six arrows.
  private struct Archer {
    let name: String
    let id: Int64
    /// By round, end and arrow; nil: not shot.
    var arrows: [[[ArrowScore?]]]
    var isRanked = true

    var shot: [ArrowScore] { arrows.joined().joined().compactMap { $0 } }
    var ends: Int { arrows.joined().count { !$0.contains(nil) } }

    /// Points, Xs, tens, and the full ends while the event goes on.
    var keys: [Int] {
      [
        shot.reduce(0) { $0 + Int($1.value) }, shot.count(where: \.isX),
        shot.count { $0.value == 10 }, ends,
      ]
    }

    /// A line for each round as the standings have it.
    var rounds: [[Int]] {
      guard arrows.count > 1 else { return [] }
      return arrows.map { round in
        let shot = round.joined().compactMap { $0 }
        return [
          shot.reduce(0) { $0 + Int($1.value) }, shot.count(where: \.isX),
          shot.count { $0.value == 10 }, shot.count,
        ]
      }
    }
  }

  private static let texts = ["X", "10", "9", "9", "8", "5", "M"]

  @Test("Random arrows, late entries, withdrawals and rounds that are added give the same rows")
  func rows() throws {
    for _ in 0..<12 {
      try play(UInt64.random(in: 0 ... .max), in: try EventBench())
    }
  }

  @Test("Random events of several rounds give the same rows on Postgres")
  func postgres() throws {
    let database = try SharedDatabase()
    let bench = try EventBench(in: try database.open())
    for _ in 0..<2 { try play(UInt64.random(in: 0 ... .max), in: bench) }
  }

  private func play(_ seed: UInt64, in bench: EventBench) throws {
    var random = SeededGenerator(seed: seed)
    let event = try RoundEvent(in: bench)
    var category = try event.category("R", rounds: Int.random(in: 1...3, using: &random), ends: 2)
    let lines = try (1...3).map { try event.line(UInt32($0), targets: 9) }
    var archers: [Archer] = []
    func enter(_ count: Int) throws {
      let names = (0..<count).map { "A\(archers.count + $0)" }
      for (name, id) in zip(names, try event.enter(names, "R")) {
        let end: [ArrowScore?] = Array(repeating: nil, count: 6)
        archers.append(
          Archer(
            name: name, id: id,
            arrows: Array(repeating: [end, end], count: category.rounds.count)))
      }
      for line in lines.prefix(category.rounds.count) { try event.draw(line.id) }
    }
    try enter(Int.random(in: 2...8, using: &random))
    try bench.start(event.record)
    for _ in 0..<60 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where archers.count < 12: try enter(1)
      case 1: try withdraw(&archers, event, &random)
      case 2 where category.rounds.count < 3:
        category = try event.add(ends: 2, to: category)
        for index in archers.indices {
          archers[index].arrows.append([Array(repeating: nil, count: 6)])
          archers[index].arrows[category.rounds.count - 1].append(Array(repeating: nil, count: 6))
        }
        if archers.contains(where: \.isRanked) {
          try event.draw(lines[category.rounds.count - 1].id)
        }
      default: try shoot(&archers, event, &random)
      }
    }
    try compare(archers, try event.standings(category.id), seed)
    let findings = event.bench.store.isShared ? [] : try bench.store.verify()
    #expect(findings == [], "seed \(seed)")
  }

  /// Shoots the rest of an end of an archer, in any round.
  private func shoot(
    _ archers: inout [Archer], _ event: RoundEvent, _ random: inout SeededGenerator
  ) throws {
    let index = Int.random(in: 0..<archers.count, using: &random)
    let round = Int.random(in: 0..<archers[index].arrows.count, using: &random)
    let end = Int.random(in: 0..<2, using: &random)
    guard archers[index].isRanked else { return }
    for arrow in 0..<Int.random(in: 1...6, using: &random)
    where archers[index].arrows[round][end][arrow] == nil {
      let text = Self.texts.randomElement(using: &random) ?? "M"
      try event.bench.record(archers[index].id, round * 2 + end, arrow, text)
      archers[index].arrows[round][end][arrow] = ArrowScore(sheet: text)
    }
  }

  private func withdraw(
    _ archers: inout [Archer], _ event: RoundEvent, _ random: inout SeededGenerator
  ) throws {
    let index = Int.random(in: 0..<archers.count, using: &random)
    guard archers[index].isRanked else { return }
    try event.bench.perform(
      try ChangeParticipant(archers[index].id, to: .disqualified, reason: "gone"))
    archers[index].isRanked = false
  }

  private func compare(
    _ archers: [Archer], _ standings: CategoryStandings, _ seed: UInt64
  ) throws {
    let ranked = archers.filter(\.isRanked)
    var expected: [String] = []
    for archer in archers {
      let better = ranked.count { archer.keys.lexicographicallyPrecedes($0.keys) }
      let rank = archer.isRanked ? better + 1 : 0
      expected.append("\(rank) \(archer.name) \(archer.keys.prefix(3)) \(archer.rounds)")
    }
    let found = standings.rows.map { row in
      let tally = row.leaderboard.contender.tally
      let keys = [tally.total, tally.xCount, tally.tenCount]
      let rounds = row.rounds.map { [$0.total, $0.xCount, $0.tenCount, $0.arrowCount] }
      return "\(row.rank) \(row.entry.displayName) \(keys.prefix(3)) \(rounds)"
    }
    #expect(found.sorted() == expected.sorted(), "seed \(seed)")
    let shooting = ranked.count { $0.shot.count < $0.arrows.count * 12 }
    #expect(standings.shootingCount == shooting, "seed \(seed)")
  }
}
