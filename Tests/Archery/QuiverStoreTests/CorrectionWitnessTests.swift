import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Who agrees to corrections of arrows", .timeLimit(.minutes(15)))
struct CorrectionWitnessTests {
  /// A card of two ends of three arrows, of which the archer has shot the first one and an arrow.
  private struct Line {
    let cards: CardBench
    var bench: EventBench { cards.bench }

    init(_ bench: EventBench, _ consent: CorrectionConsent? = nil) throws {
      cards = try CardBench(bench)
      try cards.first(cards.own, 0, "9 9 9")
      try cards.first(cards.own, 1, "8")
      if let consent { try set(consent) }
    }

    func set(_ consent: CorrectionConsent) throws {
      let id = cards.event.head.id
      let head = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: id)
      }
      var change = UpdateTournament.Change()
      change.consent = consent.rawValue
      try bench.perform(
        try UpdateTournament(id, revision: try #require(head).revision, change))
    }

    /// Corrects an arrow, by the archer if nobody else is named; an empty text retracts it.
    @discardableResult
    func correct(
      _ end: Int, _ text: String, witness: Int64 = 0, judge: Int64 = 0, as principal: Int64? = nil
    ) throws -> ScoringReply {
      let arrow = try #require(
        try cards.card(cards.own).arrows.first { $0.slot.endIndex == end })
      return try bench.record(
        cards.own, end, arrow.slot.arrowIndex, text, as: principal ?? cards.archer
      ) { content in
        content.kind = text.isEmpty ? .retract : .correct
        content.replaces = .id(arrow.operationID)
        content.reason = "misread"
        (content.witnessID, content.judgeID) = (witness, judge)
      }
    }

    func refusal(
      _ end: Int, _ text: String, witness: Int64 = 0, judge: Int64 = 0, as principal: Int64? = nil
    ) throws -> StoreError? {
      try cards.refusal {
        try correct(end, text, witness: witness, judge: judge, as: principal)
      }
    }

