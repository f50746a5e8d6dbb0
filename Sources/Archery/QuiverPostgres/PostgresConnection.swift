import CPostgres

/// One connection to a server of PostgreSQL, for one thread at a time.
///
/// Statements are prepared at first use and sent in pipeline mode: ``enqueue(_:)`` and
/// ``send(_:then:)`` only queue one, and what needs an answer, as ``run(_:)`` and ``rows(of:)``,
/// sends all of them and receives all answers in one round trip. Rows reach only the sender of
/// their statement. An error of a queued statement is thrown by the next use, which runs nothing
/// then. After an error that ends the connection (``PostgresError/endsConnection``) every use
/// throws it again.
package final class PostgresConnection {
  /// How many prepared statements a connection keeps.
  package static let maximumPreparedStatements = 1_024

  /// How many statements may be queued; the next one waits for the answers first.
  package static let maximumQueuedStatements = 256

  /// Until when answers are awaited. It applies to every later use.
  ///
  /// ``begin(_:lockMilliseconds:)`` gives the server the same limit, which therefore answers first;
  /// without an answer the connection is closed after `graceMilliseconds` more.
  package var deadline = PostgresDeadline.never

  /// Asked ten times a second while an answer is awaited; when it returns true, the running
  /// statement is cancelled, once.
  package var isInterrupted: (() -> Bool)?

  /// The `statement_timeout` and `lock_timeout` that the session has by itself, in milliseconds;
  /// nil where that is not known. ``begin(_:lockMilliseconds:)`` sets only what differs.
  package var sessionLimits = SessionLimits()

  package struct SessionLimits: Sendable {
    package var statementMilliseconds: UInt64?
    package var lockMilliseconds: UInt64?

    package init(statementMilliseconds: UInt64? = nil, lockMilliseconds: UInt64? = nil) {
      self.statementMilliseconds = statementMilliseconds
      self.lockMilliseconds = lockMilliseconds
    }
  }

  /// Whether the latest ``commit()`` that threw may have committed: the connection ended before its
  /// answer, and no statement before it is known to have failed.
  package internal(set) var isCommitUnknown = false

  /// How often answers were awaited: the round trips to the server.
  package internal(set) var roundTripCount: UInt64 = 0

  /// Cancels the running statement, from any thread.
  package let cancellation: PostgresCancellation

  let handle: Handle
  let configuration: PostgresConfiguration
  private var statements: [Int: PostgresStatement] = [:]
  /// How many names of statements were given, and how many before the latest removal of all.
  private var nameCount = 0
  private var removedNameCount = 0
  var pipeline = PostgresPipeline()
  var isPipelining = false
  /// The error that ended the connection.
  var failure: PostgresError?
  /// The first error of a statement that was not thrown yet.
  var statementError: PostgresError?

  /// Connects, within the time of the configuration.
  package init(_ configuration: PostgresConfiguration) throws(PostgresError) {
    self.configuration = configuration
    handle = try Self.connect(configuration)
    guard PQsetnonblocking(handle.pointer, 1) == 0,
      let cancellation = PostgresCancellation(handle.pointer)
    else { throw PostgresError(.outOfMemory, "no memory for a connection") }
    self.cancellation = cancellation
  }

  /// Tries the hosts of the address one after the other.
  ///
  /// Throws the error of the last one, unless one before it answered with another one.
  private static func connect(
    _ configuration: PostgresConfiguration
  ) throws(PostgresError) -> Handle {
    let deadline = PostgresDeadline.after(milliseconds: configuration.connectMilliseconds)
    let hosts = configuration.address.hosts
    let places = configuration.order.places(count: max(1, hosts.count))
    var failure: PostgresError?
    for (index, place) in places.enumerated() {
      do throws(PostgresError) {
        let share = (deadline.remainingMilliseconds ?? 0) / UInt64(places.count - index)
        let handle = try Handle(configuration, host: hosts.isEmpty ? [] : hosts[place])
        try connect(handle, .after(milliseconds: share))
        if configuration.requiresPrimary { try checkPrimary(handle) }
        configuration.order.connected(to: place)
        return handle
      } catch {
        if failure?.endsConnection ?? true { failure = error }
      }
    }
    throw failure ?? PostgresError(.connectionLost, "the address has no host")
  }

  private static func checkPrimary(_ handle: Handle) throws(PostgresError) {
    guard let state = PQparameterStatus(handle.pointer, "in_hot_standby"),
      String(cString: state) == "on"
    else { return }
    throw PostgresError(.readOnly, "the server is a replica, which takes no changes")
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
  /// The state of the transaction at the server (`PQtransactionStatus`).
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

  /// How many statements are queued, without an answer yet.
  package var queuedCount: Int { pipeline.statementCount }

  /// Whether the connection works, as far as its uses have shown.
  package var isUsable: Bool { failure == nil }

  /// Whether the connection works, without a request to the server: bytes that the server has sent
  /// are read, such as the end of the connection.
  package var isAlive: Bool {
    guard failure == nil else { return false }
    guard handle.hasInput else { return PQstatus(handle.pointer) == CONNECTION_OK }
    // The first call reads what was sent, the second one finds the end behind it.
    for _ in 0..<2 where PQconsumeInput(handle.pointer) != 1 { return false }
    return PQstatus(handle.pointer) == CONNECTION_OK
  }

  /// The number of the server's process for this connection (`PQbackendPID`).
  package var processID: Int32 { PQbackendPID(handle.pointer) }

  /// The socket (`PQsocket`); -1 without a connection.
  var socketDescriptor: Int32 { PQsocket(handle.pointer) }

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
    if nameCount - removedNameCount >= Self.maximumPreparedStatements {
      try enqueue(control: "DEALLOCATE ALL")
      try synchronize()
      statements.removeAll()
      removedNameCount = nameCount
    }
    let rewritten = PostgresText.rewrite(text.text)
    var name = nextName()
    // A parameter that does not occur has no type to derive.
    var declared = rewritten.uses.map { $0 ? 0 : PostgresType.text }
    var description = try prepare(name, rewritten.text, declared)
    let types = description.parameterTypes
    let narrow = types.indices.filter {
      types[$0] == PostgresType.int32 || types[$0] == PostgresType.int16
    }
    if !narrow.isEmpty {
      for index in narrow { declared[index] = PostgresType.int64 }
      try enqueue(control: "DEALLOCATE \(name)")
      removedNameCount += 1
      name = nextName()
      description = try prepare(name, rewritten.text, declared)
    }
    let statement = PostgresStatement(
      name: name, uses: rewritten.uses, types: description.parameterTypes,
      columnCount: Int32(clamping: description.columnCount))
    statements[text.index] = statement
    return statement
  }

  /// A new one for each attempt: after one that failed the server may have its name or not.
  private func nextName() -> String {
    nameCount += 1
    return "quiver_\(nameCount)"
  }

  /// Prepares a statement and asks for its parameters and columns, in one round trip.
  private func prepare(
    _ name: String, _ text: String, _ declared: [UInt32]
  ) throws(PostgresError) -> PostgresRows {
    try beginStatement()
    try sent(
      PQsendPrepare(handle.pointer, name, text, Int32(declared.count), declared),
      .checked(columnCount: 0))
    let answer = PostgresAnswer(columnCount: nil)
    try sent(PQsendDescribePrepared(handle.pointer, name), .kept(answer))
    return try rows(of: answer)
  }

  /// Queues a statement of which only an error is of interest. It is thrown by the next use.
  package func enqueue(_ statement: PostgresStatement) throws(PostgresError) {
    try send(statement, .checked(columnCount: statement.columnCount))
  }

  /// Queues a statement; ``rows(of:)`` returns its rows.
  ///
  /// `then` receives the rows when they arrive, which may be at any later use; it must not use the
  /// connection.
  @discardableResult
  package func send(
    _ statement: PostgresStatement, then: ((PostgresRows) -> Void)? = nil
  ) throws(PostgresError) -> PostgresAnswer {
    let answer = PostgresAnswer(columnCount: statement.columnCount, then: then)
    try send(statement, .kept(answer))
    return answer
  }

  /// Queues a statement whose error is not thrown, unless it ends the connection.
  func sendIgnored(_ statement: PostgresStatement) throws(PostgresError) {
    try send(statement, .ignored)
  }

  private func send(
    _ statement: PostgresStatement, _ part: PostgresPipeline.Part
  ) throws(PostgresError) {
    defer { statement.clearBindings() }
    try beginStatement()
    let code = statement.withPointers { values, lengths, formats in
      PQsendQueryPrepared(
        handle.pointer, statement.name, Int32(statement.parameterCount), values, lengths, formats, 1
      )
    }
    try sent(code, part)
  }

  /// Queues a statement without parameters that is not kept prepared.
  package func enqueue(control text: String) throws(PostgresError) {
    try send(control: text, .checked(columnCount: nil))
  }

  private func send(
    control text: String, _ part: PostgresPipeline.Part
  ) throws(PostgresError) {
    try beginStatement()
    try sent(PQsendQueryParams(handle.pointer, text, 0, nil, nil, nil, nil, 1), part)
  }

  /// Ends what a failed statement keeps from running: those that are queued later run in any case.
  ///
  /// Outside of a transaction the statements up to here are one of their own.
  package func endSegment() throws(PostgresError) {
    guard pipeline.hasOpenSegment else { return }
    guard PQpipelineSync(handle.pointer) == 1 else { throw lost() }
    pipeline.append(.boundary)
  }

  /// Runs a statement after those that are queued; returns its rows.
  ///
  /// Throws the first error of all of them; those behind it in its segment were not run.
  package func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
    let rows = try rows(of: try send(statement))
    try throwStatementError()
    return rows
  }

  /// The rows of a statement that was sent: waits for its answer if it has not arrived.
  ///
  /// Throws the error that prevented its rows. The next use throws the errors of later statements.
  package func rows(of answer: PostgresAnswer) throws(PostgresError) -> PostgresRows {
    if answer.isAwaited { receive() }
    if let rows = answer.rows { return rows }
    try throwStatementError()
    throw failure ?? PostgresError(.other, "a statement before it failed")
  }

  /// Runs a statement without parameters after those that are queued; returns its tag, such as
  /// `COMMIT` (`PQcmdStatus`).
  @discardableResult
  package func run(control text: String) throws(PostgresError) -> String {
    try rows(text).tag
  }

  /// Sends the queued statements and waits for their answers; throws the first error.
  package func synchronize() throws(PostgresError) {
    if pipeline.next != nil { receive() }
    try throwStatementError()
    if let failure { throw failure }
  }

  /// Waits for all answers, and forgets the error of a statement if there was one.
  func discardAnswers() throws(PostgresError) {
    if pipeline.next != nil { receive() }
    statementError = nil
    if let failure { throw failure }
  }

  /// Sends the queued statements without waiting for their answers, which the next use receives.
  package func sendQueued() throws(PostgresError) {
    try endSegment()
    // Bytes that the socket does not accept now are sent with the next use.
    guard PQflush(handle.pointer) >= 0 else { throw lost() }
  }

  /// Runs all statements of a script in one transaction, unless it has its own (`PQsendQuery`).
  package func execute(_ script: String) throws(PostgresError) {
    try synchronize()
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
    let answer = PostgresAnswer(columnCount: nil)
    try send(control: query, .kept(answer))
    let rows = try rows(of: answer)
    try throwStatementError()
    return rows
  }

  /// The first column of the first row of a query that is not kept prepared, as text; nil if there
  /// is none.
  package func value(_ query: String) throws(PostgresError) -> String? {
    let rows = try rows(query)
    return rows.rowCount > 0 && rows.columnCount > 0 ? rows.optionalText(0, 0) : nil
  }
}

extension PostgresConnection {
  /// Makes sure that a statement may be queued.
  private func beginStatement() throws(PostgresError) {
    try throwStatementError()
    if let failure { throw failure }
    if queuedCount >= Self.maximumQueuedStatements { try synchronize() }
    guard !isPipelining else { return }
    guard PQenterPipelineMode(handle.pointer) == 1 else { throw lost() }
    isPipelining = true
  }

  func throwStatementError() throws(PostgresError) {
    guard let error = statementError else { return }
    statementError = nil
    throw error
  }

  /// Notes what was handed to libpq.
  private func sent(_ code: Int32, _ part: PostgresPipeline.Part) throws(PostgresError) {
    guard code == 1 else { throw lost() }
    if queuedCount == 0 { _ = cancellation.take() }
    pipeline.append(part)
  }
}
