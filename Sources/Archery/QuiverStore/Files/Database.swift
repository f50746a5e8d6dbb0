import QuiverCrypto
import QuiverSQLite

/// The database file: opened for the writer, migrated to this schema, or refused.
struct Database {
  let connection: Connection
  let path: String

  /// Random, new with each database, so that a resume token of another one is seen.
  let epoch: UInt64

  /// Below which no id and no revision of this epoch is (``EpochStart``); 0 in a first one.
  let currentEpoch: CurrentEpoch

  /// What page tokens are bound with.
  let pageTokenKey: [UInt8]

  /// The store's time, which starts from what is stored.
  let time: StoreTime

  /// The layer that the file was opened through (`sqlite3_vfs`); nil is the system's own.
  let fileSystem: String?

  /// Whether the start has found the disk full.
  let isDiskFull: Bool

  /// The rows that the start could not discard on a full disk; the writer discards them first.
  let recoveries: [Recovery]

  /// "QVER", which marks the file as ours (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x5156_4552

  /// Opens or makes the file at `path`; a foreign, damaged or newer one is refused and not changed.
  ///
  /// If `isCheckDue`, every page is checked first. `beforeChanging` runs once the file is accepted,
  /// before anything in it changes.
  init(
    path: String, _ configuration: StoreConfiguration, isCheckDue: Bool,
    beforeChanging: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let (connection, fileSystem) = try Self.open(path, configuration.fileSystem)
    self.fileSystem = fileSystem
    let now = configuration.clock.wallMilliseconds()
    let session = Session(connection)
    try Self.explained(path, session) {
      connection.setCheckpointsOnClose(false)
      try Self.check(connection, path: path)
      if isCheckDue { try Self.checkPages(session, path: path) }
      try beforeChanging()
      connection.setCheckpointsOnClose(true)
      try Self.configure(connection)
      try Migrator(connection: connection, path: path, nowMilliseconds: now).migrate()
      try SchemaCheck.run(session, path: path)
    }
    (epoch, pageTokenKey) = try Self.explained(path, session) {
      (UInt64(bitPattern: try Self.meta("store_epoch", in: session)), try Self.secret(in: session))
    }
    currentEpoch = try Self.explained(path, session) { [epoch] in
      CurrentEpoch(
        number: epoch, base: try EpochStart.base(on: connection),
        beganMilliseconds: try EpochStart.number(EpochStart.beganName, on: connection))
    }
    let (stored, difference) = try Self.explained(path, session) {
      try ClockCheck.run(session, configuration.clock, configuration.clockPolicy)
    }
    if let difference { configuration.hooks.clockDiffered(difference) }
    time = StoreTime(configuration.clock, stored: stored)
    recoveries = try Self.explained(path, session) { try Self.recover(session) }
    isDiskFull = !recoveries.isEmpty || fileSystem != configuration.fileSystem
    self.connection = connection
    self.path = path
  }

  /// Discards what an ended process left unfinished; returns what a full disk prevented.
  private static func recover(_ session: Session) throws(StoreError) -> [Recovery] {
    var recoveries: [Recovery] = []
    // Nothing was read yet that a change could affect, so that nobody asks for the effects.
    for recovery in StoreFeatures.recoveries {
      do throws(StoreError) {
        while try !recovery.run(session, CommitEffects()) {}
      } catch {
        guard error.isDiskFull else { throw error }
        recoveries.append(recovery)
      }
    }
    return recoveries
  }

  /// SQLite's layer that keeps the index of the log in the process's memory (`unix-excl`).
  private static let withoutSharedMemory = "unix-excl"

