import QuiverRules

/// Reads the sessions of events.
extension Snapshot {
  private static let columns = """
    s.id, s.event_id, s.revision, s.starts_at_ms, s.first_target, s.last_target,
    s.archers_per_target, s.draw_seed, s.drawn_at_ms, s.name,
    (SELECT count(*) FROM event_entry e WHERE e.event_id = s.event_id AND e.session_id = s.id)
      + (SELECT count(*) FROM event_round_place l
        WHERE l.event_id = s.event_id AND l.session_id = s.id), s.round, s.blocked_places,
    s.wheelchair_targets
    """
  private static let byID = Query("SELECT \(columns) FROM event_session s WHERE s.id = ?1")
  private static let content = Query(
    """
    SELECT first_target, last_target, archers_per_target, starts_at_ms, name, round,
      blocked_places, wheelchair_targets
    FROM event_session WHERE id = ?1 AND event_id = ?2
    """)
  private static let ofEvent = Query(
    """
    SELECT \(columns) FROM event_session s WHERE s.event_id = ?1 ORDER BY s.starts_at_ms, s.id
    """)

  /// A session of an event; throws `notFound`.
  func eventSession(
    id: Int64, of event: Int64, field: String = "session_id"
  ) throws(StoreError) -> EventSessionRecord {
    let found = try first(Self.byID, .integer(id)) { row in EventSessionRecord(row) }
    guard let found, found.event == event else {
      throw StoreError(.notFound, "there is no such session of this event", field: field)
    }
    return found
  }

  /// The fields of a session of an event, without a count of its entries; throws `notFound`.
  @discardableResult
  func eventSessionContent(
    id: Int64, of event: Int64, field: String = "session_id"
  ) throws(StoreError) -> EventSessionContent {
    let found = try first(Self.content, .integer(id), .integer(event)) { row in
      var content = EventSessionContent()
      content.firstTarget = UInt32(clamping: row.int64(0))
      content.lastTarget = UInt32(clamping: row.int64(1))
      content.archersPerTarget = UInt32(clamping: row.int64(2))
      content.startsAtMilliseconds = row.int64(3)
      content.name = row.text(4)
      content.round = UInt32(clamping: row.int64(5))
      content.places = SessionPlaces(blocked: row.text(6), wheelchairs: row.text(7))
      return content
    }
    guard let found else {
      throw StoreError(.notFound, "there is no such session of this event", field: field)
    }
    return found
  }

  /// The sessions of an event that the principal may see, by their start; nil is a spectator.
  package func eventSessions(
    event: Int64, principal: Int64?
  ) throws(StoreError) -> [EventSessionRecord] {
    _ = try visibleTournament(id: event, principal: principal)
    return try all(Self.ofEvent, .integer(event)) { row in EventSessionRecord(row) }
  }
}

extension EventSessionRecord {
  fileprivate init(_ row: Row) {
    id = row.int64(0)
    event = row.int64(1)
    revision = row.uint64(2)
    var content = EventSessionContent()
    content.startsAtMilliseconds = row.int64(3)
    content.firstTarget = UInt32(clamping: row.int64(4))
    content.lastTarget = UInt32(clamping: row.int64(5))
    content.archersPerTarget = UInt32(clamping: row.int64(6))
    content.name = row.text(9)
    content.round = UInt32(clamping: row.int64(11))
    content.places = SessionPlaces(blocked: row.text(12), wheelchairs: row.text(13))
    self.content = content
    drawSeed = UInt64(bitPattern: row.int64(7))
    drawnAtMilliseconds = row.int64(8)
    entryCount = row.int64(10)
  }
}

extension EventSessionContent {
  func validated() throws(StoreError) -> EventSessionContent {
    var content = self
    content.name = try EventText.checked(
      name, length: TextLimits.nameLength, field: "session.name")
    guard !content.name.isEmpty else { throw .invalid("session.name", "must not be blank") }
    guard startsAtMilliseconds >= 0 else {
      throw .invalid("session.starts_at_ms", "must not be negative")
    }
    guard (1...StoreLimits.targetNumber).contains(firstTarget) else {
      throw .invalid("session.first_target", "must be from 1 to \(StoreLimits.targetNumber)")
    }
    guard lastTarget >= firstTarget, lastTarget <= StoreLimits.targetNumber,
      lastTarget - firstTarget < StoreLimits.targetsPerSession
    else {
      throw .invalid(
        "session.last_target",
        "must not be before first_target, and at most \(StoreLimits.targetsPerSession) targets")
    }
    guard (1...UInt32(TargetDraw.archersPerTarget)).contains(archersPerTarget) else {
      throw .invalid(
        "session.archers_per_target", "must be from 1 to \(TargetDraw.archersPerTarget)")
    }
    guard (1...UInt32(StoreLimits.roundsPerCategory)).contains(round) else {
      throw .invalid("session.round", "must be from 1 to \(StoreLimits.roundsPerCategory)")
    }
    return content
  }
}

