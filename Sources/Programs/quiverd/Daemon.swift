import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverObservability
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverTLS
import QuiverWire
import QuiverZstd

/// A running server with its store.
final class Daemon: Sendable {
  private let log: Log
  private let notifier: ServiceNotifier
  private let store: Store
  private let assembly: ServerAssembly
  private let server: Server
  private let tasks: [Task<Void, Never>]
  private let certificates: CertificateMonitor?
  private let backups: BackupScheduler?
  private let probes: ProbeListener?
  private let web: WebGateway?
  private let traces: TraceExporter?
  private let reloader: ConfigurationReloader

  private static let expiryMilliseconds = 500
  private static let countMilliseconds = 1_000
  /// The longest time that a server whose store failed waits until its replies are sent.
  private static let idleWaitMilliseconds = 250

  /// Opens the store, listens and serves.
  ///
  /// - Parameter readAgain: reads the configuration as it is at that time, for SIGHUP.
  convenience init(
    _ configuration: Configuration, _ log: Log, _ notifier: ServiceNotifier,
    readAgain: @escaping ConfigurationReloader.Read
  ) throws(Failure) {
    try Self.checkPlaintext(configuration)
    let descriptorCount = OpenFiles.raiseLimit()
    ProcessMemory.keepFreed()
    let store = try Self.openStore(configuration, log)
    do throws(Failure) {
      try self.init(
        store, configuration, log, notifier, descriptorCount: descriptorCount,
        readAgain: readAgain)
    } catch {
      // Its hooks refer to the server, which refers to it: nothing else closes it.
      store.close()
      throw error
    }
  }

  private init(
    _ store: Store, _ configuration: Configuration, _ log: Log, _ notifier: ServiceNotifier,
    descriptorCount: UInt64, readAgain: @escaping ConfigurationReloader.Read
  ) throws(Failure) {
    self.store = store
    self.log = log
    self.notifier = notifier
    if let byteCount = store.recoveredLogByteCount {
      log.write(.storeRecovered, ["log-bytes": "\(byteCount)"])
    }
    if let database = store.databaseStatus {
      log.write(
        .databaseOpened,
        [
          "database": database.name, "workers": "\(configuration.store.databaseWorkers)",
          "clock-ahead-ms": "\(database.clockDifferenceMilliseconds)",
        ])
    }
    if let reason = store.epochReason {
      log.write(
        .epochBegan, ["epoch": String(store.epoch, radix: 16), "reason": reason])
    }
    traces = try TracingInterceptor.exporter(configuration, log)
    let webToken = configuration.web.address == nil ? "" : WebGateway.makeToken()
    assembly = try Self.assemble(store, configuration, traces, webToken)
    let security = try Self.security(configuration)
    let serverLog = ServerLog(log)
    let counts = ConnectionCounts()
    server = try Self.makeServer(assembly, configuration, security, log, serverLog, counts)
    let pulse = ReactorPulse(server.reactors)
    certificates = security.map { CertificateMonitor($0, log) }
    backups = try BackupLog.start(store, configuration, log)
    reloader = ConfigurationReloader(
      configuration, server, certificates, backups, log, notifier, read: readAgain)
    var hooks = Self.hooks(log, assembly.state, server, isShared: store.isShared)
    hooks.tokensReplaced = { [tokens = assembly.expiringTokens] ends in tokens.note(ends) }
    store.install(hooks)
    assembly.connections.show(server)
    tasks = [
      Self.endExpired(assembly.expiringTokens, on: server),
      Self.each(milliseconds: Self.countMilliseconds) {
        serverLog.writeCounts()
        pulse.ask()
      },
      Self.each(milliseconds: (notifier.watchdogMilliseconds ?? 60_000) / 3) {
        if pulse.blockedSeconds == nil { notifier.alive() }
      },
    ]
    try Self.listen(server, configuration, log)
    web = try Self.webGateway(server, configuration, webToken, log)
    probes = try MetricsEndpoint.start(
      configuration,
      ServerMetrics(
        server: server, store: store, assembly: assembly, security: security, log: log,
        connections: counts, traces: traces, web: web), pulse, log)
    log.write(
      .serving,
      [
        "version": Quiverd.version, "data": configuration.dataDirectory,
        "shards": "\(server.reactors.count)", "descriptors": "\(descriptorCount)",
        "diagnostics": configuration.diagnostics ? "on" : "off",
      ])
    if access(store.directory.adminTokenPath, F_OK) == 0 {
      log.write(.administrator, ["token-file": store.directory.adminTokenPath])
    }
    notifier.ready()
    web?.start()
  }

  /// Finishes what is open and closes the store.
  func stop() async {
    notifier.stopping()
    backups?.cancel()
    // First, while its callers' calls are still answered.
    await web?.stop()
    assembly.state.startDrain()
    await server.drain()
    for task in tasks { task.cancel() }
    backups?.stop()
    store.close()
    probes?.stop()
    traces?.stop()
    log.write(.stopped)
  }

