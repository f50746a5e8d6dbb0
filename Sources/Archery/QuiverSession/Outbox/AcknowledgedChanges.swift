import QuiverAPI
import QuiverRPC
import QuiverSQLite

/// Changes of events that the server has acknowledged, kept for ``SessionLimits/acknowledgedTime``:
/// if its database is set back to an earlier time, they are sent to it again.
extension LocalTransaction {
  private static let columns =
    "sequence, action, method_id, request, created_at_ms, event_key, participant_key"
  private static let insert = SQLText(
    """
    INSERT INTO acknowledged(action, method_id, request, created_at_ms, event_key,
      participant_key, acknowledged_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """)
  private static let expire = SQLText(
    "DELETE FROM acknowledged WHERE sequence <= ?1 OR acknowledged_at_ms < ?2")
  private static let inOrder = SQLText("SELECT \(columns) FROM acknowledged ORDER BY sequence")
  private static let count = SQLText("SELECT count(*) FROM acknowledged")
  private static let delete = SQLText("DELETE FROM acknowledged WHERE sequence = ?1")

  /// Keeps a row of an event that the server has acknowledged, and removes what was kept too long.
  func acknowledge(_ row: OutboxRow, limits: SessionLimits) throws(SessionError) {
    guard let event = row.eventKey else { return }
    let now = WallClock.nowMilliseconds()
    try run(
      Self.insert, .integer(row.action.rawValue), .integer(Int64(row.method.id)),
      .blob(row.request), .integer(row.createdAtMilliseconds), .integer(event),
      .optional(row.participantKey), .integer(now))
    try expireAcknowledged(before: connection.lastInsertedRowID, limits: limits)
  }

  private func expireAcknowledged(
    before sequence: Int64, limits: SessionLimits
  ) throws(SessionError) {
    // A time of any length is one that can be subtracted.
    let seconds = min(max(limits.acknowledgedTime.components.seconds, -1), 1 << 40)
    let oldest = WallClock.nowMilliseconds() - seconds * 1_000
    try run(Self.expire, .integer(sequence - limits.maxAcknowledgedRows), .integer(oldest))
  }

  /// The acknowledged rows in the order of their answers.
  func acknowledgedRows() throws(SessionError) -> [OutboxRow] {
    try all(Self.inOrder) { (row: Statement) -> OutboxRow? in
      guard let action = OutboxAction(rawValue: row.int64(1)),
        let method = OutboxRow.methods[UInt32(clamping: row.int64(2))]
      else { return nil }
      var result = OutboxRow(
        objectKey: 0, action: action, method: method, request: row.bytes(3), idempotencyKey: [],
        baseRevision: 0, createdAtMilliseconds: row.int64(4))
      result.sequence = row.int64(0)
      result.eventKey = row.int64(5)
      result.participantKey = row.isNull(6) ? nil : row.int64(6)
      return result
    }.compactMap(\.self)
  }

  /// Whether the file has rows that wait, or that the server has acknowledged.
  func hasRows() throws(SessionError) -> Bool {
    if try outboxRowCount() > 0 { return true }
    return try first(Self.count) { $0.int64(0) } ?? 0 > 0
  }

  /// Removes acknowledged rows that another database has now.
  func deleteAcknowledged(_ rows: [OutboxRow]) throws(SessionError) {
    for row in rows { try run(Self.delete, .integer(row.sequence)) }
  }

  /// The events with acknowledged rows that are not older than ``SessionLimits/acknowledgedTime``.
  func acknowledgedEvents(_ limits: SessionLimits) throws(SessionError) -> [OrphanedEvent] {
    try expireAcknowledged(before: 0, limits: limits)
    return try orphanedEvents(of: acknowledgedRows(), areAcknowledged: true)
  }
}

extension OfflineSession {
  /// Sends again what earlier databases of the server had acknowledged and the current one lacks.
  ///
  /// Does so once for each database and process; what cannot be sent because the current database
  /// lacks its event stays with the orphaned changes.
  func sendAcknowledged(to store: LocalStore) async throws(SessionError) {
    guard withState({ $0.completed != store.identity }) else { return }
    for identity in try await directory.former(fingerprint) {
      guard identity != store.identity, identity.principalID == store.identity.principalID,
        await directory.hasStore(identity)
      else { continue }
      do throws(SessionError) {
        guard try await sendAcknowledged(of: identity, to: store) else { return }
      } catch {
        // A file that cannot be used must not keep what waits from being sent.
        if error.isTransient { throw error }
      }
    }
    withState { $0.completed = store.identity }
  }

  /// Returns false if the outbox is full: the rest is sent later.
  private func sendAcknowledged(
    of identity: StoreIdentity, to store: LocalStore
  ) async throws(SessionError) -> Bool {
    let former = try await LocalStore.open(identity, in: directory, limits: configuration.limits)
    let isDone: Bool
    let hasRows: Bool
    do throws(SessionError) {
      isDone = try await sendAcknowledged(of: former, to: store)
      hasRows = try await former.read { (transaction) throws(SessionError) in
        try transaction.hasRows()
      }
    } catch {
      await former.close()
      throw error
    }
    await former.close()
    if !hasRows { try await directory.removeStore(identity) }
    signal.send([.orphanedChanges, .outbox])
    return isDone
  }

  private func sendAcknowledged(
    of former: LocalStore, to store: LocalStore
  ) async throws(SessionError) -> Bool {
    let events = try await former.write { (transaction) throws(SessionError) in
      try transaction.acknowledgedEvents(former.limits)
    }
    for event in events {
      try await fetchOrphaned(event, store)
      do throws(SessionError) {
        try await Self.move([], [event], from: former, to: store)
      } catch {
        guard error.code == .full else { throw error }
        return false
      }
    }
    return true
  }
}
