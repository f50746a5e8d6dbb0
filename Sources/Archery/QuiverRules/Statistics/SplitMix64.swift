/// The random numbers of bootstrap confidence intervals: the same numbers for the same seed.
///
/// SplitMix64, from G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
/// generators" (OOPSLA 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that repeats for the same seed.
  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below `bound`, by the high half of a product; `bound` is above 0.
  mutating func index(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
