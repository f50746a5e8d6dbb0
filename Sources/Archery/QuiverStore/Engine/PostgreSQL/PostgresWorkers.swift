import QuiverMetrics
import QuiverPostgres
import Synchronization

/// The threads that run commands on PostgreSQL, each on a connection of its own.
///
/// A connection is made with the first command of its thread. A command whose connection ends runs
/// once more on a new one, unless its COMMIT was sent and it has no idempotency key: with a key it
/// has its effect once, whether the first COMMIT had one or not. If the second run fails, the first
/// COMMIT may still have its effect, also later: then the first outcome is the outcome.
final class PostgresWorkers: Sendable {
  let queue: WorkerQueue
  let statistics = Mutex(StoreStatistics())
  let hooks: Mutex<StoreHooks>

  /// How often commands ran again because of a conflict.
  let conflictCount = Atomic<UInt64>(0)

  private let connector: PostgresConnector
  private let database: PostgresDatabase
  private let quotas: QuotaCheck
  private let times: StoreTimes
  private let notifier: JournalNotifier
  private let positions: StorePositions
  private let seen: SeenJournal
  private let acknowledged: AcknowledgedRows
  /// What the rows of ended permissions name.
  private let server: Int64
  /// What reacts to the commits of this server alone.
  private let observers: [any CommitObserver]
  private let health: DatabaseHealth
  private let threads = Monitor(0)

  init(
    _ database: PostgresDatabase, _ connector: PostgresConnector, _ health: DatabaseHealth,
    notifier: JournalNotifier, positions: StorePositions, seen: SeenJournal,
    acknowledged: AcknowledgedRows, server: Int64,
    observers: [any CommitObserver], times: StoreTimes, configuration: StoreConfiguration
  ) {
    self.seen = seen
    self.server = server
    self.acknowledged = acknowledged
    self.positions = positions
    self.database = database
    self.health = health
    self.connector = connector
    self.notifier = notifier
    self.observers = observers
    self.times = times
    hooks = Mutex(configuration.hooks)
    queue = WorkerQueue(capacity: configuration.queuedCommands)
    quotas = QuotaCheck(
      configuration.quotas, monotonicNanoseconds: configuration.clock.monotonicNanoseconds)
  }

  /// Starts so many threads, which run until ``stop()``.
  func start(threadCount: Int) throws(StoreError) {
    for _ in 0..<threadCount {
      threads.withLock { $0 += 1 }
      do throws(StoreError) {
        try DedicatedThread.start { self.work() }
      } catch {
        ended()
        throw error
      }
    }
  }

  /// Runs the commands that wait, and returns when the threads have ended.
  func stop() {
    queue.stop()
    _ = threads.wait { $0 == 0 ? true : nil }
  }

  func install(_ new: StoreHooks) { hooks.withLock { $0 = new } }

  private func ended() {
    threads.withLock { $0 -= 1 }
    threads.broadcast()
  }

  private func work() {
    var commands: PostgresCommands?
    while let command = queue.next() {
      let start = database.clock.monotonicNanoseconds()
      if let refusal = command.refusal(monotonicNanoseconds: start) {
        statistics.withLock { $0.refusedCommands += 1 }
        QueuedCommand.deliver([(command, .failure(refusal))])
      } else {
        complete(command, run(command, on: &commands), start)
      }
      queue.completed(
        command, nanoseconds: database.clock.monotonicNanoseconds() &- start)
    }
    ended()
  }

  private func run(
    _ command: QueuedCommand, on commands: inout PostgresCommands?
  ) -> PostgresCommands.Outcome {
    if commands?.isAlive == false { commands = nil }
    /// The outcome of the first run, if its COMMIT had no answer.
    var unknown: PostgresCommands.Outcome?
    var isRepeated = false
    while true {
      do throws(PostgresError) {
        let current = try current(&commands)
        let outcome = current.run(command) { database.time.nowMilliseconds }
        if outcome.lostConnection != nil { commands = nil }
        guard case .failure(let error) = outcome.result else { return outcome }
        if let unknown { return unknown }
        guard outcome.lostConnection != nil, !isRepeated,
          error.notProcessed || command.options.idempotency != nil,
          command.refusal(monotonicNanoseconds: database.clock.monotonicNanoseconds()) == nil
        else { return outcome }
        if !error.notProcessed { unknown = outcome }
        isRepeated = true
      } catch {
        return unknown
          ?? PostgresCommands.Outcome(
            result: .failure(.unreachable(error)), attemptCount: 0, lostConnection: error)
      }
    }
  }

  private func current(
    _ commands: inout PostgresCommands?
  ) throws(PostgresError) -> PostgresCommands {
    if let commands { return commands }
    let new = PostgresCommands(
      try connector.connect(.command), pageTokenKey: database.pageTokenKey, quotas: quotas,
      server: server, epoch: database.currentEpoch,
      monotonicNanoseconds: database.clock.monotonicNanoseconds)
    commands = new
    return new
  }

  private func complete(
    _ command: QueuedCommand, _ outcome: PostgresCommands.Outcome, _ start: UInt64
  ) {
    let end = database.clock.monotonicNanoseconds()
    times.commits.observe(end &- start)
    times.batchSizes.observe(1)
    if outcome.attemptCount > 1 {
      conflictCount.wrappingAdd(UInt64(outcome.attemptCount - 1), ordering: .relaxed)
    }
    if let onPhase = command.options.onPhase {
      onPhase(.waited, command.submittedNanoseconds, start)
      onPhase(.committed, start, end)
    }
    count(outcome)
    note(outcome)
    positions.note(max(outcome.effects.lastSequence, outcome.effects.position))
    if let row = outcome.effects.lastRow { acknowledged.note(row) }
    seen.note(own: outcome.effects.lastSequence)
    if outcome.effects.lastSequence > 0 { notifier.notify() }
    for observer in observers { observer.didCommit(outcome.effects) }
    QueuedCommand.deliver([(command, outcome.result)])
    let hooks = hooks.withLock { $0 }
    for observer in observers { observer.didAcknowledge(outcome.effects, hooks: hooks) }
  }

  private func count(_ outcome: PostgresCommands.Outcome) {
    statistics.withLock { statistics in
      guard case .success = outcome.result else {
        statistics.refusedCommands += 1
        return
      }
      statistics.committedBatches += outcome.isReplay ? 0 : 1
      statistics.committedCommands += outcome.isReplay ? 0 : 1
      statistics.replayedCommands += outcome.isReplay ? 1 : 0
      statistics.largestBatch = 1
    }
  }

  /// Reports when the database cannot be changed any more, and when it can again.
  private func note(_ outcome: PostgresCommands.Outcome) {
    guard case .failure(let failure) = outcome.result else { return health.noteStored() }
    if outcome.lostConnection != nil || failure.isDiskFull { health.note(failed: failure) }
  }
}

extension StoreError {
  /// The database cannot be connected to.
  static func unreachable(_ error: PostgresError) -> StoreError {
    // Errors without a SQLSTATE are this program's own, which names no data.
    let isOwn = error.kind == .other && error.sqlState.isEmpty
    return StoreError(
      .unavailable,
      isOwn
        ? "the database cannot be used: \(error.message)" : "the database cannot be reached now",
      notProcessed: true,
      retryAfterMilliseconds: Int32(clamping: StoreLimits.firstReconnectMilliseconds))
  }
}
