import QuiverMetrics
import QuiverSQLite
import Synchronization

/// The only thread that changes the database, commits and checkpoints.
// `@unchecked`: after `start` only the writer thread uses what is not a lock or a constant.
final class Writer: @unchecked Sendable {
  let queue: WriterQueue
  let statistics = Mutex(StoreStatistics())
  let hooks: Mutex<StoreHooks>
  let observers: Mutex<[any CommitObserver]>

  private let session: Session
  private let readers: ReaderPool
  private let clock: StoreClock
  private let pageTokenKey: [UInt8]
  private let quotas: QuotaCheck
  private let ended = Monitor(false)

  private var checkpointer: Checkpointer
  private let time: StoreTime
  private let times: StoreTimes
  private let files: FileWatch
  private var lastTimeSave: UInt64
  /// When commands that are not bulk commands were committed last.
  private var lastSingle: UInt64?
  private var commandsSinceExpiry = 0
  private var hasOldRows = true
  private var hasFailed = false
  /// Why nothing can be stored now; nil if it can.
  private let obstacle: Mutex<StoreError?>
  /// What a full disk kept the start from discarding.
  private var recoveries: [Recovery]

  init(
    _ database: Database, files: FileWatch, readers: ReaderPool, observers: [any CommitObserver],
    times: StoreTimes, configuration: StoreConfiguration
  ) {
    session = Session(database.connection)
    session.epoch = database.currentEpoch
    obstacle = Mutex(database.isDiskFull ? .diskFull : nil)
    recoveries = database.recoveries
    pageTokenKey = database.pageTokenKey
    time = database.time
    self.times = times
    self.files = files
    self.readers = readers
    self.observers = Mutex(observers)
    clock = configuration.clock
    quotas = QuotaCheck(
      configuration.quotas, monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
    lastTimeSave = clock.monotonicNanoseconds()
    hooks = Mutex(configuration.hooks)
    queue = WriterQueue(
      capacity: configuration.queuedCommands, batchSize: configuration.commandsPerBatch)
    checkpointer = Checkpointer(connection: database.connection, readers: readers)
  }

  /// Starts the thread, which runs until `stop`.
  func start() throws(StoreError) {
    do throws(StoreError) {
      try DedicatedThread.start { self.work() }
    } catch {
      ended.withLock { $0 = true }
      throw error
    }
  }

  /// Commits the queued commands and returns when the thread has ended.
  func stop() {
    queue.stop()
    _ = ended.wait { $0 ? true : nil }
  }

  /// Empties the write-ahead log. Call it when the thread and all readers have ended. Returns
  /// whether the database now contains all of the log.
  func emptyLog() -> Bool {
    // If this fails the log stays, and the next start recovers it.
    ended.withLock { _ in
      guard !hasFailed else { return false }
      do {
        return try checkpointer.empty()
      } catch {
        session.connection.setCheckpointsOnClose(false)
        return false
      }
    }
  }

  /// Closes the database. Call it when the thread has ended.
  // Not in `deinit`: the thread may still hold its last reference to the writer for a moment.
  func closeDatabase() {
    ended.withLock { _ in session.connection.close() }
  }

  private func work() {
    var isRunning = true
    while isRunning {
      switch queue.next(waitingMilliseconds: waitingMilliseconds) {
      case .batch(let commands):
        isRunning = commit(commands)
        if isRunning, let task = queue.task { advance(task) }
      case .task(let task): advance(task)
      case .stop: isRunning = false
      case nil: isRunning = beIdle()
      }
    }
    let unfinished = StoreError(.unavailable, "the store was closed before this had ended")
    for task in queue.takeTasks() { task.abandon(unfinished) }
    let now = clock.monotonicNanoseconds()
    if !hasFailed, let fault = files.check(monotonicNanoseconds: now, isLast: true) {
      _ = fail(fault, answering: [])
    }
    saveTimeAtEnd()
    ended.withLock { $0 = true }
    ended.broadcast()
  }

  private func advance(_ task: any BackgroundTask) {
    if task.slice(on: session.connection) { queue.remove(task) }
  }

  /// How long the writer waits for a command before it does idle work.
  private var waitingMilliseconds: UInt64? {
    if hasObstacle { return StoreLimits.diskProbeMilliseconds }
    return checkpointer.wantsIdleCheckpoint || hasOldRows ? StoreLimits.idleMilliseconds : 60_000
  }

  /// Installs hooks, and notifies them at once if nothing can be stored now.
  func install(_ new: StoreHooks) {
    hooks.withLock { $0 = new }
    if let obstacle = obstacle.withLock({ $0 }) { new.storingChanged(obstacle) }
  }

  private var hasObstacle: Bool { obstacle.withLock { $0 != nil } }

  /// Notes whether the latest batch could be stored, and reports a change.
  private func note(_ error: StoreError?) {
    let isChanged = obstacle.withLock { obstacle in
      defer { obstacle = error }
      return (obstacle == nil) != (error == nil)
    }
    if isChanged { hooks.withLock { $0 }.storingChanged(error) }
  }

  /// Discards what the start could not, and saves what must be stored before a later row is;
  /// returns why it cannot be done yet, if so, and the fatal error if a write or fsync failed.
  private func prepare(
    _ effects: CommitEffects
  ) -> (error: StoreError, fatal: StoreError?)? {
    do throws(StoreError) {
      while let recovery = recoveries.first {
        if try recovery.run(session, effects) { recoveries.removeFirst() }
      }
      try TimeGap.save(of: time, in: session)
      return nil
    } catch {
      guard let failure = session.takeFailure(), failure.code.isFailureOfWriting else {
        return (error, nil)
      }
      return (error, .cannotWrite(failure))
    }
  }

  /// Saves the store's time before the database is closed. If that fails, the next start uses the
  /// dates of the newest rows.
  private func saveTimeAtEnd() {
    guard !hasFailed else { return }
    try? TimeGap.save(of: time, in: session)
    try? session.inTransaction { (session) throws(StoreError) in
      try ClockCheck.save(time, in: session)
    }
  }
}

extension Writer {
  /// Commits a batch and acknowledges it; returns false if the database must not be written again.
  private func commit(_ commands: [QueuedCommand]) -> Bool {
    let monotonic = clock.monotonicNanoseconds()
    var refused: [QueuedCommand.Completed] = []
    var live: [QueuedCommand] = []
    live.reserveCapacity(commands.count)
    for command in commands {
      if let refusal = command.refusal(monotonicNanoseconds: monotonic) {
        refused.append((command, .failure(refusal)))
      } else {
        live.append(command)
      }
    }
    guard !live.isEmpty else {
      count(refused: refused.count)
      QueuedCommand.deliver(refused)
      return true
    }
    if let fault = files.check(monotonicNanoseconds: monotonic) {
      return fail(fault, answering: refused + live.map { (command: $0, result: .failure(fault)) })
    }
    let effects = CommitEffects()
    let outcome = run(live, effects)
    queue.completeBatch(outcome.charges, puttingBack: live[outcome.appliedCount...])
    live.removeSubrange(outcome.appliedCount...)
    let results = zip(live, outcome.results).map { (command: $0, result: $1) }
    if let fatal = outcome.fatal {
      return fail(fatal, answering: refused + results)
    }
    let end = clock.monotonicNanoseconds()
    times.commits.observe(end &- monotonic)
    for command in live {
      guard let onPhase = command.options.onPhase else { continue }
      onPhase(.waited, command.submittedNanoseconds, monotonic)
      onPhase(.committed, monotonic, end)
    }
    times.batchSizes.observe(UInt64(live.count))
    readers.noteCommit()
    report(effects) {
      count(results, replayed: outcome.replayedCount, refused: refused.count)
      QueuedCommand.deliver(refused.isEmpty ? results : refused + results)
    }
    if live.contains(where: \.isBulk) { checkpointer.hasBulk = true } else { lastSingle = end }
    return checkpoint(at: end)
  }

