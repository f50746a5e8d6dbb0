import QuiverPostgres
import Synchronization

/// Reads the permissions that ended at any server of a database, on the connection of
/// ``JournalFollower``.
///
/// Rows of the journal wait for all earlier transactions of the cluster, also for those of other
/// programs, which may stay open for hours. Here each look takes the rows whose transactions its
/// snapshot shows and that of the look before did not: nothing waits, and nothing is missed.
///
/// The rows of this server's own commits were reported with the answers to their callers. They are
/// reported again a little later, since a commit whose answer was lost was not reported.
final class EndedPermissionReader: Sendable {
  static let channel = "quiver_permission"

  /// What the rows of this server are known by, random with each start.
  let server: Int64

  private let observer: any CommitObserver
  private let monotonicNanoseconds: @Sendable () -> UInt64
  private let state: Mutex<State>

  private struct State {
    /// The snapshot of the latest look (`pg_current_snapshot()`).
    var snapshot: String
    /// When that was, in monotonic nanoseconds.
    var lookedAt: UInt64 = 0
    /// The time of the database then, in milliseconds; 0: there was no look.
    var databaseMilliseconds: Int64 = 0
    var isDue = true
    /// Whether the connection is another one than that of the latest look.
    var isNew = false
    /// The rows that were read since a little before the latest look, with their times.
    var known: [Key: Int64] = [:]
    var own: [(change: ObjectChange, dueNanoseconds: UInt64)] = []

    /// Sorts new rows out: those of this server wait until `due`.
    mutating func note(_ rows: [Entry], ownServer: Int64, due: UInt64, in found: inout Found) {
      for row in rows where known.updateValue(row.key.atMilliseconds, forKey: row.key) == nil {
        if let end = row.tokenEnd { found.tokenEnds.append(end) }
        if row.server == ownServer {
          own.append((row.change, due))
        } else {
          found.effects.record(row.change)
        }
      }
    }

    mutating func takeOwn(_ now: UInt64, in found: inout Found) {
      for entry in own where entry.dueNanoseconds <= now { found.effects.record(entry.change) }
      own.removeAll { $0.dueNanoseconds <= now }
    }
  }

  private struct Key: Hashable {
    let id: Int64
    let transaction: Int64
    let atMilliseconds: Int64
  }

  private struct Entry {
    let key: Key
    let server: Int64
    let change: ObjectChange
    let tokenEnd: TokenEnd?

    init(_ row: Row) {
      key = Key(id: row.int64(2), transaction: row.int64(3), atMilliseconds: row.int64(4))
      server = row.int64(5)
      change = ObjectChange(
        kind: ObjectKind(rawValue: row.int64(6)), id: row.int64(7), owner: row.int64(8),
        change: JournalEntry.Change(rawValue: row.int64(9)) ?? .updated)
      tokenEnd = row.optionalInt64(10).map { [id = change.id] end in
        TokenEnd(id: id, expiresAtMilliseconds: end)
      }
    }
  }

  /// What one look found.
  private struct Found {
    var effects = CommitEffects(isFromTable: true)
    var tokenEnds: [TokenEnd] = []
    /// Whether the server was without its database for so long that rows may have been removed.
    var isTooLate = false
  }

  private static let columns = """
    SELECT CAST(pg_current_snapshot() AS text),
      CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint),
      e.id, e.transaction_id, e.at_ms, e.server_id, e.kind, e.object_id, e.owner_id, e.change,
      t.expires_at_ms
    FROM (SELECT 1 AS one) o
    """
  private static let tokens = """
    LEFT JOIN token t ON e.kind = \(ObjectKind.token.rawValue) AND t.id = e.object_id
    ORDER BY e.id
    """

