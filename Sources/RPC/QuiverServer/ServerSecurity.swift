import QuiverRPC
import QuiverTLS

/// The certificate of a server, and what it asks of clients; files are PEM.
public struct ServerSecurity: Sendable, Equatable {
  /// Whether clients show certificates.
  public enum ClientCertificates: Sendable, Equatable {
    /// They are not asked for one.
    case none
    /// They may show one that an authority of the file has issued.
    case optional(authoritiesFile: String)
    /// They must show one that an authority of the file has issued.
    case required(authoritiesFile: String)
  }

  /// The certificate, followed by those between it and the root.
  public var certificateFile: String
  /// The private key, without a password.
  public var keyFile: String
  /// Whether clients show certificates.
  public var clientCertificates: ClientCertificates

  /// Creates a configuration; each parameter is the property of its name.
  public init(
    certificateFile: String, keyFile: String, clientCertificates: ClientCertificates = .none
  ) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.clientCertificates = clientCertificates
  }

  /// Reads the files.
  func context() throws(ServerError) -> TLSServer {
    let clients: TLSServer.ClientCertificates =
      switch clientCertificates {
      case .none: .none
      case .optional(let file): .optional(authoritiesFile: file)
      case .required(let file): .required(authoritiesFile: file)
      }
    do throws(SecureChannelError) {
      return try TLSServer(
        TLSServer.Configuration(
          certificateFile: certificateFile, keyFile: keyFile, clientCertificates: clients))
    } catch {
      throw ServerError(.security, "\(error)")
    }
  }
}
