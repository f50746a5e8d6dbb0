import QuiverProtobuf
public import QuiverRPC

/// What a caller asks for beside the request.
public struct CallOptions: Sendable {
  /// How long the call may take in all: connecting, waiting, sending, handling and reading; nil:
  /// the client's default.
  public var timeout: Duration?
  /// Goes with the request: at most 64 entries and 8 KiB.
  public var metadata: Metadata
  /// Under which a mutating call has its effect once, however often it is sent; nil: one is made
  /// for each call of a mutating method. Keep it to send the same call again after an unclear
  /// failure. Streams take none, and fail with one.
  public var idempotencyKey: IdempotencyKey?
  /// Where a watch goes on; nil: it begins with a snapshot.
  public var after: WatchPosition?
  /// Whether the call waits, until its deadline, while no connection can be made, or fails at once;
  /// nil: as the client's configuration says.
  public var waitsForReady: Bool?
  /// W3C's trace context: trace id 16 bytes, parent id 8, flags 1; empty, or of another length:
  /// none is sent.
  public var traceparent: [UInt8] = []
  /// Of the call that this one is made for, in monotonic nanoseconds; 0: it has none.
  var inheritedDeadline: UInt64 = 0

  public init(
    timeout: Duration? = nil, metadata: Metadata = [:], idempotencyKey: IdempotencyKey? = nil,
    after: WatchPosition? = nil, waitsForReady: Bool? = nil
  ) {
    self.timeout = timeout
    self.metadata = metadata
    self.idempotencyKey = idempotencyKey
    self.after = after
    self.waitsForReady = waitsForReady
  }

  /// Options of a call that a handler makes for the call that it answers: it ends with that one's
  /// deadline at the latest, whenever it is made, and belongs to the same trace.
  ///
  /// Metadata is not passed on. A handler that is cancelled cancels the calls that it waits for.
  public init(inheriting call: CallContext) {
    self.init()
    traceparent = call.traceparent
    inheritedDeadline = call.deadlineNanoseconds
  }

  /// What goes into the head, and how the call is sent.
  func head(
    _ method: MethodInfo, _ configuration: RPCClient.Configuration
  ) -> ClientCall.HeadOptions {
    var head = ClientCall.HeadOptions()
    head.metadata = metadata
    head.traceparent = traceparent
    head.waitsForReady = waitsForReady ?? configuration.waitsForReady
    if method.kind == .unary {
      head.idempotencyKey = idempotencyKey ?? (method.isMutating ? .random() : nil)
    }
    head.afterSequence = after?.sequence ?? 0
    head.storeEpoch = after?.storeEpoch ?? 0
    return head
  }

  /// When the call ends at the latest, in monotonic nanoseconds; 0: never.
  func deadline(standard: Duration?, now: UInt64) -> UInt64 {
    guard let timeout = timeout ?? standard else { return inheritedDeadline }
    let own = max(now &+ RPCClient.nanoseconds(timeout), 1)
    return inheritedDeadline == 0 ? own : min(own, inheritedDeadline)
  }
}

/// How far a watch has come, as its messages say: kept, it goes on there without gap or repeat.
public struct WatchPosition: Sendable, Equatable {
  /// Of the last change that was seen, from 1.
  public var sequence: Int64
  /// Of the store that counted it; new whenever that is created or restored.
  public var storeEpoch: UInt64

  public init(sequence: Int64, storeEpoch: UInt64) {
    self.sequence = sequence
    self.storeEpoch = storeEpoch
  }
}
