import QuiverStore
import Synchronization

/// Carries the reply of a command from the writer's thread to a waiting task.
final class KeptReply<Reply: Sendable>: Sendable {
  private let stored = Mutex<Reply?>(nil)

  func keep(_ reply: Reply) { stored.withLock { $0 = reply } }

  /// The last stored reply; nil before it.
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

/// Runs completions at once; for those that only wake a task.
final class DirectTarget: CompletionTarget {
  static let shared = DirectTarget()

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions { completion() }
  }
}
