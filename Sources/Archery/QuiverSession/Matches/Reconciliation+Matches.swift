import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Applies the server's replies to the rows of matches.
extension Reconciliation {
  /// Applies the verdict on the operation of a row; returns the state of the row, nil if its
  /// operation is stored.
  func recorded(
    _ row: OutboxRow, _ verdict: MatchOperationVerdict, limits: SessionLimits
  ) throws(SessionError) -> OutboxRow.State? {
    if let match = verdict.match {
      try transaction.take(
        match, saysWhoMayScore: false, fetchedAt: WallClock.nowMilliseconds(), limits: limits)
    }
    // The user may have discarded it in the meantime.
    guard var row = try transaction.outboxRow(row.sequence) else { return nil }
    switch verdict.verdict {
    case .stored, .same:
      if verdict.verdict == .same, let match = verdict.match { try adopt(row, in: match) }
      try transaction.delete(row)
      return nil
    case .notYet:
      row.release()
      row.isDeferred = true
    case .conflict: row.state = .conflict
    default: row.state = .refused
    }
    row.verdict = verdict.verdict == .late ? Self.lateText : verdict.message
    row.statusCode = Int64(verdict.code)
    row.serverObject = verdict.match?.serializedBytes()
    try transaction.save(&row)
    return row.state
  }

  /// Lets the corrections of a row follow the operation of another device that entered the same
  /// arrows before.
  private func adopt(_ row: OutboxRow, in match: EliminationMatch) throws(SessionError) {
    let operation = try row.matchOperation()
    guard let present = match.entry(of: operation), let entry = operation.entry,
      present.operationClientID != operation.clientID, present.arrows == entry.arrows,
      present.distances == entry.distances, present.isCloser == entry.isCloser
    else { return }
    try redirect(followers(of: operation.clientID, row), to: present.operationClientID)
  }

  /// Makes corrections replace another operation.
  private func redirect(
    _ followers: [(OutboxRow, MatchOperation)], to operation: [UInt8]
  ) throws(SessionError) {
    for (follower, later) in followers {
      var (follower, later) = (follower, later)
      later.replacesClientID = operation
      follower.request = later.serializedBytes()
      try transaction.save(&follower)
    }
  }

  /// Makes a row in conflict a correction of what the server has at its place, with who agreed to
  /// it.
  func overwriteMatchEnd(_ row: OutboxRow, _ witness: CorrectionWitness?) throws(SessionError) {
    guard row.state == .conflict else {
      throw SessionError(.notPossible, "it can be sent now; send it again, or discard it")
    }
    var row = row
    var operation = try row.matchOperation()
    let former = operation.clientID
    operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
    guard let match = try transaction.match(operation.matchID)?.message else {
      throw SessionError(.notFound, "this match is not here")
    }
    guard match.hasArcher(of: operation) else {
      throw SessionError(.notPossible, "another archer is on this side now; discard it")
    }
    // What waits before it comes first.
    let head =
      try waitingHead(before: row, operation) ?? match.entry(of: operation)?.operationClientID
    operation.replacesClientID = head ?? []
    operation.name(witness)
    if head == nil {
      // The server's place is empty.
      guard operation.entry?.arrows.isEmpty == false else {
        return try discardMatchEnd(row)
      }
      operation.reason = ""
    } else if operation.reason.isEmpty {
      operation.reason = Self.overwriteReason
    }
    row.request = operation.serializedBytes()
    row.release()
    try transaction.save(&row)
    try redirect(followers(of: former, row), to: operation.clientID)
  }

  /// The operation of the last waiting row before one that fills the same place.
  private func waitingHead(
    before row: OutboxRow, _ operation: MatchOperation
  ) throws(SessionError) -> [UInt8]? {
    var head: [UInt8]?
    for other in try transaction.matchEndRows(of: row.objectKey)
    where other.sequence < row.sequence && !other.needsAttention {
      let earlier = try other.matchOperation()
      guard earlier.side == operation.side,
        earlier.entry?.shootOff == operation.entry?.shootOff,
        earlier.entry?.index == operation.entry?.index
      else { continue }
      head = earlier.entry?.arrows.isEmpty == false ? earlier.clientID : nil
    }
    return head
  }

  /// Discards a row that was not sent, with the corrections that depend on it.
  func discardMatchEnd(_ row: OutboxRow) throws(SessionError) {
    for (follower, _) in try followers(of: try row.matchOperation().clientID, row) {
      if follower.state != .sent { try discardMatchEnd(follower) }
    }
    try transaction.delete(row)
  }

  /// The later rows of the match that correct an operation.
  private func followers(
    of operation: [UInt8], _ row: OutboxRow
  ) throws(SessionError) -> [(OutboxRow, MatchOperation)] {
    var found: [(OutboxRow, MatchOperation)] = []
    for other in try transaction.matchEndRows(of: row.objectKey)
    where other.sequence > row.sequence {
      let later = try other.matchOperation()
      if later.replacesClientID == operation { found.append((other, later)) }
    }
    return found
  }
}

/// Applies the server's replies to rows that confirm cards.
extension Reconciliation {
  /// The card is confirmed; `match` is the match afterwards.
  func confirmed(
    _ row: OutboxRow, _ match: EliminationMatch, limits: SessionLimits
  ) throws(SessionError) {
    try transaction.take(
      match, saysWhoMayScore: false, fetchedAt: WallClock.nowMilliseconds(), limits: limits)
    if let row = try transaction.outboxRow(row.sequence) { try transaction.delete(row) }
  }

  /// The cards are not those that were confirmed.
  func confirmedOtherwise(_ row: OutboxRow, _ match: EliminationMatch) throws(SessionError) {
    guard var row = try transaction.outboxRow(row.sequence) else { return }
    row.state = .conflict
    row.verdict = "the cards have changed since they were confirmed; read them, and confirm again"
    row.serverObject = match.serializedBytes()
    try transaction.save(&row)
  }
}

extension EliminationMatch {
  /// What its cards have at the place of an operation.
  fileprivate func entry(of operation: MatchOperation) -> MatchCardEntry? {
    guard let side = MatchSide(number: operation.side), sides.indices.contains(side.rawValue)
    else { return nil }
    return sides[side.rawValue].entries.first { entry in
      entry.shootOff == operation.entry?.shootOff && entry.index == operation.entry?.index
    }
  }
}
