import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The structure of events in the store", .timeLimit(.minutes(5)))
struct EventStructureTests {
  /// An event of three arrows with a session and entries that have shot; its entries are drawn.
  private struct Structure {
    let bench: EventBench
    let event: Int64
    let category: Int64
    let entries: [EventEntryRecord]

    init(_ bench: EventBench, entryCount: Int, shoots: Bool) throws {
      self.bench = bench
      let event = try bench.event(arrows: 3).head.id
      self.event = event
      var content = EventSessionContent()
      (content.name, content.lastTarget) = ("line", 20)
      let line = try bench.perform(try PutEventSession(0, of: event, revision: 0, content))
      var category = EventCategoryContent()
      category.code = "RM"
      self.category = try bench.perform(
        try PutCategory(category, in: event, format: nil, arrowLimit: 0)
      ).id
      let drafts = try (1...entryCount).map { number in
        var content = EventEntryContent()
        (content.bib, content.club) = ("\(number)", "C\(number % 3)")
        return try ImportEntries.Draft(
          name: "E\(number)", clientID: [], content, categoryCode: "RM", session: line.id,
          path: "")
      }
      var entries: [EventEntryRecord] = []
      for slice in try ImportEntries.slices(of: drafts, to: event) {
        entries += try bench.perform(slice)
      }
      self.entries = entries
      var scope = DrawPlaces.Scope()
      (scope.event, scope.session) = (event, line.id)
      _ = try bench.perform(try DrawPlaces(scope, .random, seed: 7))
      guard shoots else { return }
      try bench.perform(try ChangeTournamentState(event, .start, anyway: true))
      for (index, entry) in entries.enumerated() {
        for arrow in 0..<3 {
          try bench.record(entry.participant, 0, arrow, "\(max(1, 10 - (index + arrow) / 3))")
        }
      }
    }
  }

  private static func rows(_ bench: EventBench) throws -> [String: String] {
    let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    var counts: [String: String] = [:]
    for table in EventRows.tables {
      counts[table] = try connection.value("SELECT count(*) FROM \(table)")
    }
    return counts
  }

  @Test("A deleted event leaves none of its rows, and none of its usage")
  func deletion() throws {
    let bench = try EventBench()
    let before = try Self.rows(bench)
    let structure = try Structure(bench, entryCount: 40, shoots: false)
    let made = try Self.rows(bench)
    #expect(made["event_entry"] == "40" && made["event_category"] == "2")
    try bench.perform(DeleteTournament(structure.event))
    #expect(try Self.rows(bench) == before)
    #expect(try bench.store.verify() == [])
  }

  @Test("A cut of 40 is drawn, shot at random and ranked as the fold of its results")
  func elimination() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let bench = try EventBench()
    let structure = try Structure(bench, entryCount: 40, shoots: true)
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size) = (structure.event, structure.category, 40)
    scope.seed = 3
    let stage = try bench.perform(try CutCategory(scope, .individualSets)).stage.id
    var results: [BracketPlace: BracketResult] = [:]
    while true {
      let bracket = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.bracket(stage: stage)
      }
      let open = bracket.matches.first { match in
        !match.isConfirmed && match.seeds.allSatisfy { $0 != nil }
      }
      guard let match = open else {
        let fold = try EliminationBracket(entrantCount: 40, results: results)
        #expect(bracket.ranks == fold.ranks && fold.ranks.count == 40, "seed \(seed)")
        break
      }
      let winner = MatchSide.allCases.randomElement(using: &random)!
      try shoot(match, winner: winner, bench, &random)
      results[match.place] = try confirm(match.id, bracket.stage, bench)
    }
    #expect(try bench.store.verify() == [])
  }

  /// Sends the ends of a match in any order, some of them twice.
  private func shoot(
    _ match: MatchRecord, winner: MatchSide, _ bench: EventBench, _ random: inout SeededGenerator
  ) throws {
    var drafts: [MatchOperationDraft] = []
    for side in MatchSide.allCases {
      for end in 0..<3 {
        var draft = MatchOperationDraft()
        draft.clientID = try bench.clientID()
        (draft.match, draft.side, draft.index) = (match.id, side, end)
        let low = Int.random(in: 1...8, using: &random)
        let values = side == winner ? [10, 9, 9] : [9, 9, low]
        draft.entry = .end(end, values.map { ArrowScore(value: $0) })
        drafts.append(draft)
      }
    }
    let sent = (drafts + drafts.prefix(2)).shuffled(using: &random)
    for outcome in try bench.perform(try ApplyMatchOperations(sent)) {
      #expect(outcome.verdict == .stored || outcome.verdict == .same)
    }
  }

  private func confirm(
    _ id: Int64, _ stage: EliminationStageRecord, _ bench: EventBench
  ) throws -> BracketResult {
    var match = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.match(id: id)
    }
    let score = match.score(stage.rules)
    #expect(score.isDecided)
    for side in MatchSide.allCases {
      match = try bench.perform(
        try ConfirmMatchCard(id, side, revision: match.revision)
      ).match
    }
    return BracketResult(
      winner: score.winner, setPoints: score.setPoints, totals: score.totals)
  }

  @Test("An end of a match that was shot in the future is kept with the time of its receipt")
  func clocks() throws {
    let bench = try EventBench()
    let structure = try Structure(bench, entryCount: 2, shoots: true)
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size) = (structure.event, structure.category, 2)
    let match = try bench.perform(try CutCategory(scope, .individualSets)).matches[0].id
    let now: Int64 = 1_700_000_000_000
    bench.clock.set(wallMilliseconds: now)
    let times: [(sent: Int64, kept: String)] = [
      (0, "received"), (now - 9_000, "\(now - 9_000)"), (now + 290_000, "\(now + 290_000)"),
      (now + 400_000, "received"), (.max, "received"),
    ]
    for (index, time) in times.enumerated() {
      var draft = MatchOperationDraft()
      draft.clientID = try bench.clientID()
      (draft.match, draft.index, draft.scoredAtMilliseconds) = (match, index, time.sent)
      draft.entry = .end(index, [9, 9, 9].map { ArrowScore(value: $0) })
      _ = try bench.perform(try ApplyMatchOperations([draft]))
    }
    let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let kept = try connection.value(
      """
      SELECT group_concat(iif(scored_at_ms = received_at_ms, 'received', scored_at_ms))
      FROM (SELECT scored_at_ms, received_at_ms FROM match_operation ORDER BY id)
      """)
    #expect(kept == times.map(\.kept).joined(separator: ","))
  }
}
