import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One call: the request in its protocol, the call to the server, and the reply.
///
/// A call whose reply is one message needs no task: it is sent to the server when its body is
/// complete, and the reply is written on the reactor where it arrives.
struct GatewayCall: Sendable {
  private let exchange: HTTPExchange
  private let head: CallHead
  private let gateway: Gateway

  private var limits: GatewayLimits { gateway.limits }
  private var dialect: Dialect { head.dialect }

  init(_ exchange: HTTPExchange, _ head: CallHead, _ gateway: Gateway) {
    self.exchange = exchange
    self.head = head
    self.gateway = gateway
  }

  /// Begins to answer the exchange, well or not. Called on its reactor.
  func start() {
    exchange.calls(head)
    if dialect.isText { exchange.decodesBase64() }
    do throws(RPCError) {
      try gateway.checkRoom(for: exchange)
      let context = try head.context.with(exchange.ownFields)
      guard !dialect.isConnectStream, let target = target() else {
        return exchange.start { _ in await run(context) }
      }
      try unary(target, context)
    } catch {
      fail(error)
    }
  }

  private func target() -> CallTarget? {
    let known = exchange.known.target
    let target = gateway.backend.target(
      head.method, for: head.context.token, on: exchange.reactor, known: known)
    // A head keeps no client whose token is not accepted: each connection would keep several alive
    // after other callers have taken their places.
    if target !== known { exchange.known.target = target?.caller.isProven == true ? target : nil }
    return target
  }

  private func target(_ method: MethodInfo, _ context: RequestContext) -> CallTarget {
    gateway.backend.target(method, for: context.token, on: exchange.reactor)
  }

  private func fail(_ error: RPCError) { end(writer(), error) }

  private func end(_ writer: any ReplyWriter, _ error: RPCError) {
    // Only the client's own limit ends calls of this process so.
    if error.origin == .client, error.code == .resourceExhausted {
      exchange.reached(.waitingCalls)
    }
    exchange.ended(error.code)
    writer.end(error, error.metadata)
  }

  private func writer(isJSON: Bool? = nil) -> any ReplyWriter {
    dialect.writer(
      exchange, isJSON: isJSON ?? dialect.isJSON, head, extra: head.extra, limits: limits)
  }

  /// Answers a call that needs a task: a stream, or one whose method is not known yet.
  private func run(_ context: RequestContext) async {
    do {
      if dialect == .grpc, ReflectionService.answers(head.method) {
        try await ReflectionService(gateway.backend, context.token)
          .run(exchange, reader(), writer())
        return exchange.ended(.ok)
      }
      let method = try await gateway.backend.method(head.method, token: context.token)
      if method.kind == .unary, !dialect.isConnectStream {
        try unary(target(method, context), context)
      } else {
        try await stream(method, context)
      }
    } catch let error as RPCError {
      fail(error)
    } catch {
      // The caller has disconnected.
      exchange.abort()
    }
  }

  // MARK: Requests

