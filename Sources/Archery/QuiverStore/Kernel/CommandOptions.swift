import Synchronization

/// What goes with a command besides itself.
package struct CommandOptions: Sendable {
  package var caller: Caller

  /// The call's idempotency key, 16 bytes, and SHA-256 of its method id and message.
  package var idempotency: IdempotencyKey?

  /// When nobody waits any more, in monotonic nanoseconds; 0 is never.
  package var deadlineNanoseconds: UInt64

  /// Lets the caller withdraw the command while it waits.
  package var cancellation: CommandCancellation?

  package init(
    caller: Caller, idempotency: IdempotencyKey? = nil, deadlineNanoseconds: UInt64 = 0,
    cancellation: CommandCancellation? = nil
  ) {
    self.caller = caller
    self.idempotency = idempotency
    self.deadlineNanoseconds = deadlineNanoseconds
    self.cancellation = cancellation
  }
}

/// What makes a repeated call one call.
package struct IdempotencyKey: Sendable, Equatable {
  /// 16 bytes that the client chose; ordered by time they are stored fastest.
  package let key: [UInt8]

  /// SHA-256, 32 bytes, of what was asked.
  package let requestHash: [UInt8]

  package init(key: [UInt8], requestHash: [UInt8]) {
    self.key = key
    self.requestHash = requestHash
  }
}

/// A withdrawal that works until the command's group is begun.
package final class CommandCancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  package func cancel() {
    flag.store(true, ordering: .releasing)
  }
}