  /// Reports a commit to those that react to it; `acknowledge` runs when caches are up to date.
  private func report(_ effects: CommitEffects, acknowledge: () -> Void = {}) {
    let observers = observers.withLock { $0 }
    let hooks = hooks.withLock { $0 }
    for observer in observers { observer.didCommit(effects) }
    if effects.lastSequence > 0 { hooks.committed(effects.lastSequence) }
    acknowledge()
    for observer in observers { observer.didAcknowledge(effects, hooks: hooks) }
  }

  private func run(_ commands: [QueuedCommand], _ effects: CommitEffects) -> CommitBatch.Outcome {
    commandsSinceExpiry += commands.count
    let isExpiryDue = commandsSinceExpiry >= StoreLimits.commandsPerExpiry
    if isExpiryDue { commandsSinceExpiry = 0 }
    // Read first: a gap before this time is saved before a row has it.
    let now = time.nowMilliseconds
    if let (error, fatal) = prepare(effects) {
      if error.isDiskFull { note(error) }
      return CommitBatch.Outcome(
        results: commands.map { _ in .failure(error) }, appliedCount: commands.count,
        fatal: fatal)
    }
    let changesBefore = session.connection.totalChangedRowCount
    let batch = CommitBatch(
      session: session, pageTokenKey: pageTokenKey, nowMilliseconds: now,
      effects: effects, queue: queue, quotas: quotas,
      monotonicNanoseconds: clock.monotonicNanoseconds)
    let expire: CommitBatch.Expire? =
      isExpiryDue
      ? { (session) throws(StoreError) in try self.expire(session, isIdle: commands.isEmpty) } : nil
    let outcome = batch.run(commands, expire: expire)
    if let error = outcome.obstacle {
      note(error)
    } else if outcome.fatal == nil, session.connection.totalChangedRowCount != changesBefore {
      note(nil)
    }
    return outcome
  }

