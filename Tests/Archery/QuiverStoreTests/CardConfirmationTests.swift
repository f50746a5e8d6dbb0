import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Confirmations of score cards", .timeLimit(.minutes(5)))
struct CardConfirmationTests {
  @Test("A card is confirmed by archer and scorer when it is complete, as they have read it")
  func confirmed() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9 9")
    let open = try cards.refusal { try cards.confirm(cards.own, .archer) }
    #expect(open?.code == .failedPrecondition && open?.message.contains("5 of 6") == true)
    try cards.bench.record(cards.own, 1, 2, "9")
    try cards.second(cards.own, 0, "9 9 9")
    let half = try cards.refusal { try cards.confirm(cards.own, .archer) }
    #expect(half?.code == .failedPrecondition && half?.message.contains("1 of 2") == true)
    try cards.second(cards.own, 1, "9 9 9")
    let revision = UInt64(try cards.card(cards.own).revision)
    let old = try cards.refusal {
      try cards.confirm(cards.own, .archer, revision: revision - 1)
    }
    #expect(old?.code == .aborted && old?.field == "revision")
    #expect(try cards.confirm(cards.own, .archer).summary?.confirmations == [.archer])
    let sequence = try cards.bench.sequence()
    try cards.confirm(cards.own, .archer)
    #expect(try cards.bench.sequence() == sequence)
    let record = try cards.confirm(cards.own, .scorer, signature: [1, 2])
    #expect(record.summary?.status == .confirmed)
    #expect(record.confirmations.map(\.displayName) == ["Robin", "Will"])
    #expect(record.confirmations.map(\.signature) == [nil, [1, 2]])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("The scorer is not the archer, and an archer without an account signs")
  func roles() throws {
    let cards = try CardBench(try EventBench())
    for id in [cards.own, cards.entry] {
      try cards.first(id, 0, "9 9 9")
      try cards.first(id, 1, "9 9 9")
    }
    func code(
      _ id: Int64, _ role: CardRole, as principal: Int64, _ signature: [UInt8] = []
    ) throws -> StoreError.Code? {
      try cards.refusal {
        try cards.confirm(id, role, as: principal, signature: signature)
      }?.code
    }
    #expect(try code(cards.own, .scorer, as: cards.archer) == .permissionDenied)
    #expect(try code(cards.entry, .archer, as: cards.archer, [1]) == .permissionDenied)
    #expect(try code(cards.own, .archer, as: cards.scorer) == .invalidArgument)
    #expect(try code(cards.entry, .archer, as: cards.scorer) == .invalidArgument)
    let long = [UInt8](repeating: 1, count: StoreLimits.signatureByteCount + 1)
    #expect(try code(cards.entry, .archer, as: cards.scorer, long) == .invalidArgument)
    try cards.confirm(cards.entry, .archer, as: cards.scorer, signature: Array(long.dropLast()))
    try cards.confirm(cards.entry, .scorer)
    #expect(try cards.card(cards.entry).summary?.status == .confirmed)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("After both confirmations only a judge changes a card, also in a finalised event")
  func closed() throws {
    let cards = try CardBench(try EventBench())
    try cards.confirmed(first: ["9 9 9", "9 9 9"], second: [])
    let slot = try cards.card(cards.own).arrows[0]
    func correct(_ text: String, as principal: Int64) throws -> StoreError? {
      try cards.refusal {
        try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, text, as: principal)
      }
    }
    for principal in [cards.archer, cards.scorer] {
      #expect(try correct("8", as: principal) != nil)
    }
    #expect(try correct("8", as: cards.archer)?.code == .failedPrecondition)
    let record = try cards.refusal { try cards.bench.record(cards.own, 0, 0, "9") }
    #expect(record?.code == .failedPrecondition)
    #expect(record?.message.contains("only a judge") == true)
    #expect(try cards.second(cards.own, 0, "9 9 9").refusal?.code == .failedPrecondition)
    let paper = try cards.refusal {
      try cards.bench.perform(SetPaperTotal(cards.own, total: 50), as: cards.judge)
    }
    #expect(paper?.code == .failedPrecondition)
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "8", as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 53)
    #expect(try cards.card(cards.own).summary?.status == .confirmed)
    try cards.bench.finalise(cards.event)
    #expect(try correct("7", as: cards.archer)?.code == .failedPrecondition)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A change before the second confirmation takes the first one back")
  func takenBack() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9 9 9")
    for change in 0..<3 {
      try cards.confirm(cards.own, .archer)
      let slot = try cards.card(cards.own).arrows[0]
      switch change {
      case 0: try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "8")
      case 1: try cards.bench.perform(SetPaperTotal(cards.own, total: 53), as: cards.judge)
      default: try cards.second(cards.own, 0, "9 9 9")
      }
      #expect(try cards.card(cards.own).summary?.confirmations == [], "change \(change)")
    }
    #expect(try cards.card(cards.own).confirmations == [])
  }

  @Test("A judge who reopens a card, or empties a slot, takes both confirmations back")
  func reopened() throws {
    let cards = try CardBench(try EventBench())
    try cards.confirmed(first: ["9 9 9", "9 9 9"], second: ["9 9 9", "9 9 9"])
    let reopen = try ReopenScoreCard(cards.own, reason: "wrong archer")
    let denied = try cards.refusal { try cards.bench.perform(reopen, as: cards.scorer) }
    #expect(denied?.code == .permissionDenied)
    #expect(cards.bench.refusal { try ReopenScoreCard(cards.own, reason: "") } != nil)
    #expect(try cards.bench.perform(reopen, as: cards.judge).summary?.confirmations == [])
    let slot = try cards.card(cards.own).arrows[0]
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "9", as: cards.archer)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    let last = try cards.card(cards.own).arrows[0]
    try cards.bench.replace(last.operationID, of: cards.own, 0, 0, "", as: cards.judge)
    let summary = try cards.card(cards.own).summary
    #expect(summary?.confirmations == [] && summary?.status == .provisional)
    try cards.bench.record(cards.own, 0, 0, "9", as: cards.archer)
    #expect(try cards.card(cards.own).summary?.status == .agreed)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("Where confirmed cards differ, the lower total counts, and no end stays in dispute")
  func lower() throws {
    let cards = try CardBench(try EventBench())
    try cards.confirmed(first: ["X 10 9", "9 9 9"], second: ["9 9 X", "9 9 9"])
    #expect(try cards.bench.tally(cards.own).total == 28 + 27)
    let record = try cards.card(cards.own)
    #expect(record.arrows.prefix(3).map(\.score).sheetText == "X 9 9")
    #expect(record.ends.map(\.state) == [.ruled, .agreed])
    #expect(record.ends[0].reason == record.rule && record.ends[0].ruledBy == 0)
    #expect(try cards.bench.store.verify() == [])
    // The other way round nothing changes.
    let other = try CardBench(try EventBench())
    try other.confirmed(first: ["9 9 9", "9 9 9"], second: ["10 9 9", "9 9 9"])
    #expect(try other.bench.tally(other.own).total == 54)
    #expect(try other.states(other.own) == [.ruled, .agreed])
    try other.bench.perform(try ReopenScoreCard(other.own, reason: "again"), as: other.judge)
    #expect(try other.states(other.own) == [.disputed, .agreed])
    #expect(try other.bench.store.verify() == [])
  }

  @Test("A lower total on paper counts after both confirmations, until the card is reopened")
  func paper() throws {
    let cards = try CardBench(try EventBench())
    let denied = try cards.refusal {
      try cards.bench.perform(SetPaperTotal(cards.own, total: 50), as: cards.archer)
    }
    #expect(denied?.code == .permissionDenied)
    let large = try cards.refusal {
      try cards.bench.perform(SetPaperTotal(cards.own, total: 61), as: cards.judge)
    }
    #expect(large?.code == .invalidArgument && large?.field == "total")
    try cards.bench.perform(SetPaperTotal(cards.own, total: 50), as: cards.judge)
    try cards.confirmed(first: ["9 9 9", "9 9 9"], second: [])
    #expect(try cards.bench.tally(cards.own).total == 50)
    #expect(try cards.card(cards.own).summary?.deduction.points == 4)
    #expect(try cards.bench.store.verify() == [])
    // A judge's correction keeps the total on paper while that is the lower one.
    var slot = try cards.card(cards.own).arrows[0]
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "8", as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 50)
    slot = try cards.card(cards.own).arrows[0]
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "1", as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 46)
    slot = try cards.card(cards.own).arrows[0]
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "9", as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 50)
    #expect(try cards.bench.store.verify() == [])
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "found"), as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 54)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("The audit has each operation, ruling, confirmation and decision of a card")
  func audited() throws {
    let cards = try CardBench(try EventBench())
    try cards.confirmed(first: ["X 10 9", "9 9 9"], second: ["9 9 X", "9 9 9"])
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    let connection = try Connection(path: cards.bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let actions = try connection.value(
      """
      SELECT group_concat(action, ' ') FROM (SELECT action FROM audit
      WHERE object_id = \(cards.own) AND action LIKE 'card.%' ORDER BY sequence)
      """)
    #expect(
      actions
        == "card.record card.record card.confirm card.confirm card.decide card.restore card.reopen")
    let texts = try connection.value(
      """
      SELECT group_concat(CAST(before AS TEXT) || ' > ' || CAST(after AS TEXT), ', ')
      FROM (SELECT before, after FROM audit WHERE object_id = \(cards.own)
      AND action IN ('card.restore', 'card.reopen') ORDER BY sequence)
      """)
    #expect(texts == "0=X 9 9 > 0=X 10 9, 55 > 56")
  }

  @Test("Erasing an account removes its signatures and the reasons of its rulings")
  func erased() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9 9 9")
    try cards.first(cards.entry, 0, "9 9 9")
    try cards.second(cards.entry, 0, "9 9 8")
    try cards.bench.perform(
      try RuleOnEnd(
        cards.entry, end: 0, arrows: CardBench.arrows("9 9 8"), reason: "GONETEXT"),
      as: cards.judge)
    try cards.confirm(cards.own, .archer, signature: Array("GONETEXT robin".utf8))
    try cards.confirm(cards.own, .scorer, signature: Array("GONETEXT will".utf8))
    #expect(try cards.bench.directory.keeps(["GONETEXT"]) != [])
    for (name, principal) in [
      ("Robin", cards.archer), ("Will", cards.scorer), ("Tuck", cards.judge),
    ] {
      try cards.bench.perform(DeleteAccount(confirmation: name), as: principal)
    }
    try cards.bench.store.awaitErasure()
    #expect(try cards.bench.directory.keeps(["GONETEXT"]) == [])
    let card = try cards.card(cards.own)
    #expect(card.confirmations.map(\.signature) == [nil, nil])
    #expect(card.summary?.status == .confirmed)
    #expect(try cards.states(cards.entry) == [.ruled])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A ruling counts on both cards when the rule set decides between them")
  func rulingBeforeADispute() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9 9 9")
    try cards.second(cards.own, 0, "9 9 1")
    try cards.second(cards.own, 1, "10 9 9")
    try cards.bench.perform(
      try RuleOnEnd(cards.own, end: 0, arrows: CardBench.arrows("9 9 9"), reason: "seen"),
      as: cards.judge)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    // With the ruling the cards have 54 and 55.
    #expect(try cards.bench.participant(cards.own)?.tally.total == 54)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("Reopening a card takes the corrections of the rule set back, and no others")
  func decisionTakenBack() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "X 10 9")
    try cards.first(cards.own, 1, "9 9 9")
    try cards.second(cards.own, 0, "9 8 X")
    try cards.second(cards.own, 1, "9 9 1")
    try cards.bench.perform(
      try RuleOnEnd(cards.own, end: 1, arrows: CardBench.arrows("9 9 8"), reason: "seen"),
      as: cards.judge)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    #expect(try cards.card(cards.own).arrows.map(\.score).sheetText == "X 8 9 9 9 8")
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    // The judge's ruling stays, and so does what the archer had.
    #expect(try cards.card(cards.own).arrows.map(\.score).sheetText == "X 10 9 9 9 8")
    #expect(try cards.states(cards.own) == [.disputed, .ruled])
    #expect(try cards.bench.tally(cards.own).total == 29 + 26)
    #expect(try cards.bench.store.verify() == [])
    // Confirmed once more, a judge corrects an arrow that the rule set had corrected.
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    let arrow = try cards.card(cards.own).arrows[1]
    #expect(arrow.score == ArrowScore(value: 8))
    try cards.bench.replace(arrow.operationID, of: cards.own, 0, 1, "7", as: cards.judge)
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    #expect(try cards.card(cards.own).arrows.map(\.score).sheetText == "X 7 9 9 9 8")
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("What the rule set corrected is taken back after the account of who confirmed was erased")
  func decisionOfErasedScorer() throws {
    let cards = try CardBench(try EventBench())
    try cards.confirmed(first: ["X 10 9", "9 9 9"], second: ["9 9 X", "9 9 9"])
    #expect(try cards.bench.tally(cards.own).total == 55)
    try cards.bench.perform(DeleteAccount(confirmation: "Will"), as: cards.scorer)
    try cards.bench.store.awaitErasure()
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    #expect(try cards.bench.tally(cards.own).total == 56)
    #expect(try cards.states(cards.own) == [.disputed, .agreed])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A deduction counts once, however often the card was reopened")
  func deductedOnce() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    try bench.perform(SetPaperTotal(cards.own, total: 50), as: cards.judge)
    try cards.confirmed(first: ["9 9 9", "9 9 9"], second: ["9 9 8", "9 9 9"])
    for _ in 0..<3 {
      // The rule set takes the lower card, and then the lower total on paper.
      #expect(try bench.tally(cards.own).total == 50)
      #expect(try cards.card(cards.own).summary?.deduction.points == 3)
      bench.clock.pass(milliseconds: 1_000)
      try bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
      #expect(try bench.tally(cards.own).total == 54)
      #expect(try cards.card(cards.own).summary?.deduction.isNone == true)
      #expect(try bench.store.verify() == [])
      bench.clock.pass(milliseconds: 1_000)
      try cards.confirm(cards.own, .archer)
      try cards.confirm(cards.own, .scorer)
      #expect(try bench.store.verify() == [])
    }
    #expect(try bench.standings(cards.event) == ["1 Robin 50 0 0", "2 Much 0 0 0"])
  }

  @Test("A late operation changes the revision of a card when it is admitted, not before")
  func lateRevision() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9 9 9")
    let slot = try cards.card(cards.own).arrows[0]
    try bench.finalise(cards.event)
    let read = UInt64(try cards.card(cards.own).revision)
    #expect(
      try bench.replace(slot.operationID, of: cards.own, 0, 0, "5", as: cards.archer).verdict
        == .late)
    #expect(try cards.card(cards.own).revision == Int64(read))
    let waiting = try bench.late(cards.event)
    #expect(waiting.count == 1)
    try bench.perform(
      try RuleOnOperations(
        tournament: cards.event.head.id, ids: waiting, admits: true, reason: "seen"))
    #expect(try bench.tally(cards.own).total == 50)
    // Who has read the card before confirms another one than there is.
    let stale = try cards.refusal { try cards.confirm(cards.own, .archer, revision: read) }
    #expect(stale?.code == .aborted && stale?.field == "revision")
    try cards.confirm(cards.own, .archer)
    #expect(try bench.store.verify() == [])
  }

  @Test("A late operation that is admitted takes the confirmations of a changed card back")
  func lateAfterConfirmation() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    for id in [cards.own, cards.entry] {
      try cards.first(id, 0, "9 9 9")
      try cards.first(id, 1, "9 9 9")
    }
    let slot = try cards.card(cards.own).arrows[0]
    try bench.finalise(cards.event)
    try bench.replace(slot.operationID, of: cards.own, 0, 0, "5", as: cards.archer)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    let waiting = try bench.late(cards.event)
    try bench.perform(
      try RuleOnOperations(
        tournament: cards.event.head.id, ids: waiting, admits: false, reason: "too late"))
    #expect(try cards.card(cards.own).summary?.status == .confirmed)
    try bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    try bench.replace(slot.operationID, of: cards.own, 0, 0, "6", as: cards.archer)
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    try bench.perform(
      try RuleOnOperations(
        tournament: cards.event.head.id, ids: try bench.late(cards.event), admits: true,
        reason: "seen"))
    let card = try cards.card(cards.own)
    #expect(card.summary?.confirmations == [] && card.confirmations == [])
    #expect(try bench.tally(cards.own).total == 51)
    #expect(try bench.store.verify() == [])
  }

  @Test(
    "The card of an archer who did not finish is confirmed with the arrows that were shot",
    arguments: BothEngines.allCases)
  func retired(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      try cards.first(cards.own, 0, "9 9 9")
      try cards.first(cards.own, 1, "9 9")
      let shooting = try cards.refusal { try cards.confirm(cards.own, .archer) }
      #expect(shooting?.message.contains("5 of 6") == true)
      try bench.perform(SetEntryState(cards.own, .didNotFinish, reason: "ill"), as: cards.judge)
      try cards.confirm(cards.own, .archer)
      let card = try cards.confirm(cards.own, .scorer)
      #expect(card.summary?.status == .confirmed && card.participant.tally.total == 45)
      // Whoever goes on has another card to confirm.
      try bench.perform(SetEntryState(cards.own, .checkedIn, reason: ""), as: cards.judge)
      #expect(try cards.card(cards.own).summary?.confirmations == [])
      try bench.record(cards.own, 1, 2, "9", as: cards.archer)
      try cards.confirm(cards.own, .archer)
      try cards.confirm(cards.own, .scorer)
      // A complete card stays confirmed, whatever is noted of its archer.
      try bench.perform(SetEntryState(cards.own, .didNotFinish, reason: "ill"), as: cards.judge)
      try bench.perform(SetEntryState(cards.own, .checkedIn, reason: ""), as: cards.judge)
      #expect(try cards.card(cards.own).summary?.status == .confirmed)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Both cards of an archer who did not finish have the same ends, and the lower total counts")
  func retiredTwice() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.own, 1, "9")
    try bench.perform(SetEntryState(cards.own, .didNotFinish, reason: "ill"), as: cards.judge)
    try cards.second(cards.own, 1, "9 M M")
    let without = try cards.refusal { try cards.confirm(cards.own, .archer) }
    #expect(without?.code == .failedPrecondition)
    #expect(without?.message == "the second card does not have end 1")
    try cards.second(cards.own, 0, "9 9 8")
    let longer = try cards.refusal { try cards.confirm(cards.own, .archer) }
    #expect(longer?.message == "the first card does not have all arrows of end 2")
    // The judge makes misses of what was not shot.
    try bench.perform(
      try ApplyEndRule(
        cards.own, end: 1, .missedEnds, arrows: [], count: 1, reason: "did not shoot them"),
      as: cards.judge)
    try cards.confirm(cards.own, .archer)
    let card = try cards.confirm(cards.own, .scorer)
    #expect(card.summary?.status == .confirmed && card.participant.tally.total == 26 + 9)
    #expect(try bench.store.verify() == [])
  }
}
