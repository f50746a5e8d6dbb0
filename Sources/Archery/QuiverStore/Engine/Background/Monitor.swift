import Glibc

/// A value behind a lock, with a condition to wait for.
///
/// It is a `pthread_mutex_t` with a `pthread_cond_t`.
///
/// Time limits use the monotonic clock. Closures run under the lock: keep them short.
// `@unchecked`: the value is reached only under the mutex, whose address never changes.
final class Monitor<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the value under the lock.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Wakes one waiting thread.
  func signal() {
    pthread_cond_signal(changed)
  }

  /// Wakes all waiting threads.
  func broadcast() {
    pthread_cond_broadcast(changed)
  }

  /// Runs `body` after each signal until it returns a value; returns nil after the time limit.
  ///
  /// Without `milliseconds` there is no time limit.
  func wait<Result>(
    milliseconds: UInt64? = nil, until body: (inout Value) -> Result?
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline: timespec?
    while true {
      if let result = body(&value) { return result }
      guard let milliseconds else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      var limit = deadline ?? Self.instant(after: milliseconds)
      deadline = limit
      if pthread_cond_timedwait(changed, mutex, &limit) == ETIMEDOUT { return body(&value) }
    }
  }

  private static func instant(after milliseconds: UInt64) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + Int(milliseconds % 1_000) * 1_000_000
    time.tv_sec += Int(milliseconds / 1_000) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
