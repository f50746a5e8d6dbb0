import CSQLite

/// One prepared statement (`sqlite3_stmt`), bound from 1 and read from 0.
///
/// It belongs to its connection and to the one thread that uses it. Reading a column of another
/// kind converts it as SQLite does; nothing here traps on stored data.
package final class Statement {
  /// When the cache handed it out last; the cache's own clock.
  // Unchecked, like `isRunning`: a statement is used by one thread at a time.
  @exclusivity(unchecked) var lastUse: UInt64 = 0

  /// Whether it was stepped and not yet reset.
  @exclusivity(unchecked) private(set) package var isRunning = false

  /// How many parameters the text has.
  package let parameterCount: Int

  private let handle: OpaquePointer
  private let connection: Connection.Handle

  init(_ sql: String, on connection: Connection.Handle, isPersistent: Bool) throws(SQLiteError) {
    var sql = sql
    var handle: OpaquePointer?
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let result = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_prepare_v3(
          connection.pointer, characters.baseAddress, Int32(clamping: characters.count), flags,
          &handle, nil)
      }
    }
    guard result == SQLITE_OK else { throw connection.error(result) }
    guard let handle else {
      throw SQLiteError(code: .error, message: "the text holds no statement")
    }
    self.handle = handle
    self.connection = connection
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
  }

  deinit {
    sqlite3_finalize(handle)
  }
}

extension Statement {
  /// Runs on to the next row (`sqlite3_step`); false when there is none, and then it is reset.
  package func step() throws(SQLiteError) -> Bool {
    isRunning = true
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      return true
    case SQLITE_DONE:
      reset()
      return false
    case let result:
      let error = connection.error(result)
      reset()
      throw error
    }
  }

  /// Runs a statement that gives no rows, or whose rows do not matter.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Ends the current run (`sqlite3_reset`), so that no lock and no snapshot hangs on it.
  package func reset() {
    isRunning = false
    sqlite3_reset(handle)
  }
}

extension Statement {
  /// Binds NULL.
  package func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Binds an integer.
  package func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a double; SQLite keeps NaN as NULL.
  package func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  /// Binds a copy of the text, embedded NULs included.
  package func bind(_ value: String, at index: Int32) throws(SQLiteError) {
    var value = value
    let result = value.withUTF8 { text in
      guard let base = text.baseAddress else {
        return quiver_sqlite_bind_text(handle, index, "", 0)
      }
      return base.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
        quiver_sqlite_bind_text(handle, index, characters, UInt64(text.count))
      }
    }
    try check(result)
  }

  /// Binds a copy of the bytes; an empty array is an empty blob, not NULL.
  package func bind(_ value: [UInt8], at index: Int32) throws(SQLiteError) {
    let result =
      value.isEmpty
      ? sqlite3_bind_zeroblob(handle, index, 0)
      : quiver_sqlite_bind_blob(handle, index, value, UInt64(value.count))
    try check(result)
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw connection.error(result) }
  }
}

extension Statement {
  /// How many columns a row has.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The column as an integer; 0 for NULL.
  package func int64(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// The column as a double; 0 for NULL.
  package func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// The column as text, with invalid UTF-8 repaired; empty for NULL.
  package func text(_ column: Int32) -> String {
    optionalText(column) ?? ""
  }

  /// The column as text, with invalid UTF-8 repaired; nil for NULL.
  package func optionalText(_ column: Int32) -> String? {
    guard let text = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The column as bytes; empty for NULL.
  package func bytes(_ column: Int32) -> [UInt8] {
    guard let blob = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: blob, count: count))
  }
}
