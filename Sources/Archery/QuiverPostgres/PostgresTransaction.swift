extension PostgresConnection {
  /// How a transaction sees others.
  package enum Isolation: Sendable {
    /// `SERIALIZABLE`, which may change rows and may have to run again.
    case serializable
    /// `REPEATABLE READ READ ONLY`: one snapshot.
    case snapshot

    fileprivate var text: String {
      switch self {
      case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
      case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      }
    }
  }

  /// Queues the begin of a transaction whose statements the server ends at the ``deadline``, and
  /// whose waits for locks it ends after `lockMilliseconds`.
  ///
  /// All of it is sent with the first statement that follows. The server's limit counts for each
  /// statement; where several together take longer, the connection is given up.
  package func begin(
    _ isolation: Isolation, lockMilliseconds: UInt64? = nil
  ) throws(PostgresError) {
    try enqueue(control: isolation.text)
    if let remaining = deadline.remainingMilliseconds {
      // 0 would be no limit.
      try enqueue(control: "SET LOCAL statement_timeout = \(Self.limit(remaining))")
    }
    if let lockMilliseconds {
      let limit = min(lockMilliseconds, deadline.remainingMilliseconds ?? .max)
      try enqueue(control: "SET LOCAL lock_timeout = \(Self.limit(limit))")
    }
  }

  /// Commits and waits for the answer. After an error that ends the connection it is not known
  /// whether the transaction is committed.
  ///
  /// The server must not end a COMMIT early: one that waits for a replica would be reported as
  /// committed although the replica does not have it. So it has no timeout, and must not be
  /// cancelled.
  package func commit() throws(PostgresError) {
    if deadline != .never { try enqueue(control: "SET LOCAL statement_timeout = 0") }
    let tag = try run(control: "COMMIT")
    // Of a failed transaction COMMIT is a ROLLBACK, and no error.
    guard tag == "COMMIT" else {
      throw PostgresError(.other, "the transaction had failed and was rolled back")
    }
  }

  /// Rolls back what is open, if anything is.
  package func rollback() throws(PostgresError) {
    do throws(PostgresError) {
      try synchronize()
    } catch {
      if error.endsConnection { throw error }
    }
    guard transactionState != .idle else { return }
    try run(control: "ROLLBACK")
  }

  private static func limit(_ milliseconds: UInt64) -> UInt64 {
    max(1, min(milliseconds, UInt64(Int32.max)))
  }
}
