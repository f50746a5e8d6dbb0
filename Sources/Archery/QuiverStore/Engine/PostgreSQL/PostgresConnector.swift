import QuiverPostgres
import Synchronization

/// Makes connections to one database, and waits longer between attempts while they fail.
///
/// After a failure one attempt at a time is made, after a pause that doubles up to
/// `StoreLimits.reconnectMilliseconds`, with jitter; meanwhile ``connect(_:)`` fails at once with
/// the latest error. So a database that starts again is not met by all connections at once. Any
/// thread may use it.
final class PostgresConnector: Sendable {
  /// What a connection is for.
  enum Role: Sendable {
    case command
    case read
    case background
    /// The first connection of a start, which may change the schema.
    case opening
  }

  /// Throws where a new connection must not be used.
  typealias Check = @Sendable (PostgresConnection) throws(PostgresError) -> Void

  private let configuration: PostgresConfiguration
  private let monotonicNanoseconds: @Sendable () -> UInt64
  private let check: Check?
  private let state = Mutex(State())

  private struct State {
    var failureCount: UInt64 = 0
    /// When the next attempt may be made, in nanoseconds.
    var nextAttempt: UInt64 = 0
    var failure: PostgresError?
    var counts = Counts()
  }

  /// What has happened since the start.
  struct Counts: Sendable {
    var connectionCount: UInt64 = 0
    var failureCount: UInt64 = 0
  }

  init(
    _ configuration: PostgresConfiguration, monotonicNanoseconds: @escaping @Sendable () -> UInt64,
    check: Check? = nil
  ) {
    self.check = check
    self.configuration = configuration
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Connects, and sets what the role needs, within the time for a connection, which is its
  /// deadline until another one is set.
  ///
  /// A schema of a newer version is not used, except by the role that opens the database.
  func connect(_ role: Role) throws(PostgresError) -> PostgresConnection {
    if let refusal = state.withLock({ refusal(&$0) }) { throw refusal }
    do throws(PostgresError) {
      let connection = try PostgresConnection(configuration)
      connection.deadline = .after(milliseconds: configuration.connectMilliseconds)
      try connection.execute(Self.settings(role))
      connection.sessionLimits = PostgresConnection.SessionLimits(
        statementMilliseconds: StoreLimits.databaseMilliseconds,
        lockMilliseconds: role == .command ? PostgresCommands.lockMilliseconds : nil)
      if role != .opening { try Self.checkSchema(connection) }
      if let check { try check(connection) }
      state.withLock { state in
        state.failureCount = 0
        state.nextAttempt = 0
        state.failure = nil
        state.counts.connectionCount += 1
      }
      return connection
    } catch {
      state.withLock { fail(&$0, error) }
      throw error
    }
  }

  private static func checkSchema(_ connection: PostgresConnection) throws(PostgresError) {
    let newest = Migration.postgreSQL.last?.number ?? 0
    let text = try connection.value("SELECT coalesce(max(number), 0) FROM migration") ?? ""
    guard let version = Int64(text), version > newest else { return }
    throw PostgresError(
      .other,
      "it has schema \(version) of a newer Quiver and this one knows \(newest); run that version")
  }

  /// The latest error, if no attempt may be made now; otherwise others may not make one while this
  /// one runs, unless the latest one succeeded.
  private func refusal(_ state: inout State) -> PostgresError? {
    guard let failure = state.failure else { return nil }
    let now = monotonicNanoseconds()
    guard now >= state.nextAttempt else { return failure }
    state.nextAttempt = now &+ configuration.connectMilliseconds &* 1_000_000
    return nil
  }

  private func fail(_ state: inout State, _ error: PostgresError) {
    state.failure = error
    state.counts.failureCount += 1
    state.failureCount = min(state.failureCount + 1, 16)
    let pause = min(
      StoreLimits.reconnectMilliseconds,
      StoreLimits.firstReconnectMilliseconds << (state.failureCount - 1))
    let milliseconds = UInt64.random(in: pause / 2...pause)
    state.nextAttempt = monotonicNanoseconds() &+ milliseconds &* 1_000_000
  }

  /// The lock of a connection for commands tells those that start that a server runs: without any
  /// the schema may be changed.
  ///
  /// The database ends transactions that a lost server has left open, and notices within 20 s that
  /// the machine of a server is gone, so that its locks end. Sequential scans would lock
  /// whole tables under `SERIALIZABLE`, so that commands would conflict that have nothing in
  /// common. With `synchronous_commit = off` commands would be acknowledged before they are on the
  /// disk; other settings of it stay.
  private static func settings(_ role: Role) -> String {
    let all = """
      SET idle_in_transaction_session_timeout = \(StoreLimits.databaseMilliseconds);
      SET statement_timeout = \(StoreLimits.databaseMilliseconds);
      SET jit = off;
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3;
      """
    return switch role {
    case .command:
      all + """
        SET enable_seqscan = off;
        SET lock_timeout = \(PostgresCommands.lockMilliseconds);
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off';
        SELECT pg_advisory_lock_shared(\(PostgresDatabase.presenceKey));
        """
    case .read: all + "SET default_transaction_read_only = on;"
    case .background, .opening: all
    }
  }
}
