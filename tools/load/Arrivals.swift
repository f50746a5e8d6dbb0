import Glibc

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
  private var random: Seeded
  /// Of the next call, since the start.
  private(set) var nextNanoseconds: Double = 0

  /// - Precondition: `rate`, in calls a second, is above 0.
  init(_ shape: Shape, rate: Double, seed: UInt64) {
    precondition(rate > 0, "a rate above 0")
    self.shape = shape
    meanNanoseconds = 1e9 / rate
    random = Seeded(seed: seed)
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

/// SplitMix64: the same numbers for the same seed, everywhere.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// From 0, below 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
