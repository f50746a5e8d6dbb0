/// The reason why a connection could not be encrypted: what is wrong, and what to do.
public struct SecureChannelError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of an error; more may be added.
  public struct Code: Sendable, Hashable {
    private enum Value: String, Sendable {
      case certificateExpired, certificateNotYetValid, unknownIssuer, wrongName, wrongPublicKey
      case certificateInvalid, certificateMissing, certificateRefused
      case noApplicationProtocol, oldVersion, plainText, truncated, timeout, malformed,
        configuration
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// The peer's certificate has expired.
    public static let certificateExpired = Self(.certificateExpired)
    /// The peer's certificate is not valid yet.
    public static let certificateNotYetValid = Self(.certificateNotYetValid)
    /// The peer's certificate was not issued by a trusted root.
    public static let unknownIssuer = Self(.unknownIssuer)
    /// The server's certificate is for another name.
    public static let wrongName = Self(.wrongName)
    /// The server's public key is none of the pinned ones.
    public static let wrongPublicKey = Self(.wrongPublicKey)
    /// The peer's certificate was rejected for another reason.
    public static let certificateInvalid = Self(.certificateInvalid)
    /// The peer sent no certificate although one is required.
    public static let certificateMissing = Self(.certificateMissing)
    /// The peer rejected this side's certificate, or requires one.
    public static let certificateRefused = Self(.certificateRefused)
    /// The peer does not support the protocol `quiver/1`.
    public static let noApplicationProtocol = Self(.noApplicationProtocol)
    /// The peer does not support TLS 1.3.
    public static let oldVersion = Self(.oldVersion)
    /// The peer does not use TLS.
    public static let plainText = Self(.plainText)
    /// The connection ended without a close_notify.
    public static let truncated = Self(.truncated)
    /// The handshake took too long.
    public static let timeout = Self(.timeout)
    /// The peer violated the TLS protocol.
    public static let malformed = Self(.malformed)
    /// A certificate, a key or a name of the configuration cannot be used.
    public static let configuration = Self(.configuration)

    /// The name of the code in logs.
    public var name: String { value.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// One sentence, without text of the peer.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
