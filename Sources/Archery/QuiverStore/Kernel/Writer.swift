import QuiverSQLite
import Synchronization

/// The one thread that changes the database, commits and checkpoints.
// `@unchecked`: what is not a lock or constant is touched only by its own thread, once begun.
final class Writer: @unchecked Sendable {
  let queue: WriterQueue
  let statistics = Mutex(StoreStatistics())
  let hooks: Mutex<StoreHooks>
  let observers = Mutex<[@Sendable (Int64, Set<ChangedKey>) -> Void]>([])

  private let session: Session
  private let readers: ReaderPool
  private let equipmentCache: ObjectCache<OwnedEquipment>
  private let leaderboards: Leaderboards
  private let clock: StoreClock
  private let pageTokenKey: [UInt8]
  private let ended = Monitor(false)

  private var log: LogKeeper
  private var lastMilliseconds: Int64
  /// Both clocks when the store was opened.
  private let opening: (wallMilliseconds: Int64, monotonicNanoseconds: UInt64)
  private var commandsSinceSweep = 0
  private var hasOldRows = true
  private var hasFailed = false

  init(
    _ database: Database, readers: ReaderPool, equipmentCache: ObjectCache<OwnedEquipment>,
    leaderboards: Leaderboards, configuration: StoreConfiguration
  ) {
    self.equipmentCache = equipmentCache
    self.leaderboards = leaderboards
    session = Session(database.connection)
    pageTokenKey = database.pageTokenKey
    lastMilliseconds = database.lastMilliseconds
    self.readers = readers
    clock = configuration.clock
    opening = (clock.wallMilliseconds(), clock.monotonicNanoseconds())
    hooks = Mutex(configuration.hooks)
    queue = WriterQueue(
      capacity: configuration.queuedCommands, groupSize: configuration.commandsPerGroup)
    log = LogKeeper(connection: database.connection, readers: readers)
  }

  /// Starts the thread; it ends by `stop`.
  func start() throws(StoreError) {
    do throws(StoreError) {
      try OwnThread.start { self.work() }
    } catch {
      ended.withLock { $0 = true }
      throw error
    }
  }

  /// Writes what waits and returns when the thread has ended; it then writes nothing more.
  func stop() {
    queue.stop()
    _ = ended.wait { $0 ? true : nil }
  }

  /// Empties the log, once the thread has ended and the readers have gone; answers whether all of
  /// it is in the database by now.
  func emptyLog() -> Bool {
    // Where this fails the log stays, and the next start reads it.
    ended.withLock { _ in
      guard !hasFailed else { return false }
      do {
        return try log.empty()
      } catch {
        session.connection.setCheckpointsOnClose(false)
        return false
      }
    }
  }

  /// Closes the database, once the thread has ended; the thread may still be on its way out, and
  /// whoever opens the database next must not wait for that.
  func closeDatabase() {
    ended.withLock { _ in session.connection.close() }
  }

  private func work() {
    var isRunning = true
    while isRunning {
      switch queue.next(waitingMilliseconds: waitingMilliseconds) {
      case .group(let jobs):
        isRunning = commit(jobs)
        if isRunning, let chore = queue.chore { goOn(with: chore) }
      case .chore(let chore): goOn(with: chore)
      case .stop: isRunning = false
      case nil: isRunning = beIdle()
      }
    }
    let unfinished = StoreError(.unavailable, "the store was closed before this had ended")
    for chore in queue.takeChores() { chore.abandon(unfinished) }
    ended.withLock { $0 = true }
    ended.broadcast()
  }

  private func goOn(with chore: any Chore) {
    if chore.slice(on: session.connection) { queue.remove(chore) }
  }

  /// Nothing needs looking after where the log is small and no row is known to be old.
  private var waitingMilliseconds: UInt64? {
    log.wantsIdleCheckpoint || hasOldRows ? StoreLimits.idleMilliseconds : 60_000
  }

  /// The server's time, which never goes back.
  private func now() -> Int64 {
    lastMilliseconds = max(lastMilliseconds, clock.wallMilliseconds())
    return lastMilliseconds
  }

  /// The time by which rows grow old: no faster than they do by the monotonic clock, so that a
  /// wall clock that jumps ahead makes nobody's keys forgotten.
  private func ageingTime() -> Int64 {
    let passed = clock.monotonicNanoseconds() &- opening.monotonicNanoseconds
    return min(lastMilliseconds, opening.wallMilliseconds &+ Int64(clamping: passed / 1_000_000))
  }
}

