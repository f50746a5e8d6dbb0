import QuiverRules

/// Reads participants without an access check: the callers check access.
extension Snapshot {
  /// The columns of `ParticipantRecord`, for a table with the alias `p`.
  static let participantColumns = """
    p.id, p.session_id, p.client_id, p.kind, p.principal_id, p.scorer_id, p.status,
    p.display_name, p.joined_at_ms, p.last_active_at_ms, p.next_end, p.total, p.x_count,
    p.gold_count, p.arrow_count, p.ends_completed, p.n0, p.n1, p.n2, p.n3, p.n4, p.n5, p.n6,
    p.n7, p.n8, p.n9, p.n10, p.n11, p.missing_counts, p.typed_passes, p.public_name
    """

  /// The number of these columns: the index of the first column after them.
  static let participantColumnCount: Int32 = 31

  private static let byID = Query(
    "SELECT \(participantColumns) FROM participant p WHERE p.id = ?1")
  private static let ofSession = Query(
    """
    SELECT \(participantColumns) FROM participant p
    WHERE p.session_id = ?1 AND p.id > ?2 ORDER BY p.id LIMIT ?3
    """)
  private static let ofPrincipal = Query(
    """
    SELECT \(participantColumns) FROM participant p
    WHERE p.session_id = ?1 AND p.id > ?2 AND p.id IN (
      SELECT id FROM participant WHERE principal_id = ?4 AND session_id = ?1
      UNION SELECT id FROM participant WHERE session_id = ?1 AND scorer_id = ?4 AND scorer_id <> 0)
    ORDER BY p.id LIMIT ?3
    """)

  /// A participant; nil if there is none with this id.
  package func participant(id: Int64) throws(StoreError) -> ParticipantRecord? {
    try first(Self.byID, .integer(id)) { (row) throws(StoreError) in try ParticipantRecord(row) }
  }

  /// Participants of a session by id, after the given one.
  func participants(
    session: Int64, after id: Int64 = 0, limit: Int64
  ) throws(StoreError) -> [ParticipantRecord] {
    try all(Self.ofSession, .integer(session), .integer(id), .integer(limit)) {
      (row) throws(StoreError) in try ParticipantRecord(row)
    }
  }

  /// Those who are the principal, whom it added, or whom it scores by assignment.
  func participants(
    session: Int64, ofPrincipal principal: Int64, after id: Int64 = 0, limit: Int64
  ) throws(StoreError) -> [ParticipantRecord] {
    try all(
      Self.ofPrincipal, .integer(session), .integer(id), .integer(limit), .integer(principal)
    ) { (row) throws(StoreError) in try ParticipantRecord(row) }
  }

  static var unknownParticipant: StoreError {
    StoreError(.notFound, "there is no such participant")
  }
}

extension ParticipantRecord {
  /// Reads the columns of `Snapshot.participantColumns`.
  init(_ row: Row) throws(StoreError) {
    guard let kind = Kind(rawValue: row.int32(3)),
      let status = ParticipantStatus(rawValue: row.int32(6))
    else { throw StoreError(.dataLoss, "a stored participant is none") }
    id = row.int64(0)
    sessionID = row.int64(1)
    clientID = row.bytes(2)
    self.kind = kind
    principal = row.int64(4)
    scorer = row.int64(5)
    self.status = status
    displayName = row.text(7)
    joinedAtMilliseconds = row.int64(8)
    lastActiveAtMilliseconds = row.int64(9)
    nextEnd = Int(clamping: row.int64(10))
    let firstCount: Int32 = 16
    tally = ScoreTally(
      total: Int(clamping: row.int64(11)), xCount: Int(clamping: row.int64(12)),
      goldCount: Int(clamping: row.int64(13)), arrowCount: Int(clamping: row.int64(14)),
      endsCompleted: Int(clamping: row.int64(15)),
      counts: (0..<Int32(ScoreTally.valueCount)).map { Int(clamping: row.int64(firstCount + $0)) },
      missing: MissingCounts(rawValue: UInt32(clamping: row.int64(28))))
    typedPasses = PassSet(rawValue: UInt32(clamping: row.int64(29)))
    publicName = row.text(30)
  }
}

extension Transaction {
  private static let insertParticipant = Query(
    """
    INSERT INTO participant (session_id, kind, principal_id, scorer_id, client_id, status,
      display_name, joined_at_ms, last_active_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, \(ParticipantStatus.active.rawValue), ?6, ?7, ?7)
    """, key: "id")
  private static let insertRound = Query(
    """
    INSERT INTO round (participant_id, session_id, principal_id, format_id, setup_id,
      setup_version, status, revision, bowstyle)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(RoundStatus.planned.rawValue), 1,
      coalesce(?7, coalesce((SELECT bowstyle FROM principal WHERE id = ?3), 0)))
    """)

  /// Adds a participant with a PLANNED round; returns the participant's id.
  func insertParticipant(_ draft: ParticipantDraft) throws(StoreError) -> Int64 {
    let id = try insert(
      Self.insertParticipant, .integer(draft.session), .integer(Int64(draft.kind.rawValue)),
      .integer(draft.principal), .integer(draft.scorer),
      draft.clientID.isEmpty ? .null : .blob(draft.clientID), .text(draft.name),
      .integer(nowMilliseconds))
    let owner = draft.kind == .user ? draft.principal : 0
    try run(
      Self.insertRound, .integer(id), .integer(draft.session), .integer(owner),
      .integer(draft.format), .optional(draft.setup?.id), .optional(draft.setup?.version),
      .optional(draft.bow.map { Int64($0.rawValue) }))
    if !draft.clientID.isEmpty {
      try keep(
        clientID: draft.clientID, kind: .participant, id: id, contentHash: draft.contentHash)
    }
    return id
  }

  /// The version of the caller's setup that a request names; nil if it names none.
  func setupVersion(
    _ setup: SetupChoice?
  ) throws(StoreError) -> (id: Int64, version: Int64)? {
    guard let setup else { return nil }
    let record = try snapshot.bowSetup(
      setup.reference, version: setup.version, principal: caller.principal)
    return (record.id, record.version)
  }
}

/// A participant to add.
struct ParticipantDraft {
  let session: Int64
  let format: Int64
  let kind: ParticipantRecord.Kind
  let principal: Int64
  var scorer: Int64 = 0
  let name: String
  var clientID: [UInt8] = []
  var contentHash: [UInt8] = []
  var setup: (id: Int64, version: Int64)?

  /// Of a user; nil: the profile's.
  var bow: BowDivision?
}

/// The setup that a request names for a round.
package struct SetupChoice: Sendable, Equatable {
  let reference: ObjectReference
  let version: Int64

  /// A `version` of 0 is the latest.
  package init(_ reference: ObjectReference, version: Int64 = 0) {
    self.reference = reference
    self.version = version
  }
}
