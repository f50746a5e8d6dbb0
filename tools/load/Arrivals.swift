import Glibc
import QuiverRules

/// The send times of an open loop: evenly spaced, or random like those of independent users.
struct Arrivals: Sendable {
  enum Shape: String, Sendable, CaseIterable {
    /// Equal intervals.
    case constant
    /// Exponential intervals, from a seed.
    case poisson
  }

  private let shape: Shape
  private let meanNanoseconds: Double
  private var random: SplitMix64
  /// The time of the next call since the start.
  private(set) var nextNanoseconds: Double = 0

  /// - Precondition: `rate`, in calls a second, is above 0.
  init(_ shape: Shape, rate: Double, seed: UInt64) {
    precondition(rate > 0, "a rate above 0")
    self.shape = shape
    meanNanoseconds = 1e9 / rate
    random = SplitMix64(seed: seed)
    if shape == .poisson { advance() }
  }

  /// Continues with the next call.
  mutating func advance() {
    switch shape {
    case .constant: nextNanoseconds += meanNanoseconds
    case .poisson: nextNanoseconds += -log(1 - random.unit()) * meanNanoseconds
    }
  }
}

extension SplitMix64 {
  /// A number in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
