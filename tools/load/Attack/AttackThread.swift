import Glibc

/// A thread of its own with less priority than the others: an attacker must not take processor
/// time from the callers whose latency is measured.
enum AttackThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static let niceness: Int32 = 10

  /// Runs `body` (`pthread_create`); returns when it has returned, false if there is no thread.
  static func run(_ body: @escaping @Sendable () -> Void) async -> Bool {
    await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let held = Unmanaged.passRetained(
        Body {
          body()
          continuation.resume(returning: true)
        })
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { context in
          // On Linux the priority belongs to the thread, whose id 0 stands for.
          setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, AttackThread.niceness)
          guard let context else { return nil }
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, held.toOpaque())
      guard result == 0 else {
        held.release()
        return continuation.resume(returning: false)
      }
      pthread_detach(thread)
    }
  }
}
