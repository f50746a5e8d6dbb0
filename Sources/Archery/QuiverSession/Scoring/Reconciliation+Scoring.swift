import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Applies the server's replies to the rows of events.
extension Reconciliation {
  /// The number of operations by outcome.
  struct ScoringCounts {
    var stored = 0
    var refused = 0
    var conflicts = 0
    var notYet = 0
  }

  /// The reason of a correction that overwrites another scorer's entry.
  static let overwriteReason = "another scorer entered another value"

  /// Applies the verdicts on a batch of operations, one for each row.
  func scored(
    _ rows: [OutboxRow], _ response: ApplyOperationsResponse, limits: SessionLimits
  ) throws(SessionError) -> ScoringCounts {
    var counts = ScoringCounts()
    for (row, verdict) in zip(rows, response.verdicts) {
      // The user may have discarded it in the meantime.
      guard let row = try transaction.outboxRow(row.sequence) else { continue }
      try take(verdict, of: row, &counts, limits)
    }
    if counts.stored > 0 { try transaction.resumeDeferred(limit: Int64.max) }
    return counts
  }

  /// The call with the row failed permanently without a verdict.
  func refusedScoring(_ row: OutboxRow, _ error: RPCError) throws(SessionError) {
    guard var row = try transaction.outboxRow(row.sequence) else { return }
    row.state = .refused
    row.statusCode = Int64(error.code.rawValue)
    row.verdict = error.message
    try transaction.save(&row)
  }

  /// The server has a session, a guest or entries now.
  func made(
    _ row: OutboxRow, _ response: [UInt8], limits: SessionLimits
  ) throws(SessionError) {
    try transaction.delete(row)
    guard let key = row.eventKey, let event = try transaction.event(key) else { return }
    try transaction.acknowledge(row, limits: limits)
    switch (row.action, event.content) {
    case (.addGuest, .tournament):
      let participant: Participant = try Self.read(response)
      try transaction.take([participant], of: key, isComplete: false)
    case (.addEntries, _):
      let answer: AddEntriesResponse = try Self.read(response)
      try transaction.take(answer.participants, of: key, isComplete: false)
    default:
      let session: ShootingSession = try Self.read(response)
      try transaction.take(session, fetchedAt: nil, limits: limits)
    }
  }

  /// Discards a row that was not sent, with the rows that depend on it.
  func discardScored(_ row: OutboxRow) throws(SessionError) {
    guard let key = row.eventKey else { return }
    switch row.action {
    case .startRounds: try transaction.deleteEvent(key)
    case .addGuest:
      if let participant = row.participantKey { try transaction.deleteParticipant(participant) }
    case .addEntries:
      let request = try? AddEntriesRequest(serializedBytes: row.request)
      let names = Set(request?.entries.map(\.clientID) ?? [])
      for participant in try transaction.participants(of: key)
      where names.contains(participant.message.clientID) {
        try transaction.deleteParticipant(participant.key)
      }
    case .setConditions: break
    default: try discardChain(row)
    }
    try transaction.delete(row)
  }

  /// Converts a row in conflict to a correction of the server's current arrow.
  func overwriteScored(
    _ row: OutboxRow, _ witness: CorrectionWitness?
  ) throws(SessionError) {
    guard row.state == .conflict else {
      throw SessionError(.notPossible, "it can be sent now; send it again, or discard it")
    }
    var row = row
    var operation = try row.operation()
    let former = operation.clientID
    operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
    operation.replacesID = 0
    operation.replacesClientID = []
    var before: ArrowScore?
    if let bytes = row.serverObject, let standing = try? ScoredArrow(serializedBytes: bytes) {
      if operation.kind == .record { operation.kind = .correct }
      if operation.reason.isEmpty { operation.reason = Self.overwriteReason }
      operation.name(witness)
      let slot = LocalSlot(standing)
      slot.head.put(into: &operation)
      before = slot.score
    } else {
      // The server's slot is empty.
      guard operation.kind != .retract else { return try discardScored(row) }
      operation.kind = .record
      operation.reason = ""
      (operation.witnessID, operation.judgeID) = (0, 0)
    }
    row.request = operation.serializedBytes()
    row.release()
    try transaction.save(&row)
    if let event = row.eventKey {
      try transaction.restep(event, from: former, to: operation, before: before)
    }
    for var behind in try followers(of: former, behind: row) {
      var later = try behind.operation()
      later.replacesClientID = operation.clientID
      behind.request = later.serializedBytes()
      try transaction.save(&behind)
    }
  }

  private func take(
    _ verdict: OperationVerdict, of row: OutboxRow, _ counts: inout ScoringCounts,
    _ limits: SessionLimits
  ) throws(SessionError) {
    var row = row
    let operation = try row.operation()
    switch verdict.verdict {
    case .stored, .same:
      try transaction.delete(row)
      try transaction.acknowledge(row, limits: limits)
      try stand(verdict, operation, of: row)
      counts.stored += 1
      return
    case .notYet:
      row.release()
      row.isDeferred = true
      counts.notYet += 1
    case .late:
      row.state = .late
      counts.refused += 1
    case .conflict:
      row.state = .conflict
      row.serverObject = verdict.arrow?.serializedBytes()
      if let participant = row.participantKey {
        if let arrow = verdict.arrow {
          try transaction.save(LocalSlot(arrow), of: participant)
        } else {
          try transaction.forget(operation.slot, of: participant)
        }
      }
      counts.conflicts += 1
    default:
      row.state = .refused
      counts.refused += 1
    }
    row.statusCode = Int64(verdict.code)
    row.verdict = verdict.message
    try transaction.save(&row)
  }

  /// Stores the current arrow of the operation's slot.
  private func stand(
    _ verdict: OperationVerdict, _ operation: ScoringOperation, of row: OutboxRow
  ) throws(SessionError) {
    guard let participant = row.participantKey else { return }
    if let arrow = verdict.arrow { return try transaction.save(LocalSlot(arrow), of: participant) }
    // The slot is empty. The next operation must replace the retraction: this operation, or one
    // that is not known here; in that case a record is enough.
    guard operation.kind == .retract else {
      return try transaction.forget(operation.slot, of: participant)
    }
    let head = OperationName(id: verdict.operationID, clientID: operation.clientID)
    try transaction.save(
      LocalSlot(slot: operation.slot, score: nil, head: head), of: participant)
  }

  private static func read<Answer: Message>(_ bytes: [UInt8]) throws(SessionError) -> Answer {
    do throws(DecodeError) {
      return try Answer(serializedBytes: bytes)
    } catch {
      throw SessionError(.call(.internal), "the server's answer cannot be read: \(error)")
    }
  }

  /// The later rows of the slot that depend on an operation.
  private func followers(
    of operation: [UInt8], behind row: OutboxRow
  ) throws(SessionError) -> [OutboxRow] {
    guard let participant = row.participantKey else { return [] }
    var found: [OutboxRow] = []
    for other in try transaction.outboxRows(ofParticipant: participant)
    where other.action == .score && other.sequence > row.sequence {
      if try other.operation().replacesClientID == operation { found.append(other) }
    }
    return found
  }

  private func discardChain(_ row: OutboxRow) throws(SessionError) {
    for follower in try followers(of: try row.operation().clientID, behind: row) {
      guard follower.state != .sent else { continue }
      try discardChain(follower)
      try transaction.delete(follower)
    }
  }
}
