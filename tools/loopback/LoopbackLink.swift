/// How bytes travel between the two ends of a loopback.
package struct LoopbackLink: Sendable {
  /// How many bytes arrive at a time; the seed picks.
  package var chunkBytes: ClosedRange<Int> = 1...65_536
  /// How long a chunk travels; the seed picks, and chunks never overtake each other.
  package var delayNanoseconds: ClosedRange<UInt64> = 0...0
  /// What is on its way, or not taken, at most; a writer then waits, as at a full socket.
  package var capacityBytes = 256 * 1024
  package var seed: UInt64 = 0

  package init() {}

  /// Everything at once, whole.
  package static var plain: Self {
    var link = Self()
    link.chunkBytes = 65_536...65_536
    return link
  }
}

/// SplitMix64: small, quick, and the same everywhere for one seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }
}