  private func reader(keepsMessages: Bool = false) throws(RPCError) -> EnvelopeReader {
    EnvelopeReader(
      exchange, limits: limits, isGzip: try head.isGzip(), keepsMessages: keepsMessages,
      endFlag: dialect.isConnectStream ? ConnectStreamWriter.endFlag : 0)
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

  // MARK: Unary calls

  private func unary(_ target: CallTarget, _ context: RequestContext) throws(RPCError) {
    if dialect == .connectGet { return try get(target, context) }
    let isGzip = try head.isGzip()
    let isEnveloped = dialect.isEnveloped
    exchange.collect(limit: limits.maxMessageBytes, isEnveloped: isEnveloped) { body in
      do throws(RPCError) {
        let bytes = try body.get()
        let message: [UInt8]
        if isEnveloped {
          message = try EnvelopeReader.only(bytes, isGzip: isGzip, limits, exchange)
        } else {
          message =
            isGzip
            ? try MessageEncoding.decompress(Array(bytes), limits, exchange) : Array(bytes)
        }
        try send(message, target, context, isJSON: dialect.isJSON)
      } catch {
        fail(error)
      }
    }
  }

  private func get(_ target: CallTarget, _ context: RequestContext) throws(RPCError) {
    let query = try ConnectQuery(exchange.head.query)
    let writer = writer(isJSON: query.isJSON)
    do throws(RPCError) {
      guard !target.method.isMutating else { throw Self.isPost(target.method) }
      let message =
        query.isGzip
        ? try MessageEncoding.decompress(query.message, limits, exchange) : query.message
      try send(message, target, context, isJSON: query.isJSON)
    } catch {
      end(writer, error)
    }
  }

  private static func isPost(_ method: MethodInfo) -> RPCError {
    RPCError(.unimplemented, "\(method.name) is called by POST", isNotProcessed: true)
  }

  private func send(
    _ message: [UInt8], _ target: CallTarget, _ context: RequestContext, isJSON: Bool
  ) throws(RPCError) {
    let codec = MessageCodec(target.method, isJSON: isJSON)
    let request = try codec.request(message)
    let caller = target.caller
    let call = target.client.callEncoded(
      target.method, request, options: context.options
    ) { outcome in
      caller.note(outcome)
      guard exchange.reactor.isCurrent else {
        return exchange.reactor.run { answered(outcome, codec) }
      }
      answered(outcome, codec)
    }
    exchange.began(call)
  }

  /// Writes the outcome of the call. On the reactor.
  private func answered(_ outcome: Result<Reply<[UInt8]>, RPCError>, _ codec: MessageCodec) {
    exchange.finishedWork()
    guard !exchange.isOver else { return }
    if case .success(let reply) = outcome, dialect == .grpc, !head.acceptsGzip,
      head.extra.entries.isEmpty, reply.initialMetadata.isEmpty, reply.trailingMetadata.isEmpty
    {
      exchange.ended(.ok)
      return exchange.batch { GRPCWriter.answer(exchange, reply.message) }
    }
    let writer = writer(isJSON: codec.isJSON)
    exchange.batch {
      do throws(RPCError) {
        let reply = try outcome.get()
        let message = try codec.reply(reply.message)
        writer.begin(reply.initialMetadata)
        writer.send(message)
        exchange.ended(.ok)
        writer.end(nil, reply.trailingMetadata)
      } catch {
        end(writer, error)
      }
    }
  }

  // MARK: Streams

  private func stream(_ method: MethodInfo, _ context: RequestContext) async throws {
    if dialect == .connectGet { throw Self.isPost(method) }
    if case .connectUnary = dialect {
      throw RPCError(
        .unimplemented,
        "\(method.name) is a stream: its content type is application/connect+json",
        isNotProcessed: true)
    }
    let codec = MessageCodec(method, isJSON: dialect.isJSON)
    var reader = try reader(keepsMessages: !method.kind.clientStreams)
    if method.kind == .unary {
      let message = try await only(&reader)
      return try send(message, target(method, context), context, isJSON: codec.isJSON)
    }
    try await stream(method, codec, context, reader, writer())
  }

  private func stream(
    _ method: MethodInfo, _ codec: MessageCodec, _ context: RequestContext,
    _ reader: EnvelopeReader, _ writer: any ReplyWriter
  ) async throws {
    var reader = reader
    let (client, caller) = gateway.backend.client(for: context.token, on: exchange.reactor)
    let request =
      method.kind.clientStreams ? [] : try codec.request(try await only(&reader))
    let call = try client.startEncoded(method, request, options: context.options)
    let pump = method.kind.clientStreams ? pump(reader, codec, into: call) : nil
    defer { pump?.cancel() }
    do {
      let initial = try await caller.proving { () throws(RPCError) in try await call.started() }
      writer.begin(initial)
      while true {
        // The next message is taken when there is room for it; until then its credit is not
        // returned, and the server's handler waits.
        try await exchange.waitForRoom()
        guard let reply = try await call.next() else { break }
        writer.send(try codec.reply(reply, gateway.replyTexts))
      }
      exchange.ended(.ok)
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
    .cancelled, "the caller of the gateway has disconnected", origin: .client)

  /// Sends the messages of the request as they come.
  private func pump(
    _ reader: EnvelopeReader, _ codec: MessageCodec, into call: ClientStream
  ) -> Task<Void, Never> {
    let source = RequestSource(reader, codec)
    return exchange.run {
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

extension ReportedCall: ExchangeWork {}
