import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverSQLite

/// Stores a scorer's entries with their outbox rows, in the caller's transaction.
///
/// A refusal throws and stores nothing.
struct ScoringEdits {
  let transaction: LocalTransaction
  let limits: SessionLimits
  let nowMilliseconds: Int64
  /// The name of this device in the audit of each operation.
  let device: String

  /// The reason of an entry after a retraction.
  static let againReason = "entered again"
  static let undoReason = "undone"

  /// One arrow that is entered.
  struct Entry {
    var score: ArrowScore
    /// In radii of the nominal face; nil for an entry by buttons.
    var position: (x: Double, y: Double)?
    /// The number of the arrow's shaft, from 1; nil: not known.
    var shaft: Int?
  }

  /// The numbers of shafts.
  static let shafts = 1...99

  /// Enters an arrow in an open slot; does nothing if the slot has this value.
  func record(
    _ entry: Entry, at slot: ArrowSlot, of participant: LocalParticipant,
    _ format: QuiverRules.RoundFormat
  ) throws(SessionError) {
    try check(entry, at: slot, of: participant, format)
    let standing = try transaction.card(of: participant.key, format).arrows[slot]
    if let score = standing?.score {
      guard score != entry.score else { return }
      throw SessionError(
        .notPossible,
        "end \(slot.endIndex + 1), arrow \(slot.arrowIndex + 1) has \(score); correct it")
    }
    var operation = self.operation(.record, entry, at: slot)
    if let head = standing?.head {
      // Operations that name their predecessor give the same result in every order.
      operation.kind = .correct
      operation.reason = Self.againReason
      head.put(into: &operation)
    }
    try keep(operation, of: participant, before: nil)
  }

  /// Replaces the value of a slot that has or had an arrow.
  func correct(
    _ entry: Entry, at slot: ArrowSlot, of participant: LocalParticipant,
    _ format: QuiverRules.RoundFormat,
    reason: String, witness: CorrectionWitness?
  ) throws(SessionError) {
    try check(entry, at: slot, of: participant, format)
    let standing = try self.standing(at: slot, of: participant, format)
    let isSameShaft = entry.shaft == nil || entry.shaft == standing.arrow.shaft
    guard standing.arrow.score != entry.score || entry.position != nil || !isSameShaft else {
      return
    }
    var operation = self.operation(.correct, entry, at: slot)
    operation.reason = try Self.checked(reason)
    operation.name(witness)
    standing.head.put(into: &operation)
    try keep(operation, of: participant, before: standing.arrow.score)
  }

  /// Retracts the arrow of a slot.
  func retract(
    at slot: ArrowSlot, of participant: LocalParticipant, _ format: QuiverRules.RoundFormat,
    reason: String, witness: CorrectionWitness?
  ) throws(SessionError) {
    try check(participant)
    let standing = try self.standing(at: slot, of: participant, format)
    guard standing.arrow.score != nil else {
      throw SessionError(.notPossible, "there is no arrow to retract")
    }
    var operation = self.operation(.retract, nil, at: slot)
    operation.reason = try Self.checked(reason)
    operation.name(witness)
    standing.head.put(into: &operation)
    try keep(operation, of: participant, before: standing.arrow.score)
  }

  /// Undoes the last entry; returns the participant of its slot.
  ///
  /// An entry that the server has not received is deleted; otherwise a further operation reverts
  /// it. An entry cannot be undone if later ones of others depend on it or the organiser has it;
  /// then it is removed from the steps, and the refusal is returned.
  func undo(
    in event: LocalEvent, _ rounds: EventRounds, _ witness: CorrectionWitness?
  ) throws(SessionError) -> (participant: Int64, slot: ArrowSlot, refusal: SessionError?) {
    guard let step = try transaction.lastStep(of: event.key),
      let participant = try transaction.participant(step.participant)
    else { throw SessionError(.notPossible, "nothing was entered here that could be undone") }
    try transaction.deleteStep(step.sequence)
    let rows = try transaction.outboxRows(ofParticipant: participant.key)
    for row in rows where row.action == .score {
      let waiting = try row.operation()
      guard waiting.clientID == step.operation else { continue }
      guard row.state != .sent else { break }
      guard row.state != .late else {
        let refusal = SessionError(
          .notPossible, "the arrow arrived after the event was finalised; its organiser decides")
        return (participant.key, step.slot, refusal)
      }
      // What was confirmed is the card with this entry.
      try withdrawConfirmations(of: participant, changing: step.slot.endIndex, in: event)
      if waiting.replacesClientID == step.replaced {
        try transaction.delete(row)
      } else {
        try goBack(row, waiting, to: step, in: event, witness)
      }
      return (participant.key, step.slot, nil)
    }
    let standing: CardArrow?
    do throws(SessionError) {
      try check(participant)
      let format = rounds.format(of: participant)
      standing = try format.flatMap { (format) throws(SessionError) in
        try transaction.card(of: participant.key, format).arrows[step.slot]
      }
    } catch {
      guard error.code == .notPossible else { throw error }
      return (participant.key, step.slot, error)
    }
    guard let head = standing?.head, head.clientID == step.operation else {
      let refusal = SessionError(
        .notPossible, "somebody else has entered or changed this arrow; correct it instead")
      return (participant.key, step.slot, refusal)
    }
    var operation = undoing(step)
    operation.name(witness)
    head.put(into: &operation)
    try keep(operation, of: participant, isStep: false, before: nil)
    try transaction.restep(event.key, from: step.replaced, to: operation.clientID)
    return (participant.key, step.slot, nil)
  }

