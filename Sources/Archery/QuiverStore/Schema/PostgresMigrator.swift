import QuiverCrypto
import QuiverPostgres

/// Brings a database of PostgreSQL to the newest schema, a step in a transaction of its own each.
///
/// Servers that start at the same time wait for each other, by an advisory lock.
struct PostgresMigrator {
  let connection: PostgresConnection
  let nowMilliseconds: Int64

  /// The key of the advisory lock: "QVER" in ASCII.
  private static let lockKey: Int64 = 0x5156_4552

  private static let applied = PostgresText("SELECT number, checksum FROM migration")
  private static let insert = PostgresText("INSERT INTO migration VALUES (?1, ?2, ?3, ?4)")
  private static let insertMeta = PostgresText("INSERT INTO meta VALUES (?1, ?2)")

  /// The number of the schema that the database has; 0 if it is empty.
  ///
  /// Throws where it has tables of another program, or was made by another version.
  func version(_ migrations: [Migration] = Migration.postgreSQL) throws -> Int64 {
    guard try connection.value("SELECT to_regclass('migration')") != nil else {
      let tables = try connection.value(
        "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = "
          + "current_schema()::regnamespace")
      guard tables == "0" else {
        throw StoreError(
          .failedPrecondition,
          "the database has tables of another program; name an empty one, or another schema")
      }
      return 0
    }
    let rows = try connection.run(connection.statement(Self.applied))
    let newest = migrations.last?.number ?? 0
    var version: Int64 = 0
    for row in 0..<rows.rowCount {
      let number = rows.int64(row, 0)
      version = max(version, number)
      guard number <= newest else { continue }
      guard migrations.first(where: { $0.number == number })?.checksum == rows.bytes(row, 1) else {
        throw StoreError(
          .failedPrecondition,
          """
          the database was made with another step \(number) of the schema; run the version that \
          made it
          """)
      }
    }
    guard version <= newest else {
      throw StoreError(
        .failedPrecondition,
        """
        the database has schema \(version) of a newer Quiver and this one knows \(newest); run \
        that version
        """)
    }
    return version
  }

  /// Applies the steps that are missing; returns the numbers of those.
  @discardableResult
  func migrate(_ migrations: [Migration] = Migration.postgreSQL) throws -> [Int64] {
    _ = try connection.value("SELECT pg_advisory_lock(\(Self.lockKey))")
    defer { _ = try? connection.value("SELECT pg_advisory_unlock(\(Self.lockKey))") }
    let version = try version(migrations)
    let missing = migrations.filter { $0.number > version }
    for migration in missing { try apply(migration, isFirst: version == 0) }
    return missing.map(\.number)
  }

  private func apply(_ migration: Migration, isFirst: Bool) throws {
    do {
      try connection.begin(.serializable)
      try connection.synchronize()
      if isFirst, migration.number == Migration.postgreSQL.first?.number {
        try connection.execute(
          """
          CREATE TABLE migration (
            number bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, checksum bytea NOT NULL,
            applied_at_ms bigint NOT NULL
          )
          """)
      }
      try connection.execute(migration.script)
      if isFirst, migration.number == Migration.postgreSQL.first?.number { try writeMeta() }
      let statement = try connection.statement(Self.insert)
      try statement.bind(migration.number, at: 1)
      try statement.bind(migration.name, at: 2)
      try statement.bind(migration.checksum, at: 3)
      try statement.bind(nowMilliseconds, at: 4)
      _ = try connection.run(statement)
      try connection.commit()
    } catch {
      try? connection.rollback()
      throw error
    }
  }

  /// The same rows as in SQLite, and where the journal begins; numbers are texts, as `meta` is
  /// read.
  private func writeMeta() throws {
    let epoch = try RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) }
    try writeMeta("store_epoch", Array("\(Int64(bitPattern: max(1, epoch)))".utf8))
    try writeMeta("page_token_key", try RandomBytes.make(SHA256.byteCount))
    try writeMeta(JournalPosition.startName, Array("1".utf8))
  }

  private func writeMeta(_ name: String, _ value: [UInt8]) throws {
    let statement = try connection.statement(Self.insertMeta)
    try statement.bind(name, at: 1)
    try statement.bind(value, at: 2)
    _ = try connection.run(statement)
  }
}

extension Migration {
  /// The steps for PostgreSQL. The first one makes what the first twenty of SQLite make; from then
  /// on each step has the same number on both engines.
  static let postgreSQL: [Migration] = [
    Migration(number: 20, name: "the schema of step 20", script: PostgresSchema.script),
    Migration(number: 21, name: "structure of events", script: PostgresSchema.events),
    Migration(number: 22, name: "elimination", script: PostgresSchema.elimination),
    Migration(number: 23, name: "ties, turns, targets of matches", script: PostgresSchema.stages),
    Migration(
      number: 24, name: "owners of operations and entries", script: PostgresSchema.owners),
    Migration(number: 25, name: "teams and groups", script: PostgresSchema.teams),
    Migration(
      number: 26, name: "records of exercises, numbers of operations",
      script: PostgresSchema.liftRecords + PostgresSchema.operationCounts),
    Migration(
      number: 27, name: "commands count what they insert", script: PostgresSchema.commandCounts),
    Migration(
      number: 28, name: "second cards, confirmations", script: PostgresSchema.doubleScoring),
    Migration(number: 29, name: "leases of targets", script: PostgresSchema.leases),
    Migration(
      number: 30, name: "rounds of a qualification", script: PostgresSchema.qualificationRounds),
    Migration(
      number: 31, name: "what repeated operations stand for",
      script: PostgresSchema.repeatedOperations),
    Migration(
      number: 32, name: "notices, pauses of the shooting", script: PostgresSchema.notices),
    Migration(number: 33, name: "exempt seeds", script: PostgresSchema.exemptSeeds),
    Migration(number: 34, name: "times that no store saw", script: PostgresSchema.timeGaps),
    Migration(number: 35, name: "ended permissions", script: PostgresSchema.endedPermissions),
    Migration(number: 36, name: "owners of imports", script: PostgresSchema.serverPresence),
    Migration(number: 37, name: "devices of events", script: PostgresSchema.devices),
    Migration(number: 38, name: "calls from targets", script: PostgresSchema.targetCalls),
    Migration(number: 39, name: "typed totals", script: PostgresSchema.typedTotals),
    Migration(number: 40, name: "rounds without arrows", script: PostgresSchema.pastRounds),
    Migration(
      number: 41, name: "what users let others read", script: PostgresSchema.sharing),
    Migration(number: 42, name: "visibility of events", script: PostgresSchema.visibility),
    Migration(
      number: 43, name: "shots of ties, fixed places", script: PostgresSchema.tieShots),
    Migration(
      number: 44, name: "blocked places, wheelchairs", script: PostgresSchema.sessionPlaces),
    Migration(
      number: 45, name: "who agreed to corrections", script: PostgresSchema.correctionWitnesses),
    Migration(number: 46, name: "distances of cards", script: PostgresSchema.cardDistances),
    Migration(number: 47, name: "counts on paper", script: PostgresSchema.paperCounts),
    Migration(number: 48, name: "who agreed in matches", script: PostgresSchema.matchWitnesses),
    Migration(
      number: 49, name: "ends of owed arrows", script: PostgresSchema.endsOfOwedArrows),
    Migration(number: 50, name: "papers by scorers", script: PostgresSchema.papersByScorers),
  ]
}
