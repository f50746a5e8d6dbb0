import QuiverDispatch
public import QuiverProtobuf
public import QuiverRPC
import QuiverWire
import Synchronization

/// Calls a Quiver server.
///
/// One client serves a whole program: it may be used from any task, keeps one connection, makes it
/// when the first call comes and makes a new one when the server drains or the connection is lost.
/// A call that certainly had no effect because its connection ended is sent once more on another
/// one, unseen by the caller.
///
/// Every call has a deadline, ``Configuration/defaultTimeout`` unless its options say otherwise,
/// which covers everything from connecting to reading the reply. Cancelling the task that waits for
/// a call gives it up, here and at the server. A failed call throws an `RPCError`, which says which
/// side ended the call, why, and whether the call may have been processed.
public final class QuiverClient: Sendable {
  /// What the client was made with.
  public let configuration: Configuration
  let channel: Channel
  private let coder = Mutex(MessageCoder())

  /// One for the process: its threads are shared by all clients.
  private static let transport = Result { () throws(SystemError) in try DispatchTransport() }

  /// Makes a client; it connects when the first call comes.
  ///
  /// Throws INVALID_ARGUMENT where the server's address is none.
  public convenience init(_ configuration: Configuration = Configuration()) throws(RPCError) {
    guard let endpoint = Endpoint(configuration.server) else {
      throw RPCError(
        .invalidArgument,
        "the server's address is HOST:PORT, [IPv6]:PORT or unix:PATH, not"
          + " \"\(configuration.server)\"", isNotProcessed: true, origin: .client)
    }
    switch Self.transport {
    case .success(let transport):
      self.init(configuration, transport: transport, endpoint: endpoint)
    case .failure(let error):
      throw RPCError(
        .resourceExhausted, "no connections can be made: \(error)", isNotProcessed: true,
        origin: .client)
    }
  }

  /// A client over any transport.
  package init<Carrier: Transport>(
    _ configuration: Configuration, transport: Carrier, endpoint: Carrier.Endpoint
  ) {
    self.configuration = configuration
    let options = ConnectOptions(
      token: Array((configuration.token ?? "").utf8), software: configuration.software,
      allowsPlaintextToken: configuration.allowsPlaintextToken,
      compressor: configuration.compression)
    channel = Channel { transport.connect(to: endpoint, options) }
  }

  /// Calls a method and answers its reply.
  public func call<Request: Message, Response: Message>(
    _ method: Method<Request, Response>, _ request: Request, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    try await reply(to: method, request, options: options).message
  }

  /// Calls a method and answers its reply with the metadata around it.
  public func reply<Request: Message, Response: Message>(
    to method: Method<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<Response> {
    let message = encode(request)
    let end = try channel.end()
    let call = UnaryCall<Response>(
      method.info, message: message, deadlineNanoseconds: deadline(options, on: end),
      idempotencyKey: key(options, method.info), metadata: options.metadata, route: channel)
    return try await call.outcome(on: end).get()
  }

  /// Calls a unary method with an encoded request and answers the encoded reply.
  package func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<[UInt8]> {
    let end = try channel.end()
    let call = EncodedCall(
      method, message: request, deadlineNanoseconds: deadline(options, on: end),
      idempotencyKey: key(options, method), metadata: options.metadata, route: channel)
    return try await call.outcome(on: end).get()
  }

  /// Takes no more calls; those that are open finish, then the connection closes.
  public func close() { channel.close() }

  func encode(_ request: some Message) -> [UInt8] { coder.withLock { $0.encode(request) } }

  private func key(_ options: CallOptions, _ method: MethodInfo) -> IdempotencyKey? {
    options.idempotencyKey ?? (method.isMutating ? .random() : nil)
  }

  private func deadline(_ options: CallOptions, on end: ClientEnd) -> UInt64 {
    guard let timeout = options.timeout ?? configuration.defaultTimeout else { return 0 }
    return end.reactor.nowNanoseconds &+ Self.nanoseconds(timeout)
  }

  /// A timeout in nanoseconds, at least 0 and at most a hundred years.
  static func nanoseconds(_ timeout: Duration) -> UInt64 {
    let (seconds, attoseconds) = timeout.components
    let longest: Int64 = 100 * 366 * 86_400
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < longest else { return UInt64(longest) * 1_000_000_000 }
    return UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
