import Synchronization

/// Whether the server takes calls, for Health and for whoever asks.
///
/// Any thread may use it. What has ended does not begin again: a process leaves instead.
package final class ServingState: Sendable {
  private let draining = Atomic<Bool>(false)
  private let storeHasFailed = Atomic<Bool>(false)

  package init() {}

  package var isServing: Bool {
    !draining.load(ordering: .relaxed) && !storeHasFailed.load(ordering: .relaxed)
  }

  /// The server finishes what it has and takes nothing more.
  package func startDrain() { draining.store(true, ordering: .relaxed) }

  /// A write or fsync failed: nothing is acknowledged any more.
  package func storeFailed() { storeHasFailed.store(true, ordering: .relaxed) }
}
