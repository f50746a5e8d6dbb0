/// Where the ends of connections live: one job at a time, in order.
///
/// A shard of the Dispatch transport is one, the loopback transport has its own. Async handlers
/// prefer it as their executor.
package protocol Reactor: TaskExecutor {
  /// Whether the caller runs on this reactor now.
  var isCurrent: Bool { get }

  /// Whether the caller may touch what lives on this reactor: it runs there, or drives it itself.
  var permitsAccess: Bool { get }

  /// Monotonic nanoseconds; on the reactor, those of the present turn.
  var nowNanoseconds: UInt64 { get }

  /// Monotonic nanoseconds as the clock has them now, inside a turn too: for measuring.
  var exactNanoseconds: UInt64 { get }

  /// Runs `job` on the reactor, soon and in order; never inside this call.
  func run(_ job: @escaping @Sendable () -> Void)

  /// Runs `job` on the reactor behind the input that has arrived and what ``run(_:)`` was given, in
  /// the order of such jobs, and a few of them at a time: for work that one caller may cause a lot
  /// of. It has its part of a busy reactor, too.
  func runInBackground(_ job: @escaping @Sendable () -> Void)
}

extension Reactor {
  package var permitsAccess: Bool { isCurrent }
  package var exactNanoseconds: UInt64 { nowNanoseconds }

  package func runInBackground(_ job: @escaping @Sendable () -> Void) { run(job) }

  /// Traps in debug builds where the caller does not run on this reactor; does nothing in release
  /// builds.
  @inline(__always)
  package func preconditionOnReactor() {
    assert(permitsAccess, "this must be called on its reactor")
  }
}
