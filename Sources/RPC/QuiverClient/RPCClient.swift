import QuiverDispatch
public import QuiverProtobuf
public import QuiverRPC
import QuiverWire
import Synchronization

/// Calls a Quiver server.
///
/// One client serves a whole program: it may be used from any task, and keeps a few connections,
/// made when calls come and when those that are there take no more at once, and made anew when the
/// server drains or they are lost. While none can be made, the waits between attempts grow, and
/// calls fail at once unless they ask to wait.
///
/// A call that certainly had no effect because its connection ended is sent again on another one,
/// unseen by the caller. Calls that end UNAVAILABLE are made again where that cannot do harm:
/// methods that change nothing, and those that carry an idempotency key, as all that change
/// something do. ``ChannelLimits`` has the numbers of all that.
///
/// Every call has a deadline, ``Configuration/defaultTimeout`` unless its options say otherwise,
/// which covers everything from connecting to reading the reply. Cancelling the task that waits for
/// a call gives it up, here and at the server. A failed call throws an `RPCError`, which says which
/// side ended the call, why, and whether the call may have been processed.
public final class RPCClient: Sendable {
  /// What the client was made with.
  public let configuration: Configuration
  let channel: Channel
  private let coder = Mutex(MessageCoder())

  /// One for the process: its threads are shared by all clients.
  private static let transport = Result { () throws(SystemError) in try DispatchTransport() }

  /// Makes a client; it connects when the first call comes.
  ///
  /// Throws INVALID_ARGUMENT where a server's address is none or a limit cannot be.
  public convenience init(_ configuration: Configuration = Configuration()) throws(RPCError) {
    guard !configuration.servers.isEmpty else {
      throw Self.refusal("a client has at least one server's address, HOST:PORT or unix:PATH")
    }
    var endpoints: [Endpoint] = []
    for server in configuration.servers {
      guard let endpoint = Endpoint(server) else {
        throw Self.refusal(
          "the server's address is HOST:PORT, [IPv6]:PORT or unix:PATH, not \"\(server)\"")
      }
      endpoints.append(endpoint)
    }
    if let fault = configuration.limits.validate() { throw Self.refusal(fault) }
    switch Self.transport {
    case .success(let transport):
      self.init(configuration, transport: transport, endpoints: endpoints)
    case .failure(let error):
      throw RPCError(
        .resourceExhausted, "no connections can be made: \(error)", isNotProcessed: true,
        origin: .client)
    }
  }

  private static func refusal(_ reason: String) -> RPCError {
    RPCError(.invalidArgument, reason, isNotProcessed: true, origin: .client)
  }

  /// A client over any transport; the first endpoint is tried first.
  package init<Carrier: Transport>(
    _ configuration: Configuration, transport: Carrier, endpoints: [Carrier.Endpoint]
  ) {
    self.configuration = configuration
    let options = ConnectOptions(
      token: Array((configuration.token ?? "").utf8), software: configuration.software,
      allowsPlaintextToken: configuration.allowsPlaintextToken,
      compressor: configuration.compression)
    channel = Channel(
      configuration.limits, ChannelCarrier(transport, endpoints, options))
  }

  /// A client over any transport.
  package convenience init<Carrier: Transport>(
    _ configuration: Configuration, transport: Carrier, endpoint: Carrier.Endpoint
  ) {
    self.init(configuration, transport: transport, endpoints: [endpoint])
  }

  /// Calls a method and answers its reply.
  public func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    try await reply(to: method, request, options: options).message
  }

  /// Calls a method and answers its reply with the metadata around it.
  public func reply<Request: Message, Response: Message>(
    to method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<Response> {
    try await outcome(method.info, options) { options in
      UnaryCall<Response>(
        method.info, message: encode(request), deadlineNanoseconds: deadline(options),
        options: options.head(method.info, configuration), route: channel)
    }
  }

  /// Calls a unary method with an encoded request and answers the encoded reply.
  package func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<[UInt8]> {
    try await outcome(method, options) { options in
      EncodedCall(
        method, message: request, deadlineNanoseconds: deadline(options),
        options: options.head(method, configuration), route: channel)
    }
  }

  /// Makes a call, past the interceptors if there are any, and waits for its end.
  private func outcome<Value>(
    _ method: MethodInfo, _ options: CallOptions,
    _ make: (CallOptions) -> PendingCall<Value>
  ) async throws(RPCError) -> Reply<Value> {
    guard configuration.interceptors.isEmpty else {
      let call = try InterceptedCall(
        method, options, configuration.interceptors, channel.carrier.now)
      let outcome = await make(call.options).outcome()
      switch outcome {
      case .success: call.ended(nil)
      case .failure(let error): call.ended(error)
      }
      return try outcome.get()
    }
    return try await make(options).outcome().get()
  }

  /// Ends the wait that failed connections have led to: the next one is tried at once.
  ///
  /// For programs that know that things have changed, for example that the device is on line again.
  public func reconnect() { channel.reconnect() }

  /// Takes no more calls; those that are open finish, then the connections close.
  public func close() { channel.close() }

  func encode(_ request: some Message) -> [UInt8] { coder.withLock { $0.encode(request) } }

  private func deadline(_ options: CallOptions) -> UInt64 {
    options.deadline(standard: configuration.defaultTimeout, now: channel.carrier.now())
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