  private static func checkPlaintext(_ configuration: Configuration) throws(Failure) {
    guard !configuration.allowsPlaintext else { return }
    for endpoint in configuration.listen where !endpoint.isSecure {
      let addresses: [SocketAddress]
      do throws(EndpointError) {
        addresses = try endpoint.resolve(passive: true)
      } catch {
        throw Failure(.usage, "--listen \(endpoint): \(error)")
      }
      guard addresses.allSatisfy(\.isLoopback) else {
        throw Failure(
          .usage,
          "\(endpoint) is beyond this machine, where tokens and data would go unencrypted; listen"
            + " with TLS (tls://HOST:PORT), on 127.0.0.1 or on a unix: socket, or give"
            + " --allow-plaintext in a network that you trust")
      }
    }
  }

  /// The TLS of the listeners that use it; nil: none does.
  private static func security(_ configuration: Configuration) throws(Failure) -> TLSServer? {
    do throws(UsageError) {
      guard let wanted = try configuration.tls.serverConfiguration() else { return nil }
      do throws(SecureChannelError) {
        return try TLSServer(wanted)
      } catch {
        throw UsageError(error.description)
      }
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private static func openStore(
    _ configuration: Configuration, _ log: Log
  ) throws(Failure) -> Store {
    var opening = StoreConfiguration(directory: configuration.dataDirectory, hooks: hooks(log))
    opening.createsDatabase = configuration.initializes
    opening.databaseAddress = configuration.database
    opening.readDatabaseAddress = configuration.readDatabase
    configuration.store.apply(to: &opening)
    do throws(StoreError) {
      let store = try Store(opening)
      try AdministratorToken.makeFirst(in: store)
      return store
    } catch {
      throw Failure(ExitCode(openingFailed: error), error.message)
    }
  }

  private static func assemble(
    _ store: Store, _ configuration: Configuration, _ traces: TraceExporter?, _ webToken: String
  ) throws(Failure) -> ServerAssembly {
    var options = ServerAssembly.Options()
    options.interceptors = traces.map { [TracingInterceptor($0)] } ?? []
    options.diagnostics = configuration.diagnostics
    options.unixPrincipals = configuration.unixPrincipals
    options.gatewayPrincipals = configuration.gatewayPrincipals
    options.ownGatewayToken = Array(webToken.utf8)
    options.takesOpenOfficials = configuration.web.takesOfficials
    options.maxFailedTokensPerMinute = configuration.limits.maxFailedTokensPerMinute
    options.maxFailedInvitesPerMinute = configuration.limits.maxFailedInvitesPerMinute
    options.process = .ofThisProcess
    do throws(AssemblyError) {
      return try ServerAssembly(store, options)
    } catch {
      throw Failure(.internalFault, error.description)
    }
  }

  /// The gateway of the web mode, which has not started yet; nil: there is none.
  private static func webGateway(
    _ server: Server, _ configuration: Configuration, _ token: String, _ log: Log
  ) throws(Failure) -> WebGateway? {
    let place: WebOptions.Place?
    let wifi: WiFi?
    do throws(UsageError) {
      place = try configuration.web.place()
      wifi = try configuration.web.wifi()
    } catch {
      throw Failure(.usage, error.description)
    }
    guard let place else { return nil }
    let program = try WebGateway.program()
    let socket = try WebGateway.socketPath(configuration.dataDirectory)
    guard let endpoint = Endpoint("unix:\(socket)") else { return nil }
    do throws(EndpointError) {
      try server.listen(on: endpoint)
    } catch {
      throw Failure(.inUse, "--web: \(error)")
    }
    return WebGateway(
      place, configuration, wifi, program: program, socket: socket, token: token, log)
  }

  private static func makeServer(
    _ assembly: ServerAssembly, _ configuration: Configuration, _ security: TLSServer?,
    _ log: Log, _ serverLog: ServerLog, _ counts: ConnectionCounts
  ) throws(Failure) -> Server {
    var settings = Server.Configuration(
      router: assembly.router, authenticator: assembly.authenticator,
      identity: ServerIdentity(
        software: "quiverd/\(Quiverd.version)",
        instanceID: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
        schemaFingerprint: assembly.schemaFingerprint))
    settings.limits = configuration.limits
    settings.security = security
    settings.onSecurityFailure = { error, address in
      counts.record(error)
      serverLog.record(error, address: address)
    }
    if configuration.compression == .zstd { settings.compressor = Zstd() }
    settings.shardCount = configuration.shardCount
    settings.trustedProxies = configuration.trustedProxies
    settings.unixMode = configuration.unixMode
    settings.onLimit = {
      counts.record($0)
      serverLog.record($0)
    }
    settings.callMetrics = CallMetrics.Options()
    settings.callMetrics?.slowNanoseconds = UInt64(configuration.slowCallMilliseconds) * 1_000_000
    settings.callMetrics?.sampledEvery = configuration.loggedCallInterval
    settings.onOccurrence = {
      counts.record($0)
      serverLog.record($0, on: $1)
    }
    settings.onAcceptPaused = { isPaused, rejectedCount in
      if isPaused {
        log.write(.acceptPaused, ["rejected": "\(rejectedCount)"])
      } else {
        log.write(.acceptResumed, ["rejected": "\(rejectedCount)"])
      }
    }
    do throws(SystemError) {
      return try Server(settings)
    } catch {
      throw Failure(.inUse, "cannot make the event loops: \(error)")
    }
  }

  /// Lets the store end the process where it can write no more, and connections of revoked tokens.
  private static func hooks(
    _ log: Log, _ state: ServingState? = nil, _ server: Server? = nil, isShared: Bool = false
  ) -> StoreHooks {
    var hooks = StoreHooks(
      fatal: { error in
        state?.storeFailed()
        log.write(.storeFailed, ["reason": error.message])
        // What waited was answered just now: its callers may hear it.
        server?.awaitIdle(milliseconds: idleWaitMilliseconds)
        Quiverd.leave(.storeFailed, log)
      },
      permissionsEnded: { changes in
        server?.revalidate(EndedPermissions(changes))
        // Of several servers each logs all, as it reads them in the database.
        if changes.areFromTable == isShared { noteEnded(changes, log) }
      },
      checked: { damage in
        // Hooks that are installed later are notified again.
        if state == nil { return }
        if let damage {
          log.write(.storeDamaged, ["reason": damage.message])
        } else {
          log.write(.storeChecked)
        }
      })
    hooks.storingChanged = { error in
      // Hooks that are installed later are notified again.
      guard let state else { return }
      state.storingChanged(error.map { "the store cannot write: \($0.message)" })
      if let error {
        log.write(
          isShared && !error.isDiskFull ? .databaseFailed : .diskFull, ["reason": error.message])
      } else {
        log.write(isShared ? .databaseRecovered : .diskRecovered)
      }
    }
    hooks.replicaChanged = { error in
      if let error {
        log.write(.replicaFailed, ["reason": error.message])
      } else {
        log.write(.replicaRead)
      }
    }
    hooks.clockDiffered = { milliseconds in
      let isLong = milliseconds > StoreLimits.refusedClockDifferenceMilliseconds
      log.write(
        isLong ? .clockAhead : .clockDiffers, ["ahead-seconds": "\(milliseconds / 1_000)"])
    }
    return hooks
  }

  private static func noteEnded(_ changes: PermissionChanges, _ log: Log) {
    for (event, count) in [
      (Event.tokensRevoked, changes.tokenIDs.count),
      (.certificatesUnbound, changes.certificateBindingIDs.count),
      (.principalsEnded, changes.principalIDs.count),
      (.grantsChanged, changes.grantUserIDs.count),
    ] where count > 0 {
      log.write(event, ["count": "\(count)"])
    }
  }

  /// Ends the connections of tokens that expire while they are open.
  private static func endExpired(
    _ tokens: ExpiringTokens, on server: Server
  ) -> Task<Void, Never> {
    each(milliseconds: expiryMilliseconds) {
      var ended = EndedPermissions(tokenIDs: tokens.takeExpired())
      ended.actingUserIDs = Set(tokens.takeEndedShares())
      if ended != EndedPermissions() { server.revalidate(ended) }
    }
  }

  /// Runs `action` again and again until the task is cancelled.
  private static func each(
    milliseconds: Int, _ action: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task {
      while (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil { action() }
    }
  }

  private static func listen(
    _ server: Server, on socket: PassedSockets.Socket, allowsPlaintext: Bool, _ log: Log
  ) throws(Failure) {
    let address: SocketAddress
    do throws(EndpointError) {
      address = try server.listen(adopting: socket.descriptor, isSecure: socket.isSecure)
    } catch {
      throw Failure(.usage, error.description)
    }
    guard socket.isSecure || address.isLoopback || allowsPlaintext else {
      throw Failure(
        .usage,
        "the socket \(address) is beyond this machine and has no TLS; name it tls, or give"
          + " --allow-plaintext in a network that you trust")
    }
    log.write(
      .listening,
      [
        "address": (socket.isSecure ? Endpoint.secureScheme : "") + "\(address)",
        "from": "service-manager",
      ])
  }

  private static func listen(
    _ server: Server, _ configuration: Configuration, _ log: Log
  ) throws(Failure) {
    for socket in configuration.passedSockets {
      try listen(server, on: socket, allowsPlaintext: configuration.allowsPlaintext, log)
    }
    for endpoint in configuration.listen {
      do throws(EndpointError) {
        for address in try server.listen(on: endpoint) {
          log.write(
            .listening,
            [
              "address": address.isUnix
                ? endpoint.description
                : (endpoint.isSecure ? Endpoint.secureScheme : "") + "\(address)"
            ])
        }
      } catch {
        throw Failure(.inUse, error.description)
      }
    }
  }
}

extension Server: ConnectionDirectory {}
