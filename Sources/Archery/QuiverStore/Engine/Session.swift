import QuiverSQLite

/// Runs statements for reads and commands, and converts rows and errors.
///
/// A second SQL engine would replace this type; nothing above it depends on SQLite.
final class Session {
  let connection: Connection

  /// The error that ended the transaction or the file, which the writer must handle.
  private(set) var failure: SQLiteError?

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// The first row of the query, as `map` reads it; nil where there is none.
  func first<Result>(
    _ query: Query, _ values: [SQLValue], _ map: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    let statement = try prepared(query, values)
    defer { statement.reset() }
    return try step(statement) ? try map(Row(statement)) : nil
  }

  /// Hands each row of the query to `body`, until there is none left.
  func forEach(
    _ query: Query, _ values: [SQLValue], _ body: (Row) throws(StoreError) -> Void
  ) throws(StoreError) {
    try walk(query, values) { (row) throws(StoreError) in
      try body(row)
      return true
    }
  }

  /// Hands rows of the query to `body` for as long as that answers true.
  func walk(
    _ query: Query, _ values: [SQLValue], _ body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try prepared(query, values)
    defer { statement.reset() }
    while try step(statement), try body(Row(statement)) {}
  }

  /// Runs a statement for its effect; answers how many rows it changed.
  @discardableResult
  func run(_ query: Query, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    let statement = try prepared(query, values)
    while try step(statement) {}
    return connection.changedRowCount
  }

  /// The id of the row that was inserted last.
  var lastInsertedID: Int64 { connection.lastInsertedRowID }

  /// Rows that were changed by all statements so far.
  var totalChangedRowCount: Int64 { connection.totalChangedRowCount }

  /// Forgets the latest failure, and answers it.
  func takeFailure() -> SQLiteError? {
    defer { failure = nil }
    return failure
  }

  private func prepared(
    _ query: Query, _ values: [SQLValue]
  ) throws(StoreError) -> Statement {
    do {
      let statement = try connection.statement(query.text)
      precondition(
        statement.parameterCount == values.count, "A statement was given too few or many values.")
      for (index, value) in values.enumerated() {
        try statement.bind(value, at: Int32(truncatingIfNeeded: index + 1))
      }
      return statement
    } catch {
      throw translated(error)
    }
  }

  private func step(_ statement: Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw translated(error)
    }
  }

  private func translated(_ error: SQLiteError) -> StoreError {
    failure = error
    guard error.code.primary == .interrupted, connection.hasOverrun else {
      return StoreError(error)
    }
    return StoreError(
      .deadlineExceeded, "reading took longer than the server allows; ask for less at once")
  }
}

extension Statement {
  fileprivate func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value): try bind(value, at: index)
    case .text(let value): try bind(value, at: index)
    case .blob(let value): try bind(value, at: index)
    }
  }
}

extension StoreError {
  static var diskFull: StoreError {
    var error = StoreError(
      .resourceExhausted, "the disk is full; nothing was stored", notProcessed: true)
    error.isDiskFull = true
    return error
  }

  /// What an engine's error means to a caller.
  init(_ error: SQLiteError) {
    switch error.code.primary {
    case .full:
      self = .diskFull
    case .outOfMemory:
      self.init(
        .resourceExhausted, "the server is out of memory; nothing was stored", notProcessed: true)
    case .corrupt, .notADatabase:
      self.init(.dataLoss, "the stored data is damaged here")
    case .busy, .locked:
      self.init(.unavailable, "another process holds the database", notProcessed: true)
    case .interrupted:
      self.init(.cancelled, "the statement was interrupted")
    case _ where error.code.isDamage:
      self.init(.dataLoss, "the stored data is damaged here")
    case .inputOutput:
      self.init(.internalError, "the database could not be read or written")
    default:
      self.init(.internalError, "the store failed: SQLite \(error.code.rawValue)")
    }
  }
}
