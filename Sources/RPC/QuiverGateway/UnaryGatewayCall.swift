import QuiverClient
import QuiverRPC
import QuiverWire

/// A call whose request and reply are one message each, from its body to its answer: one object,
/// which each step keeps. Used on the exchange's reactor, unless stated otherwise.
final class UnaryGatewayCall: BodyCollector, Sendable {
  private let call: GatewayCall
  private let target: CallTarget
  private let context: RequestContext
  private let isJSON: Bool
  /// The message of the request is compressed, where its envelope does not say.
  private let isGzip: Bool

  private var exchange: HTTPExchange { call.exchange }

  init(
    _ call: GatewayCall, _ target: CallTarget, _ context: RequestContext, isJSON: Bool, isGzip: Bool
  ) {
    self.call = call
    self.target = target
    self.context = context
    self.isJSON = isJSON
    self.isGzip = isGzip
  }

  private var form: ReplyForm { call.replyForm(target.method, isJSON: isJSON) }

  // MARK: The request

  func collected(_ body: Result<UnsafeRawBufferPointer, RPCError>) {
    do throws(RPCError) {
      let bytes = try body.get()
      receive(
        call.dialect.isEnveloped
          ? try EnvelopeReader.only(bytes, isGzip: isGzip)
          : ReceivedMessage(bytes: Array(bytes), isCompressed: isGzip))
    } catch {
      call.fail(error)
    }
  }

  /// Converts the message of the request and sends it.
  func receive(_ message: ReceivedMessage) {
    let form = call.requestForm(target.method, context, isJSON: isJSON)
    if form.takes(message) { return send(message.bytes) }
    guard form.isLarge(message) else {
      let result = Result { () throws(MessageFault) in try form.encoded(message) }
      return send(result, of: message)
    }
    call.convert(message, form, target) { self.send($0, of: message) }
  }

  private func send(_ converted: Result<[UInt8], MessageFault>, of message: ReceivedMessage) {
    do throws(RPCError) {
      let request = try call.encoded(converted)
      if message.isCompressed { try exchange.keep(request.count) }
      send(request)
    } catch {
      call.end(call.writer(isJSON: isJSON), error)
    }
  }

  /// Sends the encoded message of the request.
  func send(_ request: [UInt8]) {
    guard let method = target.method else { return }
    let sent = target.client.callEncoded(method, request, options: context.options) {
      self.ended($0)
    }
    exchange.began(sent)
  }

  // MARK: The reply

  /// The call has ended. On any thread.
  private func ended(_ outcome: Result<ReceivedReply, RPCError>) {
    target.caller.note(outcome)
    let exchange = call.exchange
    guard exchange.reactor.isCurrent else {
      let kept = outcome.map { $0.kept }
      return exchange.reactor.run { self.answer(kept) }
    }
    if call.isPlain, !exchange.isOver, case .success(let reply) = outcome,
      reply.initialMetadata.isEmpty, reply.trailingMetadata.isEmpty
    {
      exchange.finishedWork()
      exchange.ended(.ok)
      return exchange.batch { GRPCWriter.answer(exchange, reply.bytes) }
    }
    answer(outcome.map { $0.kept })
  }

  /// Writes the outcome of the call.
  private func answer(_ outcome: Result<Reply<[UInt8]>, RPCError>) {
    let form = form
    guard !exchange.isOver, case .success(let reply) = outcome else {
      return finish(outcome.map { ($0, ReplyBody(bytes: [], isCompressed: false)) })
    }
    guard form.isLarge(reply.message.count) else {
      return finish(Result { () throws(RPCError) in (reply, try form.body(of: reply.message)) })
    }
    call.inTurn(of: target.caller, isRefusable: false) { () throws(RPCError) in
      (reply, try form.body(of: reply.message))
    } then: {
      self.finish($0)
    }
  }

  private func finish(_ outcome: Result<(Reply<[UInt8]>, ReplyBody), RPCError>) {
    exchange.finishedWork()
    guard !exchange.isOver else { return }
    let writer = call.writer(isJSON: isJSON)
    exchange.batch {
      do throws(RPCError) {
        let (reply, body) = try outcome.get()
        writer.begin(reply.initialMetadata)
        writer.send(body)
        exchange.ended(.ok)
        writer.end(nil, reply.trailingMetadata)
      } catch {
        call.end(writer, error)
      }
    }
  }
}