  /// Opens the file; on a full disk, where the index of the log cannot be made beside it, through a
  /// layer that keeps it in memory. Then other processes cannot read the database meanwhile.
  static func open(
    _ path: String, _ fileSystem: String?
  ) throws(StoreError) -> (Connection, fileSystem: String?) {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .readWriteCreate, fileSystem: fileSystem)
      connection.requestPageChecksums()
      do throws(SQLiteError) {
        _ = try connection.value("PRAGMA schema_version")
        return (connection, fileSystem)
      } catch {
        // Any other error is met again, and explained, by the checks that follow.
        let codes = [ResultCode.inputOutputSharedMemoryOpen, .inputOutputSharedMemorySize]
        guard codes.contains(error.code), fileSystem == nil else {
          return (connection, fileSystem)
        }
        connection.close()
      }
      let other = try Connection(
        path: path, mode: .readWriteCreate, fileSystem: withoutSharedMemory)
      return (other, withoutSharedMemory)
    } catch {
      // The layer for checksums reads the header when the file is opened.
      if error.code.primary == .inputOutput, error.code != .inputOutputData {
        throw .deviceFailed(path, error.code.failedOperation, error.message)
      }
      throw StoreError(.failedPrecondition, "cannot open the database \(path): \(error)")
    }
  }

  static func check(_ connection: Connection, path: String) throws {
    let application = Int64(try connection.value("PRAGMA application_id") ?? "") ?? 0
    let version = Int64(try connection.value("PRAGMA user_version") ?? "") ?? 0
    let tables = Int64(try connection.value("SELECT count(*) FROM sqlite_schema") ?? "") ?? 0
    if application == 0 && version == 0 && tables == 0 { return }
    guard application == applicationID else {
      throw StoreError(
        .failedPrecondition,
        "\(path) is a database of another program; name another data directory or move it away")
    }
    let newest = Migration.all.last?.number ?? 0
    guard version <= newest else {
      throw StoreError(
        .failedPrecondition,
        """
        \(path) has schema \(version) of a newer Quiver and this one knows \(newest); \
        run that version, or restore a backup made before it
        """)
    }
  }

  private static func checkPages(_ session: Session, path: String) throws {
    try session.connection.execute("PRAGMA cell_size_check = ON")
    if let finding = try session.pageFindings(table: nil).first { throw damage(path, finding) }
  }

  /// Runs `body`, which uses the file; throws what is wrong with the file if that fails.
  static func explained<Result>(
    _ path: String, _ session: Session, _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw refusal(error, path: path, session.connection.deviceFailure)
    } catch let error as StoreError {
      let failure = session.takeFailure()
      // A page that the device failed to read looks like a damaged one.
      if [.dataLoss, .internalError].contains(error.code),
        let device = session.connection.deviceFailure
      {
        throw refusal(failure ?? .unreadable, path: path, device)
      }
      guard error.code == .dataLoss, let failure else { throw error }
      throw refusal(failure, path: path, nil)
    } catch {
      throw StoreError(.internalError, "cannot open the database \(path)")
    }
  }

  /// What is said of a file that cannot be trusted.
  static func damage(_ path: String, _ what: String) -> StoreError {
    StoreError(
      .dataLoss,
      """
      \(path) is damaged (\(what)); it was left as it is: keep a copy of it, then restore a backup \
      into another directory with quiverd restore BACKUP --data DIRECTORY
      """)
  }

  static func configure(_ connection: Connection) throws {
    connection.setBusyTimeout(milliseconds: 0)
    // Written once: it would make every start a write.
    if try connection.value("PRAGMA application_id") != "\(applicationID)" {
      try connection.execute("PRAGMA application_id = \(applicationID)")
    }
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA mmap_size = 0;
      PRAGMA cache_size = -32768;
      PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = ON;
      """)
    guard try connection.value("PRAGMA journal_mode") == "wal",
      try connection.value("PRAGMA synchronous") == "2",
      try connection.value("PRAGMA wal_autocheckpoint") == "0"
    else {
      throw StoreError(.failedPrecondition, "the file system cannot keep a write-ahead log")
    }
    connection.observeWAL()
    copyLog(connection)
  }

  /// Copies the log that an ended process has left.
  ///
  /// A checkpoint that a power loss interrupted can leave pages of the file half written. SQLite
  /// reads them in the log; code that reads the file itself, such as the comparison of pages with
  /// their checksums, must not. Where nothing can be copied now, as on a full disk, the log stays
  /// and the writer copies it later.
  private static func copyLog(_ connection: Connection) {
    _ = try? connection.checkpoint(.passive)
  }

  /// Why a file cannot be used after an error of SQLite, with the failure of the operating system
  /// that caused it; nil: none did.
  static func refusal(
    _ error: SQLiteError, path: String, _ device: DeviceFailure?
  ) -> StoreError {
    switch error.code.primary {
    case .corrupt, .inputOutput:
      guard error.code != .inputOutputData, let device else { break }
      return .deviceFailed(
        device.isLog ? path + "-wal" : path, error.code.failedOperation, device.text)
    default: break
    }
    return switch error.code.primary {
    case .notADatabase:
      StoreError(
        .failedPrecondition,
        "\(path) is not a database; name another data directory or move it away")
    case .corrupt:
      damage(path, error.description)
    case _ where error.code == .inputOutputData:
      damage(path, "a page differs from its checksum")
    case .busy, .locked:
      StoreError(.unavailable, "another process holds \(path); stop it first")
    case .full:
      StoreError(.resourceExhausted, "the disk of \(path) is full; make room first")
    default:
      StoreError(.failedPrecondition, "cannot open the database \(path): \(error)")
    }
  }
}

/// How a feature discards what an ended process left unfinished. Features list theirs in
/// ``StoreFeatures/recoveries``.
struct Recovery: Sendable {
  /// Does a part in a transaction, and returns whether all is done. The memory for a part does not
  /// depend on how much was left.
  ///
  /// Adds what it changed to the effects: reads were answered before it where a full disk puts it
  /// off.
  let run: @Sendable (Session, CommitEffects) throws(StoreError) -> Bool
}

extension Database {
  private static let integer = Query("SELECT value FROM meta WHERE name = ?1")

  private static func meta(_ name: String, in session: Session) throws(StoreError) -> Int64 {
    let value = try session.first(integer, [.text(name)]) { row in row.int64(0) }
    guard let value else { throw missing(name) }
    return value
  }

  private static func secret(in session: Session) throws(StoreError) -> [UInt8] {
    let name = "page_token_key"
    let value = try session.first(integer, [.text(name)]) { row in row.bytes(0) }
    guard let value, value.count == SHA256.byteCount else { throw missing(name) }
    return value
  }

  private static func missing(_ name: String) -> StoreError {
    StoreError(.dataLoss, "the database has lost its \(name); restore a backup")
  }
}
