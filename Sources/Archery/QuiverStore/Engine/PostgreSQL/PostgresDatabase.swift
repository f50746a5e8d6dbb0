import Glibc
import QuiverCrypto
import QuiverPostgres

/// A database of PostgreSQL: checked, brought to this schema, or refused.
struct PostgresDatabase: Sendable {
  /// The host, port, database and user, without a password.
  let name: String

  /// Random, new with each store, so that a resume token of another one is seen.
  let epoch: UInt64

  /// Below which no id and no revision of this epoch is (``EpochStart``); 0 in a first one.
  let currentEpoch: CurrentEpoch

  /// Why this start has begun a new epoch; nil if it has not.
  let epochReason: String?

  /// What page tokens are bound with.
  let pageTokenKey: [UInt8]

  let clock: DatabaseClock
  let time: StoreTime

  /// The number of the cluster that the database and its replicas belong to.
  let system: String

  /// Where the journal is followed from.
  let position: Int64

  /// The rows of the journal up to it, at most `StoreLimits.seenJournalRows`.
  let latestRows: [JournalEntry]

  /// The snapshot behind which ended permissions are read (``EndedPermissionReader``).
  let permissionSnapshot: String

  /// The oldest version of PostgreSQL that the schema needs.
  static let leastVersion: Int32 = 150_000

  /// The advisory lock that each server has for as long as it runs, shared: "QVSV" in ASCII.
  static let presenceKey: Int64 = 0x5156_5356

  static let systemIdentifier = "SELECT system_identifier FROM pg_control_system()"

  init(
    _ address: PostgresAddress, _ connector: PostgresConnector,
    _ acknowledged: AcknowledgedRows, _ configuration: StoreConfiguration
  ) throws(StoreError) {
    name = address.description
    clock = DatabaseClock(configuration.clock)
    do {
      let connection = try connector.connect(.opening)
      connection.deadline = .never
      try Self.check(connection)
      // Opening may wait for another server that changes the schema.
      try connection.execute("SET statement_timeout = 0")
      let session = Session(connection)
      try clock.measure(on: session)
      let isAlone =
        try connection.value("SELECT pg_try_advisory_lock(\(Self.presenceKey))") == "1"
      try Self.migrate(
        connection, configuration, isAlone: isAlone, now: clock.wallMilliseconds)
      let marks = try connection.value(
        "SELECT count(*) FROM meta WHERE name = '\(StoreTransfer.markName)'")
      guard marks == "0" else {
        throw StoreError(
          .failedPrecondition,
          "the database has an incomplete copy of a store; run quiverd migrate again to complete it"
        )
      }
      epochReason = try EpochCheck(
        connection: connection, acknowledged: acknowledged,
        nowMilliseconds: clock.wallMilliseconds
      ).run()
      epoch = UInt64(bitPattern: try Self.meta("store_epoch", in: session) { $0.int64(0) })
      currentEpoch = CurrentEpoch(
        number: epoch, base: try EpochStart.number(EpochStart.baseName, on: connection),
        beganMilliseconds: try EpochStart.number(EpochStart.beganName, on: connection))
      pageTokenKey = try Self.meta("page_token_key", in: session) { $0.bytes(0) }
      guard pageTokenKey.count == SHA256.byteCount else { throw Self.missing("page_token_key") }
      let (stored, difference) = try ClockCheck.run(
        session, clock.clock, configuration.clockPolicy)
      if let difference { configuration.hooks.clockDiffered(difference) }
      time = StoreTime(clock.clock, stored: stored)
      try Self.saveGaps(of: time, session)
      if isAlone {
        // No other server has unfinished work.
        for recovery in StoreFeatures.recoveries {
          while try !recovery.run(session, CommitEffects()) {}
        }
        _ = try connection.value("SELECT pg_advisory_unlock(\(Self.presenceKey))")
      }
      // Where there is no replica, nobody asks for it.
      system =
        configuration.readDatabaseAddress == nil
        ? "" : try connection.value(Self.systemIdentifier) ?? ""
      permissionSnapshot = try connection.value(EndedPermissionReader.currentSnapshot) ?? ""
      let snapshot = Snapshot(session: session, pageTokenKey: [])
      position = try snapshot.lastSequence()
      latestRows = try snapshot.latestJournal(
        upTo: position, limit: Int64(StoreLimits.seenJournalRows))
    } catch let error as StoreError {
      throw error
    } catch let error as PostgresError {
      throw Self.refusal(error, name: address.description)
    } catch {
      throw StoreError(.internalError, "cannot open the database (\(address.description))")
    }
  }

