import QuiverPostgres

/// The background work of a store on PostgreSQL: removes old rows, sums the idempotency keys, saves
/// the store's time, and continues erasures.
///
/// Each server has a thread for it, which also syncs what the server keeps outside of the database.
/// One of them does the work, the one that has an advisory lock; another one takes over when its
/// connection has ended.
final class PostgresHousekeeping: Sendable {
  private let connector: PostgresConnector
  private let server: Int64
  private let database: PostgresDatabase
  private let acknowledged: AcknowledgedRows
  /// Called with the principals whose erasure is not complete.
  private let continueErasures: @Sendable ([Int64]) -> Void
  private let noteExpired: @Sendable (Int64) -> Void
  private let state = Monitor(State())

  private struct State {
    var isStopping = false
    var isRunning = false
  }

  /// The advisory lock of the server that works: "QVHK" in ASCII.
  private static let workKey: Int64 = 0x5156_484B

  /// Of READ COMMITTED, which no command conflicts with.
  private static let sum = PostgresText(
    """
    UPDATE kept_key SET keys = s.keys, bytes = s.bytes
    FROM (
      SELECT coalesce(CAST(sum(keys) AS bigint), 0) AS keys,
        coalesce(CAST(sum(key_bytes) AS bigint), 0) AS bytes
      FROM usage) s
    WHERE kept_key.keys <> s.keys OR kept_key.bytes <> s.bytes
    """)

  /// The first of the newest rows of the journal that are kept.
  private static let firstKept =
    "SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1 "
    + "OFFSET \(StoreLimits.journalRows - 1)"

  init(
    _ database: PostgresDatabase, _ connector: PostgresConnector, _ acknowledged: AcknowledgedRows,
    server: Int64,
    continueErasures: @escaping @Sendable ([Int64]) -> Void,
    noteExpired: @escaping @Sendable (Int64) -> Void
  ) {
    self.database = database
    self.acknowledged = acknowledged
    self.server = server
    self.connector = connector
    self.continueErasures = continueErasures
    self.noteExpired = noteExpired
  }

  func start() throws(StoreError) {
    state.withLock { $0.isRunning = true }
    do throws(StoreError) {
      try DedicatedThread.start(.low) { self.work() }
    } catch {
      state.withLock { $0.isRunning = false }
      throw error
    }
  }

