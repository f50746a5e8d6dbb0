import QuiverPostgres
import Synchronization

/// The latest rows of the journal that this server has seen, by which it notices that the database
/// was set back: that commits have disappeared which callers and watches know of.
///
/// That happens where a copy takes the place of the database that lacks them, such as a restored
/// backup or a replica that was behind. What is in the memory of the server, and at its callers,
/// is then of another past, so it must end. The rows are compared on each new connection, before
/// anything is read or stored there. Any thread may use it.
final class SeenJournal: Sendable {
  private let state: Mutex<State>

  private struct State: Sendable {
    var hooks: StoreHooks
    var rows: [Row] = []
    /// The latest row of this server's own commands.
    var own: Int64 = 0
  }

  private struct Row: Sendable {
    let sequence: Int64
    let values: [Int64]

    init(_ entry: JournalEntry) {
      sequence = entry.sequence
      values = [entry.principal, entry.kind.rawValue, entry.objectID, entry.atMilliseconds]
    }
  }

  init(_ hooks: StoreHooks) {
    state = Mutex(State(hooks: hooks))
  }

  func install(_ new: StoreHooks) { state.withLock { $0.hooks = new } }

  /// Rows were read, in order.
  func note(_ entries: [JournalEntry]) {
    guard !entries.isEmpty else { return }
    let new = entries.suffix(StoreLimits.seenJournalRows).map(Row.init)
    state.withLock { state in
      state.rows = (state.rows + new).suffix(StoreLimits.seenJournalRows)
    }
  }

  /// A command of this server was committed with a row of this sequence; 0: it has none.
  func note(own sequence: Int64) {
    guard sequence > 0 else { return }
    state.withLock { $0.own = max($0.own, sequence) }
  }

  /// Throws where the database lacks a row that was seen, or has another one in its place, and
  /// tells the hooks that the server must end.
  ///
  /// Rows that were removed because they are old do not count.
  func check(_ connection: PostgresConnection) throws(PostgresError) {
    let (hooks, rows, own) = state.withLock { ($0.hooks, $0.rows, $0.own) }
    let wanted = rows.map(\.sequence) + (own > 0 ? [own] : [])
    guard !wanted.isEmpty else { return }
    let list = wanted.map { "\($0)" }.joined(separator: ",")
    let found = try connection.rows(
      """
      SELECT w.sequence,
        CASE WHEN w.sequence >= (
            SELECT CAST(convert_from(value, 'UTF8') AS bigint) FROM meta
            WHERE name = '\(JournalPosition.startName)') THEN 1 ELSE 0 END,
        CASE WHEN j.sequence IS NULL THEN 0 ELSE 1 END,
        j.principal_id, j.kind, j.object_id, j.at_ms
      FROM (SELECT unnest(CAST(ARRAY[\(list)] AS bigint[])) AS sequence) w
      LEFT JOIN journal j ON j.sequence = w.sequence
      """)
    let known = Dictionary(rows.map { ($0.sequence, $0.values) }) { $1 }
    for row in 0..<found.rowCount where found.int64(row, 1) == 1 {
      let sequence = found.int64(row, 0)
      let isThere = found.int64(row, 2) == 1
      if isThere, known[sequence] == nil { continue }
      if isThere, known[sequence] == (3..<7).map({ found.int64(row, $0) }) { continue }
      hooks.fatal(Self.setBack)
      throw PostgresError(.other, Self.setBack.message)
    }
  }

  private static let setBack = StoreError(
    .dataLoss,
    """
    the database was set back: commits that this server has seen are not there any more, as after \
    restoring a backup or promoting a replica that lacked them; start all of its servers again
    """)
}