  /// Throws where the database cannot have a store, with what to do.
  static func check(_ connection: PostgresConnection) throws {
    guard connection.serverVersion >= leastVersion else {
      throw StoreError(
        .failedPrecondition,
        """
        the database server is PostgreSQL \(connection.serverVersion / 10_000); Quiver needs \
        version \(leastVersion / 10_000) or later
        """)
    }
    let encoding = connection.parameter("server_encoding") ?? ""
    guard encoding == "UTF8" else {
      throw StoreError(
        .failedPrecondition,
        """
        the database has the encoding \(encoding); make one with CREATE DATABASE … ENCODING 'UTF8' \
        TEMPLATE template0
        """)
    }
    guard try connection.value("SELECT pg_is_in_recovery()") == "0" else { throw isReplica }
  }

  private static let isReplica = StoreError(
    .unavailable,
    """
    the database server is a replica, which takes no changes; name the primary, or several hosts \
    of which one is
    """)

  /// Saves the time while no server ran. Servers that start together save it one after the other.
  private static func saveGaps(of time: StoreTime, _ session: Session) throws {
    for attempt in 1... {
      do throws(StoreError) {
        return try TimeGap.save(of: time, in: session)
      } catch {
        guard error.code == .aborted, attempt < PostgresCommands.maximumAttempts else {
          throw error
        }
        _ = session.takePostgresFailure()
        PostgresCommands.pause(after: attempt)
      }
    }
  }

  private static func migrate(
    _ connection: PostgresConnection, _ configuration: StoreConfiguration, isAlone: Bool,
    now: Int64
  ) throws {
    let migrator = PostgresMigrator(connection: connection, nowMilliseconds: now)
    let version = try migrator.version()
    let newest = Migration.postgreSQL.last?.number ?? 0
    if version == 0, !configuration.createsDatabase {
      throw StoreError(
        .failedPrecondition,
        """
        there is no store in the database; correct --database, or create one there with quiverd \
        init --database URL, or by starting with --init
        """)
    }
    guard version == 0 || version == newest || isAlone else {
      throw StoreError(
        .failedPrecondition,
        """
        the database has schema \(version), and other servers use it; stop them before this \
        version brings it to schema \(newest)
        """)
    }
    try migrator.migrate()
  }

  /// Takes the database for a program that needs it alone; throws while servers use it.
  ///
  /// PostgreSQL gives up the locks of a server shortly after that has ended, so it asks for 2 s.
  static func claim(_ connection: PostgresConnection) throws {
    for attempt in 0..<40 {
      if attempt > 0 { usleep(50_000) }
      if try connection.value("SELECT pg_try_advisory_lock(\(presenceKey))") == "1" { return }
    }
    throw StoreError(.unavailable, "servers use the database; stop them first")
  }

  private static let value = Query("SELECT value FROM meta WHERE name = ?1")

  private static func meta<Result>(
    _ name: String, in session: Session, _ map: (Row) -> Result
  ) throws(StoreError) -> Result {
    let found = try session.first(value, [.text(name)]) { row in map(row) }
    guard let found else { throw missing(name) }
    return found
  }

  private static func missing(_ name: String) -> StoreError {
    StoreError(.dataLoss, "the database has lost its \(name); restore a backup")
  }

  /// Why a database cannot be opened, and what to do. The text of libpq has no password.
  private static func refusal(_ error: PostgresError, name: String) -> StoreError {
    switch error.kind {
    case .authenticationFailed:
      StoreError(
        .failedPrecondition,
        """
        the database (\(name)) refused the user or the password: \(error.message); put the \
        password into the file that PGPASSFILE names
        """)
    case .other where error.sqlState == "42501":
      StoreError(
        .failedPrecondition,
        """
        the user may not use the database (\(name)): \(error.message); name a database that the \
        user owns: CREATE DATABASE … OWNER … ENCODING 'UTF8' TEMPLATE template0
        """)
    case .readOnly: isReplica
    case .connectionLost, .noAnswer, .tooManyConnections:
      StoreError(.unavailable, "the database (\(name)) cannot be reached: \(error.message)")
    default:
      StoreError(.failedPrecondition, "cannot open the database (\(name)): \(error)")
    }
  }
}
