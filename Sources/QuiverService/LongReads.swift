import Dispatch
import QuiverStore

/// Reads that no shard may wait for, one after the other on a thread of their own.
struct LongReads: Sendable {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs `body` when those before it have ended.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: Swift.Result { () throws(StoreError) in try body() })
      }
    }
    return try result.get()
  }
}
