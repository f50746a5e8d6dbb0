public import QuiverRPC

/// What a client trusts and shows.
///
/// Verification is always on: the certificate of the server must lead to a trusted root, be in its
/// time, and be for the server's name.
public struct TLSConfiguration: Sendable, Equatable {
  /// Whose certificates are trusted.
  public enum TrustedRoots: Sendable, Equatable {
    /// Those of the system.
    case system
    /// Those in a PEM file, and no others.
    case file(String)
  }

  /// A client's certificate and its private key, in PEM files. The key has no password.
  public struct ClientCertificate: Sendable, Equatable {
    /// The path of the certificate, followed by those between it and the root.
    public var certificateFile: String
    /// The path of the private key.
    public var keyFile: String

    /// - Parameters:
    ///   - certificateFile: the certificate, followed by those between it and the root.
    ///   - keyFile: its private key.
    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// Whose certificates are trusted.
  public var trustedRoots = TrustedRoots.system
  /// The name that the server's certificate must be for; nil: the host of the address.
  public var serverName: String?
  /// SHA-256 hashes of SubjectPublicKeyInfo, 32 bytes each, one of which the server's key must have
  /// beside all else; empty: any key will do.
  public var pinnedPublicKeys: [[UInt8]] = []
  /// What is shown to a server that asks for a certificate; nil: nothing.
  public var clientCertificate: ClientCertificate?

  /// - Parameter trustedRoots: whose certificates are trusted.
  public init(trustedRoots: TrustedRoots = .system) { self.trustedRoots = trustedRoots }
}

extension TransportSecurity {
  /// TLS 1.3 by libssl.
  ///
  /// Reads the files once. Throws what is wrong with them.
  public static func tls(
    _ configuration: TLSConfiguration = TLSConfiguration()
  ) throws(SecureChannelError) -> TransportSecurity {
    TransportSecurity(try TLSClient(configuration))
  }
}
