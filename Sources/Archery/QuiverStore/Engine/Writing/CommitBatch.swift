import QuiverSQLite

/// One batch of commands in one transaction: begins, applies each command in order, commits.
///
/// A failed command is rolled back alone. Most commands fail before they change anything, so the
/// first attempt uses no savepoints, each of which would copy every page that its command changes.
/// If a command fails after a change, the batch starts again with a savepoint for each command. If
/// SQLite rolls back the whole transaction because of one command, the batch starts again without
/// that command. A batch belongs to the writer's thread.
struct CommitBatch {
  let session: Session
  let pageTokenKey: [UInt8]
  let nowMilliseconds: Int64
  let effects: CommitEffects
  let queue: WriterQueue
  let quotas: QuotaCheck
  let monotonicNanoseconds: @Sendable () -> UInt64
  private let wallMilliseconds: @Sendable () -> Int64

  init(
    session: Session, pageTokenKey: [UInt8], nowMilliseconds: Int64, effects: CommitEffects,
    queue: WriterQueue, quotas: QuotaCheck, monotonicNanoseconds: @escaping @Sendable () -> UInt64
  ) {
    self.session = session
    self.pageTokenKey = pageTokenKey
    self.nowMilliseconds = nowMilliseconds
    self.effects = effects
    self.queue = queue
    self.quotas = quotas
    self.monotonicNanoseconds = monotonicNanoseconds
    wallMilliseconds = { nowMilliseconds }
  }

  /// The result of a batch.
  struct Outcome {
    /// One for each command, in order.
    var results: [Result<[UInt8], StoreError>]
    var replayedCount = 0

    /// Set if the disk was full for a command, or if no transaction can begin: no command can be
    /// stored until that ends.
    var obstacle: StoreError?

    /// How many commands, from the first on, the batch contains. The others were not applied: the
    /// batch had run for its time.
    var appliedCount: Int

    /// What each principal's commands took.
    var charges: [Int64: FairQueue.Charge] = [:]

    /// Set if a write or fsync failed: it is not known whether the batch is on the disk.
    var fatal: StoreError?
  }

  /// How one attempt at the transaction ended.
  private enum Attempt {
    /// The first `count` of the given commands are committed.
    case committed(count: Int, replayedCount: Int)
    /// SQLite rolled back the transaction because of the command at this index.
    case lost(at: Int, StoreError)
    /// A command without a savepoint failed after a change.
    case needsSavepoints
    /// Expiry found a damaged page; the batch runs again without expiry.
    case expiryLost
    case failed(StoreError)
    /// The transaction could not begin because the database could not be read.
    case unreadable(StoreError)
    case fatal(StoreError)
  }

  private static let begin = SQLText("BEGIN IMMEDIATE")
  private static let commit = SQLText("COMMIT")
  private static let rollback = SQLText("ROLLBACK")
  private static let savepoint = SQLText("SAVEPOINT command")
  private static let release = SQLText("RELEASE command")
  private static let rollbackToSavepoint = SQLText("ROLLBACK TO command")

  /// What removes old rows in the transaction of a batch.
  typealias Expire = (Session) throws(StoreError) -> Void

  /// Runs the commands, and `expire` after them in the same transaction; nil: nothing.
  func run(_ commands: [QueuedCommand], expire: Expire?) -> Outcome {
    let unset = Result<[UInt8], StoreError>.failure(
      StoreError(.internalError, "the command did not start", notProcessed: true))
    var outcome = Outcome(
      results: Array(repeating: unset, count: commands.count), appliedCount: commands.count)
    var indices = Array(commands.indices)
    var usesSavepoints = false
    var expires = true
    while true {
      let savepoint = effects.savepoint
      let attempt = attempt(
        commands, indices, usesSavepoints, &outcome, expire: expires ? expire : nil)
      if case .committed(let count, let replayedCount) = attempt {
        outcome.replayedCount = replayedCount
        if count < indices.count { outcome.appliedCount = indices[count] }
        return outcome
      }
      effects.rollback(to: savepoint)
      switch attempt {
      case .committed: break
      case .needsSavepoints: usesSavepoints = true
      case .expiryLost: expires = false
      case .lost(let index, let error):
        outcome.results[index] = .failure(error)
        if error.isDiskFull { outcome.obstacle = error }
        indices.removeAll { $0 == index }
      case .failed(let error):
        if error.isDiskFull { outcome.obstacle = error }
        for index in indices { outcome.results[index] = .failure(error) }
        return outcome
      case .unreadable(let error):
        outcome.obstacle = error
        for index in indices { outcome.results[index] = .failure(error) }
        return outcome
      case .fatal(let error):
        for index in indices { outcome.results[index] = .failure(error) }
        outcome.fatal = error
        return outcome
      }
    }
  }

