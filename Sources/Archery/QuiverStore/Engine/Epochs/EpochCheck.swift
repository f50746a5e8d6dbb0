import QuiverCrypto
import QuiverPostgres

/// The comparison at the start of a server on PostgreSQL: whether the database still has what this
/// server has acknowledged (``AcknowledgedRows``). If it lacks a row, or has another one in its
/// place, a new epoch begins before the first call (``EpochStart``).
///
/// A clean promotion changes the timeline of the database, and a dump its system: what identifies
/// them is stored, and says nothing by itself. What a caller states never begins an epoch.
struct EpochCheck {
  let connection: PostgresConnection
  let acknowledged: AcknowledgedRows
  let nowMilliseconds: Int64

  /// The row of `meta` with the system and the timeline that the store was last opened in.
  static let historyName = "history"

  /// The system and the timeline of a database.
  static let history = """
    SELECT (SELECT system_identifier FROM pg_control_system()) || '/'
      || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    """

  /// Begins a new epoch if it is due; returns why it was, or nil.
  func run() throws -> String? {
    let (epoch, store) = try identity()
    let reason = try missing(epoch, store)
    if reason != nil {
      let base = acknowledged.found.map { $0.identity.store == store ? $0.identity.base : 0 } ?? 0
      try Self.begin(on: connection, unlessAfter: epoch, base: base, nowMilliseconds)
    }
    let now = try identity()
    let base = try EpochStart.number(EpochStart.baseName, on: connection)
    let identity = AcknowledgedRows.Identity(store: now.store, epoch: now.epoch, base: base)
    if acknowledged.found?.identity != identity { try acknowledged.begin(identity) }
    try noteLatest()
    let history = try connection.value(Self.history) ?? ""
    if try EpochStart.text(Self.historyName, on: connection) != history {
      try EpochStart.set(Self.historyName, "'\(history)'", on: connection)
    }
    return reason
  }

  /// Notes the latest rows of the journal. From now on watches show them, whichever server has
  /// committed them, and repeated calls get the replies of their commands.
  private func noteLatest() throws {
    let rows = try connection.rows(
      """
      SELECT sequence, principal_id, kind, object_id, at_ms FROM (
        SELECT * FROM journal ORDER BY sequence DESC LIMIT \(StoreLimits.acknowledgedRows / 4)
      ) j ORDER BY sequence
      """)
    for row in 0..<rows.rowCount {
      acknowledged.note(
        AcknowledgedRows.Row(
          sequence: rows.int64(row, 0), principal: rows.int64(row, 1), kind: rows.int64(row, 2),
          objectID: rows.int64(row, 3), atMilliseconds: rows.int64(row, 4)))
    }
    acknowledged.synchronize()
  }

  private func identity() throws -> (epoch: Int64, store: Int64) {
    let key = try connection.rows("SELECT value FROM meta WHERE name = 'page_token_key'")
    guard key.rowCount == 1, let text = try EpochStart.text("store_epoch", on: connection),
      let epoch = Int64(text)
    else { throw StoreError(.dataLoss, "the database has lost its identity; restore a backup") }
    let store = SHA256.hash(key.bytes(0, 0)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return (epoch, Int64(bitPattern: store))
  }

  /// Why a new epoch is due; nil: it is not.
  private func missing(_ epoch: Int64, _ store: Int64) throws -> String? {
    // Positions that no transaction of this database can have are those of another one.
    let ahead = try connection.value(
      """
      SELECT count(*) FROM (SELECT max(sequence) AS last FROM journal) j
      WHERE last >= CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)
        * \(JournalPosition.perTransaction)
      """)
    if ahead != "0" { return Self.otherServer }
    guard let found = acknowledged.found, found.identity.store == store else { return nil }
    if found.identity.epoch != epoch {
      let past = try EpochStart.text(EpochStart.pastName, on: connection) ?? ""
      // Another server has begun the next one.
      if past.split(separator: " ").contains(Substring("\(found.identity.epoch)")) { return nil }
      return Self.otherEpoch
    }
    guard !found.rows.isEmpty else { return nil }
    let list = found.rows.map { "\($0.sequence)" }.joined(separator: ",")
    let rows = try connection.rows(
      """
      SELECT w.sequence, j.principal_id, j.kind, j.object_id, j.at_ms
      FROM (SELECT unnest(CAST(ARRAY[\(list)] AS bigint[])) AS sequence) w
      LEFT JOIN journal j ON j.sequence = w.sequence
      WHERE w.sequence >= (
        SELECT CAST(convert_from(value, 'UTF8') AS bigint) FROM meta
        WHERE name = '\(JournalPosition.startName)')
      """)
    let known = Dictionary(found.rows.map { ($0.sequence, $0) }) { $1 }
    for row in 0..<rows.rowCount {
      let there = AcknowledgedRows.Row(
        sequence: rows.int64(row, 0), principal: rows.int64(row, 1), kind: rows.int64(row, 2),
        objectID: rows.int64(row, 3), atMilliseconds: rows.int64(row, 4))
      if known[there.sequence] != there {
        return Self.lostCommits
      }
    }
    return nil
  }

  private static let otherServer =
    "the database was set back: its journal is that of another database server"
  private static let otherEpoch =
    "the database was set back: it does not know the epoch that this server was in"
  private static let lostCommits =
    "the database was set back: it lacks commits that this server has acknowledged"

  /// Begins a new epoch, alone, unless another server has begun one since `epoch`; nil: in any
  /// case.
  static func begin(
    on connection: PostgresConnection, unlessAfter epoch: Int64?, base: Int64,
    _ nowMilliseconds: Int64
  ) throws {
    do {
      try connection.begin(.serializable)
      try connection.run(control: "LOCK TABLE migration IN ACCESS EXCLUSIVE MODE")
      let current = Int64(try EpochStart.text("store_epoch", on: connection) ?? "")
      guard epoch == nil || current == epoch else { return try connection.rollback() }
      let stored = try EpochStart.number(EpochStart.baseName, on: connection)
      let next = try EpochStart.base(after: max(stored, base), nowMilliseconds: nowMilliseconds)
      try EpochStart.begin(
        try EpochStart.draw(), base: next, at: nowMilliseconds, on: connection)
      let transaction = Transaction(
        snapshot: Snapshot(session: Session(connection), pageTokenKey: []),
        caller: CommandCaller(principal: 0), nowMilliseconds: nowMilliseconds,
        effects: CommitEffects())
      try transaction.audit(
        AuditEntry(action: EpochStart.action, kind: ObjectKind(rawValue: 0), objectID: 0))
      try connection.commit()
    } catch {
      try? connection.rollback()
      throw error
    }
  }
}
