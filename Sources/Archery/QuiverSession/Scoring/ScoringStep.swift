import QuiverAPI
import QuiverRules
import QuiverSQLite

/// An entry on this device that can be undone.
struct ScoringStep {
  var sequence: Int64 = 0
  let participant: Int64
  let slot: ArrowSlot
  /// The operation's client_id.
  let operation: [UInt8]
  /// The operation that it replaced; empty if none.
  let replaced: [UInt8]
  /// The score before it; nil for an open slot.
  let before: ArrowScore?

  init(
    participant: Int64, slot: ArrowSlot, operation: [UInt8], replaced: [UInt8],
    before: ArrowScore?
  ) {
    self.participant = participant
    self.slot = slot
    self.operation = operation
    self.replaced = replaced
    self.before = before
  }
}

extension LocalTransaction {
  private static let last = SQLText(
    """
    SELECT sequence, participant_key, end_index, arrow_index, operation, replaced, value, is_x
    FROM scoring_step WHERE event_key = ?1 ORDER BY sequence DESC LIMIT 1
    """)
  private static let insert = SQLText(
    """
    INSERT INTO scoring_step(event_key, participant_key, end_index, arrow_index, operation,
      replaced, value, is_x) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)
  private static let trim = SQLText(
    """
    DELETE FROM scoring_step WHERE event_key = ?1 AND sequence <= (
      SELECT sequence FROM scoring_step WHERE event_key = ?1
      ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
    """)
  private static let rename = SQLText(
    "UPDATE scoring_step SET operation = ?3 WHERE event_key = ?1 AND operation = ?2")
  private static let rebuild = SQLText(
    """
    UPDATE scoring_step SET operation = ?3, replaced = ?4, value = ?5, is_x = ?6
    WHERE event_key = ?1 AND operation = ?2
    """)
  private static let renameReplaced = SQLText(
    "UPDATE scoring_step SET replaced = ?3 WHERE event_key = ?1 AND replaced = ?2")
  private static let delete = SQLText("DELETE FROM scoring_step WHERE sequence = ?1")

  func lastStep(of event: Int64) throws(SessionError) -> ScoringStep? {
    try first(Self.last, .integer(event)) { row in
      let before =
        row.isNull(6)
        ? nil : ArrowScore(value: Int(clamping: row.int64(6)), isX: row.int64(7) != 0)
      var step = ScoringStep(
        participant: row.int64(1),
        slot: ArrowSlot(
          endIndex: Int(clamping: row.int64(2)), arrowIndex: Int(clamping: row.int64(3))),
        operation: row.bytes(4), replaced: row.bytes(5), before: before)
      step.sequence = row.int64(0)
      return step
    }
  }

  /// Stores a step; above the limit the oldest steps are deleted.
  func add(
    _ step: ScoringStep, to event: Int64, limits: SessionLimits
  ) throws(SessionError) {
    try run(
      Self.insert, .integer(event), .integer(step.participant),
      .integer(Int64(step.slot.endIndex)), .integer(Int64(step.slot.arrowIndex)),
      .blob(step.operation), .blob(step.replaced), .optional(step.before.map { Int64($0.value) }),
      .flag(step.before?.isX == true))
    try run(Self.trim, .integer(event), .integer(limits.maxUndoSteps))
  }

  /// After an operation restored the state of another one, steps refer to it.
  func restep(_ event: Int64, from former: [UInt8], to operation: [UInt8]) throws(SessionError) {
    try run(Self.rename, .integer(event), .blob(former), .blob(operation))
  }

  /// After an operation was replaced by another one over `before`, its step refers to the new one,
  /// and so do the steps that depend on it.
  func restep(
    _ event: Int64, from former: [UInt8], to operation: ScoringOperation, before: ArrowScore?
  ) throws(SessionError) {
    try run(
      Self.rebuild, .integer(event), .blob(former), .blob(operation.clientID),
      .blob(operation.replacesClientID), .optional(before.map { Int64($0.value) }),
      .flag(before?.isX == true))
    try run(
      Self.renameReplaced, .integer(event), .blob(former), .blob(operation.clientID))
  }

  func deleteStep(_ sequence: Int64) throws(SessionError) {
    try run(Self.delete, .integer(sequence))
  }
}
