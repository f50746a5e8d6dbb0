import QuiverSQLite
import Synchronization

/// The check of every page of a large database while it is already served.
///
/// It runs on a dedicated thread and read-only connection, one table at a time, so that no snapshot
/// stays open for longer than one table takes.
final class StartCheck: Sendable {
  private let path: String
  private let fileSystem: String?
  private let state = Monitor(State())

  // `@unchecked`: another thread uses the connection only to interrupt it, under the lock.
  private struct State: @unchecked Sendable {
    var connection: Connection?
    var isStopping = false
    var hasEnded = false
    var outcome: StoreError??
    var hook: @Sendable (StoreError?) -> Void = { _ in }
  }

  init(path: String, _ configuration: StoreConfiguration) {
    self.path = path
    fileSystem = configuration.fileSystem
    state.withLock { $0.hook = configuration.hooks.checked }
  }

  func start() throws(StoreError) {
    do throws(StoreError) {
      try DedicatedThread.start(.low) { self.run() }
    } catch {
      state.withLock { $0.hasEnded = true }
      throw error
    }
  }

  /// Calls `hook` when the check ends, or at once if it has ended.
  func install(_ hook: @escaping @Sendable (StoreError?) -> Void) {
    let outcome = state.withLock { state in
      state.hook = hook
      return state.outcome
    }
    if let outcome { hook(outcome) }
  }

  /// Ends the check and returns when its connection is closed.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.connection?.interrupt()
    }
    _ = state.wait { $0.hasEnded ? true : nil }
  }

  private func run() {
    let outcome = check()
    let hook = state.withLock { state in
      state.connection = nil
      state.hasEnded = true
      guard !state.isStopping else { return nil as (@Sendable (StoreError?) -> Void)? }
      state.outcome = .some(outcome)
      return state.hook
    }
    state.broadcast()
    hook?(outcome)
  }

  private func check() -> StoreError? {
    do {
      let connection = try Connection(path: path, mode: .readOnly, fileSystem: fileSystem)
      try connection.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
      state.withLock { $0.connection = connection }
      let session = Session(connection)
      try Database.explained(path, session) {
        for table in try session.tableNames() {
          if state.withLock({ $0.isStopping }) { return }
          if let finding = try session.pageFindings(table: table).first {
            throw Database.damage(path, finding)
          }
        }
      }
      return nil
    } catch let error as StoreError {
      return error
    } catch {
      return StoreError(.internalError, "\(path) could not be checked: \(error)")
    }
  }
}

/// SQLite's own check of every page: structure, order and cells, but not index contents.
extension Session {
  private static let whole = Query(onlySQLite: "SELECT quick_check FROM pragma_quick_check")
  private static let ofTable = Query(onlySQLite: "SELECT quick_check FROM pragma_quick_check(?1)")
  private static let tables = Query(
    onlySQLite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
  )

  /// The damage in the pages of a table and its indexes, or of the whole file if `table` is nil.
  ///
  /// The snapshot stays open meanwhile, about a second for each gigabyte in memory.
  func pageFindings(table: String?) throws(StoreError) -> [String] {
    var findings: [String] = []
    let query = table == nil ? Self.whole : Self.ofTable
    try forEach(query, table.map { [.text($0)] } ?? []) { row in
      let text = row.text(0)
      if text != "ok", findings.count < StoreLimits.findingsPerCheck { findings.append(text) }
    }
    return findings
  }

  /// The names of all tables that have pages.
  func tableNames() throws(StoreError) -> [String] {
    var names: [String] = []
    try forEach(Self.tables, []) { row in names.append(row.text(0)) }
    return names
  }
}
