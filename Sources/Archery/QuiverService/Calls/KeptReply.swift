import QuiverStore
import Synchronization

/// The reply of a command that a task waits for, from the writer's thread to the task's.
final class KeptReply<Reply: Sendable>: Sendable {
  private let stored = Mutex<Reply?>(nil)

  func keep(_ reply: Reply) { stored.withLock { $0 = reply } }

  /// The reply that was kept last; nil before that.
  var value: Reply? { stored.withLock { $0 } }

  /// The command's result, after its batch was committed.
  func result(_ result: Result<[UInt8], StoreError>) -> Result<Reply, StoreError> {
    switch result {
    case .failure(let error): return .failure(error)
    case .success:
      guard let reply = value else {
        return .failure(StoreError(.internalError, "the command gave no reply"))
      }
      return .success(reply)
    }
  }
}

/// Runs completions where they are delivered, for those that only wake a task.
final class DirectTarget: CompletionTarget {
  static let shared = DirectTarget()

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions { completion() }
  }
}
