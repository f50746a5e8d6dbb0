import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One call: the request in its protocol, the call to the server, and the reply.
struct GatewayCall {
  private let exchange: HTTPExchange
  private let dialect: Dialect
  private let name: String
  private let gateway: Gateway
  private let extra: HTTPFields

  private var limits: GatewayLimits { gateway.limits }

  init(
    _ exchange: HTTPExchange, _ dialect: Dialect, method: String, extra: HTTPFields,
    gateway: Gateway
  ) {
    self.exchange = exchange
    self.dialect = dialect
    self.extra = extra
    self.gateway = gateway
    // gRPC's own service of health has the messages and numbers of Quiver's.
    let isHealth = method.hasPrefix("grpc.health.v1.Health/")
    name = isHealth ? "quiver.v1." + method.dropFirst("grpc.health.v1.".count) : method
  }

  /// Answers the exchange, well or not.
  func run() async {
    var writer = dialect.writer(exchange, isJSON: dialect.isJSON, extra: extra, limits: limits)
    do {
      try gateway.checkRoom(for: exchange)
      let context = try RequestContext(exchange.head, limits: limits)
      if dialect == .grpc, ReflectionService.answers(name) {
        return try await ReflectionService(gateway.backend, context.token)
          .run(exchange, reader(), writer)
      }
      var query: ConnectQuery?
      if dialect == .connectGet {
        let parsed = try ConnectQuery(exchange.head.query)
        writer = dialect.writer(exchange, isJSON: parsed.isJSON, extra: extra, limits: limits)
        query = parsed
      }
      let method = try await gateway.backend.method(name, token: context.token)
      let codec = MessageCodec(method: method, isJSON: query?.isJSON ?? dialect.isJSON)
      if let query {
        try await get(query, method, codec, context, writer)
      } else {
        try await post(method, codec, context, writer)
      }
    } catch let error as RPCError {
      writer.end(error, error.metadata)
    } catch {
      // The caller is gone.
      exchange.abort()
    }
  }

  private func get(
    _ query: ConnectQuery, _ method: MethodInfo, _ codec: MessageCodec,
    _ context: RequestContext, _ writer: any ReplyWriter
  ) async throws {
    guard method.kind == .unary, !method.isMutating else {
      throw RPCError(
        .unimplemented, "\(method.name) is called by POST", isNotProcessed: true)
    }
    let message =
      query.isGzip ? try MessageEncoding.decompress(query.message, limits) : query.message
    try await unary(method, codec, context, message, writer)
  }

  private func post(
    _ method: MethodInfo, _ codec: MessageCodec, _ context: RequestContext,
    _ writer: any ReplyWriter
  ) async throws {
    if case .connectUnary = dialect {
      guard method.kind == .unary else {
        throw RPCError(
          .unimplemented,
          "\(method.name) is a stream: its content type is application/connect+json",
          isNotProcessed: true)
      }
      return try await unary(method, codec, context, try await wholeBody(), writer)
    }
    var reader = try reader(keepsMessages: !method.kind.clientStreams)
    if method.kind == .unary {
      return try await unary(method, codec, context, try await only(&reader), writer)
    }
    try await stream(method, codec, context, reader, writer)
  }

  // MARK: Requests

  /// The body of Connect's unary call.
  private func wholeBody() async throws -> [UInt8] {
    let encoding = exchange.head.fields["content-encoding"] ?? "identity"
    guard encoding == "identity" || encoding == "gzip" else {
      throw RPCError(
        .unimplemented, "the content encoding must be gzip or identity", isNotProcessed: true)
    }
    guard let body = try await exchange.readWhole(limit: limits.maxMessageBytes) else {
      throw RPCError(
        .resourceExhausted, "the body has more than \(limits.maxMessageBytes) bytes",
        isNotProcessed: true)
    }
    return encoding == "gzip" ? try MessageEncoding.decompress(body, limits) : body
  }

