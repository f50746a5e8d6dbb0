import QuiverSQLite
import Synchronization

/// Read-only connections that any thread may borrow, at most `StoreLimits.readers` of them.
///
/// An idle reader keeps its snapshot open and is read from again as it is until the writer commits,
/// so that a point read costs little more than its statement. During a checkpoint idle readers have
/// no snapshots, because these would prevent a restart of the log.
///
/// On PostgreSQL the connections are those of ``DatabaseReads``.
final class ReaderPool: Sendable {
  private let path: String
  private let fileSystem: String?
  private let now: @Sendable () -> UInt64
  let wallMilliseconds: @Sendable () -> Int64
  private let readMilliseconds: UInt64
  private let pageTokenKey: [UInt8]
  private let state = Monitor(State())
  private let postgres: DatabaseReads?

  /// Commits since the start; a snapshot of another count is old.
  private let commitCount = Atomic<UInt64>(0)

  private struct State {
    var idle: [Reader] = []
    var openCount = 0
    var isClosed = false
    /// Whether readers keep their snapshots when they come back.
    var keepsSnapshots = true
  }

  private enum Checkout {
    case reader(Reader)
    case mayOpen
    case closed
  }

  init(path: String, _ configuration: StoreConfiguration, pageTokenKey: [UInt8]) {
    self.path = path
    fileSystem = configuration.fileSystem
    now = configuration.clock.monotonicNanoseconds
    wallMilliseconds = configuration.clock.wallMilliseconds
    readMilliseconds = configuration.readMilliseconds
    self.pageTokenKey = pageTokenKey
    postgres = nil
  }

  init(_ reads: DatabaseReads, _ configuration: StoreConfiguration) {
    path = ""
    fileSystem = nil
    now = configuration.clock.monotonicNanoseconds
    wallMilliseconds = configuration.clock.wallMilliseconds
    readMilliseconds = configuration.readMilliseconds
    pageTokenKey = []
    postgres = reads
  }

  /// Whether other servers may change the database, so that what was read is soon old.
  var isShared: Bool { postgres != nil }

  /// Runs `body` on a snapshot no older than the latest acknowledged commit.
  ///
  /// Statements that take longer than `milliseconds` together, the configuration's if nil, are
  /// ended with DEADLINE_EXCEEDED, and those of a cancelled read of a ``ReadScheduler`` with
  /// CANCELLED. `isOneStatement` says that `body` mostly runs one statement: on PostgreSQL it is no
  /// transaction then, and runs again from the start in one if it wants a second statement. With
  /// `onPrimary` it runs on no replica, as for a cache that calls share.
  func read<Result>(
    milliseconds: UInt64? = nil, isOneStatement: Bool = false, onPrimary: Bool = false,
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if let postgres {
      return try postgres.read(
        milliseconds: milliseconds ?? readMilliseconds, isOneStatement: isOneStatement,
        onPrimary: onPrimary, body)
    }
    let reader = try checkOut()
    defer { checkIn(reader) }
    var isCancelled: (@Sendable () -> Bool)?
    if let cancellation = ReadScheduler.cancellation {
      isCancelled = { cancellation.isCancelled }
    }
    try reader.begin(
      commitCount.load(ordering: .acquiring),
      nanoseconds: (milliseconds ?? readMilliseconds) &* 1_000_000, isCancelled: isCancelled)
    return try body(
      Snapshot(
        session: reader.session, pageTokenKey: pageTokenKey, wallMilliseconds: wallMilliseconds))
  }

  /// Runs one slice of a check, which may take longer than the reads of callers.
  func verify<Result>(
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try read(milliseconds: StoreLimits.verificationMilliseconds, body)
  }

  /// Tells readers that their snapshots are old; called before the commit is acknowledged.
  func noteCommit() {
    commitCount.wrappingAdd(1, ordering: .releasing)
  }

