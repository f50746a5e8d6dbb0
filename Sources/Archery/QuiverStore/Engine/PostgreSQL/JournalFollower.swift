import QuiverPostgres
import Synchronization

/// Reads the journal behind the commits of all servers, this one's too, and hands each change to
/// what reacts to it: watches and leaderboards. Ended permissions come another way
/// (``EndedPermissionReader``).
///
/// It waits for notifications (``JournalNotifier``), and looks once a second besides. It takes rows
/// below the horizon only (``JournalPosition``). While there are rows that it may not take yet,
/// because an earlier transaction still runs, it looks more often.
final class JournalFollower: Sendable {
  private let connector: PostgresConnector
  private let database: PostgresDatabase
  private let health: DatabaseHealth
  private let positions: StorePositions
  private let seen: SeenJournal
  private let permissions: EndedPermissionReader
  private let state: Monitor<State>

  private struct State {
    var observers: [any CommitObserver]
    var hooks: StoreHooks
    /// Up to which position all rows were handed on.
    var position: Int64
    var isStopping = false
    var isRunning = false
  }

  /// What one look found.
  private struct Look {
    var entries: [JournalEntry]
    var horizon: Int64
    /// Whether there are rows beyond the horizon.
    var hasPending: Bool
    /// Whether rows were removed that were not handed on.
    var isBehindStart: Bool
  }

  private static let rowsPerLook: Int64 = 1_000
  private static let pending = Query(
    onlyPostgreSQL: """
      SELECT CASE WHEN EXISTS (SELECT 1 FROM journal WHERE sequence >= journal_horizon())
        THEN 1 ELSE 0 END
      """)

  /// Follows from the position on at which the database was opened. The observers belong to the
  /// features, and others come later.
  init(
    _ database: PostgresDatabase, _ connector: PostgresConnector, _ health: DatabaseHealth,
    positions: StorePositions, seen: SeenJournal, permissions: EndedPermissionReader,
    observers: [any CommitObserver], hooks: StoreHooks
  ) {
    self.permissions = permissions
    self.seen = seen
    self.positions = positions
    self.health = health
    self.database = database
    self.connector = connector
    state = Monitor(State(observers: observers, hooks: hooks, position: database.position))
  }

  /// Up to which position all rows were handed on.
  var position: Int64 { state.withLock { $0.position } }

  func install(_ hooks: StoreHooks) { state.withLock { $0.hooks = hooks } }

  func append(_ observer: any CommitObserver) {
    state.withLock { $0.observers.append(observer) }
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

  /// Returns when the thread has ended, a tenth of a second later at most unless the database does
  /// not answer.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.isRunning ? nil : true }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func work() {
    var connection: PostgresConnection?
    while !isStopping {
      do throws(PostgresError) {
        if connection == nil { connection = try listen() }
        if let connection { try follow(on: connection) }
      } catch {
        connection = nil
        health.note(failed: .unreachable(error))
        rest(milliseconds: StoreLimits.firstReconnectMilliseconds)
      }
    }
    state.withLock { $0.isRunning = false }
    state.broadcast()
  }

  private func listen() throws(PostgresError) -> PostgresConnection {
    let connection = try connector.connect(.background)
    try connection.execute(
      "LISTEN \(JournalNotifier.channel); LISTEN \(EndedPermissionReader.channel)")
    permissions.noteConnection()
    return connection
  }

  /// Looks, hands on what is there, and waits until there may be more.
  private func follow(on connection: PostgresConnection) throws(PostgresError) {
    try lookForEnded(on: connection)
    connection.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
    let look = try look(on: connection)
    health.noteRead()
    let isCut = look.entries.count == Int(Self.rowsPerLook)
    handOn(look, upTo: isCut ? look.entries.last?.sequence ?? look.horizon : look.horizon)
    guard !isCut else { return }
    let milliseconds =
      look.hasPending ? StoreLimits.pendingJournalMilliseconds : StoreLimits.journalPollMilliseconds
    var left = milliseconds
    while left > 0, !isStopping {
      try lookForEnded(on: connection)
      connection.deadline = .never
      let slice = min(left, 100)
      let notifications = try connection.waitForNotifications(milliseconds: slice)
      if notifications.contains(where: { $0.channel == EndedPermissionReader.channel }) {
        permissions.noteNotification()
      }
      if notifications.contains(where: { $0.channel == JournalNotifier.channel }) { return }
      left -= slice
    }
  }

  private func lookForEnded(on connection: PostgresConnection) throws(PostgresError) {
    try permissions.lookIfDue(on: connection, state.withLock { $0.hooks })
  }

  private func look(on connection: PostgresConnection) throws(PostgresError) -> Look {
    let session = Session(connection)
    let before = position
    do throws(StoreError) {
      try session.translating { () throws(PostgresError) in try connection.begin(.snapshot) }
      let snapshot = Snapshot(session: session, pageTokenKey: [])
      let horizon = try snapshot.lastSequence()
      try database.clock.measure(on: session)
      let entries = try snapshot.journal(after: before, limit: Self.rowsPerLook)
      let isBehindStart = try before + 1 < snapshot.firstSequence()
      let hasPending = try snapshot.first(Self.pending) { row in row.int64(0) == 1 } ?? false
      try session.translating { () throws(PostgresError) in try connection.commit() }
      return Look(
        entries: entries, horizon: horizon, hasPending: hasPending, isBehindStart: isBehindStart)
    } catch {
      let failure = session.takePostgresFailure()
      try connection.rollback()
      throw failure ?? PostgresError(.other, error.message)
    }
  }

  private func handOn(_ look: Look, upTo position: Int64) {
    positions.note(position)
    seen.note(look.entries)
    let (observers, hooks) = state.withLock { state in
      state.position = max(state.position, position)
      return (state.observers, state.hooks)
    }
    if look.isBehindStart {
      // The changes since then are unknown.
      hooks.fatal(
        StoreError(
          .dataLoss, "the journal has lost rows that this server has not read; start it again"))
    }
    guard let last = look.entries.last?.sequence else { return }
    let effects = CommitEffects()
    for entry in look.entries {
      let change = ObjectChange(
        kind: entry.kind, id: entry.objectID, owner: entry.principal, topic: entry.topic,
        change: entry.change)
      effects.record(change, sequence: entry.sequence)
    }
    for observer in observers { observer.didCommit(effects) }
    hooks.committed(last)
    for observer in observers { observer.didAcknowledge(effects, hooks: hooks) }
  }

  private func rest(milliseconds: UInt64) {
    _ = state.wait(milliseconds: milliseconds) { $0.isStopping ? true : nil }
  }
}
