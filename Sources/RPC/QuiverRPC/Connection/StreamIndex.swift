/// The slots of streams by their ids: open-addressed, without hashing cost, because a peer counts
/// its ids up.
package struct StreamIndex {
  /// Pairs of stream id (0: empty) and slot, a power of two of them.
  private var entries: [Entry] = []
  package private(set) var count = 0

  private struct Entry {
    var id: UInt32 = 0
    var slot: Int32 = 0
  }

  package init() {}

  /// The slot of stream `id`; nil if there is none.
  package func slot(of id: UInt32) -> Int? {
    guard count > 0 else { return nil }
    let mask = entries.count &- 1
    var position = Self.home(id) & mask
    while entries[position].id != 0 {
      if entries[position].id == id { return Int(truncatingIfNeeded: entries[position].slot) }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// Notes the slot of a stream, whose id is not 0 and not in the index.
  package mutating func insert(_ id: UInt32, _ slot: Int) {
    if (count + 1) * 2 > entries.count { grow() }
    put(id, Int32(truncatingIfNeeded: slot))
    count += 1
  }

  /// Closes the gap that `id`, which is in the index, leaves by moving back those that had to step
  /// past it.
  package mutating func remove(_ id: UInt32) {
    let mask = entries.count &- 1
    var hole = Self.home(id) & mask
    while entries[hole].id != id { hole = (hole &+ 1) & mask }
    var next = (hole &+ 1) & mask
    while entries[next].id != 0 {
      let home = Self.home(entries[next].id) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    entries[hole] = Entry()
    count -= 1
  }

  private static func home(_ id: UInt32) -> Int { Int(truncatingIfNeeded: id &>> 1) }

  private mutating func put(_ id: UInt32, _ slot: Int32) {
    let mask = entries.count &- 1
    var position = Self.home(id) & mask
    while entries[position].id != 0 { position = (position &+ 1) & mask }
    entries[position] = Entry(id: id, slot: slot)
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: Entry(), count: max(8, old.count * 2))
    for entry in old where entry.id != 0 { put(entry.id, entry.slot) }
  }
}
