import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverSQLite

/// A pending or refused change.
struct OutboxRow {
  var sequence: Int64 = 0
  let objectKey: Int64
  let action: OutboxAction
  let method: MethodInfo
  var request: [UInt8]
  /// The object as created by a row that creates it.
  var draft: [UInt8]?
  var idempotencyKey: [UInt8]
  /// The revision that the request names; 0 if it depends on an earlier row.
  var baseRevision: UInt64
  var createdAtMilliseconds: Int64
  var attempts: Int64 = 0
  var state = State.waiting
  var statusCode: Int64 = 0
  var verdict = ""
  /// The server's object if it refused the change.
  var serverObject: [UInt8]?
  /// The event of a scoring row, whose `objectKey` is 0; nil for other rows.
  var eventKey: Int64?
  /// The participant of an arrow, or the guest.
  var participantKey: Int64?
  /// The server replied NOT_YET; the row is sent again when that may have changed.
  var isDeferred = false

  enum State: Int64, Sendable {
    /// The server has not received it.
    case waiting = 0
    /// The server may have received it.
    case sent = 1
    case refused = 2
    case conflict = 3
    /// The server stored it for the organiser, because the event is finalised.
    case late = 4
  }

  /// Whether the user must decide about it or be informed of it.
  var needsAttention: Bool { state.rawValue >= State.refused.rawValue }

  /// Makes the row pending again.
  mutating func release() {
    state = .waiting
    statusCode = 0
    verdict = ""
    serverObject = nil
    isDeferred = false
  }

  static let methods = Dictionary(
    (CachedKind.all.flatMap { Array($0.calls.values) } + ScoringRequest.methods
      + [
        Elimination.applyMatchOperations.info, Elimination.confirmMatchCard.info,
        Events.applyCardOperations.info, Events.confirmScoreCard.info,
      ]).map {
        ($0.id, $0)
      },
    uniquingKeysWith: { first, _ in first })
}

extension LocalTransaction {
  private static let columns = """
    o.sequence, o.object_key, o.action, o.method_id, o.request, o.draft, o.idempotency_key,
    o.base_revision, o.created_at_ms, o.attempts, o.state, o.status_code, o.verdict,
    o.server_object, o.event_key, o.participant_key, o.is_deferred
    """
  private static let bySequence = SQLText(
    "SELECT \(columns) FROM outbox o WHERE o.sequence = ?1")
  private static let ofObject = SQLText(
    "SELECT \(columns) FROM outbox o WHERE o.object_key = ?1 ORDER BY o.sequence")
  private static let inOrder = SQLText("SELECT \(columns) FROM outbox o ORDER BY o.sequence")
  private static let ofParticipant = SQLText(
    "SELECT \(columns) FROM outbox o WHERE o.participant_key = ?1 ORDER BY o.sequence")
  private static let ofEvent = SQLText(
    """
    SELECT \(columns) FROM outbox o WHERE o.event_key = ?1 AND o.participant_key IS NULL
    ORDER BY o.sequence
    """)
  private static let attentionOfEvent = SQLText(
    """
    SELECT \(columns) FROM outbox o WHERE o.event_key = ?1 AND o.state >= 2 ORDER BY o.sequence
    """)
  /// An arrow depends on its participant, a guest on the event, and a change of an object on that
  /// object's rows that need attention. The ends of a match and of a second card depend on nothing,
  /// the confirmation of a match on all ends that were entered before, and that of a score card on
  /// the ends and arrows of its participant.
  private static let next = SQLText(
    """
    SELECT \(columns) FROM outbox o WHERE o.state < 2 AND o.is_deferred = 0 AND CASE
      WHEN o.action IN (13, 15) THEN 1
      WHEN o.action = 14 THEN NOT EXISTS (
        SELECT 1 FROM outbox b
        WHERE b.object_key = o.object_key AND b.sequence < o.sequence AND b.action = 13)
      WHEN o.action = 16 THEN NOT EXISTS (
        SELECT 1 FROM outbox b
        WHERE b.object_key = o.object_key AND b.sequence < o.sequence AND b.action = 15)
        AND NOT EXISTS (
        SELECT 1 FROM participant p JOIN outbox b ON b.participant_key = p.key
        WHERE p.server_id = o.object_key + 9223372036854775807 + 1
          AND b.sequence < o.sequence AND b.action = 11)
      WHEN o.event_key IS NULL THEN NOT EXISTS (
        SELECT 1 FROM outbox b
        WHERE b.object_key = o.object_key AND b.sequence < o.sequence AND b.state >= 2)
      WHEN o.action = 8 THEN 1
      WHEN o.action = 11 THEN (SELECT is_on_server FROM participant WHERE key = o.participant_key)
      ELSE (SELECT is_on_server FROM event WHERE key = o.event_key) END
    ORDER BY o.sequence LIMIT ?1
    """)
  private static let count = SQLText("SELECT count(*) FROM outbox")
  private static let insert = SQLText(
    """
    INSERT INTO outbox(object_key, action, method_id, request, draft, idempotency_key,
      base_revision, created_at_ms, attempts, state, status_code, verdict, server_object,
      event_key, participant_key, is_deferred)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
    """)
  private static let update = SQLText(
    """
    UPDATE outbox SET object_key = ?1, action = ?2, method_id = ?3, request = ?4, draft = ?5,
      idempotency_key = ?6, base_revision = ?7, created_at_ms = ?8, attempts = ?9, state = ?10,
      status_code = ?11, verdict = ?12, server_object = ?13, event_key = ?14,
      participant_key = ?15, is_deferred = ?16
    WHERE sequence = ?17
    """)
  private static let delete = SQLText("DELETE FROM outbox WHERE sequence = ?1")

