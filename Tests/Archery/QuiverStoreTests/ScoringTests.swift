import QuiverCrypto
import QuiverRules
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct ScoringTests {
  @Test("Arrows are recorded, corrected and retracted, and the totals follow")
  func life() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let first = try bench.record(id, 0, 0, "X")
    #expect(first.verdict == .stored && first.tally.total == 10 && first.tally.xCount == 1)
    #expect(first.turn.kind == .arrow && first.turn.slot.arrowIndex == 1)
    try bench.record(id, 4, 2, "9")
    let made = try #require(first.arrows.first?.operationID)
    let corrected = try bench.replace(made, of: id, 0, 0, "10")
    #expect(corrected.tally.total == 19 && corrected.tally.xCount == 0)
    #expect(corrected.tally.tenCount == 1)
    let head = try #require(corrected.arrows.first?.operationID)
    let emptied = try bench.replace(head, of: id, 0, 0, "")
    #expect(emptied.arrows.first?.isRetracted == true)
    #expect(emptied.tally.total == 9 && emptied.tally.arrowCount == 1)
    let again = try bench.record(id, 0, 0, "M")
    #expect(again.verdict == .stored && again.tally.arrowCount == 2)
    #expect(again.tally.count(of: 0) == 1)
    let card = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorecard(.id(id), principal: bench.organiser, withHistory: true)
    }
    #expect(card.arrows.map(\.score.description) == ["M", "9"])
    #expect(card.history.map(\.kind) == [.record, .record, .correct, .retract, .record])
    #expect(card.round.status == .inProgress)
  }

  @Test("Each kind of conflict has its verdict and changes nothing")
  func conflicts() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let first = try bench.record(id, 0, 0, "9")
    let operation = try #require(first.arrows.first?.operationID)
    let before = try bench.sequence()
    let same = try bench.record(id, 0, 0, "9")
    #expect(same.verdict == .same && same.arrows.first?.operationID == operation)
    let other = bench.refusal { try bench.record(id, 0, 0, "10") }
    #expect(other?.code == .aborted)
    #expect(other?.current?.arrow?.score == ArrowScore(value: 9))
    let early = bench.refusal { try bench.replace(operation + 7, of: id, 0, 0, "8") }
    #expect(early?.code == .failedPrecondition && early?.marker == .notYet)
    #expect(early?.text.hasPrefix("NOT_YET: operation.replaces_id: ") == true)
    let unknown = try bench.clientID()
    let named = bench.refusal {
      try bench.record(id, 0, 0, "8") { content in
        content.kind = .correct
        content.replaces = .clientID(unknown)
        content.reason = "misread"
      }
    }
    #expect(named?.text.hasPrefix("NOT_YET: operation.replaces_client_id: ") == true)
    let elsewhere = bench.refusal { try bench.replace(operation, of: id, 0, 1, "8") }
    #expect(elsewhere?.code == .invalidArgument)
    #expect(try bench.sequence() == before)

    try bench.replace(operation, of: id, 0, 0, "8")
    let stale = bench.refusal { try bench.replace(operation, of: id, 0, 0, "7") }
    #expect(stale?.code == .aborted)
    #expect(stale?.current?.arrow?.score == ArrowScore(value: 8))
    #expect(try bench.tally(id).total == 8)
  }

  @Test("A repeated operation has the verdict SAME, also after later operations")
  func repeated() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let (one, two) = (try bench.clientID(), try bench.clientID())
    try bench.record(id, 0, 0, "9") { $0.clientID = one }
    try bench.record(id, 0, 0, "") { content in
      content.kind = .retract
      content.clientID = two
      content.replaces = .clientID(one)
      content.reason = "not mine"
    }
    let again = try bench.record(id, 0, 0, "9") { $0.clientID = one }
    #expect(again.verdict == .same && again.tally.arrowCount == 0)
    let abused = bench.refusal { try bench.record(id, 0, 1, "9") { $0.clientID = one } }
    #expect(abused?.code == .alreadyExists)
    let random = bench.refusal {
      try bench.record(id, 0, 1, "9") { $0.clientID = [UInt8](repeating: 7, count: 16) }
    }
    #expect(random?.field == "operation.client_id")
    // A record that repeats another by its value stands for it, also when it is corrected.
    let (three, four) = (try bench.clientID(), try bench.clientID())
    try bench.record(id, 1, 0, "9") { $0.clientID = three }
    try bench.record(id, 1, 0, "9") { $0.clientID = four }
    let corrected = try bench.record(id, 1, 0, "X") { content in
      content.kind = .correct
      content.replaces = .clientID(four)
      content.reason = "looked again"
    }
    #expect(corrected.verdict == .stored && corrected.tally.xCount == 1)
  }

  @Test(
    "A value that is not valid fails with the name of its field and stores nothing",
    arguments: BadArrow.all)
  func impossible(_ bad: BadArrow) throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let before = try bench.sequence()
    let refusal = bench.refusal { try bench.record(id, 0, 0, "9", bad.spoil) }
    #expect(refusal?.code == bad.code)
    #expect(refusal?.field == "operation." + bad.field)
    #expect(try bench.sequence() == before)
    #expect(try bench.tally(id) == ScoreTally())
  }

  @Test("A position is scored by geometry, and a different value is stored and flagged")
  func geometry() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let scored = try bench.record(id, 0, 0, "") { content in
      content.x = 0.02
      content.y = -0.03
    }
    let arrow = try #require(scored.arrows.first)
    #expect(arrow.score == ArrowScore(value: 10, isX: true) && !arrow.isFlagged)
    #expect(arrow.input == .target && arrow.position == ArrowPosition(x: 0.02, y: -0.03))
    let argued = try bench.record(id, 0, 1, "8") { content in
      content.x = 0.02
      content.y = 0
    }
    #expect(argued.arrows.first?.isFlagged == true && argued.tally.total == 18)
    let ahead = try bench.record(id, 0, 2, "7") { content in
      content.scoredAtMilliseconds = 1_700_000_000_000 + 5 * 60_000 + 1
    }
    #expect(ahead.arrows.first?.isFlagged == true)
    #expect(ahead.arrows.first?.scoredAtMilliseconds == 1_700_000_000_000)
    let near = try bench.record(id, 1, 0, "7") { content in
      content.scoredAtMilliseconds = 1_700_000_000_000 + 5 * 60_000
    }
    #expect(near.arrows.first?.isFlagged == false)
    #expect(near.arrows.first?.scoredAtMilliseconds == 1_700_000_300_000)
  }

  @Test("An end is recorded completely or not at all, and the reply has the next participant")
  func ends() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let ids = try bench.entries(["Robin", "Marian"], event).map(\.id)
    try bench.start(event)
    func end(_ id: Int64, _ end: Int, _ texts: [String]) throws -> ScoringReply {
      let drafts = try texts.enumerated().map {
        try bench.operation(id, end, $0.offset, $0.element)
      }
      return try bench.perform(try RecordArrows(end: drafts, path: "operations"))
    }
    let first = try end(ids[0], 0, ["X", "10", "9"])
    #expect(first.tally.total == 29 && first.tally.endsCompleted == 1)
    #expect(first.turn.kind == .participant && first.next?.id == ids[1])
    #expect(try end(ids[1], 0, ["9", "9"]).turn.kind == .arrow)
    let before = try bench.sequence()
    let refused = bench.refusal { try end(ids[1], 0, ["9", "9", "12"]) }
    #expect(refused?.code == .invalidArgument)
    let conflicting = bench.refusal { try end(ids[1], 0, ["9", "8", "7"]) }
    #expect(conflicting?.code == .aborted)
    #expect(try bench.sequence() == before && bench.tally(ids[1]).total == 18)
    let last = try end(ids[1], 0, ["9", "9", "7"])
    #expect(last.turn.kind == .end && last.next?.id == ids[0] && last.turn.slot.endIndex == 1)
    for end in 1..<10 {
      for id in ids {
        for arrow in 0..<3 { try bench.record(id, end, arrow, "9") }
      }
    }
    let done = try bench.record(ids[1], 9, 2, "9")
    #expect(done.turn.kind == .done && done.tally.endsCompleted == 10)
  }

  @Test("Verification finds a tally that differs from its arrows")
  func verified() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let ids = try bench.entries(["Robin", "Marian"], event).map(\.id)
    try bench.start(event)
    for id in ids { try bench.record(id, 0, 0, "X") }
    #expect(try bench.store.verify() == [])
    try bench.perform(Falsify(participant: ids[1]))
    let findings = try bench.store.verify()
    #expect(findings.count == 1)
    #expect(findings.first?.description.contains("participant \(ids[1]) has 10") == true)
  }

  /// Writes a total that no arrow has.
  private struct Falsify: Command {
    let participant: Int64
    private static let query = Query("UPDATE participant SET total = 11 WHERE id = ?1")

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(Self.query, .integer(participant))
    }
  }

  @Test("A batch returns a verdict for each operation, and a refusal does not affect others")
  func batch() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let ids = try bench.entries(["Robin", "Marian"], event).map(\.id)
    try bench.start(event)
    let (name, unknown) = (try bench.clientID(), try bench.clientID())
    let drafts: [Result<OperationDraft, StoreError>] = [
      .success(try bench.operation(ids[0], 0, 0, "X") { $0.clientID = name }),
      .success(try bench.operation(ids[0], 0, 0, "X") { $0.clientID = name }),
      .success(try bench.operation(ids[0], 0, 0, "9")),
      .success(try bench.operation(ids[0], 99, 0, "9")),
      .success(try bench.operation(ids[1] + 100, 0, 0, "9")),
      .failure(.invalid("operations[5].value", "must be given")),
      .success(
        try bench.operation(ids[1], 0, 0, "8") { content in
          content.kind = .correct
          content.replaces = .clientID(unknown)
          content.reason = "early"
        }), .success(try bench.operation(ids[1], 0, 0, "8")),
    ]
    let outcomes = try bench.perform(try ApplyOperations(drafts, path: "operations"))
    #expect(
      outcomes.map(\.verdict) == [
        .stored, .same, .conflict, .refused, .refused, .refused, .notYet, .stored,
      ])
    #expect(
      outcomes.map { $0.refusal?.code } == [
        nil, nil, .aborted, .invalidArgument, .notFound, .invalidArgument, .failedPrecondition,
        nil,
      ])
    #expect(try bench.tally(ids[0]).total == 10 && bench.tally(ids[1]).total == 8)
    #expect(
      bench.refusal { try ApplyOperations([], path: "operations") }?.field == "operations")
  }
}

