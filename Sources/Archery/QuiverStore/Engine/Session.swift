import QuiverPostgres
import QuiverRules
import QuiverSQLite

/// Runs statements for reads and commands, and converts rows and errors: the seam between the store
/// and its SQL engines.
///
/// Nothing above it depends on an engine. A switch over two final classes selects the engine, once
/// for each statement and column; protocols would cost a look-up and an allocation for each row.
final class Session {
  private enum Engine {
    case sqlite(Connection)
    case postgreSQL(PostgresConnection)
  }

  private let engine: Engine

  /// The store's epoch, for sessions that run commands.
  var epoch = CurrentEpoch()
  /// What imports of this server name (``ServerPresence``); 0 on SQLite.
  var server: Int64 = 0

  /// The error that ended the transaction or the file, which the writer must handle.
  // Unchecked: a session is used by one thread at a time, and nothing runs within an access.
  @exclusivity(unchecked) private(set) var failure: SQLiteError?

  /// The first error of PostgreSQL since this value was last read; it decides whether the
  /// transaction runs again. Later errors only state that the transaction has failed.
  private(set) var postgresFailure: PostgresError?

  /// What was sent before it is asked for, and is valid until a statement may have changed rows.
  private var prefetched: [Prefetched] = []

  private struct Prefetched {
    let text: PostgresText
    let values: [SQLValue]
    let answer: PostgresAnswer
  }

  /// Whether ``run(_:_:)`` sends a statement of PostgreSQL with the next one that has a result. Its
  /// error is thrown there, or by the commit.
  var defersStatements = false

  /// How many statements the read may have that runs now; nil: any number.
  private var statementLimit: Int?

  /// Whether the read ran more statements than ``beginReading(statementLimit:)`` allowed.
  private(set) var hasExceededLimit = false

  /// The passes of formats that were read, by format.
  private var passesByFormat: [Int64: [RoundPass]] = [:]

  #if DEBUG
    /// The statements that this session has run, for tests that bound them.
    private(set) var statementCount = 0
  #endif

  init(_ connection: Connection) {
    engine = .sqlite(connection)
  }

  init(_ connection: PostgresConnection) {
    engine = .postgreSQL(connection)
  }

  /// The connection of a session of SQLite. Traps for one of PostgreSQL.
  var connection: Connection {
    guard case .sqlite(let connection) = engine else {
      preconditionFailure("A session of PostgreSQL was used as one of SQLite.")
    }
    return connection
  }

  /// The connection of a session of PostgreSQL; nil for one of SQLite.
  var postgreSQLConnection: PostgresConnection? {
    if case .postgreSQL(let connection) = engine { connection } else { nil }
  }

  /// Whether the session is one of PostgreSQL, where other servers may change the database.
  var isPostgreSQL: Bool {
    if case .postgreSQL = engine { true } else { false }
  }

  /// The first row of the query, as `map` reads it; nil where there is none.
  func first<Result>(
    _ query: Query, _ values: [SQLValue], _ map: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    switch engine {
    case .sqlite(let connection):
      let statement = try prepared(query, values, on: connection)
      defer { statement.reset() }
      return try step(statement, on: connection) ? try map(Row(statement)) : nil
    case .postgreSQL(let connection):
      let cursor = try cursor(query.postgreSQL, values, on: connection)
      return cursor.next() ? try map(Row(cursor)) : nil
    }
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
    switch engine {
    case .sqlite(let connection):
      let statement = try prepared(query, values, on: connection)
      defer { statement.reset() }
      while try step(statement, on: connection), try body(Row(statement)) {}
    case .postgreSQL(let connection):
      let cursor = try cursor(query.postgreSQL, values, on: connection)
      while cursor.next(), try body(Row(cursor)) {}
    }
  }

  /// Runs a statement for its effect.
  func run(_ query: Query, _ values: [SQLValue]) throws(StoreError) {
    switch engine {
    case .sqlite(let connection):
      let statement = try prepared(query, values, on: connection)
      while try step(statement, on: connection) {}
    case .postgreSQL(let connection):
      guard defersStatements else {
        _ = try cursor(query.postgreSQL, values, on: connection)
        return
      }
      try translating { () throws(PostgresError) in
        try connection.enqueue(bound(query.postgreSQL, values, on: connection))
      }
    }
  }

  /// Runs a statement for its effect; answers how many rows it changed.
  func runCounting(_ query: Query, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    switch engine {
    case .sqlite(let connection):
      try run(query, values)
      return connection.changedRowCount
    case .postgreSQL(let connection):
      return try cursor(query.postgreSQL, values, on: connection).affectedRowCount
    }
  }

