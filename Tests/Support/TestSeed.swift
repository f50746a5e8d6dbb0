import Foundation

/// The seed of the randomized tests.
///
/// The environment variable `QUIVER_SEED` sets it; the default is 1. `tools/test` uses the default,
/// `tools/soak` a random seed, which it prints. A test prints its seed in the message of each
/// expectation that depends on it.
package enum TestSeed {
  package static let value: UInt64 =
    ProcessInfo.processInfo.environment["QUIVER_SEED"].flatMap { UInt64($0) } ?? 1

  /// How many seeds a property is tested with; nil: each test has a number of its own.
  package static let count: UInt64? =
    ProcessInfo.processInfo.environment["QUIVER_SEEDS"].flatMap { UInt64($0) }

  /// Different seeds for a parameterized test.
  package static func seeds(_ count: UInt64) -> [UInt64] {
    (0..<count).map { value &+ $0 &* 0x9E37_79B9_7F4A_7C15 }
  }
}
