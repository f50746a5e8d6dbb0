import QuiverStore
import Synchronization

/// A clock that stands still until it is moved.
final class HeldClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_790_000_000_000)

  var clock: StoreClock {
    StoreClock(
      monotonicNanoseconds: { UInt64(self.milliseconds.withLock { $0 }) * 1_000_000 },
      wallMilliseconds: { self.milliseconds.withLock { $0 } })
  }

  func advance(milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }

  func set(wallMilliseconds: Int64) { milliseconds.withLock { $0 = wallMilliseconds } }
}
