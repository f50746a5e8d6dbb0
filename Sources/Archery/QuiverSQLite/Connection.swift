import CSQLite

/// One connection to a database file (`sqlite3`), for one thread at a time.
///
/// It is opened without SQLite's own mutex: its owner must prevent concurrent use. When it is
/// closed, all statements that it returned must be released, except those in its own cache.
package final class Connection {
  /// What the connection may do to the file.
  package enum Mode: Sendable {
    case readOnly
    case readWrite
    case readWriteCreate
  }

  /// How many prepared statements a connection keeps.
  package static let maximumCachedStatements = 512

  let cHandle: Handle
  // Unchecked: a connection is used by one thread at a time, and nothing runs within an access.
  @exclusivity(unchecked) private var cache = StatementCache(
    capacity: Connection.maximumCachedStatements)

  /// Opens the file at `path`, with extended result codes and attached schemas distrusted.
  ///
  /// `fileSystem` names a registered layer under SQLite (`sqlite3_vfs`); nil is the system's own.
  /// Above it is the layer for checksums of pages.
  package init(path: String, mode: Mode, fileSystem: String? = nil) throws(SQLiteError) {
    cHandle = try Handle(path: path, mode: mode, fileSystem: fileSystem)
    _ = quiver_sqlite_set_defensive(cHandle.pointer)
    sqlite3_wal_autocheckpoint(cHandle.pointer, 0)
  }

  /// The statement of `sql`, prepared at most once and not running.
  ///
  /// Traps where the same statement is still running further up.
  package func statement(_ sql: SQLText) throws(SQLiteError) -> Statement {
    if let statement = cache.find(sql.index) {
      precondition(!statement.isRunning, "A statement was used again before its run had ended.")
      return statement
    }
    let statement = try Statement(sql.text, on: cHandle, isPersistent: true)
    cache.insert(statement, at: sql.index)
    return statement
  }

  /// A statement for one use.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: cHandle, isPersistent: false)
  }

  /// Runs all statements of a script (`sqlite3_exec`).
  package func execute(_ script: String) throws(SQLiteError) {
    let result = sqlite3_exec(cHandle.pointer, script, nil, nil, nil)
    if result != SQLITE_OK { throw cHandle.error(result) }
  }

  /// The first column of the first row of a query, as text; nil if there is no row.
  package func value(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Closes the connection now, even if it is still referenced. It must not be used afterwards.
  package func close() {
    cache.removeAll()
    cHandle.close()
  }

  /// Finalizes every cached statement.
  package func forgetStatements() {
    cache.removeAll()
  }
}

extension Connection {
  /// Whether a transaction is open (`sqlite3_get_autocommit`); some errors end one by themselves.
  package var isInTransaction: Bool { sqlite3_get_autocommit(cHandle.pointer) == 0 }

  /// The row id of the latest insert of this connection.
  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(cHandle.pointer) }

  /// How many rows the latest statement inserted, changed or deleted.
  package var changedRowCount: Int64 { sqlite3_changes64(cHandle.pointer) }

  /// How many rows all statements of this connection have inserted, changed or deleted.
  package var totalChangedRowCount: Int64 { sqlite3_total_changes64(cHandle.pointer) }

  /// How many steps the prepared statements have taken (`SQLITE_STMTSTATUS_VM_STEP`): what their
  /// runs cost, for tests and measurements.
  package var virtualMachineStepCount: Int64 {
    var count: Int64 = 0
    var statement = sqlite3_next_stmt(cHandle.pointer, nil)
    while let found = statement {
      count += Int64(sqlite3_stmt_status(found, SQLITE_STMTSTATUS_VM_STEP, 0))
      statement = sqlite3_next_stmt(cHandle.pointer, found)
    }
    return count
  }

  /// How long a statement waits for a lock of another connection; 0 is not at all.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(cHandle.pointer, milliseconds)
  }

  /// Whether the last connection that closes copies the log into the database and removes it, as
  /// it does by default (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  package func setCheckpointsOnClose(_ checkpoints: Bool) {
    _ = quiver_sqlite_set_checkpoint_on_close(cHandle.pointer, checkpoints ? 1 : 0)
  }

  /// Makes the running statement of this connection end with `interrupted`.
  ///
  /// Any thread may call it while the connection is open.
  package func interrupt() {
    sqlite3_interrupt(cHandle.pointer)
  }
}
