import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverGateway
import QuiverObservability

/// The settings of the flags, the environment and the configuration file.
struct GatewayOptions: Sendable, Equatable {
  var listen: [Endpoint] = []
  /// Listeners for everybody, without TLS: only tokens that may be read are taken there.
  var openListen: [Endpoint] = []
  /// A socket of the program that has started this one; nil: no program that stays.
  var parentDescriptor: Int32?
  /// Listening sockets of the service manager.
  var passedSockets: [PassedSockets.Socket] = []
  var server = "127.0.0.1:7450"
  var tokenFile: String?
  var trustedRoots: String?
  var certificate: String?
  var key: String?
  var allowedOrigins: [String] = []
  /// Names by which callers reach the gateway, beside addresses and `localhost`.
  var allowedHosts: [String] = []
  /// By which phones reach the pages; nil: it is not known.
  var publicAddress: String?
  /// The pages let judges and helpers at check-in sign in at open listeners, as the server does.
  var takesOfficials = false
  var allowsPlaintextTokens = false
  /// Listen without TLS beyond loopback, though tokens are not encrypted.
  var allowsPlaintextListeners = false
  /// The permissions of the files of Unix sockets.
  var unixMode: UInt32 = 0o600
  var logLevel = LogLevel.info
  var logFormat = LogFormat.logfmt
  /// One of this number of calls is logged; 0: none.
  var loggedCallInterval = 0
  /// Where metrics and probes are answered; nil: nowhere.
  var metrics: Endpoint?
  var limits = GatewayLimits()
  /// Networks whose connections begin with a PROXY protocol header.
  var trustedProxies = TrustedNetworks()
  /// The same as it was written.
  var trustedProxyText = ""

  static let defaultEndpoint = "127.0.0.1:7480"

  /// The same with those values of `new` that a running gateway can take.
  func taking(reloadable new: GatewayOptions) -> GatewayOptions {
    var result = self
    result.logLevel = new.logLevel
    result.trustedProxies = new.trustedProxies
    result.trustedProxyText = new.trustedProxyText
    result.limits.maxConnections = new.limits.maxConnections
    result.limits.maxConnectionsPerAddress = new.limits.maxConnectionsPerAddress
    return result
  }
}

extension Settings where Values == GatewayOptions {
  static var environmentPrefix: String { "QUIVER_GATEWAY_" }

  /// - Parameters:
  ///   - commandLine: in order; `--config` names the file.
  ///   - environment: of the process.
  init(
    commandLine: [Setting<GatewayOptions>], environment: [String: String]
  ) throws(UsageError) {
    try self.init(
      Flag.all, commandLine: commandLine, environment: environment,
      prefix: Self.environmentPrefix)
  }

  /// The options of a gateway. Throws what does not go together.
  func options(_ passed: PassedSockets) throws(UsageError) -> GatewayOptions {
    var options = try values(GatewayOptions())
    options.passedSockets = passed.sockets
    if options.listen.isEmpty, options.openListen.isEmpty, passed.sockets.isEmpty,
      let endpoint = Endpoint(GatewayOptions.defaultEndpoint)
    {
      options.listen = [endpoint]
    }
    if let open = options.openListen.first, options.tokenFile == nil,
      options.parentDescriptor == nil
    {
      throw UsageError(
        "--open-listen \(open) needs --token-file FILE: the server decides what is taken there, and"
          + " the gateway asks it whether it does")
    }
    if options.tokenFile != nil, options.parentDescriptor != nil {
      throw UsageError("--token-file and --parent do not go together: both give a token")
    }
    guard (options.certificate == nil) == (options.key == nil) else {
      throw UsageError("--tls-certificate and --tls-key go together")
    }
    let secure = options.listen.first(where: \.isSecure)
    if let secure, options.certificate == nil {
      throw UsageError("--listen \(secure) needs --tls-certificate FILE and --tls-key FILE")
    }
    if passed.sockets.contains(where: \.isSecure), options.certificate == nil {
      throw UsageError("the socket named tls needs --tls-certificate FILE and --tls-key FILE")
    }
    if secure == nil, options.certificate != nil, !passed.sockets.contains(where: \.isSecure) {
      throw UsageError(
        "--tls-certificate is for a listener with TLS: give one, --listen tls://HOST:PORT")
    }
    return options
  }
}
