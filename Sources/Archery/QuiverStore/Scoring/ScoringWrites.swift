import QuiverRules

/// Writes what an operation changes: its row, the slot, the participant's tally, the journal and
/// the audit.
extension Transaction {
  private static let insertOperation = Query(
    """
    INSERT INTO scoring_operation (participant_id, session_id, principal_id, state, kind,
      end_index, arrow_index, value, is_x, x, y, input, is_flagged, replaces_id,
      replaces_client_id, stands_for_id, scored_at_ms, received_at_ms, applied_at_ms, client_id,
      reason, device, ruling, shaft, witness_id, judge_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
      ?20, ?21, ?22, '', ?23, ?24, ?25)
    """, key: "id")
  private static let countOperation = Query(
    "UPDATE participant SET operation_count = operation_count + 1 WHERE id = ?1")
  private static let admitOperation = Query(
    """
    UPDATE scoring_operation SET state = \(OperationRecord.State.applied.rawValue),
      replaces_id = ?2, stands_for_id = ?3, applied_at_ms = ?4
    WHERE id = ?1
    """)
  private static let putArrow = Query(
    """
    INSERT INTO scored_arrow (round_id, end_index, arrow_index, pass_index, operation_id,
      is_retracted, value, is_x, x, y, input, is_flagged, scored_at_ms, received_at_ms, shaft)
    VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    ON CONFLICT (round_id, end_index, arrow_index) DO UPDATE SET operation_id = ?5,
      is_retracted = 0, value = ?6, is_x = ?7, x = ?8,
      y = ?9, input = ?10, is_flagged = ?11, scored_at_ms = ?12, received_at_ms = ?13, shaft = ?14
    """)
  private static let emptySlot = Query(
    """
    UPDATE scored_arrow SET operation_id = ?4, is_retracted = 1, received_at_ms = ?5
    WHERE round_id = ?1 AND end_index = ?2 AND arrow_index = ?3
    """)
  private static let setFirstShot = Query("UPDATE round SET first_shot_ms = ?2 WHERE id = ?1")
  private static let countLate = Query(
    "UPDATE tournament SET late_count = late_count + ?2 WHERE id = ?1")

  /// Stores an applied operation, or marks a late one as applied; returns its id.
  ///
  /// The participant's operations are counted here if the operation stands for another one, and
  /// else by `store`, which updates the participant anyway.
  func keep(
    _ operation: ValidatedOperation, at place: ScoringPlace, replaces: Int64?, _ standsFor: Int64?,
    _ lateID: Int64?
  ) throws(StoreError) -> Int64 {
    if let lateID {
      try run(
        Self.admitOperation, .integer(lateID), .optional(replaces), .optional(standsFor),
        .integer(nowMilliseconds))
      return lateID
    }
    // A repeated record without a client_id needs no row.
    if let standsFor, operation.draft.clientID.isEmpty { return standsFor }
    // Otherwise the update of the tally counts it.
    if standsFor != nil { try run(Self.countOperation, .integer(place.participant.id)) }
    return try insert(
      operation, at: place, state: .applied, replaces: replaces, standsFor: standsFor)
  }

  /// Stores an operation on a finalised event, for its organiser to decide.
  func keepLate(
    _ operation: ValidatedOperation, at place: ScoringPlace
  ) throws(StoreError) -> ScoringOutcome {
    if let refused = place.refusalIfFull(operation.draft) { return refused }
    let session = place.participant.sessionID
    let waiting = try snapshot.tournamentHead(id: session)?.lateCount ?? 0
    guard waiting < StoreLimits.lateOperations else {
      return .refused(
        StoreError.reached(
          .lateOperations, "\(StoreLimits.lateOperations) operations already wait for the organiser"
        ))
    }
    try run(Self.countOperation, .integer(place.participant.id))
    let id = try insert(operation, at: place, state: .late, replaces: nil, standsFor: nil)
    try run(Self.countLate, .integer(session), .integer(1))
    try record(
      .created, of: .lateOperation, id: id, principal: place.owner, topic: session)
    try auditScore(operation, at: place, action: "arrow.late", before: nil, after: nil)
    return ScoringOutcome(.late, operationID: id)
  }

