/// Permissions that have ended or become narrower since callers were authenticated.
///
/// ``ServerEnd/revalidate(_:)`` ends the connections and calls that rest on them.
package struct EndedPermissions: Sendable, Equatable {
  /// Tokens that were revoked or have expired.
  package var tokenIDs: Set<Int64> = []
  /// Certificate bindings that were removed.
  package var certificateBindingIDs: Set<Int64> = []
  /// Principals that were disabled or deleted.
  package var principalIDs: Set<Int64> = []
  /// Users for whom some service may no longer act, or may do less.
  package var actingUserIDs: Set<Int64> = []

  package init() {}

  package init(tokenIDs: some Sequence<Int64>) {
    self.tokenIDs = Set(tokenIDs)
  }

  /// Why a connection of the caller ends; nil: it continues.
  func fault(of caller: Caller) -> ConnectionFault? {
    if tokenIDs.contains(caller.tokenID) { return .tokenRevoked }
    if certificateBindingIDs.contains(caller.certificateBindingID) { return .certificateUnbound }
    return principalIDs.contains(caller.principalID) ? .principalEnded : nil
  }

  /// Whether a call that a service makes for the user must be validated again.
  func concerns(actingFor user: Int64) -> Bool {
    principalIDs.contains(user) || actingUserIDs.contains(user)
  }
}
