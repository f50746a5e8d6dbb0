import QuiverPlatform

/// A point in time of the monotonic clock until which an answer of the database is awaited.
package struct PostgresDeadline: Sendable, Equatable {
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  package let nanoseconds: UInt64

  /// No limit.
  package static let never = PostgresDeadline(nanoseconds: .max)

  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  /// A time from now.
  package static func after(milliseconds: UInt64) -> PostgresDeadline {
    let (length, overflows) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let (end, passesEnd) = now.addingReportingOverflow(length)
    return PostgresDeadline(nanoseconds: overflows || passesEnd ? .max : end)
  }

  /// The time that is left, rounded up, in milliseconds; nil without a limit.
  package var remainingMilliseconds: UInt64? {
    guard nanoseconds != .max else { return nil }
    let now = Self.now
    return nanoseconds <= now ? 0 : (nanoseconds - now + 999_999) / 1_000_000
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
