import QuiverPostgres
import Synchronization

/// Connections for reads that any thread may borrow, at most `StoreLimits.databaseReaders` of them.
///
/// Each read is one transaction, `REPEATABLE READ READ ONLY`, whose begin goes with its first
/// statement and whose end is not awaited. A read of one statement is that statement alone, which
/// is a snapshot of its own. So a read takes as many round trips as it has statements.
final class PostgresReaders: Sendable {
  private let connector: PostgresConnector
  private let pageTokenKey: [UInt8]
  /// How long the statements of most reads may take, which the connections are set to.
  private let milliseconds: UInt64
  private let wallMilliseconds: @Sendable () -> Int64
  private let state = Monitor(State())

  private struct State {
    var idle: [Reader] = []
    var openCount = 0
    var isClosed = false
  }

  private enum Checkout {
    case reader(Reader)
    case mayOpen
    case closed
  }

  init(
    _ connector: PostgresConnector, pageTokenKey: [UInt8], milliseconds: UInt64,
    wallMilliseconds: @escaping @Sendable () -> Int64
  ) {
    self.wallMilliseconds = wallMilliseconds
    self.connector = connector
    self.pageTokenKey = pageTokenKey
    self.milliseconds = milliseconds
  }

  /// Connections that are open, in use or not.
  var openCount: Int { state.withLock { $0.openCount } }

  /// Runs `body` on a snapshot of the database that is no older than the call.
  ///
  /// Statements end with DEADLINE_EXCEEDED after `milliseconds`, and with CANCELLED if the read of
  /// a ``ReadScheduler`` is cancelled. With `isOneStatement` the body mostly runs one statement; if
  /// it wants another one, it runs again from the start in a transaction. `bounds` learn how far
  /// the snapshot shows the store, and of a failure of the database; they need a transaction.
  func read<Result>(
    milliseconds: UInt64, isOneStatement: Bool = false, bounds: ReadBounds? = nil,
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let reader = try checkOut(bounds)
    defer { checkIn(reader) }
    // Outside of a transaction the session's own limit applies.
    if isOneStatement, milliseconds == self.milliseconds {
      let result = try reader.readOnce(
        milliseconds: milliseconds, pageTokenKey: pageTokenKey, body)
      if let result { return result }
    }
    return try reader.read(
      milliseconds: milliseconds, pageTokenKey: pageTokenKey, bounds: bounds, body)
  }

  /// Closes idle connections, and those that are out when they come back; later reads are refused.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.openCount -= state.idle.count
      state.idle.removeAll()
    }
    state.broadcast()
    _ = state.wait(milliseconds: StoreLimits.readerWaitMilliseconds) { state in
      state.openCount == 0 ? true : nil
    }
  }

  private func checkOut(_ bounds: ReadBounds?) throws(StoreError) -> Reader {
    while true {
      let checkout = state.wait(milliseconds: StoreLimits.readerWaitMilliseconds) {
        (state) -> Checkout? in
        if state.isClosed { return .closed }
        if let reader = state.idle.popLast() { return .reader(reader) }
        guard state.openCount < StoreLimits.databaseReaders else { return nil }
        state.openCount += 1
        return .mayOpen
      }
      switch checkout {
      case .reader(let reader):
        if reader.isAlive { return reader }
        drop()
      case .mayOpen:
        do throws(PostgresError) {
          return try Reader(
            try connector.connect(.read), milliseconds: milliseconds,
            wallMilliseconds: wallMilliseconds)
        } catch {
          drop()
          bounds?.note(error)
          throw .unreachable(error)
        }
      case .closed:
        throw StoreError(.unavailable, "the store is closed", notProcessed: true)
      case nil:
        bounds?.note(PostgresError(.tooManyConnections, "no connection became free"))
        throw StoreError(.unavailable, "no connection became free", notProcessed: true)
      }
    }
  }

  private func drop() {
    state.withLock { $0.openCount -= 1 }
    state.broadcast()
  }

  private func checkIn(_ reader: Reader) {
    let isKept = state.withLock { state in
      guard !state.isClosed, reader.isUsable else { return false }
      state.idle.append(reader)
      return true
    }
    if isKept { state.signal() } else { drop() }
  }
}

