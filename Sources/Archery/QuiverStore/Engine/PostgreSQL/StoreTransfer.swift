import QuiverPostgres
import QuiverSQLite

/// Copies a store, of servers that do not run, from SQLite to PostgreSQL or back.
///
/// Rows are copied in many transactions, and a copy that ended goes on where it was when it is run
/// again. In the end all rows of both are read, and each table must have as many rows with the same
/// checksum. Until then no server starts on the copy. The store keeps its identity: tokens and
/// idempotency keys stay valid, and the positions of watches do on the way to PostgreSQL; after the
/// way back watches begin anew. The source is not changed, except that it is brought to this
/// version's schema.
package enum StoreTransfer {
  /// What was copied.
  package struct Report: Sendable, Equatable {
    package var tableCount = 0
    package var rowCount: Int64 = 0

    /// How many texts had U+0000, which SQLite kept once and PostgreSQL cannot keep: their copies
    /// have a question mark instead.
    package var replacedTextCount: Int64 = 0
  }

  /// Called after each slice with the table and the number of its rows that are copied.
  package typealias Progress = (_ table: String, _ rowCount: Int64) -> Void

  /// Rows of one transaction.
  package static let rowsPerSlice: Int64 = 5_000

  /// The row of `meta` that a copy has until it is complete: the epoch of its source.
  static let markName = "transfer"

  /// Copies the store in a data directory to the database at an address, which must have no store
  /// with a principal, or an incomplete copy of this one.
  package static func run(
    from dataDirectory: String, to address: String,
    rowsPerSlice: Int64 = StoreTransfer.rowsPerSlice,
    progress: @escaping Progress = { _, _ in }
  ) throws(StoreError) -> Report {
    try upgrade(dataDirectory)
    let directory = try DataDirectory(path: dataDirectory)
    defer { directory.release() }
    return try explained(dataDirectory) {
      let source = try Connection(path: directory.databasePath, mode: .readOnly)
      let target = try open(address, createsStore: true)
      let copy = PostgresCopy(source: source, target: target, rowsPerSlice: rowsPerSlice)
      return try copy.run(progress)
    }
  }

  /// Copies the store in the database at an address to a data directory that has none, or that has
  /// an incomplete copy of this one.
  package static func run(
    fromDatabase address: String, to dataDirectory: String,
    rowsPerSlice: Int64 = StoreTransfer.rowsPerSlice, progress: @escaping Progress = { _, _ in }
  ) throws(StoreError) -> Report {
    let directory = try DataDirectory(path: dataDirectory)
    defer { directory.release() }
    guard try DatabaseFile(path: directory.databasePath).isEmpty else {
      throw StoreError(
        .alreadyExists, "there is a store in \(dataDirectory) already; name an empty directory")
    }
    return try explained(dataDirectory) {
      let source = try open(address, createsStore: false)
      let copy = SQLiteCopy(source: source, directory: directory, rowsPerSlice: rowsPerSlice)
      return try copy.run(progress)
    }
  }

  private static func explained(
    _ dataDirectory: String, _ body: () throws -> Report
  ) throws(StoreError) -> Report {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch let error as PostgresError {
      throw StoreError(
        .failedPrecondition, "the database cannot be used: \(error); run it again to go on")
    } catch let error as SQLiteError {
      throw StoreError(
        .failedPrecondition,
        "the database in \(dataDirectory) cannot be used: \(error); run it again to go on")
    } catch {
      throw StoreError(.internalError, "the store could not be copied")
    }
  }

  /// Recovers the log of SQLite, and brings the schema to this version's.
  private static func upgrade(_ dataDirectory: String) throws(StoreError) {
    var configuration = StoreConfiguration(directory: dataDirectory)
    configuration.createsDatabase = false
    configuration.clockPolicy = .ignore
    try Store(configuration).close()
  }

  /// A connection to a database that no server uses, with this version's schema.
  private static func open(
    _ address: String, createsStore: Bool
  ) throws -> PostgresConnection {
    let connection = try PostgresConnection(PostgresConfiguration(PostgresAddress(address)))
    try PostgresDatabase.check(connection)
    try connection.execute("SET idle_in_transaction_session_timeout = 0")
    try PostgresDatabase.claim(connection)
    let migrator = PostgresMigrator(
      connection: connection, nowMilliseconds: StoreClock.system.wallMilliseconds())
    guard try createsStore || migrator.version() > 0 else {
      throw StoreError(.failedPrecondition, "there is no store in the database; correct --database")
    }
    try migrator.migrate()
    return connection
  }
}
