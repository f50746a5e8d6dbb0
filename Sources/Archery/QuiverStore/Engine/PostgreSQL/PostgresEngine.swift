import QuiverPostgres
import Synchronization

/// What runs a store on PostgreSQL: the connections and threads of one of its servers.
final class PostgresEngine: Sendable {
  let database: PostgresDatabase
  let directory: DataDirectory
  let readers: ReaderPool
  let features: StoreFeatures
  let times: StoreTimes
  let workers: PostgresWorkers
  let follower: JournalFollower
  let positions: StorePositions

  private let connector: PostgresConnector
  private let postgresReaders: PostgresReaders
  private let notifier: JournalNotifier
  private let health: DatabaseHealth
  private let workerCount: Int
  private let housekeeping = Mutex<PostgresHousekeeping?>(nil)

  /// Opens the store in the database at `address`, and creates it if the configuration permits it.
  ///
  /// Throws with a message that says what to do.
  init(_ address: String, _ configuration: StoreConfiguration) throws(StoreError) {
    let parsed: PostgresAddress
    do throws(PostgresError) {
      parsed = try PostgresAddress(address)
    } catch {
      throw StoreError(.invalidArgument, error.message)
    }
    directory = try Self.openDirectory(configuration.directory)
    var primary = Self.configuration(parsed)
    primary.requiresPrimary = true
    connector = PostgresConnector(
      primary,
      monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
    database = try PostgresDatabase(parsed, connector, configuration)
    times = StoreTimes()
    postgresReaders = PostgresReaders(
      connector, pageTokenKey: database.pageTokenKey, milliseconds: configuration.readMilliseconds,
      wallMilliseconds: database.clock.clock.wallMilliseconds)
    readers = ReaderPool(postgresReaders, configuration)
    features = StoreFeatures(readers: readers)
    notifier = JournalNotifier(connector)
    health = DatabaseHealth(
      configuration.hooks, monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
    positions = StorePositions(connector, from: database.position)
    follower = JournalFollower(
      database, connector, health, positions: positions,
      observers: [features.leaderboards, features.permissions], hooks: configuration.hooks)
    workers = PostgresWorkers(
      database, connector, health, notifier: notifier, positions: positions,
      observers: [features.permissions, features.erasures], times: times,
      configuration: configuration)
    workerCount = configuration.databaseWorkers
  }

  private static func configuration(_ address: PostgresAddress) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(address)
    configuration.applicationName = "quiverd"
    return configuration
  }

  /// The directory of the server's own files; it must not have a database of SQLite.
  private static func openDirectory(_ path: String) throws(StoreError) -> DataDirectory {
    guard try DatabaseFile(path: path + "/quiver.db").isEmpty else {
      throw StoreError(
        .failedPrecondition,
        """
        the data directory \(path) has a database of SQLite; name another --data for a server \
        that stores in PostgreSQL
        """)
    }
    return try DataDirectory(path: path)
  }

  /// Starts the threads.
  func start(_ store: Store) throws(StoreError) {
    try notifier.start()
    try follower.start()
    try positions.start()
    try workers.start(threadCount: workerCount)
    features.erasures.start(store, unfinished: [])
    let own = PostgresHousekeeping(
      database, connector,
      continueErasures: { [features] in features.erasures.resume($0) },
      noteExpired: { [workers] count in
        workers.statistics.withLock { $0.expiredRows += UInt64(clamping: count) }
      })
    try own.start()
    housekeeping.withLock { $0 = own }
  }

  /// Runs the queued commands, and closes the connections.
  func close() {
    housekeeping.withLock { $0 }?.stop()
    workers.stop()
    positions.stop()
    follower.stop()
    notifier.stop()
    readers.close()
    directory.release()
  }

  func install(_ hooks: StoreHooks) {
    workers.install(hooks)
    follower.install(hooks)
    health.install(hooks)
  }

  /// What metrics show of the database.
  var status: DatabaseStatus {
    let counts = connector.counts
    return DatabaseStatus(
      name: database.name, connectionCount: counts.connectionCount,
      failedConnectionCount: counts.failureCount,
      conflictCount: workers.conflictCount.load(ordering: .relaxed),
      clockDifferenceMilliseconds: database.clock.difference)
  }
}

/// The state of the database of PostgreSQL, as a server sees it.
package struct DatabaseStatus: Sendable {
  /// The host, port, database and user, without a password.
  package let name: String

  /// Connections that were made since the start, and attempts that failed.
  package let connectionCount: UInt64
  package let failedConnectionCount: UInt64

  /// How often commands ran again because of a conflict.
  package let conflictCount: UInt64

  /// By how much the database's clock is ahead of the system's.
  package let clockDifferenceMilliseconds: Int64
}
