public import QuiverRPC

/// Runs the work of mutating calls, each once for its idempotency key.
///
/// The work and its key are committed in one transaction. That is why the protocol has one method:
/// a store that could only read and write keys could not commit them together with what a handler
/// changes, and a crash between the two would lose the key or the change.
public protocol IdempotencyStore: Sendable {
  /// What work changes data with.
  associatedtype Transaction

  /// Returns the reply that is kept under the key of `call`; if there is none, runs `work`, commits
  /// what it has changed together with its reply, and returns that.
  ///
  /// Two calls with one key that arrive at the same time run after one another. If `work` throws,
  /// nothing is changed or kept, and its error is thrown. Throws `KeyedCall.otherRequest` if the
  /// key belongs to another request. Without a key the work runs, and nothing is kept.
  func perform(
    _ call: KeyedCall, _ work: @escaping @Sendable (inout Transaction) throws -> [UInt8]
  ) async throws -> [UInt8]
}

/// A call as an ``IdempotencyStore`` identifies it. Keys of different principals are different.
public struct KeyedCall: Sendable, Hashable {
  /// Who calls.
  public let principal: String
  /// The full name of the method.
  public let method: String
  /// The key; nil: the caller sent none.
  public let key: IdempotencyKey?
  /// The request as it came; empty without a key.
  public let request: [UInt8]

  /// Creates a call; servers do.
  public init(principal: String, method: String, key: IdempotencyKey?, request: [UInt8]) {
    self.principal = principal
    self.method = method
    self.key = key
    self.request = request
  }

  init(_ method: String, _ call: CallContext, request: [UInt8]) {
    self.init(
      principal: call.principal?.name ?? "", method: method, key: call.idempotencyKey,
      request: request)
  }

  /// What a store throws where the key belongs to another method or request.
  public static let otherRequest = RPCError(
    .alreadyExists, "the idempotency key belongs to another request", isNotProcessed: true)
}

/// How long replies are kept.
public struct KeyRetention: Sendable, Equatable {
  /// A reply is kept for this time at least, while there is room.
  public var age = Duration.seconds(24 * 3_600)
  /// The replies that are kept of one principal: one more removes the oldest.
  public var maxKeysPerPrincipal = 100_000

  /// Creates the default retention.
  public init() {}
}
