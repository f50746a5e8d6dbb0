import Glibc
import QuiverClient
import QuiverDispatch
import QuiverGateway
import QuiverRPC
import QuiverTLS
import QuiverWire

/// A gateway that listens.
struct RunningGateway {
  /// Where it listens, as it is written in an address.
  let addresses: [String]
  private let server: EndServer
  private let backend: Backend

  /// How long calls to the server may go on when the listeners are closed.
  private static let grace: Duration = .seconds(5)

  /// Listens. Throws what is wrong with a file or an address.
  init(_ options: Options) throws {
    var limits = GatewayLimits()
    if let count = options.maxConnections { limits.maxConnections = count }
    if let count = options.maxConnectionsPerAddress { limits.maxConnectionsPerAddress = count }
    backend = try Self.backend(options, limits)
    var gatewayConfiguration = Gateway.Configuration()
    gatewayConfiguration.limits = limits
    gatewayConfiguration.allowedOrigins = options.allowedOrigins
    gatewayConfiguration.page = BoardPages.page
    let gateway = Gateway(gatewayConfiguration, backend: backend)
    var configuration = EndServer.Configuration { address, reactor in
      gateway.makeEnd(address: address, reactor: reactor)
    }
    configuration.maxConnections = limits.maxConnections
    configuration.maxConnectionsPerAddress = limits.maxConnectionsPerAddress
    if let certificate = options.certificate, let key = options.key {
      configuration.security = try TLSServer(
        .init(
          certificateFile: certificate, keyFile: key,
          applicationProtocols: ApplicationProtocols(["h2", "http/1.1"], isRequired: false)))
    }
    server = try EndServer(configuration)
    var addresses: [String] = []
    for text in options.listen {
      guard let endpoint = Endpoint(text) else {
        throw UsageError("--listen: \(text) is not HOST:PORT, tls://HOST:PORT or unix:PATH")
      }
      let prefix = endpoint.isSecure ? Endpoint.secureScheme : ""
      addresses += try server.listen(on: endpoint).map { prefix + $0.description }
    }
    self.addresses = addresses
  }

  private static func backend(_ options: Options, _ limits: GatewayLimits) throws -> Backend {
    var configuration = RPCClient.Configuration(server: options.server)
    configuration.software = "quiver-gateway"
    configuration.allowsPlaintextToken = options.allowsPlaintextTokens
    if options.server.hasPrefix(Endpoint.secureScheme) {
      let roots = options.trustedRoots.map { TLSConfiguration.TrustedRoots.file($0) }
      configuration.security = try .tls(TLSConfiguration(trustedRoots: roots ?? .system))
    }
    let file = options.tokenFile
    let source = file.map { TokenSource.file($0) }
    if let file, source?.token() == nil {
      throw UsageError("--token-file: \(file) cannot be read, or holds no token")
    }
    return try Backend(configuration, limits: limits) { source?.token() }
  }

  /// Accepts no more, lets open requests end, and closes the connections to the server.
  func stop() async {
    await server.drain()
    await backend.close(gracePeriod: Self.grace)
  }
}
