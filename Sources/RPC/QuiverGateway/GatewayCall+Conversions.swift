import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire

/// The conversion of messages: at once where they are small, else in the caller's turn on another
/// thread.
extension GatewayCall {
  /// Converts a large message of the request, only for a caller whose token the server accepts;
  /// where it has not yet been asked, it is asked first. `then` runs on the reactor.
  func convert(
    _ message: ReceivedMessage, _ form: RequestForm, _ target: CallTarget,
    then: @escaping @Sendable (Result<[UInt8], MessageFault>) -> Void
  ) {
    let caller = target.caller
    prove(target) {
      inTurn(of: caller, isRefusable: true) { () throws(RPCError) in
        Result { () throws(MessageFault) in try form.encoded(message) }
      } then: { result in
        switch result {
        case .success(let converted): then(converted)
        case .failure(let error):
          then(.failure(MessageFault(error: error, limit: .conversions)))
        }
      }
    }
  }

  /// The message, or why there is none; counts the limit that was reached.
  func encoded(_ result: Result<[UInt8], MessageFault>) throws(RPCError) -> [UInt8] {
    switch result {
    case .success(let message): return message
    case .failure(let fault):
      if let limit = fault.limit { exchange.reached(limit) }
      throw fault.error
    }
  }

  /// Goes on where the server accepts the caller's token; else the call fails as it says.
  private func prove(_ target: CallTarget, then: @escaping @Sendable () -> Void) {
    let caller = target.caller
    guard !caller.isProven else { return then() }
    let call = target.client.callEncoded(
      Health.methods.check.info, [], options: Self.proof
    ) { outcome in
      caller.note(outcome)
      let failure: RPCError? = if case .failure(let error) = outcome { error } else { nil }
      exchange.reactor.run {
        guard !exchange.isOver else { return exchange.finishedWork() }
        guard let failure, !caller.isProven else { return then() }
        exchange.finishedWork()
        fail(failure)
      }
    }
    exchange.began(call)
  }

  private static let proof = {
    var options = CallOptions()
    options.timeout = .seconds(10)
    return options
  }()

  /// Converts in the caller's turn on another thread; `then` runs on the reactor, unless the
  /// exchange has been aborted.
  func inTurn<Value: Sendable>(
    of caller: GatewayCaller, isRefusable: Bool,
    _ convert: @escaping @Sendable () throws(RPCError) -> Value,
    then: @escaping @Sendable (Result<Value, RPCError>) -> Void
  ) {
    let conversion = Conversion(isRefusable: isRefusable)
    conversion.wait { [exchange] error in
      let result: Result<Value, RPCError> =
        error.map { .failure($0) } ?? Result { () throws(RPCError) in try convert() }
      exchange.reactor.run {
        if exchange.isOver { exchange.finishedWork() } else { then(result) }
      }
    }
    exchange.began(conversion)
    gateway.conversions.submit(conversion, of: name(of: caller))
  }

  /// The same for a task.
  func inTurn<Value: Sendable>(
    of caller: GatewayCaller, isRefusable: Bool,
    _ convert: @escaping @Sendable () throws(RPCError) -> Value
  ) async throws(RPCError) -> Value {
    let conversion = Conversion(isRefusable: isRefusable)
    let result: Result<Value, RPCError> = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        conversion.wait { error in
          continuation.resume(
            returning: error.map { .failure($0) }
              ?? Result { () throws(RPCError) in try convert() })
        }
        gateway.conversions.submit(conversion, of: name(of: caller))
      }
    } onCancel: {
      conversion.cancel()
    }
    // The conversions themselves do not end so.
    if isRefusable, case .failure(let error) = result, error.code == .resourceExhausted {
      exchange.reached(.conversions)
    }
    return try result.get()
  }

  /// By which a caller has turns: the token where the server accepts it, else the address.
  private func name(of caller: GatewayCaller) -> String {
    caller.isProven && !caller.token.isEmpty
      ? caller.token : CountedNetwork.name(of: exchange.address)
  }

  /// The caller's form of a reply.
  func body(
    of reply: [UInt8], _ form: ReplyForm, _ caller: GatewayCaller
  ) async throws(RPCError) -> ReplyBody {
    let texts = gateway.replyTexts
    if let known = form.known(reply, texts) { return known }
    guard form.isLarge(reply.count) else { return try form.body(of: reply, texts) }
    return try await inTurn(of: caller, isRefusable: false) { () throws(RPCError) in
      try form.body(of: reply, texts)
    }
  }
}

/// The messages of a stream of requests, converted. Used on the exchange's reactor.
struct RequestReader {
  private var envelopes: EnvelopeReader
  private let form: RequestForm
  private let target: CallTarget
  private let call: GatewayCall

  init(
    _ envelopes: EnvelopeReader, _ form: RequestForm, _ target: CallTarget,
    _ call: GatewayCall
  ) {
    self.envelopes = envelopes
    self.form = form
    self.target = target
    self.call = call
  }

  /// The next encoded message; nil at the end of the body.
  mutating func next() async throws -> [UInt8]? {
    guard let message = try await envelopes.next() else { return nil }
    let encoded = try call.encoded(try await converted(message))
    if message.isCompressed { try envelopes.keep(encoded.count) }
    return encoded
  }

  private func converted(
    _ message: ReceivedMessage
  ) async throws(RPCError) -> Result<[UInt8], MessageFault> {
    let form = form
    let convert = { @Sendable () throws(RPCError) in
      Result { () throws(MessageFault) in try form.encoded(message) }
    }
    guard form.isLarge(message) else { return try convert() }
    let (client, caller) = (target.client, target.caller)
    if !caller.isProven {
      _ = try await caller.proving { () throws(RPCError) in
        try await client.call(Health.methods.check, HealthCheckRequest())
      }
    }
    return try await call.inTurn(of: caller, isRefusable: true, convert)
  }

  /// The one message of a request that is no stream.
  mutating func only() async throws -> [UInt8] {
    let exchange = call.exchange
    exchange.isCollecting = true
    defer { exchange.isCollecting = false }
    guard let message = try await next() else {
      throw RPCError(.invalidArgument, "the request has no message", isNotProcessed: true)
    }
    guard try await envelopes.next() == nil else {
      throw RPCError(
        .invalidArgument, "the request has more than one message", isNotProcessed: true)
    }
    return message
  }
}
