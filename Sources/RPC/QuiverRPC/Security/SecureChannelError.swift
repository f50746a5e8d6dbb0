/// Why a connection could not be encrypted, or not any longer: what is wrong and what to do.
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

    /// The peer's certificate was valid until a time that has passed.
    public static let certificateExpired = Self(.certificateExpired)
    /// The peer's certificate is valid from a time that has not come.
    public static let certificateNotYetValid = Self(.certificateNotYetValid)
    /// The peer's certificate was not issued by a root that is trusted.
    public static let unknownIssuer = Self(.unknownIssuer)
    /// The server's certificate is for another name.
    public static let wrongName = Self(.wrongName)
    /// The server's public key is none of those that are pinned.
    public static let wrongPublicKey = Self(.wrongPublicKey)
    /// The peer's certificate was not accepted for another reason.
    public static let certificateInvalid = Self(.certificateInvalid)
    /// The peer has shown no certificate though one is required.
    public static let certificateMissing = Self(.certificateMissing)
    /// The peer does not accept this side's certificate, or wants one.
    public static let certificateRefused = Self(.certificateRefused)
    /// The peer does not speak `quiver/1`.
    public static let noApplicationProtocol = Self(.noApplicationProtocol)
    /// The peer speaks no TLS 1.3.
    public static let oldVersion = Self(.oldVersion)
    /// The peer speaks no TLS.
    public static let plainText = Self(.plainText)
    /// The connection ended without a close_notify.
    public static let truncated = Self(.truncated)
    /// The handshake took longer than it may.
    public static let timeout = Self(.timeout)
    /// The peer has broken TLS.
    public static let malformed = Self(.malformed)
    /// A certificate, a key or a name that was given here cannot be used.
    public static let configuration = Self(.configuration)

    /// The name of the code, as logs have it.
    public var name: String { value.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// One sentence without a peer's text.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
