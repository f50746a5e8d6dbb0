import QuiverCrypto
import QuiverPostgres
import QuiverSQLite

/// Begins a new epoch of a store whose history has changed: a backup took its place, or a database
/// that lacks commits which callers were told of.
///
/// Callers may know ids and revisions of the history that is gone. Every epoch has a base, at least
/// ``step`` behind the one before: its new ids are not below it, and the revisions of all objects
/// are the base plus a count. So a revision of before matches no object, and an id of before names
/// none that was made since. Bases follow the time and are random in part, since two stores that
/// were restored from the same backup do not know of each other.
enum EpochStart {
  /// The ids and revisions of one epoch.
  static let step: Int64 = 1 << 32

  /// Random bases of the same half hour differ by multiples of this; a count of revisions begins
  /// again there.
  private static let spacing: Int64 = 1 << 16

  /// The rows of `meta` with the base, with the time when the epoch began, and with the epochs
  /// before this one.
  static let baseName = "epoch_base"
  static let beganName = "epoch_began"
  static let pastName = "past_epochs"

  /// The action in the audit.
  static let action = "store.epoch"

  /// 2026-01-01, from when on bases are counted, one each half hour: 2^53 is reached in 119 years.
  private static let firstMilliseconds: Int64 = 1_767_225_600_000
  private static let millisecondsPerBase: Int64 = 1_800_000
  private static let largestID: Int64 = 1 << 53

  /// The tables whose objects have revisions.
  private static let revised = Table.all.filter { $0.columns.contains { $0.name == "revision" } }

  /// A random number, not 0.
  static func draw() throws -> UInt64 {
    max(1, try RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The base of an epoch that begins now, behind that of another one.
  static func base(after base: Int64, nowMilliseconds: Int64) throws(StoreError) -> Int64 {
    let passed = max(0, nowMilliseconds - firstMilliseconds) / millisecondsPerBase
    let number = max(base / step + 1, min(passed, largestID / step - 1))
    guard number < largestID / step else {
      throw StoreError(.resourceExhausted, "the store has begun more epochs than it can number")
    }
    return number * step + Int64.random(in: 0..<step / 2 / spacing) * spacing
  }

  private static func setRevisions(_ table: Table, _ base: Int64) -> String {
    "UPDATE \(table.name) SET revision = \(base) + revision % \(spacing)"
  }
}

extension EpochStart {
  /// Moves ids and revisions to a base, and sets the epoch, in the transaction that is open.
  static func begin(
    _ epoch: UInt64, base: Int64, at nowMilliseconds: Int64, on connection: Connection
  ) throws {
    let before = try connection.value("SELECT value FROM meta WHERE name = 'store_epoch'") ?? ""
    for table in revised { try connection.execute(setRevisions(table, base)) }
    // SQLite counts the keys of these tables; for the others see `Session.insert`.
    let counted = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    var names: [String] = []
    while try counted.step() { names.append(counted.text(0)) }
    for name in names {
      try connection.execute(
        """
        INSERT INTO sqlite_sequence (name, seq) SELECT '\(name)', 0
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '\(name)');
        UPDATE sqlite_sequence SET seq = max(seq, \(base - 1)) WHERE name = '\(name)';
        """)
    }
    let past = try past(
      connection.value("SELECT value FROM meta WHERE name = '\(pastName)'"), before)
    try connection.execute(
      """
      UPDATE meta SET value = \(Int64(bitPattern: epoch)) WHERE name = 'store_epoch';
      INSERT OR REPLACE INTO meta VALUES ('\(baseName)', \(base)), ('\(pastName)', '\(past)'),
        ('\(beganName)', \(nowMilliseconds));
      """)
  }

  /// The base of the epoch that a database has; 0: none was begun.
  static func base(on connection: Connection) throws(SQLiteError) -> Int64 {
    try number(baseName, on: connection)
  }

  /// The number in a row of `meta`; 0 if it has none of that name.
  static func number(_ name: String, on connection: Connection) throws(SQLiteError) -> Int64 {
    Int64(try connection.value("SELECT value FROM meta WHERE name = '\(name)'") ?? "") ?? 0
  }
}

extension EpochStart {
  /// The same in PostgreSQL. The journal is removed, whose positions may be those of another
  /// database, so that every follower and watch begins again.
  static func begin(
    _ epoch: UInt64, base: Int64, at nowMilliseconds: Int64, on connection: PostgresConnection
  ) throws {
    let before = try text("store_epoch", on: connection) ?? ""
    for table in revised { try connection.run(control: setRevisions(table, base)) }
    for table in Table.all {
      guard let column = table.assignedColumn else { continue }
      _ = try connection.value(
        """
        SELECT setval(s, greatest(\(base), nextval(s),
          (SELECT coalesce(max(\(column)), 0) + 1 FROM \(table.name))), false)
        FROM (SELECT CAST(pg_get_serial_sequence('\(table.name)', '\(column)') AS regclass) AS s) q
        """)
    }
    try connection.run(control: "DELETE FROM journal")
    try connection.run(control: "DELETE FROM ended_permission")
    let past = past(try text(pastName, on: connection), before)
    try set("store_epoch", "'\(Int64(bitPattern: epoch))'", on: connection)
    try set(baseName, "'\(base)'", on: connection)
    try set(beganName, "'\(nowMilliseconds)'", on: connection)
    try set(pastName, "'\(past)'", on: connection)
    try set(JournalPosition.startName, "CAST(journal_position(0) AS text)", on: connection)
  }

  /// The number in a row of `meta`; 0 if it has none of that name.
  static func number(
    _ name: String, on connection: PostgresConnection
  ) throws(PostgresError) -> Int64 {
    Int64(try text(name, on: connection) ?? "") ?? 0
  }

  /// A row of `meta`; nil if it has none of that name.
  static func text(
    _ name: String, on connection: PostgresConnection
  ) throws(PostgresError) -> String? {
    try connection.value("SELECT convert_from(value, 'UTF8') FROM meta WHERE name = '\(name)'")
  }

  static func set(
    _ name: String, _ value: String, on connection: PostgresConnection
  ) throws(PostgresError) {
    try connection.run(
      control: """
        INSERT INTO meta VALUES ('\(name)', convert_to(\(value), 'UTF8'))
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
  }

  /// The epochs before, latest last.
  private static func past(_ known: String?, _ before: String) -> String {
    let epochs = (known ?? "").split(separator: " ").map(String.init) + [before]
    return epochs.suffix(StoreLimits.pastEpochs).joined(separator: " ")
  }
}
