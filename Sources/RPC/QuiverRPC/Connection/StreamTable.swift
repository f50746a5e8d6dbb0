/// The open streams of a connection by their id: slots that are used again, and their index.
package struct StreamTable {
  /// A slot whose stream has the id 0 is free.
  private var slots: [StreamState] = []
  private var free: [Int32] = []
  private var index = StreamIndex()

  package init() {}

  package var count: Int { index.count }
  package var isEmpty: Bool { index.count == 0 }
  /// Slots in use lie below this number.
  var slotEnd: Int { slots.count }

  /// The slot of stream `id`; nil if it is not open.
  package func slot(of id: UInt32) -> Int? { index.slot(of: id) }

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
    let slot: Int
    if let last = free.popLast() {
      slot = Int(truncatingIfNeeded: last)
      slots[slot] = stream
    } else {
      slot = slots.count
      slots.append(stream)
    }
    index.insert(stream.id, slot)
    return slot
  }

  /// Takes the stream in `slot` out.
  package mutating func remove(slot: Int) {
    let id = slots[slot].id
    precondition(id != 0, "the slot holds a stream")
    slots[slot] = Self.vacant
    free.append(Int32(truncatingIfNeeded: slot))
    index.remove(id)
  }

  /// Gives back the memory of a table that many streams had a place in and that has none now. Not
  /// done with the last stream: who sends a batch at a time would build the table anew with each.
  mutating func releaseIfEmpty() {
    if count == 0, slots.count > 16 { self = StreamTable() }
  }

  private static var vacant: StreamState {
    StreamState(id: 0, tag: 0, receiveWindow: 0, sendAllowance: 0)
  }
}