  func outboxRow(_ sequence: Int64) throws(SessionError) -> OutboxRow? {
    try first(Self.bySequence, .integer(sequence), map: Self.outboxRow) ?? nil
  }

  /// The rows of an object, in order.
  func outboxRows(of key: Int64) throws(SessionError) -> [OutboxRow] {
    try all(Self.ofObject, .integer(key), map: Self.outboxRow).compactMap(\.self)
  }

  /// All rows, in sending order.
  func outboxRows() throws(SessionError) -> [OutboxRow] {
    try all(Self.inOrder, map: Self.outboxRow).compactMap(\.self)
  }

  /// The rows of a participant's arrows, and the one that adds a guest, in order.
  func outboxRows(ofParticipant key: Int64) throws(SessionError) -> [OutboxRow] {
    try all(Self.ofParticipant, .integer(key), map: Self.outboxRow).compactMap(\.self)
  }

  /// The rows of an event that concern no single participant, in order.
  func outboxRows(ofEvent key: Int64) throws(SessionError) -> [OutboxRow] {
    try all(Self.ofEvent, .integer(key), map: Self.outboxRow).compactMap(\.self)
  }

  /// The rows of an event that need attention, in order.
  func rowsNeedingAttention(ofEvent key: Int64) throws(SessionError) -> [OutboxRow] {
    try all(Self.attentionOfEvent, .integer(key), map: Self.outboxRow).compactMap(\.self)
  }

  /// The next rows to send: one row, or consecutive operations at the front, at most `limit` of
  /// them.
  func nextOutboxRows(limit: Int) throws(SessionError) -> [OutboxRow] {
    guard let first = try first(Self.next, .integer(1), map: Self.outboxRow) ?? nil else {
      return []
    }
    guard first.action == .score else { return [first] }
    let rows = try all(Self.next, .integer(Int64(limit)), map: Self.outboxRow)
    return Array(
      rows.compactMap(\.self).prefix { $0.action == .score && $0.method.id == first.method.id })
  }

  func outboxRowCount() throws(SessionError) -> Int64 {
    try first(Self.count) { $0.int64(0) } ?? 0
  }

  func save(_ row: inout OutboxRow) throws(SessionError) {
    note(row)
    let values: [LocalValue] = [
      .integer(row.objectKey), .integer(row.action.rawValue), .integer(Int64(row.method.id)),
      .blob(row.request), .optional(row.draft), .blob(row.idempotencyKey),
      .integer(Int64(clamping: row.baseRevision)), .integer(row.createdAtMilliseconds),
      .integer(row.attempts), .integer(row.state.rawValue), .integer(row.statusCode),
      .text(row.verdict), .optional(row.serverObject), .optional(row.eventKey),
      .optional(row.participantKey), .flag(row.isDeferred),
    ]
    if row.sequence == 0 {
      try run(Self.insert, values)
      row.sequence = connection.lastInsertedRowID
    } else {
      try run(Self.update, values + [.integer(row.sequence)])
    }
  }

  func delete(_ row: OutboxRow) throws(SessionError) {
    note(row)
    try run(Self.delete, .integer(row.sequence))
  }

  private func note(_ row: OutboxRow) {
    note(.outbox)
    if let match = row.match { note(.match(match)) }
    if let card = row.cardParticipant { note(.secondCard(card)) }
    guard let event = row.eventKey, let participant = row.participantKey else { return }
    note(.participant(LocalID(rawValue: participant), in: LocalID(rawValue: event)))
  }

  private static func outboxRow(_ row: Statement) -> OutboxRow? {
    guard let action = OutboxAction(rawValue: row.int64(2)),
      let method = OutboxRow.methods[UInt32(clamping: row.int64(3))]
    else { return nil }
    var result = OutboxRow(
      objectKey: row.int64(1), action: action, method: method, request: row.bytes(4),
      draft: row.isNull(5) ? nil : row.bytes(5), idempotencyKey: row.bytes(6),
      baseRevision: UInt64(clamping: row.int64(7)), createdAtMilliseconds: row.int64(8))
    result.sequence = row.int64(0)
    result.attempts = row.int64(9)
    result.state = OutboxRow.State(rawValue: row.int64(10)) ?? .sent
    result.statusCode = row.int64(11)
    result.verdict = row.text(12)
    result.serverObject = row.isNull(13) ? nil : row.bytes(13)
    result.eventKey = row.isNull(14) ? nil : row.int64(14)
    result.participantKey = row.isNull(15) ? nil : row.int64(15)
    result.isDeferred = row.int64(16) != 0
    return result
  }
}
