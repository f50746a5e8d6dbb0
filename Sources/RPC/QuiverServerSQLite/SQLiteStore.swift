import Dispatch
public import QuiverRPC
public import QuiverServer
import QuiverWire

/// A database whose work has its effect once for each idempotency key, also when the process or the
/// machine fails: the changes, the key and the reply are one transaction, which is on the disk when
/// the call is answered.
///
/// Writes run one after another on one thread and reads on another one, so that no handler waits
/// for the disk on the thread of its connection. May be used from any thread.
public final class SQLiteStore: IdempotencyStore {
  /// What work runs its statements on.
  public typealias Transaction = SQLiteConnection

  private let writer: Worker
  private let reader: Worker
  private let retention: KeyRetention

  /// Opens or creates a database.
  ///
  /// Throws INTERNAL or UNAVAILABLE if that fails.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - schema: statements that create what the service stores, and do nothing where it exists, as
  ///     `CREATE TABLE IF NOT EXISTS` does.
  ///   - retention: how long replies are kept.
  public init(
    path: String, schema: String, retention: KeyRetention = KeyRetention()
  ) throws(RPCError) {
    let connection = try SQLiteConnection(path: path)
    try connection.runScript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    try connection.runScript(Self.keySchema)
    try connection.runScript(schema)
    let reading = try SQLiteConnection(path: path)
    try reading.runScript("PRAGMA query_only = ON")
    writer = Worker("quiver.sqlite.writer", connection)
    reader = Worker("quiver.sqlite.reader", reading)
    self.retention = retention
  }

  private static let keySchema = """
    CREATE TABLE IF NOT EXISTS quiver_idempotency_keys (
      number INTEGER PRIMARY KEY, principal TEXT NOT NULL, key BLOB NOT NULL, method TEXT NOT NULL,
      request BLOB NOT NULL, reply BLOB NOT NULL, kept_seconds INTEGER NOT NULL,
      UNIQUE (principal, key)
    );
    CREATE INDEX IF NOT EXISTS quiver_idempotency_keys_by_age
      ON quiver_idempotency_keys (principal, number)
    """

  /// Runs `work` with one unchanging state of the database.
  public func read<Value: Sendable>(
    _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await reader.transaction("BEGIN", work)
  }

  /// Runs `work` in one transaction, without a key: for what no call asks for.
  public func write<Value: Sendable>(
    _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await writer.transaction("BEGIN IMMEDIATE", work)
  }

  public func perform(
    _ call: KeyedCall, _ work: @escaping @Sendable (inout SQLiteConnection) throws -> [UInt8]
  ) async throws -> [UInt8] {
    let retention = retention
    return try await write { connection in
      var connection = connection
      guard let key = call.key else { return try work(&connection) }
      let id = (SQLiteValue.text(call.principal), SQLiteValue.blob(key.bytes))
      let kept = try connection.rows(
        """
        SELECT method, request, reply FROM quiver_idempotency_keys WHERE principal = ? AND key = ?
        """, id.0, id.1)
      if let kept = kept.first {
        guard kept[0].text == call.method, kept[1].blob == call.request else {
          throw KeyedCall.otherRequest
        }
        return kept[2].blob ?? []
      }
      let reply = try work(&connection)
      try connection.execute(
        "INSERT INTO quiver_idempotency_keys VALUES (NULL, ?, ?, ?, ?, ?, unixepoch())", id.0, id.1,
        .text(call.method), .blob(call.request), .blob(reply))
      try Self.expire(call.principal, retention, in: connection)
      return reply
    }
  }

  /// Removes a few keys that are too old or too many, so that each call pays for its own.
  private static func expire(
    _ principal: String, _ retention: KeyRetention, in connection: SQLiteConnection
  ) throws(RPCError) {
    try connection.execute(
      """
      DELETE FROM quiver_idempotency_keys WHERE number IN (
        SELECT number FROM quiver_idempotency_keys WHERE principal = ?1 ORDER BY number LIMIT 10)
      AND kept_seconds < unixepoch() - ?2
      """, .text(principal), .integer(retention.age.components.seconds))
    try connection.execute(
      """
      DELETE FROM quiver_idempotency_keys WHERE number IN (
        SELECT number FROM quiver_idempotency_keys WHERE principal = ?1
        ORDER BY number DESC LIMIT 10 OFFSET ?2)
      """, .text(principal), .integer(Int64(retention.maxKeysPerPrincipal)))
  }
}

/// Runs transactions one after another on a queue of its own.
// Sendable because the connection is used on the queue alone.
private final class Worker: @unchecked Sendable {
  private let queue: DispatchQueue
  private let connection: SQLiteConnection

  init(_ label: String, _ connection: SQLiteConnection) {
    queue = DispatchQueue(label: label)
    self.connection = connection
  }

  func transaction<Value: Sendable>(
    _ begin: String, _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.connection.transaction(begin, work) })
      }
    }
  }
}
