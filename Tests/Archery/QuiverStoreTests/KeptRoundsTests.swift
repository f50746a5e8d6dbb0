import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Kept rounds", .timeLimit(.minutes(5)))
struct KeptRoundsTests {
  private static let lastTime: Int64 = 1_000

  private struct Question {
    let scope: ComparisonScope
    let span: ShotSpan
    let includesUnfinished: Bool
    let withHandicaps: Bool

    init(_ setups: [BowSetupRecord], using random: inout SeededGenerator) {
      scope = .setup(
        setups[Int.random(in: 0..<setups.count, using: &random)].id,
        version: Int64.random(in: 0...1, using: &random))
      let start = Int64.random(in: -50..<lastTime, using: &random)
      let end = Int64.random(in: start + 1...lastTime + 100, using: &random)
      span = ShotSpan(start: start < 0 ? nil : start, end: end)
      includesUnfinished = Bool.random(using: &random)
      withHandicaps = Bool.random(using: &random)
    }

    var keptScope: KeptRounds.Scope? {
      guard case .setup(let id, let version) = scope else { return nil }
      return KeptRounds.Scope(
        setupID: id, version: version, includesUnfinished: includesUnfinished,
        withHandicaps: withHandicaps)
    }
  }

  private static func shoot(
    _ bench: RoundBench, _ setups: [BowSetupRecord], using random: inout SeededGenerator
  ) throws {
    let format = try bench.format()
    for index in 0..<12 {
      let start = Int64.random(in: 0..<lastTime, using: &random)
      let arrows = (0..<6).map { arrow in
        RoundBench.Arrow(
          arrow / 3, arrow % 3, Int.random(in: 0...10, using: &random),
          at: start + Int64(arrow) * Int64.random(in: 0...3, using: &random),
          x: arrow % 2 == 0 ? Double(arrow) / 10 : nil)
      }
      _ = try bench.round(
        setups[index % setups.count], format, arrows,
        status: Int64.random(in: 2...5, using: &random))
    }
  }

  @Test(
    "Kept rounds and positions are those of the database in any range",
    arguments: TestSeed.seeds(4))
  func equalsDatabase(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try RoundBench()
    let setups = [try bench.setups.setup("A", []), try bench.setups.setup("B", [])]
    try Self.shoot(bench, setups, using: &random)
    let kept = try #require(bench.store.keptComparisons.reading(of: 1))
    var found = 0
    for step in 0..<2_000 {
      let question = Question(setups, using: &random)
      if let scope = question.keptScope, kept.rounds(scope, question.span) != nil { found += 1 }
      for reading in [kept, nil] {
        let rounds = try Self.read(bench, question, reading)
        let again = try Self.read(bench, question, nil)
        #expect(rounds.rounds == again.rounds, "seed \(seed), step \(step): \(question)")
        #expect(rounds.passes == again.passes, "seed \(seed), step \(step): \(question)")
      }
    }
    #expect(found > 20, "seed \(seed)")
  }

  private static func read(
    _ bench: RoundBench, _ question: Question, _ kept: KeptComparisons.Reading?
  ) throws -> (rounds: [ComparedRound], passes: [PlacedPass]) {
    try bench.store.read { (snapshot) throws(StoreError) in
      let rounds = try snapshot.comparedRounds(
        question.scope, question.span, includesUnfinished: question.includesUnfinished,
        withHandicaps: question.withHandicaps, kept: kept)
      let passes = try snapshot.placedShots(
        question.scope, question.span, includesUnfinished: question.includesUnfinished,
        limit: 1_000, kept: kept)
      return (rounds, passes)
    }
  }

  @Test("Rounds of a range are not kept where one of them extends beyond it")
  func cutRounds() throws {
    let bench = try RoundBench()
    let setup = try bench.setups.setup("A", [])
    _ = try bench.round(
      setup, try bench.format(),
      [RoundBench.Arrow(0, 0, 9, at: 100), RoundBench.Arrow(0, 1, 8, at: 200)])
    let kept = try #require(bench.store.keptComparisons.reading(of: 1))
    let scope = KeptRounds.Scope(
      setupID: setup.id, version: 0, includesUnfinished: false, withHandicaps: true)
    for (span, isKept) in [
      (ShotSpan(start: 150, end: 900), false), (ShotSpan(start: nil, end: 200), false),
      (ShotSpan(start: 100, end: 201), true),
    ] {
      _ = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedRounds(
          .setup(setup.id, version: 0), span, includesUnfinished: false, withHandicaps: true,
          kept: kept)
      }
      #expect((kept.rounds(scope, span) != nil) == isKept, "\(span)")
    }
    // The same round, until a range begins after its first arrow or ends with its last one.
    #expect(kept.rounds(scope, ShotSpan(start: nil, end: 5_000)) != nil)
    #expect(kept.rounds(scope, ShotSpan(start: 101, end: 5_000)) == nil)
    #expect(kept.rounds(scope, ShotSpan(start: nil, end: 200)) == nil)
  }

  @Test("Rounds of an event are not found after the event changed, nor once that is forgotten")
  func changedEvents() {
    func commit(_ topic: Int64) -> CommitEffects {
      let effects = CommitEffects()
      effects.record(ObjectChange(kind: .tournament, id: topic, topic: topic, change: .updated))
      return effects
    }
    let events = ChangedEvents()
    events.note(commit(1))
    let before = events.latest
    #expect(events.areUnchanged([1, 2], since: before))
    events.note(commit(2))
    #expect(events.areUnchanged([1, 3], since: before))
    #expect(!events.areUnchanged([1, 2], since: before))
    #expect(events.areUnchanged([1, 2], since: events.latest))
    for topic in Int64(10)..<Int64(11 + StoreLimits.keptEventChanges) { events.note(commit(topic)) }
    #expect(!events.areUnchanged([1], since: before))
    #expect(events.areUnchanged([], since: before))
    #expect(events.areUnchanged([1], since: events.latest))
  }
}
