import Synchronization

/// Lets one backup run at a time, and knows the schedule. Any thread may use it.
final class BackupGate: Sendable {
  private let isTaken = Monitor(false)
  private let scheduler = Mutex(Reference())

  private struct Reference: Sendable {
    weak var scheduler: BackupScheduler?
  }

  /// How often a backup that waits looks whether it was cancelled.
  private static let pollMilliseconds: UInt64 = 100

  /// Waits for the running backup, then runs `body`.
  func pass<Result>(
    _ cancellation: CommandCancellation?, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    while !enter() {
      if cancellation?.isCancelled ?? false { throw StoreError.backupGivenUp }
    }
    defer {
      isTaken.withLock { $0 = false }
      isTaken.signal()
    }
    return try body()
  }

  /// Shows the backups of this schedule from now on.
  func show(_ scheduler: BackupScheduler) {
    self.scheduler.withLock { $0.scheduler = scheduler }
  }

  /// The schedule with its backups; nil if there is none.
  var status: BackupStatus? { scheduler.withLock { $0.scheduler }?.status }

  private func enter() -> Bool {
    isTaken.wait(milliseconds: Self.pollMilliseconds) { isTaken in
      guard !isTaken else { return nil }
      isTaken = true
      return true
    } ?? false
  }
}
