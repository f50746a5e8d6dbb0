import QuiverPostgres

/// Which servers of a database run: each dates a row every few seconds. What belongs to a server
/// that has ended, such as an import, is ended by another one.
enum ServerPresence {
  private static let note = Query(
    onlyPostgreSQL: """
      INSERT INTO server_presence (server_id, seen_ms)
      VALUES (?1, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))
      ON CONFLICT (server_id) DO UPDATE SET seen_ms = excluded.seen_ms
      """)
  private static let forget = Query(
    onlyPostgreSQL: """
      DELETE FROM server_presence WHERE seen_ms < \(now) - ?1
      """)

  /// The time of the database in milliseconds.
  private static let now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

  /// Of a row with a column `server_id`: whether its server has ended. Rows of 0 are those of
  /// before there were presences.
  static let hasEnded = """
    NOT EXISTS (SELECT 1 FROM server_presence p WHERE p.server_id = i.server_id
      AND p.seen_ms > \(now) - \(StoreLimits.presenceMilliseconds))
    """

  /// Dates the row of a server that runs.
  static func note(_ server: Int64, on session: Session) throws(StoreError) {
    try session.run(note, [.integer(server)])
  }

  /// Removes the rows of servers that ended long ago.
  static func forgetEnded(on session: Session) throws(StoreError) {
    try session.run(forget, [.integer(Int64(2 * StoreLimits.presenceMilliseconds))])
  }
}

extension SQLiteSchema {
  /// The servers that run, and which of them an import belongs to. A store on SQLite has one
  /// server, whose imports end when it starts again.
  static let serverPresence = """
    CREATE TABLE server_presence (
      server_id INTEGER PRIMARY KEY,
      seen_ms INTEGER NOT NULL
    );

    """
}

extension PostgresSchema {
  /// Step 36: owners of imports.
  static let serverPresence = """
    CREATE TABLE server_presence (server_id bigint PRIMARY KEY, seen_ms bigint NOT NULL);
    ALTER TABLE lift_import ADD COLUMN server_id bigint NOT NULL DEFAULT 0;
    ALTER TABLE weight_import ADD COLUMN server_id bigint NOT NULL DEFAULT 0;
    """
}

extension Table {
  static let ofServers: [Table] = [
    Table(
      "server_presence", key: .columns("server_id"), export: .omitted(.isOfStore),
      copying: .none, .integers("server_id seen_ms"))
  ]
}
