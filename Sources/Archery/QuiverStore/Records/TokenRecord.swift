/// What is kept of a token: everything but the token.
package struct TokenRecord: Sendable, Equatable {
  package let id: Int64
  package let principal: PrincipalRecord
  package let label: String

  /// What it lets its bearer do.
  package let scopes: TokenScopes

  package let createdAtMilliseconds: Int64

  /// When it ends by itself; nil is never.
  package let expiresAtMilliseconds: Int64?

  /// When it was revoked; nil where it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// A token as it was made, with the text that is shown once.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord

  /// `qv_` and 43 characters.
  package let secret: String
}
