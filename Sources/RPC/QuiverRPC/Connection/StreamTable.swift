/// The open streams of a connection by their id: slots that are used again, and an open-addressed
/// index without hashing cost.
package struct StreamTable {
  /// A slot whose stream has the id 0 is free.
  private var slots: [StreamState] = []
  private var free: [Int32] = []
  /// Pairs of stream id (0: empty) and slot, a power of two of them.
  private var index: [Entry] = []
  package private(set) var count = 0

  private struct Entry {
    var id: UInt32 = 0
    var slot: Int32 = 0
  }

  package init() {}

  package var isEmpty: Bool { count == 0 }
  /// Slots in use lie below this number.
  var slotEnd: Int { slots.count }

  /// The slot of stream `id`; nil if it is not open.
  package func slot(of id: UInt32) -> Int? {
    guard count > 0 else { return nil }
    let mask = index.count &- 1
    var position = Self.home(id) & mask
    while index[position].id != 0 {
      if index[position].id == id { return Int(truncatingIfNeeded: index[position].slot) }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// Whether `slot` holds a stream; a slot that is gone holds none.
  func isOccupied(_ slot: Int) -> Bool { slot < slots.count && slots[slot].id != 0 }

  /// The stream in `slot`, which must be in use.
  package subscript(slot: Int) -> StreamState {
    _read {
      precondition(slots[slot].id != 0, "the slot holds a stream")
      yield slots[slot]
    }
    _modify {
      precondition(slots[slot].id != 0, "the slot holds a stream")
      yield &slots[slot]
    }
  }

  /// Puts a stream in, whose id is not in the table, and answers its slot.
  package mutating func insert(_ stream: StreamState) -> Int {
    if (count + 1) * 2 > index.count { growIndex() }
    let slot: Int
    if let last = free.popLast() {
      slot = Int(truncatingIfNeeded: last)
      slots[slot] = stream
    } else {
      slot = slots.count
      slots.append(stream)
    }
    put(stream.id, Int32(truncatingIfNeeded: slot))
    count += 1
    return slot
  }

  /// Takes the stream in `slot` out.
  package mutating func remove(slot: Int) {
    let id = slots[slot].id
    precondition(id != 0, "the slot holds a stream")
    slots[slot] = Self.vacant
    free.append(Int32(truncatingIfNeeded: slot))
    count -= 1
    removeFromIndex(id)
  }

  /// Gives back the memory of a table that many streams had a place in and that has none now. Not
  /// done with the last stream: who sends a batch at a time would build the table anew with each.
  mutating func releaseIfEmpty() {
    if count == 0, slots.count > 16 { self = StreamTable() }
  }

  private static var vacant: StreamState {
    StreamState(id: 0, tag: 0, receiveWindow: 0, sendAllowance: 0)
  }

  private static func home(_ id: UInt32) -> Int { Int(truncatingIfNeeded: id &>> 1) }

  private mutating func put(_ id: UInt32, _ slot: Int32) {
    let mask = index.count &- 1
    var position = Self.home(id) & mask
    while index[position].id != 0 { position = (position &+ 1) & mask }
    index[position] = Entry(id: id, slot: slot)
  }

  private mutating func growIndex() {
    let old = index
    index = Array(repeating: Entry(), count: max(8, old.count * 2))
    for entry in old where entry.id != 0 { put(entry.id, entry.slot) }
  }

  /// Closes the gap that `id` leaves by moving back those that had to step past it.
  private mutating func removeFromIndex(_ id: UInt32) {
    let mask = index.count &- 1
    var hole = Self.home(id) & mask
    while index[hole].id != id { hole = (hole &+ 1) & mask }
    var next = (hole &+ 1) & mask
    while index[next].id != 0 {
      let home = Self.home(index[next].id) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        index[hole] = index[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    index[hole] = Entry()
  }
}
