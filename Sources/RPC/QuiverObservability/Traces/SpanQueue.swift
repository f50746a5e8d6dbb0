import Glibc

/// Spans that wait to be sent, at most ``capacity``; further ones are dropped and counted.
// `@unchecked`: everything is reached under the mutex, whose address never changes.
final class SpanQueue: @unchecked Sendable {
  let capacity: Int
  private var spans: [FinishedSpan] = []
  private var droppedCount: UInt64 = 0
  private var sentCount: UInt64 = 0
  private var isStopping = false
  private var hasEnded = false
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  init(capacity: Int) {
    self.capacity = capacity
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

  /// How many spans were sent, and how many were dropped.
  var counts: (sent: UInt64, dropped: UInt64) { locked { (sentCount, droppedCount) } }

  /// Adds a span unless the queue is full. It never waits for the network.
  func append(_ span: FinishedSpan) {
    locked {
      guard spans.count < capacity, !isStopping else {
        droppedCount += 1
        return
      }
      spans.append(span)
      if spans.count == 1 { pthread_cond_broadcast(changed) }
    }
  }

  func noteSent(_ count: Int) { locked { sentCount += UInt64(clamping: count) } }
  func noteDropped(_ count: Int) { locked { droppedCount += UInt64(clamping: count) } }

  /// Waits for a span, then for `milliseconds` for more; returns at most `count`, and nil when the
  /// queue is stopped and empty.
  func next(_ count: Int, milliseconds: Int) -> [FinishedSpan]? {
    locked {
      while spans.isEmpty {
        if isStopping { return nil }
        pthread_cond_wait(changed, mutex)
      }
      var due = Self.instant(after: milliseconds)
      while spans.count < count, !isStopping {
        if pthread_cond_timedwait(changed, mutex, &due) == ETIMEDOUT { break }
      }
      let batch = Array(spans.prefix(count))
      spans.removeFirst(batch.count)
      return batch
    }
  }

  /// Waits, unless the queue is stopped; returns whether it is.
  func pause(milliseconds: Int) -> Bool {
    locked {
      var due = Self.instant(after: milliseconds)
      while !isStopping {
        if pthread_cond_timedwait(changed, mutex, &due) == ETIMEDOUT { break }
      }
      return isStopping
    }
  }

  /// Takes no more spans, and waits so long until those that wait are sent.
  func stop(milliseconds: Int) {
    locked {
      isStopping = true
      pthread_cond_broadcast(changed)
      var due = Self.instant(after: milliseconds)
      while !hasEnded {
        if pthread_cond_timedwait(changed, mutex, &due) == ETIMEDOUT { break }
      }
    }
  }

  /// The thread that sends has ended.
  func noteEnd() {
    locked {
      hasEnded = true
      pthread_cond_broadcast(changed)
    }
  }

  private static func instant(after milliseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + milliseconds % 1_000 * 1_000_000
    time.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
