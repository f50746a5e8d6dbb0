import QuiverRules

/// Reads arrows and the operations that set them.
extension Snapshot {
  private static let arrowColumns = """
    a.end_index, a.arrow_index, a.value, a.is_x, a.x, a.y, a.input, a.is_flagged, a.is_retracted,
    a.scored_at_ms, a.received_at_ms, a.operation_id, o.client_id, a.shaft
    """
  private static let ofEnd = Query(
    """
    SELECT \(arrowColumns) FROM scored_arrow a
    LEFT JOIN scoring_operation o ON o.id = a.operation_id
    WHERE a.round_id = ?1 AND a.end_index = ?2 ORDER BY a.arrow_index
    """)
  private static let ofRound = Query(
    """
    SELECT \(arrowColumns) FROM scored_arrow a
    LEFT JOIN scoring_operation o ON o.id = a.operation_id
    WHERE a.round_id = ?1 AND a.is_retracted = 0 ORDER BY a.end_index, a.arrow_index
    """)
  private static let filledOfEnd = Query(
    """
    SELECT count(*) FROM scored_arrow
    WHERE round_id = ?1 AND end_index = ?2 AND is_retracted = 0
    """)
  static let operationColumns = """
    o.id, o.client_id, o.participant_id, o.principal_id, o.state, o.kind, o.end_index,
    o.arrow_index, o.value, o.is_x, o.x, o.y, o.input, o.is_flagged, o.replaces_id,
    o.replaces_client_id, o.stands_for_id, o.scored_at_ms, o.received_at_ms, o.reason, o.device,
    o.ruling, o.shaft, \(CorrectionWitness.columns)
    """
  private static let byClientID = Query(
    """
    SELECT \(operationColumns) FROM scoring_operation o
    WHERE o.client_id = ?1 AND o.principal_id = ?2
    """)
  private static let byClientIDAndParticipant = Query(
    """
    SELECT \(operationColumns) FROM scoring_operation o
    WHERE o.client_id = ?1 AND o.participant_id = ?2
    ORDER BY o.principal_id <> ?3, o.id LIMIT 1
    """)
  private static let operationByID = Query(
    "SELECT \(operationColumns) FROM scoring_operation o WHERE o.id = ?1")
  private static let ofParticipant = Query(
    """
    SELECT \(operationColumns) FROM scoring_operation o
    WHERE o.participant_id = ?1 ORDER BY o.id LIMIT \(StoreLimits.operationsPerParticipant)
    """)

  /// The arrows of one end, also those that were retracted.
  func arrows(round: Int64, end: Int) throws(StoreError) -> [ScoredArrowRecord] {
    try all(Self.ofEnd, .integer(round), .integer(Int64(end)), map: ScoredArrowRecord.init)
  }

  /// The arrows of all slots of a round, by slot.
  func arrows(round: Int64) throws(StoreError) -> [ScoredArrowRecord] {
    try all(Self.ofRound, .integer(round), map: ScoredArrowRecord.init)
  }

  /// The number of filled slots of an end.
  func filledCount(round: Int64, end: Int) throws(StoreError) -> Int {
    Int(
      clamping: try first(Self.filledOfEnd, .integer(round), .integer(Int64(end))) { row in
        row.int64(0)
      } ?? 0)
  }

  /// The operation that the principal made with the client_id, or nil. A client_id is unique per
  /// principal, whichever participant the operation is for.
  func operation(clientID: [UInt8], of principal: Int64) throws(StoreError) -> OperationRecord? {
    try first(Self.byClientID, .blob(clientID), .integer(principal)) {
      (row) throws(StoreError) in try OperationRecord(row)
    }
  }

  /// The operation on the participant with the client_id, or nil. Where several principals made one
  /// with that client_id, the operation of `principal` comes first, then the earliest.
  func operation(
    clientID: [UInt8], participant: Int64, preferring principal: Int64
  ) throws(StoreError) -> OperationRecord? {
    try first(
      Self.byClientIDAndParticipant, .blob(clientID), .integer(participant), .integer(principal)
    ) { (row) throws(StoreError) in try OperationRecord(row) }
  }

  /// The operation with this id; nil if there is none.
  func operation(id: Int64) throws(StoreError) -> OperationRecord? {
    try first(Self.operationByID, .integer(id)) {
      (row) throws(StoreError) in try OperationRecord(row)
    }
  }

