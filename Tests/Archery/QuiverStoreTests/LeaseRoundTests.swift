import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Leases of one target and one round", .timeLimit(.minutes(5)))
struct LeaseRoundTests {
  /// An archer of two rounds who stands on target 1 in the first one.
  private struct TwoRounds {
    let event: RoundEvent
    let lines: [Int64]
    let archer: Int64
    let phone: Int64

    var bench: EventBench { event.bench }

    init(in bench: EventBench) throws {
      event = try RoundEvent(in: bench)
      _ = try event.category("R", rounds: 2)
      lines = [try event.line(1).id, try event.line(2).id]
      archer = try event.enter(["Ann"], "R", in: lines[0])[0]
      try event.place(archer, lines[0], 1, "A")
      try bench.start(event.record)
      try bench.perform(DemandLeases(event: event.id, isDemanded: true, makesNewCodes: false))
      phone = try bench.archer("Phone")
    }

    func join(_ line: Int64, _ card: LeasedCard = .first) throws {
      let (event, organiser) = (event.id, bench.organiser)
      let code = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.targetCodes(
          event: event, session: line, targets: 1...1, principal: organiser)[0].code
      }
      try bench.perform(
        try JoinTarget(code: code, card, device: "phone", takesOver: false), as: phone)
    }

    func arrow(_ end: Int, _ index: Int, as principal: Int64? = nil) throws -> StoreError? {
      bench.refusal {
        try bench.record(archer, end, index, "9", as: principal ?? phone) { $0.device = "phone" }
      }
    }

