/// Someone or something that can be called by: a user, a service, an administrator.
package struct PrincipalRecord: Sendable, Equatable {
  package let id: Int64
  package let kind: Kind
  package let displayName: String
  package let createdAtMilliseconds: Int64

  /// What a principal is; the raw values are those of `quiver.v1.PrincipalKind`, and stored.
  package enum Kind: Int32, Sendable, CaseIterable {
    case user = 1
    case service = 2
    case administrator = 3
  }
}
