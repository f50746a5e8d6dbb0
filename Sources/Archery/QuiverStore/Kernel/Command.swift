/// One mutation, decided and applied on the writer.
///
/// `apply` runs under a savepoint of its own: where it throws, nothing of it stays. It may run
/// again from the start, when the group around it could not be kept, so it has no effect but on
/// the transaction. Permission, state and limits are read in it, nowhere else.
package protocol Command: Sendable {
  associatedtype Reply: Sendable

  /// Whether the reply may be kept for a replay of the same idempotency key; not where it is
  /// secret.
  static var keepsReply: Bool { get }

  /// Whether it is refused where its caller was disabled or deleted meanwhile.
  static var needsActiveCaller: Bool { get }

  /// Whether it is one of many that write rows in order, as an import's: the log is kept short
  /// behind it, and it is nobody for whom another bulk makes way.
  static var isBulk: Bool { get }

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> Reply
}

extension Command {
  package static var keepsReply: Bool { true }
  package static var needsActiveCaller: Bool { true }
  package static var isBulk: Bool { false }
}

/// Where the completions of commands go: a shard, an event loop.
package protocol CompletionTarget: AnyObject, Sendable {
  /// Takes the completions of one group, to run them in order on its own thread.
  ///
  /// It is called once for each group, on the writer's thread after the fsync; and on the
  /// submitting thread, within `submit`, for a command that was refused at once. It must not
  /// block.
  func deliver(_ completions: [@Sendable () -> Void])
}