  /// Makes the unsent operation that undoes a later step undo this step too.
  private func goBack(
    _ row: OutboxRow, _ waiting: ScoringOperation, to step: ScoringStep, in event: LocalEvent,
    _ witness: CorrectionWitness?
  ) throws(SessionError) {
    var operation = undoing(step)
    (operation.witnessID, operation.judgeID) = (waiting.witnessID, waiting.judgeID)
    operation.name(witness)
    operation.clientID = waiting.clientID
    operation.participantClientID = waiting.participantClientID
    operation.replacesID = waiting.replacesID
    operation.replacesClientID = waiting.replacesClientID
    var row = row
    row.request = operation.serializedBytes()
    try transaction.save(&row)
    try transaction.restep(event.key, from: step.replaced, to: operation.clientID)
  }

  /// The operation that restores the state before a step.
  private func undoing(_ step: ScoringStep) -> ScoringOperation {
    var operation = self.operation(
      step.before == nil ? .retract : .correct,
      step.before.map { Entry(score: $0) }, at: step.slot)
    operation.reason = Self.undoReason
    return operation
  }

  private func operation(
    _ kind: OperationKind, _ entry: Entry?, at slot: ArrowSlot
  ) -> ScoringOperation {
    var operation = ScoringOperation()
    operation.clientID = ClientIDMaker.shared.make(at: nowMilliseconds)
    operation.kind = kind
    operation.endIndex = UInt32(clamping: slot.endIndex)
    operation.arrowIndex = UInt32(clamping: slot.arrowIndex)
    operation.scoredAtMilliseconds = nowMilliseconds
    operation.device = device
    guard let entry else { return operation }
    operation.value = UInt32(clamping: entry.score.value)
    operation.isX = entry.score.isX
    operation.x = entry.position?.x
    operation.y = entry.position?.y
    operation.input = entry.position == nil ? .buttons : .target
    operation.shaft = UInt32(clamping: entry.shaft ?? 0)
    return operation
  }

  private func check(
    _ entry: Entry, at slot: ArrowSlot, of participant: LocalParticipant,
    _ format: QuiverRules.RoundFormat
  ) throws(SessionError) {
    try check(participant)
    if let shaft = entry.shaft, !Self.shafts.contains(shaft) {
      throw SessionError(
        .invalid, "must be from \(Self.shafts.lowerBound) to \(Self.shafts.upperBound)",
        field: "shaft")
    }
    do throws(RuleViolation) {
      let end = try slot.end(in: format, path: "")
      _ = try entry.score.validated(on: end.pass.face, path: "")
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
  }

  private func check(_ participant: LocalParticipant) throws(SessionError) {
    let message = participant.message
    guard participant.mayScore else {
      throw SessionError(.notPossible, "\(message.displayName) is scored by somebody else")
    }
    guard message.status != .withdrawn, message.status != .disqualified else {
      throw SessionError(.notPossible, "\(message.displayName) is out of the event")
    }
  }

  private func standing(
    at slot: ArrowSlot, of participant: LocalParticipant, _ format: QuiverRules.RoundFormat
  ) throws(SessionError) -> (arrow: CardArrow, head: OperationName) {
    guard let arrow = try transaction.card(of: participant.key, format).arrows[slot],
      let head = arrow.head
    else { throw SessionError(.notPossible, "nothing was entered there") }
    return (arrow, head)
  }

  private func keep(
    _ operation: ScoringOperation, of participant: LocalParticipant, isStep: Bool = true,
    before: ArrowScore?
  ) throws(SessionError) {
    guard let event = try transaction.event(participant.eventKey) else {
      throw SessionError(.notFound, "this event is no longer on this device")
    }
    var operation = operation
    operation.participantClientID = participant.message.clientID
    try withdrawConfirmations(of: participant, changing: operation.slot.endIndex, in: event)
    var row = OutboxRow(
      objectKey: 0, action: .score, method: ScoringRequest.apply(isTournament: event.isTournament),
      request: operation.serializedBytes(), draft: nil, idempotencyKey: [], baseRevision: 0,
      createdAtMilliseconds: nowMilliseconds)
    row.eventKey = event.key
    row.participantKey = participant.key
    try transaction.keep(&row, limits: limits)
    guard isStep else { return }
    try transaction.add(
      ScoringStep(
        participant: participant.key, slot: operation.slot, operation: operation.clientID,
        replaced: operation.replacesClientID, before: before), to: event.key, limits: limits)
  }

  private func withdrawConfirmations(
    of participant: LocalParticipant, changing end: Int, in event: LocalEvent
  ) throws(SessionError) {
    guard event.isTournament, participant.message.id != 0 else { return }
    try transaction.withdrawCardConfirmations(of: participant.message.id, changing: end)
  }

  private static func checked(_ reason: String) throws(SessionError) -> String {
    do throws(RuleViolation) {
      let text = try TextLimits.checked(reason, length: TextLimits.nameLength, path: "reason")
      guard !text.isEmpty else {
        throw RuleViolation(field: "reason", message: "must say why")
      }
      return text
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
  }
}

extension LocalTransaction {
  /// Adds a row to the outbox if its limit allows it.
  func keep(_ row: inout OutboxRow, limits: SessionLimits) throws(SessionError) {
    guard try outboxRowCount() < limits.maxOutboxRows else {
      throw SessionError(
        .full, "\(limits.maxOutboxRows) changes wait to be sent; connect before making more")
    }
    try save(&row)
  }
}
