package import QuiverRPC
package import QuiverStore

extension EndedPermissions {
  /// The permissions that a commit ended.
  package init(_ changes: PermissionChanges) {
    self.init(tokenIDs: changes.tokenIDs)
    certificateBindingIDs = Set(changes.certificateBindingIDs)
    principalIDs = Set(changes.principalIDs)
    actingUserIDs = Set(changes.grantUserIDs)
  }
}