  /// Changes the count of late operations.
  func countLate(session: Int64, by step: Int64) throws(StoreError) {
    try run(Self.countLate, .integer(session), .integer(step))
  }

  private func insert(
    _ operation: ValidatedOperation, at place: ScoringPlace, state: OperationRecord.State,
    replaces: Int64?, standsFor: Int64?
  ) throws(StoreError) -> Int64 {
    let draft = operation.draft
    var replacesID = replaces
    var replacesClientID: [UInt8] = []
    switch draft.replaces {
    case nil: break
    case .id(let id): replacesID = replaces ?? id
    case .clientID(let clientID): replacesClientID = clientID
    }
    let score = operation.score
    let applied: SQLValue = state == .applied ? .integer(nowMilliseconds) : .null
    let values: [SQLValue] = [
      .integer(place.participant.id), .integer(place.participant.sessionID),
      .integer(caller.principal), .integer(state.rawValue), .integer(Int64(draft.kind.rawValue)),
      .integer(Int64(draft.slot.endIndex)), .integer(Int64(draft.slot.arrowIndex)),
      .optional(score.map { Int64($0.value) }), .integer(score?.isX == true ? 1 : 0),
      draft.position.map { .real($0.x) } ?? .null, draft.position.map { .real($0.y) } ?? .null,
      .integer(Int64(draft.input.rawValue)), .integer(operation.isFlagged ? 1 : 0),
      .optional(replacesID), replacesClientID.isEmpty ? .null : .blob(replacesClientID),
      .optional(standsFor), .integer(operation.scoredAtMilliseconds), .integer(nowMilliseconds),
      applied, draft.clientID.isEmpty ? .null : .blob(draft.clientID), .text(draft.reason),
      .text(draft.device), .integer(Int64(draft.shaft)),
      .integer(draft.witness?.participant ?? 0), .integer(draft.witness?.judge ?? 0),
    ]
    return try insert(Self.insertOperation, values: values, countedAs: .operationRows)
  }

  /// Writes an operation's value to its slot, and updates everything that depends on it.
  ///
  /// - Parameters:
  ///   - isNew: whether the operation has a new row, which the participant counts.
  ///   - filledBefore: how many slots of the end have arrows.
  ///   - progress: gets the arrow and the tally, which ``finish(_:)`` stores where the command has
  ///     more operations.
  func store(
    _ operation: ValidatedOperation, id: Int64, isNew: Bool, over current: ScoredArrowRecord?,
    filled filledBefore: Int, at place: ScoringPlace, _ progress: inout ScoringProgress
  ) throws(StoreError) -> ScoredArrowRecord {
    let draft = operation.draft
    let face = operation.end.pass.face
    // A correction changes the value of an arrow, not when it was shot.
    let shotAt =
      draft.kind == .record
      ? operation.scoredAtMilliseconds
      : current?.scoredAtMilliseconds ?? operation.scoredAtMilliseconds
    // Nor which shaft it is, unless the correction says so.
    let shaft =
      draft.kind == .record || draft.shaft > 0 ? draft.shaft : current?.shaft ?? draft.shaft
    let before = current.flatMap { $0.isRetracted ? nil : $0.score }
    var after = place
    let (end, index) = (Int64(draft.slot.endIndex), Int64(draft.slot.arrowIndex))
    if let score = operation.score {
      try run(
        Self.putArrow,
        values: [
          .integer(place.round), .integer(end), .integer(index),
          .integer(Int64(operation.end.passIndex)), .integer(id), .integer(Int64(score.value)),
          .integer(score.isX ? 1 : 0), draft.position.map { .real($0.x) } ?? .null,
          draft.position.map { .real($0.y) } ?? .null, .integer(Int64(draft.input.rawValue)),
          .integer(operation.isFlagged ? 1 : 0), .integer(shotAt), .integer(nowMilliseconds),
          .integer(Int64(shaft)),
        ])
      try keepFirstShot(shotAt, at: &after)
    } else {
      try run(
        Self.emptySlot, .integer(place.round), .integer(end), .integer(index), .integer(id),
        .integer(nowMilliseconds))
    }
    var tally = place.participant.tally
    // Arrows of a typed part stand beside its sums, which count with all of its ends.
    let isTyped = place.isTyped(operation.end)
    if let before, !isTyped { tally.remove(before, on: face) }
    if let score = operation.score, !isTyped { tally.add(score, on: face) }
    let filled = filledBefore + (operation.score == nil ? 0 : 1) - (before == nil ? 0 : 1)
    let change = TallyChange(
      end: draft.slot.endIndex, isFull: isTyped || filled == operation.end.arrowCount,
      wasFull: isTyped || filledBefore == operation.end.arrowCount, newOperations: isNew ? 1 : 0)
    if progress.defersTally, draft.kind == .record, place.cardState == .none {
      after.participant.tally = tally
      after.operationCount += change.newOperations
      progress.add(change)
    } else {
      try keepTally(tally, change, at: &after)
    }
    try rollUp(operation, shotAt: shotAt, over: before, at: place)
    try auditScore(
      operation, at: place, action: draft.kind.auditedAction, before: before,
      after: operation.score)
    if place.cardState != .none { try cardDidChange(operation, at: place, isLate: !isNew) }
    let arrow = ScoredArrowRecord(
      slot: draft.slot, score: operation.score ?? before ?? ArrowScore(value: 0),
      position: operation.score == nil ? current?.position : draft.position,
      input: operation.score == nil ? current?.input ?? draft.input : draft.input,
      shaft: shaft, isFlagged: operation.isFlagged, isRetracted: operation.score == nil,
      scoredAtMilliseconds: shotAt, receivedAtMilliseconds: nowMilliseconds, operationID: id,
      operationClientID: draft.clientID)
    // What depends on the card is read again.
    if place.cardState == .none { progress.note(arrow, at: after) } else { progress.forget() }
    return arrow
  }

