package import QuiverRPC
package import QuiverWire

/// The server side of a loopback transport.
package struct LoopbackServer: Sendable {
  package var router: Router
  package var authenticator: any Authenticator
  package var identity: ServerIdentity
  package let limits: SharedLimits
  /// The compression if the client supports it too; nil for none.
  package var compressor: (any Compressor)?
  /// The security of connections whose clients have it too; nil for none.
  package var security: (any SecureServerContext)?
  /// The memory budget of all connections; nil for none.
  package var budget: ByteBudget?
  /// The address of the client, as the server sees it.
  package var address = "loopback"

  package init(
    router: Router, authenticator: any Authenticator, identity: ServerIdentity,
    limits: Limits = Limits()
  ) {
    self.router = router
    self.authenticator = authenticator
    self.identity = identity
    self.limits = SharedLimits(limits)
  }
}
