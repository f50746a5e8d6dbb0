import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One call: the request in its protocol, the call to the server, and the reply.
///
/// A call whose reply is one message needs no task: it is sent to the server when its body is
/// complete, and the reply is written on the reactor where it arrives. Large messages are converted
/// on other threads meanwhile.
struct GatewayCall: Sendable {
  let exchange: HTTPExchange
  private let head: CallHead
  let gateway: Gateway

  var dialect: Dialect { head.dialect }

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
      guard !dialect.isConnectStream, isIdentified, let target = target() else {
        return exchange.start { _ in await run(context) }
      }
      try unary(target, context)
    } catch {
      fail(error)
    }
  }

  /// The caller has a token, or is nobody for the server as far as is known.
  private var isIdentified: Bool {
    head.context.token != nil || gateway.backend.anonymity.isNobody
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

  /// Throws UNAUTHENTICATED for a call without a token that needs one, before its body is read.
  private func authorize(
    _ method: MethodInfo, _ context: RequestContext
  ) throws(RPCError) {
    guard context.token == nil, !method.isAnonymous else { return }
    throw RPCError(.unauthenticated, "this call needs a token", isNotProcessed: true)
  }

  /// A reply without metadata needs no writer.
  var isPlain: Bool { dialect == .grpc && !head.acceptsGzip && head.extra.entries.isEmpty }

  func fail(_ error: RPCError) { end(writer(), error) }

  func end(_ writer: any ReplyWriter, _ error: RPCError) {
    // Only the client's own limit ends calls of this process so.
    if error.origin == .client, error.code == .resourceExhausted {
      exchange.reached(.waitingCalls)
    }
    exchange.ended(error.code)
    writer.end(error, error.metadata)
  }

  func writer(isJSON: Bool? = nil) -> any ReplyWriter {
    dialect.writer(exchange, isJSON: isJSON ?? dialect.isJSON, head, extra: head.extra)
  }

  // MARK: Forms

  /// Bytes of one message of the request, compressed or not.
  private func mostBytes(_ context: RequestContext) -> Int {
    let limits = gateway.limits
    return context.token == nil
      ? min(limits.maxMessageBytes, limits.maxAnonymousMessageBytes) : limits.maxMessageBytes
  }

  func requestForm(
    _ method: MethodInfo?, _ context: RequestContext, isJSON: Bool
  ) -> RequestForm {
    RequestForm(method, isJSON: isJSON, mostBytes: mostBytes(context), gateway.limits)
  }

  func replyForm(_ method: MethodInfo?, isJSON: Bool) -> ReplyForm {
    ReplyForm(
      method, isJSON: isJSON, isGzip: head.acceptsGzip, isText: dialect.repliesText,
      gateway.limits)
  }

  // MARK: Calls with a task

  /// Answers a call that needs a task: a stream, or one whose method is not known yet.
  private func run(_ context: RequestContext) async {
    do {
      if context.token == nil { try await gateway.backend.anonymity.check() }
      if dialect == .grpc, ReflectionService.answers(head.method) {
        return try await reflect(context)
      }
      let method = try await gateway.backend.method(head.method, token: context.token)
      try authorize(method, context)
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

  private func reflect(_ context: RequestContext) async throws {
    let (client, caller) = gateway.backend.client(for: context.token, on: exchange.reactor)
    let form = replyForm(nil, isJSON: false)
    let writer = writer()
    try await ReflectionService(gateway.backend, context.token).run(
      exchange, reader(CallTarget(nil, client, caller), context), writer
    ) {
      writer.send(try await body(of: $0, form, caller))
    }
    exchange.ended(.ok)
  }

  private func reader(
    _ target: CallTarget, _ context: RequestContext, keepsMessages: Bool = false
  ) throws(RPCError) -> RequestReader {
    let envelopes = EnvelopeReader(
      exchange, mostBytes: mostBytes(context), isGzip: try head.isGzip(),
      keepsMessages: keepsMessages,
      endFlag: dialect.isConnectStream ? ConnectStreamWriter.endFlag : 0)
    return RequestReader(
      envelopes, requestForm(target.method, context, isJSON: dialect.isJSON), target,
      self)
  }

  private func stream(_ method: MethodInfo, _ context: RequestContext) async throws {
    if dialect == .connectGet { throw Self.isPost(method) }
    if case .connectUnary = dialect {
      throw RPCError(
        .unimplemented,
        "\(method.name) is a stream: its content type is application/connect+json",
        isNotProcessed: true)
    }
    let isAnonymousStream = context.token == nil && method.kind != .unary
    let place = isAnonymousStream ? try gateway.anonymousStreams.take(for: exchange) : nil
    defer { withExtendedLifetime(place) {} }
    let target = target(method, context)
    var reader = try reader(target, context, keepsMessages: !method.kind.clientStreams)
    let form = replyForm(method, isJSON: dialect.isJSON)
    if method.kind == .unary {
      return UnaryGatewayCall(self, target, context, isJSON: dialect.isJSON, isGzip: false)
        .send(try await reader.only())
    }
    let request = method.kind.clientStreams ? [] : try await reader.only()
    let call = try target.client.startEncoded(method, request, options: context.options)
    try await StreamRelay(self, call, target.caller, form)
      .run(method.kind.clientStreams ? reader : nil, writer())
  }

  // MARK: Unary calls

  private func unary(
    _ target: CallTarget, _ context: RequestContext
  ) throws(RPCError) {
    if let method = target.method { try authorize(method, context) }
    if dialect == .connectGet { return try get(target, context) }
    let call = UnaryGatewayCall(
      self, target, context, isJSON: dialect.isJSON, isGzip: try head.isGzip())
    exchange.collect(limit: mostBytes(context), isEnveloped: dialect.isEnveloped, for: call)
  }

  private func get(
    _ target: CallTarget, _ context: RequestContext
  ) throws(RPCError) {
    let query = try ConnectQuery(exchange.head.query)
    if let method = target.method, method.isMutating {
      return end(writer(isJSON: query.isJSON), Self.isPost(method))
    }
    UnaryGatewayCall(self, target, context, isJSON: query.isJSON, isGzip: query.isGzip)
      .receive(ReceivedMessage(bytes: query.message, isCompressed: query.isGzip))
  }

  private static func isPost(_ method: MethodInfo) -> RPCError {
    RPCError(.unimplemented, "\(method.name) is called by POST", isNotProcessed: true)
  }
}

extension ReportedCall: ExchangeWork {}
