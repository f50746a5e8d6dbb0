public import QuiverProtobuf

/// A method with its handler.
///
/// There are three kinds of handler. A synchronous one answers before it returns, on the
/// connection's reactor, and must not block. A responder starts there and answers later, from any
/// thread. An asynchronous one is a task that prefers the connection's reactor.
public struct Route: Sendable {
  package let method: MethodInfo
  /// Starts the handler of ``ServerEnd``'s current call.
  @usableFromInline let body: @Sendable (ServerEnd) -> Void

  @usableFromInline
  init(method: MethodInfo, body: @escaping @Sendable (ServerEnd) -> Void) {
    self.method = method
    self.body = body
  }

  /// A route whose handler answers before it returns.
  ///
  /// A handler of any kind may throw an ``RPCErrorConvertible``, which names the status of the
  /// call; other errors end it UNKNOWN.
  @inlinable
  public static func synchronous<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      do {
        end.reply(end.currentStream, try handler(request, end.context()))
      } catch {
        end.fail(end.currentStream, thrown: error)
      }
    }
  }

  /// A route whose handler starts on the reactor and answers once through its ``Responder``, from
  /// any thread, or throws.
  @inlinable
  public static func responding<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext, Responder<Response>) throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      end.start { try handler(request, end.context(), $0) }
    }
  }

  /// A route whose handler answers before it returns if it can, as from memory, and otherwise
  /// returns nil: `slow` then starts and answers through its ``Responder``.
  @inlinable
  public static func synchronous<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) throws -> Response?,
    otherwise slow: @escaping @Sendable (Request, CallContext, Responder<Response>) throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let context = end.context()
      do {
        if let response = try handler(request, context) {
          return end.reply(end.currentStream, response)
        }
      } catch {
        return end.fail(end.currentStream, thrown: error)
      }
      end.start { try slow(request, context, $0) }
    }
  }

  /// A route whose handler answers with an encoded reply before it returns if it can, as from
  /// memory, and otherwise returns nil: `slow` then starts and answers through its ``Responder``.
  package static func synchronous<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    encoded handler: @escaping @Sendable (Request, CallContext) throws -> [UInt8]?,
    otherwise slow: @escaping @Sendable (Request, CallContext, Responder<Response>) throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let context = end.context()
      do {
        if let bytes = try handler(request, context) {
          return end.reply(end.currentStream, encoded: bytes)
        }
      } catch {
        return end.fail(end.currentStream, thrown: error)
      }
      end.start { try slow(request, context, $0) }
    }
  }

  /// A route whose reply may be there, encoded; otherwise an async function encodes it.
  ///
  /// `kept` runs on the reactor, before the function, and must not block.
  package static func keeping<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ kept: @escaping @Sendable (Request, CallContext) -> [UInt8]?,
    otherwise handler: @escaping @Sendable (Request, CallContext) async throws -> [UInt8]
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let stream = end.currentStream
      let context = end.context()
      if let bytes = kept(request, context) { return end.reply(stream, encoded: bytes) }
      let task = Task.immediate(executorPreference: end.executor) {
        do {
          end.reply(stream, encoded: try await handler(request, context))
        } catch {
          end.fail(stream, thrown: error)
        }
      }
      if !end.isAnswered { end.setOwner(RunningTask(task)) }
    }
  }

  /// What is known of the reply to a request before the request is decoded.
  package enum KeptReply {
    /// The encoded reply.
    case reply([UInt8])
    /// There is none; the closure takes the encoded reply when the handler has made it.
    case keep(@Sendable ([UInt8]) -> Void)
    case unknown
  }

  /// A route whose reply may be there, encoded; otherwise a handler starts on the reactor and
  /// answers through its ``Responder``.
  ///
  /// `kept` runs on the reactor with the bytes of the request, and must not block.
  package static func keeping<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ kept: @escaping @Sendable (UnsafeRawBufferPointer, CallContext) -> KeptReply,
    otherwise handler:
      @escaping @Sendable (
        Request, CallContext, _ keep: (@Sendable ([UInt8]) -> Void)?, Responder<Response>
      ) throws -> Void
  ) -> Route {
    Route(method: method.info) { end in
      let context = end.context()
      var keep: (@Sendable ([UInt8]) -> Void)?
      switch kept(end.requestBytes, context) {
      case .reply(let bytes): return end.reply(end.currentStream, encoded: bytes)
      case .keep(let body): keep = body
      case .unknown: break
      }
      guard let request = end.decodeRequest(Request.self) else { return }
      end.start { try handler(request, context, keep, $0) }
    }
  }

  /// A route whose handler is an async function, run as a task that prefers the reactor.
  @inlinable
  public static func asynchronous<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>,
    _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) -> Route {
    Route(method: method.info) { end in
      guard let request = end.decodeRequest(Request.self) else { return }
      let stream = end.currentStream
      let context = end.context()
      let task = Task.immediate(executorPreference: end.executor) {
        do {
          end.reply(stream, try await handler(request, context))
        } catch {
          end.fail(stream, thrown: error)
        }
      }
      if !end.isAnswered { end.setOwner(RunningTask(task)) }
    }
  }
}

extension ServerEnd {
  /// Starts a handler that answers the current call through its responder, or throws.
  @inlinable
  func start<Response: Message>(_ handler: (Responder<Response>) throws -> Void) {
    let responder = Responder<Response>(end: self, stream: currentStream)
    setOwner(responder.cancellation)
    do {
      try handler(responder)
    } catch {
      responder.fail(RPCError(thrown: error))
    }
  }
}

/// Notified when its call is cancelled.
@usableFromInline
protocol Cancellable: AnyObject {
  /// The call was given up, or its deadline passed; the handler should return soon.
  func cancel()
}

/// The task of an async handler that has suspended.
@usableFromInline
final class RunningTask: Cancellable {
  private let task: Task<Void, Never>

  @usableFromInline
  init(_ task: Task<Void, Never>) { self.task = task }

  @usableFromInline
  func cancel() { task.cancel() }
}
