#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Milliseconds since 1970-01-01 UTC by the device's clock.
enum WallClock {
  static func nowMilliseconds() -> Int64 {
    Int64(exactly: (Date().timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }

  static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  static func milliseconds(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }
}
