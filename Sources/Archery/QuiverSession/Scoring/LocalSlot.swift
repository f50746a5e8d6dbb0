import QuiverAPI
import QuiverRules
import QuiverSQLite

/// The server's last state of one slot.
struct LocalSlot {
  let slot: ArrowSlot
  /// Nil if the arrow was retracted.
  var score: ArrowScore?
  var x: Double?
  var y: Double?
  var isFlagged = false
  /// The number of the arrow's shaft, from 1; nil: not known.
  var shaft: Int?
  /// The operation that the next one must replace.
  var head: OperationName

  init(slot: ArrowSlot, score: ArrowScore?, head: OperationName) {
    self.slot = slot
    self.score = score
    self.head = head
  }

  init(_ arrow: ScoredArrow) {
    slot = ArrowSlot(endIndex: Int(arrow.endIndex), arrowIndex: Int(arrow.arrowIndex))
    score =
      arrow.retracted ? nil : ArrowScore(value: Int(arrow.value), isX: arrow.isX)
    x = arrow.x
    y = arrow.y
    isFlagged = arrow.flagged
    shaft = arrow.shaft == 0 ? nil : Int(arrow.shaft)
    head = OperationName(id: arrow.operationID, clientID: arrow.operationClientID)
  }
}

/// An operation by its server id, its client_id, or both.
struct OperationName: Hashable, Sendable {
  /// 0 if it is not known.
  var id: Int64
  /// Empty if it has none.
  var clientID: [UInt8]

  /// Makes an operation replace this one.
  func put(into operation: inout ScoringOperation) {
    if clientID.isEmpty {
      operation.replacesID = id
    } else {
      operation.replacesClientID = clientID
    }
  }
}

extension LocalTransaction {
  private static let columns =
    "end_index, arrow_index, value, is_x, x, y, is_flagged, head_id, head_client_id, shaft"
  private static let ofParticipant = SQLText(
    "SELECT \(columns) FROM slot WHERE participant_key = ?1")
  private static let put = SQLText(
    "INSERT OR REPLACE INTO slot VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
  private static let clear = SQLText("DELETE FROM slot WHERE participant_key = ?1")

  private static let delete = SQLText(
    "DELETE FROM slot WHERE participant_key = ?1 AND end_index = ?2 AND arrow_index = ?3")

  /// Deletes the state of a slot.
  func forget(_ slot: ArrowSlot, of participant: Int64) throws(SessionError) {
    try note(participant: participant)
    try run(
      Self.delete, .integer(participant), .integer(Int64(slot.endIndex)),
      .integer(Int64(slot.arrowIndex)))
  }

  func slots(of participant: Int64) throws(SessionError) -> [LocalSlot] {
    try all(Self.ofParticipant, .integer(participant), map: Self.slot)
  }

  func save(_ slot: LocalSlot, of participant: Int64) throws(SessionError) {
    try note(participant: participant)
    try run(
      Self.put, .integer(participant), .integer(Int64(slot.slot.endIndex)),
      .integer(Int64(slot.slot.arrowIndex)), .optional(slot.score.map { Int64($0.value) }),
      .flag(slot.score?.isX == true), .optional(slot.x), .optional(slot.y),
      .flag(slot.isFlagged), .integer(slot.head.id), .key(slot.head.clientID),
      .optional(slot.shaft.map { Int64($0) }))
  }

  /// Replaces a participant's slots with those of the server's scorecard.
  func take(_ arrows: [ScoredArrow], of participant: Int64) throws(SessionError) {
    try note(participant: participant)
    try run(Self.clear, .integer(participant))
    for arrow in arrows { try save(LocalSlot(arrow), of: participant) }
  }

  private func note(participant key: Int64) throws(SessionError) {
    guard let event = try eventKey(ofParticipant: key) else { return }
    note(.participant(LocalID(rawValue: key), in: LocalID(rawValue: event)))
  }

  private static func slot(_ row: Statement) -> LocalSlot {
    let slot = ArrowSlot(
      endIndex: Int(clamping: row.int64(0)), arrowIndex: Int(clamping: row.int64(1)))
    let score =
      row.isNull(2) ? nil : ArrowScore(value: Int(clamping: row.int64(2)), isX: row.int64(3) != 0)
    var result = LocalSlot(
      slot: slot, score: score, head: OperationName(id: row.int64(7), clientID: row.bytes(8)))
    result.x = row.isNull(4) ? nil : row.double(4)
    result.y = row.isNull(5) ? nil : row.double(5)
    result.isFlagged = row.int64(6) != 0
    result.shaft = row.isNull(9) ? nil : Int(clamping: row.int64(9))
    return result
  }
}
