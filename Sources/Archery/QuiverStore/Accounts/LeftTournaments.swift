import QuiverRules

/// Gives each event of a deleted organiser to a co-organiser or a scorer, or closes it.
///
/// The co-organiser with the lowest id whose account is active becomes the organiser, without one
/// the scorer. Without either, an open event is cancelled, and one in progress is finalised, so
/// that its scores count for the archers. Its name is removed in either case.
enum LeftTournaments {
  /// An event counts as so many rows, since closing it changes its participants.
  private static let rowsPerEvent: Int64 = 16

  private static let events = Query(
    "SELECT id FROM tournament WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
  private static let successor = Query(
    """
    SELECT s.principal_id
    FROM (
      SELECT principal_id, 1 AS place FROM event_official
      WHERE event_id = ?1 AND role = \(EventRole.organiser.rawValue)
      UNION ALL
      SELECT principal_id, 2 AS place FROM tournament_scorer WHERE tournament_id = ?1
    ) AS s JOIN principal p ON p.id = s.principal_id
    WHERE s.principal_id <> ?2 AND p.disabled_at_ms IS NULL AND p.deleted_at_ms IS NULL
    ORDER BY s.place, s.principal_id LIMIT 1
    """)
  private static let statements = [
    Query(
      """
      INSERT INTO erased_event (session_id, principal_id) VALUES (?2, ?1)
      ON CONFLICT DO NOTHING
      """),
    ErasureStep.word("name", "tournament"),
    ErasureStep.clientObject("shooting_session"),
    Query(
      """
      UPDATE shooting_session SET notes = '', place = '', weather = 0, wind = 0, light = 0,
        client_id = NULL
      WHERE id = ?2 AND principal_id = ?1
      """),
  ]
  private static let scoredEvents = Query(
    """
    SELECT tournament_id FROM tournament_scorer WHERE principal_id = ?1
    ORDER BY tournament_id LIMIT ?2
    """)
  private static let release = Query(
    "UPDATE participant SET scorer_id = 0 WHERE session_id = ?2 AND scorer_id = ?1")
  private static let dismiss = Query(
    "DELETE FROM tournament_scorer WHERE tournament_id = ?2 AND principal_id = ?1")

  @Sendable static func slice(
    _ transaction: borrowing Transaction, _ place: ErasurePlace
  ) throws(StoreError) -> ErasureProgress {
    let limit = StoreLimits.erasedRowsPerCommand / rowsPerEvent
    let ids = try transaction.snapshot.all(
      events, .integer(place.principal), .integer(place.position), .integer(limit)
    ) { row in row.int64(0) }
    for id in ids { try leave(id, by: place.principal, transaction) }
    var count = ids.count
    if ids.count < limit {
      count += try dismissals(of: place.principal, limit: limit, transaction)
    }
    return ErasureProgress(
      position: ids.last ?? place.position, isDone: count < limit,
      rowCount: Int64(count) * rowsPerEvent)
  }

  /// The participants that the principal scored are no longer assigned.
  private static func dismissals(
    of principal: Int64, limit: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Int {
    let ids = try transaction.snapshot.all(
      scoredEvents, .integer(principal), .integer(limit)
    ) { row in row.int64(0) }
    for id in ids {
      try transaction.run(release, .integer(principal), .integer(id))
      try transaction.run(dismiss, .integer(principal), .integer(id))
      if let head = try transaction.snapshot.tournamentHead(id: id) {
        try transaction.recordEvent(id, organiser: head.organiser, .updated)
      }
    }
    return ids.count
  }

  private static func leave(
    _ id: Int64, by principal: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let before = try transaction.head(id)
    for statement in statements {
      try transaction.run(statement, .integer(principal), .integer(id))
    }
    var head = before
    head.name = "Tournament \(id)"
    let next = try transaction.snapshot.first(successor, .integer(id), .integer(principal)) {
      row in row.int64(0)
    }
    if let next {
      _ = try transaction.replace(before, with: head, "tournament.update")
      try transaction.give(event: id, from: principal, to: next)
      return
    }
    switch head.status {
    case .open:
      try transaction.cancelRounds(ofEvent: id)
      head.status = .cancelled
    case .inProgress:
      try transaction.completeRounds(ofEvent: id)
      head.status = .completed
      head.finalisedAtMilliseconds = head.finalisedAtMilliseconds ?? transaction.nowMilliseconds
    case .completed, .cancelled: break
    }
    head.isPaused = false
    _ = try transaction.replace(before, with: head, "tournament.close")
  }
}

extension Transaction {
  private static let giveTournament = Query(
    "UPDATE tournament SET principal_id = ?2, revision = revision + 1 WHERE id = ?1")
  private static let giveSession = Query(
    "UPDATE shooting_session SET principal_id = ?2 WHERE id = ?1")
  private static let removeRole = Query(
    "DELETE FROM event_official WHERE event_id = ?1 AND principal_id = ?2")
  private static let countTournament = Query(
    """
    INSERT INTO scoring_count (principal_id, formats, sessions, tournaments) VALUES (?1, 0, 0, ?2)
    ON CONFLICT (principal_id) DO UPDATE SET tournaments = scoring_count.tournaments + ?2
    """)
  private static let countUsage = Query(
    """
    INSERT INTO usage (principal_id, rows, bytes) VALUES (?1, ?2, ?3)
    ON CONFLICT (principal_id) DO UPDATE SET rows = usage.rows + excluded.rows,
      bytes = usage.bytes + excluded.bytes
    """)

  /// The rows of an event that count for its organiser through another table, whose triggers
  /// therefore do not notice a change of the organiser.
  private static let dependentKeys: [(String, String)] = [
    ("participant", "session_id"), ("tournament_scorer", "tournament_id"),
    ("status_change", "session_id"),
  ]
  private static let dependentRows: [Query] =
    (dependentKeys
    + EventRows.ofOrganiser.map { ($0, "event_id") }).map { name, key in
      let table = CountedTable.counted.first { $0.name == name }
      func text(_ length: (String) -> String) -> String {
        let texts = table?.texts.map { " + coalesce(\(length($0)), 0)" }.joined() ?? ""
        return """
          SELECT count(*), coalesce(sum(\(table?.fixedBytes ?? 0)\(texts)), 0)
          FROM \(name) WHERE \(key) = ?1
          """
      }
      return Query(
        text { "length(CAST(\($0) AS BLOB))" }, postgreSQL: text { "octet_length(\($0))" })
    }

  /// Makes another principal the organiser of an event.
  ///
  /// The principal's number of events may exceed the limit by this one. A role that it had in the
  /// event is removed.
  func give(event id: Int64, from old: Int64, to new: Int64) throws(StoreError) {
    try run(Self.removeRole, .integer(id), .integer(new))
    for query in Self.dependentRows {
      let sums = try snapshot.first(query, .integer(id)) { row in
        (rows: row.int64(0), bytes: row.int64(1))
      }
      guard let sums else { continue }
      try run(Self.countUsage, .integer(old), .integer(-sums.rows), .integer(-sums.bytes))
      try run(Self.countUsage, .integer(new), .integer(sums.rows), .integer(sums.bytes))
    }
    try run(Self.giveTournament, .integer(id), .integer(new))
    try run(Self.giveSession, .integer(id), .integer(new))
    try run(Self.countTournament, .integer(old), .integer(-1))
    try run(Self.countTournament, .integer(new), .integer(1))
    try recordEvent(id, organiser: new, .updated)
    try auditEvent(id, "tournament.transfer", before: "\(old)", after: "\(new)")
  }
}
