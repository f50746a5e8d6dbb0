import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// What the server's answers make of the rows about events.
extension Reconciliation {
  /// How many operations ended in which way.
  struct ScoringCounts {
    var stored = 0
    var refused = 0
    var conflicts = 0
    var notYet = 0
  }

  /// Why an arrow goes over what others entered.
  static let overwriteReason = "entered otherwise by another scorer"

  /// Takes the verdicts on a batch of operations, one for each row.
  func scored(
    _ rows: [OutboxRow], _ response: ApplyOperationsResponse
  ) throws(SessionError) -> ScoringCounts {
    var counts = ScoringCounts()
    for (row, verdict) in zip(rows, response.verdicts) {
      // Its owner may have dropped it meanwhile.
      guard let row = try transaction.outboxRow(row.sequence) else { continue }
      try take(verdict, of: row, &counts)
    }
    if counts.stored > 0 { try transaction.resumeDeferred(limit: Int64.max) }
    return counts
  }

  /// The call that carried a row ended for good without a verdict.
  func refusedScoring(_ row: OutboxRow, _ error: RPCError) throws(SessionError) {
    guard var row = try transaction.outboxRow(row.sequence) else { return }
    row.state = .refused
    row.statusCode = Int64(error.code.rawValue)
    row.verdict = error.message
    try transaction.save(&row)
  }

  /// A session, a guest or entries are at the server.
  func made(
    _ row: OutboxRow, _ response: [UInt8], limits: SessionLimits
  ) throws(SessionError) {
    try transaction.delete(row)
    guard let key = row.eventKey, let event = try transaction.event(key) else { return }
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

  /// Drops a row that was not sent, with what depends on it.
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
    default: try discardChain(row)
    }
    try transaction.delete(row)
  }

  /// Makes a row in conflict a correction of what stands there by now.
  func overwriteScored(_ row: OutboxRow) throws(SessionError) {
    guard row.state == .conflict else {
      throw SessionError(.notPossible, "nothing stands in its way; send it again, or discard it")
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
      let slot = LocalSlot(standing)
      slot.head.put(into: &operation)
      before = slot.score
    } else {
      // The slot is empty there.
      guard operation.kind != .retract else { return try discardScored(row) }
      operation.kind = .record
      operation.reason = ""
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
    _ verdict: OperationVerdict, of row: OutboxRow, _ counts: inout ScoringCounts
  ) throws(SessionError) {
    var row = row
    let operation = try row.operation()
    switch verdict.verdict {
    case .stored, .same:
      try transaction.delete(row)
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

  /// Keeps what stands in the operation's slot now.
  private func stand(
    _ verdict: OperationVerdict, _ operation: ScoringOperation, of row: OutboxRow
  ) throws(SessionError) {
    guard let participant = row.participantKey else { return }
    if let arrow = verdict.arrow { return try transaction.save(LocalSlot(arrow), of: participant) }
    // The slot is empty, and the next has to name what emptied it: this operation, or one that is
    // not known here, and then a record will do.
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

  /// The rows behind one in its slot that build upon an operation.
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
