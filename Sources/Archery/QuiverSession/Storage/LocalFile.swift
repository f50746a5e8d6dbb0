import QuiverSQLite
import Synchronization

/// One SQLite file of a session, which only this process opens.
///
/// Any thread may use it; one transaction runs at a time, and its thread waits for the disk. A
/// commit returns after it was flushed.
// Sendable because the connection is used only under the lock.
final class LocalFile: @unchecked Sendable {
  let path: String
  private let lock = Mutex(())
  private var connection: Connection?
  private let onCommit: @Sendable (Set<ChangeKey>) -> Void

  /// The number of log frames after which the log is copied to the file.
  private static let checkpointFrameCount = 1_000

  /// Opens or creates the file at `path`, and migrates its schema.
  ///
  /// Calls `onCommit` after each transaction with the changed keys. Throws `unusableFile` for a
  /// file that is not a session's, is damaged, is from a newer version, or stays open elsewhere for
  /// more than `patienceMilliseconds`.
  init(
    path: String, applicationID: Int32, migrations: [String], patienceMilliseconds: Int32 = 0,
    onCommit: @escaping @Sendable (Set<ChangeKey>) -> Void = { _ in }
  ) throws(SessionError) {
    self.path = path
    self.onCommit = onCommit
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .readWriteCreate)
      connection.setBusyTimeout(milliseconds: patienceMilliseconds)
      // Locks the file while it is open: two processes must not send one outbox.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("PRAGMA journal_mode = WAL")
      try connection.execute("PRAGMA synchronous = FULL")
      connection.observeWAL()
      self.connection = connection
    } catch {
      throw SessionError(error, path: path)
    }
    try migrate(applicationID, migrations)
  }

  deinit { connection = nil }

  /// Runs `body` in a transaction: stores all its changes, or none if it throws.
  func write<Result>(
    _ body: (LocalTransaction) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try locked { (connection) throws(SessionError) in
      let transaction = LocalTransaction(connection: connection)
      try transaction.execute("BEGIN IMMEDIATE")
      do throws(SessionError) {
        let result = try body(transaction)
        try transaction.execute("COMMIT")
        if connection.walFrameCount >= Self.checkpointFrameCount {
          _ = try? connection.checkpoint(.passive)
        }
        onCommit(transaction.changes.keys)
        return result
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
  }

  /// Runs `body`, which only reads, on one snapshot of the file.
  func read<Result>(
    _ body: (LocalTransaction) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try locked { (connection) throws(SessionError) in
      try body(LocalTransaction(connection: connection))
    }
  }

  /// Copies the log to the file and closes it; later calls throw.
  func close() {
    lock.withLock { _ in
      _ = try? connection?.checkpoint(.truncate)
      connection?.forgetStatements()
      connection = nil
    }
  }

  private func locked<Result>(
    _ body: (Connection) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try lock.withLock { _ throws(SessionError) in
      guard let connection else { throw SessionError(.closed, "the local file has been closed") }
      return try body(connection)
    }
  }

  private func migrate(_ applicationID: Int32, _ migrations: [String]) throws(SessionError) {
    try write { (transaction) throws(SessionError) in
      let version = try transaction.integer(of: "PRAGMA user_version")
      let owner = try transaction.integer(of: "PRAGMA application_id")
      let tables = try transaction.integer(of: "SELECT count(*) FROM sqlite_master")
      guard owner == Int64(applicationID) || (owner == 0 && tables == 0) else {
        throw SessionError(.unusableFile, "\(path) is not a file of Quiver; move it away")
      }
      guard version <= Int64(migrations.count) else {
        throw SessionError(
          .unusableFile, "\(path) was made by a newer version of this program; update it")
      }
      guard version < Int64(migrations.count) else { return }
      for script in migrations.dropFirst(Int(clamping: version)) {
        try transaction.execute(script)
      }
      try transaction.execute("PRAGMA application_id = \(applicationID)")
      try transaction.execute("PRAGMA user_version = \(migrations.count)")
    }
  }
}

extension SessionError {
  init(_ error: SQLiteError, path: String = "the local file") {
    switch error.code.primary {
    case .notADatabase, .corrupt:
      self.init(.unusableFile, "\(path) is damaged: \(error.message)")
    case .busy, .locked:
      self.init(.unusableFile, "\(path) is in use by another program or session")
    case .full:
      self.init(.storage, "there is no room on the disk; nothing was changed")
    default:
      self.init(.storage, "\(path) cannot be used: \(error)")
    }
  }
}
