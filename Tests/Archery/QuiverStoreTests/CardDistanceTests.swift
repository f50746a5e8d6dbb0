import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Confirmations and totals on paper of distances", .timeLimit(.minutes(15)))
struct CardDistanceTests {
  /// A card of two distances of one end of six arrows each.
  private struct Line {
    let event: RoundEvent
    let archer: Int64
    let scorer: Int64
    let judge: Int64
    var bench: EventBench { event.bench }

    init(_ bench: EventBench) throws {
      event = try RoundEvent(in: bench)
      _ = try event.category("R", rounds: 2)
      archer = try event.enter(["Ann"], "R")[0]
      scorer = try bench.archer("Will")
      judge = try bench.archer("Tuck")
      try bench.perform(SetOfficial(try bench.code(of: scorer), of: event.id, role: .scorer))
      try bench.perform(SetOfficial(try bench.code(of: judge), of: event.id, role: .judge))
      try bench.start(event.record)
      try event.end(archer, 0, .six("9"))
    }

    func card() throws -> ComparedCardRecord {
      let id = archer
      return try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedCard(participant: id)
      }
    }

    @discardableResult
    func confirm(_ role: CardRole, _ part: Int) throws -> ComparedCardRecord {
      let revision = UInt64(clamping: try card().revision)
      return try bench.perform(
        try ConfirmScoreCard(
          archer, role, part: part, revision: revision, signature: role == .archer ? [1, 2] : []),
        as: scorer)
    }

    func confirmBoth(_ part: Int) throws {
      try confirm(.archer, part)
      try confirm(.scorer, part)
    }

    /// How a command that must be refused ends; it changes nothing.
    func refusal(_ body: () throws -> some Any) throws -> StoreError? {
      let before = try bench.sequence()
      let found = bench.refusal(body)
      return try bench.sequence() == before ? found : nil
    }

    func paper(_ total: UInt32?, _ part: Int) throws {
      try bench.perform(SetPaperTotal(archer, total: total, part: part), as: judge)
    }

    /// The roles that have confirmed each distance.
    func confirmed() throws -> [Set<CardRole>] {
      try card().parts.map { $0.distance?.confirmations ?? [] }
    }

    func total() throws -> Int { try bench.tally(archer).total }

    /// Corrects the first arrow of an end; an empty text retracts it.
    @discardableResult
    func correct(_ end: Int, _ text: String, as principal: Int64) throws -> ScoringReply {
      let arrow = try #require(try card().arrows.first { $0.slot.endIndex == end })
      return try bench.replace(
        arrow.operationID, of: archer, end, arrow.slot.arrowIndex, text, as: principal)
    }

