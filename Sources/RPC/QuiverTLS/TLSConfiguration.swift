public import QuiverRPC

/// The certificates that a client trusts, and the certificate that it sends.
///
/// Verification is always on: the certificate of the server must lead to a trusted root, be valid
/// now, and be for the server's name.
public struct TLSConfiguration: Sendable, Equatable {
  /// The authorities whose certificates are trusted.
  public enum TrustedRoots: Sendable, Equatable {
    /// The authorities of the system.
    case system
    /// Only the authorities in a PEM file.
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

  /// The authorities whose certificates are trusted.
  public var trustedRoots = TrustedRoots.system
  /// The name that the server's certificate must be for; nil: the host of the address.
  public var serverName: String?
  /// SHA-256 hashes of SubjectPublicKeyInfo, 32 bytes each. The server's key must also have one of
  /// them; empty: any key is accepted.
  public var pinnedPublicKeys: [[UInt8]] = []
  /// The certificate for a server that asks for one; nil: none.
  public var clientCertificate: ClientCertificate?

  /// - Parameter trustedRoots: the authorities whose certificates are trusted.
  public init(trustedRoots: TrustedRoots = .system) { self.trustedRoots = trustedRoots }
}

extension TransportSecurity {
  /// TLS 1.3 by libssl.
  ///
  /// It reads the files once, and throws if one of them cannot be used.
  public static func tls(
    _ configuration: TLSConfiguration = TLSConfiguration()
  ) throws(SecureChannelError) -> TransportSecurity {
    TransportSecurity(try TLSClient(configuration))
  }
}
