import Glibc

/// Starts dedicated threads (`pthread_create`) for work that waits or is long.
enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread that ends with it.
  static func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    var thread = pthread_t()
    let reference = Unmanaged.passRetained(Body(body))
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