extension Writer {
  /// Commits a group and answers it; false when the database must not be written any more.
  private func commit(_ jobs: [Job]) -> Bool {
    let monotonic = clock.monotonicNanoseconds()
    var refused: [(job: Job, result: Result<[UInt8], StoreError>)] = []
    var live: [Job] = []
    live.reserveCapacity(jobs.count)
    for job in jobs {
      if let refusal = job.refusal(monotonicNanoseconds: monotonic) {
        refused.append((job, .failure(refusal)))
      } else {
        live.append(job)
      }
    }
    guard !live.isEmpty else {
      count(refused: refused.count)
      Job.deliver(refused)
      return true
    }
    let effects = Effects()
    let outcome = run(live, effects)
    let results = zip(live, outcome.results).map { (job: $0, result: $1) }
    if let fatal = outcome.fatal {
      return leave(fatal, answering: refused + results)
    }
    readers.noteCommit()
    equipmentCache.remove(effects.changedEquipment)
    leaderboards.note(effects)
    let hooks = hooks.withLock { $0 }
    if effects.lastSequence > 0 {
      hooks.committed(effects.lastSequence)
      tellObservers(effects)
    }
    count(outcome, refused: refused.count)
    Job.deliver(refused + results)
    // After the answers: who ends its own token hears of it before the connection goes.
    if !effects.revokedTokens.isEmpty { hooks.tokensRevoked(effects.revokedTokens) }
    return keepLog(isBulk: live.contains { $0.isBulk })
  }

  private func tellObservers(_ effects: Effects) {
    let observers = observers.withLock { $0 }
    guard !observers.isEmpty else { return }
    let keys = Set(effects.changedKeys)
    for observer in observers { observer(effects.lastSequence, keys) }
  }

  private func run(_ jobs: [Job], _ effects: Effects) -> Group.Outcome {
    commandsSinceSweep += jobs.count
    let isSweepDue = commandsSinceSweep >= StoreLimits.commandsPerSweep
    if isSweepDue { commandsSinceSweep = 0 }
    let group = Group(
      session: session, pageTokenKey: pageTokenKey, nowMilliseconds: now(), effects: effects,
      queue: queue)
    return group.run(jobs) { (session) throws(StoreError) in
      if isSweepDue { try self.sweep(session, isIdle: jobs.isEmpty) }
    }
  }

  private func sweep(_ session: Session, isIdle: Bool) throws(StoreError) {
    let count = try Sweeper.sweep(session, nowMilliseconds: ageingTime(), isIdle: isIdle)
    hasOldRows = count > 0
    if count > 0 { statistics.withLock { $0.sweptRows += UInt64(count) } }
  }

  private func count(_ outcome: Group.Outcome, refused: Int) {
    let succeeded = outcome.results.count { if case .success = $0 { true } else { false } }
    let walByteCount = log.byteCount
    statistics.withLock { statistics in
      statistics.committedGroups += 1
      statistics.committedCommands += UInt64(max(0, succeeded - outcome.replayedCount))
      statistics.replayedCommands += UInt64(outcome.replayedCount)
      statistics.refusedCommands += UInt64(refused + outcome.results.count - succeeded)
      statistics.largestGroup = max(statistics.largestGroup, outcome.results.count)
      statistics.walByteCount = walByteCount
    }
  }

  private func count(refused: Int) {
    statistics.withLock { $0.refusedCommands += UInt64(refused) }
  }

  /// Never writes again: answers all that waits, and tells the process to leave.
  private func leave(
    _ failure: StoreError, answering results: [(job: Job, result: Result<[UInt8], StoreError>)]
  ) -> Bool {
    hasFailed = true
    session.connection.setCheckpointsOnClose(false)
    let waiting = queue.fail(
      StoreError(.unavailable, failure.message, notProcessed: true))
    let unprocessed = StoreError(.unavailable, failure.message, notProcessed: true)
    Job.deliver(results + waiting.map { (job: $0, result: .failure(unprocessed)) })
    hooks.withLock { $0 }.fatal(failure)
    return false
  }
}

extension Writer {
  /// Checkpoints where the log has grown too large; false when that failed for good.
  private func keepLog(isBulk: Bool) -> Bool {
    kept { () throws(SQLiteError) in
      // Who waits now goes first; there is time behind the next group.
      if isBulk, !queue.hasSingle, try log.checkpointIfBulk() { return true }
      return try log.checkpointIfForced()
    }
  }

  /// Looks after the log and old rows while nobody waits; false when that failed for good.
  private func beIdle() -> Bool {
    if hasOldRows || commandsSinceSweep > 0 {
      commandsSinceSweep = StoreLimits.commandsPerSweep
      hasOldRows = false
      if let fatal = run([], Effects()).fatal { return leave(fatal, answering: []) }
      readers.noteCommit()
    }
    return kept { () throws(SQLiteError) in try log.checkpointIfIdle() }
  }

  private func kept(_ body: () throws(SQLiteError) -> Bool) -> Bool {
    do {
      if try body() {
        let walByteCount = log.byteCount
        statistics.withLock { statistics in
          statistics.checkpoints += 1
          statistics.walByteCount = walByteCount
        }
      }
      return true
    } catch {
      guard error.code.isFailureOfWriting else { return true }
      let failure = StoreError(
        .unavailable, "the server could not write its database and is leaving (\(error.code))")
      return leave(failure, answering: [])
    }
  }
}
