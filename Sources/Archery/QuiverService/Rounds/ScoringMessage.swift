import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension QuiverAPI.ScoringOperation {
  /// The operation as a draft for the store; `path` is its path in the request, `kind` the kind of
  /// the call.
  func draft(
    path: String, kind: QuiverStore.OperationKind?
  ) throws -> OperationDraft {
    let path = path + "."
    let participant = try ObjectReference.read(
      id: participantID, clientID: participantClientID, prefix: path + "participant_")
    guard clientID.isEmpty || clientID.count == StoreLimits.keyByteCount else {
      throw RPCError.invalid(path + "client_id", "must be a UUIDv7 of 16 bytes")
    }
    var content = OperationDraft.Content(participant)
    content.clientID = clientID
    content.kind = try self.kind(path: path, ofCall: kind)
    content.endIndex = endIndex
    content.arrowIndex = arrowIndex
    content.value = value
    content.isX = isX
    content.x = x
    content.y = y
    content.input = input.rawValue
    content.shaft = shaft
    content.scoredAtMilliseconds = scoredAtMilliseconds
    if replacesID != 0 || !replacesClientID.isEmpty {
      content.replaces = try .read(
        id: replacesID, clientID: replacesClientID, prefix: path + "replaces_")
    }
    content.reason = reason
    content.device = device
    (content.witnessID, content.judgeID) = (witnessID, judgeID)
    return try OperationDraft(content, path: path)
  }

  private func kind(
    path: String, ofCall kind: QuiverStore.OperationKind?
  ) throws -> QuiverStore.OperationKind {
    if self.kind == .unspecified, let kind { return kind }
    guard let named = QuiverStore.OperationKind(rawValue: self.kind.rawValue) else {
      throw RPCError.invalid(path + "kind", "must be record, correct or retract")
    }
    guard kind == nil || kind == named else {
      throw RPCError.invalid(path + "kind", "is another than the call's")
    }
    return named
  }

  init(_ record: OperationRecord) {
    self.init()
    clientID = record.clientID
    kind = QuiverAPI.OperationKind(rawValue: record.kind.rawValue)
    participantID = record.participant
    endIndex = UInt32(clamping: record.slot.endIndex)
    arrowIndex = UInt32(clamping: record.slot.arrowIndex)
    value = record.score.map { UInt32(clamping: $0.value) }
    isX = record.score?.isX ?? false
    x = record.position?.x
    y = record.position?.y
    input = QuiverAPI.InputMode(rawValue: record.input.rawValue)
    scoredAtMilliseconds = record.scoredAtMilliseconds
    replacesID = record.replacesID ?? 0
    replacesClientID = record.replacesClientID
    reason = record.reason
    device = record.device
    shaft = UInt32(clamping: record.shaft)
    if let witness = record.witness {
      (witnessID, judgeID, witnessName) = (witness.participant, witness.judge, witness.name)
    }
  }
}

extension ScoredArrow {
  init(_ record: ScoredArrowRecord) {
    self.init()
    endIndex = UInt32(clamping: record.slot.endIndex)
    arrowIndex = UInt32(clamping: record.slot.arrowIndex)
    value = UInt32(clamping: record.score.value)
    isX = record.score.isX
    x = record.position?.x
    y = record.position?.y
    input = QuiverAPI.InputMode(rawValue: record.input.rawValue)
    flagged = record.isFlagged
    scoredAtMilliseconds = record.scoredAtMilliseconds
    receivedAtMilliseconds = record.receivedAtMilliseconds
    operationID = record.operationID
    operationClientID = record.operationClientID
    retracted = record.isRetracted
    shaft = UInt32(clamping: record.shaft)
  }
}

extension Score {
  init(_ tally: ScoreTally) {
    self.init()
    total = UInt32(clamping: tally.total)
    xCount = UInt32(clamping: tally.xCount)
    tenCount = UInt32(clamping: tally.tenCount)
    arrowCount = UInt32(clamping: tally.arrowCount)
    endsCompleted = UInt32(clamping: tally.endsCompleted)
    counts = tally.countsByValue.map { UInt32(clamping: $0) }
    goldCount = UInt32(clamping: tally.goldCount)
    missingCounts = tally.missing.rawValue
  }
}

extension ScoreResponse {
  init(_ reply: ScoringReply) {
    self.init()
    verdict = Verdict(rawValue: reply.verdict.rawValue)
    arrows = reply.arrows.map(ScoredArrow.init)
    score = Score(reply.tally)
    var step = NextStep()
    step.kind = NextKind(rawValue: reply.turn.kind.rawValue)
    if let next = reply.next {
      step.participantID = next.id
      step.participantClientID = next.clientID
      step.displayName = next.displayName
      step.endIndex = UInt32(clamping: reply.turn.slot.endIndex)
      step.arrowIndex = UInt32(clamping: reply.turn.slot.arrowIndex)
    }
    next = step
  }
}

extension OperationVerdict {
  init(_ outcome: ScoringOutcome, clientID: [UInt8]) {
    self.init()
    self.clientID = clientID
    verdict = Verdict(rawValue: outcome.verdict.rawValue)
    operationID = outcome.operationID
    arrow = outcome.arrow.flatMap { $0.isRetracted ? nil : ScoredArrow($0) }
    if let refusal = outcome.refusal {
      code = refusal.code.rawValue
      message = refusal.field.map { "\($0): \(refusal.message)" } ?? refusal.message
    }
  }
}
