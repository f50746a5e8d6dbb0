import Glibc

/// The two clocks that the store reads, so that tests can hold them.
package struct StoreClock: Sendable {
  /// Nanoseconds that only go on, of CLOCK_MONOTONIC; deadlines are on this clock.
  package let monotonicNanoseconds: @Sendable () -> UInt64

  /// Milliseconds of UTC since 1970-01-01, which may jump.
  package let wallMilliseconds: @Sendable () -> Int64

  package init(
    monotonicNanoseconds: @escaping @Sendable () -> UInt64,
    wallMilliseconds: @escaping @Sendable () -> Int64
  ) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallMilliseconds = wallMilliseconds
  }

  /// The system's clocks.
  package static let system = StoreClock(
    monotonicNanoseconds: {
      let time = read(CLOCK_MONOTONIC)
      return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    },
    wallMilliseconds: {
      let time = read(CLOCK_REALTIME)
      return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
