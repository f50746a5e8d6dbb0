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
      try transaction.delete(row)
      return nil
    case .conflict:
      row.state = .conflict
      row.verdict = "other arrows are on the card"
    default:
      row.state = .refused
      row.verdict = verdict.message
    }
    row.statusCode = Int64(verdict.code)
    row.serverObject = verdict.match?.serializedBytes()
    try transaction.save(&row)
    return row.state
  }

  /// Makes a row in conflict a correction of what the server has at its place.
  func overwriteMatchEnd(_ row: OutboxRow) throws(SessionError) {
    guard row.state == .conflict else {
      throw SessionError(.notPossible, "nothing stands in its way; send it again, or discard it")
    }
    var row = row
    var operation = try row.matchOperation()
    let former = operation.clientID
    operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
    let present = try presentEntry(of: operation)
    operation.replacesClientID = present?.operationClientID ?? []
    if present == nil {
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
    for (follower, later) in try followers(of: former, row) {
      var (follower, later) = (follower, later)
      later.replacesClientID = operation.clientID
      follower.request = later.serializedBytes()
      try transaction.save(&follower)
    }
  }

  /// Discards a row that was not sent, with the corrections that depend on it.
  func discardMatchEnd(_ row: OutboxRow) throws(SessionError) {
    for (follower, _) in try followers(of: try row.matchOperation().clientID, row) {
      if follower.state != .sent { try discardMatchEnd(follower) }
    }
    try transaction.delete(row)
  }

  private func presentEntry(of operation: MatchOperation) throws(SessionError) -> MatchCardEntry? {
    guard let match = try transaction.match(operation.matchID)?.message,
      let side = MatchSide(number: operation.side), match.sides.indices.contains(side.rawValue)
    else { throw SessionError(.notFound, "this match is not here") }
    return match.sides[side.rawValue].entries.first { entry in
      entry.shootOff == operation.entry?.shootOff && entry.index == operation.entry?.index
    }
  }

  /// The later rows of the match that correct an operation.
  private func followers(
    of operation: [UInt8], _ row: OutboxRow
  ) throws(SessionError) -> [(OutboxRow, MatchOperation)] {
    var found: [(OutboxRow, MatchOperation)] = []
    for other in try transaction.outboxRows(of: row.objectKey) where other.sequence > row.sequence {
      let later = try other.matchOperation()
      if later.replacesClientID == operation { found.append((other, later)) }
    }
    return found
  }
}
