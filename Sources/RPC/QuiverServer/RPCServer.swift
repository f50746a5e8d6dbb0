import Dispatch
import QuiverDispatch
import QuiverObservability
import QuiverPlatform
public import QuiverRPC
import QuiverTLS
import QuiverWire
import Synchronization

/// Answers the calls of services.
///
///     let server = try RPCServer(.init(addresses: ["127.0.0.1:7450"], services: [inventory]))
///     try await server.run()
///
/// `run()` serves until its task is cancelled, then refuses further calls, lets open ones end, and
/// returns. Beside the services the server answers `quiver.v1.Health` and `quiver.v1.Reflection`.
public final class RPCServer: Sendable {
  /// What the server was created with.
  public let configuration: Configuration
  /// Whether the server and its services accept calls, as Health states it.
  public let health: HealthState
  private let server: Server
  private let security: TLSServer?
  private let endpoints: [Endpoint]
  private let metricsEndpoint: Endpoint?
  private let state = Mutex(State())

  private struct State {
    var addresses: [String]?
    var isRunning = false
    var shutDown: ShutDownSignal?
    var isShutDown = false
    var probes: ProbeListener?
  }

  /// The services of a server, where it listens, and how it treats callers.
  public struct Configuration: Sendable {
    /// Where the server listens, each `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`, with `tls://` in
    /// front of the first two where connections are encrypted. With port 0 the system chooses one.
    public var addresses: [String]
    /// The services.
    public var services: [Service]
    /// Finds who calls.
    public var identity: any IdentityProvider = PeerIdentityProvider()
    /// The certificate for addresses with `tls://`; nil: there are none.
    public var security: ServerSecurity?
    /// The limits.
    public var limits = ServerLimits()
    /// Run before and after each call, in order.
    public var interceptors: [any ServerInterceptor] = []
    /// Compresses messages where the client does so too, for example `Zstd()` of QuiverZstd; nil:
    /// none.
    public var compression: (any Compressor)?
    /// Where `/metrics`, `/livez` and `/readyz` are answered over HTTP, `HOST:PORT`; nil: nowhere.
    public var metricsAddress: String?
    /// Whether Reflection answers, which gateways and `quiver call` need.
    public var offersReflection = true
    /// The threads that serve connections; 0: one for each core.
    public var threadCount = 0
    /// The name of the program, which clients see.
    public var software = "quiver-server"

    /// Creates a configuration.
    public init(addresses: [String], services: [Service]) {
      self.addresses = addresses
      self.services = services
    }
  }

  /// Creates a server; it listens from ``start()`` or ``run()`` on.
  ///
  /// Throws a ``ServerError`` if the services, an address, a limit or the certificate cannot be
  /// used.
  public init(_ configuration: Configuration) throws(ServerError) {
    self.configuration = configuration
    let schemas = try ServiceSchemas(configuration.services)
    let limits = try configuration.limits.limits()
    endpoints = try configuration.addresses.map(Self.endpoint)
    guard !endpoints.isEmpty else {
      throw ServerError(.address, "addresses: a server needs an address: \(Endpoint.forms)")
    }
    metricsEndpoint = try configuration.metricsAddress.map(Self.endpoint)
    security = try configuration.security?.context()
    guard security != nil || !endpoints.contains(where: \.isSecure) else {
      throw ServerError(.security, "an address with tls:// needs a certificate and a key")
    }
    health = HealthState()
    health.declare(schemas.serviceNames)
    let description = schemas.description()
    let router = Router(
      Self.routes(configuration, health, description), interceptors: configuration.interceptors)
    var bytes = Server.Configuration(
      router: router, authenticator: ProvidedIdentity(provider: configuration.identity),
      identity: ServerIdentity(
        software: configuration.software,
        instanceID: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
        schemaFingerprint: description.fingerprint))
    bytes.limits = limits
    bytes.compressor = configuration.compression
    bytes.security = security
    bytes.shardCount = configuration.threadCount
    bytes.callMetrics = CallMetrics.Options()
    do throws(SystemError) {
      server = try Server(bytes)
    } catch {
      throw ServerError(.state, "the threads of the server cannot be started: \(error)")
    }
  }

  deinit { server.stop() }

  private static func endpoint(_ text: String) throws(ServerError) -> Endpoint {
    guard let endpoint = Endpoint(text) else {
      throw ServerError(.address, "an address is \(Endpoint.forms), not \(text)")
    }
    return endpoint
  }

  private static func routes(
    _ configuration: Configuration, _ health: HealthState, _ description: DescribeResponse
  ) -> [Route] {
    let reflection = Route.synchronous(Reflection.describe) {
      [isOffered = configuration.offersReflection] request, _ throws(RPCError) in
      guard isOffered else {
        throw RPCError(.unimplemented, "this server offers no reflection", isNotProcessed: true)
      }
      guard request.knownFingerprint == description.fingerprint else { return description }
      var response = DescribeResponse()
      response.fingerprint = description.fingerprint
      response.unchanged = true
      return response
    }
    return health.routes + [reflection] + configuration.services.flatMap(\.routes)
  }

  // MARK: Life

