import Glibc
import QuiverPlatform

/// Starts dedicated threads (`pthread_create`) for work that waits or is long.
package enum DedicatedThread {
  /// How much of a busy processor the threads get.
  package enum Priority: Sendable {
    case normal
    /// For long work that no caller waits for: the system runs event loops and the writer first
    /// (a nice value of 5 above that of the process).
    case low
  }

  private final class Body {
    private let priority: Priority
    private let body: @Sendable () -> Void

    init(_ priority: Priority, _ body: @escaping @Sendable () -> Void) {
      self.priority = priority
      self.body = body
    }

    func run() {
      if priority == .low { Platform.lowerThreadPriority(by: DedicatedThread.lowNiceness) }
      body()
    }
  }

  fileprivate static let lowNiceness: Int32 = 5

  /// Runs `body` on a new thread that ends with it.
  static func start(
    _ priority: Priority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    var thread = pthread_t()
    let reference = Unmanaged.passRetained(Body(priority, body))
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      reference.release()
      throw StoreError(
        .resourceExhausted, "the system could not start a thread", notProcessed: true)
    }
    pthread_detach(thread)
  }
}

/// The core that a thread runs on.
package enum Processor {
  /// Lets other threads run on this core (`sched_yield`). Long work calls it every few tenths of a
  /// millisecond.
  ///
  /// Without it, on a machine with few cores, a thread that computes can delay a shard by a time
  /// slice of some milliseconds. It takes about a microsecond if no thread waits.
  package static func yield() { _ = sched_yield() }
}