  private func attempt(
    _ commands: [QueuedCommand], _ indices: [Int], _ usesSavepoints: Bool,
    _ outcome: inout Outcome, expire: Expire?
  ) -> Attempt {
    var replayedCount = 0
    var appliedCount = 0
    var lastWithKey: Int?
    var time = BatchTime(began: monotonicNanoseconds())
    // The time of an earlier attempt stays.
    for principal in outcome.charges.keys { outcome.charges[principal]?.count = 0 }
    _ = session.takeFailure()
    do {
      try execute(Self.begin)
    } catch {
      return beginning(error)
    }
    for index in indices {
      let principal = commands[index].options.caller.principal
      // All callers of a batch wait for its last command.
      if time.isOver(
        for: principal, isBulk: commands[index].isBulk, queue, outcome.charges)
      {
        break
      }
      let changesBefore = session.connection.totalChangedRowCount
      let keysBefore = effects.storedCounts.keys
      let isFollowed = index != indices.last
      let (result, isReplay) =
        usesSavepoints
        ? applyInSavepoint(commands[index], isFollowed) : apply(commands[index], isFollowed)
      outcome.results[index] = result
      time.charge(principal, at: monotonicNanoseconds(), &outcome.charges)
      if isFollowed { time.yieldIfDue() }
      if isReplay { replayedCount += 1 }
      let failure = session.takeFailure()
      if let failure, failure.code.isFailureOfWriting { return fatal(failure) }
      // SQLite refuses to commit a transaction that has read a damaged page.
      if let failure, failure.code.isDamage {
        return rolledBack(.lost(at: index, StoreError(failure)))
      }
      guard session.connection.isInTransaction else {
        return .lost(at: index, failure.map(StoreError.init) ?? Self.unexplained)
      }
      if !usesSavepoints, case .failure = result,
        session.connection.totalChangedRowCount != changesBefore
      {
        return rolledBack(.needsSavepoints)
      }
      if effects.storedCounts.keys != keysBefore { lastWithKey = index }
      appliedCount += 1
    }
    do throws(StoreError) {
      try session.countKeys(effects.storedCounts)
    } catch {
      guard let failure = session.takeFailure() else { return rolledBack(.failed(error)) }
      guard failure.code.isFailureOfReading, let lastWithKey else { return ending(failure) }
      // Commands without keys do not need the sums.
      return rolledBack(.lost(at: lastWithKey, error))
    }
    if let expire, let lost = expired(expire) { return lost }
    do {
      try execute(Self.commit)
      return .committed(count: appliedCount, replayedCount: replayedCount)
    } catch {
      return ending(error)
    }
  }

  /// Expires what is due; how the attempt ends if it cannot go on, nil if it can.
  private func expired(_ expire: Expire) -> Attempt? {
    expireInSavepoint(expire)
    guard let failure = session.takeFailure() else { return nil }
    if failure.code.isFailureOfWriting { return fatal(failure) }
    return failure.code.isFailureOfReading ? rolledBack(.expiryLost) : nil
  }

  /// Rolls the transaction back, so that the batch can start again.
  private func rolledBack(_ attempt: Attempt) -> Attempt {
    guard session.connection.isInTransaction else { return attempt }
    do {
      try execute(Self.rollback)
      return attempt
    } catch {
      // A rollback that could not read a page has ended the transaction all the same.
      guard error.code.isFailureOfReading, !session.connection.isInTransaction else {
        return fatal(error)
      }
      return attempt
    }
  }

  /// Applies one command. If it fails, its changes stay in the transaction.
  private func apply(
    _ command: QueuedCommand, _ isFollowed: Bool
  ) -> (Result<[UInt8], StoreError>, isReplay: Bool) {
    let savepoint = effects.savepoint
    do throws(StoreError) {
      let transaction = Transaction(
        snapshot: Snapshot(
          session: session, pageTokenKey: pageTokenKey,
          wallMilliseconds: wallMilliseconds),
        caller: command.options.caller, nowMilliseconds: nowMilliseconds, effects: effects,
        queue: queue, isFollowed: isFollowed)
      let (reply, isReplay) = try reply(to: command, in: transaction)
      return (.success(reply), isReplay)
    } catch {
      effects.rollback(to: savepoint)
      return (.failure(error), false)
    }
  }

  /// Applies one command in a savepoint. If it fails, none of its changes stay.
  private func applyInSavepoint(
    _ command: QueuedCommand, _ isFollowed: Bool
  ) -> (Result<[UInt8], StoreError>, isReplay: Bool) {
    do {
      try execute(Self.savepoint)
    } catch {
      return (.failure(StoreError(error)), false)
    }
    let outcome = apply(command, isFollowed)
    guard session.connection.isInTransaction else { return outcome }
    do {
      if case .failure = outcome.0 { try execute(Self.rollbackToSavepoint) }
      try execute(Self.release)
    } catch {
      // A transaction whose savepoint could not be rolled back must not be committed.
      try? execute(Self.rollback)
      return (.failure(StoreError(error)), false)
    }
    return outcome
  }