/// An operation that is spoilt, and the field that is blamed.
struct BadArrow: Sendable, CustomTestStringConvertible {
  let field: String
  var code = StoreError.Code.invalidArgument
  let spoil: @Sendable (inout OperationDraft.Content) -> Void
  var testDescription: String { field }

  init(
    _ field: String, _ code: StoreError.Code = .invalidArgument,
    _ spoil: @escaping @Sendable (inout OperationDraft.Content) -> Void
  ) {
    self.field = field
    self.code = code
    self.spoil = spoil
  }

  static let all: [BadArrow] = [
    BadArrow("value") { $0.value = 11 }, BadArrow("value") { $0.value = .max },
    BadArrow("value") { $0.value = nil }, BadArrow("is_x") { $0.isX = true },
    BadArrow("end_index") { $0.endIndex = 10 }, BadArrow("end_index") { $0.endIndex = .max },
    BadArrow("arrow_index") { $0.arrowIndex = 3 }, BadArrow("x") { $0.y = 0 },
    BadArrow("y") { $0.x = 0 },
    BadArrow("x") { content in
      content.x = .nan
      content.y = 0
    },
    BadArrow("y") { content in
      content.x = 0
      content.y = 10.5
    },
    BadArrow("input") { $0.input = 3 }, BadArrow("scored_at_ms") { $0.scoredAtMilliseconds = -1 },
    BadArrow("replaces_id") { $0.replaces = .id(1) },
    BadArrow("replaces_id") { $0.kind = .correct },
    BadArrow("reason") { content in
      content.kind = .correct
      content.replaces = .id(1)
      content.reason = " "
    },
    BadArrow("reason") { content in
      content.kind = .retract
      content.replaces = .id(1)
      content.reason = String(repeating: "r", count: 201)
    },
    BadArrow("device") { $0.device = String(repeating: "d", count: 201) },
    BadArrow("participant_id", .notFound) { $0.participant = .id(999) },
  ]
}
