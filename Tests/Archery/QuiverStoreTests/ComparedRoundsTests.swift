import QuiverRules
import Testing

@testable import QuiverStore

@Suite("Compared rounds", .timeLimit(.minutes(5)))
struct ComparedRoundsTests {
  private typealias Arrow = RoundBench.Arrow

  private static func full(_ values: [Int], at start: Int64) -> [Arrow] {
    values.enumerated().map { index, value in
      Arrow(index / 3, index % 3, value, at: start + Int64(index), x: Double(index) / 10)
    }
  }

  @Test("A setup's rounds are folded by pass, with the handicaps of complete rounds")
  func folded() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    let format = try bench.format()
    _ = try bench.round(setup, format, Self.full([10, 9, 8, 9, 9, 7], at: 100))
    _ = try bench.round(setup, format, Self.full([10, 9], at: 500))
    let rounds = try bench.rounds(.setup(setup.id, version: 0))
    #expect(rounds.count == 2 && rounds[0].parts.count == 2 && rounds[1].parts.count == 1)
    let passes = RoundBench.twoPasses.handicapPasses
    #expect(rounds[0].handicap == (try HandicapScheme.handicap(score: 52, passes: passes)))
    #expect(rounds[1].handicap == nil)
    let performance = Performance(rounds)
    #expect(performance.counts.score == 71 && performance.counts.arrows == 8)
    #expect(performance.firstShotAt == 100 && performance.lastShotAt == 501)
    #expect(performance.strata.map(\.diameterCM) == [80, 122])
  }

  @Test("A round that extends beyond the range counts with the arrows inside, and has no handicap")
  func straddling() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    let format = try bench.format()
    _ = try bench.round(setup, format, Self.full([10, 9, 8, 7, 6, 5], at: 100))
    for (span, values) in [
      (ShotSpan(start: 101, end: 1_000), [9, 8, 7, 6, 5]),
      (ShotSpan(start: 103, end: 1_000), [7, 6, 5]), (ShotSpan(start: nil, end: 102), [10, 9]),
      (ShotSpan(start: 102, end: 104), [8, 7]), (ShotSpan(start: 105, end: 106), [5]),
    ] {
      let rounds = try bench.rounds(.setup(setup.id, version: 0), span)
      let performance = Performance(rounds)
      #expect(rounds.count == 1 && rounds[0].handicap == nil, "\(span)")
      #expect(performance.roundCount == 1)
      #expect(performance.counts.score == values.reduce(0, +), "\(span)")
      #expect(performance.counts.arrows == values.count, "\(span)")
    }
    #expect(try bench.rounds(.setup(setup.id, version: 0), ShotSpan(start: 106, end: 900)).isEmpty)
    #expect(try bench.rounds(.setup(setup.id, version: 0), ShotSpan(start: nil, end: 100)).isEmpty)
  }

  @Test("Unfinished rounds count on request, cancelled and planned ones never")
  func statuses() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    let format = try bench.format()
    for status in Int64(1)...5 {
      _ = try bench.round(
        setup, format, [Arrow(0, 0, Int(status), at: status)], status: status)
    }
    let finished = Performance(try bench.rounds(.setup(setup.id, version: 0)))
    #expect(finished.counts.score == 4)
    let all = Performance(
      try bench.rounds(.setup(setup.id, version: 0), includesUnfinished: true))
    #expect(all.counts.score == 9 && all.roundCount == 3)
  }

  @Test("An item has the rounds of all setup versions that had it")
  func items() throws {
    let bench = try RoundBench()
    let riser = try bench.setups.item(.riser)
    let other = try bench.setups.item(.riser)
    let setup = try bench.setups.setup("A", [riser])
    let second = try bench.setups.setup("B", [riser, try bench.setups.item(.weight)])
    let format = try bench.format()
    _ = try bench.round(setup, format, [Arrow(0, 0, 10, at: 1)])
    let changed = try bench.setups.perform(
      AddSetupComponent(.init(.id(other), type: nil, quantity: 1), to: .id(setup.id), revision: 0))
    #expect(changed.version == 2)
    _ = try bench.round(changed, format, [Arrow(0, 0, 9, at: 2)])
    _ = try bench.round(second, format, [Arrow(0, 0, 7, at: 3)])
    #expect(Performance(try bench.rounds(.item(riser))).counts.score == 17)
    #expect(Performance(try bench.rounds(.item(other))).counts.score == 9)
    #expect(Performance(try bench.rounds(.setup(setup.id, version: 0))).counts.score == 19)
    #expect(Performance(try bench.rounds(.setup(setup.id, version: 2))).counts.score == 9)
  }

  @Test("Positions have their faces, with the latest rounds first, up to a limit")
  func positions() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    let format = try bench.format()
    _ = try bench.round(setup, format, Self.full([10, 9, 8, 7], at: 100))
    _ = try bench.round(setup, format, [Arrow(0, 0, 3, at: 900, x: 0.7)])
    let span = ShotSpan(start: nil, end: .max)
    let scope = ComparisonScope.setup(setup.id, version: 0)
    let placed = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.placedShots(scope, span, includesUnfinished: false, limit: 3)
    }
    #expect(placed.map { $0.shots.map(\.value) } == [[3], [7], [10]])
    #expect(placed.map(\.stratum.diameterCM) == [122, 80, 122])
    let numbers = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.arrowsByNumber(scope, span, includesUnfinished: false, limit: 10)
    }
    #expect(numbers.map(\.number) == [1, 2, 3])
    #expect(numbers.map { Performance($0.rounds).counts.score } == [20, 9, 8])
    #expect(numbers.map { $0.points.reduce(0) { $0 + $1.shots.count } } == [3, 1, 1])
    #expect(
      bench.setups.code {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.arrowsByNumber(scope, span, includesUnfinished: false, limit: 4).count
        }
      } == .resourceExhausted)
  }

  @Test("Missing setups and items and those of other principals are not found")
  func unknown() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("", [])
    let riser = try bench.setups.item(.riser)
    func find(_ id: Int64, version: Int64 = 0, _ principal: Int64 = 1) throws -> String {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedSetup(
          .id(id), version: version, principal: principal, path: "setup"
        ).displayName
      }
    }
    #expect(try find(setup.id, version: 1) == "Unnamed setup")
    #expect(bench.setups.code { try find(setup.id, version: 2) } == .notFound)
    #expect(bench.setups.code { try find(setup.id, 2) } == .notFound)
    #expect(bench.setups.code { try find(setup.id + 1) } == .notFound)
    func item(_ id: Int64, _ principal: Int64 = 1) throws -> String {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedItem(.id(id), principal: principal).displayName
      }
    }
    #expect(try item(riser) == "Hoyt Formula")
    #expect(bench.setups.code { try item(riser, 2) } == .notFound)
    #expect(bench.setups.code { try item(riser + 1) } == .notFound)
  }

  @Test("Corrected rollups agree with a complete fold, and verification finds those that do not")
  func verified() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    let format = try bench.format()
    let id = try bench.round(setup, format, Self.full([10, 9, 8, 7, 6, 5], at: 100))
    let round = RolledRound(id: id, setupID: setup.id, setupVersion: 1)
    try bench.setups.perform(
      RoundBench.Correct(
        round: round, format: RoundBench.twoPasses, arrow: Arrow(0, 0, 2, at: 900, x: -0.9)))
    #expect(Performance(try bench.rounds(.setup(setup.id, version: 0))).counts.score == 37)
    func findings() throws -> [String] {
      try bench.store.verify().filter { $0.subject == .rollups }.map(\.message)
    }
    #expect(try findings().isEmpty)
    let damages: [(Query, Query, String)] = [
      (
        Query("UPDATE arrow_rollup SET v2 = v2 + 1 WHERE v2 = 1"),
        Query("UPDATE arrow_rollup SET v2 = v2 - 1 WHERE v2 = 2"), "is not the sum"
      ),
      (
        Query("UPDATE arrow_rollup SET sum_x = sum_x + 0.001"),
        Query("UPDATE arrow_rollup SET sum_x = sum_x - 0.001"), "is not the sum"
      ),
      (
        Query("UPDATE arrow_rollup SET status = 5"), Query("UPDATE arrow_rollup SET status = 4"),
        "another status"
      ),
      (
        Query("UPDATE arrow_rollup SET setup_version = 2"),
        Query("UPDATE arrow_rollup SET setup_version = 1"), "another setup"
      ),
      (
        Query("UPDATE arrow_rollup SET distance = distance + 1"),
        Query("UPDATE arrow_rollup SET distance = distance - 1"), "another pass"
      ),
      (
        Query("UPDATE arrow_rollup SET id = id + 3200"),
        Query("UPDATE arrow_rollup SET id = id - 3200"), "which is gone"
      ),
    ]
    for (damage, repair, words) in damages {
      try bench.setups.perform(RoundBench.Damage(query: damage))
      #expect(try findings().contains { $0.contains(words) }, "\(words)")
      try bench.setups.perform(RoundBench.Damage(query: repair))
      #expect(try findings().isEmpty, "\(words)")
    }
  }
}