  /// Runs `body`, for a checkpoint, while no idle reader has a snapshot: those that idle readers
  /// keep end before it, and those of readers that come back during it end then. A checkpoint that
  /// waits for readers waits only for those in use.
  ///
  /// The writer's thread alone calls it.
  func withoutKeptSnapshots<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.withLock { state in
      state.keepsSnapshots = false
      for reader in state.idle { reader.release() }
    }
    defer { state.withLock { $0.keepsSnapshots = true } }
    return try body()
  }

  /// Closes idle readers, and those that are out when they come back; later reads are refused.
  func close() {
    if let postgres { return postgres.close() }
    state.withLock { state in
      state.isClosed = true
      state.openCount -= state.idle.count
      state.idle.removeAll()
    }
    state.broadcast()
    _ = state.wait(milliseconds: StoreLimits.readerWaitMilliseconds) { state in
      state.openCount == 0 ? true : nil
    }
  }

  private func checkOut() throws(StoreError) -> Reader {
    let checkout = state.wait(milliseconds: StoreLimits.readerWaitMilliseconds) {
      (state) -> Checkout? in
      if state.isClosed { return .closed }
      if let reader = state.idle.popLast() { return .reader(reader) }
      guard state.openCount < StoreLimits.readers else { return nil }
      state.openCount += 1
      return .mayOpen
    }
    switch checkout {
    case .reader(let reader):
      return reader
    case .mayOpen:
      do {
        return try Reader(path: path, fileSystem: fileSystem, now: now)
      } catch {
        state.withLock { $0.openCount -= 1 }
        state.signal()
        throw StoreError(error)
      }
    case .closed:
      throw StoreError(.unavailable, "the store is closed", notProcessed: true)
    case nil:
      throw StoreError(.unavailable, "no reader became free", notProcessed: true)
    }
  }

  private func checkIn(_ reader: Reader) {
    let isKept = state.withLock { state in
      guard !state.isClosed else {
        state.openCount -= 1
        return false
      }
      if !state.keepsSnapshots { reader.release() }
      state.idle.append(reader)
      return true
    }
    if isKept { state.signal() } else { state.broadcast() }
  }
}

/// One connection of the pool.
// `@unchecked`: it is touched only by the thread that took it out, or under the pool's lock.
private final class Reader: @unchecked Sendable {
  let session: Session
  private let limit: RunLimit
  private var snapshotCommitCount: UInt64?

  private static let begin = SQLText("BEGIN")
  private static let end = SQLText("COMMIT")

  init(
    path: String, fileSystem: String?, now: @escaping @Sendable () -> UInt64
  ) throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .readOnly, fileSystem: fileSystem)
    try connection.execute(
      """
      PRAGMA query_only = ON;
      PRAGMA mmap_size = 0;
      PRAGMA cache_size = -8192;
      PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      """)
    limit = RunLimit(now: now)
    connection.setRunLimit(limit)
    session = Session(connection)
  }

  /// Begins a read: a new snapshot, unless the one that is open is still the latest, and then the
  /// limit of the statements that the read runs on it.
  func begin(
    _ commitCount: UInt64, nanoseconds: UInt64, isCancelled: (@Sendable () -> Bool)?
  ) throws(StoreError) {
    try refresh(commitCount)
    limit.begin(nanoseconds: nanoseconds, isCancelled: isCancelled)
  }

  private func refresh(_ commitCount: UInt64) throws(StoreError) {
    if session.takeFailure() != nil { release() }
    if snapshotCommitCount == commitCount { return }
    release()
    // SQLite counts the steps of a statement over all of its runs, so BEGIN too asks the limit.
    limit.begin(nanoseconds: .max)
    do {
      try session.connection.statement(Self.begin).run()
    } catch {
      throw StoreError(error)
    }
    snapshotCommitCount = commitCount
  }

  /// Ends the snapshot, if one is open.
  func release() {
    guard snapshotCommitCount != nil || session.connection.isInTransaction else { return }
    snapshotCommitCount = nil
    if session.connection.isInTransaction {
      // The limit of the read that has ended does not hold for the end of its snapshot. The next
      // read sets its own.
      limit.begin(nanoseconds: .max)
      try? session.connection.statement(Self.end).run()
    }
  }
}
