import QuiverPostgres
import Synchronization

/// A replica of the database, which reads of calls may run on that state a position.
///
/// Its connections are checked when they are made: it is the same store, of the same schema, and
/// in recovery. A thread looks ten times a second how far it has come, and more often while calls
/// want to know. While it cannot be reached, or is behind for longer than
/// `StoreLimits.replicaLagMilliseconds`, all reads run on the primary. Any thread may use it.
final class PostgresReplica: Sendable {
  /// What is known of the store, which a replica must be a copy of.
  struct Identity: Sendable {
    let system: String
    let epoch: UInt64
  }

  private let connector: PostgresConnector
  private let readers: PostgresReaders
  private let positions: StorePositions
  private let hooks: Mutex<StoreHooks>
  private let state = Monitor(State())

  /// Rows of the journal before it are shown by the snapshots of the replica.
  private let horizon = Atomic<Int64>(0)
  private let isUsable = Atomic<Bool>(false)
  /// When the latest look ended, in nanoseconds of the system's clock.
  private let lookedAt = Atomic<UInt64>(0)
  private let lag = Atomic<UInt64>(0)
  private let readCount = Atomic<UInt64>(0)
  private let repeatCount = Atomic<UInt64>(0)

  private struct State {
    /// Whether a call has come whose position the replica did not have at the latest look.
    var isWanted = false
    var isStopping = false
    var isRunning = false
  }

  init(
    _ address: PostgresAddress, _ identity: Identity, _ positions: StorePositions,
    pageTokenKey: [UInt8], wallMilliseconds: @escaping @Sendable () -> Int64,
    _ configuration: StoreConfiguration
  ) {
    var own = PostgresConfiguration(address)
    own.applicationName = "quiverd"
    connector = PostgresConnector(
      own, monotonicNanoseconds: StoreClock.system.monotonicNanoseconds
    ) { connection throws(PostgresError) in try Self.check(connection, identity) }
    readers = PostgresReaders(
      connector, pageTokenKey: pageTokenKey, milliseconds: configuration.readMilliseconds,
      wallMilliseconds: wallMilliseconds)
    self.positions = positions
    hooks = Mutex(configuration.hooks)
  }

  /// What metrics show.
  var status: ReplicaStatus {
    ReplicaStatus(
      isUsable: mayRead, lagMilliseconds: lag.load(ordering: .relaxed),
      readCount: readCount.load(ordering: .relaxed),
      repeatCount: repeatCount.load(ordering: .relaxed))
  }

  func install(_ new: StoreHooks) { hooks.withLock { $0 = new } }

  /// Whether a snapshot of the replica shows the position, as far as is known.
  ///
  /// If not, the thread looks soon, for the calls that follow.
  func hasReached(_ position: Int64) -> Bool {
    if position < horizon.load(ordering: .acquiring) { return mayRead }
    let isFirst = state.withLock { state in
      defer { state.isWanted = true }
      return !state.isWanted
    }
    if isFirst { state.broadcast() }
    return false
  }

  private var mayRead: Bool {
    isUsable.load(ordering: .acquiring)
      && StoreClock.system.monotonicNanoseconds() &- lookedAt.load(ordering: .relaxed)
        < StoreLimits.replicaLagMilliseconds * 1_000_000
  }

  /// Runs `body` on a snapshot that shows the position of the origin.
  ///
  /// If the replica fails it, ``ReadOrigin/hasFailed`` is set, and what it throws is not an answer.
  func read<Result>(
    _ origin: ReadOrigin, milliseconds: UInt64,
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let bounds = ReadBounds(least: origin.position)
    do throws(StoreError) {
      let result = try readers.read(milliseconds: milliseconds, bounds: bounds, body)
      note(bounds, origin)
      return result
    } catch {
      guard let failure = bounds.failure else {
        note(bounds, origin)
        throw error
      }
      origin.hasFailed = true
      repeatCount.wrappingAdd(1, ordering: .relaxed)
      if failure.endsConnection { isUsable.store(false, ordering: .releasing) }
      throw error
    }
  }

  private func note(_ bounds: ReadBounds, _ origin: ReadOrigin) {
    readCount.wrappingAdd(1, ordering: .relaxed)
    positions.note(bounds.frontier)
    origin.note(bounds.frontier)
  }

  func start() throws(StoreError) {
    state.withLock { $0.isRunning = true }
    do throws(StoreError) {
      try DedicatedThread.start { self.work() }
    } catch {
      state.withLock { $0.isRunning = false }
      throw error
    }
  }