/// One connection of the pool.
// `@unchecked`: it is touched only by the thread that took it out, or under the pool's lock.
private final class Reader: @unchecked Sendable {
  private let connection: PostgresConnection
  private let session: Session
  private let wallMilliseconds: @Sendable () -> Int64

  init(
    _ connection: PostgresConnection, milliseconds: UInt64,
    wallMilliseconds: @escaping @Sendable () -> Int64
  ) throws(PostgresError) {
    self.connection = connection
    self.wallMilliseconds = wallMilliseconds
    try connection.execute("SET statement_timeout = \(milliseconds)")
    connection.sessionLimits.statementMilliseconds = milliseconds
    session = Session(connection)
  }

  var isAlive: Bool { connection.isAlive }

  var isUsable: Bool { connection.isUsable }

  /// Runs a body whose statement is a snapshot by itself; nil if it wants more statements.
  func readOnce<Result>(
    milliseconds: UInt64, pageTokenKey: [UInt8],
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    begin(milliseconds: milliseconds, statementLimit: 1)
    defer { connection.isInterrupted = nil }
    do throws(StoreError) {
      let result = try body(snapshot(pageTokenKey))
      return session.hasExceededLimit ? nil : result
    } catch {
      if session.hasExceededLimit { return nil }
      throw ended(error)
    }
  }

  func read<Result>(
    milliseconds: UInt64, pageTokenKey: [UInt8], bounds: ReadBounds?,
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    begin(milliseconds: milliseconds, statementLimit: nil)
    defer { connection.isInterrupted = nil }
    do throws(StoreError) {
      try session.translating { () throws(PostgresError) in try connection.begin(.snapshot) }
      try bounds?.ask(on: session)
      let result = try body(snapshot(pageTokenKey))
      try session.translating { () throws(PostgresError) in try end() }
      return result
    } catch {
      throw ended(error, bounds)
    }
  }

  private func snapshot(_ pageTokenKey: [UInt8]) -> Snapshot {
    Snapshot(session: session, pageTokenKey: pageTokenKey, wallMilliseconds: wallMilliseconds)
  }

  private func begin(milliseconds: UInt64, statementLimit: Int?) {
    connection.deadline = .after(milliseconds: milliseconds)
    if let cancellation = ReadScheduler.cancellation {
      connection.isInterrupted = { cancellation.isCancelled }
    }
    session.startOver(statementLimit: statementLimit)
  }

  /// Ends the transaction. After a cancellation, which may still reach the server, the answer is
  /// awaited, so that it cannot end the statement of another read.
  private func end() throws(PostgresError) {
    let isCancelled = ReadScheduler.cancellation != nil && connection.isInterrupted == nil
    try isCancelled ? connection.commit() : connection.endReading()
  }

  private func ended(_ error: StoreError, _ bounds: ReadBounds? = nil) -> StoreError {
    let failure = session.takePostgresFailure()
    try? connection.rollback()
    guard let failure else { return error }
    // The time of the call, or its end, is no failure of the database.
    if failure.kind != .statementTimeout, failure.kind != .cancelled { bounds?.note(failure) }
    return StoreError(ofRead: failure)
  }
}

extension StoreError {
  /// What an error of PostgreSQL means to a caller that reads, which changes nothing.
  fileprivate init(ofRead error: PostgresError) {
    switch error.kind {
    case .statementTimeout, .noAnswer:
      self.init(
        .deadlineExceeded, "reading took longer than the server allows; ask for less at once")
    case .cancelled:
      self.init(.cancelled, "the call was cancelled", notProcessed: true)
    case .connectionLost:
      self.init(
        .unavailable, "the connection to the database was lost", notProcessed: true,
        retryAfterMilliseconds: Int32(clamping: StoreLimits.firstReconnectMilliseconds))
    default:
      self.init(error)
    }
  }
}