  private func expire(_ session: Session, isIdle: Bool) throws(StoreError) {
    let count = try Expirer.expire(
      ExpiryContext(
        session: session, oldest: { [time] in time.oldest(keptMilliseconds: $0) }, isIdle: isIdle))
    try ClockCheck.save(time, in: session)
    lastTimeSave = clock.monotonicNanoseconds()
    hasOldRows = count > 0
    if count > 0 { statistics.withLock { $0.expiredRows += UInt64(count) } }
  }

  private func count(
    _ results: [QueuedCommand.Completed], replayed: Int, refused: Int
  ) {
    let succeeded = results.count { if case .success = $0.result { true } else { false } }
    let walByteCount = checkpointer.byteCount
    statistics.withLock { statistics in
      statistics.committedBatches += 1
      statistics.committedCommands += UInt64(max(0, succeeded - replayed))
      statistics.replayedCommands += UInt64(replayed)
      statistics.refusedCommands += UInt64(refused + results.count - succeeded)
      statistics.largestBatch = max(statistics.largestBatch, results.count)
      statistics.walByteCount = walByteCount
    }
  }

  private func count(refused: Int) {
    statistics.withLock { $0.refusedCommands += UInt64(refused) }
  }

  /// Stops all writing: refuses every queued command and reports a fatal error to the process.
  private func fail(
    _ failure: StoreError, answering results: [QueuedCommand.Completed]
  ) -> Bool {
    hasFailed = true
    session.connection.setCheckpointsOnClose(false)
    let unprocessed = StoreError(failure.code, failure.message, notProcessed: true)
    let waiting = queue.fail(unprocessed)
    QueuedCommand.deliver(results + waiting.map { (command: $0, result: .failure(unprocessed)) })
    hooks.withLock { $0 }.fatal(failure)
    return false
  }
}

extension Writer {
  /// Checkpoints if the log has grown too large; returns false if the writer must stop.
  private func checkpoint(at now: UInt64) -> Bool {
    // While single commands arrive, short checkpoints delay each of them less.
    let expected = StoreLimits.sharedMilliseconds * 1_000_000
    let isShared = lastSingle.map { now &- $0 < expected } ?? false
    let bulkByteCount =
      isShared ? StoreLimits.sharedBulkCheckpointByteCount : StoreLimits.bulkCheckpointByteCount
    return performCheckpoint { () throws(SQLiteError) in
      if try checkpointer.checkpointIfForced() { return true }
      // Waiting commands go first; the checkpoint can follow the next batch.
      guard !queue.hasSingle else { return false }
      return try checkpointer.checkpointIfBulk(bulkByteCount)
    }
  }

  /// Checkpoints and expires rows while no command waits; returns false if the writer must stop.
  private func beIdle() -> Bool {
    let monotonic = clock.monotonicNanoseconds()
    if let fault = files.check(monotonicNanoseconds: monotonic) {
      return fail(fault, answering: [])
    }
    let isTimeSaveDue =
      monotonic &- lastTimeSave >= StoreLimits.timeSaveIntervalMilliseconds * 1_000_000
    // While nothing can be stored the times are saved to see whether that has ended.
    if hasOldRows || commandsSinceExpiry > 0 || isTimeSaveDue || hasObstacle {
      commandsSinceExpiry = StoreLimits.commandsPerExpiry
      hasOldRows = false
      let effects = CommitEffects()
      if let fatal = run([], effects).fatal { return fail(fatal, answering: []) }
      readers.noteCommit()
      if !effects.changes.isEmpty { report(effects) }
    }
    return performCheckpoint { () throws(SQLiteError) in try checkpointer.checkpointIfIdle() }
  }

  private func performCheckpoint(_ body: () throws(SQLiteError) -> Bool) -> Bool {
    do {
      let start = clock.monotonicNanoseconds()
      if try body() {
        times.checkpoints.observe(clock.monotonicNanoseconds() &- start)
        let walByteCount = checkpointer.byteCount
        statistics.withLock { statistics in
          statistics.checkpoints += 1
          statistics.walByteCount = walByteCount
        }
      }
      return true
    } catch {
      guard error.code.isFailureOfWriting else { return true }
      return fail(.cannotWrite(error), answering: [])
    }
  }
}
