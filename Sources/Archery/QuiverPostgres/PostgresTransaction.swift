import CPostgres

extension PostgresConnection {
  /// How a transaction sees others.
  package enum Isolation: Sendable {
    /// `SERIALIZABLE`, which may change rows and may have to run again.
    case serializable
    /// `REPEATABLE READ READ ONLY`: one snapshot.
    case snapshot

    fileprivate var text: PostgresText {
      switch self {
      case .serializable: Control.beginSerializable
      case .snapshot: Control.beginSnapshot
      }
    }
  }

  /// Queues the begin of a transaction whose statements the server ends at the ``deadline``, and
  /// whose waits for locks it ends after `lockMilliseconds`.
  ///
  /// All of it is sent with the first statement that follows. The server's limit counts for each
  /// statement; where several together take longer, the connection is closed. A limit is rounded up
  /// by at most 250 ms, less where it is short, so that few different statements set it.
  package func begin(
    _ isolation: Isolation, lockMilliseconds: UInt64? = nil
  ) throws(PostgresError) {
    // The statements outside of the transaction are not part of it.
    try endSegment()
    try enqueue(control: isolation.text)
    if let remaining = deadline.remainingMilliseconds,
      !Control.isLimited(remaining, by: sessionLimits.statementMilliseconds)
    {
      try limit(remaining, Control.statementTimeouts, "SET LOCAL statement_timeout = ")
    }
    if let lockMilliseconds {
      let milliseconds = min(lockMilliseconds, deadline.remainingMilliseconds ?? .max)
      if !Control.isLimited(milliseconds, by: sessionLimits.lockMilliseconds) {
        try limit(milliseconds, Control.lockTimeouts, "SET LOCAL lock_timeout = ")
      }
    }
  }

  private func limit(
    _ milliseconds: UInt64, _ prepared: [(milliseconds: UInt64, text: PostgresText)],
    _ setting: String
  ) throws(PostgresError) {
    if let step = prepared.first(where: { $0.milliseconds >= milliseconds }) {
      return try enqueue(control: step.text)
    }
    try enqueue(control: setting + "\(min(milliseconds, UInt64(Int32.max)))")
  }

  /// Queues a statement without parameters and columns, such as COMMIT, which is kept prepared.
  package func enqueue(control text: PostgresText) throws(PostgresError) {
    try enqueue(try statement(text))
  }

  /// Commits and waits for the answer. If it throws, ``isCommitUnknown`` tells whether the
  /// transaction may be committed nevertheless.
  ///
  /// The server must not end a COMMIT early: one that waits for a replica would be reported as
  /// committed although the replica does not have it. So it has no timeout, and must not be
  /// cancelled.
  package func commit() throws(PostgresError) {
    isCommitUnknown = false
    if deadline != .never || sessionLimits.statementMilliseconds != nil {
      try enqueue(control: Control.noStatementTimeout)
    }
    let answer = try send(try statement(Control.commit))
    do throws(PostgresError) {
      let tag = try rows(of: answer).tag
      // COMMIT of a failed transaction is a ROLLBACK and no error.
      guard tag == "COMMIT" else {
        throw PostgresError(.other, "the transaction had failed and was rolled back")
      }
      // Statements that were sent before the transaction are not part of it.
      statementError = nil
    } catch {
      if case .lost = answer.state { isCommitUnknown = true }
      throw error
    }
  }

  /// Ends a transaction that has only read, without waiting for the answer. An error is not thrown,
  /// unless it ends the connection.
  package func endReading() throws(PostgresError) {
    try sendIgnored(try statement(Control.commit))
    try sendQueued()
  }

  /// Rolls back what is open, if anything is.
  package func rollback() throws(PostgresError) {
    try discardAnswers()
    guard transactionState != .idle else { return }
    try run(control: "ROLLBACK")
  }
}

/// The statements around those of a transaction.
private enum Control {
  static let beginSerializable = PostgresText("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
  static let beginSnapshot = PostgresText("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  static let commit = PostgresText("COMMIT")
  static let noStatementTimeout = PostgresText("SET LOCAL statement_timeout = 0")

  static let statementTimeouts = steps("statement_timeout")
  static let lockTimeouts = steps("lock_timeout")

  /// How much longer than the limit a session's own limit may be to serve for it.
  private static let tolerance: UInt64 = 250

  /// The limits that are kept prepared: few for short ones, then four a second up to 15 s.
  private static func steps(_ name: String) -> [(milliseconds: UInt64, text: PostgresText)] {
    let short: [UInt64] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200]
    let long = (1...60).map { UInt64($0) * tolerance }
    return (short + long).map { ($0, PostgresText("SET LOCAL \(name) = \($0)")) }
  }

  /// Whether the session's own limit serves for this one.
  static func isLimited(_ milliseconds: UInt64, by session: UInt64?) -> Bool {
    guard let session else { return false }
    return session >= milliseconds && session - milliseconds <= tolerance
  }
}
