public import QuiverProtobuf
public import QuiverRPC
import QuiverWire

extension RPCClient {
  /// Calls a method whose reply is a stream.
  ///
  /// The request is sent at once. Streams have no deadline unless the options give one.
  public func stream<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Response> {
    ReplyStream(call: OpenCall(try start(method.info, message: encode(request), options)))
  }

  /// Opens a call whose request is a stream.
  ///
  /// Streams have no deadline unless the options give one.
  public func open<Kind: StreamingRequestKind, Request: Message, Response: Message>(
    _ method: Method<Kind, Request, Response>, options: CallOptions = CallOptions()
  ) throws(RPCError) -> StreamingCall<Request, Response> {
    StreamingCall(call: OpenCall(try start(method.info, message: [], options)))
  }

  /// Sends all messages of a sequence to a method, and returns its one reply.
  ///
  /// The server may reply before it has received them all; then the rest is not sent. An error of
  /// the sequence cancels the call and is thrown again.
  public func call<Request: Message, Response: Message, Requests: AsyncSequence & Sendable>(
    _ method: ClientStreamingMethod<Request, Response>, sending requests: Requests,
    options: CallOptions = CallOptions()
  ) async throws -> Response where Requests.Element == Request {
    let call: StreamingCall<Request, Response> = try open(method, options: options)
    do {
      for try await request in requests {
        // Where the server has ended the call, its reply is read below.
        guard try await call.stillTakes(request) else { break }
      }
    } catch {
      call.cancel()
      throw error
    }
    return try await call.reply().message
  }

  /// Sends all messages of a sequence to a method whose reply is a stream, which can be read
  /// meanwhile.
  ///
  /// An error of the sequence cancels the call, and reading throws CANCELLED.
  public func stream<Request: Message, Response: Message, Requests: AsyncSequence & Sendable>(
    _ method: BidirectionalMethod<Request, Response>, sending requests: Requests,
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Response> where Requests.Element == Request {
    let call: StreamingCall<Request, Response> = try open(method, options: options)
    // Weak, so that releasing the replies cancels the call while messages are still sent.
    Task { [weak held = call.call, stream = call.call.stream] in
      do {
        for try await request in requests { try await stream.send(request.serializedBytes()) }
        stream.finishRequest()
      } catch {
        held?.cancel()
      }
    }
    return call.replies
  }

  /// Starts a streaming call with encoded messages.
  package func startEncoded(
    _ method: MethodInfo, _ message: [UInt8], options: CallOptions = CallOptions()
  ) throws(RPCError) -> ClientStream {
    try start(method, message: message, options)
  }

  private func start(
    _ method: MethodInfo, message: [UInt8], _ options: CallOptions
  ) throws(RPCError) -> ClientStream {
    guard configuration.interceptors.isEmpty else {
      let call = try InterceptedCall(
        method, options, configuration.interceptors, channel.transport.now)
      do throws(RPCError) {
        return try started(method, message, call.options) { call.ended($0) }
      } catch {
        call.ended(error)
        throw error
      }
    }
    return try started(method, message, options)
  }

  private func started(
    _ method: MethodInfo, _ message: [UInt8], _ options: CallOptions,
    onEnd: (@Sendable (RPCError?) -> Void)? = nil
  ) throws(RPCError) -> ClientStream {
    guard method.kind == .unary || options.idempotencyKey == nil else {
      throw RPCError(
        .invalidArgument, "idempotencyKey: only unary calls take one", isNotProcessed: true,
        origin: .client)
    }
    let stream = ClientStream(route: channel, onEnd: onEnd)
    stream.start(
      method, message: message,
      deadlineNanoseconds: options.deadline(standard: nil, now: channel.transport.now()),
      head: options.head(method, configuration, channel.positions.value))
    return stream
  }
}