    /// Those who agreed to operations on the card, as a principal reads their names.
    func agreed(as principal: Int64) throws -> [String] {
      let id = cards.own
      return try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.scorecard(.id(id), principal: principal, withHistory: true).history
          .compactMap(\.witness?.name)
      }
    }
  }

  @Test(
    "Without a setting a correction needs nobody, and who agreed is kept with it",
    arguments: BothEngines.allCases)
  func kept(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try Line(bench)
      let cards = line.cards
      try line.correct(0, "8")
      try line.correct(0, "7", witness: cards.entry)
      try line.correct(0, "", judge: cards.judge)
      try line.correct(0, "6", judge: bench.organiser)
      #expect(try line.agreed(as: cards.archer) == ["Much", "Tuck", "Sheriff"])
      let audit = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.auditTexts(topic: cards.event.head.id)
      }
      #expect(
        audit.suffix(4) == [
          "arrow.correct 0.0=8", "arrow.correct 0.0=7 / witness \(cards.entry)",
          "arrow.retract  / judge \(cards.judge)",
          "arrow.correct 0.1=6 / judge \(bench.organiser)",
        ])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "Where a witness must agree, a full end is corrected with one alone, and other ends freely",
    arguments: BothEngines.allCases)
  func witness(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try Line(bench, .witness)
      let cards = line.cards
      for text in ["8", ""] {
        let refused = try line.refusal(0, text)
        #expect(refused?.code == .failedPrecondition && refused?.field == "operation.witness_id")
        #expect(refused?.message.contains("another archer") == true)
      }
      // The second end has one arrow.
      try line.correct(1, "7")
      try line.correct(1, "")
      try line.correct(0, "8", witness: cards.entry)
      try line.correct(0, "7", judge: cards.judge)
      // Who rules over the cards needs nobody else.
      try line.correct(0, "6", as: cards.judge)
      try line.correct(0, "5", as: bench.organiser)
      #expect(try bench.tally(cards.own).total == 5 + 9 + 9)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Where a judge must agree, nobody else corrects a full end")
  func judge() throws {
    let line = try Line(try EventBench(), .judge)
    let cards = line.cards
    for (witness, judge) in [(0, 0), (cards.entry, 0), (0, cards.judge)]
      as [(Int64, Int64)]
    {
      let refused = try line.refusal(0, "8", witness: witness, judge: judge)
      #expect(refused?.code == .failedPrecondition && refused?.field == "operation.judge_id")
    }
    try line.correct(1, "7")
    try line.correct(0, "8", as: cards.judge)
    try line.set(.nobody)
    try line.correct(0, "7")
    #expect(try line.bench.tally(cards.own).total == 7 + 9 + 9 + 7)
  }

  @Test("Who cannot have agreed is refused by the name of the field, and nothing changes")
  func others() throws {
    let line = try Line(try EventBench(), .witness)
    let (cards, bench) = (line.cards, line.bench)
    let elsewhere = try bench.event()
    let other = try bench.join(cards.archer, elsewhere).id
    for (witness, judge, field) in [
      (cards.own, 0, "witness_id"), (other, 0, "witness_id"), (.max, 0, "witness_id"),
      (-1, 0, "witness_id"), (0, cards.scorer, "judge_id"), (0, cards.archer, "judge_id"),
      (0, .max, "judge_id"), (0, .min, "judge_id"), (cards.entry, cards.judge, "judge_id"),
    ] as [(Int64, Int64, String)] {
      let refused = try line.refusal(0, "8", witness: witness, judge: judge)
      #expect(
        refused?.code == .invalidArgument && refused?.field == "operation." + field,
        "\(witness) \(judge)")
    }
    let recorded = try cards.refusal {
      try bench.record(cards.own, 1, 1, "8", as: cards.archer) { $0.witnessID = cards.entry }
    }
    #expect(recorded?.code == .invalidArgument && recorded?.field == "operation.witness_id")
    let unknown = bench.refusal {
      var change = UpdateTournament.Change()
      change.consent = 4
      return try UpdateTournament(cards.event.head.id, revision: 1, change)
    }
    #expect(unknown?.field == "tournament.correction_consent")
  }

  @Test("An organiser who shoots is no witness of its own card")
  func ownCard() throws {
    let line = try Line(try EventBench(), .witness)
    let (cards, bench) = (line.cards, line.bench)
    let organised = try bench.event(arrows: 6)
    let own = try bench.join(bench.organiser, organised).id
    try bench.start(organised)
    let arrow = try #require(try bench.record(own, 0, 0, "9").arrows.first)
    let refused = try cards.refusal {
      try bench.record(own, 0, 0, "8") { content in
        (content.kind, content.replaces) = (.correct, .id(arrow.operationID))
        (content.reason, content.judgeID) = ("misread", bench.organiser)
      }
    }
    #expect(refused?.code == .invalidArgument && refused?.field == "operation.judge_id")
  }

  @Test(
    "A correction of a second card needs who agrees as one of the first card does",
    arguments: BothEngines.allCases)
  func second(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let line = try Line(bench, .witness)
      let cards = line.cards
      try cards.second(cards.own, 0, "9 9 8")
      func corrected(
        _ text: String, witness: Int64 = 0, judge: Int64 = 0, as principal: Int64? = nil
      ) throws -> CardOutcome {
        let head = try #require(try cards.card(cards.own).ends.first)
        return try cards.second(cards.own, 0, text, as: principal) { draft in
          (draft.replaces, draft.reason) = (head.operationClientID, "misread")
          draft.witness = try? CorrectionWitness(participant: witness, judge: judge, path: "")
        }
      }
      let alone = try corrected("9 9 9").refusal
      #expect(alone?.code == .failedPrecondition && alone?.message.contains("agree") == true)
      let own = try corrected("9 9 9", witness: cards.own).refusal
      #expect(own?.code == .invalidArgument)
      let fresh = try cards.second(cards.own, 1, "8 8 8") { draft in
        draft.witness = try? CorrectionWitness(participant: cards.entry, judge: 0, path: "")
      }
      #expect(fresh.refusal?.code == .invalidArgument)
      #expect(try corrected("9 9 9", witness: cards.entry).verdict == .stored)
      #expect(try cards.card(cards.own).ends.map(\.witness?.name) == ["Much"])
      #expect(try corrected("9 9 7", as: cards.judge).verdict == .stored)
      #expect(try cards.card(cards.own).ends.map(\.witness) == [nil])
      try line.set(.judge)
      let scorer = try corrected("9 9 9", witness: cards.entry).refusal
      #expect(scorer?.code == .failedPrecondition)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("The rule set decides between confirmed cards, whoever must agree to corrections")
  func ruleSet() throws {
    for consent in CorrectionConsent.allCases {
      let line = try Line(try EventBench(), consent)
      let cards = line.cards
      for (index, text) in ["8", "8"].enumerated() {
        try line.bench.record(cards.own, 1, index + 1, text)
      }
      try cards.second(cards.own, 0, "9 9 7")
      try cards.second(cards.own, 1, "8 8 8")
      try cards.confirm(cards.own, .archer)
      try cards.confirm(cards.own, .scorer)
      #expect(try line.bench.tally(cards.own).total == 25 + 24, "\(consent)")
    }
  }

  @Test("Who agreed has it in the export, and its name is erased with the account")
  func exported() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    // The card of an entry; the archer and the judge agree to its corrections.
    try cards.first(cards.entry, 0, "9 9 9")
    var arrow = try #require(try cards.card(cards.entry).arrows.first)
    for (text, witness, judge) in [("8", cards.own, 0), ("7", 0, cards.judge)]
      as [(String, Int64, Int64)]
    {
      let replaced = arrow.operationID
      let reply = try bench.record(cards.entry, 0, 0, text, as: cards.scorer) { content in
        (content.kind, content.replaces) = (.correct, .id(replaced))
        (content.reason, content.device) = ("misread", "phone of Will")
        (content.witnessID, content.judgeID) = (witness, judge)
      }
      arrow = try #require(reply.arrows.first)
    }
    try cards.second(cards.entry, 0, "9 9 9")
    let head = try #require(try cards.card(cards.entry).ends.first)
    try cards.second(cards.entry, 0, "7 9 9") { draft in
      (draft.replaces, draft.reason) = (head.operationClientID, "misread")
      draft.witness = try? CorrectionWitness(participant: cards.own, judge: 0, path: "")
    }
    func items(of principal: Int64) throws -> [ExportItem] {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.export(principal: principal, pageSize: 500, pageToken: "").items
      }
    }
    for (principal, name) in [(cards.archer, "Robin"), (cards.judge, "Tuck")] {
      let agreed = try items(of: principal).compactMap { item -> OperationRecord? in
        guard case .ruling(let operation) = item else { return nil }
        return operation
      }
      #expect(agreed.map(\.witness?.name) == [name] && agreed.map(\.reason) == ["misread"])
      #expect(agreed.allSatisfy { $0.device.isEmpty })
    }
    let compared = try items(of: cards.archer).compactMap { item -> ComparedCardRecord? in
      guard case .comparedCard(let card) = item else { return nil }
      return card
    }
    #expect(compared.map { $0.ends.map(\.witness?.name) } == [["Robin"]])
    #expect(compared.allSatisfy { $0.arrows.isEmpty && $0.summary == nil })
    // The organiser, whose entry it is, has the whole card, and no correction twice.
    let own = try items(of: bench.organiser).compactMap { item -> [String?]? in
      switch item {
      case .scorecard(let card): card.history.map(\.witness?.name)
      case .ruling: ["twice"]
      default: nil
      }
    }
    #expect(own.joined().compactMap { $0 } == ["Robin", "Tuck"])
    try bench.perform(DeleteAccount(confirmation: "Robin"), as: cards.archer)
    try bench.perform(DeleteAccount(confirmation: "Tuck"), as: cards.judge)
    try bench.store.awaitErasure()
    let (id, organiser) = (cards.entry, bench.organiser)
    let names = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorecard(.id(id), principal: organiser, withHistory: true).history
        .compactMap(\.witness?.name)
    }
    #expect(names.count == 2 && names.allSatisfy { !["Robin", "Tuck"].contains($0) })
    let ends = try cards.card(cards.entry).ends
    #expect(ends.count == 1 && ends.allSatisfy { $0.witness?.name != "Robin" })
    #expect(try bench.store.verify() == [])
  }

  @Test("Who has no part in an event reads a witness as it shows its archers, and no judge")
  func everybody() throws {
    let bench = try EventBench()
    let line = try Line(bench)
    let cards = line.cards
    try line.correct(0, "8", witness: cards.entry)
    try line.correct(0, "7", judge: cards.judge)
    var change = UpdateTournament.Change()
    (change.isWatchable, change.publicNames) = (true, PublicName.initials.rawValue)
    let id = cards.event.head.id
    let head = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: id)
    }
    try bench.perform(
      try UpdateTournament(id, revision: try #require(head).revision, change))
    let other = try bench.archer("Guy")
    #expect(try line.agreed(as: other) == ["M.", ""])
    #expect(try line.agreed(as: cards.scorer) == ["Much", "Tuck"])
  }

  @Test("An operation that was stored keeps its answer after the event has demanded a witness")
  func repeated() throws {
    let bench = try EventBench()
    let line = try Line(bench)
    let cards = line.cards
    let arrow = try #require(try cards.card(cards.own).arrows.first)
    let id = try bench.clientID()
    func send(as principal: Int64) throws -> ScoringOutcome.Verdict {
      let draft = try bench.operation(cards.own, 0, 0, "8") { content in
        (content.clientID, content.kind) = (id, .correct)
        (content.replaces, content.reason) = (.id(arrow.operationID), "misread")
      }
      return try bench.perform(RecordArrows(draft), as: principal).verdict
    }
    #expect(try send(as: cards.archer) == .stored)
    try line.set(.witness)
    #expect(try send(as: cards.archer) == .same)
    // Another phone may carry it.
    #expect(try send(as: cards.scorer) == .same)
  }
}

extension Snapshot {
  private static let texts = Query(
    "SELECT action, after FROM audit WHERE topic = ?1 ORDER BY sequence")

  /// The rows of the audit of an event.
  fileprivate func auditTexts(topic: Int64) throws(StoreError) -> [String] {
    try all(Self.texts, .integer(topic)) { row in
      "\(row.text(0)) \(String(decoding: row.bytes(1), as: UTF8.self))"
    }
  }
}
