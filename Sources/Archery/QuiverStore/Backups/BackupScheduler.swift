/// Makes the backups of a schedule on a dedicated thread, and removes those that need not be kept.
///
/// A backup that was missed while the server was stopped is made soon after the start. After a
/// failure it tries again, with growing pauses up to an hour. Any thread may use it.
package final class BackupScheduler: Sendable {
  private let store: Reference
  private let clock: StoreClock
  private let onEvent: @Sendable (BackupEvent) -> Void
  private let cancellation = CommandCancellation()
  private let state: Monitor<State>

  private struct Reference: Sendable {
    weak var store: Store?
  }

  private struct State {
    var status: BackupStatus
    var isStopping = false
    var hasEnded = false
  }

  /// A schedule of a store, which begins with ``start()``.
  ///
  /// - Parameter onEvent: is called on the scheduler's thread; it must not block.
  package init(
    _ store: Store, _ schedule: BackupSchedule,
    onEvent: @escaping @Sendable (BackupEvent) -> Void
  ) {
    self.store = Reference(store: store)
    clock = store.clock
    self.onEvent = onEvent
    var status = BackupStatus(schedule: schedule)
    status.beganAtMilliseconds = store.clock.wallMilliseconds()
    status.nextAtMilliseconds = status.beganAtMilliseconds
    state = Monitor(State(status: status))
  }

  /// Starts the thread.
  package func start() throws(StoreError) {
    store.store?.backups.show(self)
    do throws(StoreError) {
      try DedicatedThread.start(.low) { self.run() }
    } catch {
      state.withLock { $0.hasEnded = true }
      throw error
    }
  }

  /// Cancels a backup that runs, and makes no more; does not wait for the thread.
  package func cancel() {
    cancellation.cancel()
    state.withLock { $0.isStopping = true }
    state.broadcast()
  }

  /// The same, and returns when the thread has ended.
  package func stop() {
    cancel()
    _ = state.wait { $0.hasEnded ? true : nil }
  }

  /// The schedule and its backups now.
  package var status: BackupStatus { state.withLock { $0.status } }

  /// Takes another interval and other numbers of kept backups; the directory stays.
  package func adjust(_ schedule: BackupSchedule) {
    state.withLock { state in
      let directory = state.status.schedule.directory
      state.status.schedule = schedule
      state.status.schedule.directory = directory
    }
    state.broadcast()
  }

  /// How long a thread sleeps at most, so that a wall clock that was set is noticed.
  private static let longestSleepMilliseconds: Int64 = 60_000

  private func run() {
    var directory: BackupDirectory?
    var failures = 0
    var retryAt: UInt64 = 0
    while !isStopping {
      do throws(StoreError) {
        let open: BackupDirectory
        if let directory {
          open = directory
        } else {
          open = try BackupDirectory(path: status.schedule.directory)
          directory = open
        }
        if clock.monotonicNanoseconds() >= retryAt, try isDue(in: open) {
          try makeBackup(in: open)
          failures = 0
        }
        try removeOld(in: open)
      } catch {
        guard !isStopping else { break }
        directory = nil
        let pause = pause(after: failures)
        failures += 1
        retryAt = clock.monotonicNanoseconds() &+ UInt64(pause) * 1_000_000
        fail(error, retryMilliseconds: pause)
      }
      sleep(retryAt: retryAt)
    }
    directory = nil
    state.withLock { $0.hasEnded = true }
    state.broadcast()
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Whether the next backup is due; updates the status.
  private func isDue(in directory: BackupDirectory) throws(StoreError) -> Bool {
    let backups = try directory.backups()
    let now = clock.wallMilliseconds()
    return state.withLock { state in
      Self.list(backups, in: &state.status)
      // The clock may have been ahead when the newest one was made.
      let newest = state.status.newestMilliseconds.map { min($0, now) }
      let next = newest.map { $0 + state.status.schedule.intervalMilliseconds }
      state.status.nextAtMilliseconds = next ?? state.status.beganAtMilliseconds
      return state.status.nextAtMilliseconds <= now
    }
  }

  private func makeBackup(in directory: BackupDirectory) throws(StoreError) {
    guard let store = store.store else { return }
    state.withLock { $0.status.isRunning = true }
    defer { state.withLock { $0.status.isRunning = false } }
    let start = clock.monotonicNanoseconds()
    try checkRoom(in: directory, for: store)
    let made = try store.backup(
      to: directory.path(at: clock.wallMilliseconds()), cancellation)
    let backups = try directory.backups()
    state.withLock { state in
      state.status.madeCount += 1
      state.status.failure = ""
      Self.list(backups, in: &state.status)
      if let newest = state.status.newestMilliseconds {
        state.status.nextAtMilliseconds = newest + state.status.schedule.intervalMilliseconds
      }
    }
    onEvent(
      .made(
        made, milliseconds: Int64(clamping: (clock.monotonicNanoseconds() &- start) / 1_000_000)))
  }

  /// Refuses a backup for which there is no room, before it begins.
  private func checkRoom(
    in directory: BackupDirectory, for store: Store
  ) throws(StoreError) {
    let needed = try store.databaseByteCount() + StoreLimits.backupReserveByteCount
    // A backup for another disk is copied beside the database first.
    for path in [directory.path, store.directory.path] {
      let free = try BackupDirectory.freeByteCount(of: path)
      guard free >= needed else {
        throw StoreError.reached(
          .backupReserveByteCount,
          "a backup needs \(needed) bytes in \(path), where \(free) are free; make room, or keep"
            + " fewer backups", notProcessed: false)
      }
    }
  }

  private func removeOld(in directory: BackupDirectory) throws(StoreError) {
    guard let store = store.store else { return }
    let backups = try directory.backups()
    let schedule = status.schedule
    let newest = backups.first(where: \.isVerified)
    // A clock that is ahead makes no backup old.
    let oldest = store.time.oldest(keptMilliseconds: schedule.keptMilliseconds)
    var kept = 0
    for backup in backups {
      let isNeeded =
        backup == newest
        || (kept < schedule.keptCount && backup.madeAtMilliseconds >= oldest)
      if isNeeded {
        kept += 1
        continue
      }
      try directory.remove(backup)
      onEvent(.removed(path: backup.path))
    }
    let left = try directory.backups()
    state.withLock { Self.list(left, in: &$0.status) }
  }

  private static func list(_ backups: [ScheduledBackup], in status: inout BackupStatus) {
    status.backups = Array(backups.prefix(StoreLimits.listedBackups))
  }

  /// A minute, doubled with each further failure, up to an hour and the interval.
  private func pause(after failures: Int) -> Int64 {
    let longest = min(3_600_000, status.schedule.intervalMilliseconds)
    return min(longest, 60_000 << Int64(min(failures, 10)))
  }

  private func fail(_ error: StoreError, retryMilliseconds: Int64) {
    state.withLock { state in
      state.status.failedCount += 1
      state.status.failure = error.message
    }
    onEvent(.failed(error, retryMilliseconds: retryMilliseconds))
  }

  private func sleep(retryAt: UInt64) {
    let now = clock.monotonicNanoseconds()
    let status = status
    let untilRetry = retryAt > now ? Int64(clamping: (retryAt - now) / 1_000_000) + 1 : 0
    let untilDue = max(untilRetry, status.nextAtMilliseconds - clock.wallMilliseconds())
    let milliseconds = UInt64(max(1, min(untilDue, Self.longestSleepMilliseconds)))
    let schedule = status.schedule
    _ = state.wait(milliseconds: milliseconds) { state in
      state.isStopping || state.status.schedule != schedule ? true : nil
    }
  }
}
