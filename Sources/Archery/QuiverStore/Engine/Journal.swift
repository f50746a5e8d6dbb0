/// One row of the change journal, which watches read.
package struct JournalEntry: Sendable, Equatable {
  /// The commit sequence, above 0, in the order of commits: without gaps in SQLite, and a
  /// ``JournalPosition`` in PostgreSQL.
  package let sequence: Int64

  /// Whose object changed.
  package let principal: Int64

  /// What the object belongs to beyond its owner, such as a tournament's id; 0 is nothing.
  package let topic: Int64

  package let kind: ObjectKind
  package let objectID: Int64
  package let change: Change
  package let atMilliseconds: Int64

  /// What happened to the object.
  package enum Change: Int64, Sendable {
    case created = 1
    case updated = 2
    case deleted = 3
  }
}

/// The kind of a stored object. The numbers are stored and never change their meaning.
package struct ObjectKind: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let principal = ObjectKind(rawValue: 1)
  package static let token = ObjectKind(rawValue: 2)
  package static let invite = ObjectKind(rawValue: 3)
  package static let preference = ObjectKind(rawValue: 4)
  package static let actingGrant = ObjectKind(rawValue: 5)
  package static let certificateBinding = ObjectKind(rawValue: 6)

  /// An invitation to read what a user shares; a share is a grant.
  package static let shareInvite = ObjectKind(rawValue: 7)

  /// An item of equipment of any type.
  package static let equipment = ObjectKind(rawValue: 16)
  package static let bowSetup = ObjectKind(rawValue: 17)
  package static let sightMark = ObjectKind(rawValue: 18)

  package static let roundFormat = ObjectKind(rawValue: 32)
  package static let session = ObjectKind(rawValue: 33)

  /// An archer in a session, with its arrows.
  package static let participant = ObjectKind(rawValue: 34)

  /// The status and setup of a round.
  package static let round = ObjectKind(rawValue: 35)
  package static let tournament = ObjectKind(rawValue: 36)

  /// An operation that waits for the organiser.
  package static let lateOperation = ObjectKind(rawValue: 37)

  /// The membership or status of a participant; `participant` stands for its scores.
  package static let membership = ObjectKind(rawValue: 38)

  /// The structure of an event: its categories, its sessions, and its officials and those who hold
  /// leases by principal.
  package static let eventCategory = ObjectKind(rawValue: 39)
  package static let eventSession = ObjectKind(rawValue: 40)
  package static let eventOfficial = ObjectKind(rawValue: 41)

  /// An elimination stage, and a match of one with its cards.
  package static let eventStage = ObjectKind(rawValue: 42)
  package static let eventMatch = ObjectKind(rawValue: 43)

  /// A notice of an event, and a pause of its shooting. No standings show them.
  package static let eventNotice = ObjectKind(rawValue: 44)
  package static let eventPause = ObjectKind(rawValue: 45)

  /// A call from a target. No standings show it.
  package static let targetCall = ObjectKind(rawValue: 46)

  package static let weightEntry = ObjectKind(rawValue: 48)
  package static let weightPlan = ObjectKind(rawValue: 49)
  package static let liftSet = ObjectKind(rawValue: 50)

  /// Many lift sets at once; the object is their principal.
  package static let strengthLog = ObjectKind(rawValue: 52)

  /// Whether a change of it may end somebody's permission to see its event: the event itself, a
  /// role, a lease, or a session, whose leases end with it.
  package var changesAccess: Bool {
    self == .tournament || self == .eventOfficial || self == .eventSession
  }
}

/// Where a row of the journal of PostgreSQL is.
///
/// It is the number of its transaction (`pg_current_xact_id()`) times ``perTransaction`` and its
/// place in it. Transactions get their numbers before they commit, so that a row can become visible
/// behind rows with greater numbers. Readers therefore take only rows of transactions below the
/// oldest one that runs (`pg_snapshot_xmin`), the horizon: nothing that is committed later can
/// appear there. Positions grow and have gaps.
///
/// Only positions of rows are handed out, never the horizon: after a crash PostgreSQL assigns the
/// numbers of transactions again whose end was not on the disk, and those of rows that can be read
/// are.
enum JournalPosition {
  /// Rows that one transaction may have.
  static let perTransaction: Int64 = 1 << 20

  /// The row of `meta` with the first sequence that was not removed.
  static let startName = "journal_start"

  /// Up to where the snapshot of a statement shows the store: the end of its own transaction, if
  /// that has changed something, or of the latest one that had ended.
  ///
  /// Unlike the horizon it is no bound for readers of the journal: earlier transactions may run.
  /// Nobody has seen the end of these, so no caller depends on them.
  static let frontier = Query(
    onlyPostgreSQL: """
      SELECT (1 + coalesce(
          CAST(CAST(pg_current_xact_id_if_assigned() AS text) AS bigint),
          CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint) - 1))
        * \(perTransaction) - 1
      """)

