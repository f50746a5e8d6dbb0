public import QuiverProtobuf
public import QuiverWire

/// A method as interceptors see it.
public struct CalledMethod: Sendable, Hashable {
  /// The full name, as in `quiver.v1.Equipment/CreateRiser`.
  public let name: String
  /// 256 x service + 1 to 255.
  public let id: UInt32
  /// Which sides are streams.
  public let kind: MethodKind
  /// Whether the call changes stored data, so that a unary one takes an idempotency key.
  public let isMutating: Bool

  package init(_ method: MethodInfo) {
    name = method.name
    id = method.id
    kind = method.kind
    isMutating = method.isMutating
  }
}

/// How a call ended, as interceptors receive it.
public struct CallOutcome: Sendable {
  /// The error that ended the call; nil: it ended OK.
  public let error: RPCError?
  /// The time from the start of the call, as this side measured it, to its end.
  public let duration: Duration
  /// The number of times that a unary call was sent, or tried to be sent; 1 for streams and at the
  /// server.
  public let attemptCount: Int

  package init(error: RPCError?, duration: Duration, attemptCount: Int = 1) {
    self.error = error
    self.duration = duration
    self.attemptCount = attemptCount
  }

  /// gRPC's status code.
  public var code: StatusCode { error?.code ?? .ok }
}
