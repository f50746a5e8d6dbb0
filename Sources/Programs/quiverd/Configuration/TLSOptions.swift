import QuiverCommandLine
import QuiverTLS

/// The TLS settings of the flags.
struct TLSOptions: Sendable, Equatable {
  var certificateFile: String?
  var keyFile: String?
  /// Whose certificates of clients are trusted; nil: clients are asked for none.
  var clientAuthoritiesFile: String?
  /// Whether a client must send one; nil if no flag states it.
  var clientMode: ClientMode?

  enum ClientMode: String, Sendable { case required, optional }

  /// The server's TLS; nil where no certificate was given. Throws what does not go together.
  func serverConfiguration() throws(UsageError) -> TLSServer.Configuration? {
    guard let certificateFile, let keyFile else {
      if certificateFile != nil { throw UsageError("--tls-certificate needs --tls-key FILE") }
      if keyFile != nil { throw UsageError("--tls-key needs --tls-certificate FILE") }
      if clientAuthoritiesFile != nil || clientMode != nil {
        throw UsageError("--tls-client-ca and --tls-client need --tls-certificate and --tls-key")
      }
      return nil
    }
    var configuration = TLSServer.Configuration(
      certificateFile: certificateFile, keyFile: keyFile)
    switch (clientAuthoritiesFile, clientMode) {
    case (nil, nil): break
    case (nil, .some): throw UsageError("--tls-client needs --tls-client-ca FILE")
    case (let file?, .optional): configuration.clientCertificates = .optional(authoritiesFile: file)
    case (let file?, _): configuration.clientCertificates = .required(authoritiesFile: file)
    }
    return configuration
  }

  static let flags = [
    Flag(
      "--tls-certificate", "FILE",
      "the certificate for tls:// listeners, PEM, followed by those between it and the root; read"
        + " again on SIGHUP and when it changes"
    ) { (value, configuration) throws(UsageError) in
      configuration.tls.certificateFile = value
    }
    .shown { $0.tls.certificateFile.map { [$0] } ?? [] },
    Flag(
      "--tls-key", "FILE", "its private key, PEM without a password"
    ) {
      (value, configuration) throws(UsageError) in
      configuration.tls.keyFile = value
    }
    .shown { $0.tls.keyFile.map { [$0] } ?? [] },
    Flag(
      "--tls-client-ca", "FILE",
      "certificates of the authorities that issue clients' certificates, PEM; clients are asked"
        + " for one"
    ) { (value, configuration) throws(UsageError) in
      configuration.tls.clientAuthoritiesFile = value
    }
    .shown { $0.tls.clientAuthoritiesFile.map { [$0] } ?? [] },
    Flag(
      "--tls-client", "required|optional",
      "whether a client must show a certificate; required by default"
    ) { (value, configuration) throws(UsageError) in
      guard let mode = ClientMode(rawValue: value) else {
        throw UsageError("--tls-client requires required or optional")
      }
      configuration.tls.clientMode = mode
    }
    .shown { $0.tls.clientMode.map { [$0.rawValue] } ?? [] },
  ]
}
