import Glibc
import QuiverCrypto
import QuiverSQLite

/// What is done to a copy of a database that no store has open.
enum Restoring {
  /// Throws where a page of the file, or an index, is not what it must be.
  ///
  /// A cancelled check throws that the backup was cancelled.
  static func check(
    _ path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) {
    let connection = try open(path, .readOnly)
    defer { connection.close() }
    guard let cancellation else { return try check(connection, path) }
    let interrupted = Interrupted(connection: connection)
    cancellation.setInterrupt { interrupted.connection.interrupt() }
    defer { cancellation.setInterrupt(nil) }
    do throws(StoreError) {
      try check(connection, path, cancellation)
    } catch {
      throw cancellation.isCancelled ? StoreError.backupGivenUp : error
    }
  }

  // `@unchecked`: the thread that cancels uses the connection only to interrupt it.
  private struct Interrupted: @unchecked Sendable {
    let connection: Connection
  }

  private static func check(
    _ connection: Connection, _ path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) {
    try Database.explained(path, Session(connection)) {
      // SQLite forgets an interruption when a statement begins while none runs.
      let running = try connection.prepare("SELECT name FROM sqlite_schema")
      _ = try running.step()
      if cancellation?.isCancelled ?? false { throw StoreError.backupGivenUp }
      try Database.check(connection, path: path)
      let finding = try connection.value("PRAGMA integrity_check(1)") ?? "nothing to check"
      if finding != "ok" { throw Database.damage(path, finding) }
    }
  }

  /// Gives it a new epoch, so that positions, ids and revisions of the other database are refused
  /// (``EpochStart``), and a row in the audit; returns the epoch.
  static func makeAnew(_ path: String, _ clock: StoreClock) throws(StoreError) -> UInt64 {
    let connection = try open(path, .readWrite)
    defer { connection.close() }
    let session = Session(connection)
    return try Database.explained(path, session) {
      let epoch = try EpochStart.draw()
      let now = max(
        try ClockCheck.lastMilliseconds(in: session) ?? 0, clock.wallMilliseconds())
      let base = try EpochStart.base(
        after: try EpochStart.base(on: connection), nowMilliseconds: clock.wallMilliseconds())
      try connection.execute("BEGIN IMMEDIATE")
      let transaction = Transaction(
        snapshot: Snapshot(session: session, pageTokenKey: []), caller: CommandCaller(principal: 0),
        nowMilliseconds: now, effects: CommitEffects())
      try EpochStart.begin(
        epoch, base: base, at: clock.wallMilliseconds(), on: connection)
      try transaction.audit(
        AuditEntry(action: ClockCheck.restoreAction, kind: ObjectKind(rawValue: 0), objectID: 0))
      try connection.execute("COMMIT")
      if try !connection.hasPageChecksums() { try addPageChecksums(connection, path) }
      return epoch
    }
  }

  private static func open(
    _ path: String, _ mode: Connection.Mode
  ) throws(StoreError) -> Connection {
    do throws(SQLiteError) {
      return try Connection(path: path, mode: mode)
    } catch {
      throw Database.refusal(error, path: path, nil)
    }
  }

  /// Rewrites a database whose pages have no checksums.
  private static func addPageChecksums(_ connection: Connection, _ path: String) throws {
    let copy = path + ".checksums"
    try BackupFile.begin(copy)
    do {
      connection.requestPageChecksums()
      let statement = try connection.prepare("VACUUM INTO ?1")
      try statement.bind(copy, at: 1)
      try statement.run()
      guard rename(copy, path) == 0 else {
        throw StoreError(.failedPrecondition, "cannot replace \(path)")
      }
    } catch {
      unlink(copy)
      throw error
    }
  }
}