  /// All stored operations on a participant, in commit order.
  func operations(participant: Int64) throws(StoreError) -> [OperationRecord] {
    try all(Self.ofParticipant, .integer(participant)) {
      (row) throws(StoreError) in try OperationRecord(row)
    }
  }

  /// A participant's scorecard; throws `notFound` if the principal may not see it.
  package func scorecard(
    _ reference: ObjectReference, principal: Int64, withHistory: Bool
  ) throws(StoreError) -> ScorecardRecord {
    guard let id = try objectID(reference, kind: .participant, principal: principal),
      let place = try scoringPlace(participant: id), try sees(place, principal: principal),
      let round = try round(ofParticipant: id)
    else { throw Self.unknownParticipant }
    let reader: NameReader =
      place.event == nil
      ? .member : try nameReader(event: place.participant.sessionID, principal: principal)
    return ScorecardRecord(
      round: round.shown(to: reader), format: try format(id: place.formatID),
      arrows: try arrows(round: round.id),
      history: withHistory
        ? try operations(participant: id).map { $0.shown(to: reader) } : [],
      sequence: try lastSequence())
  }
}

/// One participant's round with its arrows.
package struct ScorecardRecord: Sendable {
  package let round: RoundRecord
  package let format: RoundFormatRecord

  /// By slot, without retracted arrows.
  package internal(set) var arrows: [ScoredArrowRecord]
  package internal(set) var history: [OperationRecord]

  /// The latest commit that it includes; 0 in an export, where the page has this number.
  package internal(set) var sequence: Int64
}

extension ScoredArrowRecord {
  fileprivate init(_ row: Row) {
    slot = ArrowSlot(
      endIndex: Int(clamping: row.int64(0)), arrowIndex: Int(clamping: row.int64(1)))
    score = ArrowScore(value: Int(clamping: row.int64(2)), isX: row.bool(3))
    position = row.isNull(4) ? nil : ArrowPosition(x: row.double(4), y: row.double(5))
    input = InputMode(rawValue: row.int32(6)) ?? .buttons
    isFlagged = row.bool(7)
    isRetracted = row.bool(8)
    scoredAtMilliseconds = row.int64(9)
    receivedAtMilliseconds = row.int64(10)
    operationID = row.int64(11)
    operationClientID = row.bytes(12)
    shaft = Int(clamping: row.int64(13))
  }

  /// The slot's state, as the scoring rules take it.
  var state: SlotState<Int64> {
    SlotState(score: isRetracted ? nil : score, head: operationID)
  }
}

extension OperationRecord {
  /// Reads the columns of `Snapshot.operationColumns`, which start at the given column.
  init(_ row: Row, from first: Int32 = 0) throws(StoreError) {
    guard let state = State(rawValue: row.int64(first + 4)),
      let kind = OperationKind(rawValue: row.int32(first + 5))
    else { throw StoreError(.dataLoss, "a stored operation is none") }
    id = row.int64(first)
    clientID = row.bytes(first + 1)
    participant = row.int64(first + 2)
    principal = row.int64(first + 3)
    self.state = state
    self.kind = kind
    slot = ArrowSlot(
      endIndex: Int(clamping: row.int64(first + 6)), arrowIndex: Int(clamping: row.int64(first + 7))
    )
    score =
      row.isNull(first + 8)
      ? nil : ArrowScore(value: Int(clamping: row.int64(first + 8)), isX: row.bool(first + 9))
    position =
      row.isNull(first + 10)
      ? nil : ArrowPosition(x: row.double(first + 10), y: row.double(first + 11))
    input = InputMode(rawValue: row.int32(first + 12)) ?? .buttons
    isFlagged = row.bool(first + 13)
    replacesID = row.optionalInt64(first + 14)
    replacesClientID = row.bytes(first + 15)
    standsForID = row.optionalInt64(first + 16)
    scoredAtMilliseconds = row.int64(first + 17)
    receivedAtMilliseconds = row.int64(first + 18)
    reason = row.text(first + 19)
    device = row.text(first + 20)
    ruling = row.text(first + 21)
    shaft = Int(clamping: row.int64(first + 22))
    witness = CorrectionWitness(row, from: first + 23)
  }
}
