import QuiverStore
import Synchronization

/// Lets one import of each principal run at a time; the others of that principal wait in order.
final class ImportTurns: Sendable {
  private let waiting = Mutex<[Int64: [CheckedContinuation<StoreError?, Never>]]>([:])

  /// Runs `body` in the principal's turn.
  ///
  /// Throws RESOURCE_EXHAUSTED if `StoreLimits.waitingImportsPerPrincipal` imports of it wait.
  func run<Result: Sendable>(
    of principal: Int64, _ body: () async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    if let refusal = await begin(principal) { throw refusal }
    defer { end(principal) }
    return try await body()
  }

  private func begin(_ principal: Int64) async -> StoreError? {
    await withCheckedContinuation { continuation in
      let isWaiting = waiting.withLock { waiting -> Bool? in
        guard let others = waiting[principal] else {
          waiting[principal] = []
          return false
        }
        guard others.count < StoreLimits.waitingImportsPerPrincipal else { return nil }
        waiting[principal] = others + [continuation]
        return true
      }
      switch isWaiting {
      case true: break
      case false: continuation.resume(returning: nil)
      case nil:
        continuation.resume(
          returning: StoreError.reached(
            .waitingImportsPerPrincipal, "too many imports of this principal wait; try again later",
            retryAfterMilliseconds: StoreLimits.importRetryMilliseconds))
      }
    }
  }

  private func end(_ principal: Int64) {
    let next = waiting.withLock { waiting -> CheckedContinuation<StoreError?, Never>? in
      guard var others = waiting.removeValue(forKey: principal), !others.isEmpty else {
        return nil
      }
      let next = others.removeFirst()
      waiting[principal] = others
      return next
    }
    next?.resume(returning: nil)
  }
}