  /// Returns when the thread has ended, and closes the connections.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.isRunning ? nil : true }
    isUsable.store(false, ordering: .releasing)
    readers.close()
  }

  /// What the thread knows: since when it waits for the replica to come to a position.
  private struct Progress {
    var target: Int64
    var since: UInt64
    /// Whether the hooks were told that it can be read; nil: they were told nothing.
    var isReported: Bool?
  }

  private func work() {
    var connection: PostgresConnection?
    var progress = Progress(
      target: positions.latest, since: StoreClock.system.monotonicNanoseconds())
    while !isStopping() {
      do throws(PostgresError) {
        if connection?.isAlive != true { connection = try connector.connect(.background) }
        guard let connection else { continue }
        report(try look(on: connection, &progress) ? nil : Self.behind, &progress)
      } catch {
        connection = nil
        isUsable.store(false, ordering: .releasing)
        report(.unreachable(error), &progress)
      }
    }
    state.withLock { $0.isRunning = false }
    state.broadcast()
  }

  /// Waits until the next look is due; whether the thread must end.
  private func isStopping() -> Bool {
    let isStopping = state.wait(milliseconds: StoreLimits.replicaPauseMilliseconds) {
      $0.isStopping ? true : nil
    }
    if isStopping == true { return true }
    return state.wait(milliseconds: StoreLimits.replicaLookMilliseconds) { state in
      if state.isStopping { return true }
      guard state.isWanted else { return nil }
      state.isWanted = false
      return false
    } ?? false
  }

  private static let bounds = PostgresText(
    """
    SELECT journal_horizon(), CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END
    """)

  /// Notes how far the replica has come, and since when it has not come to what was known here.
  /// Whether that is short enough.
  private func look(
    on connection: PostgresConnection, _ progress: inout Progress
  ) throws(PostgresError) -> Bool {
    let known = positions.latest
    connection.deadline = .after(milliseconds: StoreLimits.replicaLagMilliseconds)
    let rows = try connection.run(connection.statement(Self.bounds))
    guard rows.rowCount == 1, rows.int64(0, 1) == 1 else { throw Self.notReplica }
    let found = rows.int64(0, 0)
    let now = StoreClock.system.monotonicNanoseconds()
    if progress.target < found { (progress.target, progress.since) = (known, now) }
    let lagNanoseconds = progress.target < found ? 0 : now &- progress.since
    lag.store(lagNanoseconds / 1_000_000, ordering: .relaxed)
    horizon.store(found, ordering: .releasing)
    lookedAt.store(now, ordering: .relaxed)
    let isNear = lagNanoseconds < StoreLimits.replicaLagMilliseconds * 1_000_000
    isUsable.store(isNear, ordering: .releasing)
    return isNear
  }

  private func report(_ error: StoreError?, _ progress: inout Progress) {
    guard progress.isReported != (error == nil) else { return }
    progress.isReported = error == nil
    hooks.withLock { $0 }.replicaChanged(error)
  }

  private static let behind = StoreError(
    .unavailable, "the replica is behind for more than \(StoreLimits.replicaLagMilliseconds) ms")

  private static let notReplica = PostgresError(
    .other, "it is not a replica: it takes changes, as one that was promoted")

  /// Throws where the server is not a replica of this store that this program can read.
  private static func check(
    _ connection: PostgresConnection, _ identity: Identity
  ) throws(PostgresError) {
    guard try connection.value("SELECT pg_is_in_recovery()") == "1" else { throw notReplica }
    let system = try connection.value(PostgresDatabase.systemIdentifier)
    let epoch = try connection.rows("SELECT value FROM meta WHERE name = 'store_epoch'")
    guard system == identity.system, epoch.rowCount == 1,
      UInt64(bitPattern: epoch.int64(0, 0)) == identity.epoch
    else {
      throw PostgresError(.other, "it is a replica of another database")
    }
    let newest = Migration.postgreSQL.last?.number ?? 0
    let version = try connection.value("SELECT max(number) FROM migration") ?? ""
    guard Int64(version) == Int64(newest) else {
      throw PostgresError(.other, "its schema is not the one of the primary yet")
    }
  }
}

/// The state of the replica that a server reads from.
package struct ReplicaStatus: Sendable {
  /// Whether reads run on it now.
  package let isUsable: Bool

  /// For how long it has not come to the position that the server knew then; 0: it has come to it.
  package let lagMilliseconds: UInt64

  /// Reads that ran on it, and those that ran again on the primary because it failed them.
  package let readCount: UInt64
  package let repeatCount: UInt64
}
