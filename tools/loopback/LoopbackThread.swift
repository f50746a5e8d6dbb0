import Glibc

/// The thread of a reactor: it sleeps until it is woken or a time has come.
// Sendable because the condition and its flag are touched under the mutex alone.
final class LoopbackThread: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isAwake = false

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` on a new thread; the thread ends when it returns.
  func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument)
    precondition(failure == 0, "a loopback needs a thread")
    pthread_detach(thread)
  }

  /// Ends the current wait, or the next one if there is none.
  func wake() {
    pthread_mutex_lock(mutex)
    isAwake = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until it is woken, or until the given time.
  func wait(untilNanoseconds due: UInt64?) {
    pthread_mutex_lock(mutex)
    while !isAwake {
      guard let due else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec()
      time.tv_sec = Int(clamping: due / 1_000_000_000)
      time.tv_nsec = Int(clamping: due % 1_000_000_000)
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
    }
    isAwake = false
    pthread_mutex_unlock(mutex)
  }

  /// CLOCK_MONOTONIC in nanoseconds.
  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
