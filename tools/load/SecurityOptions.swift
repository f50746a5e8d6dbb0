import QuiverCredentials
import QuiverRPC
import QuiverTLS

/// The TLS flags.
struct SecurityOptions: Sendable, Equatable {
  /// Connects with TLS even if the address does not start with `tls://`.
  var isWanted = false
  var authoritiesFile: String?
  var certificateFile: String?
  var keyFile: String?
  var serverName: String?

  private static let scheme = Credentials.secureScheme

  /// Whether the connections have TLS.
  func isSecure(_ credentials: Credentials) -> Bool {
    credentials.server.value.hasPrefix(Self.scheme)
  }

  /// Takes what no flag names from a stored login.
  mutating func take(_ context: Context, authorities: Credentials.Setting?) {
    authoritiesFile = authoritiesFile ?? authorities?.value
    serverName = serverName ?? context.serverName
    if certificateFile == nil, keyFile == nil {
      (certificateFile, keyFile) = (context.certificate, context.key)
    }
  }

  /// The flags as they are given to an agent.
  var words: [String] {
    [
      ("--ca", authoritiesFile), ("--certificate", certificateFile), ("--key", keyFile),
      ("--server-name", serverName),
    ].flatMap { name, value in value.map { [name, $0] } ?? [] }
  }

  /// The security of connections to `server`; nil for none.
  ///
  /// - Parameter authorities: the file in `$QUIVER_CA`, which is used if no flag names one.
  func security(
    _ server: String, authorities: String? = nil
  ) throws(Failure) -> TransportSecurity? {
    guard server.hasPrefix(Self.scheme) else {
      guard self == SecurityOptions() else {
        throw Failure(
          .usage,
          "--ca, --certificate, --key and --server-name go with --tls or a tls:// address")
      }
      return nil
    }
    var configuration = TLSConfiguration()
    if let file = authoritiesFile ?? authorities { configuration.trustedRoots = .file(file) }
    configuration.serverName = serverName
    switch (certificateFile, keyFile) {
    case (nil, nil): break
    case (let certificate?, let key?):
      configuration.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    default: throw Failure(.usage, "--certificate and --key go together")
    }
    do throws(SecureChannelError) {
      return try .tls(configuration)
    } catch {
      throw Failure(.usage, error.description)
    }
  }
}
