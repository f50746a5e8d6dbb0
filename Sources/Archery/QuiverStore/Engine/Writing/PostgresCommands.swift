import QuiverPostgres

/// Runs commands on one connection to PostgreSQL, each in a `SERIALIZABLE` transaction of its own.
///
/// A command whose transaction conflicts with another one runs again from the start. It belongs to
/// one thread.
final class PostgresCommands {
  /// How often a command is tried before it is refused with ABORTED.
  static let maximumAttempts = 10

  /// How long a command waits for one lock.
  static let lockMilliseconds: UInt64 = 2_000

  private let connection: PostgresConnection
  private let session: Session
  private let pageTokenKey: [UInt8]
  private let quotas: QuotaCheck

  /// How a command ended.
  struct Outcome {
    let result: Result<[UInt8], StoreError>
    var isReplay = false
    /// What others learn of the commit; empty after a failure.
    var effects = CommitEffects()
    let attemptCount: Int
  }

  private enum Attempt {
    case committed([UInt8], isReplay: Bool, CommitEffects)
    /// Another transaction changed the same, and nothing is stored.
    case conflict(StoreError)
    case failed(StoreError)
  }

  init(_ connection: PostgresConnection, pageTokenKey: [UInt8], quotas: QuotaCheck) {
    self.connection = connection
    self.pageTokenKey = pageTokenKey
    self.quotas = quotas
    session = Session(connection)
  }

  /// Runs the command until it is committed or fails by itself.
  ///
  /// After a failure with `notProcessed` nothing is stored. If the connection ended while COMMIT
  /// was awaited, that is not known, and `notProcessed` is not set.
  func run(_ command: QueuedCommand, nowMilliseconds: Int64) -> Outcome {
    var attemptCount = 1
    while true {
      switch attempt(command, nowMilliseconds) {
      case .committed(let reply, let isReplay, let effects):
        return Outcome(
          result: .success(reply), isReplay: isReplay, effects: effects,
          attemptCount: attemptCount)
      case .failed(let error):
        return Outcome(result: .failure(error), attemptCount: attemptCount)
      case .conflict(let error):
        guard attemptCount < Self.maximumAttempts else {
          return Outcome(result: .failure(error), attemptCount: attemptCount)
        }
        attemptCount += 1
      }
    }
  }

  private func attempt(_ command: QueuedCommand, _ nowMilliseconds: Int64) -> Attempt {
    let effects = CommitEffects()
    var isCommitting = false
    _ = session.takePostgresFailure()
    do throws(StoreError) {
      try session.translating { () throws(PostgresError) in
        try connection.begin(.serializable, lockMilliseconds: Self.lockMilliseconds)
      }
      let transaction = Transaction(
        snapshot: Snapshot(session: session, pageTokenKey: pageTokenKey),
        caller: command.options.caller, nowMilliseconds: nowMilliseconds, effects: effects)
      let (reply, isReplay) = try reply(to: command, in: transaction)
      isCommitting = true
      try session.translating { () throws(PostgresError) in try connection.commit() }
      return .committed(reply, isReplay: isReplay, effects)
    } catch {
      let failure = session.takePostgresFailure()
      try? connection.rollback()
      guard let failure else { return .failed(error) }
      if failure.isRetryable || failure.isUniqueViolation { return .conflict(error) }
      if failure.endsConnection, !isCommitting {
        return .failed(StoreError(error.code, error.message, notProcessed: true))
      }
      return .failed(error)
    }
  }

  private func reply(
    to command: QueuedCommand, in transaction: borrowing Transaction
  ) throws(StoreError) -> (reply: [UInt8], isReplay: Bool) {
    guard let idempotency = command.options.idempotency else {
      try quotas.check(command, in: transaction)
      return (try command.apply(transaction), false)
    }
    if let stored = try transaction.storedReply(idempotency) { return (stored, true) }
    try quotas.check(command, in: transaction)
    let reply = try command.apply(transaction)
    try transaction.keep(idempotency, reply: command.keepsReply ? reply : nil)
    return (reply, false)
  }
}

extension PostgresError {
  /// Two transactions stored the same key; the one that runs again finds the other's row.
  fileprivate var isUniqueViolation: Bool {
    if case .uniqueViolation = kind { true } else { false }
  }
}
