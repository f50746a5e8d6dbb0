public import QuiverClient
public import QuiverProtobuf
public import QuiverRPC

/// Calls one method, like a function. What it takes and returns follows from the method's kind.
public struct MethodClient<Kind: TypedMethodKind, Request: Message, Response: Message>: Sendable {
  /// The client that makes the calls.
  public let client: RPCClient
  /// The method that is called.
  public let method: Method<Kind, Request, Response>

  /// Creates a client of one method.
  public init(_ client: RPCClient, _ method: Method<Kind, Request, Response>) {
    self.client = client
    self.method = method
  }
}

extension MethodClient where Kind == UnaryKind {
  /// Calls the method and returns its reply.
  public func callAsFunction(
    _ request: Request = Request(), options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    try await client.call(method, request, options: options)
  }

  /// Calls the method and returns its reply with the initial and trailing metadata.
  public func reply(
    _ request: Request = Request(), options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<Response> {
    try await client.reply(to: method, request, options: options)
  }
}

extension MethodClient where Kind == ServerStreamingKind {
  /// Calls the method and returns the stream of its replies.
  public func callAsFunction(
    _ request: Request = Request(), options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Response> {
    try client.stream(method, request, options: options)
  }
}

extension MethodClient where Kind == ServerStreamingKind, Response: WatchMessage {
  /// Watches what the method streams, over lost connections and restarts of the server.
  public func callAsFunction(
    _ request: Request = Request(), options: CallOptions = CallOptions()
  ) -> ResumingStream<Response> {
    client.watch(method, request, options: options)
  }
}

extension MethodClient where Kind == ClientStreamingKind {
  /// Sends all messages of a sequence and returns the one reply.
  ///
  /// An error of the sequence cancels the call and is thrown again.
  public func callAsFunction<Requests: AsyncSequence & Sendable>(
    sending requests: Requests, options: CallOptions = CallOptions()
  ) async throws -> Response where Requests.Element == Request {
    try await client.call(method, sending: requests, options: options)
  }
}

extension MethodClient where Kind == BidirectionalKind {
  /// Sends all messages of a sequence, and returns the stream of replies, which can be read
  /// meanwhile.
  ///
  /// An error of the sequence cancels the call, and reading throws CANCELLED.
  public func callAsFunction<Requests: AsyncSequence & Sendable>(
    sending requests: Requests, options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Response> where Requests.Element == Request {
    try client.stream(method, sending: requests, options: options)
  }
}

extension MethodClient where Kind: StreamingRequestKind {
  /// Opens a call, to send its messages one by one.
  public func open(
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> StreamingCall<Request, Response> {
    try client.open(method, options: options)
  }
}
