import QuiverPostgres

/// Tells all servers of the database that the journal has new rows, by NOTIFY after the commits.
///
/// NOTIFY in the transaction of a command would hold a lock of the whole database until its commit
/// is on the disk, so that all commits would be one after the other. Here one notification stands
/// for all commits since the one before. If the server ends in between, the others find the rows by
/// themselves a second later (``JournalFollower``).
final class JournalNotifier: Sendable {
  static let channel = "quiver_journal"

  private let connector: PostgresConnector
  private let state = Monitor(State())

  private struct State {
    var isDue = false
    var isStopping = false
    var isRunning = false
  }

  init(_ connector: PostgresConnector) {
    self.connector = connector
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

  /// Notifies soon; from any thread.
  func notify() {
    let isFirst = state.withLock { state in
      defer { state.isDue = true }
      return !state.isDue
    }
    if isFirst { state.broadcast() }
  }

  /// Sends what is due, and returns when the thread has ended.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.isRunning ? nil : true }
  }

  private func work() {
    var connection: PostgresConnection?
    while isDue() {
      do throws(PostgresError) {
        if connection == nil { connection = try connect() }
        connection?.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
        try connection?.run(control: "NOTIFY \(Self.channel)")
      } catch {
        // The followers look for themselves.
        connection = nil
      }
    }
    state.withLock { $0.isRunning = false }
    state.broadcast()
  }

  /// Waits until a notification is due; false if the thread must end.
  private func isDue() -> Bool {
    state.wait { state -> Bool? in
      guard state.isDue else { return state.isStopping ? false : nil }
      state.isDue = false
      return true
    } ?? false
  }

  /// A notification that is lost with the database is not missed.
  private func connect() throws(PostgresError) -> PostgresConnection {
    let connection = try connector.connect(.background)
    try connection.execute("SET synchronous_commit = off")
    return connection
  }
}