/// Adds a session to an event, or changes one.
package struct PutEventSession: Command {
  private let id: Int64
  private let event: Int64
  private let revision: UInt64
  private let content: EventSessionContent

  private static let insert = Query(
    """
    INSERT INTO event_session (event_id, revision, starts_at_ms, first_target, last_target,
      archers_per_target, draw_seed, drawn_at_ms, name, round)
    VALUES (?1, 1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7)
    """, key: "id")
  private static let update = Query(
    """
    UPDATE event_session SET revision = revision + 1, starts_at_ms = ?2, first_target = ?3,
      last_target = ?4, archers_per_target = ?5, name = ?6, round = ?7
    WHERE id = ?1
    """)
  private static let count = Query("SELECT count(*) FROM event_session WHERE event_id = ?1")
  private static let outside = Query(
    """
    SELECT count(*) FROM event_entry
    WHERE event_id = ?5 AND session_id = ?1 AND target > 0
      AND (target < ?2 OR target > ?3 OR letter >= ?4)
    """)
  private static let laterOutside = Query(
    """
    SELECT count(*) FROM event_round_place
    WHERE event_id = ?5 AND session_id = ?1 AND target > 0
      AND (target < ?2 OR target > ?3 OR letter >= ?4)
    """)

  /// `revision` is that of the changed session; a new one has the id 0.
  package init(
    _ id: Int64, of event: Int64, revision: UInt64, _ content: EventSessionContent
  ) throws(StoreError) {
    guard id == 0 || revision > 0 else {
      throw .invalid("session.revision", "must be the revision that was read, from 1")
    }
    self.id = id
    self.event = event
    self.revision = revision
    self.content = try content.validated()
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventSessionRecord {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let values: [SQLValue] = [
      .integer(content.startsAtMilliseconds), .integer(Int64(content.firstTarget)),
      .integer(Int64(content.lastTarget)), .integer(Int64(content.archersPerTarget)),
      .text(content.name), .integer(Int64(content.round)),
    ]
    guard id != 0 else {
      let count = try transaction.snapshot.first(Self.count, .integer(event)) { row in
        row.int64(0)
      }
      guard count ?? 0 < StoreLimits.sessionsPerEvent else {
        throw StoreError.reached(
          .sessionsPerEvent, "one event may have \(StoreLimits.sessionsPerEvent) sessions")
      }
      let new = try transaction.insert(Self.insert, values: [.integer(event)] + values)
      return try finish(new, head, .created, transaction)
    }
    let before = try transaction.snapshot.eventSession(id: id, of: event, field: "session.id")
    guard before.revision == revision else {
      throw StoreError(
        .aborted,
        "it was changed since revision \(revision); it is at \(before.revision)",
        field: "session.revision")
    }
    var content = content
    content.places = before.content.places
    guard before.content != content else { return before }
    let outside = try transaction.snapshot.first(
      before.content.round == 1 ? Self.outside : Self.laterOutside, .integer(id),
      .integer(Int64(content.firstTarget)),
      .integer(Int64(content.lastTarget)), .integer(Int64(content.archersPerTarget)),
      .integer(event)
    ) { row in row.int64(0) }
    guard outside ?? 0 == 0 else {
      throw StoreError(
        .failedPrecondition,
        "\(outside ?? 0) entries have places outside of these targets; move them first",
        field: "session.last_target")
    }
    try check(before, transaction)
    try transaction.run(Self.update, values: [.integer(id)] + values)
    return try finish(id, head, .updated, transaction)
  }

  /// Throws if entries of the session would be in two sessions of a round, or in a round before
  /// an earlier one.
  private func check(
    _ before: EventSessionRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard content.round == before.content.round || before.entryCount == 0 else {
      throw StoreError(
        .failedPrecondition,
        "\(before.entryCount) entries shoot round \(before.content.round) in it; move them to "
          + "another session first", field: "session.round")
    }
    guard content.startsAtMilliseconds != before.content.startsAtMilliseconds,
      before.entryCount > 0
    else { return }
    var filter = Snapshot.EntryFilter()
    filter.session = id
    for entry in try transaction.snapshot.eventEntries(event: event, filter, limit: .max) {
      try transaction.checkOrder(
        of: try transaction.entry(entry.participant), in: id, content,
        field: "session.starts_at_ms")
    }
  }

  private func finish(
    _ id: Int64, _ head: TournamentHead, _ change: JournalEntry.Change,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventSessionRecord {
    try transaction.record(
      change, of: .eventSession, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.session", after: "\(id)")
    return try transaction.snapshot.eventSession(id: id, of: event)
  }
}

/// Deletes a session without entries.
package struct DeleteEventSession: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let event: Int64
  private let expected: UInt64

  private static let delete = Query("DELETE FROM event_session WHERE id = ?1")
  private static let deleteLeases = Query(
    "DELETE FROM event_lease WHERE event_id = ?1 AND session_id = ?2")

  /// `expected` is the revision that was read; 0: any.
  package init(_ id: Int64, of event: Int64, expected: UInt64 = 0) {
    self.id = id
    self.event = event
    self.expected = expected
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let session = try transaction.snapshot.eventSession(id: id, of: event)
    guard session.entryCount == 0 else {
      throw StoreError(
        .failedPrecondition,
        "it has \(session.entryCount) entries; move them to another session first",
        field: "session_id")
    }
    try session.check(hasRevision: expected)
    try transaction.run(Self.delete, .integer(id))
    try transaction.run(Self.deleteLeases, .integer(event), .integer(id))
    try transaction.record(
      .deleted, of: .eventSession, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.session", before: "\(id)")
  }
}
