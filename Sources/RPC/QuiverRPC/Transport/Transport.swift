/// Makes connections for a client: TCP by default, a loopback in tests.
package protocol Transport: Sendable {
  associatedtype Endpoint: Sendable

  /// Begins a connection; answers at once, and the end takes calls from the start. A connection
  /// that cannot be made fails them UNAVAILABLE, not processed.
  func connect(to endpoint: Endpoint, _ options: ConnectOptions) -> ClientEnd

  /// Monotonic nanoseconds, on the clock of the ends' reactors.
  var nowNanoseconds: UInt64 { get }

  /// Runs `job` once at `due`, or soon after, never inside this call; it cannot be called off.
  func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void)
}

/// How a client identifies itself when it connects, and its requirements.
package struct ConnectOptions: Sendable {
  /// As it is written in the HELLO; empty: none.
  package var token: [UInt8]
  /// The token of the gateway that connects for a caller; empty: none does.
  package var gatewayToken: [UInt8] = []
  package var software: String
  /// Send the token even where the connection is neither local nor encrypted.
  package var allowsPlaintextToken: Bool
  /// What messages are compressed with where the server does so too; nil: nothing.
  package var compressor: (any Compressor)?
  /// How the connection is encrypted; nil: it is not.
  package var security: TransportSecurity?

  package init(
    token: [UInt8] = [], software: String, allowsPlaintextToken: Bool = false,
    compressor: (any Compressor)? = nil, security: TransportSecurity? = nil
  ) {
    self.token = token
    self.software = software
    self.allowsPlaintextToken = allowsPlaintextToken
    self.compressor = compressor
    self.security = security
  }

  /// Whether the HELLO carries a token.
  package var hasToken: Bool { !token.isEmpty || !gatewayToken.isEmpty }
}
