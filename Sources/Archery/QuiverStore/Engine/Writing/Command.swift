import QuiverCrypto
import Synchronization

/// One mutation, decided and applied on the writer.
///
/// `apply` runs under its own savepoint: if it throws, its changes are rolled back. It may run
/// again from the start if its batch was rolled back, so it must have no effect outside of the
/// transaction. Permission, state and limits are read only there.
package protocol Command: Sendable {
  associatedtype Reply: Sendable

  /// Whether the reply may be kept for a replay of the same idempotency key; not where it is
  /// secret.
  static var keepsReply: Bool { get }

  /// Whether it is refused if its caller's permission has ended: its token, certificate, grant or
  /// account.
  static var needsActiveCaller: Bool { get }

  /// Whether it may end permissions: of several servers it is answered only when no transaction of
  /// another one can commit any more that had checked a permission before (``PermissionFence``).
  static var endsPermissions: Bool { get }

  /// Whether it is one of many that write rows in order, as an import's: the log is checkpointed
  /// early after it, and other bulk commands do not pause for it.
  static var isBulk: Bool { get }

  /// Whether it is refused where its principal stores as much as it may; not where it deletes.
  static var storesContent: Bool { get }

  /// The same for this command; ``storesContent`` unless a part of the type's commands is exempt.
  var isRefusedAtQuota: Bool { get }

  /// Whether its client_ids tell a repeated call, in every epoch: then it needs no key.
  var isToldByClientIDs: Bool { get }

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> Reply
}

extension Command {
  package static var keepsReply: Bool { true }
  package static var needsActiveCaller: Bool { true }
  package static var endsPermissions: Bool { false }
  package static var isBulk: Bool { false }
  package static var storesContent: Bool { true }
  package var isRefusedAtQuota: Bool { Self.storesContent }
  package var isToldByClientIDs: Bool { false }
}

/// Receives the completions of commands: a shard, which is an event loop.
package protocol CompletionTarget: AnyObject, Sendable {
  /// Receives the completions of one commit batch, and runs them in order on its thread.
  ///
  /// It is called once for each batch, on the writer's thread after the fsync; and on the
  /// submitting thread, within `submit`, for a command that was refused at once. It must not
  /// block.
  func deliver(_ completions: [@Sendable () -> Void])
}

/// The caller and the options of a command.
package struct CommandOptions: Sendable {
  package var caller: CommandCaller

  /// The call's idempotency key, 16 bytes, and SHA-256 of its method id and message.
  package var idempotency: CommandKey?

  /// When the caller stops waiting, in monotonic nanoseconds; 0 is never.
  package var deadlineNanoseconds: UInt64

  /// Lets the caller withdraw the command while it waits.
  package var cancellation: CommandCancellation?

  /// Told what the command waited for and when, on the writer's thread; it must not block.
  package var onPhase: PhaseObserver?

  /// A part of a command's way through the store.
  package enum Phase: Sendable {
    /// From `submit` until its batch began.
    case waited
    /// Its batch, from the first statement to the end of the commit.
    case committed
  }

  /// Receives a phase with its start and end in monotonic nanoseconds.
  package typealias PhaseObserver = @Sendable (Phase, _ start: UInt64, _ end: UInt64) -> Void

  package init(
    caller: CommandCaller, idempotency: CommandKey? = nil, deadlineNanoseconds: UInt64 = 0,
    cancellation: CommandCancellation? = nil
  ) {
    self.caller = caller
    self.idempotency = idempotency
    self.deadlineNanoseconds = deadlineNanoseconds
    self.cancellation = cancellation
  }
}

/// What makes a repeated call one call.
package struct CommandKey: Sendable, Equatable {
  /// 16 bytes that the client chose; ordered by time they are stored fastest.
  package let key: [UInt8]

  /// SHA-256, 32 bytes, of what was asked.
  package let requestHash: [UInt8]

  /// The epoch in which it was made, if the caller states that; otherwise 0.
  package let epoch: UInt64

  /// When it was made, if it is a UUIDv7, in milliseconds since 1970-01-01.
  package let madeAtMilliseconds: Int64?

  package init(key: [UInt8], requestHash: [UInt8], epoch: UInt64 = 0) {
    self.init(key: key, requestHash: requestHash, epoch: epoch, madeAt: UUIDv7.milliseconds(key))
  }

  private init(key: [UInt8], requestHash: [UInt8], epoch: UInt64, madeAt: Int64?) {
    self.key = key
    self.requestHash = requestHash
    self.epoch = epoch
    madeAtMilliseconds = madeAt
  }

  /// The key of a part of the call that has this key.
  package func ofPart(_ key: [UInt8]) -> CommandKey {
    CommandKey(key: key, requestHash: requestHash, epoch: epoch, madeAt: madeAtMilliseconds)
  }
}

/// A withdrawal that works until the command's group is begun.
package final class CommandCancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let interrupt = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  package func cancel() {
    flag.store(true, ordering: .releasing)
    interrupt.withLock { $0?() }
  }

  /// Sets what is called on the thread that cancels, from now on; nil: nothing.
  func setInterrupt(_ interrupt: (@Sendable () -> Void)?) {
    self.interrupt.withLock { $0 = interrupt }
  }
}

/// The caller of a command.
package struct CommandCaller: Sendable, Equatable {
  /// The principal whose objects and idempotency keys these are; 0 is none.
  package let principal: Int64

  /// The principal that really calls: another than `principal` where a service acts for a user.
  package let actor: Int64

  /// The token that it showed; 0 is none.
  package let tokenID: Int64

  /// The binding of the certificate that it showed; 0 is none.
  package let certificateBindingID: Int64

  /// What the grant of the actor must include, where it is another than the principal.
  package let actingScopes: ActingScopes

  /// The epoch of what it has read, if it states that; otherwise 0.
  package let knownEpoch: UInt64

  package init(
    principal: Int64, actor: Int64? = nil, tokenID: Int64 = 0, certificateBindingID: Int64 = 0,
    actingScopes: ActingScopes = .read, knownEpoch: UInt64 = 0
  ) {
    self.principal = principal
    self.certificateBindingID = certificateBindingID
    self.actor = actor ?? principal
    self.tokenID = tokenID
    self.actingScopes = actingScopes
    self.knownEpoch = knownEpoch
  }
}
