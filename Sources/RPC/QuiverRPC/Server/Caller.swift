/// The caller of a call: a principal, known by a token, or the user for whom a service acts.
package struct Caller: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case user, service, administrator, device }

  package let principalID: Int64
  /// The token of the connection; 0: the caller is known by other means.
  package let tokenID: Int64
  /// The certificate binding by which the caller is known; 0: none.
  package let certificateBindingID: Int64
  /// The principal whose token it is: another than ``principalID`` where a service acts for a user.
  package let actorID: Int64
  package let kind: Kind
  package let displayName: String
  /// Whether calls that change something are answered.
  package let mayMutate: Bool
  /// Whether the calls of an administrator are; only where ``kind`` is one.
  package let mayAdminister: Bool
  /// The only methods that are answered; nil: all.
  package let methods: MethodSet?
  /// Whether its token can do so little that a server may take it where others can read it.
  package let mayBeRead: Bool

  package init(
    principalID: Int64, tokenID: Int64, kind: Kind, displayName: String, mayMutate: Bool = true,
    mayAdminister: Bool = true, actorID: Int64? = nil, certificateBindingID: Int64 = 0,
    methods: MethodSet? = nil, mayBeRead: Bool = false
  ) {
    self.principalID = principalID
    self.tokenID = tokenID
    self.certificateBindingID = certificateBindingID
    self.actorID = actorID ?? principalID
    self.kind = kind
    self.displayName = displayName
    self.mayMutate = mayMutate
    self.mayAdminister = mayAdminister && kind == .administrator
    self.methods = methods
    self.mayBeRead = mayBeRead
  }
}

/// The methods that a caller may call, where those are not all.
package struct MethodSet: Sendable, Equatable {
  package let ids: Set<UInt32>
  /// What a call of another method is answered with, as PERMISSION_DENIED.
  package let refusal: String

  package init(_ ids: Set<UInt32>, refusal: String) {
    self.ids = ids
    self.refusal = refusal
  }
}

/// Authenticates the token of a HELLO. Called on a reactor: it must not block.
package protocol Authenticator: Sendable {
  /// The caller with `token`, the bytes of the HELLO (empty: none was sent).
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict

  /// The same where the peer may have proved who it is before its HELLO, by a certificate or by
  /// the kernel. Without a method of its own an authenticator goes by the token alone.
  func authenticate(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict

  /// Finds who calls a method where `caller` names the user of that id in the call's metadata;
  /// PERMISSION_DENIED where it may not.
  func acting(
    _ caller: Caller, forUser user: Int64, calling method: MethodInfo
  ) -> DeferredCaller
}

extension Authenticator {
  package func authenticate(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict {
    authenticate(token: token, address: peer.address)
  }
}

/// What an ``Authenticator`` found.
package enum AuthenticationVerdict: Sendable {
  case caller(Caller)
  /// The connection is one of the gateway that the first value names. It is made for the caller
  /// that the second one names; nil: for callers without a token.
  case gateway(Caller, for: Caller?)
  /// No token: only calls that need no caller are answered.
  case anonymous
  /// A bad, expired or revoked token: the connection ends UNAUTHENTICATED.
  case refused(StaticString)
  /// The token cannot be checked now: the connection ends INTERNAL_ERROR, which clients take as
  /// UNAVAILABLE and not as a token to throw away.
  case unavailable(StaticString)
  /// The token is being checked elsewhere, as on a thread that may wait for the disk.
  case deferred(DeferredVerdict)
}

/// A verdict that is found on another thread while the connection takes no input.
package struct DeferredVerdict: Sendable {
  /// What is passed to the completion: the verdict, and whether it still holds. `isCurrent` is
  /// called on the reactor; if it returns false the verdict is asked for again.
  package typealias Completion =
    @Sendable (AuthenticationVerdict, _ isCurrent: @escaping @Sendable () -> Bool) -> Void

  let start: @Sendable (@escaping Completion) -> Void

  /// - Parameter start: called on the reactor; it must not block, and calls the completion once,
  ///   on any thread.
  package init(_ start: @escaping @Sendable (@escaping Completion) -> Void) {
    self.start = start
  }
}
