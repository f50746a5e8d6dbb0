package import QuiverWire

/// What ends a connection: the code and the words of the GOAWAY.
package struct ConnectionFault: Error, Equatable, Sendable {
  package let code: ConnectionErrorCode
  package let reason: String

  init(_ code: ConnectionErrorCode, _ reason: StaticString) {
    self.code = code
    self.reason = reason.description
  }
}

extension ConnectionFault {
  /// The server, or the caller's address, has as many connections as it may.
  package static let tooManyConnections = ConnectionFault(
    .tooManyConnections, "the server has as many connections as it takes")
  /// The token that the connection came with is no longer good.
  package static let tokenRevoked = ConnectionFault(.unauthenticated, "the token was revoked")
}
