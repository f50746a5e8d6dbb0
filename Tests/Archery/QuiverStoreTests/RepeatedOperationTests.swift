import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Repeated operations", .timeLimit(.minutes(5)))
struct RepeatedOperationTests {
  /// An arrow of a phone, with a client_id.
  private static func arrow(
    _ line: LeasedLine, _ index: Int, _ text: String = "9", device: String = "phone"
  ) throws -> OperationDraft {
    let id = try line.bench.clientID()
    return try line.bench.operation(line.cards.entry, 0, index, text) { content in
      (content.clientID, content.device) = (id, device)
    }
  }

  private static func apply(
    _ draft: OperationDraft, _ bench: EventBench, as principal: Int64
  ) throws -> ScoringOutcome {
    try bench.perform(try ApplyOperations([.success(draft)], path: "operations"), as: principal)[0]
  }

  @Test("An arrow that was stored is answered as stored when its device has lost the lease")
  func arrowAfterLease() throws {
    let line = try LeasedLine()
    let bench = line.bench
    try line.demand()
    let code = try line.code()
    let phone = try bench.archer("Phone")
    try line.join(code, "phone", as: phone)
    let sent = try Self.arrow(line, 0)
    let stored = try Self.apply(sent, bench, as: phone)
    #expect(stored.verdict == .stored)
    try line.join(code, "tablet", as: bench.organiser, takesOver: true)
    let sequence = try bench.sequence()
    let again = try Self.apply(sent, bench, as: phone)
    #expect(again.verdict == .same && again.operationID == stored.operationID)
    // The event is private, and the phone has no part in it any more.
    #expect(again.arrow == nil)
    let single = try bench.perform(RecordArrows(sent), as: phone)
    #expect(single.verdict == .same && single.arrows.isEmpty && single.tally == ScoreTally())
    #expect(single.turn.kind == .done && single.next == nil)
    // Other content under the same client_id is refused.
    let other = try bench.operation(line.cards.entry, 0, 0, "8") { content in
      (content.clientID, content.device) = (sent.clientID, "phone")
    }
    #expect(try Self.apply(other, bench, as: phone).verdict == .refused)
    #expect(try Self.apply(sent, bench, as: line.cards.judge).verdict == .refused)
    #expect(try bench.sequence() == sequence)
    // What a former device recorded is stored where nothing is.
    #expect(try Self.apply(try Self.arrow(line, 1), bench, as: phone).verdict == .stored)
  }