  /// Stores the earliest time of an arrow, which decides the day of the round. Retracted arrows
  /// count too.
  private func keepFirstShot(
    _ milliseconds: Int64, at place: inout ScoringPlace
  ) throws(StoreError) {
    if let first = place.firstShotMilliseconds, first <= milliseconds { return }
    try run(Self.setFirstShot, .integer(place.round), .integer(milliseconds))
    place.firstShotMilliseconds = milliseconds
  }

  /// Updates the rollup of the pass if the round counts for a setup.
  private func rollUp(
    _ operation: ValidatedOperation, shotAt: Int64, over before: ArrowScore?,
    at place: ScoringPlace
  ) throws(StoreError) {
    guard let setup = place.setup else { return }
    let round = RolledRound(id: place.round, setupID: setup.id, setupVersion: setup.version)
    let (pass, index) = (operation.end.pass, operation.end.passIndex)
    guard before == nil, let score = operation.score else {
      return try foldRollup(of: round, pass: pass, passIndex: index)
    }
    let shot = ShotRecord(
      value: score.value, isX: score.isX,
      position: operation.draft.position.map { ShotPoint(x: $0.x, y: $0.y) },
      scoredAt: shotAt)
    try addToRollup(shot, of: round, pass: pass, passIndex: index)
  }

  /// Audits a change of a score in a tournament; other sessions have no audit rows.
  private func auditScore(
    _ operation: ValidatedOperation, at place: ScoringPlace, action: String, before: ArrowScore?,
    after: ArrowScore?
  ) throws(StoreError) {
    guard place.isTournament else { return }
    func bytes(_ score: ArrowScore?) -> [UInt8] {
      guard let score else { return [] }
      let slot = operation.draft.slot
      return Array("\(slot.endIndex).\(slot.arrowIndex)=\(score)".utf8)
    }
    try audit(
      AuditEntry(
        action: action, kind: .participant, objectID: place.participant.id,
        topic: place.participant.sessionID, before: bytes(before),
        after: bytes(after) + Array((operation.draft.witness?.auditText ?? "").utf8),
        device: operation.draft.device, reason: operation.draft.reason))
  }
}
