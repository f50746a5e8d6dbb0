import CSQLite
import QuiverPlatform

/// How long the statements of a connection may run together, by SQLite's own counting of its steps
/// (`sqlite3_progress_handler`).
///
/// The time begins a thousand steps after `begin`, so that short reads never ask the clock. It
/// belongs to the thread that uses the connection.
package final class RunLimit {
  /// Whether the latest statement was ended because the time was over.
  package private(set) var isOver = false

  private let now: @Sendable () -> UInt64
  private var isCancelled: (@Sendable () -> Bool)?
  private var nanoseconds: UInt64 = .max
  private var beganNanoseconds: UInt64?
  private var yieldedNanoseconds: UInt64 = 0

  /// After so long other threads may have the core, where some wait for it.
  private static let nanosecondsBetweenYields: UInt64 = 250_000

  /// About ten microseconds of work; between two of them the clock is asked once.
  static let stepsBetweenLooks: Int32 = 1_000

  /// - Parameter now: a monotonic clock, in nanoseconds.
  package init(now: @escaping @Sendable () -> UInt64) {
    self.now = now
  }

  /// Restarts the limit with the given time. A statement also ends when `isCancelled` returns true.
  package func begin(nanoseconds: UInt64, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.nanoseconds = nanoseconds
    self.isCancelled = isCancelled
    beganNanoseconds = nil
    isOver = false
  }

  /// Called by SQLite; whether the statement must end.
  fileprivate func look() -> Bool {
    if isCancelled?() == true { return true }
    let now = now()
    guard let began = beganNanoseconds else {
      beganNanoseconds = now
      yieldedNanoseconds = now
      return false
    }
    if now &- yieldedNanoseconds >= Self.nanosecondsBetweenYields {
      yieldedNanoseconds = now
      _ = sched_yield()
    }
    isOver = now &- began >= nanoseconds
    return isOver
  }
}

extension Connection {
  /// Ends statements of this connection, as interrupted, once the limit's time is over.
  package func setRunLimit(_ limit: RunLimit) {
    // The handle keeps it for as long as SQLite may call it.
    cHandle.runLimit = limit
    sqlite3_progress_handler(
      cHandle.pointer, RunLimit.stepsBetweenLooks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<RunLimit>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// Whether the latest statement was ended by the run limit.
  package var hasOverrun: Bool { cHandle.runLimit?.isOver ?? false }
}
