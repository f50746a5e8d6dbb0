import CPostgres

/// Receiving what the server answers.
extension PostgresConnection {
  /// Ends the pipeline's last segment and receives all answers. Stores the first error of a
  /// statement, and the error that ends the connection.
  func receive() {
    roundTripCount &+= 1
    do throws(PostgresError) {
      try endSegment()
      try flush()
      // After the answer of each statement, but not of a boundary, libpq reports the end of its
      // results.
      var isAnswered = false
      while pipeline.next != nil {
        guard let result = try nextResult() else {
          guard isAnswered, PQstatus(handle.pointer) != CONNECTION_BAD else { throw lost() }
          isAnswered = false
          continue
        }
        guard !isAnswered else {
          PQclear(result)
          throw outOfStep()
        }
        isAnswered = PQresultStatus(result) != PGRES_PIPELINE_SYNC
        try accept(result)
      }
    } catch {
      pipeline.end()
      _ = ended(error)
    }
  }

  /// Gives an answer to the statement that was sent first; throws where it cannot be its answer.
  private func accept(_ result: OpaquePointer) throws(PostgresError) {
    guard let part = pipeline.next else {
      PQclear(result)
      throw outOfStep()
    }
    switch PQresultStatus(result) {
    case PGRES_PIPELINE_SYNC:
      PQclear(result)
      guard part.isBoundary else { throw outOfStep() }
      pipeline.arrive(nil)
    case PGRES_PIPELINE_ABORTED:
      PQclear(result)
      guard !part.isBoundary else { throw outOfStep() }
      pipeline.skip()
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      let rows = PostgresRows(result)
      let columnCount = Int32(clamping: rows.columnCount)
      guard !part.isBoundary, part.columnCount ?? columnCount == columnCount else {
        throw outOfStep()
      }
      pipeline.arrive(rows)
    default:
      let error = error(of: result) ?? outOfStep()
      PQclear(result)
      pipeline.fail(error)
      if statementError == nil, !part.isIgnored { statementError = error }
      _ = ended(error)
    }
  }

  /// Answers that do not belong to what was sent: nothing more is read from such a connection.
  private func outOfStep() -> PostgresError {
    PostgresError(.connectionLost, "the answers do not belong to the statements")
  }

  /// Nil for success.
  func error(of result: OpaquePointer) -> PostgresError? {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
    default:
      let error = PostgresError(result: result, isCancelled: cancellation.take())
      // An error without a SQLSTATE comes from libpq: the connection has ended.
      return error.sqlState.isEmpty ? PostgresError(.connectionLost, error.message) : error
    }
  }

  /// Writes what libpq has buffered, and reads meanwhile, since the server may wait for that.
  func flush() throws(PostgresError) {
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

  func nextResult() throws(PostgresError) -> OpaquePointer? {
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
      cancellation.begin()
      guard try handle.wait(forWriting: forWriting, until: end) else { return false }
      // A request that the server takes later would cancel another statement.
      return cancellation.wait(milliseconds: configuration.graceMilliseconds)
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
  func ended(_ error: PostgresError) -> PostgresError {
    if error.endsConnection, failure == nil { failure = error }
    return error
  }
}