  /// The same for a snapshot of a replica that shows the position ?1; where it does not, an error
  /// (22012) that ends the transaction, so that nothing is read in it.
  static let frontierBehind = Query(
    onlyPostgreSQL: """
      SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)
        * \(perTransaction) - 1 / CASE WHEN journal_horizon() > ?1 THEN 1 ELSE 0 END
      """)
}

extension Snapshot {
  private static let last = Query(
    "SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1",
    postgreSQL: """
      SELECT coalesce(
        (SELECT max(sequence) FROM journal WHERE sequence < journal_horizon()),
        (SELECT CAST(convert_from(value, 'UTF8') AS bigint) - 1
          FROM meta WHERE name = '\(JournalPosition.startName)'))
      """)
  private static let first = Query(
    "SELECT sequence FROM journal ORDER BY sequence LIMIT 1",
    postgreSQL: "SELECT value FROM meta WHERE name = '\(JournalPosition.startName)'")
  private static let after = Query(
    """
    SELECT sequence, principal_id, topic, kind, object_id, change, at_ms
    FROM journal WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """,
    postgreSQL: """
      SELECT sequence, principal_id, topic, kind, object_id, change, at_ms
      FROM journal WHERE sequence > ?1 AND sequence < journal_horizon()
      ORDER BY sequence LIMIT ?2
      """)

  /// The latest sequence of this snapshot; 0 if nothing has changed yet.
  ///
  /// In PostgreSQL it is the last one below the horizon (``JournalPosition``). The snapshot may
  /// show later changes, which the journal shows again.
  package func lastSequence() throws(StoreError) -> Int64 {
    try first(Self.last) { row in row.int64(0) } ?? 0
  }

  /// The oldest sequence in the journal. A watch can resume after any sequence from this one less
  /// one.
  package func firstSequence() throws(StoreError) -> Int64 {
    try first(Self.first) { row in row.int64(0) } ?? 1
  }

  private static let latest = Query(
    """
    SELECT sequence, principal_id, topic, kind, object_id, change, at_ms
    FROM journal WHERE sequence <= ?1 ORDER BY sequence DESC LIMIT ?2
    """)

  /// The last entries up to a sequence, at most `limit`, in order.
  func latestJournal(upTo sequence: Int64, limit: Int64) throws(StoreError) -> [JournalEntry] {
    try all(Self.latest, .integer(sequence), .integer(limit)) { row in Self.entry(row) }.reversed()
  }

  private static func entry(_ row: Row) -> JournalEntry {
    JournalEntry(
      sequence: row.int64(0), principal: row.int64(1), topic: row.int64(2),
      kind: ObjectKind(rawValue: row.int64(3)), objectID: row.int64(4),
      change: JournalEntry.Change(rawValue: row.int64(5)) ?? .updated,
      atMilliseconds: row.int64(6))
  }

  /// At most `limit` entries after a sequence, in order.
  package func journal(
    after sequence: Int64, limit: Int64
  ) throws(StoreError) -> [JournalEntry] {
    try all(Self.after, .integer(sequence), .integer(limit)) { row in Self.entry(row) }
  }
}

extension Transaction {
  // The newest row never expires, so the largest sequence plus one was never assigned before.
  private static let insertChange = Query(
    """
    INSERT INTO journal (principal_id, topic, kind, object_id, change, at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """, key: "sequence")
  private static let insertAtPosition = Query(
    onlyPostgreSQL: """
      INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)
      VALUES (journal_position(?7), ?1, ?2, ?3, ?4, ?5, ?6)
      """, key: "sequence")

  /// Adds a journal row for a change to an object of `principal`, in the transaction of the change.
  package func record(
    _ change: JournalEntry.Change, of kind: ObjectKind, id: Int64, principal: Int64,
    topic: Int64 = 0
  ) throws(StoreError) {
    let change = ObjectChange(kind: kind, id: id, owner: principal, topic: topic, change: change)
    guard snapshot.session.isPostgreSQL else {
      return effects.record(change, sequence: try insert(Self.insertChange, values: values(change)))
    }
    try insertAtPosition(change)
    effects.record(change)
  }

  private func values(_ change: ObjectChange) -> [SQLValue] {
    [
      .integer(change.owner), .integer(change.topic), .integer(change.kind.rawValue),
      .integer(change.id), .integer(change.change.rawValue), .integer(nowMilliseconds),
    ]
  }

  private func insertAtPosition(_ change: ObjectChange) throws(StoreError) {
    let place = effects.nextPlace()
    guard place < JournalPosition.perTransaction else {
      throw StoreError(
        .resourceExhausted, "a command changes more than the journal can show", notProcessed: true)
    }
    try snapshot.session.insertLater(
      Self.insertAtPosition, values(change) + [.integer(place)]
    ) { [effects, nowMilliseconds] sequence in
      effects.noteSequence(sequence, of: change, atMilliseconds: nowMilliseconds)
    }
  }
}
