import Synchronization

/// The permissions that a commit ended or narrowed.
package struct PermissionChanges: Sendable, Equatable {
  /// Tokens that were revoked, or whose principals were disabled or deleted.
  package internal(set) var tokenIDs: [Int64] = []
  /// Certificate bindings that were removed, or whose principals were disabled or deleted.
  package internal(set) var certificateBindingIDs: [Int64] = []
  /// Principals that were disabled or deleted.
  package internal(set) var principalIDs: [Int64] = []
  /// Users whose grants to services were revoked or changed.
  package internal(set) var grantUserIDs: [Int64] = []

  /// Whether they were read from the table that several servers share (``EndedPermissionReader``).
  /// A server reports those of its own commits twice: at once, and when it reads them there.
  package internal(set) var areFromTable = false

  init() {}

  /// Whether nothing ended.
  var isEmpty: Bool {
    tokenIDs.isEmpty && certificateBindingIDs.isEmpty && principalIDs.isEmpty
      && grantUserIDs.isEmpty
  }

  /// The permissions that the changes of a commit ended or narrowed.
  init(_ changes: [ObjectChange]) {
    for change in changes {
      switch (change.kind, change.change) {
      case (.token, .deleted): tokenIDs.append(change.id)
      case (.certificateBinding, .deleted): certificateBindingIDs.append(change.id)
      case (.principal, .deleted): principalIDs.append(change.id)
      case (.actingGrant, .deleted), (.actingGrant, .updated): grantUserIDs.append(change.owner)
      default: break
      }
    }
  }
}

extension ObjectChange {
  /// Whether it ends or narrows a permission, or may change when a token ends.
  var endsPermission: Bool {
    switch (kind, change) {
    case (.token, .deleted), (.token, .updated), (.certificateBinding, .deleted),
      (.principal, .deleted), (.actingGrant, .deleted), (.actingGrant, .updated):
      true
    default: false
    }
  }
}

/// Reports ended permissions to the process, which closes the connections and streams that depend
/// on them.
struct PermissionObserver: CommitObserver {
  /// Commits that ended or narrowed permissions.
  let endCount = EndCount()

  /// A count that the writer increments.
  final class EndCount: Sendable {
    let value = Atomic<UInt64>(0)
  }

  func didCommit(_ effects: CommitEffects) {
    guard !PermissionChanges(effects.changes).isEmpty else { return }
    endCount.value.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  // After the acknowledgement: a caller that revokes its own token still receives the reply.
  func didAcknowledge(_ effects: CommitEffects, hooks: StoreHooks) {
    var changes = PermissionChanges(effects.changes)
    changes.areFromTable = effects.isFromTable
    if !changes.isEmpty { hooks.permissionsEnded(changes) }
  }
}
