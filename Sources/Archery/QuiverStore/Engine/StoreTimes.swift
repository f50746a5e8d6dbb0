package import QuiverMetrics

/// How long the store's work takes, and how much it does at once; from any thread.
package final class StoreTimes: Sendable {
  /// Batches of commands, from their first statement to the end of the commit, in nanoseconds.
  package let commits = Histogram(.seconds)
  /// Commands in each of these batches.
  package let batchSizes = Histogram(.counts)
  /// Checkpoints, in nanoseconds.
  package let checkpoints = Histogram(.seconds)
  /// Reads on threads for reads, in nanoseconds.
  package let reads = Histogram(.seconds)

  init() {}
}
