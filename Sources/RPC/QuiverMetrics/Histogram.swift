import Synchronization

/// The upper bounds of a histogram's buckets, in ascending order; one more bucket has no bound.
package struct BucketBounds: Sendable {
  /// In the unit of what is observed, for example nanoseconds.
  package let bounds: [UInt64]
  /// How many of these units the unit in the exposition has, for example 1e9 for seconds.
  package let unitsPerExposedUnit: Double

  package init(_ bounds: [UInt64], unitsPerExposedUnit: Double = 1) {
    self.bounds = bounds
    self.unitsPerExposedUnit = unitsPerExposedUnit
  }

  /// The number of buckets, with the one that has no bound.
  package var bucketCount: Int { bounds.count + 1 }

  /// The bucket that counts `value`.
  package func bucket(of value: UInt64) -> Int {
    var bucket = 0
    while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
    return bucket
  }

  /// 50 µs to 10 s, observed in nanoseconds and exposed in seconds.
  package static let seconds = BucketBounds(
    [
      50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
      50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
      5_000_000_000, 10_000_000_000,
    ], unitsPerExposedUnit: 1e9)

  /// 1 to 1,024 by powers of two.
  package static let counts = BucketBounds((0...10).map { 1 << $0 })
}

/// What a histogram had counted at one time.
package struct HistogramSnapshot: Sendable, Equatable {
  /// Of each bucket by itself, the last without a bound.
  package var buckets: [UInt64]
  /// The sum of what was observed, in its unit.
  package var sum: UInt64

  package init(buckets: [UInt64], sum: UInt64) {
    self.buckets = buckets
    self.sum = sum
  }

  /// How often something was observed.
  package var count: UInt64 { buckets.reduce(0, &+) }

  /// Adds the counts of another histogram with the same bounds.
  package mutating func add(_ other: HistogramSnapshot) {
    for (index, value) in other.buckets.enumerated() where index < buckets.count {
      buckets[index] &+= value
    }
    sum &+= other.sum
  }
}

/// Counts values by size, from any thread.
// Sendable because every access of a cell is atomic.
package final class Histogram: @unchecked Sendable {
  package let bounds: BucketBounds
  /// The buckets, then the sum.
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  package init(_ bounds: BucketBounds) {
    self.bounds = bounds
    cells = .allocate(capacity: bounds.bucketCount + 1)
    for index in 0...bounds.bucketCount { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: bounds.bucketCount + 1)
    cells.deallocate()
  }

  /// Counts `value`.
  package func observe(_ value: UInt64) {
    cells[bounds.bucket(of: value)].wrappingAdd(1, ordering: .relaxed)
    cells[bounds.bucketCount].wrappingAdd(value, ordering: .relaxed)
  }

  /// What was counted until now.
  package var snapshot: HistogramSnapshot {
    HistogramSnapshot(
      buckets: (0..<bounds.bucketCount).map { cells[$0].load(ordering: .relaxed) },
      sum: cells[bounds.bucketCount].load(ordering: .relaxed))
  }
}
