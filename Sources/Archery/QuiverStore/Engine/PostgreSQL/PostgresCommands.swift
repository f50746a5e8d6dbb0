import Glibc
import QuiverPostgres

/// Runs commands on one connection to PostgreSQL, each in a `SERIALIZABLE` transaction of its own.
///
/// What every command reads goes with the begin in one round trip, and a statement whose result
/// nobody needs with the next one that has a result, or with the COMMIT. So a command takes as many
/// round trips as it has results to wait for, and one for the COMMIT.
///
/// A command whose transaction conflicts with another one runs again from the start, after a short
/// pause of random length. After a few conflicts it runs alone: it waits until the transactions of
/// all servers have ended, and they wait for it, so that it cannot conflict again. It belongs to
/// one thread.
final class PostgresCommands {
  /// How often a command is tried before it is refused with ABORTED.
  static let maximumAttempts = 10

  /// How often a command is tried beside others; further attempts run alone.
  static let sharedAttempts = 4

  /// How long a command waits for one lock.
  static let lockMilliseconds: UInt64 = 2_000

  private static let lockAlone = PostgresText("LOCK TABLE migration IN EXCLUSIVE MODE")
  private static let lockShared = PostgresText("LOCK TABLE migration IN ROW SHARE MODE")

  private let connection: PostgresConnection
  private let session: Session
  private let pageTokenKey: [UInt8]
  private let quotas: QuotaCheck
  private let server: Int64
  private let monotonicNanoseconds: @Sendable () -> UInt64

  /// How a command ended.
  struct Outcome {
    let result: Result<[UInt8], StoreError>
    var isReplay = false
    /// What others learn of the commit; empty after a failure.
    var effects = CommitEffects()
    let attemptCount: Int
    /// The error that ended the connection.
    var lostConnection: PostgresError?
  }

  private enum Attempt {
    case committed([UInt8], isReplay: Bool, CommitEffects)
    /// Another transaction changed the same, and nothing is stored.
    case conflict(StoreError)
    /// Another transaction had a lock for too long, and nothing is stored.
    case blocked(StoreError)
    case failed(StoreError, PostgresError?)
  }

  /// - Parameter server: what the rows of ended permissions name (``EndedPermissionReader``).
  init(
    _ connection: PostgresConnection, pageTokenKey: [UInt8], quotas: QuotaCheck, server: Int64,
    epoch: CurrentEpoch = CurrentEpoch(),
    monotonicNanoseconds: @escaping @Sendable () -> UInt64
  ) {
    self.connection = connection
    self.pageTokenKey = pageTokenKey
    self.quotas = quotas
    self.server = server
    self.monotonicNanoseconds = monotonicNanoseconds
    session = Session(connection)
    session.epoch = epoch
    session.server = server
  }

  /// Whether the connection works, as far as is known without asking the database.
  var isAlive: Bool { connection.isAlive }

  /// Runs the command until it is committed or fails by itself.
  ///
  /// After a failure with `notProcessed` nothing is stored. If the connection ended while COMMIT
  /// was awaited, that is not known, and `notProcessed` is not set. The same is true of a call with
  /// a key that has waited for a lock in vain: the same call may have it, in its COMMIT at another
  /// server.
  func run(_ command: QueuedCommand, nowMilliseconds: () -> Int64) -> Outcome {
    let lastWait = PostgresDeadline.after(milliseconds: StoreLimits.databaseMilliseconds)
    var (attemptCount, conflictCount) = (0, 0)
    var mayHaveEffect = false
    while true {
      attemptCount += 1
      let failure: StoreError
      var lost: PostgresError?
      switch attempt(command, nowMilliseconds(), isAlone: conflictCount >= Self.sharedAttempts) {
      case .committed(let reply, let isReplay, let effects):
        let failure = fence(command, effects)
        return Outcome(
          result: failure.map { .failure(Self.notFenced($0)) } ?? .success(reply),
          isReplay: isReplay, effects: effects, attemptCount: attemptCount, lostConnection: failure)
      case .failed(let error, let end):
        (failure, lost) = (error, end)
      case .conflict(let error):
        conflictCount += 1
        let refusal = command.refusal(monotonicNanoseconds: monotonicNanoseconds())
        if conflictCount < Self.maximumAttempts, refusal == nil {
          Self.pause(after: conflictCount)
          continue
        }
        failure = refusal ?? error
      case .blocked(let error):
        mayHaveEffect = command.options.idempotency != nil
        let refusal = command.refusal(monotonicNanoseconds: monotonicNanoseconds())
        if lastWait.remainingMilliseconds != 0, refusal == nil { continue }
        failure = refusal ?? error
      }
      return Outcome(
        result: .failure(mayHaveEffect ? failure.withUnknownEffect : failure),
        attemptCount: attemptCount, lostConnection: lost)
    }
  }

