/// A number by which a caller says what it has read, of an object whose changes no row counts.
///
/// It is FNV-1a over words: another content has another number, but for one in 2^64. Nobody gains
/// by contents that collide, so it need not resist them.
struct ContentRevision {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Not 0, which stands for any.
  var value: UInt64 { max(1, hash) }

  mutating func add(_ number: some BinaryInteger) {
    hash = (hash ^ UInt64(truncatingIfNeeded: number)) &* 0x0000_0100_0000_01B3
    // The upper bits reach the lower ones, as they do where bytes are added.
    hash ^= hash >> 32
  }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    for byte in text.utf8 { add(byte) }
  }
}

extension StoreError {
  /// What is not any more as its caller has read it; `current` is the object as it is now.
  static func changed(
    since field: String, _ what: String, _ current: CurrentObject? = nil
  ) -> StoreError {
    StoreError(
      .aborted, "\(what) was changed since it was read", field: field, current: current)
  }
}
