import Glibc
import QuiverPostgres
import QuiverSQLite

/// A copy of a store on PostgreSQL into a data directory.
///
/// It is made in a folder of the directory, and moved to its place when it is complete.
struct SQLiteCopy {
  let source: PostgresConnection
  let directory: DataDirectory
  let rowsPerSlice: Int64

  private var folder: String { directory.path + "/" + DataDirectory.copyFolder }
  private var file: String { folder + "/quiver.db" }

  func run(_ progress: @escaping StoreTransfer.Progress) throws -> StoreTransfer.Report {
    guard
      try source.value("SELECT count(*) FROM meta WHERE name = '\(StoreTransfer.markName)'") == "0",
      let epoch = try source.value(
        "SELECT convert_from(value, 'UTF8') FROM meta WHERE name = 'store_epoch'")
    else {
      throw StoreError(.failedPrecondition, "the database has an incomplete copy of a store")
    }
    let target = try begin(epoch)
    var copy = TableCopy(
      from: PostgresTransferEnd(connection: source), to: SQLiteTransferEnd(connection: target),
      .toSQLite, rowsPerSlice: rowsPerSlice, progress: progress)
    let report = try copy.run()
    try complete(target, epoch)
    _ = try target.checkpoint(.truncate)
    target.close()
    try BackupFile.synchronizeFile(file)
    guard rename(file, directory.databasePath) == 0 else {
      throw StoreError(
        .failedPrecondition,
        "cannot move \(file) to its place: \(String(cString: strerror(errno)))")
    }
    try BackupFile.synchronize(directory.path)
    removeFolder()
    return report
  }

  /// What is left of a store that is in its place now.
  private func removeFolder() {
    for name in ["quiver.db-wal", "quiver.db-shm", "quiver.db-journal", "quiver.lock"] {
      unlink(folder + "/" + name)
    }
    rmdir(folder)
  }

  /// Opens the incomplete copy of this store, or makes an empty one without triggers.
  private func begin(_ epoch: String) throws -> Connection {
    let mark = "SELECT value FROM meta WHERE name = '\(StoreTransfer.markName)'"
    if try !DatabaseFile(path: file).isEmpty {
      let target = try open()
      let meta = try target.value("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'")
      if meta == "1", let found = try target.value(mark) {
        guard found == epoch else {
          throw StoreError(
            .alreadyExists,
            "\(folder) has an incomplete copy of another store; name an empty directory")
        }
        try target.execute("DELETE FROM store_time")
        return target
      }
      // Nothing was copied yet.
      target.close()
      for name in ["", "-wal", "-shm", "-journal"] { unlink(file + name) }
    }
    var configuration = StoreConfiguration(directory: folder)
    configuration.clockPolicy = .ignore
    try Store(configuration).close()
    let target = try open()
    try target.execute("BEGIN IMMEDIATE")
    for name in try triggers(target).map(\.name) { try target.execute("DROP TRIGGER \(name)") }
    for table in Table.copied { try target.execute("DELETE FROM \(table.name)") }
    try target.execute(
      "INSERT INTO meta VALUES ('\(StoreTransfer.markName)', '\(Int64(epoch) ?? 0)')")
    try target.execute("COMMIT")
    return target
  }

  private func open() throws -> Connection {
    let connection = try Connection(path: file, mode: .readWrite)
    connection.requestPageChecksums()
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    return connection
  }

  private func triggers(_ connection: Connection) throws -> [(name: String, sql: String)] {
    let rows = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    var found: [(name: String, sql: String)] = []
    while try rows.step() { found.append((rows.text(0), rows.text(1))) }
    return found
  }

  /// What no table has, and the triggers.
  private func complete(_ target: Connection, _ epoch: String) throws {
    try target.execute("BEGIN IMMEDIATE")
    try target.execute(
      """
      DELETE FROM kept_key;
      INSERT INTO kept_key SELECT 1, coalesce(sum(keys), 0), coalesce(sum(key_bytes), 0) FROM usage;
      DELETE FROM journal;
      """)
    // One row of nobody: later ones have greater numbers than all positions that were given out,
    // and a watch that resumes at such a position ends with OUT_OF_RANGE.
    let horizon = Int64(try source.value("SELECT journal_horizon()") ?? "") ?? 1
    let latest = Int64(try source.value("SELECT coalesce(max(at_ms), 0) FROM journal") ?? "") ?? 0
    try target.execute(
      """
      INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)
      VALUES (\(horizon), 0, 0, \(ObjectKind.principal.rawValue), 0,
        \(JournalEntry.Change.updated.rawValue), \(latest))
      """)
    for table in Table.copied {
      guard let identity = table.assignedColumn else { continue }
      try advance(target, table.name, identity)
    }
    let key = try source.rows("SELECT value FROM meta WHERE name = 'page_token_key'")
    guard key.rowCount == 1, let number = Int64(epoch) else {
      throw StoreError(.dataLoss, "the database has lost its identity; restore a backup")
    }
    try target.execute("UPDATE meta SET value = \(number) WHERE name = 'store_epoch'")
    let base = try EpochStart.number(EpochStart.baseName, on: source)
    let began = try EpochStart.number(EpochStart.beganName, on: source)
    let past = try EpochStart.text(EpochStart.pastName, on: source) ?? ""
    if base > 0 {
      try target.execute(
        """
        INSERT OR REPLACE INTO meta VALUES ('\(EpochStart.baseName)', \(base)),
          ('\(EpochStart.beganName)', \(began)), ('\(EpochStart.pastName)', '\(past)')
        """)
    }
    let update = try target.prepare("UPDATE meta SET value = ?1 WHERE name = 'page_token_key'")
    try update.bind(key.bytes(0, 0), at: 1)
    try update.run()
    let model = try Connection(path: ":memory:", mode: .readWriteCreate)
    for migration in Migration.all { try model.execute(migration.script) }
    for trigger in try triggers(model) { try target.execute(trigger.sql) }
    try target.execute("DELETE FROM meta WHERE name = '\(StoreTransfer.markName)'; COMMIT")
  }

  /// Lets SQLite assign greater keys than those that were ever assigned, where it counts them.
  private func advance(_ target: Connection, _ table: String, _ column: String) throws {
    guard
      try target.value(
        "SELECT count(*) FROM sqlite_schema WHERE name = '\(table)' AND sql LIKE '%AUTOINCREMENT%'")
        == "1",
      !["audit", "idempotency_key", "journal"].contains(table),
      let sequence = try source.value("SELECT pg_get_serial_sequence('\(table)', '\(column)')"),
      let last = try source.value(
        "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(sequence)"),
      let number = Int64(last), number > 0
    else { return }
    try target.execute(
      """
      DELETE FROM sqlite_sequence WHERE name = '\(table)';
      INSERT INTO sqlite_sequence (name, seq)
      SELECT '\(table)', max(\(number), (SELECT coalesce(max(\(column)), 0) FROM \(table)));
      """)
  }
}