    func second(_ end: Int, _ text: String) throws -> CardOutcome {
      var draft = CardOperationDraft()
      draft.clientID = try bench.clientID()
      (draft.participant, draft.endIndex) = (archer, end)
      draft.arrows = CardBench.arrows(text)
      return try bench.perform(try ApplyCardOperations([draft]), as: scorer)[0]
    }
  }

  @Test(
    "A distance is confirmed once it has its arrows, and then only a judge changes it",
    arguments: BothEngines.allCases)
  func distance(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try Line(bench)
      let open = try line.refusal { try line.confirm(.archer, 2) }
      #expect(open?.message == "distance 2 is not complete: it has 0 of 6 arrows")
      for part in [-1, 3, Int.max] {
        let unknown = try line.refusal { try line.confirm(.archer, part) }
        #expect(unknown?.code == .invalidArgument && unknown?.field == "part")
      }
      try line.confirmBoth(1)
      #expect(try line.confirmed() == [[.archer, .scorer], []])
      #expect(try line.card().confirmations.map(\.part) == [1, 1])
      #expect(try line.card().summary?.confirmations == [])
      let closed = try line.refusal { try line.correct(0, "8", as: line.scorer) }
      #expect(closed?.message.contains("confirmed the distance") == true)
      let second = try line.second(0, "9 9 9 9 9 9").refusal
      #expect(second?.code == .failedPrecondition)
      // The other distance goes on, and takes nothing back.
      try line.event.end(line.archer, 1, .six("8"))
      try line.correct(1, "7", as: line.scorer)
      #expect(try line.confirmed() == [[.archer, .scorer], []])
      try line.correct(0, "8", as: line.judge)
      #expect(try line.confirmed() == [[.archer, .scorer], []])
      #expect(try line.total() == 53 + 47)
      try line.correct(0, "", as: line.judge)
      #expect(try line.confirmed() == [[], []])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "The lower total on paper counts in each distance by itself, and in the sum",
    arguments: BothEngines.allCases)
  func paper(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try Line(bench)
      let high = try line.refusal { try line.paper(61, 1) }
      #expect(high?.code == .invalidArgument && high?.field == "total")
      try line.paper(50, 1)
      #expect(try line.total() == 54)
      try line.confirmBoth(1)
      #expect(try line.total() == 50)
      #expect(try line.card().parts[0].distance?.deduction.points == 4)
      let late = try line.refusal { try line.paper(49, 1) }
      #expect(late?.code == .failedPrecondition)
      try line.event.end(line.archer, 1, .six("8"))
      // A higher total does not count.
      try line.paper(49, 2)
      try line.confirmBoth(2)
      #expect(try line.total() == 50 + 48)
      // That of the whole card is compared with what counts then.
      try line.paper(97, 0)
      try line.confirmBoth(0)
      #expect(try line.total() == 97)
      #expect(try bench.store.verify() == [])
      try bench.perform(try ReopenScoreCard(line.archer, reason: "again"), as: line.judge)
      #expect(try line.total() == 54 + 48)
      #expect(try line.card().confirmations == [] && line.confirmed() == [[], []])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("The rule set decides between the ends of a confirmed distance, and not of others")
  func decided() throws {
    let line = try Line(try EventBench())
    _ = try line.second(0, "9 9 9 9 9 7")
    try line.event.end(line.archer, 1, .six("8"))
    _ = try line.second(1, "8 8 8 8 8 6")
    try line.confirmBoth(1)
    #expect(try line.card().ends.map(\.state) == [.ruled, .disputed])
    #expect(try line.total() == 52 + 48)
    let reopen = try ReopenScoreCard(line.archer, part: 1, reason: "again")
    let denied = try line.refusal { try line.bench.perform(reopen, as: line.scorer) }
    #expect(denied?.code == .permissionDenied)
    try line.bench.perform(reopen, as: line.judge)
    #expect(try line.card().ends.map(\.state) == [.disputed, .disputed])
    #expect(try line.total() == 54 + 48)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("A change takes the single confirmation of its distance back, and that of the whole card")
  func takenBack() throws {
    let line = try Line(try EventBench())
    try line.event.end(line.archer, 1, .six("8"))
    try line.confirm(.archer, 1)
    try line.confirm(.archer, 2)
    try line.confirm(.archer, 0)
    try line.correct(1, "7", as: line.scorer)
    #expect(try line.confirmed() == [[.archer], []])
    #expect(try line.card().summary?.confirmations == [])
    try line.paper(50, 1)
    #expect(try line.confirmed() == [[], []])
  }

  @Test("Rules about ends, and typed sums, leave a confirmed distance alone")
  func judges() throws {
    let line = try Line(try EventBench())
    try line.confirmBoth(1)
    let rule = try line.refusal {
      try line.bench.perform(
        try ApplyEndRule(line.archer, end: 0, .outOfTime, arrows: [], count: 1, reason: "late"),
        as: line.judge)
    }
    #expect(rule?.message.contains("confirmed distance 1") == true)
    var draft = TypedTotalDraft()
    (draft.participant, draft.part, draft.score) = (line.archer, 1, TypedScore(total: 50))
    let typed = try line.refusal { try line.bench.perform(try SetTypedTotal(draft)) }
    #expect(typed?.message.contains("confirmed distance 1") == true)
    draft.part = 2
    try line.bench.perform(try SetTypedTotal(draft))
    #expect(try line.confirmed() == [[.archer, .scorer], []])
    // A typed distance has no arrows to wait for.
    try line.confirmBoth(2)
    #expect(try line.total() == 54 + 50)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("The signature of a distance is exported to who gave it, and erased with the account")
  func signature() throws {
    let line = try Line(try EventBench())
    try line.confirmBoth(1)
    let scorer = line.scorer
    let cards = try line.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: scorer, pageSize: 500, pageToken: "").items
    }.compactMap { item -> ComparedCardRecord? in
      guard case .comparedCard(let card) = item else { return nil }
      return card
    }
    #expect(cards.map { $0.confirmations.map(\.part) } == [[1, 1]])
    try line.bench.perform(DeleteAccount(confirmation: "Will"), as: line.scorer)
    try line.bench.store.awaitErasure()
    #expect(try line.card().confirmations.map(\.signature) == [nil, nil])
    #expect(try line.bench.store.verify() == [])
  }
}
