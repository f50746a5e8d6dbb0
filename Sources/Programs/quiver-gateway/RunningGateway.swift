import Glibc
import QuiverClient
import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverGateway
import QuiverMetrics
import QuiverObservability
import QuiverRPC
import QuiverTLS
import QuiverWire

/// A gateway that listens.
final class RunningGateway: Sendable {
  private let log: Log
  private let notifier: ServiceNotifier
  private let server: EndServer
  private let gateway: Gateway
  private let backend: Backend
  private let certificates: CertificateMonitor?
  private let reloader: GatewayReloader
  private let probes: ProbeListener?
  private let state: GatewayState
  private let tasks: [Task<Void, Never>]

  /// How long calls to the server may continue after the listeners are closed.
  private static let grace: Duration = .seconds(5)
  /// How often a stopped gateway looks whether the tasks of its requests have ended.
  private static let keptChecks = 200
  private static let countMilliseconds = 1_000
  /// How often, and at which intervals, the server is asked what it takes without encryption.
  private static let openChecks = 50
  private static let openCheckMilliseconds = 200
  /// How often the server is asked whether it takes calls.
  private static let healthMilliseconds = 2_000

  /// Listens, unless callers without a token are somebody for the server.
  ///
  /// - Parameter readAgain: reads the options as they are at that time, for SIGHUP.
  init(
    _ options: GatewayOptions, _ log: Log, _ notifier: ServiceNotifier,
    readAgain: @escaping GatewayReloader.Read
  ) async throws(GatewayProgram.Failure) {
    self.log = log
    self.notifier = notifier
    try Self.checkPlaintext(options)
    let descriptorCount = OpenFiles.raiseLimit()
    let gatewayLog = GatewayLog(log)
    let observer = GatewayObserver(sampledEvery: options.loggedCallInterval) {
      gatewayLog.record($0)
    }
    let security = try Self.security(options)
    let parent = try ParentProgram(options)
    backend = try Self.backend(options, observer, parent)
    if let identity = await backend.borrowedIdentity() { throw .init(.usage, identity) }
    try await Self.checkOpenListeners(options, backend)
    gateway = Self.gateway(options, observer, backend)
    let refusals = SecurityRefusals()
    let state = GatewayState()
    self.state = state
    server = try Self.server(
      options, gateway, observer, security, gatewayLog, refusals, state, log)
    certificates = security.map { CertificateMonitor($0, log) }
    let backend = backend
    reloader = GatewayReloader(
      options, server, certificates, log, notifier, read: readAgain
    ) { Task { state.serverIs(await backend.fault(), log) } }
    let pulse = ReactorPulse(server.reactors)
    tasks = [
      Self.each(milliseconds: Self.countMilliseconds) {
        gatewayLog.writeCounts()
        pulse.ask()
      },
      Self.each(milliseconds: (notifier.watchdogMilliseconds ?? 60_000) / 3) {
        if pulse.blockedSeconds == nil { notifier.alive() }
      },
      Self.each(milliseconds: Self.healthMilliseconds, isFirstAtOnce: true) {
        state.serverIs(await backend.fault(), log)
      },
    ]
    try Self.listen(server, gateway, options, log)
    let metrics = ProgramMetrics(
      gateway: GatewayMetrics(gateway, backend, observer), server: server, security: security,
      refusals: refusals, state: state, log: log)
    let (gateway, server) = (gateway, server)
    probes = try Self.probes(options, metrics, pulse, log) {
      state.fault ?? gateway.fault ?? (server.isFull ? "no further connection is accepted" : nil)
    }
    log.write(
      .serving,
      [
        "version": GatewayProgram.version, "server": options.server,
        "shards": "\(server.reactors.count)", "descriptors": "\(descriptorCount)",
      ])
    notifier.ready()
    parent?.serves { GatewayProgram.leave(.interrupted, log) }
  }

  /// Accepts no more, lets open requests end, and closes the connections to the server.
  func stop() async {
    notifier.stopping()
    state.startDrain()
    await server.drain()
    for task in tasks { task.cancel() }
    await backend.close(gracePeriod: Self.grace)
    await reportKept()
    probes?.stop()
    log.write(.stopped)
  }

