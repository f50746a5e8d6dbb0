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
  private let acknowledged: AcknowledgedRows
  private let server: Int64

  private let connector: PostgresConnector
  private let reads: DatabaseReads
  private let notifier: JournalNotifier
  private let seen: SeenJournal
  private let health: DatabaseHealth
  private let workerCount: Int
  private let housekeeping = Mutex<PostgresHousekeeping?>(nil)

  /// Opens the store in the database at `address`, and creates it if the configuration permits it.
  ///
  /// Throws with a message that says what to do.
  init(_ address: String, _ configuration: StoreConfiguration) throws(StoreError) {
    let parsed = try Self.parse(address)
    directory = try Self.openDirectory(configuration.directory)
    var primary = Self.configuration(parsed)
    primary.requiresPrimary = true
    let seen = SeenJournal(configuration.hooks)
    self.seen = seen
    connector = PostgresConnector(
      primary,
      monotonicNanoseconds: configuration.clock.monotonicNanoseconds
    ) { connection throws(PostgresError) in try seen.check(connection) }
    acknowledged = try AcknowledgedRows(directory)
    database = try PostgresDatabase(parsed, connector, acknowledged, configuration)
    seen.note(database.latestRows)
    times = StoreTimes()
    positions = StorePositions(connector, from: database.position)
    reads = try Self.reads(connector, database, positions, configuration)
    readers = ReaderPool(reads, configuration)
    features = StoreFeatures(readers: readers)
    notifier = JournalNotifier(connector)
    health = DatabaseHealth(
      configuration.hooks, monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
    let permissions = EndedPermissionReader(
      features.permissions, after: database.permissionSnapshot,
      monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
    server = permissions.server
    follower = JournalFollower(
      database, connector, health, positions: positions, seen: seen, permissions: permissions,
      observers: [features.leaderboards], hooks: configuration.hooks)
    workers = PostgresWorkers(
      database, connector, health, notifier: notifier, positions: positions, seen: seen,
      acknowledged: acknowledged, server: permissions.server,
      observers: [features.permissions, features.erasures], times: times,
      configuration: configuration)
    workerCount = configuration.databaseWorkers
  }

  private static func reads(
    _ connector: PostgresConnector, _ database: PostgresDatabase, _ positions: StorePositions,
    _ configuration: StoreConfiguration
  ) throws(StoreError) -> DatabaseReads {
    let wallMilliseconds = database.clock.clock.wallMilliseconds
    let primary = PostgresReaders(
      connector, pageTokenKey: database.pageTokenKey, milliseconds: configuration.readMilliseconds,
      wallMilliseconds: wallMilliseconds)
    var replica: PostgresReplica?
    if let address = configuration.readDatabaseAddress {
      replica = PostgresReplica(
        try parse(address),
        PostgresReplica.Identity(system: database.system, epoch: database.epoch), positions,
        pageTokenKey: database.pageTokenKey, wallMilliseconds: wallMilliseconds, configuration)
    }
    return DatabaseReads(primary, positions, replica: replica)
  }

  private static func parse(_ address: String) throws(StoreError) -> PostgresAddress {
    do throws(PostgresError) {
      return try PostgresAddress(address)
    } catch {
      throw StoreError(.invalidArgument, error.message)
    }
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
    try notePresence()
    try notifier.start()
    try follower.start()
    try positions.start()
    try reads.replica?.start()
    try workers.start(threadCount: workerCount)
    features.erasures.start(store, unfinished: [])
    let own = PostgresHousekeeping(
      database, connector, acknowledged, server: server,
      continueErasures: { [features] in features.erasures.resume($0) },
      noteExpired: { [workers] count in
        workers.statistics.withLock { $0.expiredRows += UInt64(clamping: count) }
      })
    try own.start()
    housekeeping.withLock { $0 = own }
  }

  /// Before the first import, which would be that of a server that does not run.
  private func notePresence() throws(StoreError) {
    let connection: PostgresConnection
    do throws(PostgresError) {
      connection = try connector.connect(.background)
    } catch {
      throw .unreachable(error)
    }
    try ServerPresence.note(server, on: Session(connection))
  }

  /// Runs the queued commands, and closes the connections.
  func close() {
    housekeeping.withLock { $0 }?.stop()
    workers.stop()
    positions.stop()
    follower.stop()
    notifier.stop()
    readers.close()
    acknowledged.close()
    directory.release()
  }

  func install(_ hooks: StoreHooks) {
    workers.install(hooks)
    follower.install(hooks)
    health.install(hooks)
    reads.replica?.install(hooks)
    seen.install(hooks)
  }

  /// Whether reads may run on a replica.
  var readsReplica: Bool { reads.replica != nil }

  /// Where the reads of a call may run that states this position; nil: on the primary.
  func readOrigin(at position: Int64) -> ReadOrigin? {
    guard let replica = reads.replica, replica.hasReached(position) else { return nil }
    return ReadOrigin(position: position)
  }

  /// What metrics show of the database.
  var status: DatabaseStatus {
    let counts = connector.counts
    return DatabaseStatus(
      name: database.name, connectionCount: counts.connectionCount,
      failedConnectionCount: counts.failureCount,
      conflictCount: workers.conflictCount.load(ordering: .relaxed),
      clockDifferenceMilliseconds: database.clock.difference,
      primaryReadCount: reads.primaryReadCount, replica: reads.replica?.status)
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

  /// Reads that ran on the primary, where there is a replica; else 0.
  package let primaryReadCount: UInt64

  /// The replica; nil if there is none.
  package let replica: ReplicaStatus?
}
