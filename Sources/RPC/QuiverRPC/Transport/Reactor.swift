/// Where the ends of connections live: one job at a time, in order.
///
/// A shard of the Dispatch transport is one, the loopback transport has its own. Async handlers
/// prefer it as their executor.
package protocol Reactor: TaskExecutor {
  /// Whether the caller runs on this reactor now.
  var isCurrent: Bool { get }

  /// Monotonic nanoseconds; on the reactor, those of the present turn.
  var nowNanoseconds: UInt64 { get }

  /// Monotonic nanoseconds as the clock has them now, inside a turn too: for measuring.
  var exactNanoseconds: UInt64 { get }

  /// Runs `job` on the reactor, soon and in order; never inside this call.
  func run(_ job: @escaping @Sendable () -> Void)
}

extension Reactor {
  package var exactNanoseconds: UInt64 { nowNanoseconds }
}