  /// Waits until no transaction can commit any more that has checked a permission before the
  /// command ended it; also behind a repeated call, whose first answer may not have waited.
  private func fence(_ command: QueuedCommand, _ effects: CommitEffects) -> PostgresError? {
    guard command.endsPermissions || effects.changes.contains(where: \.endsPermission)
    else { return nil }
    do throws(PostgresError) {
      try PermissionFence.wait(on: connection)
      return nil
    } catch {
      return error
    }
  }

  private static func notFenced(_ error: PostgresError) -> StoreError {
    let isOwn = error.kind == .other
    return StoreError(
      .unavailable,
      "it is stored, but calls that began before may still have their effect: "
        + (isOwn ? error.message : "the connection to the database was lost"))
  }

  /// Waits for at most 1, 2, 4 and so on up to 32 ms.
  static func pause(after attemptCount: Int) {
    usleep(UInt32.random(in: 100...(1_000 << UInt32(min(attemptCount - 1, 5)))))
  }

  private func attempt(
    _ command: QueuedCommand, _ nowMilliseconds: Int64, isAlone: Bool
  ) -> Attempt {
    let effects = CommitEffects()
    var isCommitting = false
    session.startOver()
    connection.deadline = deadline(of: command)
    do throws(StoreError) {
      // Before the transaction: `SERIALIZABLE` would lock the page of the index where other
      // commands insert their keys. A key that is stored meanwhile violates its constraint.
      let snapshot = Snapshot(session: session, pageTokenKey: pageTokenKey)
      let principal = command.options.caller.principal
      if let idempotency = command.options.idempotency {
        try snapshot.prefetchReply(idempotency, principal: principal)
      }
      try begin(isAlone: isAlone)
      if principal > 0 {
        try snapshot.prefetchUsage(principal: principal)
        try snapshot.prefetchState(of: command.options.caller)
      }
      if let reply = try storedReply(to: command) {
        try endReplay(effects)
        return .committed(reply, isReplay: true, effects)
      }
      session.defersStatements = true
      let transaction = Transaction(
        snapshot: Snapshot(
          session: session, pageTokenKey: pageTokenKey, wallMilliseconds: { nowMilliseconds }),
        caller: command.options.caller, nowMilliseconds: nowMilliseconds, effects: effects)
      let reply = try reply(to: command, in: transaction)
      // The command may have gone on after an error of the database, which is its end nevertheless.
      if let failure = session.postgresFailure { throw StoreError(failure) }
      if !effects.hasJournalRows { try askPosition(effects) }
      isCommitting = true
      // The answer to COMMIT decides what is known, so it is awaited beyond the call's deadline.
      connection.deadline = .after(milliseconds: StoreLimits.databaseMilliseconds)
      try session.translating { () throws(PostgresError) in try connection.commit() }
      return .committed(reply, isReplay: false, effects)
    } catch {
      return replayed(command, after: ended(error, isCommitting: isCommitting))
    }
  }

  /// A command may be refused because the same call had its effect at another server behind the
  /// first look for its key: then that call's reply is the reply.
  private func replayed(_ command: QueuedCommand, after attempt: Attempt) -> Attempt {
    guard case .failed(_, nil) = attempt else { return attempt }
    session.startOver()
    do throws(StoreError) {
      guard let reply = try storedReply(to: command) else { return attempt }
      let effects = CommitEffects()
      try endReplay(effects)
      return .committed(reply, isReplay: true, effects)
    } catch {
      _ = session.takePostgresFailure()
      return attempt
    }
  }