  private func reader(keepsMessages: Bool = false) throws(RPCError) -> EnvelopeReader {
    var isConnect = false
    if case .connectStream = dialect { isConnect = true }
    let field = isConnect ? "connect-content-encoding" : "grpc-encoding"
    let encoding = exchange.head.fields[field] ?? "identity"
    guard encoding == "identity" || encoding == "gzip" else {
      throw RPCError(
        .unimplemented, "the field \(field) must be gzip or identity", isNotProcessed: true)
    }
    return EnvelopeReader(
      exchange, limits: limits, isGzip: encoding == "gzip",
      keepsMessages: keepsMessages, endFlag: isConnect ? ConnectStreamWriter.endFlag : 0)
  }

  /// The one message of a request that is no stream.
  private func only(_ reader: inout EnvelopeReader) async throws -> [UInt8] {
    exchange.isCollecting = true
    defer { exchange.isCollecting = false }
    guard let message = try await reader.next() else {
      throw RPCError(.invalidArgument, "the request has no message", isNotProcessed: true)
    }
    guard try await reader.next() == nil else {
      throw RPCError(
        .invalidArgument, "the request has more than one message", isNotProcessed: true)
    }
    return message
  }

  // MARK: Calls

  private func unary(
    _ method: MethodInfo, _ codec: MessageCodec, _ context: RequestContext, _ message: [UInt8],
    _ writer: any ReplyWriter
  ) async throws {
    let request = try codec.request(message)
    let client = gateway.backend.client(for: context.token)
    let reply = try await client.callEncoded(method, request, options: context.options)
    let message = try codec.reply(reply.message)
    writer.begin(reply.initialMetadata)
    writer.send(message)
    writer.end(nil, reply.trailingMetadata)
  }

  private func stream(
    _ method: MethodInfo, _ codec: MessageCodec, _ context: RequestContext,
    _ reader: EnvelopeReader, _ writer: any ReplyWriter
  ) async throws {
    var reader = reader
    let client = gateway.backend.client(for: context.token)
    let request =
      method.kind.clientStreams ? [] : try codec.request(try await only(&reader))
    let call = try client.startEncoded(method, request, options: context.options)
    let pump = method.kind.clientStreams ? pump(reader, codec, into: call) : nil
    defer { pump?.cancel() }
    do {
      writer.begin(try await call.started())
      while true {
        // The next message is taken when there is room for it; until then its credit is not
        // returned, and the server's handler waits.
        try await exchange.waitForRoom()
        guard let reply = try await call.next() else { break }
        writer.send(try codec.reply(reply))
      }
      writer.end(nil, call.trailingMetadata)
    } catch let error as HTTPAborted {
      call.cancel(Self.cancelled)
      throw error
    } catch let error as RPCError {
      call.cancel(error)
      throw error
    }
  }

  private static let cancelled = RPCError(
    .cancelled, "the caller of the gateway has gone", origin: .client)

  /// Sends the messages of the request as they come.
  private func pump(
    _ reader: EnvelopeReader, _ codec: MessageCodec, into call: ClientStream
  ) -> Task<Void, Never> {
    let executor: any TaskExecutor = exchange.reactor
    let source = RequestSource(reader, codec)
    return Task(executorPreference: executor) {
      do {
        while let message = try await source.next() {
          // Where the server has ended the call, reading its replies finds out.
          do { try await call.send(message) } catch { return }
        }
        call.finishRequest()
      } catch let error as RPCError {
        call.cancel(error)
      } catch {
        call.cancel(Self.cancelled)
      }
    }
  }
}

/// The messages of a stream of requests. Used on the exchange's reactor.
// Sendable because one task on one reactor uses it.
private final class RequestSource: @unchecked Sendable {
  private var reader: EnvelopeReader
  private let codec: MessageCodec

  init(_ reader: EnvelopeReader, _ codec: MessageCodec) {
    self.reader = reader
    self.codec = codec
  }

  func next() async throws -> [UInt8]? {
    guard let message = try await reader.next() else { return nil }
    return try codec.request(message)
  }
}
