import CSQLite
public import QuiverRPC
import QuiverWire

/// One connection to a database, inside a transaction of a ``SQLiteStore``: it is used where it was
/// given, and not kept.
public final class SQLiteConnection {
  private let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  /// Whether ``transaction(_:_:)`` runs work, which must not begin or end a transaction. A pointer,
  /// since SQLite asks a function of C for each statement that is prepared.
  private let isInWork = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  /// Prepared statements that a connection keeps.
  static let maxStatements = 200

  init(path: String) throws(RPCError) {
    _ = Self.isConfigured
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Self.error(code, "the database cannot be opened")
    }
    database = opened
    isInWork.initialize(to: false)
    sqlite3_set_authorizer(
      opened,
      { context, action, _, _, _, _ in
        let isInWork = context?.load(as: Bool.self) == true
        return action == SQLITE_TRANSACTION && isInWork ? SQLITE_DENY : SQLITE_OK
      }, isInWork)
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
  }

  private static let busyMilliseconds: Int32 = 5_000
  private static let isConfigured = quiver_sqlite_configure() == SQLITE_OK

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
    isInWork.deallocate()
  }

  /// Runs `work` in a transaction that begins with a statement, and ends it.
  func transaction<Value>(
    _ begin: String, _ work: (SQLiteConnection) throws -> Value
  ) throws -> Value {
    try runScript(begin)
    do {
      isInWork.pointee = true
      defer { isInWork.pointee = false }
      let value = try work(self)
      isInWork.pointee = false
      try runScript("COMMIT")
      return value
    } catch {
      // It fails where SQLite has rolled back by itself.
      try? runScript("ROLLBACK")
      throw error
    }
  }

  /// Runs statements without values, as a schema has them.
  func runScript(_ sql: String) throws(RPCError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Self.error(code, "a statement failed") }
  }

  /// Runs a statement and returns the number of rows that it has changed.
  @discardableResult
  public func execute(_ sql: String, _ values: SQLiteValue...) throws(RPCError) -> Int {
    try run(sql, values) { _ in }
    return Int(sqlite3_changes64(database))
  }

  /// The rows of a query, each with its columns in order.
  public func rows(_ sql: String, _ values: SQLiteValue...) throws(RPCError) -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    try run(sql, values) { statement in
      rows.append((0..<sqlite3_column_count(statement)).map { Self.column($0, of: statement) })
    }
    return rows
  }

  private func run(
    _ sql: String, _ values: [SQLiteValue], _ row: (OpaquePointer) -> Void
  ) throws(RPCError) {
    // A statement `OR ROLLBACK` ends it, and an error of the disk.
    guard !isInWork.pointee || sqlite3_get_autocommit(database) == 0 else {
      throw RPCError(.internal, "the transaction was rolled back by an earlier statement")
    }
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
      throw RPCError(.internal, "a statement was given \(values.count) values")
    }
    for (index, value) in values.enumerated() {
      let code = Self.bind(value, at: Int32(index + 1), of: statement)
      guard code == SQLITE_OK else { throw Self.error(code, "a value cannot be used") }
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw Self.error(code, "a statement failed") }
      row(statement)
    }
  }

  private func prepared(_ sql: String) throws(RPCError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    var hasMore = false
    let code = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(database, text, -1, &made, &rest)
      // Spaces and comments are no statements.
      while code == SQLITE_OK, !hasMore, let start = rest, start.pointee != 0 {
        var further: OpaquePointer?
        hasMore =
          sqlite3_prepare_v2(database, start, -1, &further, &rest) != SQLITE_OK
          || further != nil
        sqlite3_finalize(further)
      }
      return code
    }
    guard code == SQLITE_OK else { throw Self.error(code, "a statement is malformed") }
    guard let made, !hasMore else {
      sqlite3_finalize(made)
      throw RPCError(.internal, "a text has one statement")
    }
    if statements.count >= Self.maxStatements {
      for statement in statements.values { sqlite3_finalize(statement) }
      statements = [:]
    }
    statements[sql] = made
    return made
  }

  private static func bind(
    _ value: SQLiteValue, at index: Int32, of statement: OpaquePointer
  ) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, value)
    case .real(let value): return sqlite3_bind_double(statement, index, value)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          quiver_sqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return bytes.withUnsafeBytes {
        quiver_sqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count))
      }
    }
  }

  private static func column(_ index: Int32, of statement: OpaquePointer) -> SQLiteValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .text(String(decoding: bytes(index, of: statement), as: UTF8.self))
    case SQLITE_BLOB: return .blob(bytes(index, of: statement))
    default: return .null
    }
  }

  private static func bytes(_ index: Int32, of statement: OpaquePointer) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, index) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, index))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The status for a failure. It states SQLite's reason and nothing of the data.
  private static func error(_ code: Int32, _ what: String) -> RPCError {
    let reason = String(cString: sqlite3_errstr(code))
    switch code & 0xFF {
    case SQLITE_FULL: return RPCError(.resourceExhausted, "\(what): \(reason)")
    case SQLITE_CONSTRAINT: return RPCError(.failedPrecondition, "\(what): \(reason)")
    case SQLITE_BUSY, SQLITE_LOCKED: return RPCError(.unavailable, "\(what): \(reason)")
    default: return RPCError(.internal, "\(what): \(reason)")
    }
  }
}

@available(*, unavailable)
extension SQLiteConnection: Sendable {}