  /// Inserts a row into a table whose key the database assigns; answers the key.
  ///
  /// The query names the column of the key (``Query/init(_:postgreSQL:key:)``).
  func insert(_ query: Query, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    switch engine {
    case .sqlite(let connection):
      try run(query, values)
      let id = connection.lastInsertedRowID
      return id < epoch.base && query.assignsID ? try raise(id, of: query, on: connection) : id
    case .postgreSQL(let connection):
      guard let inserting = query.postgreSQLInsert else {
        preconditionFailure("A query that inserts a row does not name its key.")
      }
      return try first(inserting, values, on: connection)
    }
  }

  /// Inserts a row as ``run(_:_:)`` does, on PostgreSQL only; `then` receives the key when it is
  /// known, at the latest with the answer to the commit.
  func insertLater(
    _ query: Query, _ values: [SQLValue], then: @escaping (Int64) -> Void
  ) throws(StoreError) {
    guard case .postgreSQL(let connection) = engine, let text = query.postgreSQLInsert else {
      preconditionFailure("A row that is inserted later is one of PostgreSQL, with a key.")
    }
    try translating { () throws(PostgresError) in
      try connection.send(bound(text, values, on: connection)) { rows in
        if rows.rowCount > 0 { then(rows.int64(0, 0)) }
      }
      if !defersStatements { try connection.synchronize() }
    }
  }

  /// Sends a query as ``insertLater(_:_:then:)`` sends a row; `then` receives the first column of
  /// its first row.
  func askLater(
    _ query: Query, _ values: [SQLValue] = [], then: @escaping (Int64) -> Void
  ) throws(StoreError) {
    guard case .postgreSQL(let connection) = engine else {
      preconditionFailure("A question that is answered later is one of PostgreSQL.")
    }
    _ = try translating { () throws(PostgresError) in
      try connection.send(bound(query.postgreSQL, values, on: connection)) { rows in
        if rows.rowCount > 0 { then(rows.int64(0, 0)) }
      }
    }
  }

  /// Sends a query whose rows will be asked for with the same values, so that they come with the
  /// next answer; on PostgreSQL only.
  func prefetch(_ query: Query, _ values: [SQLValue]) throws(StoreError) {
    guard case .postgreSQL(let connection) = engine else { return }
    try translating { () throws(PostgresError) in
      let statement = try bound(query.postgreSQL, values, on: connection)
      prefetched.append(
        Prefetched(
          text: query.postgreSQL, values: values, answer: try connection.send(statement)))
    }
  }

  /// Forgets what the transaction before has left on PostgreSQL.
  ///
  /// The next one may have `statementLimit` statements; nil: any number. A further one throws, and
  /// sets ``hasExceededLimit``.
  func startOver(statementLimit: Int? = nil) {
    self.statementLimit = statementLimit
    hasExceededLimit = false
    defersStatements = false
    postgresFailure = nil
    prefetched.removeAll(keepingCapacity: true)
  }

  /// Forgets the latest failure, and answers it.
  func takeFailure() -> SQLiteError? {
    defer { failure = nil }
    return failure
  }

  /// Forgets the latest failure of PostgreSQL, and answers it.
  func takePostgresFailure() -> PostgresError? {
    defer { postgresFailure = nil }
    return postgresFailure
  }

  private func prepared(
    _ query: Query, _ values: [SQLValue], on connection: Connection
  ) throws(StoreError) -> Statement {
    #if DEBUG
      statementCount += 1
    #endif
    do throws(SQLiteError) {
      let statement = try connection.statement(query.text)
      precondition(
        statement.parameterCount == values.count, "A statement was given too few or many values.")
      if try Self.bind(values, to: statement) { return statement }
    } catch {
      throw translated(error, connection)
    }
    throw Self.zeroCharacter
  }

  private func step(
    _ statement: Statement, on connection: Connection
  ) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw translated(error, connection)
    }
  }

  func translated(_ error: SQLiteError, _ connection: Connection) -> StoreError {
    failure = error
    guard error.code.primary == .interrupted, connection.hasOverrun else {
      return StoreError(error)
    }
    return StoreError(
      .deadlineExceeded, "reading took longer than the server allows; ask for less at once")
  }
}

extension Session {
  /// The passes of a format that this session has read; nil if it has not.
  func knownPasses(ofFormat id: Int64) -> [RoundPass]? { passesByFormat[id] }

  /// Keeps the passes of a format, of at most `StoreLimits.formatsPerConnection` formats.
  func know(_ passes: [RoundPass], ofFormat id: Int64) {
    if passesByFormat.count >= StoreLimits.formatsPerConnection { forgetPasses() }
    passesByFormat[id] = passes
  }

  /// Forgets the passes of all formats.
  func forgetPasses() {
    passesByFormat.removeAll()
  }
}

extension Session {
  private static let begin = SQLText("BEGIN IMMEDIATE")
  private static let commit = SQLText("COMMIT")
  private static let rollback = SQLText("ROLLBACK")

