import QuiverRules

/// Formats, sessions with their notes and conditions, events that the principal organises, the
/// cards of its participants, and what it ruled. The entries of own events are participants of the
/// organiser.
extension ExportSection {
  private static let participants = Query(
    "SELECT id FROM participant WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
  private static let history = Query(
    """
    SELECT \(Snapshot.operationColumns) FROM scoring_operation o
    WHERE o.participant_id = ?1 AND o.id > ?2 ORDER BY o.id
    """)

  static let formats = ExportSection(16, of: "round_format", where: "AND is_listed = 1") {
    (snapshot, _, place) throws(StoreError) in
    .format(try snapshot.format(id: place.id))
  }

  static let sessions = ExportSection(
    20, of: "shooting_session", where: "AND is_tournament = 0"
  ) { (snapshot, principal, place) throws(StoreError) in
    .session(try snapshot.session(.id(place.id), principal: principal))
  }

  static let tournaments = ExportSection(21, of: "tournament") {
    (snapshot, principal, place) throws(StoreError) in
    .tournament(try snapshot.tournament(id: place.id, principal: principal))
  }

  /// The place of a card whose history continues has the last operation instead of a version.
  static let scorecards = ExportSection(number: 22) {
    (snapshot, principal, after, limit) throws(StoreError) in
    let ids = try snapshot.all(
      participants, .integer(principal), .integer(after.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows = ExportRows()
    // A card whose history continues comes before the next one.
    var (id, operation) = (after.id, after.version)
    var following = ids[...]
    while Int64(rows.items.count) < limit, !rows.exceedPage {
      if operation == 0 {
        guard let next = following.popFirst() else { break }
        id = next
      }
      let card: ScorecardRecord
      (card, operation) = try snapshot.exportedCard(id, principal, history, after: operation)
      rows.append(.scorecard(card), at: ExportPlace(22, id: id, version: operation))
    }
    return rows
  }

  /// The place of a ruling is its event instead of a version, and the id of the operation.
  static let rulings = ExportSection(
    23,
    Query(
      joiningInOrder: """
        SELECT t.id, o.id FROM tournament t
        CROSS JOIN scoring_operation o ON o.session_id = t.id AND o.ruling <> ''
        WHERE t.principal_id = ?1 AND t.id >= ?2 AND (t.id > ?2 OR o.id > ?3)
        ORDER BY t.id, o.id LIMIT ?4
        """)
  ) { (snapshot, _, place) throws(StoreError) in
    try snapshot.operation(id: place.id).map { .ruling($0) }
  }

  /// Corrections on the cards of others to which the principal agreed, as an archer or as a judge.
  static let agreements = ExportSection(
    47,
    ids: Query(
      """
      SELECT o.id FROM participant p
      JOIN scoring_operation o ON o.witness_id = p.id AND o.witness_id > 0
      JOIN participant c ON c.id = o.participant_id AND c.principal_id <> ?1
      WHERE p.principal_id = ?1 AND o.id > ?2
      UNION SELECT o.id FROM scoring_operation o
      JOIN participant c ON c.id = o.participant_id AND c.principal_id <> ?1
      WHERE o.judge_id = ?1 AND o.judge_id > 0 AND o.id > ?2 ORDER BY 1 LIMIT ?3
      """)
  ) { (snapshot, _, place) throws(StoreError) in
    try snapshot.operation(id: place.id).map { .ruling($0.asAgreed) }
  }
}

extension Snapshot {
  /// A scorecard with its arrows and the first part of its history, or with the part that follows
  /// an operation; and the last operation of the part, 0 after the last part.
  fileprivate func exportedCard(
    _ id: Int64, _ principal: Int64, _ query: Query, after operation: Int64
  ) throws(StoreError) -> (ScorecardRecord, Int64) {
    var card = try scorecard(.id(id), principal: principal, withHistory: false)
    card.sequence = 0
    if operation > 0 { card.arrows = [] }
    var byteCount = 0
    var isWhole = true
    var history: [OperationRecord] = []
    try session.walk(query, [.integer(id), .integer(operation)]) { (row) throws(StoreError) in
      isWhole = byteCount < StoreLimits.exportedHistoryByteCount
      guard isWhole else { return false }
      let record = try OperationRecord(row)
      byteCount += record.byteCount
      history.append(record)
      return true
    }
    card.history = history
    return (card, isWhole ? 0 : history.last?.id ?? 0)
  }
}
