import QuiverRules
import Testing

@testable import QuiverStore

@Suite("Steps that are open when an event is started or finalised", .timeLimit(.minutes(5)))
struct OpenStepTests {
  private func change(
    _ bench: EventBench, _ event: Int64, _ step: ChangeTournamentState.Step, anyway: Bool = false,
    reason: String = ""
  ) throws -> TournamentRecord {
    try bench.perform(try ChangeTournamentState(event, step, reason: reason, anyway: anyway))
  }

  /// The steps that a refusal names, which changes nothing.
  private func open(
    _ bench: EventBench, _ event: Int64, _ step: ChangeTournamentState.Step = .finalise
  ) throws -> [EventProgress.Kind] {
    let before = try bench.sequence()
    let refusal = bench.refusal { try change(bench, event, step) }
    #expect(try bench.sequence() == before)
    guard let refusal else { return [] }
    #expect(refusal.code == .failedPrecondition && refusal.field == "anyway")
    guard case .openSteps(let steps) = refusal.current else { return [] }
    #expect(steps.allSatisfy { !$0.isDone && refusal.message.contains($0.missing) })
    return steps.map(\.kind)
  }

  /// The steps that the results of a finalised event name, and so does each of their pages.
  private func results(
    _ bench: EventBench, _ event: Int64
  ) throws -> [EventProgress.Kind] {
    let page = try bench.store.results(
      event, principal: bench.organiser, pageSize: 1, pageToken: "")
    #expect(page.openSteps.allSatisfy { !$0.isDone })
    if !page.nextPageToken.isEmpty {
      let next = try bench.store.results(
        event, principal: bench.organiser, pageSize: 1, pageToken: page.nextPageToken)
      #expect(next.openSteps == page.openSteps)
    }
    return page.openSteps.map(\.kind)
  }

  @Test("An event without participants is started and finalised only anyway")
  func empty() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    #expect(try open(bench, event, .start) == [.entries])
    _ = try change(bench, event, .start, anyway: true)
    // After a pause it goes on as it is.
    _ = try change(bench, event, .pause)
    _ = try change(bench, event, .start)
    #expect(try open(bench, event) == [.entries])
    #expect(try change(bench, event, .finalise, anyway: true).head.status == .completed)
    // It is finalised already.
    #expect(try change(bench, event, .finalise).head.status == .completed)
  }

  @Test("An event with single cards is finalised as before, also if archers have arrows left")
  func single() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let entries = try bench.entries(["Much", "Alan"], event)
    _ = try change(bench, event.head.id, .start)
    try bench.record(entries[0].id, 0, 0, "9")
    #expect(try change(bench, event.head.id, .finalise).head.status == .completed)
    let standings = try bench.store.categoryStandings(
      event.head.id, Snapshot.EntryFilter(), principal: bench.organiser, pageSize: 50,
      pageToken: "")
    #expect(standings.openSteps.map(\.kind) == [.qualification])
    #expect(try results(bench, event.head.id) == [.qualification])
    // Late arrows wait, and results of an event that goes on name nothing: there are none.
    try bench.record(entries[1].id, 0, 0, "9") { $0.reason = "late" }
    #expect(try results(bench, event.head.id) == [.qualification, .lateOperations])
    _ = try change(bench, event.head.id, .reopen, reason: "late arrows")
    #expect(bench.refusal { try results(bench, event.head.id) }?.code == .failedPrecondition)
  }

  @Test(
    "Second cards, disputes and confirmations are open once anybody has one",
    arguments: BothEngines.allCases)
  func cards(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let event = cards.event.head.id
      for participant in [cards.own, cards.entry] {
        try cards.first(participant, 0, "9 9 9")
        try cards.first(participant, 1, "8 8 8")
      }
      try cards.second(cards.own, 0, "9 9 9")
      try cards.second(cards.own, 1, "8 8 7")
      #expect(try open(bench, event) == [.secondCards, .disputes])
      try cards.second(cards.entry, 0, "9 9 9")
      #expect(try open(bench, event) == [.secondCards, .disputes])
      try cards.second(cards.entry, 1, "8 8 8")
      #expect(try open(bench, event) == [.disputes])
      // After both confirmations the rule set decides the dispute.
      try cards.confirm(cards.own, .archer)
      #expect(try open(bench, event) == [.disputes, .confirmations])
      try cards.confirm(cards.own, .scorer)
      #expect(try open(bench, event) == [.confirmations])
      let finalised = try change(bench, event, .finalise, anyway: true)
      #expect(finalised.head.status == .completed)
      let standings = try bench.store.categoryStandings(
        event, Snapshot.EntryFilter(), principal: bench.organiser, pageSize: 50, pageToken: "")
      #expect(standings.openSteps.map(\.kind) == [.confirmations])
      #expect(try results(bench, event) == [.confirmations])
    }
  }

  @Test(
    "A rank that is shared because a paper lacks a count is open until the count or a decision",
    arguments: BothEngines.allCases)
  func typedCounts(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let event = cards.event.head.id
      func type(_ participant: Int64, x: Int?, replaces: Int64 = 0) throws -> Int64 {
        var draft = TypedTotalDraft()
        (draft.participant, draft.replaces) = (participant, replaces)
        draft.score = TypedScore(total: 57, hits: 6, golds: 3, xCount: x)
        if replaces > 0 { draft.reason = "the paper has it" }
        return try bench.perform(try SetTypedTotal(draft), as: cards.judge).id
      }
      func closes() throws -> Bool {
        try change(bench, event, .finalise).head.status == .completed
      }
      let own = try type(cards.own, x: nil)
      #expect(try closes())
      _ = try change(bench, event, .reopen, reason: "another paper")
      let entry = try type(cards.entry, x: 2)
      #expect(try open(bench, event) == [.typedCounts])
      let page = try bench.store.categoryStandings(
        event, Snapshot.EntryFilter(), principal: bench.organiser, pageSize: 50, pageToken: "")
      #expect(page.rows.map(\.rank) == [1, 1] && page.rows.map(\.missing) == [.x, .x])
      let typed = try type(cards.own, x: 1, replaces: own)
      #expect(try closes())
      _ = try change(bench, event, .reopen, reason: "misread")
      _ = try type(cards.own, x: nil, replaces: typed)
      #expect(try open(bench, event) == [.typedCounts])
      let category = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.categories(event: event, principal: bench.organiser)[0].id
      }
      try bench.perform(
        try DecideTie([cards.own, cards.entry], of: category, in: event, .coinToss))
      #expect(try closes())
      #expect(entry > own)
    }
  }

  @Test("Matches that are not confirmed are open, and so are late operations that wait")
  func matches() throws {
    let bench = try EventBench()
    let bracket = try BracketBench(4, in: bench)
    #expect(try open(bench, bracket.event) == [.matches])
    _ = try change(bench, bracket.event, .finalise, anyway: true)
    #expect(try results(bench, bracket.event) == [.matches])
    let participant = bracket.participants[0]
    try bench.record(participant, 0, 0, "1") { $0.reason = "late" }
    _ = try bench.perform(
      try ChangeTournamentState(bracket.event, .reopen, reason: "a match is missing"))
    #expect(try open(bench, bracket.event) == [.matches, .lateOperations])
  }
}
