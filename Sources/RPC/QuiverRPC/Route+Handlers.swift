public import QuiverProtobuf

// Handlers by the kind of their method. They run as tasks that prefer the thread of their
// connection: a handler that waits suspends, and one that computes for longer than a few
// milliseconds, or blocks, starts a task of its own. The task is cancelled when the caller gives
// the call up and when its deadline passes. Calls that a handler makes inherit its deadline and
// trace. A handler that is not async runs there without a task.
//
// They can be inlined: in the package of a service the generic types of a handler are known then,
// without which a call takes half as many instructions again.

/// The call that a task answers, around each handler.
@usableFromInline
package enum CurrentCall {
  /// The call; nil outside of handlers. Without the macro, whose declarations cannot be inlined.
  @usableFromInline
  package static let context = TaskLocal<CallContext?>(wrappedValue: nil)
}

extension Route {
  /// A handler that answers without waiting, as from memory: a closure without `await`.
  ///
  /// It takes a third of the instructions of an async one, since it needs no task. There is no
  /// current call (`CallContext.current`): tasks that it starts inherit nothing of it.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
  ) -> Route {
    .synchronous(method, handler)
  }

  /// A handler of a method with one request and one reply.
  @inlinable
  public static func handle<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let stream = end.currentStream
      let context = end.context()
      let task = Task.immediate(executorPreference: end.executor) {
        await CurrentCall.context.withValue(context) {
          do {
            end.reply(stream, try await handler(request, context))
          } catch {
            end.fail(stream, thrown: error)
          }
        }
      }
      if !end.isAnswered { end.setOwner(RunningTask(task)) }
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
}
