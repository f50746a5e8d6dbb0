import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Pauses of the shooting", .timeLimit(.minutes(5)))
struct ShootingPauseTests {
  private func record(_ cards: CardBench) throws -> TournamentRecord {
    let (event, organiser) = (cards.event.head.id, cards.bench.organiser)
    return try cards.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournament(id: event, principal: organiser)
    }
  }

  private func pauses(_ cards: CardBench) throws -> [ShootingPauseRecord] {
    let event = cards.event.head.id
    return try cards.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.pauses(event: event)
    }
  }

  @Test(
    "Arrows, second cards and corrections are entered while the shooting is paused",
    arguments: BothEngines.allCases)
  func scoring(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let event = cards.event.head.id
      let pause = try bench.perform(
        try PauseShooting(event, reason: "lightning"), as: cards.judge)
      #expect(pause.reason == "lightning" && pause.startedByName == "Tuck")
      #expect(pause.startedByRole == .judge && pause.endedAtMilliseconds == nil)
      let paused = try record(cards)
      #expect(paused.pause == pause && !paused.head.isPaused)
      // It is no change of the event's own fields.
      let revision = paused.head.revision
      try cards.first(cards.entry, 0, "9 9 9")
      try cards.second(cards.entry, 0, "9 9 9")
      let slot = try cards.card(cards.entry).arrows[0]
      try bench.replace(slot.operationID, of: cards.entry, 0, 0, "8", as: cards.judge)
      #expect(try bench.tally(cards.entry).total == 26)
      let ended = try bench.perform(ResumeShooting(event))
      #expect(ended.id == pause.id && ended.endedByName == "Sheriff")
      #expect(ended.endedAtMilliseconds ?? 0 >= ended.startedAtMilliseconds)
      let after = try record(cards)
      #expect(after.pause == nil && after.head.revision == revision)
      let second = try bench.perform(try PauseShooting(event, reason: "fog"))
      #expect(try pauses(cards).map(\.id) == [second.id, pause.id])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "Pausing twice, resuming what runs, and pausing what does not run change nothing",
    arguments: BothEngines.allCases)
  func refusals(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let event = cards.event.head.id
      func refusal(_ body: () throws -> some Any) throws -> String? {
        let before = try bench.sequence()
        let error = bench.refusal(body)
        #expect(try bench.sequence() == before)
        return error.map { "\($0.code) \($0.message)" }
      }
      func pause(_ event: Int64, as principal: Int64? = nil) throws -> ShootingPauseRecord {
        try bench.perform(try PauseShooting(event, reason: "lightning"), as: principal)
      }
      #expect(
        try refusal { try bench.perform(ResumeShooting(event)) }
          == "failedPrecondition the shooting is not paused")
      #expect(
        try refusal { try bench.perform(try PauseShooting(event, reason: " ")) }
          == "invalidArgument must not be blank")
      #expect(
        try refusal { try bench.perform(try PauseShooting(event, reason: "a\nb")) }?
          .hasPrefix("invalidArgument must not contain control characters") == true)
      for principal in [cards.archer, cards.scorer] {
        let denied = try refusal { try pause(event, as: principal) }
        #expect(denied?.hasPrefix("permissionDenied") == true)
      }
      let open = try bench.event().head.id
      #expect(
        try refusal { try pause(open) } == "failedPrecondition the event is open; start it first")
      #expect(
        try refusal { try bench.perform(ResumeShooting(open)) }
          == "failedPrecondition the event is open; start it first")
      _ = try pause(event)
      #expect(
        try refusal { try pause(event, as: cards.judge) }
          == "failedPrecondition the shooting is paused already; resume it first")
      // Finalising ends the pause; reopening does not bring it back.
      try bench.finalise(cards.event)
      #expect(try record(cards).pause == nil)
      #expect(try pauses(cards)[0].endedAtMilliseconds != nil)
      #expect(
        try refusal { try pause(event) }
          == "failedPrecondition the event is finalised; reopen it first")
      try bench.perform(try ChangeTournamentState(event, .reopen, reason: "late card"))
      #expect(try record(cards).pause == nil)
      _ = try pause(event)
      try bench.perform(try ChangeTournamentState(event, .cancel))
      #expect(try pauses(cards).allSatisfy { $0.endedAtMilliseconds != nil })
      #expect(
        try refusal { try bench.perform(ResumeShooting(event)) }
          == "failedPrecondition the event was cancelled")
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("A pause is in the audit with its reason, and an event has a limited number of them")
  func audited() throws {
    let cards = try CardBench(try EventBench())
    let (bench, event) = (cards.bench, cards.event.head.id)
    for number in 0..<StoreLimits.pausesPerEvent {
      try bench.perform(try PauseShooting(event, reason: "pause \(number)"), as: cards.judge)
      try bench.perform(ResumeShooting(event))
    }
    let more = bench.refusal {
      try bench.perform(try PauseShooting(event, reason: "more"))
    }
    #expect(more?.code == .resourceExhausted)
    let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let rows = try connection.value(
      """
      SELECT group_concat(line, '; ') FROM (
        SELECT action || ' ' || principal_id || ' ' || reason AS line FROM audit
        WHERE action IN ('event.pause', 'event.resume') ORDER BY sequence LIMIT 3)
      """)
    #expect(
      rows == "event.pause \(cards.judge) pause 0; event.resume \(bench.organiser) ; "
        + "event.pause \(cards.judge) pause 1")
    #expect(try bench.store.verify() == [])
  }

  @Test("The event of a deleted organiser is closed, and its pause ends")
  func closed() throws {
    let cards = try CardBench(try EventBench())
    let (bench, event) = (cards.bench, cards.event.head.id)
    try bench.perform(try PauseShooting(event, reason: "fog"))
    try bench.perform(DeleteAccount(confirmation: "Sheriff"))
    try bench.store.awaitErasure()
    let head = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event)
    }
    #expect(head?.status == .completed && head?.pause == 0)
    let found = try pauses(cards)
    #expect(found.map(\.reason) == [""] && found[0].endedAtMilliseconds != nil)
    #expect(try bench.store.verify() == [])
  }

  @Test("The steps of the day say that the shooting is paused, and what is missing after it")
  func steps() throws {
    let cards = try CardBench(try EventBench())
    let (bench, event) = (cards.bench, cards.event.head.id)
    func missing(_ kind: EventProgress.Kind) throws -> String? {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.progress(event: event, principal: bench.organiser)
      }.steps.first { $0.kind == kind }?.missing
    }
    try bench.perform(try PauseShooting(event, reason: "lightning"))
    #expect(
      try missing(.qualification)
        == "2 entries have not shot all arrows; the shooting is paused: lightning")
    try bench.perform(ResumeShooting(event))
    #expect(try missing(.qualification) == "2 entries have not shot all arrows")
    #expect(try missing(.disputes) == "")
    try cards.first(cards.entry, 0, "9 9 9")
    try cards.second(cards.entry, 0, "9 9 8")
    #expect(try missing(.disputes) == "1 ends on which two cards differ need a ruling")
    #expect(try missing(.cut) == "no category has an elimination")
    #expect(try missing(.lateOperations) == "")
    try bench.finalise(cards.event)
    _ = try bench.record(cards.entry, 1, 0, "9")
    #expect(try missing(.lateOperations) == "1 late operations wait for a decision")
    #expect(try missing(.finalise) == "")
    var scope = CutCategory.Scope()
    (scope.event, scope.size) = (event, 2)
    scope.category = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: event, principal: bench.organiser)[0].id
    }
    try bench.perform(try CutCategory(scope, .individualSets))
    #expect(try missing(.cut) == "")
    #expect(try missing(.matches) == "1 matches are not confirmed")
  }
}
