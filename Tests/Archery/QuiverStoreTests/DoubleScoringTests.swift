import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Double scoring", .timeLimit(.minutes(5)))
struct DoubleScoringTests {
  @Test("Two cards are compared end by end, in whatever order their arrows are")
  func compared() throws {
    let cards = try CardBench(try EventBench())
    #expect(try cards.card(cards.own).summary == nil)
    try cards.first(cards.own, 0, "X 10 9")
    #expect(try cards.second(cards.own, 0, "9 X 10").end?.state == .agreed)
    #expect(try cards.second(cards.own, 1, "9 9 9").end?.state == .waiting)
    try cards.first(cards.own, 1, "9 9 8")
    #expect(try cards.states(cards.own) == [.agreed, .disputed])
    let summary = try #require(try cards.card(cards.own).summary)
    #expect(summary.agreed == 1 && summary.disputed == 1 && summary.ends == 2)
    #expect(summary.status == .provisional)
    // A corrected arrow compares again.
    let wrong = try cards.card(cards.own).arrows[5]
    try cards.bench.replace(wrong.operationID, of: cards.own, 1, 2, "9")
    #expect(try cards.states(cards.own) == [.agreed, .agreed])
    #expect(try cards.card(cards.own).summary?.status == .agreed)
    let again = try cards.card(cards.own).arrows[5]
    try cards.bench.replace(again.operationID, of: cards.own, 1, 2, "")
    #expect(try cards.states(cards.own) == [.agreed, .waiting])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A 10 and an X differ")
  func innerTen() {
    func agrees(_ first: String, _ second: String) -> Bool {
      CardComparison.agrees(CardBench.arrows(first), CardBench.arrows(second))
    }
    #expect(!agrees("X 10 9", "10 10 9") && agrees("M 9 X", "X 9 M") && !agrees("9", "9 9"))
    let changes = CardComparison.changes(
      from: CardBench.arrows("9 10 X"), to: CardBench.arrows("X 9 8"))
    #expect(changes == [1: ArrowScore(value: 8)])
  }

  @Test("An operation on a second card is applied once, and another end in its place conflicts")
  func once() throws {
    let cards = try CardBench(try EventBench())
    let draft = try cards.draft(cards.own, 0, "9 9 9")
    #expect(try cards.apply(draft).verdict == .stored)
    let sequence = try cards.bench.sequence()
    #expect(try cards.apply(draft).verdict == .same)
    #expect(try cards.bench.sequence() == sequence)
    var other = draft
    other.endIndex = 1
    let taken = try cards.apply(other)
    #expect(taken.verdict == .refused && taken.refusal?.code == .alreadyExists)
    // The same arrows in another operation are no conflict, and change nothing.
    #expect(try cards.second(cards.own, 0, "9 9 9").verdict == .same)
    let conflict = try cards.second(cards.own, 0, "9 9 8")
    #expect(conflict.verdict == .conflict && conflict.end?.arrows == draft.arrows)
    let silent = try cards.second(cards.own, 0, "9 9 8") { $0.replaces = draft.clientID }
    #expect(silent.refusal?.field == "operations[0].reason")
    let corrected = try cards.second(cards.own, 0, "9 9 8") {
      ($0.replaces, $0.reason) = (draft.clientID, "misread")
    }
    #expect(corrected.verdict == .stored && corrected.end?.arrows.last == ArrowScore(value: 8))
    let emptied = try cards.second(cards.own, 0, "") {
      ($0.replaces, $0.reason) = (corrected.end?.operationClientID ?? [], "another archer's")
    }
    #expect(emptied.verdict == .stored && emptied.end == nil)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("An operation that is not valid, or whose caller does not score, is refused")
  func refused() throws {
    let cards = try CardBench(try EventBench())
    let other = try cards.bench.archer("Gisborne")
    for (participant, end, text, principal, code) in [
      (cards.own, 2, "9 9 9", cards.scorer, StoreError.Code.invalidArgument),
      (cards.own, 0, "9 9", cards.scorer, .invalidArgument),
      (cards.own, 0, "9 9 11", cards.scorer, .invalidArgument),
      (cards.own, 0, "", cards.scorer, .invalidArgument),
      (cards.own, 0, "9 9 9", other, .notFound),
      (99_999, 0, "9 9 9", cards.scorer, .notFound),
    ] {
      let before = try cards.bench.sequence()
      let outcome = try cards.second(participant, end, text, as: principal)
      #expect(outcome.verdict == .refused && outcome.refusal?.code == code, "\(text) \(end)")
      #expect(try cards.bench.sequence() == before)
    }
    // An archer scores its own card, but not another one's.
    #expect(try cards.second(cards.own, 0, "9 9 9", as: cards.archer).verdict == .stored)
    let foreign = try cards.second(cards.entry, 0, "9 9 9", as: cards.archer)
    #expect(foreign.refusal?.code == .permissionDenied)
    try cards.bench.perform(try ChangeTournamentState(cards.event.head.id, .pause))
    #expect(try cards.second(cards.own, 1, "9 9 9").verdict == .notYet)
    try cards.bench.perform(try ChangeTournamentState(cards.event.head.id, .start, anyway: true))
    try cards.bench.finalise(cards.event)
    #expect(try cards.second(cards.own, 1, "9 9 9").refusal?.code == .failedPrecondition)
  }

  @Test("A second card has a limited number of operations")
  func limited() throws {
    let cards = try CardBench(try EventBench())
    try cards.second(cards.own, 0, "9 9 9")
    try cards.bench.store.perform(
      CountCardOperations(StoreLimits.cardOperationsPerParticipant), .of(0))
    let refused = try cards.second(cards.own, 1, "9 9 9")
    #expect(refused.refusal?.code == .resourceExhausted && refused.end == nil)
  }

  @Test("A judge rules once on an end in dispute, with a reason, and the first card follows")
  func ruling() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "X 10 9")
    try cards.first(cards.own, 1, "9 9 9")
    try cards.second(cards.own, 0, "10 10 9")
    func rule(_ end: Int, _ text: String = "10 10 8", as principal: Int64? = nil) throws
      -> ComparedCardRecord
    {
      try cards.bench.perform(
        try RuleOnEnd(cards.own, end: end, arrows: CardBench.arrows(text), reason: "measured"),
        as: principal ?? cards.judge)
    }
    let silent = cards.bench.refusal {
      try RuleOnEnd(cards.own, end: 0, arrows: CardBench.arrows("10 10 8"), reason: " ")
    }
    #expect(silent?.code == .invalidArgument && silent?.field == "reason")
    #expect(try cards.refusal { try rule(0, as: cards.scorer) }?.code == .permissionDenied)
    #expect(try cards.refusal { try rule(1) }?.code == .failedPrecondition)
    #expect(try cards.refusal { try rule(0, "10 10") }?.code == .invalidArgument)
    #expect(try cards.refusal { try rule(7) }?.code == .invalidArgument)
    let ruled = try rule(0)
    #expect(ruled.ends[0].state == .ruled && ruled.ends[0].ruledByName == "Tuck")
    #expect(ruled.ends[0].reason == "measured")
    #expect(ruled.ends[0].arrows == CardBench.arrows("10 10 9"))
    #expect(ruled.arrows.prefix(3).map(\.score).sheetText == "10 10 8")
    #expect(try cards.bench.tally(cards.own).total == 28 + 27)
    let twice = try cards.refusal { try rule(0, "9 9 9") }
    #expect(twice?.code == .failedPrecondition && twice?.message.contains("already") == true)
    // Nobody but a judge changes the end.
    let slot = ruled.arrows[0]
    let late = try cards.refusal {
      try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "9", as: cards.archer)
    }
    #expect(late?.code == .failedPrecondition)
    #expect(
      try cards.second(cards.own, 0, "9 9 9") {
        ($0.replaces, $0.reason) = (ruled.ends[0].operationClientID, "again")
      }.refusal?.code == .failedPrecondition)
    try cards.bench.replace(slot.operationID, of: cards.own, 0, 0, "7", as: cards.judge)
    #expect(try cards.states(cards.own) == [.ruled])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("Disputes of an event are listed page by page")
  func disputes() throws {
    let cards = try CardBench(try EventBench())
    for id in [cards.own, cards.entry] {
      for end in 0..<2 {
        try cards.first(id, end, "9 9 9")
        try cards.second(id, end, "9 9 8")
      }
    }
    let reader = cards.judge
    var (found, token): ([String], String) = ([], "")
    repeat {
      let next = token
      let page = try cards.bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.disputes(
          event: cards.event.head.id, principal: reader, pageSize: 3, pageToken: next)
      }
      found += page.items.map { "\($0.entry.displayName) \($0.index) \($0.second.sheetText)" }
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(found == ["Robin 0 9 9 8", "Robin 1 9 9 8", "Much 0 9 9 8", "Much 1 9 9 8"])
  }
}

private struct CountCardOperations: Command {
  let count: Int64

  private static let set = Query("UPDATE event_card SET operation_count = ?1")

  init(_ count: Int64) { self.count = count }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.set, .integer(count))
  }
}
