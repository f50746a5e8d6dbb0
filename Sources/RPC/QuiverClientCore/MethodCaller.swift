public import QuiverClient
public import QuiverProtobuf
public import QuiverRPC

/// What the stubs of services call methods with: an `RPCClient` or a ``BalancedClient``.
public protocol MethodCaller: Sendable {
  /// Calls a method and returns its reply.
  func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, options: CallOptions
  ) async throws(RPCError) -> Response

  /// Calls a method whose reply is a stream.
  func stream<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request, options: CallOptions
  ) throws(RPCError) -> ReplyStream<Response>

  /// Opens a call whose request is a stream.
  func open<Kind: StreamingRequestKind, Request: Message, Response: Message>(
    _ method: Method<Kind, Request, Response>, options: CallOptions
  ) throws(RPCError) -> StreamingCall<Request, Response>
}

extension RPCClient: MethodCaller {}
