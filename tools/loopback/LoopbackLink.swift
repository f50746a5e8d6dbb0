/// How bytes move between the two ends of a loopback connection.
package struct LoopbackLink: Sendable {
  /// The sizes of chunks; the seed selects one.
  package var chunkBytes: ClosedRange<Int> = 1...65_536
  /// The delay of a chunk; the seed selects one. Chunks stay in order.
  package var delayNanoseconds: ClosedRange<UInt64> = 0...0
  /// The maximum number of unread bytes; then the writer waits, as for a full socket.
  package var capacityBytes = 256 * 1024
  package var seed: UInt64 = 0

  package init() {}

  /// Delivers everything at once and unsplit.
  package static var plain: Self {
    var link = Self()
    link.chunkBytes = 65_536...65_536
    return link
  }
}
