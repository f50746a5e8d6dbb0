import QuiverRules

/// Deletes the account of its caller permanently: revokes its tokens and erases all of its data.
///
/// The principal's id, kind and times stay, since audit rows refer to them. Its connections are
/// notified after the commit and the reply. If the account is deleted already, nothing happens. The
/// data of a small account is erased in this transaction, the rest of a large one in slices that a
/// restart continues.
package struct DeleteAccount: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  package static var needsActiveCaller: Bool { false }

  private let confirmation: String

  /// Each takes the principal's id. Their rows are few, or must not outlive the commit.
  private static let statements = [
    ErasureStep.words("display_name", of: "principal", key: "id"),
    ErasureStep.words("label", of: "token"),
    ErasureStep.words("label", of: "certificate_binding"),
    ErasureStep.words("san_value", of: "certificate_binding"),
    Query("DELETE FROM certificate_binding WHERE principal_id = ?1"),
    Query("DELETE FROM preference WHERE principal_id = ?1"),
    Query("DELETE FROM weight_plan WHERE principal_id = ?1"),
    Query("DELETE FROM lift_import WHERE principal_id = ?1"),
    Query("DELETE FROM scoring_count WHERE principal_id = ?1"),
  ]
  private static let end = Query(
    """
    UPDATE principal SET display_name = '', time_zone = '', units = 0, bowstyle = 0, gender = 0,
      age_group = 0, revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = ?2
    WHERE id = ?1
    """)
  private static let endTokens = Query(
    """
    UPDATE token SET label = '', revoked_at_ms = coalesce(revoked_at_ms, ?2)
    WHERE principal_id = ?1
    """)

  /// - Parameter confirmation: the caller's display name, exactly.
  package init(confirmation: String) { self.confirmation = confirmation }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let id = transaction.caller.principal
    let principal = try transaction.snapshot.principal(id: id)
    guard principal.deletedAtMilliseconds == nil else { return }
    try transaction.checkCallerIsActive()
    guard confirmation == principal.shownName else {
      throw .invalid("confirmation", "must be exactly the profile's shown_name")
    }
    try transaction.checkNotLastAdministrator(principal)
    let tokens = try transaction.snapshot.liveTokens(of: id)
    for token in tokens { transaction.effects.note(.deleted, of: .token, id: token) }
    for binding in try transaction.snapshot.certificateBindingIDs(of: id) {
      transaction.effects.note(.deleted, of: .certificateBinding, id: binding)
    }
    for statement in Self.statements { try transaction.run(statement, .integer(id)) }
    try transaction.run(Self.endTokens, .integer(id), .integer(transaction.nowMilliseconds))
    try transaction.run(Self.end, .integer(id), .integer(transaction.nowMilliseconds))
    try transaction.record(.deleted, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(action: "principal.delete", kind: .principal, objectID: id))
    try EraseAccount.begin(
      id, in: transaction, rowCount: StoreLimits.erasedRowsPerDeletion)
  }
}