  /// Ends the transaction that was begun beside the question for the kept reply, if there is one.
  /// The position is that of a later snapshot, so that it covers the commit of the reply.
  private func endReplay(_ effects: CommitEffects) throws(StoreError) {
    let isOpen = connection.transactionState != .idle
    do throws(StoreError) {
      try askPosition(effects)
      try session.translating { () throws(PostgresError) in
        try isOpen ? connection.commit() : connection.synchronize()
      }
    } catch {
      // An error of the transaction, which has changed nothing, does not matter any more.
      _ = session.takePostgresFailure()
      try session.translating { () throws(PostgresError) in try connection.rollback() }
      try askPosition(effects)
      try session.translating { () throws(PostgresError) in try connection.synchronize() }
    }
  }

  /// Asks for the position of the running transaction, which comes with the next answer.
  private func askPosition(_ effects: CommitEffects) throws(StoreError) {
    try session.askLater(JournalPosition.frontier) { effects.note(position: $0) }
  }

  private func ended(_ error: StoreError, isCommitting: Bool) -> Attempt {
    // A statement may have failed before the command did, with an answer that was not read.
    if session.postgresFailure == nil {
      try? session.translating { () throws(PostgresError) in try connection.synchronize() }
    }
    let failure = session.takePostgresFailure()
    var lost: PostgresError?
    do throws(PostgresError) {
      try connection.rollback()
    } catch {
      lost = error
    }
    guard let failure else { return .failed(error, lost) }
    // What a command made of it, such as a refusal, is not the answer.
    let own = StoreError(failure)
    if failure.isRetryable || failure.isUniqueViolation { return .conflict(own) }
    // The limit of a statement is the call's deadline, which may end a wait for a lock too.
    if failure.kind == .lockTimeout || failure.kind == .statementTimeout {
      return lost == nil ? .blocked(own) : .failed(own.withUnknownEffect, lost)
    }
    // A server that takes no changes is not the one to be connected to.
    if failure.endsConnection || failure.kind == .readOnly { lost = failure }
    let isKnown = failure.endsConnection && !(isCommitting && connection.isCommitUnknown)
    return .failed(
      isKnown ? StoreError(own.code, own.message, notProcessed: true) : own, lost)
  }

  /// The tables' own locks are not used: that of `migration` stands for the right to change
  /// anything. LOCK takes no snapshot, so that a command that waited sees what it waited for.
  private func begin(isAlone: Bool) throws(StoreError) {
    try session.translating { () throws(PostgresError) in
      try connection.begin(.serializable, lockMilliseconds: Self.lockMilliseconds)
      try connection.enqueue(control: isAlone ? Self.lockAlone : Self.lockShared)
    }
  }

  /// The call's deadline, but not later than the store's own limit.
  private func deadline(of command: QueuedCommand) -> PostgresDeadline {
    let deadline = command.options.deadlineNanoseconds
    guard deadline != 0 else { return .after(milliseconds: StoreLimits.databaseMilliseconds) }
    let now = monotonicNanoseconds()
    let left = deadline > now ? (deadline - now) / 1_000_000 + 1 : 1
    return .after(milliseconds: min(left, StoreLimits.databaseMilliseconds))
  }

  private func storedReply(to command: QueuedCommand) throws(StoreError) -> [UInt8]? {
    guard let idempotency = command.options.idempotency else { return nil }
    return try Snapshot(session: session, pageTokenKey: pageTokenKey).storedReply(
      idempotency, principal: command.options.caller.principal)
  }

  private func reply(
    to command: QueuedCommand, in transaction: borrowing Transaction
  ) throws(StoreError) -> [UInt8] {
    try quotas.check(command, in: transaction)
    let reply = try command.apply(transaction)
    if let idempotency = command.options.idempotency {
      try transaction.keep(idempotency, reply: command.keepsReply ? reply : nil)
    }
    try transaction.recordEndedPermissions(server: server)
    return reply
  }
}

extension PostgresError {
  /// Two transactions stored the same key; the one that runs again finds the other's row.
  fileprivate var isUniqueViolation: Bool {
    if case .uniqueViolation = kind { true } else { false }
  }
}
