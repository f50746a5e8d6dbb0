import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Totals that are typed from papers", .timeLimit(.minutes(15)))
struct TypedTotalTests {
  /// How many events the property is tested with, on each engine; the environment variable
  /// `QUIVER_SEEDS` sets it.
  private static let seedCounts: [BothEngines: UInt64] = [
    .sqlite: TestSeed.count ?? 20, .postgreSQL: min(TestSeed.count ?? 2, 4),
  ]

  @Test(
    "Events of which half is typed agree with an independent recount: standings, cut and results",
    arguments: BothEngines.allCases)
  func recounted(_ engine: BothEngines) throws {
    let first = TestSeed.value
    var typed = 0
    var ties = 0
    for seed in first..<first + (Self.seedCounts[engine] ?? 1) {
      try engine.withBench { bench in
        let mixed = try MixedEvent(in: bench, seed: seed)
        typed += mixed.typedCount
        let rows = mixed.rows
        if Set(rows.values).count < rows.count { ties += 1 }
        try Self.check(mixed, rows, "seed \(seed)")
        #expect(try bench.store.verify() == [], "seed \(seed)")
      }
    }
    #expect(typed > 0 && (engine == .postgreSQL || ties > 0))
  }

  private static func check(
    _ mixed: MixedEvent, _ rows: [Int64: Int], _ name: String
  ) throws {
    let (bench, id) = (mixed.bench, mixed.event.head.id)
    var filter = Snapshot.EntryFilter()
    filter.category = mixed.category
    let category = try bench.store.categoryStandings(
      id, filter, principal: bench.organiser, pageSize: 500, pageToken: "")
    #expect(category.shootingCount == 0)
    for row in category.rows {
      let archer = row.entry.participant
      let tally = row.leaderboard.contender.tally
      #expect(row.rank == rows[archer], "\(name), archer \(archer)")
      #expect(tally.total == mixed.expected[archer]?.total, "\(name), archer \(archer)")
      if let x = mixed.expected[archer]?.x { #expect(tally.xCount == x, "\(name)") }
      if let hits = mixed.expected[archer]?.hits { #expect(tally.hitCount == hits, "\(name)") }
      if let golds = mixed.expected[archer]?.golds { #expect(tally.goldCount == golds, "\(name)") }
    }
    try checkCut(mixed, rows, name)
    try bench.finalise(mixed.event)
    let results = try bench.store.results(
      id, principal: bench.organiser, pageSize: 500, pageToken: "")
    let ranks = Dictionary(
      zip(results.rows.entries.map(\.id), results.rows.ranks), uniquingKeysWith: { $1 })
    #expect(ranks == rows, "\(name)")
    // Pages have the ranks of the whole list.
    let page = try bench.store.results(id, principal: bench.organiser, pageSize: 3, pageToken: "")
    let second = try bench.store.results(
      id, principal: bench.organiser, pageSize: 3, pageToken: page.nextPageToken)
    for (entry, rank) in zip(second.rows.entries, second.rows.ranks) {
      #expect(rows[entry.id] == rank, "\(name)")
    }
    // The same from the history of operations and typed totals.
    let past = try bench.store.standings(
      id, asOf: bench.store.nowMilliseconds, under: nil, principal: bench.organiser,
      pageSize: 500, pageToken: "")
    #expect(
      Dictionary(zip(past.rows.entries.map(\.id), past.rows.ranks), uniquingKeysWith: { $1 })
        == rows, "\(name)")
  }

  /// The cut takes the best four; a tie across it is refused and names everybody of it.
  private static func checkCut(
    _ mixed: MixedEvent, _ rows: [Int64: Int], _ name: String
  ) throws {
    let size = 4
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size) = (mixed.event.head.id, mixed.category, UInt32(size))
    let ordered = rows.values.sorted()
    let tied = rows.filter { $0.value == ordered[size - 1] }.map(\.key)
    let before = rows.values.count { $0 < ordered[size - 1] }
    guard before + tied.count > size else {
      let bracket = try mixed.bench.perform(try CutCategory(scope, .individualSets))
      #expect(
        Set(bracket.entrants.map(\.participant))
          == Set(rows.filter { $0.value <= ordered[size - 1] }.map(\.key)), "\(name)")
      return
    }
    let refusal = mixed.bench.refusal {
      try mixed.bench.perform(try CutCategory(scope, .individualSets))
    }
    #expect(refusal?.message.hasPrefix("\(tied.count) participants") == true, "\(name)")
    // Whatever count is missing, an official decides, and all of them are named.
    let decide = try DecideTie(
      tied.sorted(), of: mixed.category, in: mixed.event.head.id, .shootOff)
    try mixed.bench.perform(decide)
    let bracket = try mixed.bench.perform(try CutCategory(scope, .individualSets))
    let expected =
      rows.filter { $0.value < ordered[size - 1] }.map(\.key)
      + tied.sorted().prefix(size - before)
    #expect(Set(bracket.entrants.map(\.participant)) == Set(expected), "\(name)")
  }

