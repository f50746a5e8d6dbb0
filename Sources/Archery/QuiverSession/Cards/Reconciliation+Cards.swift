import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Applies the server's replies to the rows of second cards.
extension Reconciliation {
  /// Applies the verdict on the operation of a row; returns the state of the row, nil if its
  /// operation is stored.
  func recorded(
    _ row: OutboxRow, _ verdict: CardOperationVerdict
  ) throws(SessionError) -> OutboxRow.State? {
    let operation = try row.cardOperation()
    if let end = verdict.end { try transaction.take(end, ofParticipant: operation.participantID) }
    // The user may have discarded it in the meantime.
    guard var row = try transaction.outboxRow(row.sequence) else { return nil }
    switch verdict.verdict {
    case .stored, .same:
      try stand(operation, verdict.end, of: row)
      try transaction.delete(row)
      return nil
    case .notYet:
      row.release()
      row.isDeferred = true
    case .conflict:
      row.state = .conflict
      if verdict.end == nil { try empty(operation) }
    default: row.state = .refused
    }
    row.verdict = verdict.verdict == .late ? Self.lateText : verdict.message
    row.statusCode = Int64(verdict.code)
    row.serverObject = verdict.end?.serializedBytes()
    try transaction.save(&row)
    return row.state
  }

  /// What a row says whose arrows an official decides about.
  static let lateText =
    "another device has this target now, and other arrows are there; an official sees these"

  /// Notes what the server has after an operation that is stored. A reply without the end means
  /// that the end is empty, or that this device does not see it any more.
  private func stand(
    _ operation: CardOperation, _ end: ComparedEnd?, of row: OutboxRow
  ) throws(SessionError) {
    guard let end else {
      var own = ComparedEnd()
      own.endIndex = operation.endIndex
      own.second = operation.arrows
      own.operationClientID = operation.arrows.isEmpty ? [] : operation.clientID
      return try transaction.take(own, ofParticipant: operation.participantID)
    }
    guard end.operationClientID != operation.clientID, end.second == operation.arrows else {
      return
    }
    // Another device entered the same arrows before: corrections follow its operation.
    try redirectCard(
      try cardFollowers(of: operation.clientID, row), to: end.operationClientID)
  }

  private func empty(_ operation: CardOperation) throws(SessionError) {
    var end = ComparedEnd()
    end.endIndex = operation.endIndex
    try transaction.take(end, ofParticipant: operation.participantID)
  }

  /// The card is confirmed; `card` is the card afterwards.
  func confirmedCard(_ row: OutboxRow, _ card: ComparedCard) throws(SessionError) {
    try transaction.takeChanged(card)
    if let row = try transaction.outboxRow(row.sequence) { try transaction.delete(row) }
  }

  /// The cards are not those that were confirmed.
  func confirmedOtherCard(_ row: OutboxRow, _ card: ComparedCard) throws(SessionError) {
    guard var row = try transaction.outboxRow(row.sequence) else { return }
    row.state = .conflict
    row.verdict = "the card has changed since it was confirmed; read it, and confirm again"
    row.serverObject = card.serializedBytes()
    try transaction.save(&row)
  }

  /// Makes a row in conflict a correction of what the server has at its end.
  func overwriteCardEnd(
    _ row: OutboxRow, _ witness: CorrectionWitness?
  ) throws(SessionError) {
    guard row.state == .conflict else {
      throw SessionError(.notPossible, "nothing stands in its way; send it again, or discard it")
    }
    var row = row
    var operation = try row.cardOperation()
    let former = operation.clientID
    operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
    guard let card = try transaction.card(ofParticipant: operation.participantID) else {
      throw SessionError(.notFound, "this card is not here")
    }
    let present = card.message.ends.first { $0.endIndex == operation.endIndex }
    let head = present?.second.isEmpty == false ? present?.operationClientID ?? [] : []
    operation.replacesClientID = head
    if head.isEmpty {
      // The server's end is empty.
      guard !operation.arrows.isEmpty else { return try discardCardEnd(row) }
      operation.reason = ""
      (operation.witnessID, operation.judgeID) = (0, 0)
    } else if operation.reason.isEmpty {
      operation.reason = Self.overwriteReason
    }
    operation.name(witness)
    row.request = operation.serializedBytes()
    row.release()
    try transaction.save(&row)
    try redirectCard(try cardFollowers(of: former, row), to: operation.clientID)
  }

  /// Discards a row that was not sent, with the corrections that depend on it.
  func discardCardEnd(_ row: OutboxRow) throws(SessionError) {
    for (follower, _) in try cardFollowers(of: try row.cardOperation().clientID, row)
    where follower.state != .sent {
      try discardCardEnd(follower)
    }
    try transaction.delete(row)
  }

  /// Makes corrections replace another operation.
  private func redirectCard(
    _ followers: [(OutboxRow, CardOperation)], to operation: [UInt8]
  ) throws(SessionError) {
    for (follower, later) in followers {
      var (follower, later) = (follower, later)
      later.replacesClientID = operation
      follower.request = later.serializedBytes()
      try transaction.save(&follower)
    }
  }

  /// The later rows of the card that correct an operation.
  private func cardFollowers(
    of operation: [UInt8], _ row: OutboxRow
  ) throws(SessionError) -> [(OutboxRow, CardOperation)] {
    var found: [(OutboxRow, CardOperation)] = []
    for other in try transaction.cardEndRows(of: row.objectKey) where other.sequence > row.sequence
    {
      let later = try other.cardOperation()
      if later.replacesClientID == operation { found.append((other, later)) }
    }
    return found
  }
}
