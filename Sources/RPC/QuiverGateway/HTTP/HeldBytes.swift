import Synchronization

/// Counts the bytes of requests and responses that the process holds. May be used from any thread.
package final class HeldBytes: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  func add(_ byteCount: Int) { count.wrappingAdd(byteCount, ordering: .relaxed) }
  func remove(_ byteCount: Int) { count.wrappingSubtract(byteCount, ordering: .relaxed) }

  package var value: Int { count.load(ordering: .relaxed) }
}
