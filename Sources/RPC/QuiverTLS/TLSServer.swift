import CTLS
import QuiverPlatform
package import QuiverRPC
import Synchronization

/// A server's side of TLS: its certificate, the clients' authorities and the ticket keys.
///
/// May be used from any thread. Open channels keep the certificate that they were created with.
package final class TLSServer: SecureServerContext {
  /// What a server shows and what it asks of clients; files are PEM.
  package struct Configuration: Sendable, Equatable {
    package var certificateFile: String
    package var keyFile: String
    package var clientCertificates: ClientCertificates
    /// What is spoken above TLS; nil: Quiver's protocol.
    package var applicationProtocols: ApplicationProtocols?

    package init(
      certificateFile: String, keyFile: String, clientCertificates: ClientCertificates = .none,
      applicationProtocols: ApplicationProtocols? = nil
    ) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.clientCertificates = clientCertificates
      self.applicationProtocols = applicationProtocols
    }
  }

  /// Whether clients show certificates; the authorities that may have issued them are in a file.
  package enum ClientCertificates: Sendable, Equatable {
    case none
    case optional(authoritiesFile: String)
    case required(authoritiesFile: String)

    var authoritiesFile: String? {
      switch self {
      case .none: nil
      case .optional(let file), .required(let file): file
      }
    }
  }

  private struct State {
    var context: TLSContext
    var certificate: CertificateValidity
    var stamps: [FileStamp]
    /// On the clock of ``TicketKeys/monotonicSeconds()``.
    var loadedAtSeconds: Int
  }

  private let configuration: Configuration
  private let ticketKeys: TicketKeys
  private let state: Mutex<State>

  /// Reads the files. Throws what is wrong with them.
  package convenience init(_ configuration: Configuration) throws(SecureChannelError) {
    try self.init(configuration, TicketKeys())
  }

  init(_ configuration: Configuration, _ ticketKeys: TicketKeys) throws(SecureChannelError) {
    self.configuration = configuration
    self.ticketKeys = ticketKeys
    state = Mutex(try Self.load(configuration, ticketKeys))
  }

  /// What new channels are made with.
  var context: TLSContext { state.withLock { $0.context } }

  package func makeChannel() -> (any SecureChannel)? {
    let context = context
    return TLSChannel(context, .server(context))
  }

  /// Reads the files again; new connections use what is in them. Throws what is wrong with them,
  /// and then what was used before stays.
  package func reload() throws(SecureChannelError) {
    let new = try Self.load(configuration, ticketKeys)
    state.withLock { $0 = new }
  }

  /// Reads the files again if one of them was changed; answers whether one was.
  package func reloadIfChanged() throws(SecureChannelError) -> Bool {
    let stamps = Self.stamps(configuration)
    let isChanged = state.withLock { state in
      // Files that cannot be read are not read again before they change.
      defer { state.stamps = stamps }
      return state.stamps != stamps
    }
    if isChanged { try reload() }
    return isChanged
  }

  /// Until when the certificate is valid, `2026-11-22 04:48 UTC`.
  package var certificateExpiry: String { state.withLock { $0.certificate.until } }

  /// Seconds until the certificate expires; negative behind that.
  package var certificateSecondsLeft: Int {
    let now = TicketKeys.monotonicSeconds()
    return state.withLock { $0.certificate.secondsLeft - (now - $0.loadedAtSeconds) }
  }

  // MARK: Files

  private static func load(
    _ configuration: Configuration, _ ticketKeys: TicketKeys
  ) throws(SecureChannelError) -> State {
    // Before the files are read: what is written meanwhile is read once more.
    let stamps = stamps(configuration)
    let context = try TLSContext(
      server: ticketKeys, speaks: configuration.applicationProtocols ?? .quiver)
    try context.use(
      certificate: configuration.certificateFile, key: configuration.keyFile)
    try verifyClients(context, configuration.clientCertificates)
    guard let certificate = SSL_CTX_get0_certificate(context.pointer) else {
      throw TLSErrors.file(configuration.certificateFile, "a certificate in PEM")
    }
    return State(
      context: context, certificate: CertificateValidity(certificate), stamps: stamps,
      loadedAtSeconds: TicketKeys.monotonicSeconds())
  }

  private static func verifyClients(
    _ context: TLSContext, _ clients: ClientCertificates
  ) throws(SecureChannelError) {
    var identifier = [UInt8](repeating: 0, count: 32)
    var mode = SSL_VERIFY_NONE
    switch clients {
    case .none: break
    case .optional: mode = SSL_VERIFY_PEER
    case .required: mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    }
    if let file = clients.authoritiesFile {
      try context.trust(file)
      guard let names = SSL_load_client_CA_file(file), let bytes = FileStamp.contents(file) else {
        throw TLSErrors.file(file, "certificates of authorities in PEM")
      }
      SSL_CTX_set_client_CA_list(context.pointer, names)
      // A ticket that was made for other authorities or another rule is not taken.
      let ruled = bytes + [UInt8(truncatingIfNeeded: mode)]
      EVP_Digest(ruled, ruled.count, &identifier, nil, EVP_sha256(), nil)
    }
    SSL_CTX_set_verify(context.pointer, mode, TLSCallbacks.verify)
    SSL_CTX_set_session_id_context(context.pointer, identifier, UInt32(identifier.count))
  }

  private static func stamps(_ configuration: Configuration) -> [FileStamp] {
    let files = [configuration.certificateFile, configuration.keyFile]
    return (files + [configuration.clientCertificates.authoritiesFile].compactMap(\.self))
      .map(FileStamp.init)
  }
}