  /// No connection is left: whatever requests still hold is a defect.
  private func reportKept() async {
    for _ in 0..<Self.keptChecks where gateway.kept != (0, 0, 0) {
      try? await Task.sleep(for: .milliseconds(10))
    }
    let kept = gateway.kept
    guard kept != (0, 0, 0) else { return }
    log.write(
      .requestsKept,
      ["requests": "\(kept.requests)", "bytes": "\(kept.bytes)", "tasks": "\(kept.tasks)"])
  }

  // MARK: Making

  private static func checkPlaintext(
    _ options: GatewayOptions
  ) throws(GatewayProgram.Failure) {
    guard !options.allowsPlaintextListeners else { return }
    for endpoint in options.listen where !endpoint.isSecure {
      let addresses: [SocketAddress]
      do throws(EndpointError) {
        addresses = try endpoint.resolve(passive: true)
      } catch {
        throw .init(.usage, "--listen \(endpoint): \(error)")
      }
      try checkPlaintext(addresses, "\(endpoint)")
    }
  }

  private static func checkPlaintext(
    _ addresses: [SocketAddress], _ name: String
  ) throws(GatewayProgram.Failure) {
    guard addresses.allSatisfy(\.isLoopback) else {
      throw .init(
        .usage,
        "\(name) is beyond this machine, where the tokens of callers would go unencrypted; listen"
          + " with TLS (tls://HOST:PORT), on 127.0.0.1 or on a unix: socket, or give"
          + " --allow-plaintext-listen in a network that you trust")
    }
  }

  /// Waits for the server, and throws where it takes every token that came without encryption.
  private static func checkOpenListeners(
    _ options: GatewayOptions, _ backend: Backend
  ) async throws(GatewayProgram.Failure) {
    guard let open = options.openListen.first else { return }
    for _ in 0..<openChecks {
      if let admits = await backend.admitsByListener() {
        if admits { return }
        throw .init(
          .usage,
          "--open-listen \(open): the server takes any token there; it is older than this gateway,"
            + " or --gateway-principal does not name the service of the gateway's token")
      }
      try? await Task.sleep(for: .milliseconds(openCheckMilliseconds))
    }
    throw .init(
      .inUse, "--open-listen \(open): the server \(options.server) does not say what it takes there"
    )
  }

  private static func security(
    _ options: GatewayOptions
  ) throws(GatewayProgram.Failure) -> TLSServer? {
    guard let certificate = options.certificate, let key = options.key else { return nil }
    do throws(SecureChannelError) {
      return try TLSServer(
        .init(
          certificateFile: certificate, keyFile: key,
          applicationProtocols: ApplicationProtocols(["h2", "http/1.1"], isRequired: false)))
    } catch {
      throw .init(.usage, error.description)
    }
  }

  private static func backend(
    _ options: GatewayOptions, _ observer: GatewayObserver, _ parent: ParentProgram?
  ) throws(GatewayProgram.Failure) -> Backend {
    var configuration = RPCClient.Configuration(server: options.server)
    configuration.software = "quiver-gateway"
    configuration.allowsPlaintextToken = options.allowsPlaintextTokens
    if options.server.hasPrefix(Endpoint.secureScheme) {
      let roots = options.trustedRoots.map { TLSConfiguration.TrustedRoots.file($0) }
      do throws(SecureChannelError) {
        configuration.security = try .tls(TLSConfiguration(trustedRoots: roots ?? .system))
      } catch {
        throw .init(.usage, error.description)
      }
    }
    let file = options.tokenFile
    let source = file.map { TokenSource.file($0) }
    if let file, source?.token() == nil {
      throw .init(.usage, "--token-file: \(file) cannot be read, or contains no token")
    }
    do throws(RPCError) {
      return try Backend(configuration, limits: options.limits, observer: observer) {
        parent?.token ?? source?.token()
      }
    } catch {
      throw .init(.usage, error.message)
    }
  }

  private static func gateway(
    _ options: GatewayOptions, _ observer: GatewayObserver, _ backend: Backend
  ) -> Gateway {
    var configuration = Gateway.Configuration()
    configuration.limits = options.limits
    configuration.observer = observer
    configuration.allowedOrigins = Set(options.allowedOrigins.map { HTTPText($0) })
    configuration.hosts = ServedHosts(options.allowedHosts)
    configuration.page =
      PageFiles.naming(options.publicAddress, takesOfficials: options.takesOfficials).page
    return Gateway(configuration, backend: backend)
  }

