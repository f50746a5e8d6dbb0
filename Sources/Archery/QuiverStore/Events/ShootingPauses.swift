import QuiverRules

/// A time in which nobody shoots at an event. Arrows that were shot before are entered meanwhile:
/// no command on scores asks for it.
package struct ShootingPauseRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let reason: String
  package let startedAtMilliseconds: Int64
  package let startedByName: String
  package let startedByRole: EventRole
  /// Nil: it has not ended.
  package let endedAtMilliseconds: Int64?
  /// Empty: it has not ended.
  package let endedByName: String
}

/// Reads pauses.
extension Snapshot {
  private static let columns = """
    b.id, b.event_id, b.started_at_ms, b.started_by, coalesce(s.display_name, ''), b.started_role,
    b.ended_at_ms, b.ended_by, coalesce(e.display_name, ''), b.reason
    """
  private static let tables = """
    event_pause b LEFT JOIN principal s ON s.id = b.started_by
    LEFT JOIN principal e ON e.id = b.ended_by
    """
  private static let byID = Query("SELECT \(columns) FROM \(tables) WHERE b.id = ?1")
  private static let ofEvent = Query(
    "SELECT \(columns) FROM \(tables) WHERE b.event_id = ?1 ORDER BY b.id DESC LIMIT ?2")
  /// A pause that must exist.
  func pause(id: Int64) throws(StoreError) -> ShootingPauseRecord {
    let found = try first(Self.byID, .integer(id)) { (row) throws(StoreError) in
      try ShootingPauseRecord(row)
    }
    guard let found else { throw StoreError(.dataLoss, "the pause of an event is not there") }
    return found
  }

  /// The pauses of an event, newest first, without an access check.
  package func pauses(event: Int64) throws(StoreError) -> [ShootingPauseRecord] {
    try all(Self.ofEvent, .integer(event), .integer(StoreLimits.pausesPerEvent)) {
      (row) throws(StoreError) in try ShootingPauseRecord(row)
    }
  }
}

extension ShootingPauseRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let role = EventRole(rawValue: row.int32(5)) else {
      throw StoreError(.dataLoss, "a stored role is none")
    }
    id = row.int64(0)
    event = row.int64(1)
    startedAtMilliseconds = row.int64(2)
    startedByName = row.text(4).isEmpty ? "Archer \(row.int64(3))" : row.text(4)
    startedByRole = role
    let end = row.int64(6)
    endedAtMilliseconds = end == 0 ? nil : end
    // Nobody ends the pause of an event that the erasure of its organiser closes.
    let name = row.text(8).isEmpty ? "Archer \(row.int64(7))" : row.text(8)
    endedByName = end == 0 || row.int64(7) == 0 ? "" : name
    reason = row.text(9)
  }
}

/// Notes that nobody shoots at an event from now on; by an organiser or a judge.
package struct PauseShooting: Command {
  /// An organiser whose quota is full can still pause: the number of pauses has a limit of its own.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let reason: String

  private static let count = Query("SELECT count(*) FROM event_pause WHERE event_id = ?1")
  private static let insert = Query(
    """
    INSERT INTO event_pause (event_id, started_at_ms, started_by, started_role, ended_at_ms,
      ended_by, reason)
    VALUES (?1, ?2, ?3, ?4, 0, 0, ?5)
    """, key: "id")
  private static let note = Query("UPDATE tournament SET pause_id = ?2 WHERE id = ?1")

  /// Validates the reason.
  package init(_ event: Int64, reason: String) throws(StoreError) {
    self.event = event
    self.reason = try EventText.line(reason, length: TextLimits.nameLength, field: "reason")
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ShootingPauseRecord {
    let head = try transaction.event(event, for: [.judge])
    try transaction.check(head, [.inProgress], field: "tournament_id")
    guard head.pause == 0 else {
      throw StoreError(
        .failedPrecondition, "the shooting is paused already; resume it first",
        field: "tournament_id")
    }
    let count = try transaction.snapshot.first(Self.count, .integer(event)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.pausesPerEvent else {
      throw StoreError.reached(
        .pausesPerEvent, "one event may have \(StoreLimits.pausesPerEvent) pauses")
    }
    let caller = transaction.caller.principal
    guard let role = try transaction.snapshot.role(of: caller, in: head) else {
      throw StoreError(.internalError, "an official has no role")
    }
    let id = try transaction.insert(
      Self.insert,
      values: [
        .integer(event), .integer(transaction.nowMilliseconds), .integer(caller),
        .integer(Int64(role.rawValue)), .text(reason),
      ])
    try transaction.run(Self.note, .integer(event), .integer(id))
    try transaction.record(
      .created, of: .eventPause, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.pause", after: "\(id)", reason: reason)
    return try transaction.snapshot.pause(id: id)
  }
}

/// Ends the pause of the shooting at an event; by an organiser or a judge.
package struct ResumeShooting: Command {
  package static var storesContent: Bool { false }

  private let event: Int64
  private let expected: Int64

  private static let note = Query("UPDATE tournament SET pause_id = 0 WHERE id = ?1")

  /// `pause` is the one that was read; 0: any.
  package init(_ event: Int64, pause: Int64 = 0) {
    self.event = event
    expected = pause
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ShootingPauseRecord {
    var head = try transaction.event(event, for: [.judge])
    guard head.pause != 0 else {
      try transaction.check(head, [.inProgress], field: "tournament_id")
      throw StoreError(
        .failedPrecondition, "the shooting is not paused", field: "tournament_id")
    }
    let id = head.pause
    guard expected == 0 || expected == id else {
      throw .changed(
        since: "pause_id", "the pause", .pause(try transaction.snapshot.pause(id: id)))
    }
    try transaction.endPause(of: &head)
    try transaction.run(Self.note, .integer(event))
    return try transaction.snapshot.pause(id: id)
  }
}

extension Transaction {
  private static let end = Query(
    "UPDATE event_pause SET ended_at_ms = ?2, ended_by = ?3 WHERE id = ?1")

  /// Ends the pause of the shooting at an event, if there is one. The caller stores the event.
  func endPause(of head: inout TournamentHead) throws(StoreError) {
    guard head.pause != 0 else { return }
    try run(
      Self.end, .integer(head.pause), .integer(nowMilliseconds), .integer(caller.principal))
    try record(
      .updated, of: .eventPause, id: head.pause, principal: head.organiser, topic: head.id)
    try auditEvent(head.id, "event.resume", before: "\(head.pause)")
    head.pause = 0
  }
}