  /// Returns when the thread has ended.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.isRunning ? nil : true }
  }

  private func work() {
    var connection: PostgresConnection?
    var isChosen = false
    var firstKeptPosition: Int64 = 0
    var turn = 0
    var beat = 0
    var pause: UInt64 = 0
    while !isStopping(after: pause) {
      pause = StoreLimits.housekeepingMilliseconds
      acknowledged.synchronize()
      do throws(PostgresError) {
        if connection?.isAlive != true { (connection, isChosen) = (try connect(), false) }
        guard let current = connection else { continue }
        current.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
        if beat % StoreLimits.housekeepingTurnsPerPresence == 0 { try notePresence(on: current) }
        beat += 1
        if !isChosen {
          isChosen = try current.value("SELECT pg_try_advisory_lock(\(Self.workKey))") == "1"
        }
        guard isChosen else { continue }
        try endImports(on: current)
        let hasMore = try work(on: current, turn, &firstKeptPosition)
        if hasMore { pause = StoreLimits.pendingJournalMilliseconds }
        turn += 1
      } catch {
        // A connection on which a statement failed is not trusted.
        connection = nil
      }
    }
    state.withLock { $0.isRunning = false }
    state.broadcast()
  }

  /// Waits; whether the thread must end.
  private func isStopping(after milliseconds: UInt64) -> Bool {
    state.wait(milliseconds: milliseconds) { $0.isStopping ? true : nil } ?? false
  }

  private func connect() throws(PostgresError) -> PostgresConnection {
    let connection = try connector.connect(.background)
    _ = try connection.value(
      "SELECT pg_advisory_lock_shared(\(PostgresDatabase.presenceKey))")
    return connection
  }

  /// One turn; whether more old rows are left.
  private func work(
    on connection: PostgresConnection, _ turn: Int, _ firstKeptPosition: inout Int64
  ) throws(PostgresError) -> Bool {
    let session = Session(connection)
    var count: Int64 = 0
    if turn % StoreLimits.housekeepingTurnsPerSum == 0 {
      _ = try connection.run(connection.statement(Self.sum))
      // Not in a transaction that commands could conflict with.
      firstKeptPosition = Int64(try connection.value(Self.firstKept) ?? "") ?? 0
      try inTransaction(session, connection) { (session) throws(StoreError) in
        try ClockCheck.save(database.time, in: session)
      }
    }
    do throws(StoreError) {
      try TimeGap.save(of: database.time, in: session)
    } catch {
      try check(session)
    }
    // A transaction for each part: one that conflicts undoes no other, and keeps watches waiting
    // for a short time only.
    for part in Expirer.parts {
      var removed: Int64 = 0
      let isDone = try inTransaction(session, connection) { (session) throws(StoreError) in
        removed = try part.run(
          ExpiryContext(
            session: session,
            oldest: { [time = database.time] in time.oldest(keptMilliseconds: $0) }, isIdle: true,
            firstKeptPosition: firstKeptPosition))
      }
      if isDone { count += removed }
    }
    noteExpired(count)
    if turn % StoreLimits.housekeepingTurnsPerErasure == 0 {
      do throws(StoreError) {
        continueErasures(
          try EraseAccount.unfinished(in: Snapshot(session: session, pageTokenKey: [])))
      } catch {
        try check(session)
      }
    }
    return count > 0
  }

  /// Tells the other servers that this one runs.
  private func notePresence(on connection: PostgresConnection) throws(PostgresError) {
    let session = Session(connection)
    do throws(StoreError) {
      try ServerPresence.note(server, on: session)
      try ServerPresence.forgetEnded(on: session)
    } catch {
      try check(session)
    }
  }

  /// Ends the imports of servers that have ended.
  ///
  /// The question is asked outside of a transaction, with which imports could conflict.
  private func endImports(on connection: PostgresConnection) throws(PostgresError) {
    let session = Session(connection)
    let now = database.time.nowMilliseconds
    guard try connection.value(Self.endedImports) != "0" else { return }
    try inTransaction(session, connection) { (session) throws(StoreError) in
      while try LiftExpirer.discardOfEndedServer(session, nowMilliseconds: now) {}
    }
    try inTransaction(session, connection) { (session) throws(StoreError) in
      while try WeightImportRecovery.endOfEndedServer(session, nowMilliseconds: now) {}
    }
  }

  private static let endedImports = """
    SELECT (SELECT count(*) FROM lift_import i WHERE \(ServerPresence.hasEnded))
      + (SELECT count(*) FROM weight_import i WHERE \(ServerPresence.hasEnded))
    """

  /// Runs `body` in a transaction that waits for a command that runs alone; false after a conflict
  /// with a command, for which the next turn tries again.
  @discardableResult
  private func inTransaction(
    _ session: Session, _ connection: PostgresConnection,
    _ body: (Session) throws(StoreError) -> Void
  ) throws(PostgresError) -> Bool {
    connection.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
    do throws(StoreError) {
      try session.inTransaction { (session) throws(StoreError) in
        try session.translating { () throws(PostgresError) in
          try connection.enqueue(control: "LOCK TABLE migration IN ROW SHARE MODE")
        }
        try body(session)
      }
      return true
    } catch {
      try check(session)
      return false
    }
  }

  /// Forgets the failure of a transaction, unless the connection has ended with it.
  private func check(_ session: Session) throws(PostgresError) {
    if let failure = session.takePostgresFailure(), failure.endsConnection { throw failure }
  }
}
