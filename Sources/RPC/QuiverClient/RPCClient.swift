import QuiverDispatch
public import QuiverProtobuf
public import QuiverRPC
import QuiverWire
import Synchronization

/// Calls the methods of an RPC server.
///
/// One client serves a whole program, and may be used from any task. It opens a connection for the
/// first call, further ones when every connection has as many calls as the server allows, and new
/// ones when connections are lost or the server drains. While no connection can be made, the delays
/// between attempts grow, and calls fail at once unless they ask to wait.
///
/// A call that was certainly not processed because its connection ended is sent again on another
/// one. A call that ends UNAVAILABLE is retried where a second execution has no second effect:
/// methods that change nothing, and calls with an idempotency key, which every call of a mutating
/// method carries. ``ChannelLimits`` has the numbers.
///
/// Where servers state positions of the store that they share, the client states the latest one in
/// its calls, so that no server answers from an older state than the client has seen.
///
/// A unary call has a deadline, ``Configuration/defaultTimeout`` unless its options say otherwise,
/// which covers everything from connecting to reading the reply. Cancelling the task that awaits a
/// call cancels the call, here and at the server. A failed call throws an `RPCError`, which says
/// which side ended the call, why, and whether the call may have been processed.
public final class RPCClient: Sendable {
  /// What the client was created with.
  public let configuration: Configuration
  let channel: Channel
  private let coder = Mutex(MessageCoder())

  /// One of each kind for the process: its threads are shared by all clients.
  private static let transport = Result { () throws(SystemError) in
    try DispatchTransport(readiness: ReadinessMechanism.available[0])
  }
  private static let sourceTransport = Result { () throws(SystemError) in
    try DispatchTransport(readiness: .dispatchSources)
  }

  /// Creates a client; it connects for the first call.
  ///
  /// Throws INVALID_ARGUMENT if an address is malformed or a limit is out of range.
  public convenience init(_ configuration: Configuration = Configuration()) throws(RPCError) {
    guard !configuration.servers.isEmpty else {
      throw Self.refusal("a client needs the address of a server: \(Endpoint.forms)")
    }
    var endpoints: [Endpoint] = []
    for server in configuration.servers {
      guard let endpoint = Endpoint(server) else {
        throw Self.refusal(
          "the server's address is \(Endpoint.forms), not \"\(server)\"")
      }
      guard !endpoint.isSecure || configuration.security != nil else {
        throw Self.refusal(
          "\(server) is reached by TLS: set the configuration's security, to .tls() for instance")
      }
      endpoints.append(endpoint)
    }
    if let fault = configuration.limits.validate() { throw Self.refusal(fault) }
    let usesSources =
      configuration.usesDispatchSources || ReadinessMechanism.standard == .dispatchSources
    switch usesSources ? Self.sourceTransport : Self.transport {
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
    _ configuration: Configuration, transport: Carrier, endpoints: [Carrier.Endpoint],
    positions: KnownPosition = KnownPosition()
  ) {
    self.configuration = configuration
    let token = CurrentToken(configuration.tokenSource, otherwise: configuration.token ?? "")
    let options = ConnectOptions(
      token: token.value, software: configuration.software,
      allowsPlaintextToken: configuration.allowsPlaintextToken,
      compressor: configuration.compression, security: configuration.security)
    channel = Channel(
      configuration.limits,
      ChannelTransport(
        transport, endpoints, options, token, gatewayToken: configuration.gatewayToken),
      positions: positions)
  }

  /// A client over any transport.
  package convenience init<Carrier: Transport>(
    _ configuration: Configuration, transport: Carrier, endpoint: Carrier.Endpoint,
    positions: KnownPosition = KnownPosition()
  ) {
    self.init(
      configuration, transport: transport, endpoints: [endpoint], positions: positions)
  }

  /// Calls a method and returns its reply.
  public func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    try await reply(to: method, request, options: options).message
  }

  /// Calls a method and returns its reply with the initial and trailing metadata.
  public func reply<Request: Message, Response: Message>(
    to method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<Response> {
    try await outcome(method.info, options) { options in
      UnaryCall<Response>(
        method.info, message: encode(request), deadlineNanoseconds: deadline(options),
        options: options.head(method.info, configuration, channel.positions.value), route: channel)
    }
  }

  /// Calls a unary method with an encoded request and returns the encoded reply.
  package func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<[UInt8]> {
    try await outcome(method, options) { options in
      EncodedCall(
        method, message: request, deadlineNanoseconds: deadline(options),
        options: options.head(method, configuration, channel.positions.value), route: channel)
    }
  }

  /// Calls a unary method with an encoded request; `report` receives the outcome once, on the
  /// reactor of the connection or on another thread. Returns the call, to cancel it.
  ///
  /// For clients without interceptors.
  package func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions,
    report: @escaping ReportedCall.Report
  ) -> ReportedCall {
    precondition(configuration.interceptors.isEmpty, "a reported call has no interceptors")
    let call = ReportedCall(
      method, message: request, deadlineNanoseconds: deadline(options),
      options: options.head(method, configuration, channel.positions.value), route: channel,
      report: report)
    call.send()
    return call
  }

  /// Starts a call, after its interceptors, and waits for its end.
  private func outcome<Value>(
    _ method: MethodInfo, _ options: CallOptions,
    _ make: (CallOptions) -> PendingCall<Value>
  ) async throws(RPCError) -> Reply<Value> {
    guard configuration.interceptors.isEmpty else {
      let call = try InterceptedCall(
        method, options, configuration.interceptors, channel.transport.now)
      let pending = make(call.options)
      let outcome = await pending.outcome()
      switch outcome {
      case .success: call.ended(nil, attemptCount: pending.attemptCount)
      case .failure(let error): call.ended(error, attemptCount: pending.attemptCount)
      }
      return try outcome.get()
    }
    return try await make(options).outcome().get()
  }

  /// The software of the server by its HELLO, `quiverd/0.1.0` for instance; nil before the first
  /// connection is made.
  package var serverSoftware: String? { channel.state.withLock { $0.serverSoftware } }

  /// How many connections take calls or are being made.
  package var connectionCount: Int { channel.connectionCount }

  /// The latest position of the servers' store that the client has seen.
  package var positions: KnownPosition { channel.positions }

  /// Ends the back-off: the next connection is tried at once.
  ///
  /// For programs that learn that the network has changed, for example that the device is online
  /// again.
  public func reconnect() { channel.reconnect() }

  /// Takes no more calls, and returns when every call has ended and every connection is closed.
  ///
  /// Open calls, streams included, may end by themselves within the grace period. After it, or as
  /// soon as the task that closes is cancelled, they end CANCELLED. May be called more than once.
  ///
  /// - Parameter gracePeriod: how long open calls may go on.
  public func close(gracePeriod: Duration = .seconds(10)) async {
    await channel.close(gracePeriod: gracePeriod)
  }

  /// Waits until the task is cancelled or the client is closed, then closes the client.
  ///
  /// For programs whose services each run in a task of their own until a signal cancels it.
  ///
  /// - Parameter gracePeriod: how long open calls may go on after the task is cancelled.
  public func run(gracePeriod: Duration = .seconds(10)) async {
    await channel.waitForClose()
    // A task of its own, since in a cancelled one the calls would have no grace period.
    let channel = channel
    await Task { await channel.close(gracePeriod: gracePeriod) }.value
  }

  func encode(_ request: some Message) -> [UInt8] { coder.withLock { $0.encode(request) } }

  private func deadline(_ options: CallOptions) -> UInt64 {
    options.deadline(standard: configuration.defaultTimeout, now: channel.transport.now())
  }
}