  /// The rows that another snapshot did not show.
  private static let behind = Query(
    onlyPostgreSQL: """
      \(columns)
      LEFT JOIN ended_permission e ON e.transaction_id >=
          CAST(CAST(pg_snapshot_xmin(CAST(CAST(?1 AS text) AS pg_snapshot)) AS text) AS bigint)
        AND NOT pg_visible_in_snapshot(
          CAST(CAST(e.transaction_id AS text) AS xid8), CAST(CAST(?1 AS text) AS pg_snapshot))
      \(tokens)
      """)

  /// The rows since a time. After a failure of the database the numbers of transactions that were
  /// lost can be given again.
  private static let since = Query(
    onlyPostgreSQL: """
      \(columns) LEFT JOIN ended_permission e ON e.at_ms > ?1
      \(tokens)
      """)

  static let currentSnapshot = "SELECT CAST(pg_current_snapshot() AS text)"

  /// - Parameter snapshot: the one behind which rows are read.
  init(
    _ observer: any CommitObserver, after snapshot: String,
    monotonicNanoseconds: @escaping @Sendable () -> UInt64
  ) {
    server = Int64.random(in: 1...(1 << 53))
    self.observer = observer
    self.monotonicNanoseconds = monotonicNanoseconds
    state = Mutex(State(snapshot: snapshot))
  }

  /// The follower has another connection, perhaps to another server of the database.
  func noteConnection() { state.withLock { $0.isNew = $0.databaseMilliseconds != 0 } }

  /// A server has told of ended permissions.
  func noteNotification() { state.withLock { $0.isDue = true } }

  /// Looks if it is time to, and reports what has ended.
  func lookIfDue(on connection: PostgresConnection, _ hooks: StoreHooks) throws(PostgresError) {
    let now = monotonicNanoseconds()
    let isDue = state.withLock { state in
      defer { state.isDue = false }
      return state.isDue || state.isNew
        || now &- state.lookedAt >= StoreLimits.permissionPollMilliseconds * 1_000_000
    }
    guard isDue else { return }
    connection.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
    let found = try look(on: connection, now)
    if found.isTooLate {
      hooks.fatal(
        StoreError(
          .dataLoss,
          """
          the database could not be reached for days, and may not know any more which permissions \
          have ended meanwhile; start the server again
          """))
    }
    if !found.tokenEnds.isEmpty { hooks.tokensReplaced(found.tokenEnds) }
    guard !found.effects.changes.isEmpty else { return }
    observer.didCommit(found.effects)
    observer.didAcknowledge(found.effects, hooks: hooks)
  }

  private func look(
    on connection: PostgresConnection, _ now: UInt64
  ) throws(PostgresError) -> Found {
    let (before, isNew, time) = state.withLock { state in
      (state.snapshot, state.isNew, state.databaseMilliseconds)
    }
    var rows: [Entry] = []
    var snapshot = before
    var milliseconds = time
    let session = Session(connection)
    do throws(StoreError) {
      let values: [SQLValue] =
        isNew
        ? [.integer(time - StoreLimits.permissionOverlapMilliseconds)] : [.text(before)]
      try session.forEach(isNew ? Self.since : Self.behind, values) { row in
        (snapshot, milliseconds) = (row.text(0), row.int64(1))
        if !row.isNull(2) { rows.append(Entry(row)) }
      }
    } catch {
      throw session.takePostgresFailure() ?? PostgresError(.other, error.message)
    }
    var found = Found()
    found.isTooLate =
      isNew && milliseconds - time > StoreLimits.endedPermissionKeepMilliseconds / 2
    state.withLock { state in
      state.isNew = false
      (state.snapshot, state.lookedAt) = (snapshot, now)
      state.databaseMilliseconds = milliseconds
      state.note(
        rows, ownServer: server,
        due: now &+ StoreLimits.ownPermissionMilliseconds * 1_000_000, in: &found)
      state.takeOwn(now, in: &found)
      let oldest = milliseconds - 2 * StoreLimits.permissionOverlapMilliseconds
      state.known = state.known.filter { $0.value >= oldest }
    }
    return found
  }
}