  private func reply(
    to command: QueuedCommand, in transaction: borrowing Transaction
  ) throws(StoreError) -> (reply: [UInt8], isReplay: Bool) {
    guard let idempotency = command.options.idempotency else {
      try quotas.check(command, in: transaction)
      let reply = try command.apply(transaction)
      try transaction.storeCounts()
      return (reply, false)
    }
    if let stored = try transaction.storedReply(idempotency) { return (stored, true) }
    try quotas.check(command, in: transaction)
    let reply = try command.apply(transaction)
    try transaction.keep(idempotency, reply: command.keepsReply ? reply : nil)
    try transaction.storeCounts()
    return (reply, false)
  }

  /// Runs `expire`. A failure is ignored: a later batch tries again.
  private func expireInSavepoint(_ expire: Expire) {
    do {
      try execute(Self.savepoint)
    } catch {
      return
    }
    do {
      try expire(session)
    } catch {
      try? execute(Self.rollbackToSavepoint)
    }
    try? execute(Self.release)
  }

  private func execute(_ text: SQLText) throws(SQLiteError) {
    try session.connection.statement(text).run()
  }

  /// The outcome when the transaction could not begin. A failed read has changed nothing.
  private func beginning(_ error: SQLiteError) -> Attempt {
    guard error.code.isFailureOfReading else { return ending(error) }
    return rolledBack(
      .unreadable(
        StoreError(
          .unavailable, "the database cannot be read (SQLite \(error.code.rawValue))",
          notProcessed: true)))
  }

  /// The outcome when the transaction could not begin or commit.
  private func ending(_ error: SQLiteError) -> Attempt {
    switch error.code.primary {
    case .full, .busy, .locked, .outOfMemory, .corrupt, .notADatabase:
      if session.connection.isInTransaction { try? execute(Self.rollback) }
      guard !session.connection.isInTransaction else { return fatal(error) }
      return .failed(StoreError(error))
    default:
      return fatal(error)
    }
  }

  private func fatal(_ error: SQLiteError) -> Attempt {
    .fatal(.cannotWrite(error))
  }

  private static var unexplained: StoreError {
    StoreError(.internalError, "the transaction ended early", notProcessed: true)
  }
}

/// The time of a batch, and of the principals in it.
private struct BatchTime {
  private let began: UInt64
  private var last: UInt64
  private var yielded: UInt64
  private var isEmpty = true

  init(began: UInt64) {
    self.began = began
    last = began
    yielded = began
  }

  /// Between commands, event loops may run that wait for the processor.
  mutating func yieldIfDue() {
    guard last &- yielded >= Self.nanosecondsBetweenYields else { return }
    yielded = last
    Processor.yield()
  }

  private static let nanosecondsBetweenYields: UInt64 = 250_000

  /// Whether the batch ends before a command of the principal.
  ///
  /// It ends after `StoreLimits.batchMilliseconds`. While somebody waits for it with a single
  /// command, no principal has a second command in it after `StoreLimits.sharedBatchMicroseconds`,
  /// and a batch of bulk commands ends then.
  ///
  /// - Parameter charges: those of the batch so far.
  func isOver(
    for principal: Int64, isBulk: Bool, _ queue: WriterQueue,
    _ charges: [Int64: FairQueue.Charge]
  ) -> Bool {
    guard !isEmpty else { return false }
    let elapsed = last &- began
    if elapsed >= StoreLimits.batchMilliseconds * 1_000_000 { return true }
    guard elapsed >= StoreLimits.sharedBatchMicroseconds * 1_000 else { return false }
    if isBulk, queue.hasSingle { return true }
    return (charges[principal]?.count ?? 0) > 0 && queue.isBatchAwaited
  }

  /// Counts the time since the command before for the principal.
  mutating func charge(
    _ principal: Int64, at now: UInt64, _ charges: inout [Int64: FairQueue.Charge]
  ) {
    let nanoseconds = now &- last
    last = now
    update(&charges[principal, default: FairQueue.Charge()], nanoseconds)
    isEmpty = false
  }

  private func update(_ charge: inout FairQueue.Charge, _ nanoseconds: UInt64) {
    charge.count += 1
    charge.nanoseconds += nanoseconds
  }
}

extension StoreError {
  /// A write or fsync failed: the server stops.
  static func cannotWrite(_ error: SQLiteError) -> StoreError {
    StoreError(
      .unavailable,
      "the server could not write its database and is stopping (SQLite \(error.code.rawValue))")
  }
}

extension ResultCode {
  /// Whether it reports a page with wrong content.
  var isDamage: Bool {
    primary == .corrupt || primary == .notADatabase || self == .inputOutputData
  }

  /// Whether it reports a failed write or fsync, after which the file must not be written again.
  /// A failed read concerns what needs the page: SQLite changes nothing because of it, and rolls
  /// back the statement or the transaction.
  var isFailureOfWriting: Bool {
    guard primary == .inputOutput else { return false }
    return ![
      .inputOutputRead, .inputOutputShortRead, .inputOutputNoMemory, .inputOutputData,
      .inputOutputCorruptFileSystem,
    ].contains(self)
  }

  /// Whether it reports that a page could not be read, or has wrong content.
  var isFailureOfReading: Bool {
    isDamage || (primary == .inputOutput && !isFailureOfWriting)
  }
}
