import QuiverPostgres
import QuiverSQLite

/// A copy of a store on SQLite into PostgreSQL.
struct PostgresCopy {
  let source: Connection
  let target: PostgresConnection
  let rowsPerSlice: Int64

  func run(_ progress: @escaping StoreTransfer.Progress) throws -> StoreTransfer.Report {
    try begin()
    var copy = TableCopy(
      from: SQLiteTransferEnd(connection: source), to: PostgresTransferEnd(connection: target),
      .toPostgreSQL, rowsPerSlice: rowsPerSlice, progress: progress)
    let report = try copy.run()
    try target.begin(.serializable)
    for table in Table.copied {
      if let identity = table.assignedColumn { try advance(table.name, identity) }
      // What the triggers count was copied itself.
      try target.run(control: "ALTER TABLE \(table.name) ENABLE TRIGGER USER")
    }
    try copyMeta()
    try target.run(control: "DELETE FROM meta WHERE name = '\(StoreTransfer.markName)'")
    try target.commit()
    return report
  }

  /// Marks the database, unless an earlier copy of the same store has.
  private func begin() throws {
    let epoch = try source.value("SELECT value FROM meta WHERE name = 'store_epoch'") ?? ""
    let mark = try target.value(
      "SELECT convert_from(value, 'UTF8') FROM meta WHERE name = '\(StoreTransfer.markName)'")
    if let mark {
      guard mark == epoch else {
        throw StoreError(
          .alreadyExists,
          "the database has an incomplete copy of another store; name an empty database")
      }
      // The source was opened again, which changes its times.
      try target.execute("DELETE FROM store_time")
      return
    }
    guard try target.value("SELECT count(*) FROM principal") == "0" else {
      throw StoreError(
        .alreadyExists, "there is a store in the database already; name an empty database")
    }
    try target.begin(.serializable)
    for table in Table.copied {
      try target.run(control: "ALTER TABLE \(table.name) DISABLE TRIGGER USER")
    }
    try target.run(control: "DELETE FROM kept_key")
    let statement = try target.statement(
      PostgresText("INSERT INTO meta VALUES ('\(StoreTransfer.markName)', ?1)"))
    try statement.bind(Array(epoch.utf8), at: 1)
    try target.enqueue(statement)
    try target.commit()
  }

  /// Lets the database assign greater keys than those that were ever assigned.
  private func advance(_ table: String, _ column: String) throws {
    let sequences = try source.value(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    let last =
      sequences == "1"
      ? try source.value("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'") : nil
    _ = try target.value(
      """
      SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'),
        greatest(\(Int64(last ?? "") ?? 0), (SELECT coalesce(max(\(column)), 0) FROM \(table))) + 1,
        false)
      """)
  }

  /// The identity of the store, and where its journal begins. Positions of SQLite are below all
  /// those of PostgreSQL.
  private func copyMeta() throws {
    let update = PostgresText("UPDATE meta SET value = ?2 WHERE name = ?1")
    let last = Int64(try source.value("SELECT coalesce(max(sequence), 0) FROM journal") ?? "") ?? 0
    let horizon = Int64(try target.value("SELECT journal_horizon()") ?? "") ?? 0
    guard last < horizon else {
      throw StoreError(
        .failedPrecondition,
        "the journal has come further than the transactions of this database; name another one")
    }
    let first = try source.value("SELECT coalesce(min(sequence), 1) FROM journal") ?? "1"
    let epoch = try source.value("SELECT value FROM meta WHERE name = 'store_epoch'") ?? ""
    let key = try source.prepare("SELECT value FROM meta WHERE name = 'page_token_key'")
    guard !epoch.isEmpty, try key.step() else {
      throw StoreError(.dataLoss, "the database has lost its identity; restore a backup")
    }
    let values: [(String, [UInt8])] = [
      ("store_epoch", Array(epoch.utf8)), ("page_token_key", key.bytes(0)),
      (JournalPosition.startName, Array(first.utf8)),
    ]
    for name in [EpochStart.baseName, EpochStart.beganName, EpochStart.pastName] {
      guard let value = try source.value("SELECT value FROM meta WHERE name = '\(name)'") else {
        continue
      }
      try EpochStart.set(name, "'\(value)'", on: target)
    }
    for (name, value) in values {
      let statement = try target.statement(update)
      try statement.bind(name, at: 1)
      try statement.bind(value, at: 2)
      try target.enqueue(statement)
    }
    try target.synchronize()
  }
}