  /// Listens, and returns the addresses with the ports that the system has chosen. Calls are
  /// answered from here on. Called again it returns the same.
  @discardableResult
  public func start() throws(ServerError) -> [String] {
    if let addresses = state.withLock({ $0.addresses }) { return addresses }
    var bound: [String] = []
    do throws(EndpointError) {
      for endpoint in endpoints {
        let scheme = endpoint.isSecure ? Endpoint.secureScheme : ""
        for address in try server.listen(on: endpoint) {
          bound.append(address.isUnix ? "\(endpoint)" : scheme + Self.text(address))
        }
      }
    } catch {
      server.stop()
      throw ServerError(.address, error.description)
    }
    let probes = try startProbes()
    state.withLock {
      $0.addresses = bound
      $0.probes = probes
    }
    return bound
  }

  private static func text(_ address: SocketAddress) -> String {
    address.host.contains(":")
      ? "[\(address.host)]:\(address.port)" : "\(address.host):\(address.port)"
  }

  /// Serves until the task is cancelled or ``shutDown()`` is called, then drains and returns.
  ///
  /// Open calls may go on for the limit `drainTime`; then they end CANCELLED. A handler that does
  /// not return by then does not hold the server up. Throws a ``ServerError`` if the server cannot
  /// listen, or was run before.
  public func run() async throws(ServerError) {
    let signal = ShutDownSignal()
    let (isFirst, isShutDown) = state.withLock { state in
      defer { state.isRunning = true }
      if !state.isRunning { state.shutDown = signal }
      return (!state.isRunning, state.isShutDown)
    }
    guard isFirst else { throw ServerError(.state, "a server runs once") }
    if isShutDown { signal.signal() }
    try start()
    await withTaskCancellationHandler {
      await signal.wait()
    } onCancel: {
      signal.signal()
    }
    health.startDrain()
    await server.drain()
    server.stop()
    let probes = state.withLock { $0.probes }
    probes?.stop()
  }

  /// The same until SIGTERM or SIGINT arrives, which then do not end the process.
  ///
  /// For programs that are a server and nothing else.
  public func runUntilTerminated() async throws(ServerError) {
    let queue = DispatchQueue(label: "quiver.signals")
    let handlers = [SIGTERM, SIGINT].map { number in
      SignalHandler(number, on: queue) { [weak self] in self?.shutDown() }
    }
    defer { withExtendedLifetime(handlers) {} }
    signal(SIGPIPE, SIG_IGN)
    try await run()
  }

  /// Makes ``run()`` drain and return, soon.
  public func shutDown() {
    let signal = state.withLock { state in
      state.isShutDown = true
      return state.shutDown
    }
    signal?.signal()
  }

  /// Ends every connection at once, without a drain, and ``run()`` with them.
  public func shutDownNow() {
    server.stop()
    shutDown()
  }

  /// Reads the files of the certificate again: new connections use what is in them.
  public func reloadCertificate() throws(ServerError) {
    do throws(SecureChannelError) {
      try security?.reload()
    } catch {
      throw ServerError(.security, "\(error)")
    }
  }

  /// Ends the connections of a principal, for example because it may no longer call.
  public func end(connectionsOf principal: Principal) {
    var ended = EndedPermissions()
    ended.principalIDs = [principal.number]
    server.revalidate(ended)
  }

  // MARK: Observing

  /// The connections that are open.
  public var connectionCount: Int { server.connectionCount }

  /// The metrics of the server in Prometheus' text format.
  public var metricsText: String { ServerMetrics(server: server).text }

  /// Where metrics are answered, `HOST:PORT`; empty: nowhere, or the server has not started.
  public var metricsAddresses: [String] { state.withLock { $0.probes?.addresses ?? [] } }

  private func startProbes() throws(ServerError) -> ProbeListener? {
    guard let metricsEndpoint else { return nil }
    guard case .tcp(let host, let port) = metricsEndpoint.kind, !metricsEndpoint.isSecure else {
      throw ServerError(.address, "metricsAddress: must be HOST:PORT")
    }
    do throws(ProbeListenerError) {
      return try ProbeListener(host: host, port: port) { [weak self] path in
        guard let self else { return ProbeReply(.unavailable, "the server has ended\n") }
        switch path {
        case "/metrics":
          return ProbeReply(.ok, metricsText, contentType: "text/plain; version=0.0.4")
        case "/livez": return ProbeReply(.ok, "ok\n")
        case "/readyz":
          return health.isServing
            ? ProbeReply(.ok, "ok\n") : ProbeReply(.unavailable, "the server does not serve\n")
        default: return ProbeReply(.notFound, "there is /metrics, /livez and /readyz\n")
        }
      }
    } catch {
      throw ServerError(.address, "\(error)")
    }
  }
}

/// Wakes one waiting task, once.
private final class ShutDownSignal: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isSignalled = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  func signal() {
    let waiting = state.withLock { state in
      state.isSignalled = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isSignalled = state.withLock { state in
        if !state.isSignalled { state.waiting = continuation }
        return state.isSignalled
      }
      if isSignalled { continuation.resume() }
    }
  }
}