  /// Runs `body` in a transaction of its own, for work outside of commands.
  func inTransaction(
    _ body: (Session) throws(StoreError) -> Void
  ) throws(StoreError) {
    switch engine {
    case .sqlite(let connection):
      try execute(Self.begin, on: connection)
      do throws(StoreError) {
        try body(self)
        try execute(Self.commit, on: connection)
      } catch {
        if connection.isInTransaction { try? execute(Self.rollback, on: connection) }
        throw error
      }
    case .postgreSQL(let connection):
      do throws(StoreError) {
        try translating { () throws(PostgresError) in try connection.begin(.serializable) }
        try body(self)
        try translating { () throws(PostgresError) in try connection.commit() }
      } catch {
        try? connection.rollback()
        throw error
      }
    }
  }

  private func execute(_ text: SQLText, on connection: Connection) throws(StoreError) {
    do throws(SQLiteError) {
      try connection.statement(text).run()
    } catch {
      throw translated(error, connection)
    }
  }
}

extension Session {
  private func cursor(
    _ text: PostgresText, _ values: [SQLValue], on connection: PostgresConnection
  ) throws(StoreError) -> PostgresCursor {
    if let answer = takePrefetched(text, values) {
      return try translating { () throws(PostgresError) in
        PostgresCursor(try connection.rows(of: answer))
      }
    }
    if let limit = statementLimit {
      guard limit > 0 else {
        hasExceededLimit = true
        throw StoreError(.internalError, "a read has more statements than it said")
      }
      statementLimit = limit - 1
    }
    return try translating { () throws(PostgresError) in
      PostgresCursor(try connection.run(bound(text, values, on: connection)))
    }
  }

  /// The statement with its values. Unless it only reads, what was fetched before may be old.
  private func bound(
    _ text: PostgresText, _ values: [SQLValue], on connection: PostgresConnection
  ) throws(PostgresError) -> PostgresStatement {
    if !text.isSelect, !prefetched.isEmpty { prefetched.removeAll(keepingCapacity: true) }
    let statement = try connection.statement(text)
    precondition(
      statement.parameterCount == values.count, "A statement was given too few or many values.")
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: Int32(truncatingIfNeeded: index + 1))
    }
    return statement
  }

  /// The answer to the same query with the same values, which is taken once.
  private func takePrefetched(_ text: PostgresText, _ values: [SQLValue]) -> PostgresAnswer? {
    guard !prefetched.isEmpty,
      let index = prefetched.firstIndex(where: { $0.text === text && $0.values == values })
    else { return nil }
    return prefetched.remove(at: index).answer
  }

  private func first(
    _ text: PostgresText, _ values: [SQLValue], on connection: PostgresConnection
  ) throws(StoreError) -> Int64 {
    let cursor = try cursor(text, values, on: connection)
    guard cursor.next() else {
      throw StoreError(.internalError, "the database returned no key for a new row")
    }
    return cursor.rows.int64(cursor.row, 0)
  }

  /// Runs `body`, stores its error as the latest failure, and throws the error for the caller.
  func translating<Result>(
    _ body: () throws(PostgresError) -> Result
  ) throws(StoreError) -> Result {
    do throws(PostgresError) {
      return try body()
    } catch {
      if postgresFailure == nil { postgresFailure = error }
      throw StoreError(error)
    }
  }
}

extension PostgresStatement {
  func bind(_ value: SQLValue, at index: Int32) throws(PostgresError) {
    switch value {
    case .null: bindNull(at: index)
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

extension StoreError {
  /// The error for a caller that corresponds to an error of PostgreSQL.
  ///
  /// `notProcessed` is set where the transaction certainly has no effect; after a COMMIT was sent
  /// the end of the connection leaves that open.
  init(_ error: PostgresError) {
    switch error.kind {
    case .serializationFailure, .deadlock, .uniqueViolation:
      self.init(.aborted, "another call changed the same data at the same time", notProcessed: true)
    case .lockTimeout, .statementTimeout:
      self.init(.deadlineExceeded, "the database did not finish in time", notProcessed: true)
    case .cancelled:
      self.init(.cancelled, "the statement was cancelled")
    case .connectionLost, .noAnswer:
      self.init(.unavailable, "the connection to the database was lost")
    case .readOnly, .tooManyConnections, .authenticationFailed:
      self.init(.unavailable, "the database does not accept this now", notProcessed: true)
    case .diskFull:
      self = .diskFull
    case .outOfMemory:
      self.init(
        .resourceExhausted, "the database is out of memory; nothing was stored",
        notProcessed: true)
    case .damaged:
      self.init(.dataLoss, "the stored data is damaged here")
    case .invalidValue:
      self.init(.invalidArgument, "the store cannot keep this value: \(error.message)")
    case .constraintViolation, .invalidAddress, .other:
      self.init(.internalError, "the store failed: PostgreSQL \(error.sqlState)")
    }
  }
}