    func second(_ end: Int, _ text: String = "9 9 9 9 9 9") throws -> CardOutcome {
      var draft = CardOperationDraft()
      draft.clientID = try bench.clientID()
      (draft.participant, draft.endIndex, draft.device) = (archer, end, "phone")
      draft.arrows = CardBench.arrows(text)
      return try bench.perform(try ApplyCardOperations([draft]), as: phone)[0]
    }
  }

  @Test(
    "A lease permits the round of its target alone, before and after it expires",
    arguments: BothEngines.allCases)
  func otherRounds(engine: BothEngines) throws {
    try engine.withBench { bench in
      let rounds = try TwoRounds(in: bench)
      try rounds.join(rounds.lines[0])
      try rounds.join(rounds.lines[0], .second)
      #expect(try rounds.arrow(0, 0) == nil)
      #expect(try rounds.second(0).verdict == .stored)
      // Round 2 is not drawn: only who scores without a lease does.
      func expectNoOtherRound() throws {
        #expect(try rounds.arrow(1, 0)?.code == .permissionDenied)
        #expect(try rounds.second(1).refusal?.code == .permissionDenied)
      }
      try expectNoOtherRound()
      try bench.perform(ExpireLeases())
      try expectNoOtherRound()
      let late = try rounds.arrow(0, 1)
      #expect(late?.code == .failedPrecondition && late?.marker == .notYet)
      #expect(try rounds.second(0, "9 9 9 9 9 8").verdict == .notYet)
      #expect(try rounds.arrow(1, 0, as: bench.organiser) == nil)
      // Drawn, it is scored by the device that joins there.
      try rounds.event.place(rounds.archer, rounds.lines[1], 1, "A")
      try expectNoOtherRound()
      try rounds.join(rounds.lines[1])
      try rounds.join(rounds.lines[1], .second)
      #expect(try rounds.arrow(1, 1) == nil)
      #expect(try rounds.second(1).verdict == .stored)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "Who holds an expired lease learns to join again, and reads nothing of a private event",
    arguments: BothEngines.allCases)
  func expiredReads(engine: BothEngines) throws {
    try engine.withBench { bench in
      let rounds = try TwoRounds(in: bench)
      try rounds.join(rounds.lines[0], .second)
      #expect(try rounds.second(0).end != nil)
      let conflict = try rounds.second(0, "9 9 9 9 9 8")
      #expect(conflict.verdict == .conflict && conflict.end != nil)
      try bench.perform(ExpireLeases())
      let late = try rounds.second(0, "9 9 9 9 9 8")
      #expect(late.verdict == .notYet && late.end == nil)
      #expect(try rounds.second(1).end == nil)

      let bracket = try BracketBench(2, in: bench)
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
      try bench.perform(
        try JoinTarget(code: code, .first, device: "phone", takesOver: false), as: rounds.phone)
      func apply(_ side: MatchSide) throws -> MatchOutcome {
        let draft = try bracket.operation(match.id, side, 0, [9, 9, 9]) { $0.device = "phone" }
        return try bracket.apply([draft], as: rounds.phone)[0]
      }
      #expect(try apply(.first).match != nil)
      try bench.perform(ExpireLeases())
      let expired = try apply(.second)
      #expect(expired.verdict == .notYet && expired.match == nil && expired.bracket == nil)
    }
  }

  @Test("A confirmation that is repeated under an expired lease is answered without the card")
  func repeatedConfirmation() throws {
    let line = try LeasedLine()
    let (bench, own) = (line.bench, line.cards.own)
    for end in 0..<2 { try line.cards.first(own, end, "9 9 9") }
    try line.demand()
    let phone = try bench.archer("Phone")
    try line.join(try line.code(), "phone", as: phone)
    let first = try line.cards.confirm(own, .scorer, as: phone)
    #expect(first.arrows.count == 6 && first.confirmations.count == 1)
    #expect(try line.cards.confirm(own, .scorer, as: phone) == first)
    try bench.perform(ExpireLeases())
    let again = try line.cards.confirm(own, .scorer, as: phone)
    #expect(again.participant.id == own && again.participant.displayName.isEmpty)
    #expect(again.arrows.isEmpty && again.confirmations.isEmpty && again.summary == nil)
    let new = bench.refusal {
      try line.cards.confirm(line.cards.entry, .scorer, as: phone, revision: 1)
    }
    #expect(new?.code == .permissionDenied)
  }

  @Test(
    "A device that scores by a lease is led through its target", arguments: BothEngines.allCases)
  func turns(engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try LeasedLine(in: bench)
      let (own, entry) = (line.cards.own, line.cards.entry)
      try line.demand()
      let phone = try bench.archer("Phone")
      try line.join(try line.code(), "phone", as: phone)
      func end(_ archer: Int64, _ end: Int) throws -> ScoringReply? {
        var reply: ScoringReply?
        for index in 0..<3 {
          reply = try bench.record(archer, end, index, "9", as: phone) { $0.device = "phone" }
        }
        return reply
      }
      var visited: [Int64] = []
      var (archer, index) = (own, 0)
      for _ in 0..<5 {
        visited.append(archer)
        guard let turn = try end(archer, index)?.turn, turn.kind != .done else { break }
        (archer, index) = (turn.participant, turn.slot.endIndex)
      }
      #expect(visited == [own, entry, own, entry])
    }
  }

  #if DEBUG
    /// Records an arrow, and counts the statements for it.
    private struct CountedArrow: Command {
      let command: RecordArrows

      func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int {
        let before = transaction.snapshot.session.statementCount
        _ = try command.apply(in: transaction)
        return transaction.snapshot.session.statementCount - before
      }
    }

    @Test("The last arrow of a target looks at no session in which its device scores nobody")
    func statements() throws {
      let line = try LeasedLine()
      let (bench, own) = (line.bench, line.cards.own)
      var content = EventSessionContent()
      (content.name, content.lastTarget) = ("other", 2)
      for _ in 0..<60 {
        try bench.perform(try PutEventSession(0, of: line.event, revision: 0, content))
      }
      try line.demand()
      let phone = try bench.archer("Phone")
      try line.join(try line.code(2), "phone", as: phone)
      try bench.perform(
        try PlaceEntry(own, session: line.session, target: 2, letter: "A", swaps: false))
      var counts: [Int] = []
      for (end, index) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let draft = try bench.operation(own, end, index, "9") { $0.device = "phone" }
        counts.append(try bench.perform(CountedArrow(command: RecordArrows(draft)), as: phone))
      }
      #expect(counts.allSatisfy { $0 < 80 }, "\(counts)")
    }
  #endif
}
