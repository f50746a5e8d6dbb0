import QuiverProtobuf
public import QuiverRPC

/// The options of one call.
public struct CallOptions: Sendable {
  /// How long the call may take in all: connecting, waiting, sending, handling and reading; nil:
  /// ``RPCClient/Configuration/defaultTimeout`` for a unary call, none for a stream. For a watch it
  /// is the total time, however often its stream is opened again.
  public var timeout: Duration?
  /// Sent with the request: at most 64 entries and 8 KiB.
  public var metadata: Metadata { didSet { keptExtras = nil } }
  /// The key under which a mutating call has its effect once, however often it is sent; nil: the
  /// client makes one for each call of a mutating method. Keep it to send the same call again after
  /// a failure that leaves open whether it was processed. Only unary calls take one.
  public var idempotencyKey: IdempotencyKey?
  /// The position after which a watch continues; nil: it begins with a snapshot.
  public var after: WatchPosition?
  /// The epoch of the store that a unary call is made for: that of the objects which it names, and
  /// of its key; 0: it states none, or that of ``after``. In another epoch, after the store was set
  /// back, revision 0 then matches nothing, and a key that is not known is refused.
  public var storeEpoch: UInt64 = 0
  /// Whether the call waits, until its deadline, while no connection can be made, or fails at once;
  /// nil: ``RPCClient/Configuration/waitsForReady``, and true for a watch. It does not wait where
  /// what answers speaks another protocol and no server has answered this client before.
  public var waitsForReady: Bool?
  /// W3C's trace context: trace id 16 bytes, parent id 8, flags 1; empty or of another length: none
  /// is sent.
  public var traceparent: [UInt8] = []
  /// The deadline of the call that this one is made for, in monotonic nanoseconds; 0: none.
  var inheritedDeadline: UInt64 = 0
  /// The metadata as the heads of calls have it; nil: each call makes it.
  private var keptExtras: RequestHead.Extras?

  /// Creates options; each parameter is the property of its name.
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

  /// Creates options for a call that a handler makes on behalf of the call that it answers: it
  /// ends at that call's deadline at the latest, and belongs to the same trace.
  ///
  /// Metadata is not copied. A handler that is cancelled cancels the calls that it awaits.
  public init(inheriting call: CallContext) {
    self.init()
    traceparent = call.traceparent
    inheritedDeadline = call.deadlineNanoseconds
  }

  /// Shares what the heads of calls have of the metadata between the calls with these options.
  package mutating func keepMetadata() {
    keptExtras = metadata.isEmpty ? nil : RequestHead.Extras(metadata: metadata)
  }

  /// The fields of the request head, and how the call is sent.
  func head(
    _ method: MethodInfo, _ configuration: RPCClient.Configuration, _ position: StorePosition?
  ) -> ClientCall.HeadOptions {
    var head = ClientCall.HeadOptions()
    if let keptExtras, position == nil, traceparent.isEmpty {
      head.extras = keptExtras
    } else {
      head.metadata = metadata
      if let position { Self.state(position, in: &head.metadata) }
      head.traceparent = traceparent
    }
    head.waitsForReady = waitsForReady ?? configuration.waitsForReady
    if method.kind == .unary {
      head.idempotencyKey = idempotencyKey ?? (method.isMutating ? .random() : nil)
    }
    head.afterSequence = after?.sequence ?? 0
    head.storeEpoch = after?.storeEpoch ?? storeEpoch
    head.returnsCreditAtOnce = method.isWatch
    return head
  }

  /// Adds a position, unless the caller states one or there is no room for it.
  private static func state(_ position: StorePosition, in metadata: inout Metadata) {
    guard metadata.entries.allSatisfy({ $0.key != StorePosition.key }) else { return }
    var stating = metadata
    stating.append(StorePosition.key, position.bytes)
    if stating.fault() == nil { metadata = stating }
  }

  /// When the call ends at the latest, in monotonic nanoseconds; 0: never.
  func deadline(standard: Duration?, now: UInt64) -> UInt64 {
    guard let timeout = timeout ?? standard else { return inheritedDeadline }
    let own = max(now &+ timeout.clampedNanoseconds, 1)
    return inheritedDeadline == 0 ? own : min(own, inheritedDeadline)
  }
}

/// The last change that a watch has received: a watch that starts after it neither misses nor
/// repeats a change.
public struct WatchPosition: Sendable, Equatable {
  /// The sequence number of the change, from 1.
  public var sequence: Int64
  /// The epoch of the store that numbered it, which changes when a store is created or restored.
  public var storeEpoch: UInt64

  /// Creates a position, for example from one that was saved.
  public init(sequence: Int64, storeEpoch: UInt64) {
    self.sequence = sequence
    self.storeEpoch = storeEpoch
  }
}
