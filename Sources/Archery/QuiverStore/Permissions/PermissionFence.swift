import Glibc
import QuiverPostgres

/// Waits behind the commit that ended a permission, until no transaction of a command is open that
/// may have checked the permission before.
///
/// Such a transaction could still commit: `SERIALIZABLE` only sees to it that it counts as earlier.
/// That of a server that is stopped could do so at any time. One that is open for longer than
/// `StoreLimits.openTransactionMilliseconds` is ended, by ending its connection; its command runs
/// again, and checks again. Locks of rows would make the commit wait instead, for as long as
/// the other server is stopped.
struct PermissionFence {
  private struct Open {
    /// The process of the connection, and when its transaction began.
    let identity: [String]
    let milliseconds: Int64
  }

  /// Connections for commands have the lock of a running server.
  private static let transactions = """
    SELECT CAST(a.pid AS text), CAST(a.xact_start AS text),
      CAST(extract(epoch FROM clock_timestamp() - a.xact_start) * 1000 AS bigint)
    FROM pg_stat_activity a
    WHERE a.datname = current_database() AND a.xact_start IS NOT NULL
      AND a.pid <> pg_backend_pid()
      AND EXISTS (
        SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory'
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid = 0 AND l.objid = \(PostgresDatabase.presenceKey) AND l.objsubid = 1)
    """

  /// Returns when the transactions that are open now have ended.
  static func wait(on connection: PostgresConnection) throws(PostgresError) {
    connection.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
    try connection.run(control: "NOTIFY \(EndedPermissionReader.channel)")
    let patience = PostgresDeadline.after(milliseconds: StoreLimits.openTransactionMilliseconds)
    var left = try open(on: connection)
    while !left.isEmpty {
      for transaction in left
      where transaction.milliseconds >= Int64(StoreLimits.openTransactionMilliseconds)
        || patience.remainingMilliseconds == 0
      {
        try end(transaction, on: connection)
      }
      guard connection.deadline.remainingMilliseconds != 0 else {
        throw PostgresError(.other, "transactions of other servers could not be ended in time")
      }
      usleep(pauseMicroseconds)
      let known = Set(left.map(\.identity))
      left = try open(on: connection).filter { known.contains($0.identity) }
    }
  }

  private static let pauseMicroseconds: UInt32 = 5_000

  private static func open(on connection: PostgresConnection) throws(PostgresError) -> [Open] {
    let rows = try connection.rows(transactions)
    return (0..<rows.rowCount).map { row in
      Open(identity: [rows.text(row, 0), rows.text(row, 1)], milliseconds: rows.int64(row, 2))
    }
  }

  private static func end(
    _ transaction: Open, on connection: PostgresConnection
  ) throws(PostgresError) {
    _ = try connection.rows(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid = \(transaction.identity[0])
        AND CAST(xact_start AS text) = '\(transaction.identity[1])'
      """)
  }
}