  @Test("An arrow that was stored is answered as stored when its scorer was dismissed")
  func arrowAfterDismissal() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    let (event, scorer) = (cards.event.head.id, try bench.archer("Alan"))
    try bench.perform(
      try AppointScorer(try bench.code(of: scorer), of: event, participants: [cards.entry]))
    let id = try bench.clientID()
    let sent = try bench.operation(cards.entry, 0, 0, "9") { $0.clientID = id }
    #expect(try Self.apply(sent, bench, as: scorer).verdict == .stored)
    try bench.perform(DismissScorer(scorer, of: event))
    #expect(try Self.apply(sent, bench, as: scorer).verdict == .same)
    try bench.finalise(cards.event)
    #expect(try Self.apply(sent, bench, as: scorer).verdict == .same)
  }

  @Test("An arrow that was stored is answered as stored when its card is confirmed")
  func arrowAfterConfirmation() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    let id = try bench.clientID()
    let sent = try bench.operation(cards.own, 0, 0, "9") { $0.clientID = id }
    #expect(try Self.apply(sent, bench, as: cards.archer).verdict == .stored)
    for (end, arrow) in [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
      try bench.record(cards.own, end, arrow, "9")
    }
    try cards.confirm(cards.own, .archer)
    let revision = UInt64(try cards.card(cards.own).revision)
    try cards.confirm(cards.own, .scorer)
    #expect(try Self.apply(sent, bench, as: cards.archer).verdict == .same)
    // A confirmation is repeated by who made it, also without its role.
    try bench.perform(
      SetOfficial(try bench.code(of: cards.scorer), of: cards.event.head.id, role: .results))
    let confirmed = try cards.confirm(cards.own, .scorer, revision: revision)
    #expect(confirmed.summary?.status == .confirmed)
  }

  @Test("An end of a second card that was stored is answered as stored without a lease")
  func cardAfterLease() throws {
    let line = try LeasedLine()
    let bench = line.bench
    try line.demand()
    let code = try line.code()
    let phone = try bench.archer("Phone")
    try line.join(code, "phone", .second, as: phone)
    let draft = try line.cards.draft(line.cards.entry, 0, "9 9 9") { $0.device = "phone" }
    #expect(try line.cards.apply(draft, as: phone).verdict == .stored)
    try line.join(code, "tablet", .second, as: bench.organiser, takesOver: true)
    let sequence = try bench.sequence()
    let again = try line.cards.apply(draft, as: phone)
    #expect(again.verdict == .same && again.end == nil)
    var other = draft
    other.endIndex = 1
    #expect(try line.cards.apply(other, as: phone).verdict == .refused)
    #expect(try bench.sequence() == sequence)
    try bench.finalise(line.cards.event)
    #expect(try line.cards.apply(draft, as: phone).verdict == .same)
  }

  @Test("An end of a match that was stored is answered as stored, whatever became of the match")
  func matchAfterLease() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let bench = bracket.bench
    let match = try bracket.match(2, 0)
    var places = PlaceMatches.Places()
    (places.firstTarget, places.targetsPerMatch) = (3, 1)
    try bench.perform(try PlaceMatches(.match(match.id), places))
    try bench.perform(DemandLeases(event: match.event, isDemanded: true, makesNewCodes: false))
    let organiser = bench.organiser
    let code = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.targetCodes(
        event: match.event, session: 0, targets: 3...3, principal: organiser)[0].code
    }
    let phone = try bench.archer("Phone")
    try bench.perform(
      try JoinTarget(code: code, .first, device: "phone", takesOver: false), as: phone)
    let sent = try bracket.operation(match.id, .first, 0, [9, 9, 9]) { $0.device = "phone" }
    #expect(try bracket.apply([sent], as: phone)[0].verdict == .stored)
    try bench.perform(
      try JoinTarget(code: code, .first, device: "tablet", takesOver: true))
    let sequence = try bench.sequence()
    let again = try bracket.apply([sent], as: phone)[0]
    #expect(again.verdict == .same && again.match == nil)
    let new = try bracket.operation(match.id, .second, 0, [9, 9, 9]) { $0.device = "phone" }
    #expect(try bench.sequence() == sequence)
    // What it shot before is kept where nothing is.
    #expect(try bracket.apply([new], as: phone)[0].verdict == .stored)
    try bench.perform(try ChangeTournamentState(match.event, .cancel))
    #expect(try bracket.apply([sent], as: phone)[0].verdict == .same)
  }

  @Test("Who holds the lease on the target of a match confirms its card")
  func confirmedByLease() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let bench = bracket.bench
    let match = try bracket.match(2, 0)
    var places = PlaceMatches.Places()
    (places.firstTarget, places.targetsPerMatch) = (3, 1)
    try bench.perform(try PlaceMatches(.match(match.id), places))
    for end in 0..<3 {
      try bracket.apply([
        try bracket.operation(match.id, .first, end, [10, 10, 10]),
        try bracket.operation(match.id, .second, end, [9, 9, 9]),
      ])
    }
    try bench.perform(DemandLeases(event: match.event, isDemanded: true, makesNewCodes: false))
    let organiser = bench.organiser
    let code = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.targetCodes(
        event: match.event, session: 0, targets: 3...3, principal: organiser)[0].code
    }
    let phone = try bench.archer("Phone")
    try bench.perform(
      try JoinTarget(code: code, .first, device: "phone", takesOver: false), as: phone)
    let revision = try bracket.match(2, 0).revision
    let confirm = try ConfirmMatchCard(match.id, .first, revision: revision)
    bench.clock.pass(milliseconds: StoreLimits.leaseMilliseconds + 1)
    #expect(bench.refusal { try bench.perform(confirm, as: phone) }?.code == .permissionDenied)
    try bench.perform(
      try JoinTarget(code: code, .first, device: "phone", takesOver: false), as: phone)
    #expect(try bench.perform(confirm, as: phone).match.confirmations == [.first])
  }

  @Test("In a batch of corrections of a card each operation has a verdict that says why")
  func batch() throws {
    let cards = try CardBench(try EventBench())
    let first = try cards.draft(cards.own, 0, "9 9 9")
    try cards.apply(first)
    let correction = try cards.draft(cards.own, 0, "9 9 8") { draft in
      (draft.replaces, draft.reason) = (first.clientID, "misread")
    }
    let conflict = try cards.draft(cards.own, 0, "9 9 7") { draft in
      (draft.replaces, draft.reason) = (first.clientID, "misread")
    }
    // It depends on the one in conflict, which is not stored.
    let follower = try cards.draft(cards.own, 0, "9 9 6") { draft in
      (draft.replaces, draft.reason) = (conflict.clientID, "misread")
    }
    var bad = try cards.draft(cards.own, 1, "9 9 9")
    bad.invalid = .invalid("operations[3].scored_at_ms", "must not be negative")
    let taken = try cards.draft(cards.own, 0, "9 9 5")
    let last = try cards.draft(cards.own, 1, "9 9 9")
    let outcomes = try cards.bench.perform(
      try ApplyCardOperations([correction, conflict, follower, bad, taken, last]),
      as: cards.scorer)
    #expect(
      outcomes.map(\.verdict) == [.stored, .conflict, .notYet, .refused, .conflict, .stored])
    #expect(
      outcomes.map { $0.refusal?.code } == [
        nil, .aborted, .failedPrecondition, .invalidArgument, .aborted, nil,
      ])
    #expect(outcomes[1].refusal?.field == "operations[1].replaces_client_id")
    #expect(outcomes[2].refusal?.message.contains("has not arrived") == true)
    #expect(outcomes[4].refusal?.message.contains("correct them") == true)
    #expect(outcomes[1].end?.arrows == correction.arrows)
    #expect(try cards.card(cards.own).ends.map(\.arrows.sheetText) == ["9 9 8", "9 9 9"])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("In a batch of corrections of a match each operation has a verdict that says why")
  func matchBatch() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let id = try bracket.match(2, 0).id
    let first = try bracket.operation(id, .first, 0, [9, 9, 9])
    try bracket.apply([first])
    func correction(of other: MatchOperationDraft, _ values: [Int]) throws -> MatchOperationDraft {
      try bracket.operation(id, .first, 0, values) { draft in
        (draft.replaces, draft.reason) = (other.clientID, "misread")
      }
    }
    let stored = try correction(of: first, [9, 9, 8])
    let conflict = try correction(of: first, [9, 9, 7])
    let follower = try correction(of: conflict, [9, 9, 6])
    let last = try bracket.operation(id, .second, 0, [9, 9, 9])
    let outcomes = try bracket.apply([stored, conflict, follower, last])
    #expect(outcomes.map(\.verdict) == [.stored, .conflict, .notYet, .stored])
    #expect(outcomes[1].refusal?.code == .aborted && outcomes[1].match != nil)
    #expect(outcomes[2].refusal?.message.contains("has not arrived") == true)
  }
}
