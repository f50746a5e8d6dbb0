/// What is kept of an invite: everything but its code.
package struct InviteRecord: Sendable, Equatable {
  package let id: Int64
  package let label: String

  /// How often it could be redeemed when it was made, and still can.
  package let uses: Int64
  package internal(set) var usesLeft: Int64

  /// The principal that made it.
  package let createdBy: Int64

  package let createdAtMilliseconds: Int64

  /// When it ends by itself; nil is never.
  package let expiresAtMilliseconds: Int64?

  /// When it was revoked; nil where it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// An invite as it was made, with the code that is shown once.
package struct CodedInvite: Sendable, Equatable {
  package let record: InviteRecord

  /// 8 characters of Crockford's base32.
  package let code: String
}

/// A principal that an invite has made, with its token.
package struct RedeemedInvite: Sendable, Equatable {
  package let principal: PrincipalRecord
  package let token: NewToken
}