  private static func server(
    _ options: GatewayOptions, _ gateway: Gateway, _ observer: GatewayObserver,
    _ security: TLSServer?, _ gatewayLog: GatewayLog, _ refusals: SecurityRefusals,
    _ state: GatewayState, _ log: Log
  ) throws(GatewayProgram.Failure) -> EndServer {
    var configuration = EndServer.Configuration { address, reactor in
      gateway.makeEnd(address: address, reactor: reactor)
    }
    configuration.maxConnections = options.limits.maxConnections
    configuration.maxConnectionsPerAddress = options.limits.maxConnectionsPerAddress
    configuration.security = security
    configuration.trustedProxies = options.trustedProxies
    configuration.unixMode = options.unixMode
    configuration.onRefused = { refusal, address in
      observer.reached(
        refusal == .connections ? .connections : .connectionsPerAddress, address: address)
    }
    configuration.onSecurityFailure = { error, address in
      refusals.record(error)
      gatewayLog.record(error, address: address)
    }
    configuration.onAcceptPaused = {
      state.acceptIsPaused($0)
      log.write($0 ? Event.acceptPaused : .acceptResumed)
    }
    do throws(SystemError) {
      return try EndServer(configuration)
    } catch {
      throw .init(.inUse, "cannot make the event loops: \(error)")
    }
  }

  private static func listen(
    _ server: EndServer, on socket: PassedSockets.Socket, _ options: GatewayOptions, _ log: Log
  ) throws(GatewayProgram.Failure) {
    let address: SocketAddress
    do throws(EndpointError) {
      address = try server.listen(adopting: socket.descriptor, isSecure: socket.isSecure)
    } catch {
      throw .init(.inUse, error.description)
    }
    if !socket.isSecure, !options.allowsPlaintextListeners {
      try checkPlaintext([address], "the socket \(address)")
    }
    log.write(
      .listening,
      [
        "address": (socket.isSecure ? Endpoint.secureScheme : "") + "\(address)",
        "from": "service-manager",
      ])
  }

  private static func listen(
    _ server: EndServer, _ gateway: Gateway, _ options: GatewayOptions, _ log: Log
  ) throws(GatewayProgram.Failure) {
    for endpoint in options.openListen {
      do throws(EndpointError) {
        let addresses = try server.listen(on: endpoint) { address, reactor in
          gateway.makeEnd(address: address, reactor: reactor, isOpen: true)
        }
        for address in addresses {
          log.write(.listening, ["address": address.description, "open": "yes"])
        }
      } catch {
        throw .init(.inUse, error.description)
      }
    }
    for socket in options.passedSockets { try listen(server, on: socket, options, log) }
    for endpoint in options.listen {
      let prefix = endpoint.isSecure ? Endpoint.secureScheme : ""
      do throws(EndpointError) {
        for address in try server.listen(on: endpoint) {
          log.write(.listening, ["address": prefix + address.description])
        }
      } catch {
        throw .init(.inUse, error.description)
      }
    }
  }

  private static func probes(
    _ options: GatewayOptions, _ metrics: ProgramMetrics, _ pulse: ReactorPulse, _ log: Log,
    _ fault: @escaping @Sendable () -> String?
  ) throws(GatewayProgram.Failure) -> ProbeListener? {
    guard let endpoint = options.metrics, case .tcp(let host, let port) = endpoint.kind else {
      return nil
    }
    let families = metrics.families
    do throws(ProbeListenerError) {
      let listener = try ProbeListener(host: host, port: port) { path in
        switch path {
        case "/metrics":
          return ProbeReply(.ok, Exposition.text(families), contentType: Exposition.contentType)
        case "/livez":
          guard let seconds = pulse.blockedSeconds else { return ProbeReply(.ok, "ok\n") }
          return ProbeReply(
            .unavailable, "an event loop has not answered for \(seconds) s\n")
        case "/readyz":
          guard let fault = fault() else { return ProbeReply(.ok, "ok\n") }
          return ProbeReply(.unavailable, fault + "\n")
        default: return ProbeReply(.notFound, "there is /metrics, /livez and /readyz\n")
        }
      }
      for address in listener.addresses { log.write(.metricsListening, ["address": address]) }
      return listener
    } catch {
      throw .init(.inUse, "--metrics: \(error)")
    }
  }

  /// Runs `action` again and again until the task is cancelled.
  private static func each(
    milliseconds: Int, isFirstAtOnce: Bool = false,
    _ action: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task {
      if isFirstAtOnce { await action() }
      while (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil { await action() }
    }
  }
}
