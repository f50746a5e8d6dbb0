public import QuiverRPC
import QuiverWire

/// What a connection says and proves of its caller.
public struct Credentials: Sendable {
  /// The token that the caller has sent; empty: none.
  public let token: [UInt8]
  /// The address of the caller, without its port; empty for a Unix socket.
  public let address: String
  /// The URIs of the certificate that the caller has shown, which the server has verified.
  public let certificateURIs: [String]
  /// The DNS names of that certificate, in lower case.
  public let certificateDNSNames: [String]
  /// The user at the other end of a Unix socket, by the kernel; nil elsewhere.
  public let unixUserID: UInt32?

  /// Creates credentials, for tests of a provider.
  public init(
    token: [UInt8] = [], address: String = "", certificateURIs: [String] = [],
    certificateDNSNames: [String] = [], unixUserID: UInt32? = nil
  ) {
    self.token = token
    self.address = address
    self.certificateURIs = certificateURIs
    self.certificateDNSNames = certificateDNSNames
    self.unixUserID = unixUserID
  }
}

/// Finds who the caller of a connection is, and for whom it may call.
public protocol IdentityProvider: Sendable {
  /// The principal of a connection; nil: it is not known, and only methods that are anonymous are
  /// answered.
  ///
  /// Called once for each connection, before its first call. A thrown error ends the connection
  /// UNAUTHENTICATED, except UNAVAILABLE, which clients take for a server that cannot answer now.
  /// It must answer within the limit `handshakeTimeout`; later answers are not used.
  func principal(for credentials: Credentials) async throws -> Principal?

  /// The principal of a call that a service makes for a user, whom it names in the metadata
  /// `quiver-user`.
  ///
  /// Throw PERMISSION_DENIED where the service may not call for that user; that is what the default
  /// does.
  func principal(
    of service: Principal, actingForUser user: Int64, calling method: CalledMethod
  ) async throws -> Principal
}

extension IdentityProvider {
  public func principal(
    of service: Principal, actingForUser user: Int64, calling method: CalledMethod
  ) async throws -> Principal {
    throw ActingUser.denied
  }
}

/// Knows callers by what their connection proves: the first URI or DNS name of a certificate, the
/// user of a Unix socket, and otherwise the address.
///
/// For services that only trusted machines can reach. It reads no tokens.
public struct PeerIdentityProvider: IdentityProvider {
  /// Creates the provider.
  public init() {}

  public func principal(for credentials: Credentials) async throws -> Principal? {
    if let name = credentials.certificateURIs.first ?? credentials.certificateDNSNames.first {
      return Principal(name)
    }
    if let user = credentials.unixUserID { return Principal("unix:\(user)") }
    return Principal("address:\(credentials.address)")
  }
}

/// Knows callers by their tokens, which are compared in constant time.
public struct TokenIdentityProvider: IdentityProvider {
  private let principals: [(token: [UInt8], principal: Principal)]

  /// Creates a provider of principals by their tokens, each at least 16 bytes.
  public init(_ principals: [String: Principal]) {
    precondition(
      principals.keys.allSatisfy { $0.utf8.count >= 16 }, "a token has at least 16 bytes")
    self.principals = principals.map { (Array($0.key.utf8), $0.value) }
  }

  public func principal(for credentials: Credentials) async throws -> Principal? {
    guard !credentials.token.isEmpty else { return nil }
    var found: Principal?
    for (token, principal) in principals where Self.isEqual(token, credentials.token) {
      found = principal
    }
    guard let found else { throw RPCError(.unauthenticated, "the token is not known") }
    return found
  }

  private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
  }
}
