import CPostgres

/// One connection to a server of PostgreSQL, for one thread at a time.
///
/// Statements are prepared at first use and sent in pipeline mode: ``enqueue(_:)`` only queues one,
/// ``run(_:)`` sends it with those before it and waits for all answers in one round trip. After an
/// error that ends the connection (``PostgresError/endsConnection``) every use throws it again.
package final class PostgresConnection {
  /// How many prepared statements a connection keeps.
  package static let maximumPreparedStatements = 1_024

  /// How many statements may be queued; the next one waits for the answers first.
  package static let maximumQueuedStatements = 256

  /// Until when answers are awaited. It applies to every later use.
  ///
  /// ``begin(_:lockMilliseconds:)`` gives the server the same limit, which therefore answers first;
  /// without an answer the connection is given up after `graceMilliseconds` more.
  package var deadline = PostgresDeadline.never

  /// Asked ten times a second while an answer is awaited; when it returns true, the running
  /// statement is cancelled, once.
  package var isInterrupted: (() -> Bool)?

  /// How many statements are queued, without an answer yet.
  package private(set) var queuedCount = 0

  /// How many rows all statements have inserted, changed or deleted, as far as answers came.
  package private(set) var totalChangedRowCount: Int64 = 0

  /// Cancels the running statement, from any thread.
  package let cancellation: PostgresCancellation

  let handle: Handle
  private let configuration: PostgresConfiguration
  private var statements: [Int: PostgresStatement] = [:]
  private var isPipelining = false
  private var failure: PostgresError?

  /// Connects, within the time of the configuration.
  package init(_ configuration: PostgresConfiguration) throws(PostgresError) {
    self.configuration = configuration
    handle = try Handle(configuration)
    try Self.connect(handle, .after(milliseconds: configuration.connectMilliseconds))
    guard PQsetnonblocking(handle.pointer, 1) == 0,
      let cancellation = PostgresCancellation(handle.pointer)
    else { throw PostgresError(.outOfMemory, "no memory for a connection") }
    self.cancellation = cancellation
  }

  private static func connect(
    _ handle: Handle, _ deadline: PostgresDeadline
  ) throws(PostgresError) {
    var isWriting = true
    while true {
      guard PQstatus(handle.pointer) != CONNECTION_BAD else {
        throw PostgresError(connection: handle.pointer)
      }
      guard try handle.wait(forWriting: isWriting, until: deadline) else {
        throw PostgresError(.noAnswer, "the database did not take the connection in time")
      }
      switch PQconnectPoll(handle.pointer) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: isWriting = false
      case PGRES_POLLING_WRITING: isWriting = true
      default: throw PostgresError(connection: handle.pointer)
      }
    }
  }
}

extension PostgresConnection {
  /// What the server knows of the transaction (`PQtransactionStatus`).
  package enum TransactionState: Sendable {
    case idle
    case open
    /// A statement failed: only ROLLBACK, to a savepoint or of all, is possible.
    case failed
    /// A statement runs, or the connection has ended.
    case unknown
  }

  /// The state after the last answer.
  package var transactionState: TransactionState {
    switch PQtransactionStatus(handle.pointer) {
    case PQTRANS_IDLE: .idle
    case PQTRANS_INTRANS: .open
    case PQTRANS_INERROR: .failed
    default: .unknown
    }
  }

  /// Whether the connection works, as far as is known without asking the server: what the server
  /// has sent meanwhile is read, such as the end of the connection.
  package var isAlive: Bool {
    guard failure == nil else { return false }
    // The first call reads what was sent, the second one finds the end behind it.
    for _ in 0..<2 where PQconsumeInput(handle.pointer) != 1 { return false }
    return PQstatus(handle.pointer) == CONNECTION_OK
  }

  /// The number of the server's process for this connection (`PQbackendPID`).
  package var processID: Int32 { PQbackendPID(handle.pointer) }

  /// The version of the server, 150004 for 15.4 (`PQserverVersion`).
  package var serverVersion: Int32 { PQserverVersion(handle.pointer) }

  /// Whether the connection is encrypted (`PQsslInUse`).
  package var usesTLS: Bool { PQsslInUse(handle.pointer) != 0 }

  /// A parameter that the server reports by itself, such as `server_encoding`; nil for others.
  package func parameter(_ name: String) -> String? {
    PQparameterStatus(handle.pointer, name).map { String(cString: $0) }
  }
}

