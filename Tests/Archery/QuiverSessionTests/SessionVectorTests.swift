import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import TestSupport
import Testing

@testable import QuiverSession

/// Cases that another implementation has worked out, and that clients in other languages pass too.
@Suite("The vectors of scoring on a device", .timeLimit(.minutes(5)))
struct SessionVectorTests {
  @Test("Faces have their arrows, and give positions their values")
  func faces() throws {
    let cases = try SessionVectors.cases("faces", of: SessionVectors.FaceCase.self)
    #expect(cases.map(\.number) == TargetFace.allCases.map(\.rawValue))
    for one in cases {
      let face = try #require(TargetFace(rawValue: one.number)).specification
      let x = face.xRing == nil ? [] : [ArrowScore(value: face.topValue, isX: true)]
      let buttons = x + (face.values + [0]).map { ArrowScore(value: $0) }
      #expect(buttons.map(\.description) == one.buttons, "\(one.face)")
      for hit in one.hits {
        let found = face.score(
          x: hit.x, y: hit.y, arrowDiameterMillimetres: hit.arrowMm,
          faceDiameterCentimetres: hit.faceCm)
        #expect(found?.description == hit.arrow, "\(one.face) \(hit)")
      }
    }
  }

  @Test("Formats have their ends and slots")
  func formats() throws {
    let faces = try SessionVectors.faces()
    for one in try SessionVectors.cases("formats", of: SessionVectors.FormatCase.self) {
      let format = one.definition(faces)
      #expect(
        (0..<format.endCount).map { format.end($0)?.arrowCount } == one.endSizes, "\(one.name)")
      #expect(format.end(format.endCount) == nil)
      #expect(format.arrowCount == one.arrowCount && format.maximumScore == one.maximum)
      let slots = (0...one.arrowCount).map { format.slot(ofArrow: $0).map(Self.pair) }
      #expect(slots == one.slots + [nil], "\(one.name)")
    }
  }

  @Test("Cards show the server's arrows with those that wait")
  func cards() throws {
    let faces = try SessionVectors.faces()
    let formats = Dictionary(
      try SessionVectors.cases("formats", of: SessionVectors.FormatCase.self).map {
        ($0.name, $0.definition(faces))
      }
    ) { first, _ in first }
    for (number, one) in try SessionVectors.cases("cards", of: SessionVectors.CardCase.self)
      .enumerated()
    {
      var card = ScoreCard(format: try #require(formats[one.format]))
      for (index, arrow) in one.standing.enumerated() {
        card.take(LocalSlot(try Self.standing(arrow, operation: Int64(index + 1))))
      }
      for (index, operation) in one.waiting.enumerated() {
        card.apply(
          try Self.operation(operation, id: [UInt8(index)]),
          state: try #require(Self.states[operation.state]))
      }
      #expect(Self.slots(card) == one.slots, "case \(number)")
      let ends = card.ends.map {
        SessionVectors.CardCase.End(
          total: $0.total, runningTotal: $0.runningTotal, complete: $0.isComplete)
      }
      #expect(ends == one.ends, "case \(number)")
      #expect(Self.tally(card.tally) == one.tally, "case \(number)")
      #expect(card.firstOpen.map(Self.pair) == one.open, "case \(number)")
      #expect(card.isComplete == (one.open == nil), "case \(number)")
    }
  }

  @Test("Turns go on as the server says")
  func turns() throws {
    let cases = try SessionVectors.cases("turns", of: SessionVectors.TurnCase.self)
    let kinds: [String: ScoringTurn.Kind] = [
      "arrow": .arrow, "participant": .participant, "end": .end, "done": .done,
    ]
    for (number, one) in cases.enumerated() {
      let found = ScoringTurn.after(
        try #require(Int64(one.last.participant)), order: one.last.order,
        endIndex: one.last.end, openInEnd: one.last.open.map(Self.slot),
        among: try one.candidates.map {
          ScoringTurn.Candidate(
            participant: try #require(Int64($0.participant)), open: $0.open.map(Self.slot),
            order: $0.order)
        })
      #expect(found.kind == kinds[one.turn.kind], "case \(number)")
      guard let participant = one.turn.participant else { continue }
      #expect("\(found.participant)" == participant, "case \(number)")
      #expect(Self.pair(found.slot) == one.turn.slot, "case \(number)")
    }
  }

  @Test("Matches have their set points, totals and decision")
  func matches() throws {
    let faces = try SessionVectors.faces()
    let cases = try SessionVectors.cases("matches", of: SessionVectors.MatchCase.self)
    for (number, one) in cases.enumerated() {
      let message = try Self.match(one, face: try #require(faces[one.face]))
      let view = MatchView(LocalMatch(message: message, fetchedAt: 0, rows: []))
      let score = try #require(view.score, "case \(number)")
      let found = SessionVectors.MatchCase.Score(
        setPoints: score.setPoints, totals: score.totals, endsCounted: score.endsCounted,
        progress: Self.progress(score.progress))
      #expect(found == one.score, "case \(number)")
    }
  }

  @Test("Ends agree in any order")
  func ends() throws {
    for one in try SessionVectors.cases("ends", of: SessionVectors.EndsCase.self) {
      let (first, second) = (try Self.arrows(one.first), try Self.arrows(one.second))
      #expect(CardComparison.agrees(first, second) == one.agrees, "\(one.first) \(one.second)")
    }
  }

  @Test("Verdicts leave the states of the table in the outbox")
  func verdicts() async throws {
    let directory = try TemporaryDirectory()
    let store = try await LocalStore.open(
      StoreIdentity(storeEpoch: 1, principalID: 1),
      in: try await SessionDirectory.open(path: directory.path), limits: SessionLimits())
    for one in try SessionVectors.cases("verdicts", of: SessionVectors.VerdictCase.self) {
      let (kind, number) = (one.kind, one.number)
      let state = try await store.reconcile {
        (reconciliation) throws(SessionError) -> OutboxRow.State? in
        switch kind {
        case "arrow": try Self.arrowState(after: number, reconciliation)
        case "end": try Self.endState(after: number, reconciliation)
        default: try Self.matchState(after: number, reconciliation)
        }
      }
      let name = state.map { state in Self.states.first { $0.value == state }?.key ?? "" }
      #expect((name ?? "stored") == one.state, "\(one.kind) \(one.verdict)")
    }
    await store.close()
    withExtendedLifetime(directory) {}
  }
}

extension SessionVectorTests {
  private static let states: [String: OutboxRow.State] = [
    "waiting": .waiting, "refused": .refused, "conflict": .conflict, "late": .late,
  ]
  private static let marks: [SyncMark: String] = [
    .synced: "synced", .waiting: "waiting", .refused: "refused", .conflict: "conflict",
    .late: "late",
  ]

  private static func pair(_ slot: ArrowSlot) -> [Int] { [slot.endIndex, slot.arrowIndex] }

  private static func slot(_ pair: [Int]) -> ArrowSlot {
    ArrowSlot(endIndex: pair[0], arrowIndex: pair[1])
  }

  private static func arrows(_ texts: [String]) throws -> [ArrowScore] {
    try texts.map { try #require(ArrowScore(sheet: $0)) }
  }

  private static func standing(
    _ arrow: SessionVectors.CardCase.Standing, operation: Int64
  ) throws -> ScoredArrow {
    let score = try #require(ArrowScore(sheet: arrow.arrow))
    var message = ScoredArrow()
    message.endIndex = UInt32(arrow.slot[0])
    message.arrowIndex = UInt32(arrow.slot[1])
    message.value = UInt32(score.value)
    message.isX = score.isX
    message.retracted = arrow.retracted
    message.operationID = operation
    return message
  }

  private static func operation(
    _ waiting: SessionVectors.CardCase.Waiting, id: [UInt8]
  ) throws -> ScoringOperation {
    var message = ScoringOperation()
    message.clientID = id
    message.endIndex = UInt32(waiting.slot[0])
    message.arrowIndex = UInt32(waiting.slot[1])
    message.kind = waiting.arrow == nil ? .retract : .record
    guard let text = waiting.arrow else { return message }
    let score = try #require(ArrowScore(sheet: text))
    message.value = UInt32(score.value)
    message.isX = score.isX
    return message
  }

  private static func slots(_ card: ScoreCard) -> [SessionVectors.CardCase.Slot] {
    card.arrows.values.sorted { $0.slot < $1.slot }.map { arrow in
      SessionVectors.CardCase.Slot(
        slot: pair(arrow.slot), arrow: arrow.score?.description,
        held: arrow.heldScore?.description, mark: marks[arrow.mark] ?? "")
    }
  }

  private static func tally(_ tally: ScoreTally) -> SessionVectors.CardCase.Tally {
    SessionVectors.CardCase.Tally(
      total: tally.total, x: tally.xCount, tens: tally.tenCount, hits: tally.hitCount,
      golds: tally.goldCount, arrows: tally.arrowCount, endsCompleted: tally.endsCompleted,
      counts: tally.countsByValue)
  }

  private static func match(
    _ one: SessionVectors.MatchCase, face: TargetFace
  ) throws -> EliminationMatch {
    var stage = EliminationStage()
    stage.system = QuiverAPI.MatchSystem(rawValue: one.number)
    stage.face = QuiverAPI.Face(rawValue: face.rawValue)
    stage.ruleDay = one.ruleDay
    stage.repeatedMaximum = try one.repeatedMaximum.map { try messages([$0])[0] }
    var match = EliminationMatch()
    match.id = 1
    match.stage = stage
    match.sides = try one.cards.enumerated().map { index, card in
      var side = MatchSideCard()
      side.seed = UInt32(index + 1)
      side.forfeited = one.forfeits.contains(index + 1)
      for (end, arrows) in card.ends {
        var entry = MatchCardEntry()
        entry.index = try #require(UInt32(end))
        entry.arrows = try messages(arrows)
        side.entries.append(entry)
      }
      for (place, shot) in card.shootOffs {
        var entry = MatchCardEntry()
        entry.shootOff = true
        entry.index = try #require(UInt32(place))
        entry.arrows = try messages(shot.arrows)
        entry.distances = shot.distances
        entry.isCloser = shot.closer
        side.entries.append(entry)
      }
      return side
    }
    return match
  }

  private static func messages(_ texts: [String]) throws -> [MatchArrow] {
    try arrows(texts).map { score in
      var message = MatchArrow()
      message.value = UInt32(score.value)
      message.isX = score.isX
      return message
    }
  }

  private static func progress(_ progress: MatchProgress) -> SessionVectors.MatchCase.Progress {
    switch progress {
    case .scheduled: .init(name: "scheduled")
    case .shooting(let end): .init(name: "shooting", index: end)
    case .shootOff(let index): .init(name: "shootOff", index: index)
    case .measuring(let index): .init(name: "measuring", index: index)
    case .decided(let winner, let decision):
      .init(
        name: "decided", winner: winner.map { $0.rawValue + 1 } ?? 0,
        decision: name(of: decision))
    }
  }

  private static func name(of decision: QuiverRules.MatchDecision) -> String {
    switch decision {
    case .arrows: "arrows"
    case .shootOff: "shootOff"
    case .distance: "distance"
    case .judgesMark: "judgesMark"
    case .forfeit: "forfeit"
    case .bye: "bye"
    }
  }
}

/// A row in the outbox after one verdict; nil: it has left.
extension SessionVectorTests {
  private static func arrowState(
    after number: Int32, _ reconciliation: Reconciliation
  ) throws(SessionError) -> OutboxRow.State? {
    var operation = ScoringOperation()
    operation.clientID = [1]
    operation.value = 9
    var row = OutboxRow(
      objectKey: 0, action: .score, method: ScoringRequest.apply(isTournament: true),
      request: operation.serializedBytes(), draft: nil, idempotencyKey: [], baseRevision: 0,
      createdAtMilliseconds: 0)
    try reconciliation.transaction.save(&row)
    var verdict = OperationVerdict()
    verdict.clientID = operation.clientID
    verdict.verdict = Verdict(rawValue: number)
    var response = ApplyOperationsResponse()
    response.verdicts = [verdict]
    _ = try reconciliation.scored([row], response, limits: SessionLimits())
    return try reconciliation.transaction.outboxRow(row.sequence)?.state
  }

  private static func endState(
    after number: Int32, _ reconciliation: Reconciliation
  ) throws(SessionError) -> OutboxRow.State? {
    var operation = CardOperation()
    operation.clientID = [1]
    operation.participantID = 1
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofCard: 1), action: .cardEnd,
      method: Events.applyCardOperations.info, request: operation.serializedBytes(), draft: nil,
      idempotencyKey: [], baseRevision: 0, createdAtMilliseconds: 0)
    try reconciliation.transaction.save(&row)
    var verdict = CardOperationVerdict()
    verdict.clientID = operation.clientID
    verdict.verdict = Verdict(rawValue: number)
    return try reconciliation.recorded(row, verdict)
  }

  private static func matchState(
    after number: Int32, _ reconciliation: Reconciliation
  ) throws(SessionError) -> OutboxRow.State? {
    var operation = MatchOperation()
    operation.clientID = [1]
    operation.matchID = 1
    operation.side = 1
    operation.entry = MatchCardEntry()
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofMatch: 1), action: .matchEnd,
      method: Elimination.applyMatchOperations.info, request: operation.serializedBytes(),
      draft: nil, idempotencyKey: [], baseRevision: 0, createdAtMilliseconds: 0)
    try reconciliation.transaction.save(&row)
    var verdict = MatchOperationVerdict()
    verdict.clientID = operation.clientID
    verdict.verdict = MatchVerdict(rawValue: number)
    return try reconciliation.recorded(row, verdict, limits: SessionLimits())
  }
}
