/// That a service may act for a user.
package struct ActingGrantRecord: Sendable, Equatable {
  package let id: Int64
  package let service: Int64
  package let user: Int64

  /// The principal that granted it.
  package let grantedBy: Int64

  package let grantedAtMilliseconds: Int64
}
