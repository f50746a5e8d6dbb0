import Glibc
import QuiverRules

/// When calls are meant to be sent in an open loop: evenly, or at random as independent users do.
struct Arrivals: Sendable {
  enum Shape: String, Sendable, CaseIterable {
    /// The same time between any two.
    case constant
    /// Exponential times between, seeded.
    case poisson
  }

  private let shape: Shape
  private let meanNanoseconds: Double
  private var random: SplitMix64
  /// Of the next call, since the start.
  private(set) var nextNanoseconds: Double = 0

  /// - Precondition: `rate`, in calls a second, is above 0.
  init(_ shape: Shape, rate: Double, seed: UInt64) {
    precondition(rate > 0, "a rate above 0")
    self.shape = shape
    meanNanoseconds = 1e9 / rate
    random = SplitMix64(seed: seed)
    if shape == .poisson { advance() }
  }

  /// Goes on to the call after this one.
  mutating func advance() {
    switch shape {
    case .constant: nextNanoseconds += meanNanoseconds
    case .poisson: nextNanoseconds += -log(1 - random.unit()) * meanNanoseconds
    }
  }
}

extension SplitMix64 {
  /// A number from 0 to below 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
