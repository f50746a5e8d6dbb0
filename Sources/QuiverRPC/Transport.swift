/// Makes connections for a client: TCP by default, a loopback in tests.
package protocol Transport: Sendable {
  associatedtype Endpoint: Sendable

  /// Begins a connection; answers at once, and the end takes calls from the start. A connection
  /// that cannot be made fails them UNAVAILABLE, not processed.
  func connect(to endpoint: Endpoint, _ options: ConnectOptions) -> ClientEnd
}

/// What a client says and wants when it connects.
package struct ConnectOptions: Sendable {
  /// As it is written in the HELLO; empty: none.
  package var token: [UInt8]
  package var software: String
  /// Send the token even where the connection is neither local nor encrypted.
  package var allowsPlaintextToken: Bool

  package init(token: [UInt8] = [], software: String, allowsPlaintextToken: Bool = false) {
    self.token = token
    self.software = software
    self.allowsPlaintextToken = allowsPlaintextToken
  }
}
