import QuiverPostgres
import QuiverSQLite

/// What `quiverd epoch new` does: begins a new epoch of a store whose servers do not run, after its
/// database was made from a dump or a copy of its files.
package enum StoreEpochs {
  /// Begins a new epoch of the store in the database at an address, or in the data directory if
  /// that is nil; returns the epoch.
  package static func beginNew(
    dataDirectory: String, database: String?, clock: StoreClock = .system
  ) throws(StoreError) -> UInt64 {
    guard let database else { return try beginNew(inDirectory: dataDirectory, clock) }
    do {
      let connection = try PostgresConnection(
        PostgresConfiguration(try PostgresAddress(database)))
      try PostgresDatabase.check(connection)
      try PostgresDatabase.claim(connection)
      let migrator = PostgresMigrator(
        connection: connection, nowMilliseconds: clock.wallMilliseconds())
      guard try migrator.version() > 0 else {
        throw StoreError(
          .failedPrecondition, "there is no store in the database; correct --database")
      }
      try migrator.migrate()
      try EpochCheck.begin(
        on: connection, unlessAfter: nil, base: 0, clock.wallMilliseconds())
      guard let text = try EpochStart.text("store_epoch", on: connection), let epoch = Int64(text)
      else { throw StoreError(.dataLoss, "the database has lost its identity; restore a backup") }
      return UInt64(bitPattern: epoch)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.failedPrecondition, "the database cannot be used: \(error)")
    }
  }

  private static func beginNew(
    inDirectory path: String, _ clock: StoreClock
  ) throws(StoreError) -> UInt64 {
    var configuration = StoreConfiguration(directory: path)
    configuration.createsDatabase = false
    configuration.clockPolicy = .ignore
    // Recovers the log, and brings the schema to this version's.
    try Store(configuration).close()
    let directory = try DataDirectory(path: path)
    defer { directory.release() }
    try directory.lockDatabase()
    return try Restoring.makeAnew(directory.databasePath, clock)
  }
}
