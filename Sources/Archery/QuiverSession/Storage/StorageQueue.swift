import Dispatch

/// Runs the transactions of a local file in the order of the calls, on a thread that no actor uses,
/// because SQLite blocks it while it reads, writes and flushes.
final class StorageQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs `body` after all earlier calls, and returns its result.
  ///
  /// Cancelling the calling task does not stop `body`.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, SessionError>, Never>) in
      queue.async {
        do throws(SessionError) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
