import Synchronization

/// A row of 64-bit counters that any thread adds to and reads.
// Sendable because every access of a cell is atomic.
package final class SharedCounters: @unchecked Sendable {
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>
  /// How many counters there are.
  package let count: Int

  /// Creates `count` counters of 0.
  package init(count: Int) {
    self.count = count
    cells = .allocate(capacity: count)
    for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  /// Adds one to the counter at `index`.
  package func add(at index: Int) {
    precondition(index >= 0 && index < count, "there is no counter \(index)")
    cells[index].wrappingAdd(1, ordering: .relaxed)
  }

  /// The counter at `index`.
  package func value(at index: Int) -> UInt64 {
    precondition(index >= 0 && index < count, "there is no counter \(index)")
    return cells[index].load(ordering: .relaxed)
  }
}
