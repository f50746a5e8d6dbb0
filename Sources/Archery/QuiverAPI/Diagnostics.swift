package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Diagnostics`: calls that try a connection out.
///
/// UNIMPLEMENTED unless the server is started with `--diagnostics`.
public enum Diagnostics {
  /// Answers what it was sent.
  public static let echo = UnaryMethod<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/Echo", id: 769)
  /// The same by a handler that is an async function and does not suspend.
  public static let echoAsync = UnaryMethod<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/EchoAsync", id: 770)
  /// Answers after a while; ends early when the call is cancelled.
  public static let delay = UnaryMethod<DelayRequest, DelayResponse>(
    "quiver.v1.Diagnostics/Delay", id: 771)
  /// Fails with the status asked for.
  public static let fail = UnaryMethod<FailRequest, FailResponse>(
    "quiver.v1.Diagnostics/Fail", id: 772)

  /// Answers what it was sent, with the request's metadata before it and behind it.
  public static let echoMetadata = UnaryMethod<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/EchoMetadata", id: 773)
  /// Answers each message as it comes, until the request side ends; the request's metadata goes
  /// before the first and behind the last.
  public static let echoStream = BidirectionalMethod<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/EchoStream", id: 774)
  /// Counts what it is sent.
  public static let sink = ClientStreamingMethod<EchoMessage, SinkResponse>(
    "quiver.v1.Diagnostics/Sink", id: 775)
  /// Sends what it is asked for.
  public static let source = ServerStreamingMethod<SourceRequest, EchoMessage>(
    "quiver.v1.Diagnostics/Source", id: 776)
  /// Fails with the status asked for, after the messages asked for.
  public static let failSource = ServerStreamingMethod<FailRequest, FailResponse>(
    "quiver.v1.Diagnostics/FailSource", id: 777)
  /// Fails with the status that the first message asks for.
  public static let failSink = ClientStreamingMethod<FailRequest, FailResponse>(
    "quiver.v1.Diagnostics/FailSink", id: 778)
  /// Answers an empty message to each; the first that carries a code fails the call with it.
  public static let failStream = BidirectionalMethod<FailRequest, FailResponse>(
    "quiver.v1.Diagnostics/FailStream", id: 779)
  /// The connections of the caller's own principal.
  public static let connections = UnaryMethod<ConnectionsRequest, ConnectionsResponse>(
    "quiver.v1.Diagnostics/Connections", id: 780)

  package static let methods = [
    echo.info, echoAsync.info, delay.info, fail.info, echoMetadata.info, echoStream.info, sink.info,
    source.info, failSource.info, failSink.info, failStream.info, connections.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Diagnostics", number: 3, methods.map(\.schema))
}

/// What answers ``Diagnostics``.
public protocol DiagnosticsHandlers: Sendable {
  func echo(_ request: EchoMessage, _ call: CallContext) throws(RPCError) -> EchoMessage
  func echoAsync(_ request: EchoMessage, _ call: CallContext) async throws -> EchoMessage
  func delay(_ request: DelayRequest, _ call: CallContext) async throws -> DelayResponse
  func fail(_ request: FailRequest, _ call: CallContext) throws(RPCError) -> FailResponse
  func echoMetadata(_ request: EchoMessage, _ call: CallContext) async throws -> Reply<EchoMessage>
  func echoStream(
    _ requests: RequestStream<EchoMessage>, _ call: CallContext, _ replies: ReplyWriter<EchoMessage>
  ) async throws
  func sink(_ requests: RequestStream<EchoMessage>, _ call: CallContext) async throws
    -> SinkResponse
  func source(
    _ request: SourceRequest, _ call: CallContext, _ replies: ReplyWriter<EchoMessage>
  ) async throws
  func failSource(
    _ request: FailRequest, _ call: CallContext, _ replies: ReplyWriter<FailResponse>
  ) async throws
  func failSink(_ requests: RequestStream<FailRequest>, _ call: CallContext) async throws
    -> FailResponse
  func failStream(
    _ requests: RequestStream<FailRequest>, _ call: CallContext,
    _ replies: ReplyWriter<FailResponse>
  ) async throws
  func connections(
    _ request: ConnectionsRequest, _ call: CallContext
  ) async throws -> ConnectionsResponse
}

extension DiagnosticsHandlers {
  @inlinable
  public var routes: [Route] {
    // The echoes are measured, and a reference to a method costs two thunks more a call.
    [
      .synchronous(Diagnostics.echo) { (request, call) throws(RPCError) in
        try echo(request, call)
      },
      .asynchronous(Diagnostics.echoAsync) { request, call in
        try await echoAsync(request, call)
      },
      .asynchronous(Diagnostics.delay, delay),
      .synchronous(Diagnostics.fail, fail),
      .asynchronousReply(Diagnostics.echoMetadata, echoMetadata),
      .bidirectional(Diagnostics.echoStream, echoStream),
      .clientStreaming(Diagnostics.sink, sink),
      .serverStreaming(Diagnostics.source, source),
      .serverStreaming(Diagnostics.failSource, failSource),
      .clientStreaming(Diagnostics.failSink, failSink),
      .bidirectional(Diagnostics.failStream, failStream),
      .asynchronous(Diagnostics.connections, connections),
    ]
  }
}
