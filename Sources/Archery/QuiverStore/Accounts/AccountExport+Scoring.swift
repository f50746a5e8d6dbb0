/// The part of an export that belongs to sessions and events: sessions with their notes and
/// conditions, events that the principal organises, and what it ruled in them.
///
/// Scorecards include the entries of own events.
extension Snapshot {
  private static let sessions = Query(
    """
    SELECT id FROM shooting_session WHERE principal_id = ?1 AND is_tournament = 0 AND id > ?2
    ORDER BY id LIMIT ?3
    """)
  private static let tournaments = Query(
    "SELECT id FROM tournament WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
  private static let rulings = Query(
    joiningInOrder: """
      SELECT t.id, \(operationColumns) FROM tournament t
      CROSS JOIN scoring_operation o ON o.session_id = t.id AND o.ruling <> ''
      WHERE t.principal_id = ?1 AND t.id >= ?2 AND (t.id > ?2 OR o.id > ?3)
      ORDER BY t.id, o.id LIMIT ?4
      """)

  func exportedSessions(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.sessions, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for id in ids {
      let record = try session(.id(id), principal: principal)
      rows.append(ExportRow(place: ExportPlace(.sessions, id: id), item: .session(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  func exportedTournaments(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.tournaments, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    for id in ids {
      let record = try tournament(id: id, principal: principal)
      rows.append(ExportRow(place: ExportPlace(.tournaments, id: id), item: .tournament(record)))
    }
    return rows
  }

  /// The place of a ruling is its event instead of a version, and the id of the operation.
  func exportedRulings(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    try all(
      Self.rulings, .integer(principal), .integer(place.version), .integer(place.id),
      .integer(limit)
    ) { (row) throws(StoreError) in
      let operation = try OperationRecord(row, from: 1)
      return ExportRow(
        place: ExportPlace(.rulings, id: operation.id, version: row.int64(0)),
        item: .ruling(operation))
    }
  }
}