  /// Types a total of a participant of an event of 6 arrows with faces of ten rings.
  private static func type(
    _ cards: CardBench, _ total: Int, hits: Int? = nil, golds: Int? = nil, x: Int? = nil,
    as principal: Int64? = nil, _ change: (inout TypedTotalDraft) -> Void = { _ in }
  ) throws -> TypedTotalRecord {
    var draft = TypedTotalDraft()
    draft.participant = cards.own
    draft.score = TypedScore(total: total, hits: hits, golds: golds, xCount: x)
    change(&draft)
    return try cards.bench.perform(try SetTypedTotal(draft), as: principal ?? cards.judge)
  }

  @Test("Arrows that arrive for a typed part are kept and compared, and never added")
  func compared() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    let record = try Self.type(cards, 50, hits: 6, golds: 1, x: 1) { $0.paper = "Target 3, A" }
    #expect(record.typedBy == cards.judge && record.paper == "Target 3, A")
    #expect(try cards.bench.tally(cards.own).total == 50)
    #expect(try cards.bench.tally(cards.own).arrowCount == 6)
    func part() throws -> CardPart { try #require(try cards.card(cards.own).parts.first) }
    #expect(try part().arrows.total == 27 && part().typed?.score.total == 50 && !part().differs)
    // The round counts as shot, and arrows in its empty slots are stored.
    #expect(try cards.bench.record(cards.own, 1, 0, "10").verdict == .stored)
    try cards.bench.record(cards.own, 1, 1, "9")
    try cards.bench.record(cards.own, 1, 2, "3")
    #expect(try cards.bench.tally(cards.own).total == 50)
    #expect(try part().arrows.total == 49 && part().differs)
    #expect(try cards.bench.participant(cards.own)?.nextEnd == 2)
    #expect(try cards.bench.store.verify() == [])
    // Without it the arrows count again.
    try cards.bench.perform(
      try RemoveTypedTotal(record.id, of: cards.own, reason: "another archer's"), as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 49)
    #expect(try cards.bench.tally(cards.own).missing == [])
    #expect(try cards.bench.participant(cards.own)?.typedPasses == [])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A correction names the total before and has a reason; the history keeps both")
  func corrected() throws {
    let cards = try CardBench(try EventBench())
    let first = try Self.type(cards, 50)
    // The same again is the same.
    let sequence = try cards.bench.sequence()
    #expect(try Self.type(cards, 50) == first)
    #expect(try cards.bench.sequence() == sequence)
    let other = try cards.refusal { try Self.type(cards, 51) }
    #expect(other?.code == .alreadyExists && other?.field == "replaces_id")
    let silent = try cards.refusal { try Self.type(cards, 51) { $0.replaces = first.id } }
    #expect(silent?.code == .invalidArgument && silent?.field == "reason")
    let second = try Self.type(cards, 51) { ($0.replaces, $0.reason) = (first.id, "misread") }
    let late = try cards.refusal {
      try Self.type(cards, 52) { ($0.replaces, $0.reason) = (first.id, "misread") }
    }
    #expect(late?.code == .aborted)
    let (own, id) = (cards.own, cards.event.head.id)
    func list(_ withEnded: Bool, as principal: Int64) throws -> [TypedTotalRecord] {
      try cards.bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.typedTotals(
          event: id, participant: own, withEnded: withEnded, principal: principal, pageSize: 0,
          pageToken: "")
      }.items
    }
    #expect(try list(false, as: cards.archer).map(\.id) == [second.id])
    #expect(try list(true, as: cards.judge).map(\.score.total) == [50, 51])
    #expect(try list(true, as: cards.judge)[0].endedAtMilliseconds > 0)
    let outsider = try cards.bench.archer("Guy")
    #expect(cards.bench.refusal { try list(false, as: outsider) } != nil)
    let reasons = try cards.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.all(Query("SELECT reason FROM audit WHERE action = 'card.retype'")) {
        $0.text(0)
      }
    }
    #expect(reasons == ["misread"])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("What cannot be is refused with its field, and changes nothing")
  func refused() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "X 9 9")
    func refusal(
      _ total: Int, hits: Int? = nil, golds: Int? = nil, x: Int? = nil, as principal: Int64? = nil,
      _ change: (inout TypedTotalDraft) -> Void = { _ in }
    ) throws -> StoreError? {
      try cards.refusal {
        try Self.type(cards, total, hits: hits, golds: golds, x: x, as: principal, change)
      }
    }
    #expect(try refusal(61)?.field == "total")
    #expect(try refusal(40, hits: 4, golds: 5)?.field == "golds")
    #expect(try refusal(60, golds: 7)?.field == "golds")
    #expect(try refusal(50) { $0.part = 2 }?.field == "part")
    let now = cards.bench.store.nowMilliseconds
    #expect(try refusal(50) { $0.shotAtMilliseconds = now + 3_600_000 }?.field == "shot_at_ms")
    #expect(try refusal(50) { $0.shotAtMilliseconds = -1 }?.field == "shot_at_ms")
    let below = try refusal(27)
    #expect(below?.field == "total" && below?.message.contains("below the 28 points") == true)
    #expect(try refusal(50, hits: 6, golds: 0)?.field == "golds")
    #expect(try refusal(50, golds: 2, x: 0)?.field == "x_count")
    #expect(try refusal(50) { ($0.replaces, $0.reason) = (7, "none") }?.field == "replaces_id")
    #expect(try refusal(50) { $0.participant = 9_999 }?.code == .notFound)
    #expect(
      try refusal(50) { $0.paper = String(repeating: "p", count: 300) }?.field == "paper")
    for principal in [cards.archer, cards.scorer] {
      #expect(try refusal(50, as: principal)?.code == .permissionDenied)
    }
    #expect(try cards.bench.tally(cards.own).total == 28)
    let typed = try Self.type(cards, 50)
    // A part of what is typed as a whole is none.
    #expect(try refusal(50) { $0.part = 1 }?.field == "part")
    try cards.bench.finalise(cards.event)
    let finished = try refusal(51) { ($0.replaces, $0.reason) = (typed.id, "late") }
    #expect(
      finished?.code == .failedPrecondition && finished?.message.contains("finalised") == true)
    #expect(
      try cards.refusal {
        try cards.bench.perform(try RemoveTypedTotal(typed.id, of: cards.own, reason: "late"))
      }?.code == .failedPrecondition)
  }

  @Test("A card with a typed part is confirmed as it is, and a change takes confirmations back")
  func confirmed() throws {
    let cards = try CardBench(try EventBench())
    let typed = try Self.type(cards, 50)
    let revision = try cards.card(cards.own).revision
    try cards.confirm(cards.own, .archer)
    #expect(try cards.card(cards.own).summary?.confirmations == [.archer])
    _ = try Self.type(cards, 51) { ($0.replaces, $0.reason) = (typed.id, "misread") }
    #expect(try cards.card(cards.own).summary?.confirmations == [])
    let old = try cards.refusal {
      try cards.confirm(cards.own, .archer, revision: UInt64(revision))
    }
    #expect(old?.code == .aborted)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    let closed = try cards.refusal {
      try Self.type(cards, 52) { ($0.replaces, $0.reason) = (1, "x") }
    }
    #expect(closed?.code == .failedPrecondition)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("The rounds of a qualification are typed by distance, and each round adds up its own")
  func rounds() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let archers = try event.enter(["Ann", "Ben"], "R")
    try event.bench.start(event.record)
    var draft = TypedTotalDraft()
    (draft.participant, draft.score) = (archers[0], TypedScore(total: 55, golds: 2, xCount: 1))
    let whole = event.bench.refusal { try event.bench.perform(try SetTypedTotal(draft)) }
    #expect(whole?.field == "part" && whole?.message.contains("2 rounds") == true)
    draft.part = 2
    try event.bench.perform(try SetTypedTotal(draft))
    try event.end(archers[0], 0, .six("9"))
    try event.end(archers[1], 0, .six("10"))
    let rows = try event.standings(category.id)
    #expect(rows.rows.map(\.entry.displayName) == ["Ann", "Ben"] && rows.shootingCount == 1)
    #expect(rows.rows[0].rounds.map(\.total) == [54, 55])
    #expect(rows.rows[0].rounds.map(\.tenCount) == [0, 2])
    #expect(rows.rows[0].rounds.map(\.isTyped) == [false, true])
    #expect(rows.rows[0].leaderboard.isTyped && !rows.rows[1].leaderboard.isTyped)
    let changed = event.bench.refusal { try event.add(to: category) }
    #expect(changed?.message.contains("has a typed total") == true)
    // An end of a typed distance is nobody's turn.
    #expect(try event.bench.participant(archers[0])?.nextEnd == 2)
    #expect(try event.bench.store.verify() == [])
  }

  @Test("Teams with typed parts are marked, and share a rank where a count is missing")
  func teams() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 1)
    let clubs = ["Ace", "Ace", "Ace", "Bow", "Bow", "Bow", "Cup", "Cup", "Cup"]
    let drafts = try clubs.enumerated().map { number, club in
      var content = EventEntryContent()
      content.club = club
      return try ImportEntries.Draft(
        name: "A\(number)", clientID: [], content, categoryCode: "R", session: 0, path: "")
    }
    let archers = try event.bench.perform(
      try ImportEntries.slices(of: drafts, to: event.id)[0]
    ).map(\.participant)
    try event.bench.start(event.record)
    for (number, archer) in archers.enumerated() {
      guard number < 6 else {
        try event.end(archer, 0, .six("8"))
        continue
      }
      var draft = TypedTotalDraft()
      (draft.participant, draft.part) = (archer, 1)
      draft.score = TypedScore(total: 54, hits: 6, golds: 2, xCount: number == 0 ? nil : 1)
      try event.bench.perform(try SetTypedTotal(draft))
    }
    var scope = TeamScope()
    (scope.event, scope.category) = (event.id, category.id)
    let found = try event.bench.store.read { [scope] (snapshot) throws(StoreError) in
      try snapshot.teamStandings(
        scope, try TeamForm(.teamSets, .club), principal: event.bench.organiser)
    }
    #expect(found.rows.map(\.team.group).sorted() == ["Ace", "Bow", "Cup"])
    #expect(found.rows.map(\.team.rank) == [1, 1, 3])
    #expect(found.rows.map(\.team.tally.total) == [162, 162, 144])
    #expect(found.rows.map(\.isTyped) == [true, true, false])
    #expect(found.rows.map { $0.team.missing != nil } == [true, true, false])
  }

  @Test("A round that is typed as a whole is one of the archer's, on the day when it was shot")
  func completed() throws {
    let cards = try CardBench(try EventBench())
    let shotAt = cards.bench.store.nowMilliseconds - 86_400_000
    _ = try Self.type(cards, 57, hits: 6, golds: 4, x: 1) { $0.shotAtMilliseconds = shotAt }
    let (archer, end) = (cards.archer, cards.bench.store.nowMilliseconds + 1)
    let rounds = try cards.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.completedRounds(principal: archer, before: end).rounds
    }
    #expect(rounds.map(\.score) == [57] && rounds.map(\.firstShotAtMilliseconds) == [shotAt])
  }
}
