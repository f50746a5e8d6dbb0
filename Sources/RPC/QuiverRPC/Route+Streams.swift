public import QuiverProtobuf

extension Route {
  /// A route whose reply is a stream, written by an async function.
  ///
  /// The call ends OK when it returns.
  @inlinable
  public static func serverStreaming<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>,
    _ handler:
      @escaping @Sendable (Request, CallContext, ReplyWriter<Response>) async throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let context = end.context()
      let stream = end.openStream()
      let writer = ReplyWriter<Response>(stream)
      stream.setTask(
        Task.immediate(executorPreference: end.executor) {
          do {
            try await handler(request, context, writer)
            stream.finish()
          } catch {
            stream.fail(error)
          }
        })
    }
  }

  /// A route whose reply is a stream, sent through a ``StreamResponder`` that the handler passes
  /// on.
  @inlinable
  public static func streamResponding<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext, StreamResponder<Response>) throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let context = end.context()
      let responder = StreamResponder<Response>(end.openStream())
      do {
        try handler(request, context, responder)
      } catch {
        responder.fail(RPCError(thrown: error))
      }
    }
  }

  /// A route whose request is a stream, read by an async function that returns the one reply.
  ///
  /// It may return before the stream has ended.
  @inlinable
  public static func clientStreaming<Request: Message, Response: Message>(
    _ method: ClientStreamingMethod<Request, Response>,
    _ handler: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
  ) -> Route {
    Route(method: method.info) { end in
      let context = end.context()
      let stream = end.openStream()
      stream.setTask(
        Task.immediate(executorPreference: end.executor) {
          do {
            let response = try await handler(RequestStream(stream), context)
            stream.reply(response)
          } catch {
            stream.fail(error)
          }
        })
    }
  }

  /// A route with streams both ways.
  ///
  /// The call ends OK when the handler returns, wherever the request side stands.
  @inlinable
  public static func bidirectional<Request: Message, Response: Message>(
    _ method: BidirectionalMethod<Request, Response>,
    _ handler:
      @escaping @Sendable (RequestStream<Request>, CallContext, ReplyWriter<Response>) async throws
      -> Void
  ) -> Route {
    Route(method: method.info) { end in
      let context = end.context()
      let stream = end.openStream()
      stream.setTask(
        Task.immediate(executorPreference: end.executor) {
          do {
            try await handler(RequestStream(stream), context, ReplyWriter(stream))
            stream.finish()
          } catch {
            stream.fail(error)
          }
        })
    }
  }

  /// A route whose handler is an async function that returns one reply with its metadata.
  @inlinable
  public static func asynchronousReply<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) async throws -> Reply<Response>
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let context = end.context()
      let stream = end.openStream()
      stream.setTask(
        Task.immediate(executorPreference: end.executor) {
          do {
            stream.reply(try await handler(request, context))
          } catch {
            stream.fail(error)
          }
        })
    }
  }
}

extension ServerStream {
  /// Ends a call with its one reply.
  @inlinable
  func reply<Response: Message>(_ response: Response) {
    guard let trailing = claim() else { return }
    if isOnReactor, trailing.isEmpty {
      end.reply(stream, response)
    } else {
      reply(encoded: response.serializedBytes(), trailing: trailing)
    }
  }

  /// Ends a call with its one reply and the metadata around it.
  @usableFromInline
  func reply<Response: Message>(_ reply: Reply<Response>) {
    if !reply.initialMetadata.isEmpty { send(initialMetadata: reply.initialMetadata) }
    set(trailingMetadata: reply.trailingMetadata)
    self.reply(reply.message)
  }
}
