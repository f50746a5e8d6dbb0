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
  /// The principal has as many connections as it may.
  package static let tooManyOfPrincipal = ConnectionFault(
    .tooManyConnections, "this caller has as many connections as it may")
  /// An anonymous connection without a call made room for another one.
  package static let madeRoom = ConnectionFault(
    .tooManyConnections, "an idle connection without a token made room for another")
  /// The process was short of memory, and the connection held most of the largest share.
  package static let memoryReclaimed = ConnectionFault(
    .enhanceYourCalm, "the connection held too much of the server's memory")
  /// The certificate that the connection came with is no longer bound to its principal.
  package static let certificateUnbound = ConnectionFault(
    .unauthenticated, "the certificate is no longer bound to a principal")
  /// The token that the connection came with is no longer good.
  package static let tokenRevoked = ConnectionFault(.unauthenticated, "the token was revoked")
  /// The principal that the connection belongs to was disabled or deleted.
  package static let principalEnded = ConnectionFault(
    .unauthenticated, "the principal was disabled or deleted")
}
