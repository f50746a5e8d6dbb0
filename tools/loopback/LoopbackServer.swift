package import QuiverRPC
package import QuiverWire

/// What a loopback connection meets at its other end.
package struct LoopbackServer: Sendable {
  package var router: Router
  package var authenticator: any Authenticator
  package var identity: ServerIdentity
  package let limits: SharedLimits
  /// What messages are compressed with where the client does so too; nil: nothing.
  package var compressor: (any Compressor)?
  /// How connections are encrypted whose clients have security too; nil: they are not.
  package var security: (any SecureServerContext)?
  /// What all connections together may hold; nil: nobody counts.
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
