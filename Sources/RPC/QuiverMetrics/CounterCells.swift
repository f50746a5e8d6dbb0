import Synchronization

/// A row of 64-bit counters that one thread at a time adds to, without locks, and any thread reads.
///
/// An addition is a load and a store, so two threads that add at the same time lose counts. Totals
/// wrap around.
// Sendable because every access of a cell is atomic, and there is one writer.
package final class CounterCells: @unchecked Sendable {
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

  /// Adds to the counter at `index`. On the writer's thread.
  package func add(_ amount: UInt64 = 1, at index: Int) {
    precondition(index >= 0 && index < count, "there is no counter \(index)")
    let value = cells[index].load(ordering: .relaxed)
    cells[index].store(value &+ amount, ordering: .relaxed)
  }

  /// The counter at `index`. From any thread.
  package func value(at index: Int) -> UInt64 {
    precondition(index >= 0 && index < count, "there is no counter \(index)")
    return cells[index].load(ordering: .relaxed)
  }
}
