public import QuiverClientCore
public import QuiverProtobuf
public import QuiverRPC

// Handlers by the kind of their method. They run as tasks that prefer the thread of their
// connection: a handler that waits suspends, and one that computes for longer than a few
// milliseconds, or blocks, starts a task of its own. The task is cancelled when the caller gives
// the call up and when its deadline passes. Calls that a handler makes inherit its deadline and
// trace.
//
// They can be inlined: in the package of a service the generic types of a handler are known then,
// without which a call takes half as many instructions again.

extension Route {
  /// A handler of a method with one request and one reply.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) -> Route {
    .asynchronous(method) { request, call in
      try await CurrentCall.context.withValue(call) { try await handler(request, call) }
    }
  }

  /// The same with metadata around the reply.
  @inlinable
  public static func handleReply<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) async throws -> Reply<Response>
  ) -> Route {
    .asynchronousReply(method) { request, call in
      try await CurrentCall.context.withValue(call) { try await handler(request, call) }
    }
  }

  /// A handler of a method whose reply is a stream. The call ends OK when the handler returns.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>,
    _ handler:
      @escaping @Sendable (Request, CallContext, ReplyWriter<Response>) async throws -> Void
  ) -> Route {
    .serverStreaming(method) { request, call, replies in
      try await CurrentCall.context.withValue(call) { try await handler(request, call, replies) }
    }
  }

  /// A handler of a method whose request is a stream. It may return before the stream has ended.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: ClientStreamingMethod<Request, Response>,
    _ handler: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
  ) -> Route {
    .clientStreaming(method) { requests, call in
      try await CurrentCall.context.withValue(call) { try await handler(requests, call) }
    }
  }

  /// A handler of a method with streams both ways. The call ends OK when the handler returns.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: BidirectionalMethod<Request, Response>,
    _ handler:
      @escaping @Sendable (RequestStream<Request>, CallContext, ReplyWriter<Response>) async throws
      -> Void
  ) -> Route {
    .bidirectional(method) { requests, call, replies in
      try await CurrentCall.context.withValue(call) { try await handler(requests, call, replies) }
    }
  }

  /// A handler of a mutating method that has its effect once, however often a call with one
  /// idempotency key arrives.
  ///
  /// The store runs `work` and keeps its encoded reply under the key in one transaction. A later
  /// call with the same key and the same request gets that reply, and one with another request
  /// fails ALREADY_EXISTS. What `work` throws undoes the transaction and is not kept. A call
  /// without a key runs each time that it arrives.
  public static func handle<Request: Message, Response: Message, Store: IdempotencyStore>(
    _ method: UnaryMethod<Request, Response>, once store: Store,
    _ work:
      @escaping @Sendable (Request, CallContext, inout Store.Transaction) throws -> Response
  ) -> Route {
    let name = method.name
    let run: @Sendable (Request, CallContext) async throws -> [UInt8] = { request, call in
      let keyed = KeyedCall(name, call, request: call.keyedRequest)
      return try await store.perform(keyed) { transaction in
        try work(request, call, &transaction).serializedBytes()
      }
    }
    return .keeping(method, { _, _ in nil }, otherwise: run)
  }
}

extension Responder {
  /// Ends the call with a reply; ignored where the call was ended before.
  public func reply(_ response: Response) { succeed(response) }

  /// Ends the call with a status; ignored where the call was ended before.
  public func end(with error: RPCError) { fail(error) }
}