extension PostgresConnection {
  /// The statement of `text`, prepared at most once, with no value bound.
  ///
  /// Parameters whose type PostgreSQL derives from a number in the text are `bigint` here.
  package func statement(_ text: PostgresText) throws(PostgresError) -> PostgresStatement {
    if let statement = statements[text.index] {
      statement.clearBindings()
      return statement
    }
    if statements.count >= Self.maximumPreparedStatements {
      try enqueue(control: "DEALLOCATE ALL")
      try synchronize()
      statements.removeAll()
    }
    let rewritten = PostgresText.rewrite(text.text)
    let name = "quiver_\(text.index)"
    // A parameter that does not occur has no type to derive.
    var declared = rewritten.uses.map { $0 ? 0 : PostgresType.text }
    var types = try prepare(name, rewritten.text, declared)
    let narrow = types.indices.filter {
      types[$0] == PostgresType.int32 || types[$0] == PostgresType.int16
    }
    if !narrow.isEmpty {
      for index in narrow { declared[index] = PostgresType.int64 }
      try enqueue(control: "DEALLOCATE \(name)")
      types = try prepare(name, rewritten.text, declared)
    }
    let statement = PostgresStatement(name: name, uses: rewritten.uses, types: types)
    statements[text.index] = statement
    return statement
  }

  /// Prepares a statement and asks for the types of its parameters, in one round trip.
  private func prepare(
    _ name: String, _ text: String, _ declared: [UInt32]
  ) throws(PostgresError) -> [UInt32] {
    try enterPipeline()
    try sent(PQsendPrepare(handle.pointer, name, text, Int32(declared.count), declared))
    try sent(PQsendDescribePrepared(handle.pointer, name))
    let answer = try receive()
    defer { PQclear(answer) }
    return (0..<PQnparams(answer)).map { PQparamtype(answer, $0) }
  }

  /// Queues a statement. Its answer is received by the next ``run(_:)`` or ``synchronize()``, which
  /// throws its error.
  package func enqueue(_ statement: PostgresStatement) throws(PostgresError) {
    if queuedCount >= Self.maximumQueuedStatements { try synchronize() }
    try enterPipeline()
    let code = statement.parameters.withPointers { values, lengths, formats in
      PQsendQueryPrepared(
        handle.pointer, statement.name, Int32(statement.parameterCount), values, lengths, formats, 1
      )
    }
    statement.clearBindings()
    try sent(code)
  }

  /// Queues a statement without parameters that is not kept prepared, such as COMMIT.
  package func enqueue(control text: String) throws(PostgresError) {
    if queuedCount >= Self.maximumQueuedStatements { try synchronize() }
    try enterPipeline()
    try sent(PQsendQueryParams(handle.pointer, text, 0, nil, nil, nil, nil, 1))
  }

  /// Runs a statement after those that are queued; returns its rows.
  ///
  /// Throws the first error of all of them; those behind it were not run.
  package func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
    try enqueue(statement)
    return PostgresRows(try receive())
  }

  /// Runs a statement without parameters after those that are queued; returns its tag, such as
  /// `COMMIT` (`PQcmdStatus`).
  @discardableResult
  package func run(control text: String) throws(PostgresError) -> String {
    try enqueue(control: text)
    let answer = try receive()
    defer { PQclear(answer) }
    return PQcmdStatus(answer).map { String(cString: $0) } ?? ""
  }

  /// Sends the queued statements and waits for their answers; throws the first error.
  package func synchronize() throws(PostgresError) {
    if let failure { throw failure }
    guard queuedCount > 0 else { return }
    PQclear(try receive())
  }

  /// Runs all statements of a script in one transaction, unless it has its own (`PQsendQuery`).
  package func execute(_ script: String) throws(PostgresError) {
    try synchronize()
    if let failure { throw failure }
    if isPipelining {
      guard PQexitPipelineMode(handle.pointer) == 1 else { throw lost() }
      isPipelining = false
    }
    _ = cancellation.take()
    guard PQsendQuery(handle.pointer, script) == 1 else { throw lost() }
    var error: PostgresError?
    try flush()
    while let result = try nextResult() {
      if error == nil { error = self.error(of: result) }
      PQclear(result)
    }
    if let error { throw ended(error) }
  }

  /// The rows of a query that is not kept prepared.
  package func rows(_ query: String) throws(PostgresError) -> PostgresRows {
    try enqueue(control: query)
    return PostgresRows(try receive())
  }

  /// The first column of the first row of a query that is not kept prepared, as text; nil if there
  /// is none.
  package func value(_ query: String) throws(PostgresError) -> String? {
    let rows = try rows(query)
    return rows.rowCount > 0 && rows.columnCount > 0 ? rows.optionalText(0, 0) : nil
  }
}

extension PostgresConnection {
  private func enterPipeline() throws(PostgresError) {
    if let failure { throw failure }
    guard !isPipelining else { return }
    guard PQenterPipelineMode(handle.pointer) == 1 else { throw lost() }
    isPipelining = true
  }

