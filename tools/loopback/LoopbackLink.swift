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
