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