  /// Counts what was handed to libpq.
  private func sent(_ code: Int32) throws(PostgresError) {
    guard code == 1 else { throw lost() }
    if queuedCount == 0 { _ = cancellation.take() }
    queuedCount += 1
  }

  /// Ends the pipeline (`PQpipelineSync`) and waits for all answers; returns the last one, which
  /// the caller clears.
  private func receive() throws(PostgresError) -> OpaquePointer {
    guard PQpipelineSync(handle.pointer) == 1 else { throw lost() }
    try flush()
    queuedCount = 0
    var last: OpaquePointer?
    var error: PostgresError?
    while true {
      do throws(PostgresError) {
        // Each answer is followed by none.
        guard let result = try nextResult() else {
          if PQstatus(handle.pointer) == CONNECTION_BAD { throw lost() }
          continue
        }
        if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
          PQclear(result)
          break
        }
        if let found = self.error(of: result) {
          if error == nil { error = found }
          PQclear(result)
        } else {
          PQclear(last)
          last = result
          totalChangedRowCount += changedRowCount(result)
        }
      } catch let end {
        PQclear(last)
        // The server says why it ends a connection before it does.
        throw ended(error ?? end)
      }
    }
    if let error {
      PQclear(last)
      throw ended(error)
    }
    guard let last else { throw PostgresError(.other, "the server gave no answer") }
    return last
  }

  /// Rows that were inserted, changed or deleted; those that a SELECT returns are not.
  private func changedRowCount(_ result: OpaquePointer) -> Int64 {
    let isSelect = PQcmdStatus(result).map { String(cString: $0).hasPrefix("SELECT") } ?? false
    guard !isSelect else { return 0 }
    return PQcmdTuples(result).flatMap { Int64(String(cString: $0)) } ?? 0
  }

  /// Nil for success, and for what a failed statement before it kept from running.
  private func error(of result: OpaquePointer) -> PostgresError? {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
    case PGRES_PIPELINE_ABORTED:
      return PostgresError(.other, "a statement before it failed")
    default:
      let error = PostgresError(result: result, isCancelled: cancellation.take())
      // Without a SQLSTATE it is libpq that speaks, of a connection that ended.
      return error.sqlState.isEmpty ? PostgresError(.connectionLost, error.message) : error
    }
  }

  /// Writes what libpq has buffered, and reads meanwhile, since the server may wait for that.
  private func flush() throws(PostgresError) {
    while true {
      switch PQflush(handle.pointer) {
      case 0: return
      case 1:
        try awaitSocket(forWriting: true)
        guard PQconsumeInput(handle.pointer) == 1 else { throw lost() }
      default: throw lost()
      }
    }
  }

  private func nextResult() throws(PostgresError) -> OpaquePointer? {
    while PQisBusy(handle.pointer) == 1 {
      try awaitSocket(forWriting: false)
      guard PQconsumeInput(handle.pointer) == 1 else { throw lost() }
    }
    return PQgetResult(handle.pointer)
  }

  private func awaitSocket(forWriting: Bool) throws(PostgresError) {
    var end = deadline
    if end != .never {
      let grace = configuration.graceMilliseconds &* 1_000_000
      let (sum, overflows) = end.nanoseconds.addingReportingOverflow(grace)
      end = PostgresDeadline(nanoseconds: overflows ? .max : sum)
    }
    guard try wait(forWriting: forWriting, until: end) else {
      throw ended(PostgresError(.noAnswer, "the database did not answer in time"))
    }
  }

  /// Waits for the socket; false where the deadline has passed.
  private func wait(
    forWriting: Bool, until end: PostgresDeadline
  ) throws(PostgresError) -> Bool {
    guard let isInterrupted else { return try handle.wait(forWriting: forWriting, until: end) }
    while true {
      let slice = PostgresDeadline.after(milliseconds: Self.interruptionMilliseconds)
      let isLast = end.nanoseconds <= slice.nanoseconds
      if try handle.wait(forWriting: forWriting, until: isLast ? end : slice) { return true }
      if isLast { return false }
      guard isInterrupted() else { continue }
      self.isInterrupted = nil
      cancellation.cancel()
      return try handle.wait(forWriting: forWriting, until: end)
    }
  }

  private static let interruptionMilliseconds: UInt64 = 100

  /// The error of a connection that does not work any more.
  func lost() -> PostgresError {
    if let failure { return failure }
    let text = PQerrorMessage(handle.pointer).map { String(cString: $0) } ?? ""
    let line = text.split(separator: "\n").first.map(String.init) ?? "the connection is closed"
    return ended(PostgresError(.connectionLost, line))
  }

  /// Keeps an error after which the connection cannot be used.
  private func ended(_ error: PostgresError) -> PostgresError {
    if error.endsConnection, failure == nil { failure = error }
    return error
  }
}
