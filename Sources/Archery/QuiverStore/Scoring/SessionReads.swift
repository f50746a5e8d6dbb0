import QuiverRules

/// Reads sessions and rounds.
extension Snapshot {
  private static let columns = """
    s.id, s.client_id, s.is_tournament, s.notes, s.created_at_ms, s.format_id,
    \(ShootingConditions.columns)
    """
  private static let byID = Query(
    "SELECT \(columns) FROM shooting_session s WHERE s.id = ?1 AND s.principal_id = ?2")
  private static let own = Query(
    """
    SELECT \(columns) FROM shooting_session s
    WHERE s.principal_id = ?1 AND s.is_tournament = 0 AND s.id < ?2 ORDER BY s.id DESC LIMIT ?3
    """)
  private static let all = Query(
    """
    SELECT \(columns) FROM shooting_session s
    WHERE s.id < ?2 AND s.id IN (
      SELECT id FROM shooting_session WHERE principal_id = ?1 AND is_tournament = 0
      UNION SELECT session_id FROM participant WHERE principal_id = ?1)
    ORDER BY s.id DESC LIMIT ?3
    """)
  private static let rounds = Query(
    """
    SELECT \(participantColumns), r.id, r.status, r.setup_id, r.setup_version, r.revision,
      r.started_at_ms, r.completed_at_ms, r.bowstyle, r.shoot_status
    FROM participant p JOIN round r ON r.participant_id = p.id
    WHERE p.session_id = ?1 AND (?2 = 0 OR p.principal_id = ?2) AND (?3 = 0 OR p.id = ?3)
    ORDER BY p.id LIMIT \(StoreLimits.roundsPerSessionShown)
    """)
  private static let round = Query(
    """
    SELECT \(participantColumns), r.id, r.status, r.setup_id, r.setup_version, r.revision,
      r.started_at_ms, r.completed_at_ms, r.bowstyle, r.shoot_status
    FROM participant p JOIN round r ON r.participant_id = p.id
    WHERE p.id = ?1
    """)

  /// A session of the principal; throws `notFound`.
  package func session(
    _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> SessionRecord {
    let id = try objectID(reference, kind: .session, principal: principal)
    let head = try id.flatMap { (id) throws(StoreError) in
      try first(Self.byID, .integer(id), .integer(principal), map: SessionHead.init)
    }
    guard let head else { throw Self.unknownSession }
    return try record(head, principal: principal)
  }

  /// A page of the principal's sessions, newest first; optionally with the tournaments in which it
  /// or one of its guests takes part.
  package func sessions(
    principal: Int64, includesTournaments: Bool, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<SessionRecord> {
    let token = PageToken(
      scope: [.text("sessions"), .integer(principal), .integer(includesTournaments ? 1 : 0)])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? Int64.max
    let size = StoreLimits.pageSize(pageSize)
    let heads = try all(
      includesTournaments ? Self.all : Self.own, .integer(principal), .integer(before),
      .integer(size + 1), map: SessionHead.init)
    let page = token.page(heads, size: size, key: pageTokenKey) { $0.id }
    var records: [SessionRecord] = []
    for head in page.items { records.append(try record(head, principal: principal)) }
    return Page(items: records, nextPageToken: page.nextPageToken)
  }

  /// The round of a participant; nil if there is no such participant.
  func round(ofParticipant id: Int64) throws(StoreError) -> RoundRecord? {
    try first(Self.round, .integer(id)) { (row) throws(StoreError) in try RoundRecord(row) }
  }

  private func record(
    _ head: SessionHead, principal: Int64
  ) throws(StoreError) -> SessionRecord {
    let rounds = try all(
      Self.rounds, .integer(head.id), .integer(head.isTournament ? principal : 0), .integer(0)
    ) { (row) throws(StoreError) in try RoundRecord(row) }
    return SessionRecord(
      id: head.id, clientID: head.clientID, isTournament: head.isTournament, notes: head.notes,
      conditions: head.conditions, createdAtMilliseconds: head.createdAt,
      format: try format(id: head.format), rounds: rounds)
  }

  static var unknownSession: StoreError { StoreError(.notFound, "there is no such session") }
}

/// A session without its format and rounds.
private struct SessionHead: Sendable {
  let id: Int64
  let clientID: [UInt8]
  let isTournament: Bool
  let notes: String
  let createdAt: Int64
  let format: Int64
  let conditions: ShootingConditions

  init(_ row: Row) {
    id = row.int64(0)
    clientID = row.bytes(1)
    isTournament = row.bool(2)
    notes = row.text(3)
    createdAt = row.int64(4)
    format = row.int64(5)
    conditions = ShootingConditions(row, from: 6)
  }
}

extension RoundRecord {
  /// Reads a participant's columns and then those of its round.
  fileprivate init(_ row: Row) throws(StoreError) {
    let first = Snapshot.participantColumnCount
    guard let status = RoundStatus(rawValue: row.int32(first + 1)) else {
      throw StoreError(.dataLoss, "a stored round is none")
    }
    participant = try ParticipantRecord(row)
    id = row.int64(first)
    self.status = status
    setupID = row.int64(first + 2)
    setupVersion = row.int64(first + 3)
    revision = row.uint64(first + 4)
    startedAtMilliseconds = row.optionalInt64(first + 5)
    completedAtMilliseconds = row.optionalInt64(first + 6)
    bow = BowDivision(rawValue: row.int32(first + 7))
    shootStatus = ShootStatus(rawValue: row.int32(first + 8))
  }
}
